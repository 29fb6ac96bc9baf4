#include "ui/beside/beside_values.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/canvas/format.h"
#include "ui/launch/launch_flags.h"

namespace ui {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

const std::string* find(const Values& values, const std::string& name) {
  const auto found = std::ranges::find(values, name, &Values::value_type::first);
  return found == values.end() ? nullptr : &found->second;
}

void add(Values& values, const std::string& name, const std::string& value) {
  if (find(values, name) == nullptr) {
    values.emplace_back(name, value);
  }
}

// A buffer's name alone where it has one: its place may be another one in the other kernel.
std::string name_of(const LaunchField& field) {
  const std::string place = " (" + field.name + ")";
  return field.what != LaunchField::What::buffer ? field.shown
         : field.shown.ends_with(place) ? field.shown.substr(0, field.shown.size() - place.size())
                                        : "buffer " + field.shown;
}

Values values_of(const core::Result& result) {
  Values values;
  for (const LaunchField& field : launch_fields(result)) {
    if (field.what != LaunchField::What::items) {  // they follow from the workgroups
      add(values, name_of(field), field.value);
    }
  }
  if (!values.empty()) {
    return values;
  }
  const auto names = result.work ? result.work->size_names() : std::vector<std::string>();
  for (std::size_t i = 0; i < std::min(names.size(), result.problem.sizes.size()); ++i) {
    add(values, names[i], std::to_string(result.problem.sizes[i]));
  }
  if (result.experiment.tile != 0) {
    add(values, "tile", std::to_string(result.experiment.tile));
  }
  for (const auto& [name, value] : result.experiment.settings) {
    add(values, name, value);
  }
  return values;
}

// A buffer that has the other one's contents says its length alone.
bool same_value(const std::string& ours, const std::string& theirs) {
  return ours == theirs || ours.starts_with(theirs + ":");
}

// All of them, then fewer, with how many more there are.
Wordings wordings_of(const std::vector<std::string>& parts) {
  Wordings all;
  for (std::size_t shown = parts.size(); shown > 0; --shown) {
    const std::size_t more = parts.size() - shown;
    all.push_back(fmt::format(
        "{}{}", fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        more > 0 ? fmt::format(", +{} more", more) : ""));
  }
  return all.empty() ? Wordings{""} : all;
}

}  // namespace

Wordings values_text(const core::Result& result) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values_of(result)) {
    parts.push_back(name + " " + value);
  }
  return wordings_of(parts);
}

Wordings other_values_text(const core::Result& first, const core::Result& second) {
  if (second.text_only) {
    return {""};  // its values are not known before it is set up
  }
  const Values ours = values_of(first);
  const Values theirs = values_of(second);
  std::vector<std::string> parts;
  for (const auto& [name, value] : theirs) {
    const std::string* other = find(ours, name);
    if (other == nullptr) {
      parts.push_back(fmt::format("{} {} (not in A)", name, value));
    } else if (!same_value(*other, value)) {
      parts.push_back(fmt::format("{} {} (A: {})", name, value, *other));
    }
  }
  for (const auto& [name, value] : ours) {
    if (find(theirs, name) == nullptr) {
      parts.push_back(fmt::format("no {} (A: {})", name, value));
    }
  }
  return parts.empty() ? Wordings{"same values as A", "same values"} : wordings_of(parts);
}

std::string outputs_text(const core::Result& first, const core::Result& second) {
  if (!second.like || second.like->experiment != first.experiment ||
      second.like->source != first.variant.source) {
    return "";
  }
  if (second.like->error) {
    return "outputs not compared with A: " + second.like->error->message;
  }
  const core::Check& outputs = second.like->outputs;
  if (!outputs.done) {
    return "";
  }
  return outputs.correct ? "same outputs as A"
         : outputs.worst.empty()
             ? "outputs differ from A: max error " + short_scientific(outputs.max_error)
             : "outputs differ from A: " + outputs.worst;
}

}  // namespace ui
