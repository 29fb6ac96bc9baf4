// Kept results of the front end: the same as new ones, and used only where nothing has changed.
#include "gpu/compile_cache.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gpu/compiler.h"

namespace {

namespace fs = std::filesystem;

const std::string kKept =
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"value.h\"\n"
    "layout(local_size_x = 64) in;\nlayout(binding = 0) buffer D { uint d[]; };\n"
    "void main() { d[gl_GlobalInvocationID.x] = VALUE; }\n";

class CompileCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tilescope-compiled-" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "kernel");
    fs::create_directories(folder_ / "other");
    const char* before = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe)
    before_ = before != nullptr ? before : "";
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    write("other/value.h", "#define VALUE 1u\n");
  }
  void TearDown() override {
    ::setenv("XDG_CACHE_HOME", before_.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    fs::remove_all(folder_);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] gpu::Compiled compile(const std::string& text = kKept) const {
    gpu::CompileOptions options;
    options.include_dirs = {folder_ / "other"};
    const auto compiled = gpu::compile({text, folder_ / "kernel" / "k.comp"}, options);
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled.value_or(gpu::Compiled{});
  }
  // Compiles as a process without kept results does.
  [[nodiscard]] gpu::Compiled compile_anew() const {
    fs::remove_all(results());
    return compile();
  }
  [[nodiscard]] fs::path results() const { return folder_ / "cache" / "tilescope" / "compiled"; }
  [[nodiscard]] std::size_t kept() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(results()), fs::directory_iterator()));
  }

  fs::path folder_;
  std::string before_;
};

TEST_F(CompileCache, IsReadTheSecondTime) {
  const gpu::Compiled first = compile();
  ASSERT_EQ(kept(), 1U);
  const fs::path file = fs::directory_iterator(results())->path();
  const auto time = fs::last_write_time(file);
  const gpu::Compiled second = compile();
  EXPECT_EQ(second.spirv, first.spirv);
  EXPECT_EQ(second.sources, first.sources);
  EXPECT_EQ(second.warnings, first.warnings);
  EXPECT_EQ(fs::last_write_time(file), time);  // a new result would have been written
  EXPECT_EQ(second.sources.size(), 2U);
}

TEST_F(CompileCache, SeesThatAnIncludedFileChanged) {
  const gpu::Compiled first = compile();
  write("other/value.h", "#define VALUE 2u\n");
  const gpu::Compiled second = compile();
  EXPECT_NE(second.spirv, first.spirv);
  EXPECT_EQ(second.spirv, compile_anew().spirv);
  EXPECT_EQ(second.sources[1].text, "#define VALUE 2u\n");
}

TEST_F(CompileCache, SeesThatAnotherFileIsFoundFirst) {
  const gpu::Compiled first = compile();
  write("kernel/value.h", "#define VALUE 1u\n");
  const gpu::Compiled second = compile();
  EXPECT_EQ(second.sources[1].path, (folder_ / "kernel" / "value.h").string());
  EXPECT_EQ(second.spirv, compile_anew().spirv);
}

TEST_F(CompileCache, IgnoresDamagedFiles) {
  const gpu::Compiled first = compile();
  const fs::path file = fs::directory_iterator(results())->path();
  std::stringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  const std::string whole = content.str();
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    std::ofstream(file, std::ios::binary) << damaged;
    EXPECT_EQ(compile().spirv, first.spirv) << at;
    std::ofstream(file, std::ios::binary) << whole.substr(0, at);
    EXPECT_EQ(compile().spirv, first.spirv) << at;
  }
}

TEST_F(CompileCache, KeepsNoKernelThatDoesNotCompile) {
  const fs::path file = folder_ / "kernel" / "k.comp";
  const std::string wrong = "#version 450\nvoid main() { x = 1; }\n";
  const auto first = gpu::compile({wrong, file});
  const auto second = gpu::compile({wrong, file});
  ASSERT_FALSE(first);
  ASSERT_FALSE(second);
  EXPECT_EQ(first.error().message, second.error().message);
  EXPECT_FALSE(fs::exists(results()));
}

}  // namespace
