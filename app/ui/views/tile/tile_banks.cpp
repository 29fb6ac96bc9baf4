// The tile view coloured by bank: the instruction with the most conflicts, its lanes and their
// cells.
#include <algorithm>

#include <fmt/format.h>

#include "ui/views/banks/banks_view.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

// First accesses of the moment's touches of shared memory, ascending.
std::vector<std::uint64_t> accesses_now(const TileScene& scene) {
  std::vector<std::uint64_t> all;
  for (const Touch& t : scene.moment.touches) {
    if (scene.shared(t.variable)) {
      all.push_back(t.access);
    }
  }
  std::ranges::sort(all);
  return all;
}

// The dearest instruction on shared memory of the phase, or of the moment.
std::optional<std::uint32_t> dearest(const TileScene& scene, const core::LaneReport& report) {
  const core::Trace& trace = scene.trace();
  const auto now = accesses_now(scene);
  std::optional<std::uint32_t> best;
  std::uint32_t most = 0;
  for (const core::SharedSite& site : report.shared) {
    for (std::uint32_t i = site.instructions.first; i < site.instructions.last; ++i) {
      const core::Instruction& one = report.instructions.list[i];
      const bool here =
          one.phase == scene.moment.phase &&
          std::ranges::binary_search(now, std::uint64_t{report.instructions.accesses[one.first]});
      if (!here) {
        continue;
      }
      const core::BankUse use = core::bank_use(core::lane_accesses(trace, report.instructions, one),
                                               trace.sites[one.site].access);
      if (use.passes > most) {
        most = use.passes;
        best = i;
      }
    }
  }
  return best;
}

const core::Instruction& instruction(const TileScene& scene) {
  return scene.banks->instructions.list[*scene.conflict];
}

core::BankUse use_of(const TileScene& scene) {
  const core::Instruction& one = instruction(scene);
  return core::bank_use(core::lane_accesses(scene.trace(), scene.banks->instructions, one),
                        scene.trace().sites[one.site].access);
}

}  // namespace

void find_conflict(TileScene& scene) {
  const core::Result& result = scene.frame.model.result;
  if (!scene.by_bank() || !result.banks || result.trace != scene.story.shared_trace()) {
    return;
  }
  const core::Lanes lanes = chosen_lanes(scene.frame.state.of<BanksState>(), result);
  scene.banks = &result.banks->by(lanes);
  TileCache& cache = scene.frame.state.of<TileCache>();
  const auto now = std::tuple(static_cast<const void*>(scene.banks), scene.moment.version,
                              lanes == core::Lanes::of_32);
  if (cache.conflict_of != now) {
    cache.conflict_of = now;
    cache.conflict = dearest(scene, *scene.banks);
  }
  scene.conflict = cache.conflict;
}

bool TileScene::shows_conflict() const {
  const bool another = pointed || (focus.what != TileFocus::What::all && !focus.example) ||
                       focus.what == TileFocus::What::race;
  return conflict && !another;
}

void draw_conflict(const TileScene& scene) {
  const Theme& theme = scene.theme();
  const core::Trace& trace = scene.trace();
  const core::Instruction& one = instruction(scene);
  const std::uint32_t variable = trace.sites[one.site].variable;
  const CellBlock* block = scene.array(variable);
  if (block == nullptr) {
    return;
  }
  const core::BankUse use = use_of(scene);
  const std::uint32_t bytes = scene.story.shapes()[variable].bytes;
  for (const bool hot : {false, true}) {  // what conflicts lies above
    for (std::uint32_t i = one.first; i < one.last; ++i) {
      const core::TracedAccess& a = trace.accesses[scene.banks->instructions.accesses[i]];
      const std::uint32_t bank = core::bank_of(trace.variables[variable].address + a.offset);
      if ((use.ways > 1 && bank == use.bank) != hot) {
        continue;
      }
      const Rect from = scene.invocations().cell(a.invocation);
      const Rect to = block->cell(a.offset / bytes);
      const Colour colour = hot ? theme.colours.text : theme.colours.dim;
      if (use.ways > 1) {  // else there is no bank to point at
        scene.canvas.list().AddLine(im(from.centre()), im(to.centre()),
                                    fade(colour, hot ? 0.75F : 0.3F), theme.px(hot ? 1.5F : 1.0F));
      }
      scene.canvas.frame(from, colour, theme.px(hot ? 2 : 1));
      if (scene.figure.overlaps(to)) {
        scene.canvas.frame(to.inset(-1.0F, -1.0F), theme.colours.background, theme.px(hot ? 3 : 2));
        scene.canvas.frame(to, colour, theme.px(hot ? 2 : 1));
      }
    }
  }
}

std::string conflict_sentence(const TileScene& scene) {
  const core::Instruction& one = instruction(scene);
  const core::TracedSite& site = scene.trace().sites[one.site];
  const core::BankUse use = use_of(scene);
  const std::string lanes =
      core::lanes_text(scene.trace(), scene.banks->instructions.lanes, one.group, use.lanes);
  return fmt::format("{}. Line {}, modelled{}.", core::sentence(use, lanes), site.at.line,
                     scene.moment.moment == 0 ? "; the worst in this phase" : "");
}

}  // namespace ui
