// What the tile view remembers: the moment of the workgroup that is looked into, and what is chosen
// in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ui/view_state.h"
#include "ui/views/sight.h"

namespace ui {

constexpr float tile_zoom = 256.0F;  ///< at most

struct TileState final : ViewState, Sight {
  static constexpr std::int64_t kExample = -1;  ///< invocation: one that the view picks
  static constexpr std::int64_t kNobody = -2;   ///< invocation: none

  std::uint32_t phase = 0;             ///< as lived through, from 1; 0: the view's own choice
  std::uint32_t moment = 0;            ///< of the phase, from 1; 0: the phase as a whole
  std::int64_t invocation = kExample;  ///< the chosen one's local index
  std::string variable;                ///< the shared array of the chosen cell; empty: none
  std::int64_t cell = -1;              ///< the chosen element of it, in memory order
  std::string element;                 ///< whose provenance is shown, "c[18][3]"; empty: none
  bool by_bank = false;                ///< shared memory is coloured by bank, not by value

  struct Sought {
    std::string variable;
    std::uint64_t cell = 0;
    std::optional<Sight> found;  ///< where that was, in the frame before
  };
  /// Kept in sight, large enough to be seen, until somebody looks elsewhere.
  std::optional<Sought> sought;

  int invocation_steps = 0;  ///< asked for by a key
  int race_steps = 0;

  /// One of an invocation and a cell, or neither.
  void choose(std::int64_t invocation_index, std::string of_variable, std::int64_t element_index);
  void choose_nobody() { choose(kNobody, {}, -1); }
  /// Shows what led to an element of memory.
  void ask_why(std::string name);

  [[nodiscard]] std::vector<StateField> fields() override;
  void forget_kernel() override;
};

}  // namespace ui
