// What a kernel may need of a device that not every device has. Its header names it:
// requires = ["cooperative_matrix"].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/device_info.h"
#include "core/catalogue/variant.h"

namespace core {

/// The names that a header may give.
[[nodiscard]] std::vector<std::string> known_needs();
/// What such a name means, "cooperative matrices".
[[nodiscard]] std::string need_in_words(const std::string& need);
/// "not on this device: no cooperative matrices", or nothing when it has all that the kernel needs.
[[nodiscard]] std::optional<std::string> missing(const Variant& variant, const DeviceInfo& device);

}  // namespace core
