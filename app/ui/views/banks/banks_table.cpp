// The sites of a workgroup's accesses, with what they cost.
#include <filesystem>

#include <fmt/format.h>

#include "ui/canvas/format.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/views/banks/banks_view.h"
#include "ui/widgets/table.h"

namespace ui {
namespace {

// Of a site in a file that the kernel includes, that file: lines of several may stand here.
std::string file_of(const BankScene& scene, const core::TracedSite& site) {
  const auto files = scene.frame.kernel().files;
  const bool own = site.at.file.empty() || files.empty() || site.at.file == files.front().path;
  return own ? "" : " · " + std::filesystem::path(site.at.file).filename().string();
}

// What a lesson asks of it, here or later, is not told before its answer.
bool is_asked(const BankScene& scene, const BankRow& row, const std::string& array) {
  const LessonState& lessons = scene.frame.state.of<LessonState>();
  return row.shared ? lessons.asks_yet("ways", array)
                    : lessons.asks_yet("sectors", array) || lessons.asks_yet("used", array);
}

TableRow row_of(const BankScene& scene, std::size_t at) {
  const BankRow& of = scene.rows[at];
  const core::TracedSite& site = scene.trace.sites[scene.instructions(of).site];
  TableRow row{
      .cells = {fmt::format("{}", site.at.line),
                fmt::format("{} {}{}", verb_of(site.access),
                            scene.trace.variables[site.variable].name, file_of(scene, site)),
                count_text(scene.instructions(of).count())},
      .chosen = at == scene.row};
  const auto add = [&row](auto... texts) { (row.cells.emplace_back(std::move(texts)), ...); };
  if (is_asked(scene, of, scene.trace.variables[site.variable].name)) {
    add("?", "?", "?");
  } else if (of.shared) {
    const core::SharedSite& s = scene.report.shared[of.place];
    add(fmt::format("{}", s.worst_ways), fmt::format("{:.2f}", s.mean_ways), count_text(s.extra()));
  } else {
    const core::GlobalSite& s = scene.report.global[of.place];
    add(fmt::format("{:.1f} %", 100.0 * s.worst), fmt::format("{:.1f} %", 100.0 * s.efficiency()),
        count_text(s.sectors));
  }
  return row;
}

}  // namespace

Table bank_table(const BankScene& scene) {
  Table table{.columns = {{.pen = pen::mono_dim, .importance = 4},
                          {.align = Align::left, .pen = pen::text, .importance = 5, .least = 6.0F},
                          {.importance = 0},
                          {.importance = 3},
                          {.importance = 2},
                          {.importance = 1}},
              .rows = {}};
  for (std::size_t i = 0; i < scene.rows.size(); ++i) {
    if (i == 0 || scene.rows[i].shared != scene.rows[i - 1].shared) {
      table.rows.push_back(scene.rows[i].shared ? TableRow{{"line", "shared memory", "instructions",
                                                            "most ways", "mean", "conflicts"},
                                                           true}
                                                : TableRow{{"line", "global memory", "instructions",
                                                            "least used", "bytes used", "sectors"},
                                                           true});
    }
    table.rows.push_back(row_of(scene, i));
  }
  return table;
}

void draw_bank_table(const BankScene& scene, const Rect& area, const Table& table) {
  const TableDrawn drawn = draw_table(scene.canvas, area, "site", table);
  if (drawn.clicked) {
    const auto above = std::span(table.rows).first(*drawn.clicked);
    scene.state().site =
        static_cast<std::uint32_t>(1 + std::ranges::count(above, false, &TableRow::heading));
    scene.state().instruction = 0;
  }
}

}  // namespace ui
