// Specimens of kernels given as text, for tests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "gpu/device.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/plan.h"
#include "lab/ready/specimen.h"

namespace test {

/// As a file of that name would be launched; `experiment` says with what.
inline core::Expected<std::shared_ptr<lab::Specimen>> specimen_of(
    gpu::Device& device, const std::string& source, const std::filesystem::path& file,
    const core::Experiment& experiment) {
  core::Variant kernel;
  kernel.name = kernel.title = file.stem().string();
  kernel.file = file;
  kernel.source = source;
  const auto module = lab::load_module(kernel, experiment.choices);
  if (!module) {
    return std::unexpected(module.error());
  }
  auto plan = lab::plan_kernel(experiment, *module, device.info().subgroup_size);
  if (!plan) {
    return std::unexpected(plan.error());
  }
  return lab::Specimen::of(std::move(plan->dispatch), device.info());
}

}  // namespace test
