#include "spirv/module/assemble.h"

#include <spirv-tools/libspirv.hpp>

namespace spirv {

Expected<Words> assemble(const std::string& text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
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

}  // namespace spirv
