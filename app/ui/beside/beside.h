// A and B: the kernel that runs, and another one or its original beside it. Both columns show the
// same view, each of its own Result; what is pointed at and how it is looked at is common to them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace ui {

struct BesideColumn;

struct Beside final : ViewState {
  Beside();
  ~Beside() override;
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  [[nodiscard]] bool busy() const override;

  std::string kernel;  ///< whose result stands beside; empty: none
  std::unique_ptr<BesideColumn> column;
};

/// How two times compare, the longest wording first: "1.83× the time of A", and that it is within
/// the noise where 5 to 95 % of both overlap; empty where one is not measured.
[[nodiscard]] Wordings ratio_text(const core::Spread& of, const core::Spread& to);
/// What may stand beside: the kernel's own original, then the workload's other variants.
[[nodiscard]] std::vector<std::string> besides(const ActionContext& context);
/// Nothing beside, or what is most likely wanted: the original of what is edited, else the first
/// other variant.
void toggle_beside(ActionContext& context);
void next_beside(ActionContext& context, int by);
/// The name of such a choice: "as written" of the kernel itself, else the variant's title.
[[nodiscard]] std::string beside_name(const core::Experiment& from,
                                      const core::Catalogue& catalogue, const std::string& kernel);

/// The view; two of them where another kernel stands beside. Asks for what it needs.
void draw_views(const Frame& frame, const Rect& area);

}  // namespace ui
