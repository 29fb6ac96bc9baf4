// The race check and the oracle name the same races: on the labelled kernels, and on kernels made
// at random. TILESCOPE_RANDOM_KERNELS=N tries N of those, TILESCOPE_RANDOM_SEED=S starts at seed S,
// TILESCOPE_RANDOM_SHOW=1 prints them.
#include "probes/agreement.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "probes/random_kernel.h"
#include "tests/lab/specimens.h"

namespace {

namespace fs = std::filesystem;

gpu::Device* device() {
  static const auto opened = []() -> std::unique_ptr<gpu::Device> {
    const auto driver = gpu::Driver::open({});
    const auto info = driver ? (*driver)->pick("") : core::device_error("none");
    if (!info) {
      return nullptr;
    }
    auto made = gpu::Device::open(*driver, *info, {.robust = true});
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

std::uint64_t wanted(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

test::Agreement compare(const std::string& source, const fs::path& file) {
  core::Experiment experiment;
  experiment.size = {3, 1, 1};
  const auto specimen = test::specimen_of(*device(), source, file, experiment);
  EXPECT_TRUE(specimen) << specimen.error().message;
  return test::compare(*device(), *specimen);
}

class Agreement : public testing::Test {
 protected:
  void SetUp() override {
    if (device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
  }
};

using LongAgreement = Agreement;

TEST_F(LongAgreement, OnTheLabelledKernels) {
  std::size_t compared = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "tests/probes")) {
    if (entry.path().extension() != ".comp") {
      continue;
    }
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    if (text.str().contains("tilescope: allow")) {
      continue;  // what is allowed is found all the same, but not told
    }
    const test::Agreement result = compare(text.str(), entry.path());
    EXPECT_EQ(result.difference, "") << entry.path();
    compared += result.compared() ? 1 : 0;
  }
  EXPECT_GE(compared, 100U);
}

// Few are beyond what there is to compare with; nothing else keeps a kernel from being compared.
void on_random_kernels(std::string (*kernel)(std::uint64_t seed),
                       test::Agreement (*compared)(const std::string& source)) {
  const std::uint64_t count = wanted("TILESCOPE_RANDOM_KERNELS", 40);
  const std::uint64_t first = wanted("TILESCOPE_RANDOM_SEED", 1);
  std::uint64_t tried = 0, racy = 0, beyond = 0;
  for (; tried < count; ++tried) {
    const std::uint64_t seed = first + tried;
    const std::string source = kernel(seed);
    if (wanted("TILESCOPE_RANDOM_SHOW", 0) != 0) {
      std::cout << source;
    }
    const test::Agreement result = compared(source);
    racy += result.races > 0 ? 1 : 0;
    if (!result.beyond.empty()) {
      ++beyond;
      std::cout << "seed " << seed << " is not compared: " << result.beyond << "\n";
    }
    EXPECT_EQ(result.difference, "") << "seed " << seed << "\n" << source;
    EXPECT_EQ(result.refused, "") << "seed " << seed << "\n" << source;
  }
  EXPECT_LE(beyond, tried / 20 + 3);
  std::cout << "seeds " << first << " to " << first + tried - 1 << ": " << racy << " with races, "
            << beyond << " not compared\n";
}

TEST_F(Agreement, OnRandomKernels) {
  on_random_kernels(test::random_kernel,
                    [](const std::string& source) { return compare(source, "random.comp"); });
}

TEST_F(Agreement, OnRandomKernelsOfBuffers) {
  on_random_kernels(test::random_buffer_kernel, [](const std::string& source) {
    core::Experiment experiment;
    experiment.size = {3, 1, 1};
    const auto specimen = test::specimen_of(*device(), source, "random.comp", experiment);
    EXPECT_TRUE(specimen) << specimen.error().message << "\n" << source;
    return specimen
               ? test::compare_buffers(*device(), *specimen, source.contains("memoryBarrierBuffer"))
               : test::Agreement{.refused = specimen.error().message};
  });
}

}  // namespace
