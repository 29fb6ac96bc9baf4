// A kernel made ready to be probed, any kernel: its constants, its buffers as one list, its launch,
// what its text tells, its loops bounded. What the race check and the trace have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/work/tile_map.h"
#include "gpu/device.h"
#include "lab/run/check.h"
#include "spirv/analysis/examination.h"
#include "spirv/analysis/loop_bounds.h"
#include "spirv/module/flat_bindings.h"

namespace lab {

class Specimen {
 public:
  /// Both must outlive this. Errors: a module that is not valid, a request for a barrier or a
  /// buffer that the kernel does not have.
  [[nodiscard]] static core::Expected<std::unique_ptr<Specimen>> of(gpu::Device& device,
                                                                    const CheckRequest& request);

  /// Why the kernel can't be launched here, in words: images, a workgroup too large.
  [[nodiscard]] const std::vector<std::string>& not_possible() const { return not_possible_; }
  [[nodiscard]] const spirv::Examination& examination() const { return *examination_; }
  [[nodiscard]] spirv::Examination& examination() { return *examination_; }
  /// With the kernel's buffers flattened, its barriers as written.
  [[nodiscard]] const spirv::Words& words() const { return words_; }
  [[nodiscard]] const spirv::SpecValues& constants() const { return constants_; }
  [[nodiscard]] const std::vector<std::uint32_t>& push_constants() const { return push_constants_; }
  /// Of the whole launch.
  [[nodiscard]] const core::TileMap& tiles() const { return tiles_; }

  /// Divergence is judged on the kernel as it is; all else on the kernel with its loops bounded.
  /// A kernel whose loops can't be bounded stays as it is, and this says why.
  [[nodiscard]] core::Expected<std::string> bound_loops();
  [[nodiscard]] const std::vector<spirv::BoundedLoop>& loops() const { return loops_; }
  [[nodiscard]] const spirv::LoopLimits& loop_limits() const { return loop_limits_; }

  [[nodiscard]] core::Expected<void> make_buffers();
  /// The buffers as they are at the start.
  [[nodiscard]] core::Expected<void> fill_buffers();
  /// In binding order.
  [[nodiscard]] std::vector<const gpu::Buffer*> buffers() const;

 private:
  Specimen(gpu::Device& device, const CheckRequest& request) : device_(device), request_(request) {}
  core::Expected<void> prepare();
  core::Expected<void> find_buffers() const;
  void choose_constants(const spirv::Interface& interface);
  void choose_groups();
  void choose_push_constants();
  [[nodiscard]] CheckBuffer wanted(const spirv::Binding& binding) const;
  [[nodiscard]] std::uint64_t buffer_bytes(const spirv::Binding& binding) const;
  [[nodiscard]] std::vector<std::uint32_t> fill_of(const spirv::Binding& binding,
                                                   std::uint64_t bytes, std::size_t number) const;

  gpu::Device& device_;
  const CheckRequest& request_;
  spirv::Words words_;
  spirv::FlatBindings bindings_;
  spirv::SpecValues constants_;
  std::unique_ptr<spirv::Examination> examination_;
  std::vector<spirv::BoundedLoop> loops_;
  spirv::LoopLimits loop_limits_;
  core::TileMap tiles_;
  std::vector<std::uint32_t> push_constants_;
  std::vector<gpu::Buffer> buffers_;
  std::vector<std::vector<std::uint32_t>> fills_;  // of buffers without a given content
  std::vector<std::string> not_possible_;
};

}  // namespace lab
