// The parts of the banks view, which banks_view.cpp puts together: what one
// instruction of a subgroup wants of the banks of shared memory, or of the sectors of global
// memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/report/banks.h"
#include "ui/panels/panels.h"
#include "ui/views/banks/banks_state.h"
#include "ui/widgets/table.h"

namespace ui {

/// The lanes that a view chooses: its own choice is the device's subgroups, but 32 invocations on a
/// CPU that plays a GPU, whose subgroups are too small to show what GPUs do.
[[nodiscard]] core::Lanes chosen_lanes(const BanksState& state, const core::Result& result);

/// A line of the table: a site of shared or of global memory.
struct BankRow {
  bool shared = true;
  std::size_t place = 0;  ///< in LaneReport::shared or ::global
};

/// What the parts of one frame share.
struct BankScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Trace& trace;
  const core::BankReport& banks;
  const core::LaneReport& report;
  std::vector<BankRow> rows;
  std::size_t row = 0;            ///< the chosen one
  std::uint32_t instruction = 0;  ///< place in Instructions::list

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] BanksState& state() const { return frame.state.of<BanksState>(); }
  [[nodiscard]] const BankRow& chosen() const { return rows[row]; }
  [[nodiscard]] const core::SiteInstructions& instructions(const BankRow& of) const;
  [[nodiscard]] const core::TracedSite& site() const;
  [[nodiscard]] const core::TracedVariable& variable() const;
  [[nodiscard]] const core::Instruction& now() const {
    return report.instructions.list[instruction];
  }
  /// "32 lanes of subgroup 3".
  [[nodiscard]] std::string lanes(std::uint32_t count) const;
};

/// The colour of a bank, in every view.
[[nodiscard]] Colour bank_colour(std::uint32_t bank);

/// "reads".
[[nodiscard]] const char* verb_of(core::Access access);

/// Shared memory as it lies in its banks, as it is and with other rows.
void draw_bank_figure(const BankScene& scene, Stack stack);
/// The sectors of global memory that are fetched.
void draw_sector_figure(const BankScene& scene, Stack stack);
/// All sites; a click chooses.
[[nodiscard]] Table bank_table(const BankScene& scene);
void draw_bank_table(const BankScene& scene, const Rect& area, const Table& table);

}  // namespace ui
