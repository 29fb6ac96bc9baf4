// The boxes of a lattice in space: the home box of a workgroup, the boxes on its list, and the tile
// of them that lies in shared memory.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/base/ceil_div.h"
#include "core/base/particles.h"
#include "core/work/kernel_facts.h"
#include "ui/canvas/format.h"
#include "ui/views.h"
#include "ui/views/bodies/orbit.h"
#include "ui/views/lattice/lattice_state.h"
#include "ui/widgets/axis.h"
#include "ui/widgets/legend.h"
#include "ui/widgets/step_buttons.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

struct LatticeScene {
  const Frame& frame;
  const Canvas& canvas;
  const core::Particles& particles;
  std::uint64_t workgroup = 0;  ///< in launch order
  std::uint32_t home = 0;
  core::Box items;                  ///< of the workgroup: its particles along x
  std::vector<std::uint32_t> list;  ///< the home box's neighbours
  bool tiled = false;               ///< they go through shared memory
  std::uint32_t tile = 1;           ///< particles of it
  std::uint32_t tiles_a_box = 1;
  std::uint32_t staged = 0;  ///< the tile that is there now, from 0

  [[nodiscard]] const Theme& theme() const { return canvas.theme(); }
  [[nodiscard]] std::uint32_t tiles() const {
    return static_cast<std::uint32_t>(list.size()) * tiles_a_box;
  }
  [[nodiscard]] std::uint32_t neighbour() const { return staged / tiles_a_box; }
  /// Particles of the neighbour's box in the tile: the first, and the one after the last.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> span() const {
    const std::uint32_t first = staged % tiles_a_box * tile;
    return {first, std::min(first + tile, particles.in_box)};
  }
};

bool uses_shared_memory(const core::Result& result) {
  return result.facts &&
         std::ranges::any_of(result.facts->phases,
                             [](const core::KernelPhase& phase) { return phase.writes_shared; });
}

// The box in the middle where no workgroup is pointed at.
std::uint64_t shown_workgroup(const core::View& view, const core::Result& result) {
  const core::TileMap& tiles = result.tiles;
  if (view.tile >= 0 && view.tile < static_cast<std::int64_t>(tiles.group_count())) {
    return static_cast<std::uint64_t>(view.tile);
  }
  const std::uint32_t side = result.particles->lattice.side;
  const std::uint32_t middle = side / 2;
  return std::uint64_t{tiles.groups().x} * ((middle * side + middle) * side + middle);
}

LatticeScene scene_of(const Frame& frame, const Canvas& canvas) {
  const core::Result& result = frame.model.result;
  LatticeScene scene{.frame = frame, .canvas = canvas, .particles = *result.particles};
  scene.workgroup = shown_workgroup(frame.state.view, result);
  const glm::uvec3 group = result.tiles.group_at(scene.workgroup);
  scene.home = group.y;
  scene.items = result.tiles.items(group);
  scene.list = scene.particles.lattice.neighbours(scene.home);
  scene.tiled = uses_shared_memory(result);
  scene.tile = std::max(result.tiles.local_size.x, 1U);
  scene.tiles_a_box = core::ceil_div(scene.particles.in_box, scene.tile);
  return scene;
}

// What keys and buttons have asked for, and the tile that follows when they play.
void take_steps(LatticeScene& scene) {
  StepState& asked = scene.frame.state.of<StepState>();
  LatticeState& state = scene.frame.state.of<LatticeState>();
  const std::int64_t last = std::int64_t{scene.tiles()} - 1;
  std::int64_t at = std::int64_t{state.staged} - 1 + asked.steps;
  if (asked.leaps != 0) {
    at = (at / scene.tiles_a_box + asked.leaps) * scene.tiles_a_box;
  }
  if (asked.due(ImGui::GetTime())) {
    asked.playing = ++at <= last;
  }
  asked.steps = asked.leaps = 0;
  scene.staged = static_cast<std::uint32_t>(std::clamp<std::int64_t>(at, 0, last));
  state.staged = scene.staged + 1;
}

using Edge = std::array<std::uint32_t, 4>;  // a corner, and the axis along which it leads

// Each edge once, though up to four boxes share it.
std::set<Edge> edges_of(const core::Lattice& lattice, std::span<const std::uint32_t> boxes) {
  std::set<Edge> edges;
  for (const std::uint32_t box : boxes) {
    const glm::uvec3 at = lattice.place(box);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      for (const std::uint32_t side : {0U, 1U, 2U, 3U}) {
        glm::uvec3 corner = at;
        corner[static_cast<int>((axis + 1) % 3)] += side & 1U;
        corner[static_cast<int>((axis + 2) % 3)] += side >> 1U;
        edges.insert({corner.x, corner.y, corner.z, axis});
      }
    }
  }
  return edges;
}

void draw_edges(const LatticeScene& scene, const Projection& project, const std::set<Edge>& edges,
                float length, Colour colour, float thickness) {
  const glm::vec3 centre = lattice_centre(scene.particles.lattice);
  for (const Edge& edge : edges) {
    const glm::vec3 from = glm::vec3(edge[0], edge[1], edge[2]) - centre;
    glm::vec3 to = from;
    to[static_cast<int>(edge[3])] += length;
    const auto a = project(from);
    const auto b = project(to);
    if (a && b) {
      scene.canvas.list().AddLine(im(*a), im(*b), colour, thickness);
    }
  }
}

// Particles of a box as dots over the painting.
void draw_dots(const LatticeScene& scene, const Projection& project, std::uint32_t box,
               std::pair<std::uint32_t, std::uint32_t> span, Colour colour) {
  const core::Particles& p = scene.particles;
  const glm::vec3 centre = lattice_centre(p.lattice);
  const float radius = 0.125F * scene.canvas.line_height();
  for (std::uint32_t i = span.first; i < std::min(span.second, p.kept); ++i) {
    const auto at = project(glm::vec3(p.positions[std::size_t{box} * p.kept + i]) - centre);
    if (at) {
      scene.canvas.list().AddCircleFilled(im(*at), radius + 1.0F, scene.theme().colours.background);
      scene.canvas.list().AddCircleFilled(im(*at), radius, colour);
    }
  }
}

void draw_lattice_lines(const LatticeScene& scene, const Projection& project) {
  const Palette& c = scene.theme().colours;
  const core::Lattice& lattice = scene.particles.lattice;
  const std::uint32_t origin = 0;
  std::set<Edge> hull;
  for (Edge edge : edges_of(core::Lattice{1}, {&origin, 1})) {
    std::ranges::for_each(edge.begin(), edge.begin() + 3,
                          [&lattice](std::uint32_t& x) { x *= lattice.side; });
    hull.insert(edge);
  }
  draw_edges(scene, project, hull, static_cast<float>(lattice.side), fade(c.dim, 0.5F), 1.0F);
  draw_edges(scene, project, edges_of(lattice, scene.list), 1.0F, fade(c.global, 0.55F), 1.0F);
}

void draw_boxes(const LatticeScene& scene, const Projection& project) {
  const Palette& c = scene.theme().colours;
  const core::Lattice& lattice = scene.particles.lattice;
  draw_lattice_lines(scene, project);
  if (scene.tiled) {
    const std::uint32_t box = scene.list[scene.neighbour()];
    draw_edges(scene, project, edges_of(lattice, {&box, 1}), 1.0F, c.shared,
               scene.theme().gap.small);
  }
  draw_edges(scene, project, edges_of(lattice, {&scene.home, 1}), 1.0F, c.text,
             scene.theme().gap.thin);
  draw_dots(scene, project, scene.home, {scene.items.first.x, scene.items.last.x}, c.registers);
  if (scene.tiled) {
    draw_dots(scene, project, scene.list[scene.neighbour()], scene.span(), c.shared);
  }
}

std::string particles_text(std::uint32_t first, std::uint32_t last) {
  return last == first + 1 ? fmt::format("particle {}", first)
                           : fmt::format("particles {}–{}", first, last - 1);
}

// Beside the names of the views, or below them.
void draw_words(const LatticeScene& scene, const Rect& area) {
  const core::Particles& p = scene.particles;
  const std::string title = fmt::format(
      "box {} of {}, {} {}, {} particles each", count_text(scene.home + 1),
      count_text(p.lattice.boxes()), scene.list.size(),
      scene.list.size() == 1 ? "neighbour: itself" : "neighbours", count_text(p.in_box));
  const Rect line = title_line(scene.frame, scene.canvas, area);
  const bool beside = scene.canvas.width(title, pen::title) <= line.width();
  Stack stack = draw_view_head(scene.frame, scene.canvas, area,
                               {.title = {beside ? title : ""}, .pen = pen::title});
  if (!beside) {
    stack.say(title, pen::title);
  }
  std::string work = fmt::format("workgroup {} of {}: its {}", count_text(scene.workgroup + 1),
                                 count_text(scene.frame.model.result.tiles.group_count()),
                                 particles_text(scene.items.first.x, scene.items.last.x));
  if (p.kept < p.in_box) {
    work += fmt::format("; {} of each box are drawn", count_text(p.kept));
  }
  stack.say(work, pen::dim);
}

// A segment a neighbour, a piece of it a tile.
void draw_strip(const LatticeScene& scene, const Rect& strip) {
  const Theme& theme = scene.theme();
  const ValueAxis axis{0.0, static_cast<double>(scene.tiles()), strip.low.x, strip.high.x};
  const float step = strip.width() / static_cast<float>(scene.list.size());
  const float gap = std::min(theme.gap.thin, 0.3F * step);
  const float done = axis.pixel(scene.staged + 1.0);
  for (std::size_t n = 0; n < scene.list.size(); ++n) {
    const float x = strip.low.x + step * static_cast<float>(n);
    const Rect box{{x, strip.low.y}, {x + step - gap, strip.high.y}};
    const bool now = n == scene.neighbour();
    scene.canvas.fill(box, fade(theme.colours.shared, 0.2F));
    scene.canvas.fill(box.clipped({strip.low, {std::max(done, x), strip.high.y}}),
                      fade(theme.colours.shared, now ? 1.0F : 0.5F));
    if (now) {
      scene.canvas.frame(box.inset(-1.0F, -1.0F), theme.colours.text, theme.gap.thin);
    }
  }
  const Hit mouse = hit("neighbours", strip);
  if (mouse.held || mouse.clicked) {
    const double at = std::clamp(axis.value(ImGui::GetIO().MousePos.x), 0.0, axis.high - 1e-3);
    scene.frame.state.of<LatticeState>().staged = static_cast<std::uint32_t>(at) + 1;
  }
}

void draw_scrubber(const LatticeScene& scene, const Rect& area) {
  const Gaps& gap = scene.theme().gap;
  scene.canvas.line(area.low, {area.high.x, area.low.y}, scene.theme().colours.line);
  Stack stack{scene.canvas, area.inset(gap.large, gap.small)};
  if (!scene.tiled) {
    return stack.say(
        "no shared memory: each invocation reads all particles of these boxes from global memory",
        pen::text.in(&Palette::global_text));
  }
  Strip strip = stack.strip();
  draw_step_buttons(scene.frame, scene.canvas, strip.rest);
  strip.rest.cut_left(gap.medium);
  const auto [first, last] = scene.span();
  const std::uint32_t box = scene.list[scene.neighbour()];
  const std::string brief = fmt::format("{} of box {}", particles_text(first, last), box + 1);
  strip.fitting(
      {fmt::format("in shared memory: {}{}, neighbour {} of {}", brief,
                   box == scene.home ? " itself" : "", scene.neighbour() + 1, scene.list.size()),
       brief},
      pen::text.in(&Palette::shared_text));
  stack.gap(gap.small);
  draw_strip(scene, stack.lines(0.5F));
}

std::vector<LegendItem> legend_of(const LatticeScene& scene, const BodiesPainting& painting) {
  const Palette& c = scene.theme().colours;
  std::vector<LegendItem> items{
      tints_of(scene.frame, painting, "potential", ""),
      {mark::outline(c.text), "home box", "home", 4},
      {mark::dot(c.registers), "particle of an invocation, in registers", "own", 3},
      {mark::outline(c.global), "neighbours, in global memory", "neighbours", 2}};
  if (scene.tiled) {
    const Mark tile = [&c](const Canvas& canvas, const Rect& box) {
      mark::outline(c.shared)(canvas, box);
      mark::dot(c.shared)(canvas, box);
    };
    items.push_back({tile, "tile in shared memory", "tile", 5});
  }
  return items;
}

void draw_lattice(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const Gaps& gap = frame.theme.gap;
  const float line = canvas.line_height();
  LatticeScene scene = scene_of(frame, canvas);
  take_steps(scene);
  Rect space = area;
  Rect legend = space.cut_bottom(line + gap.large).inset(gap.large, gap.medium);
  const Rect scrubber = space.cut_bottom((scene.tiled ? 1.7F : 1.0F) * line + gap.large);
  BodiesShot shot;
  shot.particles = frame.model.result.particles;
  shot.home = scene.home;
  if (const auto painting = draw_painting(frame, canvas, space, std::move(shot))) {
    {
      const Clip clip(canvas, space);
      draw_boxes(scene, {painting->camera, space});
    }
    draw_legend(canvas, frame.textures, legend, legend_of(scene, *painting));
  }
  draw_words(scene, space);
  draw_scrubber(scene, scrubber);
}

bool has_particles(const core::Result& result) {
  return result.particles != nullptr;
}

Moves moves() {
  Moves moves = orbit_moves();
  moves.step = [](ActionContext& c, int by) { c.state.of<StepState>().steps = by; };
  moves.leap = [](ActionContext& c, int by) { c.state.of<StepState>().leaps = by; };
  return moves;
}

}  // namespace

CentreView lattice_row() {
  return {.name = "bodies",
          .answers = "Which boxes does a workgroup read?",
          .manual = {.chapter = "Lattice"},
          .there = has_particles,
          .draw = draw_lattice,
          .overview = true,
          .open =
              [](ViewStates& states) {
                states.of<OrbitState>();
                states.of<LatticeState>();
              },
          .moves = moves()};
}

}  // namespace ui
