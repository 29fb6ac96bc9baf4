// The values of one buffer as a table: go to an element, or find the next one that was not written,
// is not finite, or differs from the reference.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/report/difference.h"
#include "ui/canvas/format.h"
#include "ui/editor/text_keys.h"
#include "ui/editor/text_line.h"
#include "ui/views.h"
#include "ui/views/values/values_state.h"
#include "ui/widgets/view_head.h"

namespace ui {
namespace {

constexpr float kLineWidth = 22.0F;  // margins of text, of the line to type in
constexpr int kWheelRows = 3;

bool is_kept(const core::Result& result, std::size_t buffer) {
  return buffer < result.contents.size() && result.contents[buffer].words;
}

// The buffer that is shown; nothing: none is kept.
std::optional<std::size_t> shown_buffer(const core::Result& result, const ValuesState& state) {
  std::optional<std::size_t> output;
  std::optional<std::size_t> any;
  for (std::size_t i = result.buffers.size(); i-- > 0;) {
    if (!is_kept(result, i)) {
      continue;
    }
    if (result.buffers[i].name == state.buffer) {
      return i;
    }
    any = i;
    output = result.buffers[i].role == core::Role::output ? i : output;
  }
  return output ? output : any;
}

core::BufferTable table_of(const core::Result& result, std::size_t buffer) {
  const core::Difference* compared =
      buffer < result.differences.size() ? result.differences[buffer].get() : nullptr;
  return {result.buffers[buffer], result.contents[buffer],
          compared != nullptr ? std::span<const float>(compared->wanted_words)
                              : std::span<const float>(),
          compared != nullptr ? result.check.tolerance * compared->largest : 0.0};
}

void keep_inside(const core::BufferTable& table, core::TablePlace& at) {
  at.row = std::min(at.row, std::max<std::uint64_t>(table.rows(), 1) - 1);
  at.column = std::min(at.column, std::max<std::uint64_t>(table.columns(), 1) - 1);
}

std::uint64_t moved(std::uint64_t at, int by) {
  return by < 0 ? at - std::min<std::uint64_t>(at, static_cast<std::uint64_t>(-by))
                : at + static_cast<std::uint64_t>(by);
}

// "C[18][3] = 1.25, reference 1.5, difference -0.25".
std::string cell_words(const core::BufferTable& table, core::TablePlace at) {
  const std::string name = table.name(at);
  if (name.empty()) {
    return "";
  }
  const auto wanted = table.wanted(at);
  const std::string value = fmt::format("{} = {}", name, table.text(at));
  return wanted ? fmt::format("{}, reference {:.10g}, difference {:.3g}", value, *wanted,
                              table.number(at) - *wanted)
                : value;
}

void go(const core::BufferTable& table, ValuesState& state) {
  const auto query = core::parse_value_query(state.line.text());
  if (!query) {
    state.refused = query.error().message;
    return;
  }
  const auto found = table.find(*query, state.cell);
  using Kind = core::ValueQuery::Kind;
  state.refused = found                             ? ""
                  : query->kind == Kind::place      ? "no such element"
                  : query->kind == Kind::unwritten  ? "all elements were written"
                  : query->kind == Kind::not_finite ? "all values are finite"
                  : query->kind == Kind::wrong      ? "no value differs from the reference"
                                                    : "no element has this value";
  state.cell = found.value_or(state.cell);
}

void take_keys(const core::BufferTable& table, ValuesState& state) {
  for (const KeyPress& key : std::exchange(state.pressed, {})) {
    if (key.key == Key::escape) {
      state.typing = false;
      state.refused.clear();
    } else if (key.key == Key::enter) {
      go(table, state);
    } else if (key.key == Key::space) {
      state.line.insert(" ");
    } else {
      state.refused.clear();
      static_cast<void>(take_text_key(state.line, key));
    }
  }
}

void draw_line(const Frame& frame, const Canvas& canvas, const Rect& area, ValuesState& state) {
  const Theme& theme = frame.theme;
  const Hit mouse = hit("values line", area);
  if (ImGui::IsMouseClicked(0) && state.typing != mouse.hovered) {
    state.typing = mouse.hovered;
    state.line.select_all();
  }
  canvas.fill(area, theme.colours.background, theme.gap.small);
  canvas.frame(area, state.typing ? theme.colours.accent : theme.colours.line, 1.0F,
               theme.gap.small);
  const Rect inside = area.inset(theme.gap.medium, 0.0F);
  if (state.typing) {
    draw_text_line(canvas, inside, state.line, "18,3   nan   unwritten   wrong   = 2.5");
  } else {
    canvas.write(inside, "Go to an element (Ctrl+G)", pen::dim);
  }
}

struct Grid {
  Rect names;  // of rows
  Rect heads;  // of columns
  Rect cells;
  float row = 0.0F;
  float column = 0.0F;

  [[nodiscard]] Rect cell(std::uint64_t down, std::uint64_t right) const {
    const glm::vec2 low =
        cells.low + glm::vec2(column * static_cast<float>(right), row * static_cast<float>(down));
    return {low, low + glm::vec2(column, row)};
  }
};

Grid lay_out(const Canvas& canvas, const core::BufferTable& table, const ValuesState& state,
             Rect area) {
  const Gaps& gap = canvas.theme().gap;
  Grid grid;
  grid.row = std::ceil(canvas.line_height(pen::mono) + gap.small);
  grid.column = canvas.width("-1.234567890e-12", pen::mono) + gap.large;
  float names = 0.0F;
  const auto shown = static_cast<std::uint64_t>(std::max(0.0F, area.height() / grid.row));
  for (std::uint64_t r = 0; r < shown && state.top.row + r < table.rows(); ++r) {
    names = std::max(names, canvas.width(table.row_name(state.top.row + r), pen::mono));
  }
  const float margin = std::min(names + gap.large, 0.4F * area.width());
  grid.heads = area.cut_top(grid.row);
  grid.heads.cut_left(margin);
  grid.names = area.cut_left(margin);
  grid.cells = area;
  return grid;
}

// So that the chosen cell is seen.
void scroll_to_cell(ValuesState& state, std::uint64_t rows, std::uint64_t columns) {
  const auto scroll = [](std::uint64_t& first, std::uint64_t at, std::uint64_t shown) {
    first = std::clamp(first, at + 1 - std::min(at + 1, shown), at);
  };
  scroll(state.top.row, state.cell.row, std::max<std::uint64_t>(rows, 1));
  scroll(state.top.column, state.cell.column, std::max<std::uint64_t>(columns, 1));
}

Pen pen_of(const Theme& theme, core::ValueState state) {
  switch (state) {
    case core::ValueState::wrong:
      return pen::mono.in(theme.colours.race);
    case core::ValueState::not_finite:
      return pen::mono.in(theme.colours.accent);
    case core::ValueState::unwritten:
      return pen::mono_dim;
    case core::ValueState::plain:
      break;
  }
  return pen::mono;
}

void draw_cells(const Frame& frame, const Canvas& canvas, const core::BufferTable& table,
                ValuesState& state, const Rect& area) {
  const Palette& colours = frame.theme.colours;
  const Gaps& gap = frame.theme.gap;
  const Grid grid = lay_out(canvas, table, state, area);
  const auto rows = static_cast<std::uint64_t>(grid.cells.height() / grid.row);
  const auto columns =
      std::max<std::uint64_t>(static_cast<std::uint64_t>(grid.cells.width() / grid.column), 1);
  const Hit mouse = hit("values", grid.cells);
  const ImGuiIO& io = ImGui::GetIO();
  if (mouse.hovered && io.MouseWheel != 0.0F) {
    state.cell.row = moved(state.cell.row, io.MouseWheel > 0.0F ? -kWheelRows : kWheelRows);
    keep_inside(table, state.cell);
  }
  state.page = std::max<std::uint64_t>(rows, 1);
  scroll_to_cell(state, rows, columns);
  for (std::uint64_t c = 0; c < columns && state.top.column + c < table.columns(); ++c) {
    Rect head = grid.heads;
    head.low.x = grid.cell(0, c).low.x;
    head.high.x = grid.cell(0, c).high.x - gap.medium;
    canvas.write(head, table.column_name(state.top.column + c), pen::mono_dim, Align::right);
  }
  canvas.line({area.low.x, grid.cells.low.y}, {area.high.x, grid.cells.low.y}, colours.line);
  for (std::uint64_t r = 0; r < rows && state.top.row + r < table.rows(); ++r) {
    const std::uint64_t row = state.top.row + r;
    Rect name = grid.names;
    name.low.y = grid.cell(r, 0).low.y;
    name.high.y = grid.cell(r, 0).high.y;
    name.high.x -= gap.medium;
    canvas.write(name, table.row_name(row), pen::mono_dim, Align::right);
    for (std::uint64_t c = 0; c < columns && state.top.column + c < table.columns(); ++c) {
      const core::TablePlace at{row, state.top.column + c};
      const Rect cell = grid.cell(r, c);
      if (mouse.hovered && cell.contains(vec(io.MousePos))) {
        tell(cell_words(table, at));
        state.cell = mouse.clicked && !table.name(at).empty() ? at : state.cell;
      }
      if (at == state.cell) {
        canvas.fill(cell, fade(colours.accent, 0.25F), gap.thin);
      }
      Rect inside = cell;
      inside.high.x -= gap.medium;
      canvas.write(inside, table.text(at), pen_of(frame.theme, table.state(at)), Align::right);
    }
  }
}

std::string title_of(const core::BufferSpec& spec, const core::BufferTable& table) {
  return spec.rows > 1 && spec.columns > 1
             ? fmt::format("Values of {}, {}×{}", spec.name, spec.rows, spec.columns)
             : fmt::format("Values of {}, {} rows", spec.name, table.rows());
}

void draw_buffers(const Frame& frame, Strip& line, ValuesState& state, std::size_t shown) {
  const core::Result& result = frame.model.result;
  for (std::size_t i = 0; i < result.buffers.size(); ++i) {
    const std::string& name = result.buffers[i].name;
    const float width = line.canvas.width(name) + frame.theme.gap.large;
    if (!is_kept(result, i) || width > line.rest.width()) {
      continue;
    }
    if (tab(line.canvas, line.rest.cut_left(width), fmt::format("values of {}", i), name,
            i == shown)) {
      state.buffer = name;
      state.cell = state.top = {};
    }
  }
}

void draw_values(const Frame& frame, const Canvas& canvas, const Rect& area) {
  const core::Result& result = frame.model.result;
  ValuesState& state = frame.state.of<ValuesState>();
  const std::size_t shown = *shown_buffer(result, state);
  const core::BufferTable table = table_of(result, shown);
  keep_inside(table, state.cell);
  take_keys(table, state);
  Stack stack = draw_view_head(frame, canvas, area,
                               {.title = {title_of(result.buffers[shown], table),
                                          "Values of " + result.buffers[shown].name, "Values"}});
  Strip line{canvas, stack.lines(1.4F)};
  const float width = std::min(kLineWidth * canvas.line_height(), 0.6F * line.rest.width());
  draw_line(frame, canvas, line.rest.cut_right(width), state);
  draw_buffers(frame, line, state, shown);
  stack.gap(frame.theme.gap.small);
  stack.say(state.refused.empty() ? cell_words(table, state.cell) : state.refused,
            state.refused.empty() ? pen::mono : pen::accent);
  stack.gap(frame.theme.gap.small);
  draw_cells(frame, canvas, table, state, stack.rest);
}

std::string nothing(const Frame& frame) {
  const core::Result& result = frame.model.result;
  if (result.contents.empty()) {
    return "The values of the buffers appear here after the first launch.";
  }
  return shown_buffer(result, frame.state.of<ValuesState>())
             ? ""
             : "All buffers are too large for this view. Choose smaller sizes.";
}

void pan(ActionContext& c, glm::vec2 by) {
  core::TablePlace& cell = c.state.of<ValuesState>().cell;
  cell.row = moved(cell.row, static_cast<int>(by.y));
  cell.column = moved(cell.column, static_cast<int>(by.x));
}

void next_buffer(ActionContext& c, int by) {
  const core::Result& result = c.model.result;
  ValuesState& state = c.state.of<ValuesState>();
  const auto shown = shown_buffer(result, state);
  const std::size_t count = result.buffers.size();
  for (std::size_t step = 1; shown && step <= count; ++step) {
    const std::size_t next = (*shown + (by > 0 ? step : count - step)) % count;
    if (is_kept(result, next)) {
      state.buffer = result.buffers[next].name;
      state.cell = state.top = {};
      return;
    }
  }
}

void keys(ActionTable& table) {
  table.group("View");
  table.key(ctrl(U'g'), "values view: go to an element, or find the next unwritten or wrong one",
            [](ActionContext& c, int) {
              c.state.view.name = "values";
              ValuesState& state = c.state.of<ValuesState>();
              state.typing = true;
              state.line.select_all();
            });
}

}  // namespace

std::vector<StateField> ValuesState::fields() {
  return {field("values_buffer", buffer)
              .with_flag("--values", "values",
                         "Values view: show the buffer NAME (default: the first output)")};
}

void ValuesState::forget_kernel() {
  cell = top = {};
  buffer.clear();
  refused.clear();
  typing = false;
}

CentreView values_row() {
  return {.name = "values",
          .answers = "Which numbers are in a buffer?",
          .manual = {.chapter = "Values"},
          .there = always,
          .draw = draw_values,
          .nothing = nothing,
          .open = [](ViewStates& states) { states.of<ValuesState>(); },
          .moves = {.pan = pan,
                    .step = next_buffer,
                    .leap =
                        [](ActionContext& c, int by) {
                          ValuesState& state = c.state.of<ValuesState>();
                          state.cell.row = moved(state.cell.row, by * static_cast<int>(state.page));
                        },
                    .let_go = [](ActionContext& c) { c.state.of<ValuesState>().cell = {}; }},
          .keys = keys};
}

}  // namespace ui
