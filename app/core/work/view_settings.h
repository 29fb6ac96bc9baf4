// What the views keep in a scene beside what all have in common: settings by the key that a scene's
// file has for them, and what may stand there. A view's own folder (ui/views/<name>/) says which
// are its own; files, flags and whoever else passes them on knows no view.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace core {

using ViewSetting = std::variant<bool, std::int64_t, double, std::string>;
/// By key, "cells_zoom". One that is missing stands for its view's own choice.
using ViewSettings = std::map<std::string, ViewSetting>;

/// A setting that some view has.
struct ViewField {
  enum class Kind { truth, whole, number, text };  ///< in the order of ViewSetting
  std::string key;
  Kind kind = Kind::text;
  double low = 0.0, high = 0.0;      ///< of numbers, both included
  std::vector<std::string> choices;  ///< of texts; empty: any
  std::string flag;                  ///< of `shot`, "--phase"; empty: it has none
  std::string meaning;               ///< of the flag
  std::string view;                  ///< that the flag shows where no view is named; empty: none
  bool place = false;  ///< the flag takes X,Y,Z, the place of an invocation in its workgroup
};

/// What is wrong with a value, "phase must be from 0 to 7"; nothing: it may stand there.
[[nodiscard]] std::optional<std::string> unfit(const ViewField& field, const ViewSetting& value);

}  // namespace core
