// The buffers of a check that follows memory across workgroups and through atomics: the shadow of
// the memory, and the ledger of what was found.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/tile_map.h"
#include "core/work/dispatch.h"
#include "gpu/device.h"
#include "spirv/probes/order/order_probe.h"

namespace lab {

class Following {
 public:
  /// What the probe is to be made with, for a launch of some of a dispatch's workgroups; `end` is
  /// above all their numbers.
  [[nodiscard]] spirv::OrderProbeOptions options(const core::DeviceInfo& device,
                                                 const core::Dispatch& dispatch,
                                                 const core::Box& launched,
                                                 std::vector<std::uint32_t> push_constants,
                                                 std::uint64_t end) const;
  /// Makes what a plan needs; nothing where it follows nothing.
  [[nodiscard]] core::Expected<void> make(gpu::Device& device, const spirv::OrderPlan& plan);
  /// Buffers behind those of the findings and the race check's shadow.
  [[nodiscard]] std::uint32_t buffers() const { return any_ ? 2 : 0; }
  void add_to(std::vector<const gpu::Buffer*>& buffers) const;
  void clear(gpu::Commands& commands) const;
  /// Workgroups that there is room for at once.
  [[nodiscard]] std::uint64_t at_once() const { return at_once_; }
  /// The ledger's words.
  [[nodiscard]] core::Expected<std::vector<std::uint32_t>> read(gpu::Device& device) const;

 private:
  bool any_ = false;
  std::uint64_t words_ = 0;
  std::uint64_t at_once_ = ~std::uint64_t{0};
  gpu::Buffer ledger_;
  gpu::Buffer cells_;
};

}  // namespace lab
