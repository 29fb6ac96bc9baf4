#include "studio/window/typed.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/files.h"
#include "lab/files/window_state.h"
#include "studio/kernel_files.h"
#include "ui/lesson/lesson_panel.h"

namespace studio {
namespace {

std::string draft_of(const std::string& name, bool included) {
  return (included ? std::string(ui::included_draft) : "") + name;
}

}  // namespace

Typed::Typed(ui::App& app, lab::Lab& lab, const core::Catalogue& catalogue)
    : app_(app), lab_(lab), catalogue_(catalogue) {
  for (const ui::KernelText& draft : read_drafts()) {
    app_.offer_draft(draft);
  }
}

const ui::Sheet* Typed::sheet_of(const std::string& name) const {
  return app_.state().of<ui::Editor>().sheet_of(name);
}

core::Expected<void> Typed::keep_as(const std::string& draft,
                                    const std::optional<std::string>& text,
                                    const std::string& begun) {
  auto kept = keep_draft(draft, text, begun);
  if (kept) {
    not_kept_.erase(draft);
  } else {
    not_kept_.insert(draft);
  }
  return kept;
}

void Typed::keep(const ui::KernelText& draft) {
  if (const auto kept = keep_as(draft.variant, draft.text, draft.begun); !kept) {
    app_.tell(kept.error().message);
  }
  told_on_closing_.clear();
}

void Typed::edit(const ui::EditedKernel& edited) {
  const ui::Sheet* sheet = sheet_of(edited.variant);
  const auto kept = keep_as(draft_of(edited.variant, edited.included), edited.text,
                            sheet != nullptr ? sheet->begun : "");
  if (!kept) {
    app_.tell(kept.error().message);
  }
  edited.included ? lab_.edit_included(edited.variant, edited.text)
                  : lab_.edit(edited.variant, edited.text);
}

Typed::Saved Typed::save(const ui::KernelText& kernel, const core::Result& shown) {
  const ui::Sheet* sheet = sheet_of(kernel.variant);
  const bool included = sheet != nullptr && sheet->included;
  std::vector<core::SourceFile> sources;
  if (shown.launch < shown.launches.size()) {
    sources = shown.launches[shown.launch].sources;
  }
  const auto saved =
      save_kernel(catalogue_, kernel.variant, file_of(kernel.variant), kernel.text, sources);
  if (!saved) {
    return {saved.error().message, ""};
  }
  app_.saved(kernel, saved->variant);
  static_cast<void>(keep_as(draft_of(kernel.variant, included), std::nullopt));
  if (saved->variant.empty() && !included) {
    static_cast<void>(lab::keep_recent(saved->file.string()));
  }
  return {fmt::format("Saved to {}", saved->file.string()), saved->variant};
}

bool Typed::look() {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, sheet] : app_.state().of<ui::Editor>().sheets) {
    const auto text = core::read_file(file_of(name));
    if (text && sheet.seen != *text) {
      texts.emplace_back(name, *text);
    }
  }
  for (const auto& [name, text] : texts) {
    const ui::Sheet* sheet = sheet_of(name);
    const bool included = sheet != nullptr && sheet->included;
    if (app_.file_is(name, text)) {
      included ? lab_.edit_included(name, std::nullopt) : lab_.edit(name, std::nullopt);
    }
  }
  return !texts.empty();
}

std::filesystem::path Typed::file_of(const std::string& name) const {
  const auto all = catalogue_.all();
  if (const auto known = std::ranges::find(all, name, &core::Variant::id); known != all.end()) {
    return known->file;
  }
  const auto launcher = std::ranges::find_if(
      all, [&name](const core::Variant& v) { return v.launches_kernel(name); });
  return launcher == all.end() ? std::filesystem::path(name)
                               : launcher->file.parent_path().parent_path() / (name + ".comp");
}

std::string Typed::asks_on_closing() {
  std::string lost, unsaved;
  const auto& lent = app_.state().of<ui::LessonState>().lent;
  for (auto& [name, sheet] : app_.state().of<ui::Editor>().sheets) {
    if (sheet.typed() && !(lent && lent->variant == name)) {  // a lesson's text is nobody's work
      unsaved += (unsaved.empty() ? "" : ", ") + name.substr(name.rfind('/') + 1);
    }
    const std::string draft = draft_of(name, sheet.included);
    if (sheet.typed() && (sheet.kept != sheet.buffer.text() || not_kept_.contains(draft))) {
      const auto kept = keep_as(draft, sheet.buffer.text(), sheet.begun);
      lost = kept ? lost : kept.error().message;
    }
  }
  const std::string told =
      !lost.empty()
          ? fmt::format(
                "Cannot keep the typed text: {}. Save it (Ctrl+S), or close again to discard it.",
                lost)
      : !unsaved.empty()
          ? fmt::format("Not saved: {}. Save it (Ctrl+S), or close again to keep it as a draft.",
                        unsaved)
          : std::string();
  return std::exchange(told_on_closing_, told) == told ? std::string() : told;
}

}  // namespace studio
