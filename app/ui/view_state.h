// What a view remembers: a struct of its own in its folder. Whoever wants it asks by its type; it
// is made when it is first asked for. A scene keeps the fields that it names.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <typeindex>
#include <variant>
#include <vector>

#include "core/work/view_settings.h"

namespace ui {

/// A field of a view's state that a scene keeps, and where it lies.
struct StateField {
  core::ViewField about;
  std::variant<bool*, std::uint32_t*, std::int64_t*, float*, std::string*> at;

  /// `shot` has a flag for it, which shows `view` where no view is named (empty: it doesn't).
  [[nodiscard]] StateField with_flag(const char* flag, const char* view, const char* meaning) const;
  /// The sentence about it in the manual, if `shot` has no flag for it.
  [[nodiscard]] StateField with_meaning(const char* meaning) const;
};

[[nodiscard]] StateField field(const char* key, bool& at);
[[nodiscard]] StateField field(const char* key, std::uint32_t& at, std::uint32_t least = 0);
[[nodiscard]] StateField field(const char* key, std::int64_t& at, std::int64_t low,
                               std::int64_t high);
[[nodiscard]] StateField field(const char* key, float& at, double low, double high);
[[nodiscard]] StateField field(const char* key, std::string& at,
                               std::vector<std::string> choices = {});

class ViewState {
 public:
  ViewState() = default;
  ViewState(const ViewState&) = delete;
  ViewState& operator=(const ViewState&) = delete;
  virtual ~ViewState() = default;

  [[nodiscard]] virtual std::vector<StateField> fields() { return {}; }
  /// Another kernel is looked at: what was chosen inside the last one is let go.
  virtual void forget_kernel() {}
  /// Something is on its way that needs another frame soon.
  [[nodiscard]] virtual bool busy() const { return false; }
};

/// The states of all views.
class ViewStates {
 public:
  template <class T>
  T& of() {
    std::unique_ptr<ViewState>& slot = all_[typeid(T)];
    if (!slot) {
      slot = std::make_unique<T>();
      remember(*slot);
    }
    return static_cast<T&>(*slot);
  }

  /// Null where nobody has asked for it yet.
  template <class T>
  [[nodiscard]] const T* known() const {
    const auto found = all_.find(typeid(T));
    return found == all_.end() ? nullptr : static_cast<const T*>(found->second.get());
  }

  [[nodiscard]] core::ViewSettings save();
  /// Settings that are missing, or that do not fit, leave what is there.
  void load(const core::ViewSettings& settings);
  /// The same on views as they begin: a setting that is missing is its view's own choice, but for
  /// those whose key begins with `but`.
  void load_afresh(const core::ViewSettings& settings, std::string_view but);
  [[nodiscard]] std::vector<core::ViewField> fields();
  void forget_kernel();
  [[nodiscard]] bool busy() const;

 private:
  void remember(ViewState& fresh);

  std::map<std::type_index, std::unique_ptr<ViewState>> all_;
  core::ViewSettings own_;  ///< as each state begins
};

}  // namespace ui
