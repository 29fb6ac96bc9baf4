// What the lattice remembers: how far its home box has come.
#pragma once

#include <cstdint>

#include "ui/view_state.h"

namespace ui {

struct LatticeState final : ViewState {
  std::uint32_t staged = 1;  ///< the tile of the home box's list in shared memory, from 1

  [[nodiscard]] std::vector<StateField> fields() override {
    return {field("staged", staged, 1)
                .with_meaning(
                    "Bodies view of lavaMD: show this tile of particles in shared memory, from 1")};
  }
};

}  // namespace ui
