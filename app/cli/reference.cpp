// `tilescope reference PAGE` prints a page of the manual that is made from the program's own
// definitions. It is not listed by --help: a test compares the pages with assets/manual/reference/.
#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command.h"
#include "core/base/glossary.h"
#include "ui/actions.h"
#include "ui/model.h"

namespace cli {
namespace {

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// "-o,--output FORM" of a flag, "FORM" of an argument that is told by its place.
std::string form_of(const CLI::Option& option) {
  std::string name = option.get_name(true, true);
  if (const auto space = name.find(' '); space != std::string::npos) {
    name.resize(space);
  }
  const std::string type = option.get_type_name();
  const bool value = option.get_items_expected_max() > 0 && !option.get_positional();
  return value && !type.empty() ? name + " " + type : name;
}

std::string row_of(const CLI::Option& option) {
  return fmt::format("| `{}` | {}{} |\n", cell(form_of(option)), cell(option.get_description()),
                     option.get_required() ? " (required)" : "");
}

using Rows = std::vector<std::string>;

bool contains(const Rows& rows, const std::string& row) {
  return std::ranges::find(rows, row) != rows.end();
}

Rows rows_of(const CLI::App& command) {
  Rows rows;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_name() != "--help" && option->get_name() != "-h,--help" &&
        option->get_name() != "--version") {
      rows.push_back(row_of(*option));
    }
  }
  return rows;
}

void add_table(std::string& page, const Rows& rows) {
  if (!rows.empty()) {
    page += fmt::format("| argument | meaning |\n| --- | --- |\n{}\n", fmt::join(rows, ""));
  }
}

std::vector<const CLI::App*> listed(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) {
      commands.push_back(command);
    }
  }
  return commands;
}

// Flags that all commands have are listed once, and so are those of four or more.
std::string commands_page(const CLI::App& app) {
  constexpr std::size_t kSeveral = 4;
  const auto commands = listed(app);
  std::map<std::string, std::size_t> uses;
  Rows order;
  for (const CLI::App* command : commands) {
    for (const std::string& row : rows_of(*command)) {
      if (uses[row]++ == 0) {
        order.push_back(row);
      }
    }
  }
  Rows common;
  Rows kernel;
  for (const std::string& row : order) {
    if (uses[row] == commands.size()) {
      common.push_back(row);
    } else if (uses[row] >= kSeveral) {
      kernel.push_back(row);
    }
  }
  std::string page =
      "# Commands and flags\n\n`tilescope reference commands` wrote this page. `tilescope COMMAND "
      "--help` prints the same texts.\n\nWithout a command, `tilescope [KERNEL|FOLDER|SCENE]` "
      "opens "
      "the window. A command that takes more than a\nsecond shows its progress on a terminal, on "
      "stderr. [launch.md](launch.md) explains values of flags.\n\n## All commands\n\n";
  add_table(page, common);
  page += "## Kernel and launch\n\nThe commands that take a kernel share these flags.\n\n";
  add_table(page, kernel);
  const auto add = [&](const CLI::App& command, const std::string& heading) {
    page += fmt::format("## {}\n\n{}.\n\n", heading, command.get_description());
    Rows own;
    bool shares = false;
    for (const std::string& row : rows_of(command)) {
      const bool shared = contains(kernel, row);
      shares = shares || shared;
      if (!shared && !contains(common, row)) {
        own.push_back(row);
      }
    }
    add_table(page, own);
    if (shares) {
      page += "Also: the flags of [Kernel and launch](#kernel-and-launch).\n\n";
    }
  };
  for (const CLI::App* command : commands) {
    add(*command, "tilescope " + command->get_name());
  }
  add(app, "tilescope (the window)");
  page.pop_back();
  return page;
}

std::string keys_page() {
  std::string page =
      "# Keys of the window\n\n`tilescope reference keys` wrote this page. `?` shows the same list "
      "in the window.\n";
  std::string_view group;
  for (const ui::Action& action : ui::actions()) {
    if (action.group != group) {
      group = action.group;
      page += fmt::format("\n## {}\n\n| key | action |\n| --- | --- |\n", group);
    }
    std::string keys;
    for (const auto& [press, by] : action.keys) {
      keys += (keys.empty() ? "`" : " `") + ui::to_string(press) + "`";
    }
    page += fmt::format("| {} | {} |\n", cell(keys), cell(std::string(action.description)));
  }
  return page;
}

std::string values_of(const core::ViewField& field) {
  using Kind = core::ViewField::Kind;
  switch (field.kind) {
    case Kind::truth:
      return "`true` or `false`";
    case Kind::whole:
    case Kind::number:
      return fmt::format("{} to {}", field.low, field.high);
    case Kind::text:
      break;
  }
  std::string values;
  for (const std::string& choice : field.choices) {
    values += (values.empty() ? "`" : ", `") + (choice.empty() ? "\"\"" : choice) + "`";
  }
  return values.empty() ? "string" : values;
}

std::string view_settings_page() {
  std::string page =
      "# Settings of the views\n\n`tilescope reference view-settings` wrote this page. These keys "
      "are in the table `[view]` of a scene\nand in `look` of a lesson's step.\n\n| key | values | "
      "flag of `shot` | meaning |\n| --- | --- | --- | --- |\n";
  for (const core::ViewField& field : ui::view_fields()) {
    page += fmt::format("| `{}` | {} | {} | {} |\n", field.key, cell(values_of(field)),
                        field.flag.empty() ? "" : "`" + field.flag + "`", cell(field.meaning));
  }
  return page;
}

core::Expected<std::string> page_named(const std::string& name, const CLI::App& app) {
  if (name == "commands") {
    return commands_page(app);
  }
  if (name == "keys") {
    return keys_page();
  }
  if (name == "view-settings") {
    return view_settings_page();
  }
  if (name == "findings") {
    return core::findings_page();
  }
  if (name == "glossary") {
    return core::glossary_page();
  }
  return core::usage_error(fmt::format(
      "unknown page \"{}\"; choose from commands, findings, glossary, keys, view-settings", name));
}

}  // namespace

void add_reference(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("reference", "Print a generated page of the manual");
  command->group("");
  Arguments(command)
      .option("PAGE", *name, "The page: commands, findings, glossary, keys or view-settings")
      .required();
  command->callback([&app, name] {
    const auto page = page_named(*name, app);
    if (page) {
      fmt::print("{}", *page);
    }
    if (const int status = status_of(page ? Outcome(ok) : std::unexpected(page.error()));
        status != ok) {
      throw CLI::RuntimeError(status);
    }
  });
}

}  // namespace cli
