#include "ui/launch/launch_flags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ui {
namespace {

using What = LaunchField::What;

constexpr std::array kFlags{std::pair{"--groups ", What::groups}, std::pair{"--set ", What::member},
                            std::pair{"--push ", What::push}, std::pair{"--spec ", What::constant},
                            std::pair{"--buffer ", What::buffer}};

bool is_named(What what) {
  return what == What::member || what == What::constant || what == What::buffer;
}

std::string name_of(const LaunchField& field) {
  switch (field.what) {
    case What::groups:
      return "workgroups";
    case What::items:
      return "invocations";
    case What::push:
      return "push constants";
    case What::constant:
      return "constant " + field.name;
    case What::member:
    case What::buffer:
      break;
  }
  return field.name;
}

// "--set n=1000": the flag, and what it says.
std::optional<LaunchField> field_of(const std::string& flag) {
  const auto found = std::ranges::find_if(
      kFlags, [&flag](const auto& known) { return flag.starts_with(known.first); });
  if (found == kFlags.end()) {
    return std::nullopt;
  }
  LaunchField field{.what = found->second};
  field.value = flag.substr(std::string_view(found->first).size());
  if (is_named(field.what)) {
    const std::size_t equals = field.value.find('=');
    field.name = field.value.substr(0, equals);
    field.value = equals == std::string::npos ? "" : field.value.substr(equals + 1);
  }
  field.shown = name_of(field);
  return field;
}

// "4", "4,2,1" or "4 × 2": numbers of at least `least`.
std::optional<std::vector<std::uint32_t>> numbers_in(const std::string& text, std::uint32_t least) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint32_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < least) {
      return std::nullopt;
    }
    numbers.push_back(value);
    at = next;
    if (at != end && (*at != ',' || ++at == end)) {
      return std::nullopt;
    }
  }
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

std::string text_of(const std::vector<std::uint32_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

core::Expected<void> set_sizes(const LaunchField& field, const std::string& value,
                               core::Experiment& wanted) {
  auto sizes = numbers_in(value, 1);
  if (!sizes || sizes->size() > 3) {
    return core::usage_error(field.shown +
                             " must be one to three whole numbers of at least 1: X,Y,Z");
  }
  sizes->resize(3, 1);
  const bool groups = field.what == What::groups;
  wanted.choices.groups = groups ? *sizes : core::Sizes{};
  wanted.choices.items = groups ? core::Sizes{} : *sizes;
  wanted.size.clear();
  return {};
}

core::Expected<void> set_words(const LaunchField& field, const std::string& value,
                               core::Experiment& wanted) {
  const auto words = numbers_in(value, 0);
  const bool one = field.what == What::constant;
  if (!words || (one && words->size() != 1)) {
    return core::usage_error(one ? "the constant must be one whole number, which sets its 32 bits"
                                 : "push constants must be 32-bit whole numbers: 1,2,3");
  }
  if (one) {
    wanted.choices.spec[static_cast<std::uint32_t>(std::stoul(field.name))] = words->front();
  } else {
    wanted.choices.push = *words;
  }
  return {};
}

// A buffer's flag has its place; its name is told where each has one.
void name_buffers(std::vector<LaunchField>& fields, const core::Result& result) {
  std::vector<LaunchField*> buffers;
  for (LaunchField& field : fields) {
    if (field.what == What::buffer) {
      buffers.push_back(&field);
    }
  }
  for (std::size_t i = 0; i < buffers.size() && buffers.size() == result.buffers.size(); ++i) {
    if (!result.buffers[i].name.empty()) {
      buffers[i]->shown = fmt::format("{} ({})", result.buffers[i].name, buffers[i]->name);
    }
  }
}

}  // namespace

std::vector<LaunchField> launch_fields(const core::Result& result) {
  std::vector<LaunchField> fields;
  for (const std::string& flag : result.chosen) {
    auto field = field_of(flag);
    if (!field) {
      continue;
    }
    fields.push_back(*field);
    if (field->what == What::groups) {
      const auto& [x, y, z] = std::array{result.tiles.local_size.x, result.tiles.local_size.y,
                                         result.tiles.local_size.z};
      const auto groups = numbers_in(field->value, 1).value_or(std::vector<std::uint32_t>(3, 1));
      fields.push_back({.what = What::items,
                        .shown = "invocations",
                        .value = groups.size() == 3
                                     ? text_of({groups[0] * x, groups[1] * y, groups[2] * z})
                                     : ""});
    }
  }
  name_buffers(fields, result);
  return fields;
}

std::string wanted_value(const LaunchField& field, const core::Experiment& wanted) {
  const core::KernelChoices& choices = wanted.choices;
  const auto in = [&field](const auto& map, const auto& key) {
    const auto found = map.find(key);
    return found == map.end() ? field.value : fmt::format("{}", found->second);
  };
  switch (field.what) {
    case What::groups:
      return choices.groups.empty() ? field.value : text_of(choices.groups);
    case What::items:
      return choices.items.empty() ? field.value : text_of(choices.items);
    case What::push:
      return choices.push.empty() ? field.value : text_of(choices.push);
    case What::member:
      return in(wanted.settings, field.name);
    case What::constant:
      return in(choices.spec, static_cast<std::uint32_t>(std::stoul(field.name)));
    case What::buffer:
      break;
  }
  return in(choices.buffers, field.name);
}

core::Expected<void> set_field(const LaunchField& field, const std::string& value,
                               core::Experiment& wanted) {
  switch (field.what) {
    case What::groups:
    case What::items:
      return set_sizes(field, value, wanted);
    case What::push:
    case What::constant:
      return set_words(field, value, wanted);
    case What::member:
      if (value.empty()) {
        return core::usage_error(field.shown + " needs a value");
      }
      wanted.settings[field.name] = value;
      return {};
    case What::buffer:
      break;
  }
  if (value.empty() || value.front() < '0' || value.front() > '9') {
    return core::usage_error(
        "a buffer must be BYTES, then its content: :zero, :iota, :random or :@FILE");
  }
  wanted.choices.buffers[field.name] = value;
  return {};
}

}  // namespace ui
