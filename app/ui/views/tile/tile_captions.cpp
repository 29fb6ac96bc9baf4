// What stands above and below the blocks of the figure, and how it makes way for arrows.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/views/tile/tile_marks.h"
#include "ui/views/tile/tile_view.h"

namespace ui {
namespace {

constexpr float kCaption = 6.0F;  // lines of text, of a block that has room for its words

std::string shape_text(const core::Trace& trace) {
  const auto& s = trace.local_size;
  std::string text = s[2] > 1   ? fmt::format("{} × {} × {}", s[0], s[1], s[2])
                     : s[1] > 1 ? fmt::format("{} × {}", s[0], s[1])
                                : fmt::format("{}", s[0]);
  return trace.subgroup_size > 0 ? text + fmt::format(", subgroups of {}", trace.subgroup_size)
                                 : text;
}

// How far the words of a block may reach to the right.
float right_end(const TileScene& scene, const CellBlock& block) {
  float end = scene.figure.high.x;
  for (const CellBlock& other : scene.blocks) {
    const bool beside = other.slot.low.x > block.slot.low.x &&
                        other.slot.low.y < block.slot.high.y &&
                        block.slot.low.y < other.slot.high.y;
    if (beside) {
      end = std::min(end, other.slot.low.x - scene.theme().px(12));
    }
  }
  return end;
}

// What a block is called, and what it is made of.
std::pair<std::string, std::string> caption_of(const TileScene& scene, const CellBlock& block) {
  if (block.invocations) {
    return {"invocations", shape_text(scene.trace())};
  }
  const core::TracedVariable& v = scene.trace().variables[block.variable];
  return {v.name, block.wrapped ? fmt::format("{}, {} a row", v.type, block.columns) : v.type};
}

Wordings halo_words(const CellBlock& block) {
  return block.halo == 0 ? Wordings() : Wordings{fmt::format("halo {} wide", block.halo), "halo"};
}

// "20 of 33 columns, 6 of 32 rows", or less of it, of an array that is not seen whole; empty: it
// is.
Wordings part_words(const TileScene& scene, const CellBlock& block) {
  const Rect seen = block.area.clipped(scene.figure);
  if (block.invocations || seen.empty()) {
    return {};
  }
  const glm::vec2 whole = glm::floor(seen.size() / block.cell_size() + 0.02F);
  const auto part = [](float some, std::uint32_t all, const char* what) {
    const auto seen_of = static_cast<std::uint32_t>(some);
    return seen_of < all ? fmt::format("{} of {} {}", seen_of, all, what) : std::string();
  };
  const std::string columns = part(whole.x, block.columns, "columns");
  const std::string rows = part(whole.y, block.rows(), "rows");
  const bool both = !columns.empty() && !rows.empty();
  return {columns + (both ? ", " : "") + rows, columns.empty() ? rows : columns};
}

// A note below a block and a caption above it.
std::vector<WordLine> words_around(const TileScene& scene, const CellBlock& block) {
  const Canvas& canvas = scene.canvas;
  const float line = canvas.line_height();
  const float gap = scene.theme().gap.thin;
  const float end = right_end(scene, block);
  const bool wide = end - block.area.low.x >= kCaption * line;
  const float left = std::max(wide ? block.area.low.x : block.slot.low.x, scene.figure.low.x);
  const auto line_at = [&](float y) { return Rect{{left, y}, {end, y + line}}; };
  const auto inside = [&](const Rect& r) {
    return r.low.y >= scene.figure.low.y && r.high.y <= scene.figure.high.y + 1.0F;
  };
  std::vector<WordLine> all;
  if (end - left < 2.0F * line) {
    return all;
  }
  if (Rect below = line_at(block.area.high.y + gap); inside(below)) {
    const Wordings notes = notes_of(scene, block);
    if (canvas.width(notes.front()) > below.width()) {
      below.low.x = std::max(block.slot.low.x, scene.figure.low.x);
    }
    all.push_back({{below, canvas.fitting(notes, below.width()), pen::dim}});
  }
  if (Rect above = line_at(block.area.low.y - line - gap); inside(above)) {
    const auto [name, type] = caption_of(scene, block);
    WordLine caption{{above, name, pen::text}};
    above.cut_left(canvas.width(name) + scene.theme().gap.medium);
    for (const Wordings& wordings : {Wordings{type}, halo_words(block), part_words(scene, block)}) {
      const auto words = std::ranges::find_if(
          wordings, [&](const std::string& text) { return canvas.width(text) <= above.width(); });
      if (words != wordings.end() && !words->empty()) {
        caption.push_back({above, *words, pen::dim});
        above.cut_left(canvas.width(*words) + scene.theme().gap.large);
      }
    }
    all.push_back(std::move(caption));
  }
  return all;
}

// To the left of invocations that stand below each other.
std::vector<WordLine> numbers_beside(const TileScene& scene, const CellBlock& block) {
  std::vector<WordLine> all;
  const float line = scene.canvas.line_height(pen::mono);
  if (!block.invocations || block.columns > 1 || block.count < 2 || block.cell_size().y < line) {
    return all;
  }
  for (std::uint64_t i = 0; i < block.count; ++i) {
    const std::string number = fmt::format("{}", i);
    const float width = scene.canvas.width(number, pen::mono) + 1.0F;
    const Rect cell = block.cell(i);
    const glm::vec2 low = glm::floor(
        glm::vec2(cell.low.x - width - scene.theme().gap.medium, cell.centre().y - 0.5F * line));
    const Rect words{low, low + glm::vec2(width, line)};
    if (scene.figure.contains(words)) {
      all.push_back({{words, number, pen::mono}});
    }
  }
  return all;
}

// From where to where an arrow lies in a line of words; empty: it does not touch it.
Rect struck_part(const TileScene& scene, const Stroke& stroke, const Rect& words) {
  const float apart = scene.theme().gap.medium;
  Rect struck;
  for (const Rect& piece : stroke) {
    if (piece.overlaps(words)) {
      const Rect part = piece.inset(-apart, 0.0F);
      struck = struck.empty() ? part : around({struck, part});
    }
  }
  return struck;
}

// Whether the words of a line may stand at `moved`: in the figure, struck by no arrow, and at none
// but their own block.
bool is_clear(const TileScene& scene, const std::vector<Stroke>& strokes, const WordLine& line,
              const Rect& moved) {
  const Rect words = rect_of(scene, line);
  const auto struck = [&](const Stroke& s) { return !struck_part(scene, s, moved).empty(); };
  const auto taken = [&](const WordLine& other) {
    return &other != &line &&
           rect_of(scene, other).inset(-between_words(scene), 0.0F).overlaps(moved);
  };
  const auto foreign = [&](const CellBlock& block) {
    return block.area.overlaps(moved) ||
           (block.slot.overlaps(moved) && !block.slot.overlaps(words));
  };
  return scene.figure.contains(moved) && std::ranges::none_of(strokes, struck) &&
         std::ranges::none_of(scene.words, taken) && std::ranges::none_of(scene.blocks, foreign);
}

}  // namespace

float between_words(const TileScene& scene) {
  return std::ceil(0.5F * scene.canvas.line_height());
}

void step_aside(TileScene& scene, const std::vector<Stroke>& strokes) {
  if (scene.pointed) {  // they would not stand still under the mouse
    return;
  }
  for (WordLine& line : scene.words) {
    const Rect words = rect_of(scene, line);
    for (const Stroke& stroke : strokes) {
      const Rect struck = struck_part(scene, stroke, words);
      std::array ways{struck.low.x - words.high.x, struck.high.x - words.low.x};
      std::ranges::sort(ways, {}, [](float by) { return std::abs(by); });  // the nearest
      for (const float by : ways) {
        const glm::vec2 aside{std::floor(by), 0.0F};
        const Rect moved{words.low + aside, words.high + aside};
        if (!struck.empty() && rect_of(scene, line) == words &&
            is_clear(scene, strokes, line, moved)) {
          for (PlacedWords& part : line) {
            part.line = {part.line.low + aside, part.line.high + aside};
          }
        }
      }
    }
  }
}

void place_words(TileScene& scene) {
  for (const CellBlock& block : scene.blocks) {
    for (auto& lines : {words_around(scene, block), numbers_beside(scene, block)}) {
      scene.words.insert(scene.words.end(), lines.begin(), lines.end());
    }
  }
}

Rect rect_of(const TileScene& scene, const WordLine& line) {
  const PlacedWords& last = line.back();
  const float end = last.line.low.x + scene.canvas.width(last.text, last.pen);
  return {line.front().line.low, {std::min(end, last.line.high.x), last.line.high.y}};
}

void draw_block_words(const TileScene& scene) {
  const Clip clip(scene.canvas, scene.figure);
  for (const WordLine& line : scene.words) {
    for (const PlacedWords& words : line) {
      put_words(scene, words.line, words.text, words.pen);
    }
  }
}

void put_words(const TileScene& scene, const Rect& line, std::string_view text, const Pen& pen) {
  const std::string shown = scene.canvas.shorten(text, scene.canvas.font(pen), line.width());
  const Rect ground{line.low, {line.low.x + scene.canvas.width(shown), line.high.y}};
  scene.canvas.fill(ground.inset(-2.0F, 0.0F), fade(scene.theme().colours.background, 0.86F));
  scene.canvas.write(line, shown, pen);
}

}  // namespace ui
