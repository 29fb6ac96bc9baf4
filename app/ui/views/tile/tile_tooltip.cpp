// A sentence beside the pointer, and the meaning of the tile view's marks.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/format.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/legend.h"

namespace ui {
namespace {

constexpr float kWidest = 18.0F;  // lines of text

std::string name_of(const core::Trace& trace, const TileFocus& at) {
  return at.what == TileFocus::What::invocation
             ? "invocation " + invocation_name(trace, at.invocation)
             : element_name(trace.variables[at.variable], at.element);
}

std::vector<std::string> tooltip_lines(const TileScene& scene) {
  const TileFocus& at = *scene.pointed;
  const core::Trace& trace = scene.trace();
  std::vector<std::string> lines;
  if (at.what == TileFocus::What::element) {
    return {name_of(trace, at), "click: which values led to it"};
  }
  if (at.race != nullptr) {
    lines.push_back(race_sentence(scene, *at.race));
  }
  if (at.what == TileFocus::What::invocation) {
    std::string head = name_of(trace, at);
    if (at.invocation < trace.subgroup.size()) {
      head += fmt::format(", subgroup {} lane {}", trace.subgroup[at.invocation],
                          trace.lane[at.invocation]);
    }
    lines.push_back(head);
  } else {
    lines.push_back(name_of(trace, at));
    if (!scene.story.shapes()[at.variable].touched[at.element]) {
      lines.emplace_back("never used: padding");
    }
  }
  constexpr std::size_t kMost = 4;
  for (std::size_t i = 0; i < std::min(scene.own.size(), kMost); ++i) {
    const Touch& t = scene.own[i];
    const std::string what =
        at.what == TileFocus::What::invocation
            ? fmt::format("{} {}", verb_of(trace, t),
                          element_name(trace.variables[t.variable], t.element))
            : fmt::format("{} {}", invocation_name(trace, t.invocation), verb_of(trace, t));
    lines.push_back(what + ": " + value_of(trace, t));
  }
  if (scene.own.size() > kMost) {
    lines.push_back(fmt::format("+{} more", count_text(scene.own.size() - kMost)));
  }
  if (scene.own.empty()) {
    lines.emplace_back(scene.moment.moment == 0 ? "nothing in this phase"
                                                : "nothing at this moment");
  }
  return lines;
}

// What the invocations in sight do.
std::uint8_t doing_in_sight(const TileScene& scene) {
  std::uint8_t all = 0;
  if (scene.figure.overlaps(scene.invocations().area)) {
    for (const std::uint8_t doing : scene.moment.doing) {
      all |= doing;
    }
  }
  return all;
}

// What invocations are drawn in comes first: nothing else says it.
std::vector<LegendItem> meanings(const TileScene& scene) {
  const Palette& c = scene.theme().colours;
  const std::uint8_t doing = doing_in_sight(scene);
  const auto importance = [doing](int flags, int first, int else_) {
    return (doing & flags) != 0 ? first : else_;
  };
  constexpr int kReads = Doing::reads_global | Doing::reads_shared;
  constexpr int kWrites = Doing::writes_global | Doing::writes_shared;
  constexpr int kShared = Doing::reads_shared | Doing::writes_shared;
  constexpr int kGlobal = Doing::reads_global | Doing::writes_global;
  std::vector<LegendItem> all;
  if (!scene.races.empty()) {
    all.push_back({mark::hatched(c.race), "race", "", 13});
  }
  if (scene.story.has_shared()) {
    all.push_back({mark::fill(c.shared), "shared", "", importance(kShared, 12, 6)});
  }
  all.push_back({mark::fill(c.global), "global memory", "global", importance(kGlobal, 11, 5)});
  all.push_back({mark::area(c.dim), "reads", "", importance(kReads, 10, 8)});
  all.push_back({mark::fill(c.dim), "writes", "", importance(kWrites, 10, 8)});
  if (std::ranges::find(scene.moment.doing, 0) != scene.moment.doing.end()) {
    all.push_back({mark::stripes(c.idle), "idle", "", 4});
  }
  const bool framed =
      std::ranges::any_of(scene.blocks, [](const CellBlock& b) { return b.halo > 0; });
  if (framed && !scene.by_bank()) {
    all.push_back({mark::outline(c.text), "without halo", "", 9});
  }
  const auto padded = [](const ElementShape& s) {
    return std::ranges::find(s.touched, false) != s.touched.end();
  };
  if (std::ranges::any_of(scene.story.shapes(), padded)) {
    all.push_back({mark::stripes(c.idle), "never used", "", 3});
  }
  return all;
}

// One scale for each array; arrays whose values span the same share one.
std::vector<ColourScale> scales(const TileScene& scene) {
  if (scene.by_bank()) {
    return {{.name = "bank", .low = "0", .high = std::to_string(core::kBanks - 1)}};
  }
  std::vector<ColourScale> all;
  for (std::uint32_t v = 0; v < scene.trace().variables.size(); ++v) {
    const ElementShape& shape = scene.story.shapes()[v];
    if (!scene.shared(v) || shape.high <= shape.low) {
      continue;
    }
    const std::string& name = scene.trace().variables[v].name;
    const std::string low = tick_text(static_cast<double>(shape.low));
    const std::string high = tick_text(static_cast<double>(shape.high));
    const auto same = std::ranges::find_if(
        all, [&](const ColourScale& scale) { return scale.low == low && scale.high == high; });
    if (same != all.end()) {
      same->name += ", " + name;
    } else {
      all.push_back({.name = name, .low = low, .high = high});
    }
  }
  return all;
}

}  // namespace

void draw_tile_tooltip(const TileScene& scene) {
  if (scene.named) {
    tell(name_of(scene.trace(), *scene.named));
  }
  if (!scene.pointed) {
    return;
  }
  const float most =
      std::min(kWidest * scene.canvas.line_height(), 0.8F * ImGui::GetIO().DisplaySize.x);
  std::vector<std::string> lines;
  for (const std::string& sentence : tooltip_lines(scene)) {
    std::ranges::move(scene.canvas.wrap(sentence, scene.theme().fonts.text, most),
                      std::back_inserter(lines));
  }
  tell(fmt::format("{}", fmt::join(lines, "\n")));
}

void draw_tile_legend(const TileScene& scene) {
  auto items = meanings(scene);
  int importance = scene.by_bank() ? 14 : 7;
  for (ColourScale& scale : scales(scene)) {
    items.push_back(legend_scale(std::move(scale), importance));
    importance -= 4;
  }
  draw_legend(scene.canvas, scene.frame.textures, scene.legend, items);
}

}  // namespace ui
