// How a product too large for one device, or shared by several, becomes pieces: which rows are
// whose, which strips of A, panels of B and tiles of C are on a device when, and in which order
// they come and go. A pure function of sizes and budgets.
//
// C = A·B; A is M×W, B is W×N. Each device gets a share of the rows of A and C. On the device, A
// lies in strips of rows and B in panels of columns, each in a slot; a job makes one tile of C from
// a strip and a panel. Slots are rings: what comes next is on its way while jobs work on what is
// there. The strips that are there at once are a chunk; each chunk sees all panels go by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"

namespace core {

struct StreamWork {
  std::uint32_t m = 0, n = 0, w = 0;
  std::uint32_t width = 0;  ///< columns a panel; 0: the plan's own choice
  /// Rows and columns of a tile of C: large enough to keep a device busy, and so that what goes on
  /// between two jobs does not count. Strips and panels of that size begin small: the first of each
  /// comes as a quarter, a quarter and a half, or in two halves where memory is short. So work
  /// begins early, and what comes next is worth about as much work as its copy takes. The last
  /// comes in two halves: work ends with a small download.
  std::uint32_t side = 4096;
  /// Rows and columns of C of a workgroup. With them, and where a device tells its multiprocessors,
  /// strips and panels are chosen so that jobs come in whole waves (core/model/wave_model.h)
  /// instead of by `side`: of all cuts, the one with the shortest modelled stream. 0: not known.
  std::uint32_t tile_rows = 0, tile_columns = 0;
};

/// What one device has for it, in bytes.
struct StreamRoom {
  std::uint64_t budget = 0;           ///< all buffers together
  std::uint64_t buffer = 0;           ///< one of them
  std::uint32_t multiprocessors = 0;  ///< 0: not told
};

/// Some rows, or some columns.
struct Stretch {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const Stretch&) const = default;
};

/// A strip of A or a panel of B that goes into a slot. Loads are done in their order.
struct StreamLoad {
  enum class Of { a, b };
  Of of = Of::a;
  std::uint32_t part = 0;  ///< strip or panel
  std::uint32_t slot = 0;  ///< of those for A, or for B
  std::uint32_t after =
      0;  ///< so many jobs of the list must be done: the slot is theirs until then
};

/// A tile of C. Jobs are done in their order, and so are the downloads of what they made.
struct StreamJob {
  std::uint32_t strip = 0;
  std::uint32_t panel = 0;
  std::uint32_t a_slot = 0, b_slot = 0, c_slot = 0;
  std::uint32_t loads = 0;  ///< so many loads of the list must be done
};

/// The part of one device.
struct StreamShare {
  Stretch rows;                  ///< of A and C; none where there are more devices than rows
  bool in_waves = false;         ///< jobs are whole waves; a panel meets all strips, then the next
  std::uint32_t strip_rows = 0;  ///< of a slot for A
  std::uint32_t width = 0;       ///< columns of a slot for B
  std::uint32_t a_slots = 0, b_slots = 0, c_slots = 0;
  std::uint64_t bytes = 0;      ///< of all slots
  std::vector<Stretch> strips;  ///< rows of A
  std::vector<Stretch> chunks;  ///< rows of A that are there at once
  std::vector<Stretch> panels;  ///< columns of B
  std::vector<StreamLoad> loads;
  std::vector<StreamJob> jobs;
};

struct StreamPlan {
  StreamWork work;
  /// W and the widths of panels on a device, rounded up and filled with zeros, so that kernels that
  /// read whole vectors need no edges.
  std::uint32_t padded_w = 0;
  std::vector<StreamShare> shares;  ///< one a device
};

/// Of each of M, N and W: what is cut into pieces is counted in 32 bits, with room to round up.
inline constexpr std::uint32_t kMostStreamSize = 1U << 30U;

/// Columns of a panel as they lie in a slot.
[[nodiscard]] std::uint32_t padded_columns(std::uint32_t columns);

/// Fault::device when a budget does not hold the smallest chunk: a row of A, two panels of the
/// given width (of 4 columns, where none is given) and their tile of C; Fault::usage where a size
/// is larger than kMostStreamSize. Sizes are at least 1.
[[nodiscard]] Expected<StreamPlan> plan_stream(const StreamWork& work,
                                               std::span<const StreamRoom> rooms);

}  // namespace core
