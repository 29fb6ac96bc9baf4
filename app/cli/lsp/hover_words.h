// What barriers and built-in variables of GLSL, HLSL and WGSL mean, for hover texts.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// A built-in function that orders memory or makes invocations wait.
[[nodiscard]] bool is_barrier_word(std::string_view word);
/// What such a function does.
[[nodiscard]] std::string barrier_words(std::string_view word);
/// What a built-in variable is. Empty if there is none of that name.
[[nodiscard]] std::string built_in_words(std::string_view word);

}  // namespace cli
