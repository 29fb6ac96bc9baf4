// Which findings the list shows, and in which words.
#pragma once

#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/kernel_facts.h"
#include "ui/view_state.h"

namespace ui {

struct FindingsState final : ViewState {
  std::string kind;  ///< core::to_string(FindingKind) of those that are shown; empty: all

  [[nodiscard]] std::vector<StateField> fields() override;
};

/// The kinds of a report's findings, in their order, and how many of each there are.
struct KindCount {
  core::FindingKind kind = core::FindingKind::race;
  std::size_t count = 0;
};
[[nodiscard]] std::vector<KindCount> kinds_of(const core::CheckReport& report);
/// Places in the report's findings of those that are shown: all of them where there is none of the
/// kind that was chosen.
[[nodiscard]] std::vector<std::size_t> shown_findings(const FindingsState& state,
                                                      const core::CheckReport& report);

/// What goes wrong and how to fix it, as printed by `tilescope explain`; for races, also why a
/// barrier between the two lines does not order them.
[[nodiscard]] std::string meaning_of(const core::Finding& finding,
                                     const core::KernelFacts* facts = nullptr);

}  // namespace ui
