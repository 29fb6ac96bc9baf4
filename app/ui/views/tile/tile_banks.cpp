// The tile view coloured by bank: the instruction with the most conflicts, its lanes and their
// cells.
#include <algorithm>

#include <fmt/format.h>

#include "ui/views/banks/banks_view.h"
#include "ui/views/tile/tile_marks.h"
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

// Lanes of the instruction, and the cells that they want, in the same order.
struct LaneCells {
  std::vector<std::uint64_t> lanes, cells;
};

// Those that want a word of the bank with the most of them, or the others.
LaneCells lanes_of(const TileScene& scene, const core::BankUse& use, bool hot) {
  const core::Instruction& one = instruction(scene);
  const core::Trace& trace = scene.trace();
  const std::uint32_t variable = trace.sites[one.site].variable;
  LaneCells all;
  for (std::uint32_t i = one.first; i < one.last; ++i) {
    const core::TracedAccess& a = trace.accesses[scene.banks->instructions.accesses[i]];
    const std::uint32_t bank = core::bank_of(trace.variables[variable].address + a.offset);
    if ((use.ways > 1 && bank == use.bank) == hot) {
      all.lanes.push_back(a.invocation);
      all.cells.push_back(a.offset / scene.story.shapes()[variable].bytes);
    }
  }
  return all;
}

void frame_runs(const TileScene& scene, const CellBlock& block, std::vector<std::uint64_t> cells,
                bool hot) {
  const Theme& theme = scene.theme();
  sort_unique(cells);
  for (const CellRun& run : runs_of(block, cells)) {
    const Rect area = area_of(block, run);
    scene.canvas.frame(area.inset(-1.0F, -1.0F), theme.colours.background, theme.px(hot ? 3 : 2));
    scene.canvas.frame(area, hot ? theme.colours.text : theme.colours.dim, theme.px(hot ? 2 : 1));
  }
}

// A line each; of many that conflict one beam, for lines along a row of lanes would be a wedge.
// Without a conflict there is no bank to point at.
void draw_lanes(const TileScene& scene, const LaneCells& all, bool pointed, bool hot) {
  constexpr std::size_t kMostLines = 8;
  const Theme& theme = scene.theme();
  const core::TracedSite& site = scene.trace().sites[instruction(scene).site];
  const CellBlock& from = scene.invocations();
  const CellBlock& block = *scene.array(site.variable);
  std::vector<Rect> lanes;
  std::vector<Rect> cells;
  for (std::size_t i = 0; i < all.lanes.size(); ++i) {
    lanes.push_back(from.cell(all.lanes[i]));
    cells.push_back(block.cell(all.cells[i]));
  }
  if (hot && lanes.size() > kMostLines) {
    draw_beam(scene, around(lanes), around(cells), site.writes, theme.colours.text);
  } else {
    for (std::size_t i = 0; pointed && i < lanes.size(); ++i) {
      scene.canvas.list().AddLine(
          im(lanes[i].centre()), im(cells[i].centre()),
          fade(hot ? theme.colours.text : theme.colours.dim, hot ? 0.75F : 0.3F),
          theme.px(hot ? 1.5F : 1.0F));
    }
  }
  frame_runs(scene, from, all.lanes, hot);
  frame_runs(scene, block, all.cells, hot);
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
  const auto now =
      std::tuple(scene.story.number(), scene.moment.version, lanes == core::Lanes::of_32);
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
  const core::BankUse use = use_of(scene);
  if (scene.array(scene.trace().sites[instruction(scene).site].variable) == nullptr) {
    return;
  }
  const Clip clip(scene.canvas, in_sight(scene));
  draw_lanes(scene, lanes_of(scene, use, false), use.ways > 1, false);
  draw_lanes(scene, lanes_of(scene, use, true), use.ways > 1, true);  // what conflicts lies above
}

std::string conflict_sentence(const TileScene& scene) {
  const core::Instruction& one = instruction(scene);
  const core::TracedSite& site = scene.trace().sites[one.site];
  const core::BankUse use = use_of(scene);
  const std::string lanes = core::lanes_text(scene.trace(), scene.banks->instructions.lanes,
                                             one.group, core::spoken_of(use));
  return fmt::format("{}. Line {}, modelled{}.", core::sentence(use, lanes), site.at.line,
                     scene.moment.moment == 0 ? "; the most conflicts in this phase" : "");
}

}  // namespace ui
