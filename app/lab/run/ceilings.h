// Measures core::Ceilings.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/model/ceilings.h"
#include "gpu/device.h"

namespace lab {

/// Measures a piece at a time, so that the live view goes on in between. Sizes follow the device: a
/// copy far larger than its caches where its memory allows, small ones where a CPU plays the GPU;
/// arithmetic and shared memory take as many rounds as fill a few milliseconds.
class CeilingsMeter {
 public:
  /// The device must outlive it.
  CeilingsMeter(gpu::Device& device, std::filesystem::path shaders);
  ~CeilingsMeter();
  CeilingsMeter(const CeilingsMeter&) = delete;
  CeilingsMeter& operator=(const CeilingsMeter&) = delete;

  /// One submission, about 20 ms where the device is no slower. True: all is measured.
  [[nodiscard]] core::Expected<bool> step();
  /// Lets go of the kernel that is being measured and of its buffers, which are large: it is
  /// measured anew, what was measured before it stays.
  void let_go();
  [[nodiscard]] const core::Ceilings& ceilings() const { return ceilings_; }

  /// A kernel that is launched again and again.
  struct Load;

 private:
  [[nodiscard]] core::Expected<void> finish_load();

  gpu::Device& device_;
  std::filesystem::path shaders_;
  core::Ceilings ceilings_;
  std::size_t done_ = 0;  // loads
  std::unique_ptr<Load> load_;
  double warm_ms_ = 0.0;
  std::vector<double> samples_;
};

/// All of it; about a second on a GPU.
[[nodiscard]] core::Expected<core::Ceilings> measure_ceilings(gpu::Device& device,
                                                              const std::filesystem::path& shaders);

}  // namespace lab
