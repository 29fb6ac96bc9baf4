#include "lab/ready/tuning.h"

#include <algorithm>
#include <bit>
#include <span>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "lab/files/toml_text.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAligned = 4;  // elements: 16 bytes of float32

std::string text_of(const toml::table& table, const char* key) {
  return table[key].value_or<std::string>("");
}

Choice choice_in(const toml::table& table) {
  Choice choice;
  choice.tile = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(table["tile"].value_or<std::int64_t>(0), 0, 65536));
  if (const auto* settings = table["settings"].as_table(); settings != nullptr) {
    for (const auto& [name, value] : *settings) {
      choice.settings[std::string(name.str())] = value.value_or<std::string>("");
    }
  }
  return choice;
}

}  // namespace

std::vector<Choice> choices_of(const core::Variant& variant) {
  std::vector<Choice> all;
  if (variant.has_tile()) {
    for (const std::uint32_t tile : variant.tile.values) {
      all.push_back({tile, {}});
    }
    std::ranges::stable_partition(
        all, [&](const Choice& choice) { return choice.tile == variant.tile.preset; });
  } else if (!variant.tune.empty()) {
    all.emplace_back();
  }
  for (const auto& [name, values] : variant.tune) {
    std::vector<Choice> longer;
    for (const Choice& choice : all) {
      for (const std::uint32_t value : values) {
        longer.push_back(choice);
        longer.back().settings[name] = std::to_string(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

Choice without_sharing(const core::Variant& variant, Choice choice) {
  choice.settings.erase(variant.model.slices);
  choice.settings.erase(variant.model.whole);
  return choice;
}

std::vector<core::WavePlan> plans_to_try(const core::Variant& variant,
                                         const std::vector<core::WavePlan>& plans) {
  constexpr int kSharings = 3;
  std::vector<std::pair<Choice, int>> shared;
  std::vector<core::WavePlan> worth;
  for (const core::WavePlan& plan : plans) {
    if (plan.slices > 1) {
      const Choice kind = without_sharing(variant, {plan.tile, plan.settings});
      auto known = std::ranges::find(shared, kind, &std::pair<Choice, int>::first);
      if (known == shared.end()) {
        known = shared.insert(shared.end(), {kind, 0});
      }
      if (++known->second > kSharings) {
        continue;
      }
    }
    worth.push_back(plan);
  }
  return worth;
}

std::string size_class(const core::Sizes& sizes) {
  std::string text;
  bool aligned = true;
  for (const std::uint32_t size : sizes) {
    text += (text.empty() ? "" : ",") + std::to_string(std::bit_floor(size));
    aligned = aligned && size % kAligned == 0;
  }
  return aligned ? text : text + ", unaligned";
}

Tunings Tunings::read(const fs::path& file, std::string& warning) {
  Tunings tunings;
  std::error_code failed;
  if (file.empty() || !fs::exists(file, failed)) {
    return tunings;
  }
  const auto damaged = [&](std::string_view why) {
    fs::path aside = file;
    aside += ".damaged";
    fs::rename(file, aside, failed);
    warning = fmt::format(
        "{} is damaged: {}; {}", file.string(), why,
        failed ? "the file cannot be renamed" : "the file was renamed to " + aside.string());
  };
  const auto text = read_toml(file);
  if (!text) {
    damaged(text.error().message);
    return tunings;
  }
  try {
    const toml::table document = toml::parse(*text);
    const auto* list = document["tuned"].as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const auto* entry = (*list)[i].as_table(); entry != nullptr) {
        tunings.entries_.push_back({text_of(*entry, "device"), text_of(*entry, "driver"),
                                    text_of(*entry, "variant"), text_of(*entry, "sizes"),
                                    choice_in(*entry)});
      }
    }
  } catch (const toml::parse_error& error) {
    damaged(error.description());
  }
  return tunings;
}

core::Expected<void> Tunings::write(const fs::path& file) const {
  if (file.empty()) {
    return core::usage_error("no cache folder: set XDG_CACHE_HOME or HOME");
  }
  toml::array list;
  for (const Entry& entry : entries_) {
    toml::table settings;
    for (const auto& [name, value] : entry.choice.settings) {
      settings.insert(name, value);
    }
    list.push_back(toml::table{{"device", entry.device},
                               {"driver", entry.driver},
                               {"variant", entry.variant},
                               {"sizes", entry.sizes},
                               {"tile", static_cast<std::int64_t>(entry.choice.tile)},
                               {"settings", std::move(settings)}});
  }
  std::ostringstream text;
  text << toml::table{{"tuned", std::move(list)}} << "\n";
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message()));
  }
  return core::write_file(file, std::as_bytes(std::span(text.view())));
}

void Tunings::keep(const core::DeviceInfo& device, const std::string& variant,
                   const core::Sizes& sizes, Choice choice) {
  const std::string of = size_class(sizes);
  std::erase_if(entries_, [&](const Entry& e) {
    return e.device == device.name && e.driver == device.driver && e.variant == variant &&
           e.sizes == of;
  });
  entries_.push_back({device.name, device.driver, variant, of, std::move(choice)});
}

const Choice* Tunings::find(const core::DeviceInfo& device, const std::string& variant,
                            const core::Sizes& sizes) const {
  const std::string of = size_class(sizes);
  const auto found = std::ranges::find_if(entries_, [&](const Entry& e) {
    return e.device == device.name && e.driver == device.driver && e.variant == variant &&
           e.sizes == of;
  });
  return found == entries_.end() ? nullptr : &found->choice;
}

fs::path tunings_file() {
  return core::cache_file("tuned.toml");
}

}  // namespace lab
