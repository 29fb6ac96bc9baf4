#include "ui/panels/source/source_fold.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ui/editor/editor.h"

namespace ui {
namespace {

// Between lines that are kept, the longest ones first, until what is left fits.
std::optional<std::vector<LineRun>> fold(std::span<const std::size_t> kept, std::size_t rows) {
  std::vector<LineRun> runs;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i] > kept[i - 1] + 2) {  // a single line is not worth a row of its own
      runs.push_back({kept[i - 1] + 1, kept[i] - 1});
    }
  }
  std::ranges::stable_sort(runs, std::ranges::greater{}, &LineRun::count);
  std::size_t taken = kept.back() - kept.front() + 1;
  std::vector<LineRun> folds;
  for (const LineRun& run : runs) {
    if (taken > rows) {
      folds.push_back(run);
      taken -= run.count() - 1;
    }
  }
  std::ranges::sort(folds, {}, &LineRun::first);
  return taken <= rows ? std::optional(std::move(folds)) : std::nullopt;
}

// Of a race its accesses, of a barrier that not all reach also the condition that parts them.
std::array<core::SourcePlace, 2> sides_of(const core::Finding& finding) {
  if (finding.kind == core::FindingKind::divergent_barrier) {
    return {{{.line = finding.line, .file = finding.file},
             {.line = finding.condition_line, .file = finding.first.file}}};
  }
  return {{{.line = finding.first.line, .file = finding.first.file},
           {.line = finding.second.line, .file = finding.second.file}}};
}

std::string key_of(const core::Finding& finding) {
  const auto [first, second] = sides_of(finding);
  return fmt::format("{}:{}-{}:{}", first.file, first.line, second.file, second.line);
}

}  // namespace

std::vector<LineRun> folds_between(const LineRun& lines, std::span<const std::size_t> barriers,
                                   std::size_t rows) {
  if (lines.count() <= rows) {
    return {};
  }
  std::vector<std::size_t> kept{lines.first};
  for (const std::size_t barrier : barriers) {
    if (barrier > kept.back() && barrier < lines.last) {
      kept.push_back(barrier);
    }
  }
  kept.push_back(lines.last);
  if (auto folds = fold(kept, rows)) {
    return *folds;
  }
  return fold(std::array{lines.first, lines.last}, rows).value_or(std::vector<LineRun>{});
}

const core::Finding* told_finding(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (const core::Finding* chosen = chosen_finding(frame.state.view, result)) {
    return chosen;
  }
  if (!result.races) {
    return nullptr;
  }
  const auto& all = result.races->findings;
  const auto kind =
      result.refused() ? core::FindingKind::divergent_barrier : core::FindingKind::race;
  const auto told = std::ranges::find(all, kind, &core::Finding::kind);
  return told == all.end() ? nullptr : &*told;
}

std::optional<LineRun> told_lines(const Frame& frame) {
  const core::Finding* finding = told_finding(frame);
  const ShownKernel kernel = frame.kernel();
  const auto has_two_sides = [](core::FindingKind kind) {
    return kind == core::FindingKind::race || kind == core::FindingKind::divergent_barrier;
  };
  if (finding == nullptr || !has_two_sides(finding->kind) ||
      (!finding->kernel.empty() && finding->kernel != kernel.id) || kernel.source != kernel.runs) {
    return std::nullopt;
  }
  const auto [first, second] = sides_of(*finding);
  if (!kernel.shows(first.file) || !kernel.shows(second.file) || first.line == 0 ||
      second.line == 0) {
    return std::nullopt;
  }
  return LineRun{std::min(first.line, second.line), std::max(first.line, second.line)};
}

std::vector<LineRun> source_folds(const Frame& frame, std::size_t rows) {
  const auto lines = told_lines(frame);
  if (!lines || !frame.state.of<Editor>().focused.empty() ||
      frame.state.of<SourceFold>().opened == key_of(*told_finding(frame))) {
    return {};
  }
  const ShownKernel kernel = frame.kernel();
  std::vector<std::size_t> barriers;
  for (std::size_t i = 0; kernel.facts != nullptr && i < kernel.facts->barriers.size(); ++i) {
    const core::SourcePlace& at = kernel.facts->barriers[i].at;
    if (at.line != 0 && kernel.shows(at.file)) {
      barriers.push_back(at.line);
    }
  }
  std::ranges::sort(barriers);
  return folds_between(*lines, barriers, rows);
}

void draw_source_fold(const Frame& frame, const Canvas& canvas, const Rect& row,
                      const LineRun& fold, float indent) {
  const Hit mouse = hit(fmt::format("fold of line {}", fold.first).c_str(), row);
  const Rect words{{row.low.x + indent, row.low.y}, row.high};
  canvas.write(words, fmt::format("… lines {} to {}", fold.first, fold.last),
               mouse.hovered ? pen::text : pen::dim);
  if (mouse.hovered) {
    tell("folded, so that both lines of the finding are seen; a click shows what lies between");
  }
  if (const core::Finding* finding = told_finding(frame); mouse.clicked && finding != nullptr) {
    frame.state.of<SourceFold>().opened = key_of(*finding);
  }
}

}  // namespace ui
