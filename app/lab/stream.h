// Streams a multiplication that is larger than a device, or shared by several, from host memory
// through all of them and back (core/stream_plan.h says in which pieces).
#pragma once

#include <functional>
#include <memory>

#include "core/catalogue.h"
#include "core/stream.h"
#include "gpu/driver.h"

namespace lab {

/// Called again and again on the caller's thread. False: cancel.
using StreamObserver = std::function<bool(const core::StreamReport&)>;

/// Makes the inputs or maps their files, streams, verifies C in double, and writes it where the
/// request says so. What was cancelled is an error too, and leaves nothing written.
[[nodiscard]] core::Expected<core::StreamReport> stream(
    const std::shared_ptr<gpu::Driver>& driver, const core::Catalogue& catalogue,
    const core::StreamRequest& request, const StreamObserver& observer);

}  // namespace lab
