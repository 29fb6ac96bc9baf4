#include "core/catalogue/sections.h"

#include <algorithm>
#include <array>

#include <glm/common.hpp>

namespace core {
namespace {

constexpr std::array kAll{Section::middle, Section::right, Section::bottom, Section::corner};

bool is_left_over_along(Section section, int dimension) {
  return section == Section::corner ||
         section == (dimension == 0 ? Section::right : Section::bottom);
}

// Where whole tiles end. Only x and y are cut: what lies deeper belongs to the same section.
glm::uvec3 whole(const TileMap& tiles) {
  return {tiles.extent.x / tiles.covers.x * tiles.covers.x,
          tiles.extent.y / tiles.covers.y * tiles.covers.y, tiles.extent.z};
}

Box groups_with(const Box& items, const TileMap& tiles) {
  if (items.count() == 0) {
    return {};
  }
  return {items.first / tiles.covers, (items.last - 1U) / tiles.covers + 1U};
}

// Invocations along one dimension that do the left-over of the other: as many as deal with the
// whole tiles in it.
std::uint64_t edge_along(std::uint32_t items, std::uint32_t covers, std::uint32_t local) {
  return std::uint64_t{items / covers} * local;
}

std::uint64_t edge_invocations(Section section, const Box& items, const TileMap& tiles) {
  switch (section) {
    case Section::right:
      return edge_along(items.size().y, tiles.covers.y, tiles.local_size.y);
    case Section::bottom:
      return edge_along(items.size().x, tiles.covers.x, tiles.local_size.x);
    default:
      return 1;
  }
}

std::uint64_t useful_in(const Box& groups, const TileMap& tiles) {
  // All workgroups of a section but for its last ones are alike, and of those there is one a
  // dimension at most.
  const glm::uvec3 size = groups.size();
  return tiles.useful_invocations(groups.first) * size.x * size.y * size.z;
}

}  // namespace

std::string to_string(Section section) {
  static constexpr std::array letters{"M", "R", "B", "C"};
  return letters[static_cast<std::size_t>(section)];
}

std::optional<Section> section_named(const std::string& letter) {
  const auto found = std::ranges::find(kAll, letter, [](Section s) { return to_string(s); });
  return found == kAll.end() ? std::nullopt : std::optional(*found);
}

Box items_of(Section section, const TileMap& tiles) {
  const glm::uvec3 end = whole(tiles);
  Box box{{0, 0, 0}, end};
  for (int d = 0; d < 2; ++d) {
    if (is_left_over_along(section, d)) {
      box.first[d] = end[d];
      box.last[d] = tiles.extent[d];
    }
  }
  return box;
}

Section section_at(const TileMap& tiles, glm::uvec3 item) {
  const glm::uvec3 end = whole(tiles);
  const bool right = item.x >= end.x;
  const bool bottom = item.y >= end.y;
  return right && bottom ? Section::corner
         : right         ? Section::right
         : bottom        ? Section::bottom
                         : Section::middle;
}

Box groups_of(std::span<const Section> sections, const TileMap& tiles) {
  Box all;
  for (const Section section : sections) {
    const Box own = groups_with(items_of(section, tiles), tiles);
    if (own.count() > 0) {
      all = all.count() == 0 ? own
                             : Box{glm::min(all.first, own.first), glm::max(all.last, own.last)};
    }
  }
  return all;
}

bool is_box(std::span<const Section> sections) {
  // Cut where it makes every section one workgroup.
  const TileMap tiles{{3, 3, 1}, {2, 2, 1}, {2, 2, 1}};
  return groups_of(sections, tiles).count() == sections.size();
}

std::vector<SectionFigures> sections_of(const TileMap& tiles) {
  std::vector<SectionFigures> all;
  for (const Section section : kAll) {
    SectionFigures figures{.section = section, .items = items_of(section, tiles)};
    figures.cells = figures.items.count();
    if (figures.cells == 0) {
      continue;
    }
    const Box groups = groups_with(figures.items, tiles);
    const bool edge = tiles.truncated && section != Section::middle;
    figures.workgroups = groups.count();
    if (edge) {
      const glm::uvec3 size = groups.size();
      figures.workgroups = section == Section::right    ? size.y
                           : section == Section::bottom ? size.x
                                                        : 1;
      figures.invocations = edge_invocations(section, figures.items, tiles);
    } else {
      figures.invocations = useful_in(groups, tiles);
    }
    all.push_back(figures);
  }
  return all;
}

std::optional<EdgeWorker> edge_worker(const TileMap& tiles, glm::uvec3 item) {
  const Section section = section_at(tiles, item);
  if (!tiles.truncated || section == Section::middle) {
    return std::nullopt;
  }
  EdgeWorker worker{.group = glm::min(item / tiles.covers, tiles.groups() - 1U)};
  for (int d = 0; d < 2; ++d) {
    worker.invocation[d] = is_left_over_along(section, d)
                               ? tiles.local_size[d] - 1
                               : item[d] % tiles.covers[d] % tiles.local_size[d];
  }
  return worker;
}

std::vector<Box> groups_to_come(std::span<const Box> launches, std::uint64_t done) {
  std::vector<Box> rest;
  for (const Box& launch : launches) {
    const std::uint64_t now = std::min(done, launch.count());
    done -= now;
    if (now == launch.count()) {
      continue;
    }
    const glm::uvec3 size = launch.size();
    const auto x = static_cast<std::uint32_t>(now % size.x);
    const auto y = static_cast<std::uint32_t>(now / size.x % size.y);
    const glm::uvec3 first = launch.first;
    // The rest of the row under way, and all below.
    for (const Box& box :
         {Box{{first.x + x, first.y + y, first.z}, {launch.last.x, first.y + y + 1, launch.last.z}},
          Box{{first.x, first.y + y + 1, first.z}, launch.last}}) {
      if (box.count() > 0) {
        rest.push_back(box);
      }
    }
  }
  return rest;
}

}  // namespace core
