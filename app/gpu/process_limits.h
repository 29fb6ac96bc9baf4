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

/// Sets two limits of glibc's allocator. Blocks of at least 1 MiB return to the system when they
/// are freed. The heap of smaller blocks grows by 8 MiB and shrinks only if 64 MiB of it are free:
/// compilers free and allocate in turn, and resizing the heap each time took a third of a command's
/// system time. Call it once, before the first thread starts.
void tune_allocator();
/// What was let go of and is still kept goes back too (some milliseconds): between two kernels.
void return_memory();

}  // namespace gpu
