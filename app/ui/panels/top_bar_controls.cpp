// What runs: workload, variant, tile, sizes and device, as menus, buttons and inputs.
#include <algorithm>

#include <fmt/format.h>

#include "ui/edits.h"
#include "ui/open/open_state.h"
#include "ui/panels/size_field.h"
#include "ui/panels/top_bar.h"
#include "ui/widgets/names.h"

namespace ui {
namespace {

constexpr float kWidestMenu = 9.0F;  // lines of text; longer names are shortened
constexpr float kNarrowMenu = 5.5F;
const std::vector<float> kMenus{kWidestMenu, 7.5F, 6.5F, kNarrowMenu};
constexpr float kNarrowestMenu = 3.9F;

}  // namespace

void draw_choices(const Frame& frame, const char* id, const std::string& head,
                  const std::vector<Choice>& choices) {
  const Gaps& gap = frame.theme.gap;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gap.large, gap.medium));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap.large, gap.medium));
  const bool open = ImGui::BeginPopup(id);
  ImGui::PopStyleVar(2);
  if (!open) {
    return;
  }
  frame.state.popup_open = true;
  if (!head.empty()) {
    ImGui::TextDisabled("%s", head.c_str());
  }
  for (const Choice& choice : choices) {
    if (ImGui::Selectable(choice.text.c_str(), choice.on)) {
      choice.choose();
    }
    if (!choice.note.empty()) {
      ImGui::SameLine();
      ImGui::TextDisabled("%s", choice.note.c_str());
    }
  }
  if (frame.state.close_popup) {
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void draw_menu(const Bar& bar, const char* id, const Rect& area, const std::string& text,
               const std::vector<Choice>& choices, const std::string& brief) {
  const Palette& c = bar.theme().colours;
  const Gaps& gap = bar.theme().gap;
  const Hit mouse = hit(id, area);
  bar.canvas.fill(area, mouse.hovered ? c.hover : c.raised, gap.small);
  bar.canvas.frame(area, c.line, 1.0F, gap.small);
  Strip words{bar.canvas, area.inset(gap.medium, 0.0F)};
  const glm::vec2 tip = words.rest.cut_right(gap.large).centre();
  const float room = words.rest.width();
  const bool shorter = !brief.empty() && bar.text_width(text) > room;
  const std::string shown = shorten_name(bar.canvas, shorter ? brief : text, room);
  words.write(shown);
  if (mouse.hovered && shown != text) {
    tell(text);
  }
  const float r = gap.small;
  bar.canvas.list().AddTriangleFilled({tip.x - r, tip.y - 0.5F * r}, {tip.x + r, tip.y - 0.5F * r},
                                      {tip.x, tip.y + 0.7F * r}, c.dim);
  const std::string popup = std::string(id) + " choices";
  if (mouse.clicked) {
    ImGui::OpenPopup(popup.c_str());
  }
  if (ImGui::IsPopupOpen(popup.c_str())) {
    ImGui::SetNextWindowPos({area.low.x, area.high.y + gap.small});
    draw_choices(bar.frame, popup.c_str(), "", choices);
  }
}

float widest_menu(const Bar& bar, const std::vector<Choice>& choices, std::string_view shown) {
  float width = bar.menu_width(shown);
  for (const Choice& choice : choices) {
    width = std::max(width, bar.menu_width(choice.text));
  }
  return width;
}

namespace {

// As wide as the widest may be, so that what follows stays where it is; `forms`: how wide at most,
// in lines of text.
Part menu_part(const Bar& bar, const char* id, std::string shown, std::vector<Choice> choices,
               int importance, std::vector<float> forms, const std::string& brief = {}) {
  Part part{.item = {{}, importance}};
  const float widest = widest_menu(bar, choices, shown);
  for (const float lines : forms) {
    part.item.widths.push_back(std::min(widest, lines * bar.canvas.line_height()));
  }
  part.draw = [&bar, id, shown, choices, brief](const Rect& area, int) {
    draw_menu(bar, id, area, shown, choices, brief);
  };
  return part;
}

}  // namespace

Part workload_part(const Bar& bar) {
  const core::Catalogue& catalogue = bar.frame.model.catalogue;
  const core::Experiment& wanted = bar.frame.state.wanted;
  const auto now = catalogue.workload(wanted.workload());
  std::vector<Choice> choices;
  for (const core::WorkloadPtr& w : catalogue.workloads()) {
    if (!catalogue.of(w->name()).empty()) {
      choices.push_back({w->title(), w->about(), now == w, [&bar, w] {
                           bar.frame.actions().want(with_workload(
                               bar.frame.state.wanted, bar.frame.model.catalogue, w->name()));
                         }});
    }
  }
  choices.push_back({"Open …", "Open a file, folder or scene (Ctrl+O)", false,
                     [&bar] { bar.frame.state.of<OpenState>().show(); }});
  Part part = menu_part(bar, "workload", now != nullptr ? now->title() : "Kernel file",
                        std::move(choices), 8, kMenus);
  part.item.may_vanish = false;
  return part;
}

Part variant_part(const Bar& bar, bool ladder_shown) {
  const core::Experiment& wanted = bar.frame.state.wanted;
  std::string shown = wanted.variant;
  std::vector<Choice> choices;
  for (const core::Variant& v : bar.frame.model.catalogue.of(wanted.workload())) {
    const bool on = v.id() == wanted.variant;
    const std::string& title = v.title.empty() ? v.name : v.title;
    shown = on ? title : shown;
    choices.push_back({title, v.claim, on, [&bar, &v] {
                         bar.frame.actions().want(with_variant(bar.frame.state.wanted, v));
                       }});
  }
  return menu_part(bar, "variant", shown, std::move(choices), ladder_shown ? 5 : 7, kMenus);
}

namespace {

// "llvmpipe", "RTX 4090": without its maker, and without what its driver adds.
std::string brief_name(const core::DeviceInfo& device) {
  std::string_view name = device.name;
  for (const std::string_view maker : {"NVIDIA ", "GeForce ", "AMD ", "Radeon ", "Intel(R) "}) {
    name.remove_prefix(name.starts_with(maker) ? maker.size() : 0);
  }
  return std::string(name.substr(0, name.find(" (")));
}

}  // namespace

Part device_part(const Bar& bar) {
  const core::DeviceInfo& device = bar.frame.model.result.device;
  std::vector<Choice> choices;
  for (const core::DeviceInfo& d : bar.frame.model.devices) {
    const std::string note =
        core::to_string(d.type) + (d.emulated() ? ", emulated: not GPU times" : "");
    choices.push_back({d.name, note, d.index == device.index, [&bar, &d] {
                         core::Experiment next = bar.frame.state.wanted;
                         next.device = std::to_string(d.index);
                         bar.frame.actions().want(next);
                       }});
  }
  const std::string brief = brief_name(device);
  const float least = std::max(kNarrowestMenu, bar.menu_width(brief) / bar.canvas.line_height());
  return menu_part(bar, "device", device.name.empty() ? "device" : device.name, std::move(choices),
                   3, {100.0F, kWidestMenu, kNarrowMenu, std::min(least, kNarrowMenu)}, brief);
}

namespace {

// Where it is left open, what was taken.
std::uint32_t tile_now(const Bar& bar) {
  const core::Experiment& wanted = bar.frame.state.wanted;
  const core::Experiment& taken = bar.frame.model.result.experiment;
  const bool open = wanted.tile == 0 && wanted.variant == taken.variant && taken.tile != 0;
  return open ? taken.tile : tile_of(wanted, bar.frame.model.catalogue);
}

constexpr const char* kTile = "tile";

// It was found best on this device.
bool is_tuned(const Bar& bar) {
  const core::Result& result = bar.frame.model.result;
  const core::Experiment& wanted = bar.frame.state.wanted;
  const bool same =
      wanted.variant == result.experiment.variant && tile_now(bar) == result.experiment.tile;
  return result.tuned && same;
}

float tile_width(const Bar& bar, const core::Variant& variant) {
  return bar.mono_width(std::to_string(variant.tile.values.back())) + bar.theme().gap.large;
}

void draw_tiles(const Bar& bar, Rect area, const core::Variant& variant, float each) {
  const Theme& theme = bar.theme();
  const Palette& c = theme.colours;
  const std::uint32_t now = tile_now(bar);
  const Rect label = area.cut_left(bar.text_width(kTile) + theme.gap.medium);
  const bool tuned = is_tuned(bar);
  bar.canvas.write(label, kTile, tuned ? pen::accent : pen::dim);
  if (tuned && hit("tuned", label).hovered) {
    ImGui::SetTooltip("fastest tile found on this device (bench --tune)");
  }
  area.high.x = area.low.x + each * static_cast<float>(variant.tile.values.size());
  bar.canvas.fill(area, c.raised, theme.gap.small);
  bar.canvas.frame(area, c.line, 1.0F, theme.gap.small);
  for (const std::uint32_t tile : variant.tile.values) {
    const Rect button = area.cut_left(each);
    const std::string text = std::to_string(tile);
    const Hit mouse = hit(("tile " + text).c_str(), button);
    const bool on = tile == now;
    if (on || mouse.hovered) {
      bar.canvas.fill(button, on ? c.accent : c.hover, theme.gap.small);
    }
    bar.canvas.write(button, text, on ? pen::mono.in(&Palette::on_accent) : pen::mono,
                     Align::centre);
    if (mouse.clicked) {
      core::Experiment next = bar.frame.state.wanted;
      next.tile = tile;
      bar.frame.actions().want(next);
    }
  }
}

}  // namespace

std::optional<Part> tile_part(const Bar& bar) {
  const core::Variant* variant = variant_of(bar.frame.state.wanted, bar.frame.model.catalogue);
  float widest = 0.0F;
  for (const core::Variant& v : bar.frame.model.catalogue.of(bar.frame.state.wanted.workload())) {
    if (v.has_tile()) {
      widest = std::max(widest, tile_width(bar, v) * static_cast<float>(v.tile.values.size()));
    }
  }
  if (widest == 0.0F) {
    return std::nullopt;
  }
  Part part;
  part.item = {{bar.text_width(kTile) + bar.theme().gap.medium + widest}, 6};
  part.draw = [&bar, variant](const Rect& area, int) {
    if (variant != nullptr && variant->has_tile()) {
      draw_tiles(bar, area, *variant, tile_width(bar, *variant));
    } else {
      bar.canvas.write(area, "no tile sizes", pen::dim);
    }
  };
  return part;
}

Part sizes_part(const Bar& bar) {
  const Theme& theme = bar.theme();
  const auto workload = bar.frame.model.catalogue.workload(bar.frame.state.wanted.workload());
  const core::Sizes sizes = sizes_of(bar.frame.state.wanted, bar.frame.model.catalogue);
  const auto names = workload != nullptr ? workload->size_names() : std::vector<std::string>{};
  // One size alone is a count, of up to ten digits; a side has fewer.
  const float input = bar.mono_width(names.size() == 1 ? "0000000000" : "000000") + theme.px(12);
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
      bar.canvas.write(label, names[i], pen::dim);
      draw_size_field(bar, rest.cut_left(input), i, sizes);
      rest.cut_left(bar.theme().px(10));
    }
  };
  return part;
}

}  // namespace ui
