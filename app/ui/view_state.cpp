#include "ui/view_state.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace ui {
namespace {

using Kind = core::ViewField::Kind;

// Numbers of a scene are 64 bits wide, those of a state may be narrower.
template <class T>
using Kept = std::conditional_t<std::is_same_v<T, bool> || std::is_same_v<T, std::string>, T,
                                std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>;

void add_fields(ViewState& state, core::ViewSettings& settings) {
  for (const StateField& f : state.fields()) {
    settings[f.about.key] = std::visit(
        []<class T>(T* at) { return core::ViewSetting(static_cast<Kept<T>>(*at)); }, f.at);
  }
}

}  // namespace

StateField StateField::with_flag(const char* flag, const char* view, const char* meaning) const {
  StateField with = *this;
  with.about.flag = flag;
  with.about.view = view;
  with.about.meaning = meaning;
  return with;
}

StateField StateField::with_meaning(const char* meaning) const {
  return with_flag("", "", meaning);
}

StateField field(const char* key, bool& at) {
  return {{.key = key, .kind = Kind::truth}, &at};
}

StateField field(const char* key, std::uint32_t& at, std::uint32_t least) {
  constexpr auto kMost = static_cast<double>(std::numeric_limits<std::uint32_t>::max());
  return {{.key = key, .kind = Kind::whole, .low = static_cast<double>(least), .high = kMost}, &at};
}

StateField field(const char* key, std::int64_t& at, std::int64_t low, std::int64_t high) {
  return {{.key = key,
           .kind = Kind::whole,
           .low = static_cast<double>(low),
           .high = static_cast<double>(high)},
          &at};
}

StateField field(const char* key, float& at, double low, double high) {
  return {{.key = key, .kind = Kind::number, .low = low, .high = high}, &at};
}

StateField field(const char* key, std::string& at, std::vector<std::string> choices) {
  return {{.key = key, .kind = Kind::text, .choices = std::move(choices)}, &at};
}

void ViewStates::remember(ViewState& fresh) {
  add_fields(fresh, own_);
}

core::ViewSettings ViewStates::save() {
  core::ViewSettings settings;
  for (const auto& [type, state] : all_) {
    add_fields(*state, settings);
  }
  return settings;
}

void ViewStates::load_afresh(const core::ViewSettings& settings, std::string_view but) {
  core::ViewSettings whole = own_;
  std::erase_if(whole, [but](const auto& setting) { return setting.first.starts_with(but); });
  for (const auto& [key, value] : settings) {
    whole.insert_or_assign(key, value);
  }
  load(whole);
}

void ViewStates::load(const core::ViewSettings& settings) {
  for (const auto& [type, state] : all_) {
    for (const StateField& f : state->fields()) {
      const auto found = settings.find(f.about.key);
      if (found != settings.end() && !core::unfit(f.about, found->second)) {
        std::visit([&value = found->second]<class T>(
                       T* at) { *at = static_cast<T>(std::get<Kept<T>>(value)); },
                   f.at);
      }
    }
  }
}

std::vector<core::ViewField> ViewStates::fields() {
  std::vector<core::ViewField> fields;
  for (const auto& [type, state] : all_) {
    for (StateField& f : state->fields()) {
      fields.push_back(std::move(f.about));
    }
  }
  return fields;
}

void ViewStates::forget_kernel() {
  std::ranges::for_each(all_, [](const auto& entry) { entry.second->forget_kernel(); });
}

bool ViewStates::busy() const {
  return std::ranges::any_of(all_, [](const auto& entry) { return entry.second->busy(); });
}

}  // namespace ui
