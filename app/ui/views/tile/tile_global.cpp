// The buffers that a workgroup reads and writes, as small maps of their elements.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/views/tile/tile_view.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

constexpr float kNarrow = 2.2F;  // lines of text, of a map with its words
constexpr float kWide = 5.3F;
constexpr float kWords = 2.0F;      // lines of them below a map: its name and what happens to it
constexpr float kLeastMap = 1.5F;   // a lower one has no third line, for its size
constexpr double kLongest = 4.0;    // times as long as wide, else a list is folded
constexpr double kSlimmest = 64.0;  // the same of a matrix, which keeps its shape

// As the workload stores the buffer: rows and columns of elements.
glm::u64vec2 matrix_of(const TileScene& scene, std::uint32_t variable) {
  const core::TracedVariable& v = scene.trace().variables[variable];
  const ElementShape& shape = scene.story.shapes()[variable];
  const auto& buffers = scene.frame.model.result.buffers;
  if (v.binding < buffers.size() && buffers[v.binding].columns > 0) {
    const core::BufferSpec& spec = buffers[v.binding];
    const std::uint64_t across = spec.transposed ? spec.rows : spec.columns;
    const std::uint64_t words = across * spec.components;
    if (words % shape.slices == 0 && spec.words() == shape.count * shape.slices) {
      return {spec.transposed ? spec.columns : spec.rows, words / shape.slices};
    }
  }
  return {1, shape.count};
}

GlobalPlate plate_of(const TileScene& scene, std::uint32_t variable) {
  const core::TracedVariable& v = scene.trace().variables[variable];
  const auto [rows, columns] =
      std::pair(matrix_of(scene, variable).x, matrix_of(scene, variable).y);
  GlobalPlate plate;
  plate.variable = variable;
  plate.name = v.name;
  plate.block.variable = variable;
  plate.block.count = rows * columns;
  const double ratio = static_cast<double>(rows) / static_cast<double>(columns);
  const double longest = rows > 1 && columns > 1 ? kSlimmest : kLongest;
  const bool folded = ratio > longest || ratio < 1.0 / longest;
  plate.block.columns =
      folded ? wrap_columns(plate.block.count) : static_cast<std::uint32_t>(columns);
  const bool matrix = rows > 1 && columns > 1;
  const std::string count = count_text(plate.block.count);
  plate.shape = matrix ? fmt::format("{} × {}", rows, columns)
                       : count + (plate.block.count == 1 ? " element" : " elements");
  plate.brief = matrix ? fmt::format("{}×{}", rows, columns) : count;
  return plate;
}

// What the workgroup ever touches of the buffer.
std::vector<CellRun> reach_of(const TileScene& scene, const GlobalPlate& plate) {
  std::vector<std::uint64_t> cells;
  for (const core::TracedAccess& a : scene.trace().accesses) {
    if (scene.trace().sites[a.site].variable == plate.variable) {
      cells.push_back(a.offset / scene.story.shapes()[plate.variable].bytes);
    }
  }
  sort_unique(cells);
  return runs_of(plate.block, cells);
}

// What is touched at the moment.
void fill(const TileScene& scene, GlobalPlate& plate, bool writes) {
  std::map<std::uint64_t, std::uint32_t> times;
  for (const Touch& t : scene.moment.touches) {
    for (std::uint64_t e = t.element; e < t.element + t.elements; ++e) {
      if (t.variable == plate.variable && t.writes == writes) {
        ++times[e];
      }
    }
  }
  std::vector<std::uint64_t> cells;
  TouchSpan span;
  for (const auto& [cell, count] : times) {
    cells.push_back(cell);
    span.add(count);
  }
  (writes ? plate.written : plate.read) = runs_of(plate.block, cells);
  (writes ? plate.writing : plate.reading) = span;
}

const std::vector<GlobalPlate>& plates_now(const TileScene& scene) {
  TileCache& cache = scene.frame.state.of<TileCache>();
  if (std::exchange(cache.plates_of, scene.story.number()) != scene.story.number()) {
    cache.plates.clear();
    cache.plates_at = 0;
    for (std::uint32_t v = 0; v < scene.trace().variables.size(); ++v) {
      if (!scene.shared(v)) {
        cache.plates.push_back(plate_of(scene, v));
        cache.plates.back().reach = reach_of(scene, cache.plates.back());
      }
    }
  }
  if (std::exchange(cache.plates_at, scene.moment.version) != scene.moment.version) {
    for (GlobalPlate& plate : cache.plates) {
      fill(scene, plate, false);
      fill(scene, plate, true);
    }
  }
  return cache.plates;
}

// Read: an open mark. Written: a full one.
void draw_runs(const TileScene& scene, const CellBlock& block, const std::vector<CellRun>& runs,
               bool writes) {
  const Gaps& gap = scene.theme().gap;
  const Colour colour = scene.theme().colours.global;
  for (const CellRun& run : runs) {
    const Rect area = area_of(block, run).at_least(gap.thin);
    const bool open = !writes && std::min(area.width(), area.height()) > gap.small;
    scene.canvas.fill(area, fade(colour, writes || area.height() <= gap.small ? 1.0F : 0.45F));
    if (open) {
      scene.canvas.frame(area, colour, 0.5F * gap.thin);
    }
  }
}

// The longest wording first; of what nobody touches none is needed.
Wordings plate_notes(const GlobalPlate& plate) {
  const TouchSpan& read = plate.reading;
  const TouchSpan& written = plate.writing;
  if (read.cells + written.cells == 0) {
    return plate.reach.empty() ? Wordings{"not accessed", ""}
                               : Wordings{"no access now", "none now", ""};
  }
  if (read.cells > 0 && written.cells > 0) {
    return {read.text("read") + ", " + written.text("written"),
            read.brief("read") + ", " + written.brief("written"), "read, written", "both"};
  }
  const char* done = written.cells == 0 ? "read" : "written";
  const TouchSpan& span = written.cells == 0 ? read : written;
  return {span.text(done), span.brief(done), done};
}

// In a line of its own; none is better than one that is cut. A number alone above what was written
// would be read as how many.
Wordings fitting_shape(const TileScene& scene, const GlobalPlate& plate) {
  const bool fits = scene.canvas.width(plate.brief) <= plate.block.slot.width();
  const bool number = plate.brief.find_first_not_of("0123456789,") == std::string::npos;
  return {plate.shape, number ? "size " + plate.brief : plate.brief,
          fits ? plate.brief : std::string()};
}

// On two lines where it has a joint and that leaves one for what is touched; else shortened.
// Whether the size stands beside it.
bool draw_name(Stack& words, const GlobalPlate& plate) {
  const Canvas& canvas = words.canvas;
  const std::size_t joint = plate.name.rfind('_');
  const float room = words.rest.width();
  if (canvas.width(plate.name) > room && joint + 1 < plate.name.size() &&
      words.has(kWords + 1.0F)) {
    const std::string first = plate.name.substr(0, joint + 1);
    const std::string second = plate.name.substr(joint + 1);
    if (std::max(canvas.width(first), canvas.width(second)) <= room) {
      words.say(first);
      words.say(second);
      return false;
    }
  }
  Strip line = words.strip();
  if (line.left_if(plate.name)) {
    return line.left_if(plate.shape, pen::dim) || line.left_if(plate.brief, pen::dim);
  }
  line.write(shorten_name(canvas, plate.name, line.rest.width()));
  return false;
}

void draw_plate(const TileScene& scene, const GlobalPlate& plate) {
  const Theme& theme = scene.theme();
  const Canvas& canvas = scene.canvas;
  const Rect& area = plate.block.area;
  canvas.fill(area, theme.colours.raised);
  {
    const Clip clip(canvas, area.inset(-1.0F, -1.0F));
    for (const CellRun& run : plate.reach) {
      canvas.fill(area_of(plate.block, run).at_least(theme.gap.thin),
                  fade(theme.colours.global, 0.28F));
    }
    draw_runs(scene, plate.block, plate.read, false);
    draw_runs(scene, plate.block, plate.written, true);
  }
  canvas.frame(area.inset(-1.0F, -1.0F), theme.colours.global, 1.0F);
  Stack words{canvas,
              {{plate.block.slot.low.x, area.high.y + theme.gap.thin}, plate.block.slot.high}};
  const bool sized = draw_name(words, plate);
  const bool untouched = plate.reading.cells + plate.writing.cells == 0;
  if (!sized && (words.has(kWords) || untouched)) {
    words.fitting(fitting_shape(scene, plate), pen::dim);
  }
  words.fitting(plate_notes(plate), pen::dim);
}

// Pixels that a map is wide at a height of one.
float ratio_of(const GlobalPlate& plate) {
  return std::clamp(
      static_cast<float>(plate.block.columns) / static_cast<float>(plate.block.rows()), 0.25F,
      2.0F);
}

Wordings buffers_left_out(std::size_t count) {
  Wordings all = left_out_words(count);
  all.insert(all.begin(), all.front() + (count == 1 ? " buffer" : " buffers"));
  return all;
}

// Maps of one height, and the width of each with its words.
struct MapRow {
  float height = 0.0F;
  std::vector<float> slots;
};

// The width of each with its words, at least: all alike, unless a long name has room where short
// ones spare it.
std::vector<float> least_slots(const TileScene& scene, const std::vector<GlobalPlate>& plates,
                               float across) {
  const float line = scene.canvas.line_height();
  const auto count = static_cast<float>(plates.size());
  const float alike = std::clamp(across / count, kNarrow * line, kWide * line);
  std::vector<float> named;
  float sum = 0.0F;
  for (const GlobalPlate& plate : plates) {
    named.push_back(std::max(std::ceil(scene.canvas.width(plate.name)) + 1.0F, kNarrow * line));
    sum += named.back();
  }
  if (sum > across || std::ranges::max(named) <= alike) {
    return std::vector<float>(plates.size(), alike);
  }
  return named;
}

// As high as they are beside each other, in a room so high.
MapRow map_row(const TileScene& scene, const std::vector<GlobalPlate>& plates, float room) {
  const float gap = scene.theme().gap.large;
  const auto count = static_cast<float>(plates.size());
  const float across = scene.global.width() - gap * (count - 1.0F);
  const std::vector<float> least = least_slots(scene, plates, across);
  MapRow row{.height = room + 1.0F, .slots = {}};
  float wide = 0.0F;
  do {
    row.height -= 1.0F;
    row.slots.clear();
    wide = 0.0F;
    for (std::size_t i = 0; i < plates.size(); ++i) {
      row.slots.push_back(std::max(std::floor(row.height * ratio_of(plates[i])), least[i]));
      wide += row.slots.back();
    }
  } while (row.height > gap && wide > across);
  const float spare = std::floor(std::max(across - wide, 0.0F) / count);
  for (float& slot : row.slots) {
    slot = std::max(slot, std::min(slot + spare, kWide * scene.canvas.line_height()));
  }
  return row;
}

// Each has room for its size beside its name.
bool all_sized(const TileScene& scene, const std::vector<GlobalPlate>& plates, const MapRow& row) {
  for (std::size_t i = 0; i < plates.size(); ++i) {
    const float words = scene.canvas.width(plates[i].name) + scene.theme().gap.medium + 2.0F +
                        scene.canvas.width(plates[i].brief);
    if (words > row.slots[i]) {
      return false;
    }
  }
  return true;
}

// For how many are left out; the last of those that are not makes way for a number alone.
void make_room_for_words(TileScene& scene, Rect rest) {
  const auto told = [&scene] {
    return scene.canvas.width(left_out_words(scene.left_out)[scene.plates.size() > 1 ? 0 : 1]);
  };
  while (scene.left_out > 0 && !scene.plates.empty() && rest.width() < told()) {
    rest.low.x = scene.plates.back().block.slot.low.x;
    scene.plates.pop_back();
    ++scene.left_out;
  }
  scene.left_out_at = rest;
}

}  // namespace

void place_plates(TileScene& scene) {
  const std::vector<GlobalPlate>& plates = plates_now(scene);
  const float line = scene.canvas.line_height();
  const float gap = scene.theme().gap.large;
  Rect rest = scene.global;
  const auto room_above = [&](float words) {
    return std::floor(scene.global.height() - words * line - scene.theme().gap.medium);
  };
  float room = room_above(kWords);
  if (plates.empty() || rest.empty() || room < gap) {
    return;
  }
  MapRow row = map_row(scene, plates, room);
  if (const float less = room_above(kWords + 1.0F);
      less >= kLeastMap * line && !all_sized(scene, plates, row)) {
    room = less;
    row = map_row(scene, plates, room);
  }
  rest.cut_top(std::floor(0.5F * (room - row.height)));
  for (std::size_t i = 0; i < plates.size() && rest.width() + 1.0F >= row.slots[i]; ++i) {
    CellBlock& block = scene.plates.emplace_back(plates[i]).block;
    block.slot = rest.cut_left(row.slots[i]);
    block.area = {
        block.slot.low,
        block.slot.low + glm::vec2(std::floor(row.height * ratio_of(plates[i])), row.height)};
    rest.cut_left(gap);
  }
  scene.left_out = plates.size() - scene.plates.size();
  make_room_for_words(scene, rest);
}

void draw_plates(const TileScene& scene) {
  for (const GlobalPlate& plate : scene.plates) {
    draw_plate(scene, plate);
  }
  if (scene.left_out > 0 && !scene.left_out_at.empty()) {
    Stack{scene.canvas, scene.left_out_at}.fitting(buffers_left_out(scene.left_out), pen::dim);
  }
}

}  // namespace ui
