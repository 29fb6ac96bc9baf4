// What whole tiles leave over of a launch whose size they do not divide: the sections of its work
// items (seed "tiled_extent::truncate"), who does them, and launches of a section each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue/tile_map.h"

namespace core {

/// Of the extent in x and y: whole tiles, then what is left over to the right of them, below them,
/// and in the corner between. The seed's M, R, B and C.
enum class Section { middle, right, bottom, corner };

/// "M", "R", "B", "C".
[[nodiscard]] std::string to_string(Section section);
[[nodiscard]] std::optional<Section> section_named(const std::string& letter);

/// The work items of a section; no volume where nothing is left over, or no tile is whole.
[[nodiscard]] Box items_of(Section section, const TileMap& tiles);
/// The section that a work item belongs to.
[[nodiscard]] Section section_at(const TileMap& tiles, glm::uvec3 item);
/// The workgroups of some sections, as one box; no volume where all of them are empty. Workgroups
/// are counted as in a launch that is rounded up.
[[nodiscard]] Box groups_of(std::span<const Section> sections, const TileMap& tiles);
/// Whether the workgroups of some sections make one box at every size.
[[nodiscard]] bool is_box(std::span<const Section> sections);

/// A section in numbers.
struct SectionFigures {
  Section section = Section::middle;
  Box items;
  std::uint64_t cells = 0;       ///< work items
  std::uint64_t workgroups = 0;  ///< that touch them
  /// Invocations that do them; where a launch is rounded down, those at the edge, in addition to
  /// their own.
  std::uint64_t invocations = 0;
};

/// The sections that are not empty, in the order of the enumeration.
[[nodiscard]] std::vector<SectionFigures> sections_of(const TileMap& tiles);

/// Who does a left-over work item of a launch that is rounded down.
struct EdgeWorker {
  glm::uvec3 group{0};
  glm::uvec3 invocation{0};  ///< local
};
/// Nothing where the launch is rounded up, or the item belongs to a whole tile.
[[nodiscard]] std::optional<EdgeWorker> edge_worker(const TileMap& tiles, glm::uvec3 item);

/// Workgroups of launches that follow each other, those that are still to come when so many are
/// done: boxes, none of them empty.
[[nodiscard]] std::vector<Box> groups_to_come(std::span<const Box> launches, std::uint64_t done);

}  // namespace core
