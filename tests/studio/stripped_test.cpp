// The labelled kernels without debug information, as release builds and naga
// write modules: shots and the window draw them without an exception.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <spirv-tools/optimizer.hpp>
#include <unistd.h>

#include "core/base/files.h"
#include "lab/plan/kernel_module.h"
#include "lab/run/capture.h"
#include "ui/fixture.h"
#include "ui/views.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> kernels() {
  std::vector<fs::path> found;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(TILESCOPE_SOURCE_DIR) / "tests/probes")) {
    if (entry.path().extension() == ".comp") {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

lab::Workbench* bench() {
  static const auto opened = []() -> std::unique_ptr<lab::Workbench> {
    auto driver = gpu::Driver::open({});
    auto made = driver ? lab::Workbench::open(*driver, "", {.robust = true})
                       : core::device_error("no driver");
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

class Stripped : public testing::Test {
 protected:
  void SetUp() override {
    if (bench() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
    folder_ = fs::temp_directory_path() / ("tilescope-stripped-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Without names and lines, in a file; empty if this device does not have what
  // it needs.
  [[nodiscard]] std::string stripped(const fs::path& kernel) const {
    const auto module = lab::load_module(lab::read_kernel(kernel), {});
    EXPECT_TRUE(module) << kernel;
    if (!module || bench()->device().lacking((*module)->words) != nullptr) {
      return "";
    }
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
    std::vector<std::uint32_t> words;
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    EXPECT_TRUE(optimizer.Run((*module)->words.data(), (*module)->words.size(), &words, options));
    const fs::path file = folder_ / (kernel.stem().string() + ".spv");
    EXPECT_TRUE(core::write_file(file, std::as_bytes(std::span(words))));
    return file.string();
  }

  void expect_drawn(const fs::path& kernel) const {
    SCOPED_TRACE(kernel);
    core::Scene scene;
    scene.experiment.variant = stripped(kernel);
    scene.experiment.size = {3, 1, 1};
    if (scene.experiment.variant.empty()) {
      return;
    }
    lab::CaptureOptions options{
        .measure = {.repeat = 1, .warm_up_ms = 0.0, .time_ms = 0.0}, .needs = {}, .check_ms = 5e3};
    for (const char* view : {"grid", "tile"}) {
      scene.view.name = view;
      options.needs.merge(ui::needs_of(scene.view));
    }
    const core::Catalogue none({}, {});
    const auto result =
        lab::capture(*bench(), none, TILESCOPE_SOURCE_DIR "/shaders", scene, options);
    ASSERT_TRUE(result) << result.error().message;
    for (const std::string& view : ui::views_of(*result)) {
      scene.view.name = view;
      tests::Stage stage(scene);
      for (int frame = 0; frame < 3; ++frame) {
        EXPECT_EQ(stage.draw(*result).not_drawn, std::vector<std::string>{}) << view;
      }
      EXPECT_FALSE(tests::shows(stage.trace(), "source of the kernel appears here")) << view;
    }
  }

  fs::path folder_;
};
using LongStripped = Stripped;

TEST_F(Stripped, SomeKernelsAreDrawn) {
  const std::vector<fs::path> all = kernels();
  for (std::size_t i = 7; i < all.size(); i += 70) {
    expect_drawn(all[i]);
  }
}

TEST_F(LongStripped, AllKernelsAreDrawn) {
  for (const fs::path& kernel : kernels()) {
    expect_drawn(kernel);
  }
}

}  // namespace
