// Wrong values: what outputs differ by from the reference.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/views/grid/grid_view.h"

namespace ui {
namespace {

std::string value_text(float value) {
  return std::isfinite(value) ? significant(static_cast<double>(value)) : fmt::format("{}", value);
}

// The texel of a plate that the mouse points at.
std::optional<std::size_t> pointed_texel(const GridScene& scene, const Plate& plate,
                                         const core::Field& field) {
  const glm::vec2 mouse = vec(ImGui::GetIO().MousePos);
  if (!scene.room.contains(mouse)) {
    return std::nullopt;
  }
  const glm::dvec2 at = (scene.camera.world(mouse) - plate.area.low) / plate.area.size();
  if (at.x < 0.0 || at.y < 0.0 || at.x >= 1.0 || at.y >= 1.0) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(at.y * field.texel_rows) * field.texel_columns +
         static_cast<std::size_t>(at.x * field.texel_columns);
}

// Of a region, as far as it was compared.
float most_in(const core::Field& field, const core::Region& r) {
  const auto texel = [](std::uint32_t cell, std::uint32_t cells, std::uint32_t texels) {
    return static_cast<std::uint32_t>(std::uint64_t{std::min(cell, cells - 1)} * texels / cells);
  };
  float most = std::numeric_limits<float>::quiet_NaN();
  if (r.first_row >= std::min(r.last_row, field.rows) ||
      r.first_column >= std::min(r.last_column, field.columns)) {
    return most;
  }
  const std::uint32_t last_row = texel(r.last_row - 1, field.rows, field.texel_rows);
  const std::uint32_t last = texel(r.last_column - 1, field.columns, field.texel_columns);
  for (std::uint32_t y = texel(r.first_row, field.rows, field.texel_rows); y <= last_row; ++y) {
    for (std::uint32_t x = texel(r.first_column, field.columns, field.texel_columns); x <= last;
         ++x) {
      const float now = field.texels[std::size_t{y} * field.texel_columns + x];
      most = std::isnan(most) || std::abs(now) > std::abs(most) ? now : most;
    }
  }
  return most;
}

}  // namespace

std::shared_ptr<const core::Difference> shown_difference(const Frame& frame, std::size_t buffer) {
  const auto& all = frame.model.result.differences;
  return frame.state.of<GridState>().difference && buffer < all.size() ? all[buffer] : nullptr;
}

std::shared_ptr<const core::Difference> GridScene::difference(const Plate& plate) const {
  return plate.output ? shown_difference(frame, plate.buffer) : nullptr;
}

bool shows_difference(const GridScene& scene) {
  return std::ranges::any_of(scene.layout.plates, [&scene](const Plate& plate) {
    return scene.difference(plate) != nullptr;
  });
}

std::vector<TileCard::Line> difference_lines(const GridScene& scene, const core::Region* written) {
  std::vector<TileCard::Line> lines;
  const auto of_tile =
      written != nullptr ? shown_difference(scene.frame, written->buffer) : nullptr;
  if (of_tile) {
    lines.push_back({"differs by", value_text(most_in(of_tile->field, *written)) + " at most"});
  }
  for (const Plate& plate : scene.layout.plates) {
    const auto difference = scene.layout.fold == 0 ? scene.difference(plate) : nullptr;
    const auto texel = difference ? pointed_texel(scene, plate, difference->field) : std::nullopt;
    if (texel) {
      lines.push_back({"got", value_text(difference->got[*texel])});
      lines.push_back({"expected", value_text(difference->wanted[*texel])});
      lines.push_back({"difference", value_text(difference->field.texels[*texel])});
    }
  }
  return lines;
}

std::string difference_words(const core::Result& result) {
  std::uint64_t compared = 0;
  std::uint64_t elements = 0;
  for (const auto& difference : result.differences) {
    compared += difference ? difference->compared : 0;
    elements += difference ? difference->elements : 0;
  }
  if (compared == 0) {
    return result.check.done ? "too large to keep the differences; choose smaller sizes (comma key)"
           : result.work == nullptr || result.variant.workload.empty()
               ? "no reference; to compare outputs here, give a kernel with correct outputs by "
                 "--reference KERNEL"
               : "the differences appear here after the comparison";
  }
  const std::string many =
      compared == elements
          ? fmt::format("all {} elements compared", count_text(elements))
          : fmt::format("{} of {} elements compared", count_text(compared), count_text(elements));
  return many + (result.check.correct ? ", all within rounding (Shift+Y: values)"
                                      : "; the result is wrong (Shift+Y: values)");
}

}  // namespace ui
