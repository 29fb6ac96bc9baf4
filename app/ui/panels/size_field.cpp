#include "ui/panels/size_field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "ui/editor/text_keys.h"
#include "ui/editor/text_line.h"
#include "ui/edits.h"

namespace ui {
namespace {

constexpr std::size_t kMostDigits = 10;

// Nothing: it is no size of at least 1.
std::optional<std::uint32_t> size_in(const std::string& digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && value > 0 ? std::optional(value) : std::nullopt;
}

bool commit(const Frame& frame, std::size_t index) {
  const auto size = size_in(frame.state.of<SizeField>().line.text());
  core::Sizes sizes = sizes_of(frame.state.wanted, frame.model.catalogue);
  if (!size || index >= sizes.size()) {
    return false;
  }
  if (sizes[index] != *size) {
    core::Experiment next = frame.state.wanted;
    sizes[index] = *size;
    next.size = sizes;
    frame.actions().want(next);
  }
  return true;
}

void take_key(const Frame& frame, const KeyPress& key) {
  State& state = frame.state;
  SizeField& field = state.of<SizeField>();
  const core::Sizes sizes = sizes_of(state.wanted, frame.model.catalogue);
  const std::size_t index = *state.typing;
  if (key.key == Key::escape) {
    state.typing.reset();
    return;
  }
  if (key.key == Key::enter || key.key == Key::tab) {
    if (!commit(frame, index)) {
      field.refused = true;
    } else if (key.key == Key::enter) {
      state.typing.reset();
    } else {
      type_size(state, sizes_of(state.wanted, frame.model.catalogue),
                cycled(static_cast<std::ptrdiff_t>(index), key.shift ? -1 : 1, sizes.size()));
    }
    return;
  }
  const bool digit = key.character >= U'0' && key.character <= U'9';
  const auto [first, last] = field.line.selection();
  const bool full = field.line.text().size() - (last - first) >= kMostDigits;
  if (key.key == Key::character && !key.ctrl && (!digit || full)) {
    return;
  }
  if (key.key != Key::space) {
    static_cast<void>(take_text_key(field.line, key));
    field.refused = !size_in(field.line.text());
  }
}

// What runs of it; nothing: another kernel does, or none yet.
std::optional<std::uint32_t> running(const Frame& frame, std::size_t index) {
  const core::Experiment& now = frame.model.result.experiment;
  const bool same = now.workload() == frame.state.wanted.workload() && index < now.size.size();
  return same ? std::optional(now.size[index]) : std::nullopt;
}

}  // namespace

void type_size(State& state, const core::Sizes& sizes, std::size_t index) {
  if (index >= sizes.size()) {
    return;
  }
  SizeField& field = state.of<SizeField>();
  state.typing = index;
  field.line = TextBuffer(std::to_string(sizes[index]));
  field.line.select_all();
  field.refused = false;
}

void take_size_keys(const Frame& frame) {
  State& state = frame.state;
  if (const auto asked = std::exchange(state.edit_size, std::nullopt)) {
    type_size(state, sizes_of(state.wanted, frame.model.catalogue), *asked);
  }
  for (const KeyPress& key : std::exchange(state.of<SizeField>().pressed, {})) {
    if (state.typing) {
      take_key(frame, key);
    }
  }
}

void draw_size_field(const Bar& bar, const Rect& area, std::size_t index,
                     const core::Sizes& sizes) {
  State& state = bar.frame.state;
  const Palette& c = bar.theme().colours;
  const Hit mouse = hit(fmt::format("size {}", index).c_str(), area);
  const bool typing = state.typing == index;
  // A click elsewhere takes what stands there, where that is a size.
  if (typing && ImGui::IsMouseClicked(0) && !mouse.hovered) {
    static_cast<void>(commit(bar.frame, index));
    state.typing.reset();
  } else if (mouse.clicked && !typing) {
    type_size(state, sizes, index);
  }
  const SizeField& field = state.of<SizeField>();
  const bool now = state.typing == index;
  const auto runs = running(bar.frame, index);
  const bool waits = !now && runs && *runs != sizes[index];
  const Rect inside = area.inset(bar.theme().px(6), 0.0F);
  bar.canvas.fill(area, mouse.hovered && !now ? c.hover : c.raised, bar.theme().gap.small);
  bar.canvas.frame(area,
                   now && field.refused ? c.race
                   : now || waits       ? c.accent
                                        : c.line,
                   now || waits ? 0.75F * bar.theme().gap.thin : 1.0F, bar.theme().gap.small);
  if (now) {
    draw_text_line(bar.canvas, inside, field.line);
  } else {
    bar.canvas.write(inside, std::to_string(sizes[index]),
                     waits ? pen::mono.in(c.accent) : pen::mono);
  }
  if (now && field.refused) {
    tell("a size must be a whole number from 1 to 4294967295");
  } else if (waits && mouse.hovered) {
    tell(fmt::format("not applied yet: {} runs", *runs));
  }
}

}  // namespace ui
