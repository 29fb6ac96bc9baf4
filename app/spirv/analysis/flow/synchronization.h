// What a kernel's text has to hand memory on by: atomics that release or acquire, and fences that
// make relaxed ones do so.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/memory/buffer_sites.h"
#include "spirv/analysis/memory/sites.h"

namespace spirv {

/// Bits of memory: 1 shared, 2 buffers, 4 images.
[[nodiscard]] constexpr std::uint32_t class_bit(MemoryClass memory) {
  return std::uint32_t{1} << static_cast<std::uint32_t>(memory);
}

/// An atomic on shared memory, a buffer or an image, or a fence.
struct SyncSite {
  std::uint32_t number = 0;  ///< place in Synchronization::sites()
  std::size_t block = 0;
  std::size_t instruction = 0;
  bool fence = false;
  MemoryClass memory = MemoryClass::shared;  ///< where the atomic is
  std::uint32_t site = 0;                    ///< of Sites, or of BufferSites
  bool reads = false;
  bool writes = false;
  bool compares = false;         ///< writes only where what it read is what it expected
  std::uint32_t acquires = 0;    ///< class bits
  std::uint32_t releases = 0;    ///< class bits
  std::uint32_t on_failure = 0;  ///< what a comparison that fails acquires
  MemoryScope scope = MemoryScope::device;
};

/// Orders can only come from atomics where something releases before one that writes, and something
/// acquires at or behind one that reads. Fences beside a workgroup barrier count only if others
/// stand alone, or where a barrier can't hand memory on to other workgroups: in a launch's buffers.
class Synchronization {
 public:
  Synchronization(const Program& program, const Sites& sites, const BufferSites& buffers);

  /// None where the kernel hands nothing on.
  [[nodiscard]] const std::vector<SyncSite>& sites() const { return sites_; }
  [[nodiscard]] bool any() const { return !sites_.empty(); }
  /// Can accesses to such memory be ordered by it?
  [[nodiscard]] bool hands_on(MemoryClass memory) const {
    return (handed_on_ & class_bit(memory)) != 0;
  }

 private:
  void leave_silent(const Program& program, const Sites& sites, const BufferSites& buffers);
  void add_fence(const Program& program, std::size_t block, std::size_t instruction);
  void add_atomic(const Program& program, std::size_t block, std::size_t instruction,
                  MemoryClass memory, std::uint32_t site);
  std::vector<SyncSite> sites_;
  std::uint32_t handed_on_ = 0;  // class bits
};

}  // namespace spirv
