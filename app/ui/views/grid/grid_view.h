// The parts of the grid view, which draw_grid() in grid_view.cpp puts together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/field.h"
#include "core/report/difference.h"
#include "ui/panels/panels.h"
#include "ui/views/grid/grid_layout.h"
#include "ui/views/grid/grid_marks.h"
#include "ui/views/grid/grid_state.h"

namespace ui {

void draw_grid(const Frame& frame, const Canvas& canvas, const Rect& area);

/// The boxes that mark racing tiles, and what they were made for.
struct RaceMarks final : ViewState {
  std::tuple<std::shared_ptr<const core::CheckReport>, std::size_t, std::uint32_t, std::uint32_t>
      of;  ///< report, grid, tiles a row, tiles a mark
  std::vector<TileBox> boxes;
};

/// The boxes of a plate's racing elements, and what they were made for.
struct ElementMarks final : ViewState {
  struct Of {
    std::tuple<std::shared_ptr<const core::CheckReport>, core::BufferSpec, std::uint32_t> of;
    std::vector<TileBox> boxes;
  };
  std::map<std::size_t, Of> plates;  ///< by buffer
};

/// A number for each tile of a folded launch, a texel each, and what it was made from: the mean
/// speed of its bodies, or the mean of what it writes or reads.
struct TileMeans final : ViewState {
  std::shared_ptr<const void> of;
  std::shared_ptr<const core::Field> means;
};
/// The mean of a region of a buffer that was reduced to `field`.
[[nodiscard]] float mean_of(const core::Field& field, const core::Region& region);

/// The numbers of a tile, and where there is room for them.
struct TileCard {
  struct Line {
    std::string name, value;
  };
  std::string title;
  std::vector<Line> lines;
  float names = 0.0F;  ///< width of the names' column, pixels
  Rect rect;
};

/// Its size, as wide as its texts and as high as the room allows; cuts lines off that don't fit.
[[nodiscard]] glm::vec2 measure_card(const Canvas& canvas, const Rect& room, TileCard& card);
void draw_card(const Canvas& canvas, const TileCard& card);

/// What the parts of one frame of the grid view share.
struct GridScene {
  const Frame& frame;
  const Canvas& canvas;
  Rect room;  ///< where the matrices are drawn
  GridLayout layout;
  GridCamera camera;
  std::optional<std::uint64_t> tile;         ///< the one that is pointed at
  std::optional<glm::uvec3> item;            ///< the cell that the mouse points at, as a work item
  TileCard card;                             ///< its numbers; empty without a tile
  std::shared_ptr<const core::Field> means;  ///< of the tiles of a folded launch; may be null

  [[nodiscard]] const core::Result& result() const { return frame.model.result; }
  /// The data of a plate; null when the lab sent none.
  [[nodiscard]] const core::Field* field(const Plate& plate) const;
  /// What it differs by, where that is to be shown and known; else null.
  [[nodiscard]] std::shared_ptr<const core::Difference> difference(const Plate& plate) const;
};

/// Of a texture that lies over `area` the part that can be seen, so that a deep zoom keeps its
/// precision.
void draw_texture(const GridScene& scene, ImTextureID texture, const Area& area);
/// The frame of what is written: black and white, to be seen on any heat map.
void draw_written(const Canvas& canvas, const Rect& rect);
/// The matrices as heat maps, with captions, tile lines, progress and idle edges.
void draw_plates(const GridScene& scene);
void draw_folded_tiles(const GridScene& scene);
/// The tiles in the timeline's colours, and the moment of the launch that is played back.
void draw_launch(const GridScene& scene);
/// Whole tiles and what they leave over, by who does it.
void draw_sections(const GridScene& scene);
/// Something is left over, and it is to be shown.
[[nodiscard]] bool shows_sections(const GridState& state, const core::Result& result);
/// Sections that are done alike: what by, and the words for it.
struct SectionKey {
  Colour colour = 0;
  std::string text, brief;
};
[[nodiscard]] std::vector<SectionKey> section_keys(const core::Result& result,
                                                   const Palette& colours);
/// Tiles with findings, in the race's colour and hatched, and the elements of buffers that raced.
void draw_race_marks(const GridScene& scene);
/// The element that the chosen finding is about, where it is no race and its workgroup is traced.
void draw_found_element(const GridScene& scene);
/// The pointed-at tile: what it writes and the bands that it reads.
void draw_pointed_tile(const GridScene& scene);
/// Its numbers. They are placed before anything is drawn, so that captions can make way.
[[nodiscard]] TileCard make_tile_card(const GridScene& scene);
void draw_tile_card(const GridScene& scene);
/// What a buffer differs by, where that is to be shown and known; else null.
[[nodiscard]] std::shared_ptr<const core::Difference> shown_difference(const Frame& frame,
                                                                       std::size_t buffer);
/// Some plate is shown as its difference: marks would hide it.
[[nodiscard]] bool shows_difference(const GridScene& scene);
/// Of a tile that writes this, if that is known: the most that it differs by; of the cell under the
/// mouse: got, wanted, difference.
[[nodiscard]] std::vector<TileCard::Line> difference_lines(const GridScene& scene,
                                                           const core::Region* written);
/// How much is compared, and what is right of it; or why there is nothing to be shown.
[[nodiscard]] std::string difference_words(const core::Result& result);
/// Colour bars and the meaning of the colours.
[[nodiscard]] float legend_height(const Canvas& canvas);
void draw_grid_legend(const GridScene& scene, const Rect& area);

}  // namespace ui
