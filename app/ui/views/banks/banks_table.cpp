// The sites of a workgroup's accesses, with what they cost.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ui/views/banks/banks_view.h"
#include "ui/widgets/format.h"

namespace ui {
namespace {

constexpr std::size_t kNumbers = 3;

struct TableLine {
  std::string place, what;
  std::array<std::string, kNumbers> numbers;
  std::ptrdiff_t row = -1;  // of BankScene::rows; −1: a heading
};

std::string verb(core::Access access) {
  return access == core::Access::read    ? "reads"
         : access == core::Access::write ? "writes"
                                         : "updates";
}

TableLine line_of(const BankScene& scene, std::size_t row) {
  const BankRow& of = scene.rows[row];
  const core::TracedSite& site = scene.trace.sites[scene.instructions(of).site];
  TableLine line{.place = fmt::format("{}", site.at.line),
                 .what = verb(site.access) + " " + scene.trace.variables[site.variable].name,
                 .numbers = {},
                 .row = static_cast<std::ptrdiff_t>(row)};
  if (of.shared) {
    const core::SharedSite& s = scene.report.shared[of.place];
    line.numbers = {fmt::format("{}", s.worst_ways), fmt::format("{:.2f}", s.mean_ways),
                    count_text(s.extra())};
  } else {
    const core::GlobalSite& s = scene.report.global[of.place];
    line.numbers = {fmt::format("{:.1f} %", 100.0 * s.worst),
                    fmt::format("{:.1f} %", 100.0 * s.efficiency()), count_text(s.sectors)};
  }
  return line;
}

std::vector<TableLine> lines_of(const BankScene& scene) {
  std::vector<TableLine> lines;
  for (std::size_t i = 0; i < scene.rows.size(); ++i) {
    const bool first = i == 0 || scene.rows[i].shared != scene.rows[i - 1].shared;
    if (first && scene.rows[i].shared) {
      lines.push_back({"line", "shared memory", {"worst ways", "mean", "extra passes"}});
    } else if (first) {
      lines.push_back({"line", "global memory", {"worst used", "used of fetched", "sectors"}});
    }
    lines.push_back(line_of(scene, i));
  }
  return lines;
}

// The lines that have room, the chosen one among them.
std::size_t first_shown(const BankScene& scene, const std::vector<TableLine>& lines,
                        std::size_t room) {
  const auto chosen =
      std::ranges::find(lines, static_cast<std::ptrdiff_t>(scene.row), &TableLine::row);
  const auto at = static_cast<std::size_t>(chosen - lines.begin());
  return at < room ? 0 : std::min(at + 1 - room + room / 3, lines.size() - room);
}

// Widths of the columns of numbers; those that have no room are 0, from the last on.
std::array<float, kNumbers> widths_of(const BankScene& scene, const std::vector<TableLine>& lines) {
  const Theme& theme = scene.theme();
  std::array<float, kNumbers> widths{};
  for (const TableLine& line : lines) {
    ImFont* font = line.row < 0 ? theme.fonts.text : theme.fonts.mono;
    for (std::size_t n = 0; n < kNumbers; ++n) {
      widths[n] = std::max(widths[n], scene.canvas.measure(line.numbers[n], font).x + theme.px(18));
    }
  }
  const float room = scene.table.width() - theme.px(160);
  float sum = 0.0F;
  for (float& width : widths) {
    sum += width;
    width = sum <= room ? width : 0.0F;
  }
  return widths;
}

void draw_line(const BankScene& scene, Rect area, const TableLine& line,
               const std::array<float, kNumbers>& widths) {
  const Theme& theme = scene.theme();
  const bool heading = line.row < 0;
  const bool chosen = line.row == static_cast<std::ptrdiff_t>(scene.row);
  if (!heading) {
    const Hit mouse = hit(fmt::format("site {}", line.row).c_str(), area);
    if (chosen || mouse.hovered) {
      scene.canvas.fill(area, theme.colours.hover);
    }
    if (chosen) {
      scene.canvas.fill({area.low, {area.low.x + theme.px(3), area.high.y}}, theme.colours.accent);
    }
    if (mouse.clicked) {
      scene.state().site = static_cast<std::uint32_t>(line.row) + 1;
      scene.state().instruction = 0;
    }
  } else {
    scene.canvas.line({area.low.x, area.high.y - 1.0F}, {area.high.x, area.high.y - 1.0F},
                      theme.colours.line);
  }
  ImFont* numbers = heading ? theme.fonts.text : theme.fonts.mono;
  const Colour colour = heading ? theme.colours.dim : theme.colours.text;
  for (std::size_t n = kNumbers; n-- > 0;) {
    if (widths[n] > 0.0F) {
      scene.canvas.text_in(area.cut_right(widths[n]), line.numbers[n], numbers, colour,
                           Align::right);
    }
  }
  area.cut_left(theme.px(8));
  scene.canvas.text_in(area.cut_left(theme.px(34)), line.place, numbers, theme.colours.dim,
                       Align::right);
  area.cut_left(theme.px(12));
  scene.canvas.text_in(area, line.what, theme.fonts.text, colour);
}

}  // namespace

void draw_bank_table(const BankScene& scene) {
  const float height = scene.canvas.line_height(scene.theme().fonts.text);
  const auto lines = lines_of(scene);
  const auto fit = static_cast<std::size_t>(std::max(0.0F, (scene.table.height() + 1.0F) / height));
  const std::size_t room = std::min(fit, lines.size());
  if (room == 0) {
    return;
  }
  const auto widths = widths_of(scene, lines);
  const std::size_t first = first_shown(scene, lines, room);
  Rect rest = scene.table;
  for (std::size_t i = first; i < first + room; ++i) {
    const bool more = i + 1 == first + room && i + 1 < lines.size() && room > 2 &&
                      lines[i].row != static_cast<std::ptrdiff_t>(scene.row);
    const Rect area = rest.cut_top(height);
    if (more) {
      scene.canvas.text_in(area, fmt::format("… {} more", lines.size() - i),
                           scene.theme().fonts.text, scene.theme().colours.dim);
    } else {
      draw_line(scene, area, lines[i], widths);
    }
  }
}

}  // namespace ui
