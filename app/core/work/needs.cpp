#include "core/work/needs.h"

#include <algorithm>
#include <array>

namespace core {
namespace {

struct Need {
  const char* name;
  const char* words;
  bool DeviceInfo::* has;
};

constexpr std::array kNeeds{
    Need{"cooperative_matrix", "cooperative matrices", &DeviceInfo::cooperative_matrix},
    Need{"int64_atomics", "64-bit atomic operations", &DeviceInfo::int64_atomics},
    Need{"bfloat16_matrix", "bfloat16 cooperative matrices", &DeviceInfo::bfloat16_matrix}};

}  // namespace

std::vector<std::string> known_needs() {
  std::vector<std::string> names;
  for (const Need& need : kNeeds) {
    names.emplace_back(need.name);
  }
  return names;
}

std::string need_in_words(const std::string& need) {
  const auto* const found = std::ranges::find(kNeeds, need, &Need::name);
  return found == kNeeds.end() ? need : found->words;
}

std::optional<std::string> missing(const Variant& variant, const DeviceInfo& device) {
  std::string without;
  for (const Need& need : kNeeds) {
    if (std::ranges::find(variant.needs, need.name) != variant.needs.end() && !(device.*need.has)) {
      without += (without.empty() ? "" : ", ") + std::string(need.words);
    }
  }
  return without.empty() ? std::nullopt : std::optional("not supported by this device: " + without);
}

}  // namespace core
