// Terms of the Vulkan memory model (Vulkan specification, appendix "Vulkan Memory Model").
#pragma once

#include <cstddef>
#include <cstdint>

namespace core {

/// Memory of a kind: barriers, fences and atomics order accesses to some of these.
enum class MemoryClass : std::uint8_t { shared, buffer, image };
inline constexpr std::size_t memory_classes = 3;

/// The invocations among which an atomic or a fence orders accesses.
enum class MemoryScope : std::uint8_t { subgroup, workgroup, device };

/// The two accesses of a race, the one first that the program has first.
enum class Hazard { read_after_write, write_after_read, write_after_write };

}  // namespace core
