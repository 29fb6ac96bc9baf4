// Sentences that stand for a while: the last request's error, and what was just done. They cover
// nothing that they speak of.
#include <algorithm>

#include <fmt/format.h>

#include "ui/copy.h"
#include "ui/editor/editor.h"
#include "ui/looked_into.h"
#include "ui/panels/panels.h"
#include "ui/views.h"

namespace ui {
namespace {

constexpr float kWidest = 620.0F;  // at scale 1
constexpr float kLeastToast = 200.0F;
constexpr float kMostOfView = 0.5F;
constexpr float kMostOfRefused = 0.4F;

std::string error_text(const core::Error& error, const std::string& variant) {
  return error.line > 0 ? fmt::format("{}, line {}: {}", variant, error.line, error.message)
                        : error.message;
}

// The box that a sentence needs, centred in `view`.
Rect box_for(const Frame& frame, const Canvas& canvas, const Rect& view, const std::string& text,
             float extra) {
  const Theme& theme = frame.theme;
  const float pad = theme.px(14);
  const float widest = std::min(theme.px(kWidest), view.width() - 4.0F * pad) - extra;
  const auto lines = canvas.wrap(text, theme.fonts.text, widest);
  float width = 0.0F;
  for (const std::string& line : lines) {
    width = std::max(width, canvas.measure(line, theme.fonts.text).x);
  }
  const float height = canvas.line_height(theme.fonts.text) * static_cast<float>(lines.size());
  const glm::vec2 size{std::min(width + 1.0F, widest) + 2.0F * pad + extra, height + 1.2F * pad};
  const float left = view.centre().x - 0.5F * size.x;
  return {{left, view.low.y}, {left + size.x, view.low.y + std::min(size.y, view.height())}};
}

void draw_box(const Frame& frame, const Canvas& canvas, const Rect& box, const std::string& text,
              Colour mark, float extra) {
  const Theme& theme = frame.theme;
  canvas.fill(box, theme.colours.raised, theme.px(4));
  canvas.frame(box, theme.colours.line, 1.0F, theme.px(4));
  canvas.fill({box.low, {box.low.x + theme.px(4), box.high.y}}, mark, theme.px(2));
  Rect inside = box.inset(theme.px(14), 0.6F * theme.px(14));
  inside.high.x -= extra;
  canvas.wrapped(inside.inset(0.0F, -1.0F), text);
}

// A panel whose place depends on its own text needs a canvas to measure with first.
Canvas ruler(const Frame& frame) {
  return {*ImGui::GetForegroundDrawList(), frame.theme, nullptr};
}

// Until its cross is clicked. Returns that it was, and takes its room off the view; where a view is
// so low that nothing would be left of it, the sentence lies over it.
bool stands(const Frame& frame, Rect& view, const char* name, const std::string& text) {
  const Theme& theme = frame.theme;
  const float closer = theme.px(24);
  const float gap = theme.px(8);
  const Rect below{{view.low.x, view.low.y + gap}, view.high};
  const Rect box = box_for(frame, ruler(frame), below, text, closer);
  const bool apart = box.high.y + gap - view.low.y <= kMostOfView * view.height();
  const Rect strip = apart ? view.cut_top(box.high.y + gap - view.low.y) : box;
  const Panel panel(frame, name, strip, Panel::Layer::overlay);
  if (apart) {
    panel.canvas().fill(strip, theme.colours.background);
  }
  draw_box(frame, panel.canvas(), box, text, theme.colours.race, closer);
  const Rect cross{{box.high.x - closer - theme.px(6), box.low.y}, box.high};
  const Hit mouse = hit("close", cross);
  panel.canvas().write(cross, "×", mouse.hovered ? pen::title : pen::title.in(&Palette::dim),
                       Align::centre);
  return mouse.clicked;
}

// Whether one was there.
bool draw_error(const Frame& frame, Rect& view) {
  const auto& error = frame.model.result.error;
  if (!error || frame.state.hidden_error == error->message) {
    return false;
  }
  if (frame.model.result.text_only) {
    return false;  // the view shows it
  }
  if (error->line > 0 && shown_sheet(frame) != nullptr) {
    return false;  // it stands under the line that is being typed
  }
  if (stands(frame, view, "error", error_text(*error, frame.state.wanted.variant))) {
    frame.state.hidden_error = error->message;
  }
  return true;
}

// At the lower edge of what it may cover, if it has room there.
bool put_toast(const Frame& frame, const Rect& place, float above_edge) {
  const Theme& theme = frame.theme;
  if (place.width() < theme.px(kLeastToast)) {
    return false;
  }
  Rect box = box_for(frame, ruler(frame), place, frame.state.toast, 0.0F);
  const float drop = place.height() - box.height() - above_edge;
  if (drop < 0.0F) {
    return false;
  }
  box.low.y += drop;
  box.high.y += drop;
  const Panel panel(frame, "toast", box, Panel::Layer::overlay);
  draw_box(frame, panel.canvas(), box, frame.state.toast, theme.colours.accent, 0.0F);
  return true;
}

}  // namespace

Rect draw_refusal(const Frame& frame, const Rect& view) {
  const core::Result& result = frame.model.result;
  const bool error_shown = result.error && frame.state.hidden_error != result.error->message;
  // These show what the other variants do, and mark the refused ones themselves; others have
  // nothing to show, and say why.
  const CentreView& row = shown_view(frame.state.view, result);
  const std::string shown = row.name;
  const bool has_data = shown == "compare" || shown == "roofline";
  const bool tells = row.nothing != nullptr && !row.nothing(frame).empty();
  if (!result.refused() || error_shown || has_data || tells) {
    return view;
  }
  const Theme& theme = frame.theme;
  const float gap = theme.px(8);
  const Rect below{{view.low.x, view.low.y + gap}, view.high};
  std::string text = why_no_trace(frame).value_or("");
  const std::string longer = text + " " + way_out();
  Rect box = box_for(frame, ruler(frame), below, longer, 0.0F);
  if (box.height() <= kMostOfRefused * view.height()) {
    text = longer;
  } else {
    box = box_for(frame, ruler(frame), below, text, 0.0F);
  }
  const Rect strip{view.low, {view.high.x, box.high.y + gap}};
  const Panel panel(frame, "refusal", strip);
  panel.canvas().fill(strip, theme.colours.background);
  draw_box(frame, panel.canvas(), box, text, theme.colours.race, 0.0F);
  return {{view.low.x, strip.high.y}, view.high};
}

Rect draw_standing(const Frame& frame, const Rect& view) {
  Rect rest = view;
  if (!frame.model.result.error) {
    frame.state.hidden_error.clear();
  }
  if (!draw_error(frame, rest) && !frame.state.told.empty() &&
      stands(frame, rest, "told", frame.state.told)) {
    frame.state.told.clear();
  }
  return rest;
}

void draw_toast(const Frame& frame, const Layout& layout) {
  // Of a frame that is saved or copied it is no part.
  const bool taken = frame.requests.save_picture || !frame.state.of<CopyState>().picture.empty();
  if (taken || frame.state.toast.empty() || ImGui::GetTime() > frame.state.toast_until) {
    return;
  }
  const float edge = frame.theme.px(16);
  const bool typing = !frame.state.of<Editor>().focused.empty();
  if (typing || !put_toast(frame, layout.source, edge)) {
    put_toast(frame, layout.view, std::min(frame.theme.px(70), 0.1F * layout.view.height()));
  }
}

}  // namespace ui
