#include "ui/canvas/imgui_compat.h"

#include <imgui_internal.h>

namespace ui::compat {
namespace {

// What was pushed in the current window since its Begin().
void close_contents() {
#if IMGUI_VERSION_NUM >= 19130
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiErrorRecoveryState begin = g.CurrentWindowStack.back().StackSizesInBegin;
  ImGui::ErrorRecoveryTryToRecoverWindowState(&begin);
#else
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiStackSizes& begin = g.CurrentWindowStack.back().StackSizesOnBegin;
  while (g.FontStack.Size > begin.SizeOfFontStack) {
    ImGui::PopFont();
  }
  ImGui::ErrorCheckEndWindowRecover(nullptr);
#endif
}

void close_window() {
  if ((ImGui::GetCurrentContext()->CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow) != 0) {
    ImGui::EndChild();
  } else {
    ImGui::End();
  }
}

}  // namespace

StackDepth stack_depth() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();  // GetWindowDrawList() would show its window
  return {g.CurrentWindowStack.Size, g.CurrentWindow->DrawList->_ClipRectStack.Size};
}

void unwind_stacks(const StackDepth& depth) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  while (g.CurrentWindowStack.Size > depth.windows) {
    close_contents();
    close_window();
  }
  if (depth.windows > 1) {  // the first is ImGui's own: what is pushed there is the caller's
    close_contents();
  }
  ImDrawList& list = *g.CurrentWindow->DrawList;
  while (list._ClipRectStack.Size > depth.clips) {
    list.PopClipRect();
  }
}

}  // namespace ui::compat
