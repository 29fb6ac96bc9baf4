#include "core/work/experiment.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace core {

bool names_a_file(const std::string& variant) {
  static constexpr std::array<std::string_view, 8> kEndings{
      ".comp", ".glsl", ".hlsl", ".wgsl", ".slang", ".spv", ".spvasm", "/dispatch.toml"};
  return std::ranges::any_of(kEndings,
                             [&](std::string_view end) { return variant.ends_with(end); });
}

std::string Experiment::workload() const {
  return names_a_file(variant) ? std::string() : variant.substr(0, variant.find('/'));
}

}  // namespace core
