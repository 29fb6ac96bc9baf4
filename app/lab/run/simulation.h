// A chained run: each launch works on what the one before wrote. For n-body it also keeps account
// of the energy.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/work/result.h"
#include "lab/ready/workbench.h"

namespace lab {

class Simulation {
 public:
  /// `setup` must outlive the simulation, with its inputs as at the start.
  [[nodiscard]] static core::Expected<std::unique_ptr<Simulation>> start(
      Workbench& bench, Setup& setup, const std::filesystem::path& shaders);

  /// One step; its time. Not finished when the observer stopped it: then nothing was stepped.
  [[nodiscard]] core::Expected<LaunchTime> step(const SliceObserver& observer);
  /// Computes the energy at the positions before the last step, and adds it to the history.
  [[nodiscard]] core::Expected<void> weigh();
  /// The bodies now.
  [[nodiscard]] core::Expected<std::shared_ptr<const core::Bodies>> snapshot();
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  Simulation(Workbench& bench, Setup& setup) : bench_(bench), setup_(setup) {}
  // In binding order: before an odd step inputs and outputs have changed places.
  [[nodiscard]] std::vector<const gpu::Buffer*> buffers(bool swapped) const;

  Workbench& bench_;
  Setup& setup_;
  gpu::Kernel energy_kernel_;
  gpu::Buffer energy_buffer_;
  std::uint64_t steps_ = 0;
  std::optional<double> first_energy_;
  double energy_ = 0.0;
  std::uint64_t energy_step_ = 0;
  std::vector<float> drift_;
};

}  // namespace lab
