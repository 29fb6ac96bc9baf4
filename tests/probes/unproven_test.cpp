// The check finds the same with proofs and without (`check --no-proofs`): on labelled kernels, on
// the catalogue and on kernels made at random. A finding at an access that is proven fails.
//
// Random kernels: TILESCOPE_RANDOM_KERNELS=N tries N of them, of all generators in turn,
// TILESCOPE_RANDOM_SEED=S starts at seed S, TILESCOPE_RANDOM_DEVICE=D takes that device,
// TILESCOPE_RANDOM_SHOW=1 prints them. tests/fuzz/proofs runs many processes of this at once.
// Kernels of a folder: TILESCOPE_KERNELS=FOLDER, by default ../shared/reproducers if it exists.
#include "probes/unproven.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/work/needs.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/workbench.h"
#include "probes/labelled.h"
#include "probes/mangled.h"
#include "probes/random_kernel.h"
#include "tests/lab/specimens.h"

namespace {

namespace fs = std::filesystem;

std::string setting(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return text != nullptr ? text : "";
}

std::uint64_t wanted(const char* name, std::uint64_t otherwise) {
  const std::string text = setting(name);
  return text.empty() ? otherwise : std::strtoull(text.c_str(), nullptr, 10);
}

gpu::Device* device() {
  static const auto opened = []() -> std::unique_ptr<gpu::Device> {
    const auto driver = gpu::Driver::open({});
    const auto info =
        driver ? (*driver)->pick(setting("TILESCOPE_RANDOM_DEVICE")) : core::device_error("none");
    if (!info) {
      return nullptr;
    }
    auto made = gpu::Device::open(*driver, *info, {.robust = true});
    return made ? std::move(*made) : nullptr;
  }();
  return opened.get();
}

// ---- kernels made at random ----

struct RandomKernel {
  std::string source;
  core::Experiment experiment;
  bool mangled = false;
};

RandomKernel random_kernel(std::uint64_t seed) {
  RandomKernel made;
  const std::uint64_t drawn = core::mix(seed ^ 0x5EED);
  made.experiment.size = {3, 1, 1};
  made.mangled = drawn % 3 == 0;
  switch (drawn / 3 % 6) {
    case 0:
      made.source = test::random_kernel(seed);
      break;
    case 1:
      made.source = test::random_buffer_kernel(seed);
      break;
    default:
      made.source = test::random_guarded_kernel(seed);
      made.experiment.choices.groups = {2 + static_cast<std::uint32_t>(drawn >> 8U) % 2, 1, 1};
      made.experiment.choices.push = {static_cast<std::uint32_t>(drawn >> 16U) % 3,
                                      8 + static_cast<std::uint32_t>(drawn >> 24U) % 12};
      made.experiment.choices.buffers = {
          {"0.0", "4096:iota"}, {"0.1", "4096:zero"}, {"0.2", "4096:zero"}};
      if (made.source.contains("uimageBuffer")) {
        made.experiment.choices.buffers["0.3"] = "1024:r32ui:zero";
        made.experiment.choices.buffers["0.4"] = "96x32:r32ui:zero";
      }
      break;
  }
  return made;
}

core::Expected<std::shared_ptr<lab::Specimen>> specimen_of(const RandomKernel& made,
                                                           std::uint64_t seed) {
  core::Variant kernel;
  kernel.name = kernel.title = "random";
  kernel.file = "random.comp";
  kernel.source = made.source;
  auto module = lab::load_module(kernel, made.experiment.choices);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (made.mangled) {
    auto words = test::mangled((*module)->words, seed);
    if (!words) {
      return std::unexpected(words.error());
    }
    auto changed = std::make_shared<core::KernelModule>(**module);
    changed->words = std::move(*words);
    *module = std::move(changed);
  }
  auto plan = lab::plan_kernel(made.experiment, *module);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  return lab::Specimen::of(std::move(plan->dispatch), device()->info());
}

void on_random_kernels(std::uint64_t first, std::uint64_t count) {
  std::uint64_t tried = 0, found = 0, incomplete = 0;
  for (; tried < count; ++tried) {
    const std::uint64_t seed = first + tried;
    const RandomKernel made = random_kernel(seed);
    if (wanted("TILESCOPE_RANDOM_SHOW", 0) != 0) {
      std::cout << "seed " << seed << (made.mangled ? ", mangled\n" : "\n") << made.source;
    }
    const auto specimen = specimen_of(made, seed);
    if (!specimen) {
      ADD_FAILURE() << "seed " << seed << ": " << specimen.error().message << "\n" << made.source;
      continue;
    }
    const test::Comparison result = test::compare_unproven(*device(), lab::alone(*specimen));
    EXPECT_EQ(result.difference, "") << "seed " << seed << "\n" << made.source;
    EXPECT_EQ(result.refused, "") << "seed " << seed << "\n" << made.source;
    found += result.found ? 1 : 0;
    incomplete += result.complete ? 0 : 1;
  }
  std::cout << "seeds " << first << " to " << first + tried - 1 << ": " << found
            << " with findings, " << incomplete << " not seen whole\n";
}

// ---- kernels of files ----

void on_labelled_kernel(const fs::path& path) {
  const std::string source = test::text_of(path);
  if (source.contains("expect = \"divergent\"")) {
    return;  // it is not run
  }
  const auto specimen =
      test::specimen_of(*device(), source, path, test::labelled_experiment(source));
  ASSERT_TRUE(specimen) << path << ": " << specimen.error().message;
  const test::Comparison result = test::compare_unproven(*device(), lab::alone(*specimen));
  if (result.refused.contains("needs the feature")) {
    return;  // another device has it
  }
  EXPECT_EQ(result.difference, "") << path;
  EXPECT_EQ(result.refused, "") << path;
}

// Small sizes, so that a launch takes a moment.
void on_catalogue() {
  auto driver = gpu::Driver::open({});
  ASSERT_TRUE(driver) << driver.error().message;
  auto bench = lab::Workbench::open(*driver, setting("TILESCOPE_RANDOM_DEVICE"));
  ASSERT_TRUE(bench) << bench.error().message;
  for (const core::Variant& variant : lab::read_catalogue(lab::find_shaders().value()).all()) {
    if (variant.broken || core::missing(variant, (*bench)->info())) {
      continue;
    }
    core::Experiment experiment;
    experiment.variant = variant.id();
    const auto awkward = variant.work->awkward_sizes();
    experiment.size =
        awkward.empty() ? core::Sizes(variant.work->size_names().size(), 40) : awkward.front();
    const auto setup = (*bench)->set_up(variant, experiment, 1000.0);
    ASSERT_TRUE(setup) << variant.id() << ": " << setup.error().message;
    const test::Comparison result = test::compare_unproven((*bench)->device(), (*setup)->turns());
    EXPECT_EQ(result.difference, "") << variant.id();
    EXPECT_EQ(result.refused, "") << variant.id();
  }
}

// A kernel that this device or compiler does not take is not compared: other tests cover these.
bool is_same_on_kernel(const fs::path& path) {
  core::Experiment experiment;
  const core::Variant kernel = lab::read_kernel(path);
  const auto module =
      kernel.broken ? std::unexpected(*kernel.broken) : lab::load_module(kernel, {});
  auto plan = module ? lab::plan_kernel(experiment, *module, device()->info().subgroup_size)
                     : std::unexpected(module.error());
  const auto specimen = plan ? lab::Specimen::of(std::move(plan->dispatch), device()->info())
                             : std::unexpected(plan.error());
  if (!specimen) {
    std::cout << path << ": " << specimen.error().message << "\n";
    return false;
  }
  const test::Comparison result = test::compare_unproven(*device(), lab::alone(*specimen));
  if (!result.refused.empty()) {
    std::cout << path << ": " << result.refused << "\n";
    return false;
  }
  EXPECT_EQ(result.difference, "") << path;
  return true;
}

class Unproven : public testing::Test {
 protected:
  void SetUp() override {
    if (device() == nullptr) {
      GTEST_SKIP() << "no Vulkan device";
    }
  }
};
class LongUnproven : public Unproven {};

TEST_F(Unproven, AgreesOnRandomKernels) {
  on_random_kernels(1, 12);
}

TEST_F(Unproven, AgreesOnSomeLabelledKernels) {
  const std::vector<fs::path> kernels = test::labelled_kernels();
  for (std::size_t n = 0; n < kernels.size(); n += 60) {
    on_labelled_kernel(kernels[n]);
  }
}

TEST_F(LongUnproven, AgreesOnRandomKernels) {
  on_random_kernels(wanted("TILESCOPE_RANDOM_SEED", 1), wanted("TILESCOPE_RANDOM_KERNELS", 40));
}

TEST_F(LongUnproven, AgreesOnLabelledKernels) {
  for (const fs::path& path : test::labelled_kernels()) {
    on_labelled_kernel(path);
  }
}

TEST_F(LongUnproven, AgreesOnKernelsOfAFolder) {
  const std::string given = setting("TILESCOPE_KERNELS");
  const fs::path folder = given.empty()
                              ? fs::path(TILESCOPE_SOURCE_DIR) / ".." / "shared" / "reproducers"
                              : fs::path(given);
  if (given.empty() && !fs::is_directory(folder)) {
    GTEST_SKIP() << "TILESCOPE_KERNELS names no folder";
  }
  std::size_t tried = 0, compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string end = entry.path().extension().string();
    if (end == ".comp" || end == ".spv" || end == ".spvasm" || end == ".hlsl") {
      ++tried;
      compared += is_same_on_kernel(entry.path()) ? 1 : 0;
    }
  }
  std::cout << compared << " of " << tried << " kernels compared\n";
  EXPECT_GT(compared, 2 * tried / 3);
}

TEST_F(LongUnproven, AgreesOnTheCatalogue) {
  on_catalogue();
}

}  // namespace
