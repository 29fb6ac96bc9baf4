// Hover texts that explain barriers and built-in variables of GLSL, HLSL and WGSL.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// Returns true for a built-in function that orders memory or makes invocations wait.
[[nodiscard]] bool is_barrier_word(std::string_view word);
/// Returns the text that explains such a function.
[[nodiscard]] std::string barrier_words(std::string_view word);
/// Returns the text that explains a built-in variable; empty if the word names none.
[[nodiscard]] std::string built_in_words(std::string_view word);

}  // namespace cli
