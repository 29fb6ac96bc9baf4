#include "lab/run/simulation.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

#include "lab/ready/support.h"

namespace lab {
namespace {

constexpr std::size_t kHistory = 512;
constexpr std::uint32_t kEnergyGroup = 256;

}  // namespace

core::Expected<std::unique_ptr<Simulation>> Simulation::start(
    Workbench& bench, Setup& setup, const std::filesystem::path& shaders) {
  TRY(bench.load(setup));
  auto simulation = std::unique_ptr<Simulation>(new Simulation(bench, setup));
  auto kernel = support_kernel(bench.device(), shaders, "nbody_energy", 4, 8);
  auto buffer = bench.device().buffer(std::uint64_t{setup.data->problem.sizes[0]} * sizeof(float),
                                      "the energies");
  if (!kernel || !buffer) {
    return std::unexpected(kernel ? buffer.error() : kernel.error());
  }
  simulation->energy_kernel_ = std::move(*kernel);
  simulation->energy_buffer_ = std::move(*buffer);
  return simulation;
}

std::vector<const gpu::Buffer*> Simulation::buffers(bool swapped) const {
  auto all = setup_.buffers();
  if (swapped) {
    for (const auto& [input, output] : setup_.data->workload->chain()) {
      std::swap(all[input], all[output]);
    }
  }
  return all;
}

core::Expected<LaunchTime> Simulation::step(const SliceObserver& observer) {
  auto time = setup_.launcher->launch(buffers(steps_ % 2 == 1), observer);
  if (time && time->finished) {
    ++steps_;
  }
  return time;
}

core::Expected<void> Simulation::weigh() {
  if (steps_ == 0) {
    return {};
  }
  // The last step's own view: it read positions and velocities, and wrote the velocities after.
  const auto before = buffers((steps_ - 1) % 2 == 1);
  const std::uint32_t count = setup_.data->problem.sizes[0];
  gpu::Commands commands;
  commands.dispatch(energy_kernel_, {before[0], before[1], before[3], &energy_buffer_},
                    {count, setup_.dispatch().push_constants[1]}, {0, 0, 0},
                    {(count + kEnergyGroup - 1) / kEnergyGroup, 1, 1});
  TRY(bench_.device().submit(commands));
  const auto energies = TRY(bench_.download(energy_buffer_));
  energy_ = std::accumulate(energies.begin(), energies.begin() + count, 0.0,
                            [](double sum, float e) { return sum + static_cast<double>(e); });
  energy_step_ = steps_ - 1;
  if (!first_energy_) {
    first_energy_ = energy_;
  }
  if (drift_.size() == kHistory) {
    drift_.erase(drift_.begin());
  }
  const double scale = std::abs(*first_energy_);
  drift_.push_back(static_cast<float>(scale > 0.0 ? (energy_ - *first_energy_) / scale : 0.0));
  return {};
}

core::Expected<std::shared_ptr<const core::Bodies>> Simulation::snapshot() {
  const auto now = buffers(steps_ % 2 == 1);
  const auto positions = bench_.download(*now[0]);
  const auto velocities = bench_.download(*now[1]);
  if (!positions || !velocities) {
    return std::unexpected(positions ? velocities.error() : positions.error());
  }
  const std::size_t count = setup_.data->problem.sizes[0];
  auto bodies = std::make_shared<core::Bodies>();
  bodies->positions.resize(count);
  bodies->velocities.resize(count);
  std::memcpy(bodies->positions.data(), positions->data(), count * sizeof(glm::vec4));
  std::memcpy(bodies->velocities.data(), velocities->data(), count * sizeof(glm::vec4));
  bodies->step = steps_;
  const std::string& dt = setup_.data->problem.options.at("dt");
  std::from_chars(dt.data(), dt.data() + dt.size(), bodies->time);
  bodies->time *= static_cast<double>(steps_);
  bodies->energy = energy_;
  bodies->first_energy = first_energy_.value_or(0.0);
  bodies->energy_step = energy_step_;
  bodies->drift = drift_;
  return bodies;
}

}  // namespace lab
