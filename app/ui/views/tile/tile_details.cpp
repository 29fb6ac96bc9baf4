// The focus of the tile view in words: beside the figure, and beside the pointer.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/format.h"
#include "ui/picking.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/names.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

std::string when_text(const TileScene& scene) {
  return scene.moment.moment == 0 ? "in this phase" : "at this moment";
}

std::string place_of(const TileScene& scene, const Touch& touch) {
  const core::SourcePlace& at = scene.trace().sites[touch.site].at;
  return at.line > 0 ? lines_name({at}, scene.frame.kernel().own_file()) : std::string();
}

std::string what_of(const TileScene& scene, const Touch& touch) {
  return scene.focus.what == TileFocus::What::invocation
             ? element_name(scene.trace().variables[touch.variable], touch.element)
             : "invocation " + invocation_name(scene.trace(), touch.invocation);
}

// Of what_of(): what is the same in all of them.
std::size_t name_of(const TileScene& scene, const Touch& touch) {
  return scene.focus.what == TileFocus::What::invocation
             ? scene.trace().variables[touch.variable].name.size()
             : std::string_view("invocation ").size();
}

TableRow line_of(const TileScene& scene, const Touch& touch) {
  TableCell what{what_of(scene, touch), pen::mono.in(scene.colour_of(touch))};
  what.kept = what.text.size() - name_of(scene, touch);
  return {.cells = {place_of(scene, touch), verb_of(scene.trace(), touch), what,
                    value_of(scene.trace(), touch)}};
}

// The access of the finding, which touches no element.
TableRow outside_line(const TileScene& scene) {
  const core::TracedAccess& a = scene.trace().outside[*scene.found->outside];
  const core::TracedSite& site = scene.trace().sites[a.site];
  const Touch touch{.site = a.site, .variable = site.variable, .writes = site.writes};
  return {.cells = {place_of(scene, touch),
                    verb_of(scene.trace(), touch),
                    {fmt::format("{}[{}]", scene.finding->variable, scene.finding->outside),
                     pen::mono.in(&Palette::race)},
                    value_text(a.value, site.scalar, site.scalar_bytes) + ", outside"}};
}

// "16 times"; "once each" of as many elements or invocations.
std::string times_words(const TileScene& scene, const std::vector<const Touch*>& touches) {
  const bool elements = scene.focus.what == TileFocus::What::invocation;
  std::set<std::uint64_t> what;
  for (const Touch* t : touches) {
    what.insert(elements ? t->element : t->invocation);
  }
  return what.size() == touches.size() ? "once each" : fmt::format("{} times", touches.size());
}

// One line a place in the text: from the first to the last that it touches there.
std::vector<TableRow> brief_lines(const TileScene& scene) {
  std::map<std::uint32_t, std::vector<const Touch*>> sites;
  for (const Touch& t : scene.own) {
    sites[t.site].push_back(&t);
  }
  std::vector<TableRow> lines;
  for (auto& [site, touches] : sites) {
    if (scene.focus.what != TileFocus::What::invocation) {  // in the order of their numbers
      std::ranges::stable_sort(touches, {}, &Touch::invocation);
    }
    TableRow line = line_of(scene, *touches.front());
    if (touches.size() > 1) {
      const std::string last = what_of(scene, *touches.back());
      TableCell& what = line.cells[2];
      if (last != what.text) {
        what.brief = what.text + " …";
        what.kept = what.brief.size() - name_of(scene, *touches.front());
        what.text += " … " + last.substr(name_of(scene, *touches.back()));
      }
      line.cells[3].text = times_words(scene, touches);
    }
    lines.push_back(line);
  }
  return lines;
}

std::vector<TableRow> detail_lines(const TileScene& scene, std::size_t room) {
  if (scene.own.size() > room) {
    return brief_lines(scene);
  }
  std::vector<TableRow> lines;
  for (const Touch& t : scene.own) {
    lines.push_back(line_of(scene, t));
  }
  if (scene.found && scene.found->outside) {
    lines.push_back(outside_line(scene));
  }
  return lines;
}

std::string cell_value(const TileScene& scene, std::uint32_t variable, std::uint64_t element) {
  const ElementShape& shape = scene.story.shapes()[variable];
  const auto& memory = scene.moment.memory[variable];
  std::vector<std::string> parts;
  for (std::uint32_t s = 0; s < std::min(shape.slices, 4U); ++s) {
    const Slice& slice = memory[element * shape.slices + s];
    parts.push_back(slice.bytes > 0 ? value_text(slice.bits, slice.kind, slice.bytes) : "?");
  }
  if (std::ranges::all_of(parts, [](const std::string& p) { return p == "?"; })) {
    return shape.touched[element] ? "no value yet" : "never used: padding";
  }
  const std::string text = fmt::format("{}", fmt::join(parts, ", "));
  return parts.size() > 1 ? "(" + text + ")" : text;
}

std::string times(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string cell_title(const TileScene& scene) {
  const TileFocus& f = scene.focus;
  const auto written = static_cast<std::size_t>(
      std::ranges::count_if(scene.own, [](const Touch& t) { return t.writes; }));
  const std::size_t read = scene.own.size() - written;
  std::string text =
      fmt::format("{}: {}", element_name(scene.trace().variables[f.variable], f.element),
                  cell_value(scene, f.variable, f.element));
  if (read > 0) {
    text += fmt::format("; read {}", times(read, "time", "times"));
  }
  if (written > 0) {
    text += fmt::format("; written {}", times(written, "time", "times"));
  }
  return text + (read + written > 0 ? " " + when_text(scene) : "");
}

// Title above the provenance of an element; for one that the mouse only points at, its name.
std::string element_title(const TileScene& scene) {
  const TileFocus& f = scene.focus;
  const std::string name = element_name(scene.trace().variables[f.variable], f.element);
  if (scene.pointed || !scene.why) {
    return name + ": click to see which values led to it";
  }
  return scene.why->lines.empty() ? name + " is not written by this workgroup"
         : scene.why->strange.empty()
             ? scene.why->lines.front().text
             : scene.why->lines.front().text + ". The " + scene.why->strange;
}

// Of an invocation, in few words where the list below needs the room.
std::string brief_title(const TileScene& scene) {
  return fmt::format("Invocation {}: {}", invocation_name(scene.trace(), scene.focus.invocation),
                     times(scene.own.size(), "access", "accesses"));
}

std::string title_of(const TileScene& scene) {
  const TileFocus& f = scene.focus;
  if (scene.shows_conflict()) {
    return conflict_sentence(scene);
  }
  if (f.race != nullptr) {
    return race_sentence(scene, *f.race);
  }
  if (scene.found) {
    return finding_sentence(scene);
  }
  switch (f.what) {
    case TileFocus::What::invocation:
      return fmt::format("{}nvocation {} {} {}", f.example ? "For example, i" : "I",
                         invocation_name(scene.trace(), f.invocation),
                         scene.own.empty()
                             ? "accesses no memory"
                             : "makes " + times(scene.own.size(), "access", "accesses"),
                         when_text(scene));
    case TileFocus::What::cell:
    case TileFocus::What::race:
      return cell_title(scene);
    case TileFocus::What::element:
      return element_title(scene);
    case TileFocus::What::all:
      break;
  }
  const bool asked = scene.frame.state.of<Picking>().wanted.has_value();  // clicks are answers
  return fmt::format("{} {}{}", times(scene.moment.touches.size(), "access", "accesses"),
                     when_text(scene),
                     asked ? "" : "; click an invocation or a cell to see only its accesses");
}

std::size_t lines_of(const TileScene& scene, const std::string& title) {
  return scene.canvas.wrap(title, scene.theme().fonts.text, scene.details.width()).size();
}

// The sentence of a race, as long as there is room for.
std::string fitting_race(const TileScene& scene, const Stack& rest) {
  std::string sentence = race_sentence(scene, *scene.focus.race);
  for (const RaceWords words : {RaceWords::few, RaceWords::fewest}) {
    if (!rest.has(static_cast<float>(lines_of(scene, sentence)))) {
      sentence = race_sentence(scene, *scene.focus.race, words);
    }
  }
  return sentence;
}

// One line an access, or a place in the text, in so much room; nothing where they could not be
// read: a name of which the middle is missing tells as little as "and 1 more" beside the only one.
std::optional<Table> list_in(const TileScene& scene, glm::vec2 room) {
  const float line = scene.canvas.line_height() + scene.theme().gap.thin;
  Table table{.columns = {{.align = Align::left, .pen = pen::mono_dim, .importance = 1},
                          {.align = Align::left, .pen = pen::mono_dim},
                          {.align = Align::left, .importance = 3},
                          {.align = Align::left, .importance = 2}},
              .choosable = false};
  const auto fit = static_cast<std::size_t>(std::max(0.0F, room.y / line));
  table.rows = detail_lines(scene, fit);
  const float width = room.x - scene.theme().gap.medium;
  for (TableRow& row : table.rows) {  // the columns beside it need not give way to it
    TableCell& what = row.cells[2];
    if (!what.brief.empty() && scene.canvas.width(what.text, pen::mono) > width) {
      what.text = std::exchange(what.brief, {});
    }
  }
  const bool readable = std::ranges::all_of(table.rows, [&](const TableRow& row) {
    return scene.canvas.width(row.cells[2].text, pen::mono) <= width;
  });
  return readable && fit >= std::min<std::size_t>(table.rows.size(), 2) ? std::optional(table)
                                                                        : std::nullopt;
}

// What is to be said of the focus, and what there is to be listed below it, in a room.
struct Details {
  std::string title;
  std::vector<std::string> remarks;
  std::optional<Table> list;
};

Details details_in(const TileScene& scene, const Stack& rest) {
  const bool race = scene.focus.race != nullptr && !scene.shows_conflict();
  Details details{.title = race ? fitting_race(scene, rest) : title_of(scene)};
  if (!scene.races.empty()) {
    details.remarks.push_back(times(scene.races.size(), "racing cell", "racing cells") +
                              " in this phase");
  }
  if (!scene.story.has_shared()) {
    details.remarks.emplace_back("No shared memory: each invocation reads global memory itself.");
  }
  if (scene.focus.what == TileFocus::What::all || scene.focus.what == TileFocus::What::element ||
      scene.shows_conflict()) {
    return details;
  }
  const float line = scene.canvas.line_height();
  const auto list_below = [&](const std::string& title) {
    const auto lines = static_cast<float>(lines_of(scene, title) + details.remarks.size());
    return list_in(
        scene, {rest.rest.width(), rest.rest.height() - lines * line - scene.theme().gap.small});
  };
  details.list = list_below(details.title);
  if (!details.list && scene.focus.what == TileFocus::What::invocation && !scene.own.empty() &&
      !scene.found) {
    details.list = list_below(brief_title(scene));
    details.title = details.list ? brief_title(scene) : details.title;
  }
  return details;
}

// Deeper lines stand further to the right. They scroll.
void draw_lines_of_why(const TileScene& scene, const Rect& area) {
  if (!scene.why || scene.pointed) {
    return;
  }
  const Gaps& gap = scene.theme().gap;
  Scrolled list(scene.frame, scene.canvas, "lines of why", area);
  Stack rest{list.canvas(), {list.top(), {area.high.x - gap.large, list.top().y + 1e5F}}};
  for (const core::ProvenanceLine& line : scene.why->lines) {
    if (line.depth > 0) {
      Stack own = rest;
      own.rest.low.x += static_cast<float>(line.depth - 1) * gap.large;
      own.wrap(line.text, pen::dim);
      rest.rest.low.y = own.rest.low.y;
    }
  }
  list.ends_at(rest.rest.low);
}

}  // namespace

void draw_details(const TileScene& scene) {
  Stack rest{scene.canvas, scene.details};
  if (!rest.has(1) || rest.rest.width() < 4.0F * scene.canvas.line_height()) {
    return;
  }
  const Details details = details_in(scene, rest);
  const Palette& c = scene.theme().colours;
  rest.wrap(details.title, scene.focus.race != nullptr || scene.found
                               ? pen::text.in(mix(c.race, c.text, 0.3F))
                               : pen::text);
  for (const std::string& remark : details.remarks) {
    if (scene.canvas.width(remark) <= rest.rest.width() && rest.has(1)) {
      rest.say(remark, pen::dim);
    }
  }
  rest.gap(scene.theme().gap.small);
  if (scene.focus.what == TileFocus::What::element) {
    return draw_lines_of_why(scene, rest.rest);
  }
  if (details.list) {
    draw_table(scene.canvas, rest.rest, "touches", *details.list);
  }
}

}  // namespace ui
