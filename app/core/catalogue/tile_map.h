// Which workgroup covers which work items. A launch covers an extent, rounded up or rounded down to
// whole tiles (seed "tiled_extent::truncate"). Rounded up, C++ AMP's padded tiled_extent: the last
// workgroup of a row or column may reach over the edge, and range checks in the kernel keep it from
// doing harm. Rounded down: what is left over is done by invocations at the edge of the last
// workgroups, in addition to their own.
#pragma once

#include <cstdint>

#include <glm/vec3.hpp>

namespace core {

/// Half-open box of work items or of workgroups: first inside, last outside.
struct Box {
  glm::uvec3 first{0};
  glm::uvec3 last{0};
  [[nodiscard]] glm::uvec3 size() const { return last - first; }
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] bool contains(glm::uvec3 at) const;
  bool operator==(const Box&) const = default;
};

/// Workgroups by how many of their invocations have work.
struct IdleTiles {
  std::uint64_t whole = 0;   ///< all of them
  std::uint64_t partly = 0;  ///< some
  std::uint64_t wholly = 0;  ///< none
  bool operator==(const IdleTiles&) const = default;
};

/// Units: work items (output elements, bodies), invocations and workgroups, as named.
struct TileMap {
  glm::uvec3 extent{1};      ///< work items of the launch
  glm::uvec3 local_size{1};  ///< invocations a workgroup
  glm::uvec3 covers{1};      ///< work items a workgroup; where it is no multiple of the local
                             ///< size, items are taken to be dealt out evenly
  bool truncated = false;    ///< rounded down, but to one workgroup a dimension at least
  /// Above 1: tiles are shared by so many workgroups each, which are then numbered along x: first
  /// `whole` tiles with a workgroup each, then the others, a tile's workgroups one after the other.
  std::uint32_t slices = 1;
  std::uint64_t whole = 0;

  /// Tiles a dimension: extent over covers, rounded.
  [[nodiscard]] glm::uvec3 tiles() const;
  /// Workgroups a dimension: one a tile, where tiles are not shared.
  [[nodiscard]] glm::uvec3 groups() const;
  /// Tiles that are shared, 0 to all.
  [[nodiscard]] std::uint64_t shared_tiles() const;
  /// The tile that a workgroup works on.
  [[nodiscard]] glm::uvec3 tile_of(glm::uvec3 group) const;
  [[nodiscard]] std::uint64_t group_count() const;
  /// The workgroup at a position of the launch order (x fastest).
  [[nodiscard]] glm::uvec3 group_at(std::uint64_t position) const;
  /// The work items of a workgroup, cut off at the extent; with what is left over where the launch
  /// is rounded down.
  [[nodiscard]] Box items(glm::uvec3 group) const;
  /// Invocations launched in all.
  [[nodiscard]] std::uint64_t invocations() const;
  /// Invocations of a workgroup that have at least one work item inside the extent.
  [[nodiscard]] std::uint64_t useful_invocations(glm::uvec3 group) const;
  [[nodiscard]] std::uint64_t useful_invocations() const;
  [[nodiscard]] IdleTiles idle_tiles() const;

 private:
  [[nodiscard]] std::uint64_t useful_in_tile(glm::uvec3 tile) const;
};

}  // namespace core
