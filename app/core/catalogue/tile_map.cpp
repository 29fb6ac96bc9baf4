#include "core/catalogue/tile_map.h"

#include <algorithm>

#include <glm/vector_relational.hpp>

#include "core/base/ceil_div.h"

namespace core {
namespace {

// Invocations along one dimension that have work, summed over workgroups `first` to `last`.
std::uint64_t useful_along(std::uint32_t extent, std::uint32_t covers, std::uint32_t local,
                           std::uint32_t group) {
  const std::uint64_t begin = std::uint64_t{group} * covers;
  const auto inside = static_cast<std::uint32_t>(std::min<std::uint64_t>(extent - begin, covers));
  const std::uint32_t each = ceil_div(covers, local);
  return std::min(local, ceil_div(inside, each));
}

std::uint64_t volume(glm::uvec3 v) {
  return std::uint64_t{v.x} * v.y * v.z;
}

// Do the items of each dimension belong to the invocations of that dimension?
bool follows(glm::uvec3 covers, glm::uvec3 local_size) {
  return covers.x % local_size.x == 0 && covers.y % local_size.y == 0 &&
         covers.z % local_size.z == 0;
}

// In each dimension all workgroups but the last are alike: one of each kind, and how many there
// are.
template <class Visit>
void for_each_kind(glm::uvec3 groups, Visit&& visit) {
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    glm::uvec3 group{0};
    std::uint64_t count = 1;
    for (int d = 0; d < 3; ++d) {
      const bool last = (corner >> static_cast<std::uint32_t>(d) & 1U) != 0;
      group[d] = last ? groups[d] - 1 : 0;
      count *= last ? std::min(groups[d], 1U) : groups[d] - std::min(groups[d], 1U);
    }
    if (count > 0) {
      visit(group, count);
    }
  }
}

// A tile of each kind, and how many workgroups work on tiles of its kind.
template <class Visit>
void for_each_share(const TileMap& map, Visit&& visit) {
  const glm::uvec3 tiles = map.tiles();
  if (map.slices < 2) {
    for_each_kind(tiles, visit);
    return;
  }
  const std::uint64_t all = volume(tiles);
  const std::uint64_t alone = all - map.shared_tiles();
  for (std::uint64_t t = 0; t < all; ++t) {
    visit(glm::uvec3(t % tiles.x, t / tiles.x % tiles.y, t / tiles.x / tiles.y),
          t < alone ? std::uint64_t{1} : std::uint64_t{map.slices});
  }
}

constexpr std::uint64_t kMostGroups = 0xFFFFFFFF;

}  // namespace

std::uint64_t Box::count() const {
  const glm::uvec3 s = size();
  return std::uint64_t{s.x} * s.y * s.z;
}

bool Box::contains(glm::uvec3 at) const {
  return glm::all(glm::greaterThanEqual(at, first)) && glm::all(glm::lessThan(at, last));
}

glm::uvec3 TileMap::tiles() const {
  if (truncated) {
    return {std::max(extent.x / covers.x, 1U), std::max(extent.y / covers.y, 1U),
            std::max(extent.z / covers.z, 1U)};
  }
  return {ceil_div(extent.x, covers.x), ceil_div(extent.y, covers.y), ceil_div(extent.z, covers.z)};
}

std::uint64_t TileMap::shared_tiles() const {
  const std::uint64_t all = volume(tiles());
  return slices > 1 ? all - std::min(whole, all) : 0;
}

glm::uvec3 TileMap::groups() const {
  if (slices < 2) {
    return tiles();
  }
  const std::uint64_t shared = shared_tiles();
  const std::uint64_t count = volume(tiles()) - shared + shared * slices;
  return {static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMostGroups)), 1, 1};
}

glm::uvec3 TileMap::tile_of(glm::uvec3 group) const {
  if (slices < 2) {
    return group;
  }
  const glm::uvec3 all = tiles();
  const std::uint64_t alone = volume(all) - shared_tiles();
  const std::uint64_t tile = group.x < alone ? group.x : alone + (group.x - alone) / slices;
  return {static_cast<std::uint32_t>(tile % all.x),
          static_cast<std::uint32_t>(tile / all.x % all.y),
          static_cast<std::uint32_t>(tile / all.x / all.y)};
}

std::uint64_t TileMap::group_count() const {
  const glm::uvec3 g = groups();
  return std::uint64_t{g.x} * g.y * g.z;
}

glm::uvec3 TileMap::group_at(std::uint64_t position) const {
  const glm::uvec3 g = groups();
  return {static_cast<std::uint32_t>(position % g.x),
          static_cast<std::uint32_t>(position / g.x % g.y),
          static_cast<std::uint32_t>(position / g.x / g.y)};
}

Box TileMap::items(glm::uvec3 group) const {
  Box box;
  const glm::uvec3 all = tiles();
  const glm::uvec3 tile = tile_of(group);
  for (int d = 0; d < 3; ++d) {
    const std::uint64_t begin = std::uint64_t{tile[d]} * covers[d];
    const std::uint64_t end = truncated && tile[d] + 1 == all[d] ? extent[d] : begin + covers[d];
    box.first[d] = static_cast<std::uint32_t>(std::min<std::uint64_t>(begin, extent[d]));
    box.last[d] = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, extent[d]));
  }
  return box;
}

std::uint64_t TileMap::invocations() const {
  return group_count() * local_size.x * local_size.y * local_size.z;
}

std::uint64_t TileMap::useful_invocations(glm::uvec3 group) const {
  return useful_in_tile(tile_of(group));
}

std::uint64_t TileMap::useful_in_tile(glm::uvec3 tile) const {
  if (truncated) {
    // Where no tile is whole, all there is is left over: the last line of invocations does it.
    const auto along = [this](int d) { return extent[d] >= covers[d] ? local_size[d] : 1U; };
    return std::uint64_t{along(0)} * along(1) * along(2);
  }
  if (!follows(covers, local_size)) {
    // The kernel deals its items out as it likes: evenly, and rounded up.
    const std::uint64_t in_all = volume(covers);
    TileMap alone = *this;
    alone.slices = 1;
    return ceil_div(alone.items(tile).count() * volume(local_size), in_all);
  }
  return useful_along(extent.x, covers.x, local_size.x, tile.x) *
         useful_along(extent.y, covers.y, local_size.y, tile.y) *
         useful_along(extent.z, covers.z, local_size.z, tile.z);
}

std::uint64_t TileMap::useful_invocations() const {
  std::uint64_t sum = 0;
  for_each_share(
      *this, [&](glm::uvec3 tile, std::uint64_t count) { sum += count * useful_in_tile(tile); });
  return sum;
}

IdleTiles TileMap::idle_tiles() const {
  IdleTiles tiles;
  for_each_share(*this, [&](glm::uvec3 tile, std::uint64_t count) {
    const std::uint64_t useful = useful_in_tile(tile);
    (useful == 0                   ? tiles.wholly
     : useful < volume(local_size) ? tiles.partly
                                   : tiles.whole) += count;
  });
  return tiles;
}

}  // namespace core
