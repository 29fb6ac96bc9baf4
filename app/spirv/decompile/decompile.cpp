#include "spirv/decompile/decompile.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <spirv_cross_c.h>

#include "core/base/child.h"
#include "spirv/decompile/code_lines.h"
#include "spirv/reflection/entry_points.h"

namespace spirv {
namespace {

constexpr core::ChildLimits kLimits{.seconds = 10.0, .bytes = std::uint64_t{1} << 30U};
constexpr std::size_t kMostText = 8U << 20U;
constexpr unsigned kVersion = 460;
constexpr int kMostTries = 3;  // each gives the blocks of more loops numbers

// SPIRV-Cross's text after "+", or its message after "-".
std::string cross_compile(const Words& words, const std::string& entry) {
  spvc_context made = nullptr;
  if (spvc_context_create(&made) != SPVC_SUCCESS) {
    return "-no memory";
  }
  const std::unique_ptr<spvc_context_s, decltype(&spvc_context_destroy)> context(
      made, &spvc_context_destroy);
  spvc_parsed_ir ir = nullptr;
  spvc_compiler compiler = nullptr;
  spvc_compiler_options options = nullptr;
  const char* text = nullptr;
  const bool done =
      spvc_context_parse_spirv(made, words.data(), words.size(), &ir) == SPVC_SUCCESS &&
      spvc_context_create_compiler(made, SPVC_BACKEND_GLSL, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                   &compiler) == SPVC_SUCCESS &&
      spvc_compiler_set_entry_point(compiler, entry.c_str(), SpvExecutionModelGLCompute) ==
          SPVC_SUCCESS &&
      spvc_compiler_create_compiler_options(compiler, &options) == SPVC_SUCCESS &&
      spvc_compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, kVersion) ==
          SPVC_SUCCESS &&
      spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS,
                                     SPVC_TRUE) == SPVC_SUCCESS &&
      spvc_compiler_options_set_bool(options, SPVC_COMPILER_OPTION_EMIT_LINE_DIRECTIVES,
                                     SPVC_TRUE) == SPVC_SUCCESS &&
      spvc_compiler_install_compiler_options(compiler, options) == SPVC_SUCCESS &&
      spvc_compiler_compile(compiler, &text) == SPVC_SUCCESS && text != nullptr;
  return done ? std::string("+") + text
              : std::string("-") + spvc_context_get_last_error_string(made);
}

}  // namespace

Expected<Listing> decompile(std::span<const std::uint32_t> words, const std::string& entry) {
  const Words named = with_names(words, Names::all);
  const Module module = TRY(parse(named));
  const std::vector<std::string> entries = compute_entries(module);
  const auto chosen = entry.empty() ? entries.begin() : std::ranges::find(entries, entry);
  if (chosen == entries.end()) {
    return core::usage_error("there is no such entry point");
  }
  CodeLines lines(module);
  if (with_lines(named, lines.numbers(), "").size() == named.size()) {
    return core::device_error("no line could be added to its instructions");
  }
  // The tries in one process: to start one takes longer than a try.
  const auto tried = TRY(core::run_apart(
      [&] {
        std::string text;
        for (int n = 0; n < kMostTries; ++n) {
          text = cross_compile(with_lines(named, lines.numbers(), ""), *chosen);
          if (!text.starts_with('+') || lines.read(std::string_view(text).substr(1))) {
            break;
          }
        }
        return text;
      },
      kLimits, kMostText));
  if (!tried.starts_with('+')) {
    return core::device_error(tried.empty() ? "it returned nothing" : tried.substr(1));
  }
  // The process that decompiled ended with all that it learned about the loops: learn it again.
  CodeLines read(module);
  while (!read.read(std::string_view(tried).substr(1))) {
  }
  return read.listing();
}

}  // namespace spirv
