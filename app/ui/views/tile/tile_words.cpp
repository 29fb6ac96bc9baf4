// What the tile view says in words.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/format.h"
#include "ui/looked_into.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

constexpr std::size_t kFewCells = 16;

std::string join(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string invocations_note(const TileScene& scene) {
  const auto& doing = scene.moment.doing;
  const auto busy =
      static_cast<std::size_t>(std::ranges::count_if(doing, [](std::uint8_t d) { return d != 0; }));
  if (busy == 0) {
    return "no memory access";
  }
  return busy == doing.size() ? fmt::format("all {} active", count_text(busy))
                              : fmt::format("{} of {} active", busy, doing.size());
}

// "column 32 is untouched", where that is all there is to say.
std::string padding_note(const TileScene& scene, const CellBlock& block) {
  const auto runs = untouched_runs(scene, block);
  if (runs.empty()) {
    return {};
  }
  if (runs.size() == 1 && runs[0].rows == block.rows() && !block.wrapped) {
    return runs[0].columns == 1 ? fmt::format("column {} unused", runs[0].column)
                                : fmt::format("columns {} to {} unused", runs[0].column,
                                              runs[0].column + runs[0].columns - 1);
  }
  return fmt::format("{} unused", count_text(cells_in(runs)));
}

std::string site_text(const TileScene& scene, const core::SourcePlace& at) {
  return at.line > 0 ? fmt::format(" ({})", lines_name({at}, scene.frame.kernel().own_file()))
                     : std::string();
}

// Some barrier stands there that waits or orders less than one as written.
bool is_weakened(const TileScene& scene) {
  return std::ranges::any_of(scene.frame.model.result.experiment.barriers, [](const auto& edit) {
    return edit.second != core::BarrierKind::off && edit.second != core::BarrierKind::all;
  });
}

}  // namespace

std::string TouchSpan::text(const char* done) const {
  const std::string count = count_text(cells) + " ";
  const bool alike = cells > 1 && most > 1 && least == most;
  return count + (most <= 1 ? done : brief(done)) + (alike ? " each" : "");
}

std::string TouchSpan::brief(const char* done) const {
  return most <= 1       ? fmt::format("{} {}", count_text(cells), done)
         : least == most ? fmt::format("{} {}×", done, most)
                         : fmt::format("{} {} to {}×", done, least, most);
}

Wordings notes_of(const TileScene& scene, const CellBlock& block) {
  if (block.invocations) {
    return {invocations_note(scene)};
  }
  const auto& touches = scene.moment.counts[block.variable];
  TouchSpan read;
  TouchSpan written;
  for (const TouchCount& count : touches) {
    read.add(count.reads);
    written.add(count.writes);
  }
  const core::TracedVariable& v = scene.trace().variables[block.variable];
  // Of few cells it is said which one.
  const auto which = [&](std::uint32_t TouchCount::* count) {
    const auto at =
        std::ranges::find_if(touches, [&](const TouchCount& c) { return c.*count > 0; });
    const std::string name = element_name(v, static_cast<std::uint64_t>(at - touches.begin()));
    return touches.size() > 1 && touches.size() <= kFewCells ? name.substr(v.name.size()) + " "
                                                             : std::string();
  };
  std::vector<std::string> parts;
  std::vector<std::string> counts;
  std::vector<std::string> verbs;
  const auto add = [&](const TouchSpan& spans, std::uint32_t TouchCount::* count,
                       const char* done) {
    const std::string cell = spans.cells == 1 ? which(count) : "";
    if (!cell.empty()) {
      parts.push_back(cell + done + (spans.most > 1 ? fmt::format(" {}×", spans.most) : ""));
      counts.push_back(cell + done);
      verbs.emplace_back(done);
    } else if (spans.cells > 0) {
      parts.push_back(spans.text(done));
      counts.push_back(spans.brief(done));
      verbs.emplace_back(done);
    }
  };
  add(written, &TouchCount::writes, "written");
  add(read, &TouchCount::reads, "read");
  if (parts.empty()) {
    counts.emplace_back("not accessed now");
    verbs.emplace_back("not now");
  }
  if (const std::string padding = padding_note(scene, block); !padding.empty()) {
    parts.push_back(padding);
  }
  return {parts.empty() ? counts.front() : join(parts), join(counts), join(verbs)};
}

std::string finding_sentence(const TileScene& scene) {
  const std::string parts = index_text(scene.frame, *scene.finding);
  std::string sentence = scene.finding->sentence();
  if (sentence.starts_with("line ")) {
    sentence.front() = 'L';
  }
  return sentence + (parts.empty() ? "." : ". " + parts + ".");
}

const char* verb_of(const core::Trace& trace, const Touch& touch) {
  switch (trace.sites[touch.site].access) {
    case core::Access::read:
      return "reads";
    case core::Access::write:
      return "writes";
    case core::Access::atomic:
      break;
  }
  return "atomic";
}

std::string value_of(const core::Trace& trace, const Touch& touch) {
  const core::TracedSite& site = trace.sites[touch.site];
  std::vector<std::string> parts;
  for (std::uint64_t s = 0; s < std::min(touch.scalars, 4U); ++s) {
    const core::TracedAccess& access = trace.accesses[touch.access + s];
    parts.push_back(value_text(access.value, site.scalar, site.scalar_bytes));
  }
  const std::string text = join(parts);
  return touch.scalars > 4 ? text + ", …" : touch.scalars > 1 ? "(" + text + ")" : text;
}

std::string race_sentence(const TileScene& scene, const RacingPair& race, RaceWords words) {
  const core::Trace& trace = scene.trace();
  const core::TracedAccess* sides[] = {&trace.accesses[race.first], &trace.accesses[race.second]};
  const auto writes = [&](int i) { return trace.sites[sides[i]->site].writes; };
  const std::string cell = element_name(trace.variables[race.variable], race.element);
  const auto who = [&](int i) {
    return (words == RaceWords::all ? "invocation " : "") +
           invocation_name(trace, sides[i]->invocation);
  };
  const auto place = [&](int i) { return trace.sites[sides[i]->site].at; };
  const auto where = [&](int i) {
    const bool next_round =
        i == 1 && place(1).file == place(0).file && place(1).line < place(0).line;
    return (words == RaceWords::fewest ? "" : site_text(scene, place(i))) +
           (next_round ? " in the next iteration" : "");
  };
  const std::string none =
      is_weakened(scene) ? "no barrier that orders them" : "no barrier between";
  if (writes(0) && writes(1)) {
    const auto did = [&](int i) {
      const bool atomic = trace.sites[sides[i]->site].access == core::Access::atomic;
      const std::string what = i == 0 ? cell : "it";
      return atomic   ? "changed " + what + " atomically"
             : i == 0 ? "wrote " + what
                      : "also wrote it";
    };
    return fmt::format("WAW race: {} {}{} and {} {}{}, with {}.", who(0), did(0), where(0), who(1),
                       did(1), where(1), is_weakened(scene) ? none : "no barrier between them");
  }
  // In the order that names the hazard: what is read after a write, or written after a read.
  const auto verb = [&](int i) { return writes(i) ? "writes" : "reads"; };
  return fmt::format("{} race: {} {} {}{}, {} {} it{}, {}.", writes(0) ? "RAW" : "WAR", who(0),
                     verb(0), cell, where(0), who(1), verb(1), where(1), none);
}

}  // namespace ui
