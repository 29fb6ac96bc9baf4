// Streams a multiplication that is larger than a device, or shared by several, from host memory
// through all of them and back (core/stream/stream_plan.h says in which pieces).
#pragma once

#include <functional>
#include <memory>

#include "core/catalogue/catalogue.h"
#include "core/stream/stream.h"
#include "gpu/driver.h"

namespace lab {

/// Called again and again on the caller's thread. False: cancel.
using StreamObserver = std::function<bool(const core::StreamReport&)>;

/// Makes the inputs or maps their files, streams, verifies C in double, and writes it where the
/// request says so. What was cancelled is an error too, and leaves nothing written.
[[nodiscard]] core::Expected<core::StreamReport> stream(const std::shared_ptr<gpu::Driver>& driver,
                                                        const core::Catalogue& catalogue,
                                                        const core::StreamRequest& request,
                                                        const StreamObserver& observer);

/// What window and pictures stream: the experiment's sizes and seed, over all GPUs where there are
/// several, else over two accelerators made of its device.
[[nodiscard]] core::StreamRequest stream_of(const core::Experiment& experiment,
                                            const gpu::Driver& driver,
                                            const core::DeviceInfo& device);

/// The last that was seen of a stream that ended with an error.
[[nodiscard]] core::StreamReport failed(core::StreamReport last, const core::Error& error);

}  // namespace lab
