// Which tiles of a launch have findings, as few rectangles of tiles: a million tiles draw as fast
// as ten.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/catalogue/workload.h"
#include "core/report/check_report.h"

namespace ui {

/// Tiles [low, high) in a plane of tiles.
struct TileBox {
  glm::uvec2 low{0};
  glm::uvec2 high{0};
  bool operator==(const TileBox&) const = default;
};

/// The racing tiles (a bit each, in launch order) of `count`, `across` a row, those of later planes
/// (of `plane` tiles each) over the first. Blocks of `block` × `block` tiles are marked as one when
/// any of them races. Boxes don't overlap; neighbours of a row, and equal rows, are one.
[[nodiscard]] std::vector<TileBox> racing_boxes(std::span<const std::uint32_t> racing,
                                                std::uint64_t count, std::uint32_t across,
                                                std::uint64_t plane, std::uint32_t block);

/// Elements of a buffer that raced, a bit each, row after row; empty where none did.
[[nodiscard]] std::vector<std::uint32_t> racing_elements(const core::CheckReport& report,
                                                         std::size_t buffer,
                                                         const core::BufferSpec& spec);

/// How many tiles have a finding.
[[nodiscard]] std::uint64_t racing_tiles(std::span<const std::uint32_t> racing);

}  // namespace ui
