// The layout of `--help`: each flag with the form of its value, at most 100 columns wide.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace CLI {
class App;
}  // namespace CLI

namespace cli {

inline constexpr std::size_t kHelpColumns = 100;

/// Sets the layout of the program's help and of the commands that are added to it later.
void set_help_layout(CLI::App& app);

/// The text in lines of at most `columns` characters. Lines after the first begin with `indent`
/// blanks. A word is never cut.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace cli
