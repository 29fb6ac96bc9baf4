// Reads a SPIR-V module while the program runs: which descriptors it declares and which of them it
// may write. Everything else is read later from the captured folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace capture {

struct ScannedBinding {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  bool written = false;  ///< nothing in the module forbids a write
  bool array = false;    ///< it has several descriptors
};

struct ScannedConstant {
  std::size_t word = 0;     ///< of its value in the module
  std::uint32_t words = 0;  ///< of its value; 0 for a boolean
};

struct ModuleScan {
  bool valid = false;  ///< it is SPIR-V whose instructions have lengths that fit
  bool addresses = false;
  std::vector<ScannedBinding> bindings;                ///< by set, then binding
  std::map<std::uint32_t, ScannedConstant> constants;  ///< by SpecId
};

[[nodiscard]] ModuleScan scan_module(std::span<const std::uint32_t> words);

}  // namespace capture
