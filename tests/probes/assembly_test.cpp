// Kernels that no GLSL compiler writes: local arrays that are copied, second results through
// pointers, and pointers that a loop carries on.
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "lab/probe/check.h"
#include "lab/ready/workbench.h"
#include "probes/labelled.h"
#include "tests/lab/specimens.h"

namespace {

namespace fs = std::filesystem;

gpu::Device* device_for_assembly() {
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

// One workgroup; binding 0 is 1,024 bytes of zeros.
core::Verdict verdict_of_assembly(const std::string& name, bool proofs) {
  const fs::path file =
      fs::path(TILESCOPE_SOURCE_DIR) / "tests/probes/assembly" / (name + ".spvasm");
  core::Experiment experiment;
  experiment.choices.groups = {1, 1, 1};
  experiment.choices.buffers["0.0"] = "1024:zero";
  const auto specimen =
      test::specimen_of(*device_for_assembly(), test::text_of(file), file, experiment);
  EXPECT_TRUE(specimen) << name << ": " << specimen.error().message;
  const auto report =
      specimen ? lab::check(*device_for_assembly(), lab::alone(*specimen), {.proofs = proofs})
               : std::unexpected(specimen.error());
  EXPECT_TRUE(report) << name << ": " << report.error().message;
  return report ? report->verdict : core::Verdict::incomplete;
}

TEST(AssemblyKernels, AreNotProvenByMistake) {
  if (device_for_assembly() == nullptr) {
    GTEST_SKIP() << "no Vulkan device";
  }
  for (const bool proofs : {true, false}) {
    EXPECT_EQ(verdict_of_assembly("copied-array-is-not-uniform", proofs), core::Verdict::racy);
    EXPECT_EQ(verdict_of_assembly("exponent-is-not-uniform", proofs), core::Verdict::racy);
    EXPECT_NE(verdict_of_assembly("exponent-into-a-buffer", proofs), core::Verdict::clean);
    EXPECT_NE(verdict_of_assembly("pointer-of-the-last-iteration-outside", proofs),
              core::Verdict::clean);
    EXPECT_NE(verdict_of_assembly("pointer-of-the-last-iteration-races", proofs),
              core::Verdict::clean);
    EXPECT_NE(verdict_of_assembly("read-through-chosen-buffer-pointer", proofs),
              core::Verdict::clean);
  }
  EXPECT_NE(verdict_of_assembly("pointer-arithmetic-buffer", true), core::Verdict::clean);
}

}  // namespace
