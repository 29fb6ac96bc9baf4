#include "lab/trace.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/banks.h"
#include "lab/specimen.h"
#include "lab/trace_launch.h"
#include "spirv/facts.h"
#include "spirv/reflect.h"

namespace lab {
namespace {

constexpr std::uint32_t kPoison = 0x7FC0DEAD;

core::Expected<void> allowed(const core::KernelFacts& facts, const glm::uvec3& groups,
                             const glm::uvec3& workgroup) {
  if (!facts.divergent.empty()) {
    return core::usage_error("a kernel that is refused can't be traced: " +
                             facts.divergent.front().sentence());
  }
  for (int d = 0; d < 3; ++d) {
    if (workgroup[d] >= groups[d]) {
      return core::usage_error(
          fmt::format("there is no workgroup {},{},{}: the launch has {}×{}×{}", workgroup.x,
                      workgroup.y, workgroup.z, groups.x, groups.y, groups.z));
    }
  }
  return {};
}

// The buffers that a variant's kernel writes, apart from the experiment's own; and those that take
// turns with them from step to step, which may no longer hold what they held at the start.
class Copies {
 public:
  Copies(Workbench& bench, const Setup& setup) : bench_(bench), setup_(setup) {}

  core::Expected<void> make(const spirv::Interface& interface) {
    const Data& data = *setup_.data;
    copies_.resize(data.buffers.size());
    for (const spirv::Binding& binding : interface.bindings) {
      const bool chained = std::ranges::any_of(data.workload->chain(), [&](const auto& pair) {
        return static_cast<std::uint32_t>(pair.first) == binding.binding;
      });
      if (!binding.written && !chained) {
        continue;
      }
      auto copy = bench_.device().buffer(data.buffers[binding.binding].bytes(), binding.name);
      if (!copy) {
        return std::unexpected(copy.error());
      }
      copies_[binding.binding] = std::move(*copy);
    }
    return {};
  }

  [[nodiscard]] std::vector<const gpu::Buffer*> buffers() const {
    std::vector<const gpu::Buffer*> all = setup_.buffers();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = copies_[i] ? &copies_[i] : all[i];
    }
    return all;
  }

  [[nodiscard]] core::Expected<void> fill() const {
    gpu::Commands poison;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const auto& input = setup_.data->content(i);
      if (!copies_[i]) {
        continue;
      }
      if (input.empty()) {
        poison.fill(copies_[i], kPoison);
      } else if (auto ok = bench_.device().upload(copies_[i], std::as_bytes(std::span(input)));
                 !ok) {
        return ok;
      }
    }
    const auto done = bench_.device().submit(poison);
    return done ? core::Expected<void>{} : std::unexpected(done.error());
  }

 private:
  Workbench& bench_;
  const Setup& setup_;
  std::vector<gpu::Buffer> copies_;  // by binding; empty: the experiment's is only read
};

}  // namespace

core::Expected<core::Trace> trace_workgroup(Workbench& bench, Setup& setup, glm::uvec3 workgroup,
                                            const TraceOptions& options) {
  if (const auto ok = allowed(*setup.facts, setup.tiles.groups(), workgroup); !ok) {
    return std::unexpected(ok.error());
  }
  const auto examination =
      spirv::Examination::of(setup.spirv, setup.constants, setup.experiment.barriers);
  if (!examination) {
    return std::unexpected(examination.error());
  }
  Copies copies(bench, setup);
  if (const auto ok = copies.make((*examination)->program.interface); !ok) {
    return std::unexpected(ok.error());
  }
  return run_trace(bench.device(), {.name = setup.variant.id(),
                                    .examination = examination->get(),
                                    .barriers = setup.facts->barriers,
                                    .loops = {},
                                    .buffers = copies.buffers(),
                                    .fill = [&] { return copies.fill(); },
                                    .push_constants = setup.push_constants,
                                    .groups = setup.tiles.groups(),
                                    .workgroup = workgroup,
                                    .most_bytes = options.most_bytes});
}

core::Expected<core::Trace> trace_kernel(gpu::Device& device, const CheckRequest& request,
                                         glm::uvec3 workgroup, const TraceOptions& options) {
  const auto specimen = Specimen::of(device, request);
  if (!specimen) {
    return std::unexpected(specimen.error());
  }
  Specimen& kernel = **specimen;
  const auto facts =
      spirv::facts_of(kernel.words(), kernel.constants(), request.barriers, kernel.examination());
  if (!facts) {
    return std::unexpected(facts.error());
  }
  if (const auto ok = allowed(*facts, kernel.tiles().groups(), workgroup); !ok) {
    return std::unexpected(ok.error());
  }
  if (!kernel.not_possible().empty()) {
    return core::device_error("it can't be traced: " + kernel.not_possible().front());
  }
  const auto problem = kernel.bound_loops();
  if (!problem) {
    return std::unexpected(problem.error());
  }
  if (const auto ok = kernel.make_buffers(); !ok) {
    return std::unexpected(ok.error());
  }
  auto trace = run_trace(device, {.name = request.kernel,
                                  .examination = &kernel.examination(),
                                  .barriers = facts->barriers,
                                  .loops = kernel.loops(),
                                  .buffers = kernel.buffers(),
                                  .fill = [&] { return kernel.fill_buffers(); },
                                  .push_constants = kernel.push_constants(),
                                  .groups = kernel.tiles().groups(),
                                  .workgroup = workgroup,
                                  .most_bytes = options.most_bytes});
  if (trace && !problem->empty()) {
    trace->incomplete.push_back(*problem);
  }
  return trace;
}

void keep_trace(core::Trace trace, core::Result& result) {
  result.traffic.reset();
  if (trace.lost == 0 && trace.incomplete.empty()) {
    result.traffic = core::traffic_of(trace, result.tiles, result.flops);
  }
  result.banks = std::make_shared<const core::BankReport>(core::bank_report(trace));
  result.trace = std::make_shared<const core::Trace>(std::move(trace));
}

}  // namespace lab
