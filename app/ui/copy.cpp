#include "ui/copy.h"

#include <fmt/format.h>

#include "ui/canvas/canvas.h"
#include "ui/canvas/layout.h"
#include "ui/presenter/presenter.h"

namespace ui {
namespace {

constexpr double kSeconds = 4.0;

void say(State& state, std::string sentence) {
  state.toast = std::move(sentence);
  state.toast_until = ImGui::GetTime() + kSeconds;
}

}  // namespace

std::string ladder_tsv(const core::Result& result) {
  std::string text = "variant\ttile\tmedian ms\tp5 ms\tp95 ms\tspeed-up\n";
  for (const core::Rung& rung : result.ladder) {
    text += fmt::format("{}\t{}\t", rung.variant, rung.tile);
    text += rung.spread.count > 0
                ? fmt::format("{:.6g}\t{:.6g}\t{:.6g}\t{:.4g}\n", rung.spread.median,
                              rung.spread.p5, rung.spread.p95, rung.speedup)
                : "\t\t\t\n";
  }
  return text;
}

std::string findings_text(const core::View& view, const core::Result& result) {
  if (const core::Finding* chosen = chosen_finding(view, result)) {
    return chosen->sentence() + "\n";
  }
  std::string text;
  for (std::size_t i = 0; result.races && i < result.races->findings.size(); ++i) {
    text += result.races->findings[i].sentence() + "\n";
  }
  return text;
}

void copy_pointed(ActionContext& context) {
  State& state = context.state;
  const core::Result& result = context.model.result;
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 size = vec(io.DisplaySize);
  const Layout layout = layout_of(state, size, window_scale(state, size));
  const glm::vec2 at = vec(io.MousePos);
  const bool compares = current_view(state.view, result) == "compare";
  if (const std::string found = findings_text(state.view, result);
      layout.findings.contains(at) && !found.empty()) {
    ImGui::SetClipboardText(found.c_str());
    say(state, "Copied the finding as text");
  } else if (layout.ladder.contains(at) || layout.timing.contains(at) ||
             (compares && layout.view.contains(at))) {
    ImGui::SetClipboardText(ladder_tsv(result).c_str());
    say(state, "Copied the ladder as tab-separated values");
  } else {
    state.of<CopyState>().picture = layout.view;
  }
}

}  // namespace ui
