// Shadow state of memory whose accesses barriers of a workgroup alone don't order: storage buffers,
// and images, which all workgroups share, and shared memory of kernels whose atomics hand it on.
// Where every word lies: the probe writes code against it, the lab reads results by it.
//
// A stamp is 64 bits: who (1 + workgroup · invocations + local index) in the high word; in the low
// one the phase (12 bits: barriers passed that order such memory), the events of synchronization
// the invocation had by then (10), and the site (10, of which two say at what scope it is atomic,
// or that nothing orders it). For each cell the shadow keeps, besides the last plain write and what
// it wrote, of each kind of other access (plain reads, atomics that write, atomic loads) the last
// one, the last that one of another workgroup followed, and the last that another invocation of its
// workgroup followed in its phase. That much decides whether a later access is unordered with any
// of them, whatever their order was: of the accesses since an unordered one, the first by somebody
// else was kept (as in HiRace, SC 2024, whose states also remember how many came rather than who).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/analysis/flow/synchronization.h"
#include "spirv/analysis/memory/buffer_sites.h"
#include "spirv/analysis/memory/proofs.h"

namespace spirv {

struct OrderStamp {
  static constexpr std::uint32_t phase_shift = 20;
  static constexpr std::uint32_t event_shift = 10;
  static constexpr std::uint32_t most_phases = 0xFFF;
  static constexpr std::uint32_t most_events = 0x3FF;
  static constexpr std::uint32_t site_mask = 0xFF;
  static constexpr std::uint32_t group_atomic = 0x100;     ///< atomic within a workgroup only
  static constexpr std::uint32_t subgroup_atomic = 0x200;  ///< within a subgroup only
  static constexpr std::uint32_t unordered = 0x300;  ///< not BufferSite::orderable; of no atomic
};

/// Kinds of access that the shadow tells apart.
enum class OrderKind : std::uint8_t { write, read, atomic, atomic_load };

/// A buffer, image or shared variable that is followed, and its cells' words (of 64 bits).
struct OrderMemory {
  MemoryClass memory = MemoryClass::buffer;
  std::uint32_t index = 0;  ///< place in BufferSites::memories() or Sites::variables()
  std::uint64_t cells = 0;  ///< that are followed
  std::uint64_t all = 0;    ///< that there are
  std::uint64_t first = 0;  ///< word of the first cell; of shared memory in the workgroup's room
  std::uint32_t words = 1;  ///< a cell
  bool values = false;      ///< what was written is kept
  bool narrow = false;      ///< some atomics are not the whole device's
  std::uint32_t racing =
      0;  ///< of buffers and images: first word of its bits in OrderLayout::racing_cells()
  std::array<std::optional<std::uint32_t>, 4> slot{};  ///< word of a kind in a cell; none: unused
};

/// A site that is noted: of Sites where its memory is shared, of BufferSites else.
struct OrderSite {
  std::uint32_t site = 0;
  std::uint32_t memory = 0;  ///< place in OrderPlan::memories
};

/// The buffer of what was found, in 32-bit words. All start as 0.
struct OrderLayout {
  static constexpr std::uint32_t overflowed = 0;  ///< more phases or events than a stamp holds
  static constexpr std::uint32_t beyond = 1;      ///< accesses to cells that are not followed
  static constexpr std::uint32_t together = 2;    ///< pairs left to a subgroup's own barriers
  static constexpr std::uint32_t asked = 3;       ///< candidates, also those without room
  static constexpr std::uint32_t events = 4;      ///< events, also those without room
  static constexpr std::uint32_t waited = 5;      ///< of no meaning: OrderRuntime::settle()
  static constexpr std::uint32_t belied = 6;      ///< OrderPlan::guesses that were not so
  static constexpr std::uint32_t header = 8;
  static constexpr std::uint32_t examples = 4;  ///< kept a pair
  static constexpr std::uint32_t example_words = 5;
  static constexpr std::uint32_t pair_words = 2 + examples * example_words;
  static constexpr std::uint32_t candidate_words = 6;
  static constexpr std::uint32_t event_words = 9;
  static constexpr std::uint32_t differed = 1;  ///< flags of a pair's values
  static constexpr std::uint32_t equal = 2;

  std::uint32_t sites = 0;
  std::uint32_t groups = 0;       ///< workgroups, by number
  std::uint32_t candidates = 0;   ///< that there is room for
  std::uint32_t events_kept = 0;  ///< that there is room for
  std::uint32_t cell_bits = 0;    ///< words of a bit a cell, of all buffers
  std::uint32_t tickets = 0;      ///< that workgroups may draw

  /// Pairs that are unordered whatever was handed on: how often, flags, examples of both stamps
  /// (high, low each) and the cell.
  [[nodiscard]] std::uint32_t pair(std::uint32_t first, std::uint32_t second) const {
    return header + (first * sites + second) * pair_words;
  }
  /// One bit a workgroup: something was found in it.
  [[nodiscard]] std::uint32_t racing() const { return header + sites * sites * pair_words; }
  /// Pairs that only the order of events decides: stamps, cell, memory · 4 + flags.
  [[nodiscard]] std::uint32_t candidate(std::uint32_t n) const {
    return racing() + (groups + 31) / 32 + n * candidate_words;
  }
  /// Events: 1 + site · 2 + whether it wrote; who; a stamp's low word for shared memory, and for
  /// buffers; cell; value read; value written; events begun when it was done; the low word for
  /// images.
  [[nodiscard]] std::uint32_t event(std::uint32_t n) const {
    return candidate(candidates) + n * event_words;
  }
  /// A bit a cell of a buffer: a pair above met there, and not with equal values.
  [[nodiscard]] std::uint32_t racing_cells() const { return event(events_kept); }
  /// A bit a ticket: somebody drew it.
  [[nodiscard]] std::uint32_t drawn() const { return racing_cells() + cell_bits; }
  [[nodiscard]] std::uint64_t words() const {
    return std::uint64_t{drawn()} + (std::uint64_t{tickets} + 31) / 32;
  }
};

/// What an order probe follows, and where it writes.
struct OrderPlan {
  bool wanted = false;  ///< else nobody asked, and nothing below is known
  bool any = false;     ///< else nothing is followed or looked at, and no buffer needed
  std::vector<OrderMemory> memories;
  std::vector<OrderSite> sites;  ///< by the number in a stamp
  std::vector<SitePair> open;    ///< of BufferSites, that were not proven
  std::uint64_t cell_words = 0;  ///< of 64 bits: of buffers
  std::uint64_t room_words = 0;  ///< of shared memory, each workgroup that runs at once
  OrderLayout layout;
  bool events = false;       ///< orders that atomics make are followed
  std::vector<bool> proven;  ///< by BufferSite
  /// What some proofs go by, unless OrderLayout::belied says that it was not so.
  struct Guesses {
    Id ticket = 0;               ///< LaunchFacts::ticket
    std::uint32_t subgroup = 0;  ///< LaunchFacts::subgroup
    /// Words that begin as 0, which is looked at before the launch:
    /// LaunchFacts::counts_from_zero.
    struct Words {
      std::uint32_t binding = 0;
      std::uint64_t offset = 0;  ///< bytes, of the first
      std::uint64_t count = 1;
      std::uint64_t stride = 0;  ///< bytes
    };
    std::optional<Words> counter;
    /// Some is for the probe to look at.
    [[nodiscard]] bool probed() const { return ticket != 0 || subgroup != 0; }
    [[nodiscard]] bool any() const { return probed() || counter.has_value(); }
  } guesses;
  std::vector<std::string> left;  ///< what is not followed, and why
};

}  // namespace spirv
