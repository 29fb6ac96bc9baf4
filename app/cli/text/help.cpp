#include "cli/text/help.h"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

namespace cli {
namespace {

constexpr std::size_t kNameColumns = 30;

// "  NAME   meaning", the meaning in lines that begin in the same column.
std::string help_entry(const std::string& name, const std::string& meaning) {
  std::string entry = "  " + name;
  const bool beside = entry.size() + 2 <= kNameColumns;
  entry += beside ? std::string(kNameColumns - entry.size(), ' ')
                  : "\n" + std::string(kNameColumns, ' ');
  return entry + wrapped(meaning, kHelpColumns - kNameColumns, kNameColumns) + "\n";
}

class HelpLayout : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = make_option_name(option, is_positional);
    const std::string form = option->get_type_name();
    if (!is_positional && option->get_items_expected_max() > 0 && !form.empty()) {
      name += " " + form;
    }
    return help_entry(name,
                      option->get_description() + (option->get_required() ? " (required)" : ""));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return help_entry(command->get_name(), command->get_description());
  }
};

}  // namespace

void set_help_layout(CLI::App& app) {
  app.formatter(std::make_shared<HelpLayout>());
  app.get_formatter()->label("Positionals", "Arguments");
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string lines;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used > 0 && used + 1 + word.size() > columns) {
      lines += "\n" + std::string(indent, ' ');
      used = 0;
    }
    lines += used > 0 ? " " : "";
    lines += word;
    used += word.size() + (used > 0 ? 1 : 0);
  }
  return lines;
}

}  // namespace cli
