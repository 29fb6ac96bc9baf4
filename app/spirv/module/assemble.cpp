#include "spirv/module/assemble.h"

#include <array>
#include <string_view>

#include <spirv-tools/libspirv.hpp>

namespace spirv {
namespace {

// What a variable must be declared by differs between versions; a disassembler says which it was,
// in a comment that the assembler passes over.
spv_target_env environment_of(const std::string& text) {
  constexpr std::array kVersions{
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
      SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  constexpr std::string_view kSaid = "; Version: 1.";
  const std::size_t at = text.find(kSaid);
  const std::size_t minor =
      at == std::string::npos || at + kSaid.size() >= text.size()
          ? kVersions.size()
          : static_cast<std::size_t>(static_cast<unsigned char>(text[at + kSaid.size()])) - '0';
  return minor < kVersions.size() ? kVersions[minor] : kVersions.back();
}

}  // namespace

Expected<Words> assemble(const std::string& given) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // UTF-8's byte-order mark
  const std::string text = given.starts_with(mark) ? given.substr(mark.size()) : given;
  spvtools::SpirvTools tools(environment_of(text));
  std::string message;
  std::size_t line = 0;
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t& at, const char* what) {
        if (level <= SPV_MSG_ERROR && message.empty()) {
          message = what;
          line = at.line + 1;
        }
      });
  Words words;
  if (!tools.Assemble(text, &words)) {
    return core::usage_error(std::to_string(line) + ": " + message, static_cast<int>(line));
  }
  return words;
}

std::string disassemble(std::span<const std::uint32_t> words) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string text;
  constexpr std::uint32_t kAsTheTool =
      SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  return tools.Disassemble(words.data(), words.size(), &text, kAsTheTool) ? text : std::string();
}

}  // namespace spirv
