// The Vulkan driver as this program sees it: which devices there are, in which order, and what each
// can do. Everything Vulkan stays behind this layer's headers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/base/error.h"

namespace gpu {

struct DriverOptions {
  /// Khronos validation layer with synchronization validation; its messages are counted and logged.
  /// An error where the layer is not installed.
  bool validation = false;
};

class Driver {
 public:
  /// Fault::device where there is no loader, no driver or no device.
  [[nodiscard]] static core::Expected<std::shared_ptr<Driver>> open(DriverOptions options = {});
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Real GPUs first (discrete, integrated, virtual), CPUs last; DeviceInfo::index counts along.
  [[nodiscard]] std::span<const core::DeviceInfo> devices() const;
  /// `selector` is an index, or part of a name in any case; empty: the first device.
  [[nodiscard]] core::Expected<core::DeviceInfo> pick(const std::string& selector) const;
  /// Warnings and errors that the validation layers have raised so far, in this instance.
  [[nodiscard]] std::vector<std::string> validation_messages() const;

  struct Impl;
  [[nodiscard]] Impl& impl() const { return *impl_; }

 private:
  explicit Driver(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpu
