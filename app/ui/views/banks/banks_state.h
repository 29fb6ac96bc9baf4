// What the banks view remembers: whose lanes share an instruction, and which one is shown.
#pragma once

#include <cstdint>
#include <string>

#include "ui/view_state.h"

namespace ui {

struct BanksState final : ViewState {
  std::string lanes;              ///< "subgroups", "32"; empty: the view's own choice
  std::uint32_t site = 0;         ///< row of its table, from 1; 0: the worst
  std::uint32_t instruction = 0;  ///< of the site, from 1; 0: the worst

  int site_steps = 0;  ///< asked for by a key or a button
  int instruction_steps = 0;

  [[nodiscard]] std::vector<StateField> fields() override;
  void forget_kernel() override { site = instruction = 0; }
};

}  // namespace ui
