#include "ui/panels/source/source_fold.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "ui/editor/editor.h"
#include "ui/lesson/lesson_panel.h"

namespace ui {
namespace {

// Of a race its accesses, of a barrier that not all reach also the condition that parts them.
std::array<core::SourcePlace, 2> sides_of(const core::Finding& finding) {
  if (finding.kind == core::FindingKind::divergent_barrier) {
    return {{{.line = finding.line, .file = finding.file},
             {.line = finding.condition_line, .file = finding.first.file}}};
  }
  return {{{.line = finding.first.line, .file = finding.first.file},
           {.line = finding.second.line, .file = finding.second.file}}};
}

// What the folds are for: the finding, else the lesson's step.
std::string subject_of(const Frame& frame) {
  if (!told_lines(frame)) {
    const LessonState& lessons = frame.state.of<LessonState>();
    return fmt::format("step {} of {}", lessons.step, lessons.lesson.value_or(0));
  }
  const auto [first, second] = sides_of(*told_finding(frame));
  return fmt::format("{}:{}-{}:{}", first.file, first.line, second.file, second.line);
}

}  // namespace

// The longest ones first, until what is left fits.
std::optional<std::vector<LineRun>> folds_between(std::span<const std::size_t> kept,
                                                  std::size_t rows) {
  std::vector<LineRun> runs;
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i] > kept[i - 1] + 2) {  // a single line is not worth a row of its own
      runs.push_back({kept[i - 1] + 1, kept[i] - 1});
    }
  }
  std::ranges::stable_sort(runs, std::ranges::greater{}, &LineRun::count);
  std::size_t taken = kept.empty() ? 0 : kept.back() - kept.front() + 1;
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

std::vector<LineRun> source_folds(const Frame& frame, std::span<const std::size_t> wanted,
                                  std::size_t rows) {
  const auto told = told_lines(frame);
  std::set<std::size_t> kept(wanted.begin(), wanted.end());
  if (told) {
    kept.insert({told->first, told->last});
  }
  if (kept.size() < 2 || !frame.state.of<Editor>().focused.empty() ||
      frame.state.of<SourceFold>().opened == subject_of(frame)) {
    return {};
  }
  std::set<std::size_t> with_all = kept;
  std::set<std::size_t> with_changed = kept;
  const ShownKernel kernel = frame.kernel();
  for (std::size_t i = 0; kernel.facts != nullptr && i < kernel.facts->barriers.size(); ++i) {
    const core::SourcePlace& at = kernel.facts->barriers[i].at;
    const auto number = static_cast<std::uint32_t>(kernel.barriers_before + i + 1);
    const bool changed = frame.state.wanted.barriers.contains(number);
    if (at.line > 0 && kernel.shows(at.file) &&
        (changed || (at.line > *kept.begin() && at.line < *kept.rbegin()))) {
      with_all.insert(at.line);
      if (changed) {
        with_changed.insert(at.line);
      }
    }
  }
  std::vector<std::set<std::size_t>> ways{with_all, with_changed, kept};
  // What is told comes before the last of what is wanted.
  for (std::size_t few = wanted.size(); told && few-- > 0;) {
    std::set<std::size_t> fewer(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(few));
    fewer.insert({told->first, told->last});
    ways.push_back(std::move(fewer));
  }
  for (const std::set<std::size_t>& way : ways) {
    if (auto folds = folds_between(std::vector(way.begin(), way.end()), rows)) {
      return *std::move(folds);
    }
  }
  return {};
}

void draw_source_fold(const Frame& frame, const Canvas& canvas, const Rect& row,
                      const LineRun& fold, float indent) {
  const Hit mouse = hit(fmt::format("fold of line {}", fold.first).c_str(), row);
  const Rect words{{row.low.x + indent, row.low.y}, row.high};
  canvas.write(words, fmt::format("… lines {} to {}", fold.first, fold.last),
               mouse.hovered ? pen::text : pen::dim);
  if (mouse.hovered) {
    tell("folded lines: click to show them");
  }
  if (mouse.clicked) {
    frame.state.of<SourceFold>().opened = subject_of(frame);
  }
}

}  // namespace ui
