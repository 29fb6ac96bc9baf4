#include "gpu/compiler.h"

#include <charconv>
#include <fstream>
#include <memory>
#include <sstream>

#include <shaderc/shaderc.hpp>

namespace gpu {
namespace {

// What shaderc holds on to between an include and its release.
struct Included {
  std::string name;
  std::string content;
  shaderc_include_result result{};
};

class Includer final : public shaderc::CompileOptions::IncluderInterface {
 public:
  explicit Includer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  shaderc_include_result* GetInclude(const char* requested, shaderc_include_type,
                                     const char* requesting, std::size_t) override {
    auto included = std::make_unique<Included>();
    const std::filesystem::path from = std::filesystem::path(requesting).parent_path();
    std::filesystem::path path = from / requested;
    if (!std::filesystem::is_regular_file(path)) {
      path = folder_ / requested;
    }
    if (std::ifstream file(path, std::ios::binary);
        file && std::filesystem::is_regular_file(path)) {
      std::ostringstream text;
      text << file.rdbuf();
      included->name = path.string();
      included->content = text.str();
    } else {
      included->content = "there is no file \"" + std::string(requested) + "\" beside it";
    }
    Included* raw = included.release();
    raw->result = {raw->name.data(), raw->name.size(), raw->content.data(), raw->content.size(),
                   raw};
    return &raw->result;
  }

  void ReleaseInclude(shaderc_include_result* data) override {
    const std::unique_ptr<Included> owned(static_cast<Included*>(data->user_data));
  }

 private:
  std::filesystem::path folder_;
};

// shaderc words an error as "FILE:LINE: error: TEXT", one a line.
core::Error first_message(const std::string& messages, const std::filesystem::path& file) {
  core::Error error{.fault = core::Fault::usage};
  std::string line = messages.substr(0, messages.find('\n'));
  const std::string prefix = file.string() + ":";
  if (line.starts_with(prefix)) {
    const char* begin = line.data() + prefix.size();
    const auto [end, status] = std::from_chars(begin, line.data() + line.size(), error.line);
    if (status == std::errc{}) {
      std::string text = line.substr(static_cast<std::size_t>(end - line.data()));
      text.erase(0, text.find_first_not_of(": "));
      if (text.starts_with("error: ")) {
        text.erase(0, 7);
      }
      line = prefix + std::to_string(error.line) + ": " + text;
    }
  }
  error.message = line.empty() ? file.string() + " does not compile" : line;
  return error;
}

}  // namespace

core::Expected<Compiled> compile_glsl(const std::string& source,
                                      const std::filesystem::path& file) {
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetGenerateDebugInfo();
  options.SetIncluder(std::make_unique<Includer>(file.parent_path()));
  // With the last compiler go glslang's tables of built-ins, which take longer to make than a
  // kernel.
  static const shaderc::Compiler compiler;
  const shaderc::SpvCompilationResult result = compiler.CompileGlslToSpv(
      source, shaderc_compute_shader, file.string().c_str(), "main", options);
  if (result.GetCompilationStatus() != shaderc_compilation_status_success) {
    return std::unexpected(first_message(result.GetErrorMessage(), file));
  }
  return Compiled{{result.cbegin(), result.cend()}, result.GetErrorMessage()};
}

}  // namespace gpu
