// What runs: workload, variant, tile, sizes, device; and whether its answer is right.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include <fmt/format.h>

#include "ui/edits.h"
#include "ui/format.h"
#include "ui/layout.h"
#include "ui/panels.h"

namespace ui {
namespace {

/// A part of the bar: how wide each of its forms is, and how to draw one.
struct Part {
  BarItem item;
  bool to_the_right = false;
  std::function<void(const Rect& area, int form)> draw;
};

struct Bar {
  const Frame& frame;
  const Canvas& canvas;
  float height;  ///< of the controls

  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] float text_width(std::string_view text) const {
    return canvas.measure(text, theme().fonts.text).x;
  }
  [[nodiscard]] float mono_width(std::string_view text) const {
    return canvas.measure(text, theme().fonts.mono).x;
  }
  [[nodiscard]] float menu_width(std::string_view text) const {
    return text_width(text) + theme().px(38);
  }
};

struct Choice {
  std::string text;
  std::string note;
  bool on = false;
  std::function<void()> choose;
};

void draw_choices(const Bar& bar, const char* id, const Rect& below,
                  const std::vector<Choice>& choices) {
  State& state = bar.frame.state;
  ImGui::SetNextWindowPos({below.low.x, below.high.y + bar.theme().px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(bar.theme().px(12), bar.theme().px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(bar.theme().px(12), bar.theme().px(9)));
  const bool open = ImGui::BeginPopup(id);
  ImGui::PopStyleVar(2);
  if (!open) {
    return;
  }
  state.popup_open = true;
  for (const Choice& choice : choices) {
    if (ImGui::Selectable(choice.text.c_str(), choice.on)) {
      choice.choose();
    }
    if (!choice.note.empty()) {
      ImGui::SameLine();
      ImGui::TextDisabled("%s", choice.note.c_str());
    }
  }
  if (state.close_popup) {
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void draw_menu(const Bar& bar, const char* id, const Rect& area, std::string_view text,
               const std::vector<Choice>& choices) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  const Hit mouse = hit(id, area);
  bar.canvas.fill(area, mouse.hovered ? c.hover : c.raised, theme.px(4));
  bar.canvas.frame(area, c.line, 1.0F, theme.px(4));
  Rect words = area.inset(theme.px(10), 0.0F);
  const Rect arrow = words.cut_right(theme.px(14));
  bar.canvas.text_in(words, text, theme.fonts.text, c.text);
  const glm::vec2 tip = arrow.centre();
  const float r = theme.px(4);
  bar.canvas.list().AddTriangleFilled({tip.x - r, tip.y - 0.5F * r}, {tip.x + r, tip.y - 0.5F * r},
                                      {tip.x, tip.y + 0.7F * r}, c.dim);
  const std::string popup = std::string(id) + " choices";
  if (mouse.clicked) {
    ImGui::OpenPopup(popup.c_str());
  }
  draw_choices(bar, popup.c_str(), area, choices);
}

Part workload_part(const Bar& bar) {
  const core::Workload* workload = core::find_workload(bar.frame.state.wanted.workload());
  const std::string title = workload != nullptr ? workload->title() : "Workload";
  const std::string name = workload != nullptr ? workload->name() : "…";
  Part part;
  part.item = {{bar.menu_width(title), bar.menu_width(name)}, 8, false};
  part.draw = [&bar, title, name](const Rect& area, int form) {
    std::vector<Choice> choices;
    for (const core::Workload* w : core::workloads()) {
      if (!bar.frame.model.catalogue.of(w->name()).empty()) {
        choices.push_back({w->title(), w->about(), name == w->name(), [&bar, w] {
                             bar.frame.actions().want(with_workload(
                                 bar.frame.state.wanted, bar.frame.model.catalogue, w->name()));
                           }});
      }
    }
    draw_menu(bar, "workload", area, form == 0 ? title : name, choices);
  };
  return part;
}

Part variant_part(const Bar& bar, bool ladder_shown) {
  const core::Variant* variant = variant_of(bar.frame.state.wanted, bar.frame.model.catalogue);
  const std::string title = variant != nullptr && !variant->title.empty()
                                ? variant->title
                                : bar.frame.state.wanted.variant;
  Part part;
  part.item = {{bar.menu_width(title)}, ladder_shown ? 3 : 7};
  part.draw = [&bar, title](const Rect& area, int) {
    std::vector<Choice> choices;
    const core::Experiment& wanted = bar.frame.state.wanted;
    for (const core::Variant& v : bar.frame.model.catalogue.of(wanted.workload())) {
      choices.push_back(
          {v.title.empty() ? v.name : v.title, v.claim, v.id() == wanted.variant,
           [&bar, &v] { bar.frame.actions().want(with_variant(bar.frame.state.wanted, v)); }});
    }
    draw_menu(bar, "variant", area, title, choices);
  };
  return part;
}

void draw_tiles(const Bar& bar, Rect area, const core::Variant& variant, float each) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  const std::uint32_t now = tile_of(bar.frame.state.wanted, bar.frame.model.catalogue);
  const float label = bar.text_width("tile") + theme.px(8);
  bar.canvas.text_in(area.cut_left(label), "tile", theme.fonts.text, c.dim);
  bar.canvas.fill(area, c.raised, theme.px(4));
  bar.canvas.frame(area, c.line, 1.0F, theme.px(4));
  for (const std::uint32_t tile : variant.tile.values) {
    const Rect button = area.cut_left(each);
    const std::string text = std::to_string(tile);
    const Hit mouse = hit(("tile " + text).c_str(), button);
    const bool on = tile == now;
    if (on || mouse.hovered) {
      bar.canvas.fill(button, on ? c.accent : c.hover, theme.px(4));
    }
    bar.canvas.text_in(button, text, theme.fonts.mono, on ? c.on_accent : c.text, Align::centre);
    if (mouse.clicked) {
      core::Experiment next = bar.frame.state.wanted;
      next.tile = tile;
      bar.frame.actions().want(next);
    }
  }
}

std::optional<Part> tile_part(const Bar& bar) {
  const core::Variant* variant = variant_of(bar.frame.state.wanted, bar.frame.model.catalogue);
  if (variant == nullptr || !variant->has_tile()) {
    return std::nullopt;
  }
  const auto& values = variant->tile.values;
  const float each = bar.mono_width(std::to_string(values.back())) + bar.theme().px(16);
  const float width =
      bar.text_width("tile") + bar.theme().px(8) + each * static_cast<float>(values.size());
  Part part;
  part.item = {{width}, 6};
  part.draw = [&bar, variant, each](const Rect& area, int) {
    draw_tiles(bar, area, *variant, each);
  };
  return part;
}

std::uint32_t parse_size(const std::string& digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc::result_out_of_range || value > UINT32_MAX
             ? UINT32_MAX
             : static_cast<std::uint32_t>(value);
}

int digits_only(ImGuiInputTextCallbackData* data) {
  return data->EventChar >= '0' && data->EventChar <= '9' ? 0 : 1;
}

void draw_size_input(const Bar& bar, const Rect& area, std::size_t index, core::Sizes sizes) {
  State& state = bar.frame.state;
  std::array<char, 12> text{};
  const bool typing = state.typing == index;
  const std::string shown = typing ? state.typed : std::to_string(sizes[index]);
  shown.copy(text.data(), text.size() - 1);
  if (state.edit_size == index) {
    ImGui::SetKeyboardFocusHere();
    state.edit_size.reset();
  }
  compat::push_font(bar.theme().fonts.mono);
  ImGui::SetCursorScreenPos(im(area.low));
  ImGui::SetNextItemWidth(area.width());
  const float pad = 0.5F * (area.height() - compat::font_size(*bar.theme().fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(bar.theme().px(6), pad));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.0F);
  ImGui::InputText(fmt::format("##size {}", index).c_str(), text.data(), text.size(),
                   ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter,
                   digits_only);
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (ImGui::IsItemActive()) {
    state.typing = index;
    state.typed = text.data();
  } else if (typing) {
    state.typing.reset();
  }
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    core::Experiment next = state.wanted;
    sizes[index] = parse_size(text.data());
    next.size = sizes;
    bar.frame.actions().want(next);
  }
}

Part sizes_part(const Bar& bar) {
  const Theme& theme = bar.theme();
  const core::Workload* workload = core::find_workload(bar.frame.state.wanted.workload());
  const core::Sizes sizes = sizes_of(bar.frame.state.wanted);
  const auto names = workload != nullptr ? workload->size_names() : std::vector<std::string>{};
  const float input = bar.mono_width("000000") + theme.px(12);
  const float gap = theme.px(6);
  float width = 0.0F;
  for (const std::string& name : names) {
    width += (width > 0.0F ? theme.px(10) : 0.0F) + bar.text_width(name) + gap + input;
  }
  Part part;
  part.item = {{width}, 5};
  part.draw = [&bar, names, sizes, input, gap](const Rect& area, int) {
    Rect rest = area;
    for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i) {
      const Rect label = rest.cut_left(bar.text_width(names[i]) + gap);
      bar.canvas.text_in(label, names[i], bar.theme().fonts.text, bar.theme().colours.dim);
      draw_size_input(bar, rest.cut_left(input), i, sizes);
      rest.cut_left(bar.theme().px(10));
    }
  };
  return part;
}

Part device_part(const Bar& bar) {
  const core::DeviceInfo& device = bar.frame.model.result.device;
  const std::string name = device.name.empty() ? "device" : device.name;
  const float full = bar.menu_width(name);
  Part part;
  part.item = {{full}, 4};
  for (const float width : {190.0F, 120.0F}) {
    if (bar.theme().px(width) < part.item.widths.back()) {
      part.item.widths.push_back(bar.theme().px(width));
    }
  }
  part.draw = [&bar, name](const Rect& area, int) {
    std::vector<Choice> choices;
    for (const core::DeviceInfo& d : bar.frame.model.devices) {
      const std::string note =
          core::to_string(d.type) + (d.emulated() ? ", emulated: not a GPU's times" : "");
      choices.push_back({d.name, note, d.index == bar.frame.model.result.device.index, [&bar, &d] {
                           core::Experiment next = bar.frame.state.wanted;
                           next.device = std::to_string(d.index);
                           bar.frame.actions().want(next);
                         }});
    }
    draw_menu(bar, "device", area, name, choices);
  };
  return part;
}

// A word for what the lab is doing, when it is not simply running.
std::string stage_text(const core::Result& result) {
  switch (result.stage) {
    case core::Stage::starting:
      return "starting";
    case core::Stage::compiling:
      return "compiling";
    case core::Stage::uploading:
      return "uploading";
    case core::Stage::verifying:
      return "checking";
    case core::Stage::paused:
      return "paused";
    case core::Stage::failed:
      return "failed";
    case core::Stage::running:
    case core::Stage::done:
      break;
  }
  return {};
}

// The pause button: two bars, or a triangle while paused.
void draw_pause(const Bar& bar, const Rect& area) {
  const core::Result& result = bar.frame.model.result;
  const Palette& c = bar.theme().colours;
  const Hit mouse = hit("pause", area);
  const Colour colour = mouse.hovered ? c.text : c.dim;
  const glm::vec2 m = area.centre();
  const float r = bar.theme().px(5);
  const bool paused = result.stage == core::Stage::paused;
  if (paused) {
    bar.canvas.list().AddTriangleFilled({m.x - r, m.y - r}, {m.x - r, m.y + r}, {m.x + r, m.y},
                                        colour);
  } else {
    bar.canvas.fill({{m.x - r, m.y - r}, {m.x - 0.3F * r, m.y + r}}, colour);
    bar.canvas.fill({{m.x + 0.3F * r, m.y - r}, {m.x + r, m.y + r}}, colour);
  }
  if (mouse.clicked) {
    bar.frame.requests.paused = !paused;
  }
}

// Progress of a launch that is cut into slices, and a way out of it.
void draw_cancel(const Bar& bar, Rect area) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  const auto done = static_cast<float>(std::clamp(bar.frame.model.result.progress, 0.0, 1.0));
  const Rect button = area.cut_right(bar.text_width("cancel") + theme.px(12));
  const Hit mouse = hit("cancel", button);
  bar.canvas.text_in(button, "cancel", theme.fonts.text, mouse.hovered ? c.text : c.accent,
                     Align::right);
  if (mouse.clicked) {
    bar.frame.requests.cancel = true;
  }
  Rect track = area.inset(0.0F, 0.5F * (area.height() - theme.px(6)));
  bar.canvas.fill(track, c.line, theme.px(3));
  bar.canvas.fill(track.cut_left(done * track.width()), c.accent, theme.px(3));
}

Part run_part(const Bar& bar) {
  const core::Result& result = bar.frame.model.result;
  const Theme& theme = bar.theme();
  const std::string stage = stage_text(result);
  const bool sliced = result.sliced && result.stage == core::Stage::running;
  const float pause = theme.px(28);
  const float words = bar.text_width("compiling");
  const float cancel = theme.px(70) + bar.text_width("cancel") + theme.px(12);
  Part part;
  part.to_the_right = true;
  part.item = {{pause + (sliced ? cancel : stage.empty() ? 0.0F : words)}, 7};
  part.draw = [&bar, stage, sliced, pause](const Rect& area, int) {
    Rect rest = area;
    draw_pause(bar, rest.cut_right(pause));
    if (sliced) {
      draw_cancel(bar, rest);
    } else if (!stage.empty()) {
      bar.canvas.text_in(rest, stage, bar.theme().fonts.text, bar.theme().colours.dim,
                         Align::right);
    }
  };
  return part;
}

struct Badge {
  std::string word, detail;
  bool good = false, bad = false;
};

Badge badge_of(const core::Result& result) {
  const core::Check& check = result.check;
  if (!check.done) {
    return {"not checked yet", ""};
  }
  const std::string error = "max error " + short_scientific(check.max_error);
  return check.correct ? Badge{"correct", error, true, false} : Badge{"wrong", error, false, true};
}

std::string badge_tooltip(const core::Check& check) {
  std::string text = fmt::format(
      "{} of {} elements compared with a reference in double ({}).\n"
      "Largest error {:.3g} of {}; up to {:.3g} is rounding.",
      count_text(check.compared), count_text(check.elements), check.method, check.max_error,
      check.scale, check.tolerance);
  return check.worst.empty() ? text : text + "\n" + check.worst;
}

void draw_badge(const Bar& bar, const Rect& area, const Badge& badge, bool with_detail) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  Rect rest = area;
  const Rect mark = rest.cut_left(theme.px(18));
  const glm::vec2 m = mark.centre() - glm::vec2(theme.px(3), 0.0F);
  const float r = theme.px(5);
  if (badge.good) {
    const glm::vec2 tick[] = {
        {m.x - r, m.y}, {m.x - 0.3F * r, m.y + 0.7F * r}, {m.x + r, m.y - 0.8F * r}};
    bar.canvas.polyline(tick, c.accent, theme.px(2));
  } else if (badge.bad) {
    bar.canvas.list().AddLine({m.x - r, m.y - r}, {m.x + r, m.y + r}, c.race, theme.px(2));
    bar.canvas.list().AddLine({m.x - r, m.y + r}, {m.x + r, m.y - r}, c.race, theme.px(2));
  } else {
    bar.canvas.dot(m, theme.px(2.5F), c.dim);
  }
  const std::string text =
      with_detail && !badge.detail.empty() ? badge.word + " · " + badge.detail : badge.word;
  bar.canvas.text_in(rest, text, theme.fonts.text,
                     badge.bad    ? mix(c.race, c.text, 0.3F)
                     : badge.good ? c.text
                                  : c.dim);
  if (bar.frame.model.result.check.done && hit("badge", area).hovered) {
    ImGui::SetTooltip("%s", badge_tooltip(bar.frame.model.result.check).c_str());
  }
}

Part badge_part(const Bar& bar) {
  const Badge badge = badge_of(bar.frame.model.result);
  const float mark = bar.theme().px(18) + 1.0F;
  Part part;
  part.to_the_right = true;
  part.item = {{mark + bar.text_width(badge.word)}, 9, false};
  if (!badge.detail.empty()) {
    part.item.widths.insert(part.item.widths.begin(),
                            mark + bar.text_width(badge.word + " · " + badge.detail));
  }
  const bool has_detail = !badge.detail.empty();
  part.draw = [&bar, badge, has_detail](const Rect& area, int form) {
    draw_badge(bar, area, badge, has_detail && form == 0);
  };
  return part;
}

std::vector<Part> parts(const Bar& bar, bool ladder_shown) {
  std::vector<Part> all{workload_part(bar), variant_part(bar, ladder_shown)};
  if (auto tile = tile_part(bar)) {
    all.push_back(std::move(*tile));
  }
  all.push_back(sizes_part(bar));
  all.push_back(device_part(bar));
  all.push_back(run_part(bar));
  all.push_back(badge_part(bar));
  return all;
}

void place(const std::vector<Part>& all, Rect strip, float gap) {
  std::vector<BarItem> items;
  for (const Part& part : all) {
    items.push_back(part.item);
  }
  const auto forms = fit(items, strip.width(), gap);
  for (std::size_t i = all.size(); i-- > 0;) {
    if (forms[i] >= 0 && all[i].to_the_right) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      all[i].draw(strip.cut_right(width), forms[i]);
      strip.cut_right(gap);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (forms[i] >= 0 && !all[i].to_the_right) {
      const float width = items[i].widths[static_cast<std::size_t>(forms[i])];
      all[i].draw(strip.cut_left(width), forms[i]);
      strip.cut_left(gap);
    }
  }
}

}  // namespace

void draw_top_bar(const Frame& frame, const Rect& area) {
  const Panel panel(frame, "top bar", area);
  const Theme& theme = frame.theme;
  panel.canvas().fill(area, theme.colours.surface);
  panel.canvas().line({area.low.x, area.high.y - 1.0F}, {area.high.x, area.high.y - 1.0F},
                      theme.colours.line);
  frame.state.popup_open = false;
  const Bar bar{frame, panel.canvas(), theme.px(28)};
  const float margin = 0.5F * (area.height() - bar.height);
  const bool ladder_shown = area.width() / theme.scale > 800.0F;
  place(parts(bar, ladder_shown), area.inset(theme.px(12), margin), theme.px(14));
  frame.state.close_popup = false;
}

}  // namespace ui
