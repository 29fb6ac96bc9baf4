// What the tile view is about, and the way through its moments.
#include <algorithm>

#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

// Some way in from the edges, so that its row and its column are told apart, and at work.
std::optional<std::uint32_t> example_invocation(const TileScene& scene) {
  const CellBlock& block = scene.invocations();
  const auto& doing = scene.moment.doing;
  const std::uint32_t wanted = block.rows() / 3 * block.columns + block.columns * 5 / 8;
  if (wanted < doing.size() && doing[wanted] != 0) {
    return wanted;
  }
  const auto busy = std::ranges::find_if(doing, [](std::uint8_t d) { return d != 0; });
  return busy == doing.end() ? std::nullopt
                             : std::optional(static_cast<std::uint32_t>(busy - doing.begin()));
}

// A race some way in from the edges, of the first array that has any.
const RacingPair* example_race(const TileScene& scene) {
  const std::uint32_t variable = scene.races.front()->variable;
  const auto end = std::ranges::find_if(
      scene.races, [variable](const RacingPair* r) { return r->variable != variable; });
  return scene.races[static_cast<std::size_t>(end - scene.races.begin()) * 3 / 8];
}

std::optional<std::uint32_t> variable_named(const TileScene& scene, const std::string& name) {
  const auto& all = scene.trace().variables;
  const auto found = std::ranges::find_if(all, [&name](const core::TracedVariable& v) {
    return v.memory == core::MemoryKind::shared && v.name == name;
  });
  return found == all.end() ? std::nullopt
                            : std::optional(static_cast<std::uint32_t>(found - all.begin()));
}

TileFocus focus_on(const RacingPair* race, bool example) {
  return {.what = TileFocus::What::race,
          .variable = race->variable,
          .element = race->element,
          .race = race,
          .example = example};
}

// The race of a finding, where this workgroup's trace has it: the list and the view tell of the
// same two invocations, or at least of one cell.
const RacingPair* race_of(const TileScene& scene, const core::Finding* finding) {
  if (finding == nullptr || finding->kind != core::FindingKind::race) {
    return nullptr;
  }
  const RacingPair* pair = scene.story.pair_of(*finding);
  if (pair != nullptr && pair->phase == scene.moment.phase) {
    return pair;
  }
  const auto cell = shared_cell(scene.trace(), finding->variable, finding->index);
  return cell ? race_at(scene, cell->variable, cell->element) : nullptr;
}

const RacingPair* race_of_finding(const TileScene& scene) {
  return race_of(scene, chosen_finding(scene.frame.state.view, scene.frame.model.result));
}

// Of the first in the list that this phase has, for who has chosen none.
const RacingPair* race_of_first_finding(const TileScene& scene) {
  const auto& races = scene.frame.model.result.races;
  for (std::size_t i = 0; races && i < races->findings.size(); ++i) {
    if (const RacingPair* race = race_of(scene, &races->findings[i])) {
      return race;
    }
  }
  return nullptr;
}

}  // namespace

const RacingPair* race_at(const TileScene& scene, std::uint32_t variable, std::uint64_t element) {
  const auto found = std::ranges::find_if(scene.races, [&](const RacingPair* r) {
    return r->variable == variable && r->element == element;
  });
  return found == scene.races.end() ? nullptr : *found;
}

TileFocus chosen_focus(const TileScene& scene) {
  const TileState& view = scene.state();
  if (scene.why) {
    const core::TracedScalar& scalar = scene.why->scalar;
    return {.what = TileFocus::What::element,
            .variable = scalar.variable,
            .element = scalar.offset / scene.story.shapes()[scalar.variable].bytes};
  }
  if (const auto variable = variable_named(scene, view.variable); variable && view.cell >= 0) {
    const auto element = static_cast<std::uint64_t>(view.cell);
    if (element < scene.story.shapes()[*variable].count) {
      return {.what = TileFocus::What::cell,
              .variable = *variable,
              .element = element,
              .race = race_at(scene, *variable, element)};
    }
  }
  if (view.invocation >= 0 &&
      static_cast<std::uint64_t>(view.invocation) < scene.story.invocations()) {
    return {.what = TileFocus::What::invocation,
            .invocation = static_cast<std::uint32_t>(view.invocation)};
  }
  if (const RacingPair* race = race_of_finding(scene)) {
    return focus_on(race, false);
  }
  if (view.invocation == TileState::kNobody) {
    return {};
  }
  if (const RacingPair* race = race_of_first_finding(scene)) {
    return focus_on(race, true);
  }
  if (!scene.races.empty()) {
    return focus_on(scene.story.told_apart(*example_race(scene)), true);
  }
  if (const auto example = example_invocation(scene)) {
    return {.what = TileFocus::What::invocation, .invocation = *example, .example = true};
  }
  return {};
}

void find_finding(TileScene& scene) {
  const core::Finding* finding = chosen_finding(scene.frame.state.view, scene.frame.model.result);
  const auto place = finding != nullptr ? scene.story.place_of(*finding) : std::nullopt;
  if (place && scene.focus.what == TileFocus::What::invocation &&
      scene.focus.invocation == place->invocation && scene.moment.phase == place->phase &&
      scene.moment.moment == place->moment) {
    scene.finding = finding;
    scene.found = place;
  }
}

std::vector<Touch> touches_of(const TileScene& scene, const TileFocus& focus) {
  std::vector<Touch> own;
  const auto is_own = [&focus](const Touch& t) {
    switch (focus.what) {
      case TileFocus::What::invocation:
        return t.invocation == focus.invocation;
      case TileFocus::What::cell:
      case TileFocus::What::race:
      case TileFocus::What::element:
        return t.variable == focus.variable && t.element <= focus.element &&
               focus.element < t.element + t.elements;
      case TileFocus::What::all:
        break;
    }
    return false;
  };
  std::ranges::copy_if(scene.moment.touches, std::back_inserter(own), is_own);
  return own;
}

std::size_t shown_phase(const TileState& view, const TraceStory& story) {
  if (view.phase > 0) {
    return std::min<std::size_t>(view.phase - 1, story.phases().size() - 1);
  }
  return story.followed() != nullptr ? story.followed()->phase
         : story.races().empty()     ? story.telling_phase()
                                     : story.races().front().phase;
}

bool step_moment(TileState& view, TraceStory& story, int by) {
  const std::size_t phase = shown_phase(view, story);
  const std::uint32_t count = story.moments(phase);
  view.phase = static_cast<std::uint32_t>(phase) + 1;
  const std::uint32_t now = std::min(view.moment, count);
  if (by > 0 && now < count) {
    view.moment = now + 1;
    return true;
  }
  if (by < 0 && now > 1) {
    view.moment = now - 1;
    return true;
  }
  // On to the neighbours; phases without accesses are shown as a whole.
  if (by > 0 && phase + 1 < story.phases().size()) {
    view.phase += 1;
    view.moment = story.moments(phase + 1) > 0 ? 1 : 0;
    return true;
  }
  if (by < 0 && phase > 0) {
    view.phase -= 1;
    view.moment = story.moments(phase - 1);
    return true;
  }
  return false;
}

void step_phase(TileState& view, const TraceStory& story, int by) {
  const auto now = static_cast<std::int64_t>(shown_phase(view, story));
  const auto last = static_cast<std::int64_t>(story.phases().size()) - 1;
  view.phase = static_cast<std::uint32_t>(std::clamp<std::int64_t>(now + by, 0, last)) + 1;
  view.moment = std::min(view.moment, 1U);
}

}  // namespace ui
