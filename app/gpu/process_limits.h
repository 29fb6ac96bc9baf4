// What a Vulkan driver needs of the process that it is loaded into. Drivers do not say when they
// can't have it: they wait for threads that were never made, or write to a disk that is full.
#pragma once

#include "core/base/error.h"

namespace gpu {

/// Fault::device where the limits of this process (`ulimit -v`, `-u`) leave a driver too little.
[[nodiscard]] core::Expected<void> check_process();

/// Where the disk of the driver's cache is full: switches Mesa's off, which maps its file and is
/// ended by signal 7 when there is no room for it. To be called before a driver is loaded.
void spare_full_disk();

/// Large blocks go back to the system as soon as they are let go of, whichever thread made them:
/// the allocator would rather keep them for ever between smaller ones. Called once, at the start.
void return_large_blocks();
/// What was let go of and is still kept goes back too (some milliseconds): between two kernels.
void return_memory();

}  // namespace gpu
