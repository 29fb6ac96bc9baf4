#include "cli/arguments.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/json/answer.h"
#include "cli/process/guard.h"
#include "cli/process/progress.h"
#include "cli/process/streams.h"
#include "cli/project/consent.h"
#include "core/base/numbers.h"
#include "core/base/spelling.h"
#include "gpu/compiler.h"
#include "lab/plan/kernel_module.h"

namespace cli {

const Argument& Argument::required() const {
  option_->required();
  return *this;
}

const Argument& Argument::with_commas() const {
  option_->delimiter(',');
  return *this;
}

const Argument& Argument::values(int least, int most) const {
  option_->expected(least, most);
  return *this;
}

const Argument& Argument::positive() const {
  option_->check(CLI::Validator(
      [](const std::string& text) {
        double value = 0.0;
        return CLI::detail::lexical_cast(text, value) && value > 0.0
                   ? std::string()
                   : fmt::format("{} is not a number greater than 0", core::shortened(text));
      },
      ""));
  return *this;
}

const Argument& Argument::within(int least, int most) const {
  option_->check(CLI::Validator(
      [least, most](const std::string& text) {
        long value = 0;
        const bool read = CLI::detail::lexical_cast(text, value);
        return read && value >= least && value <= most
                   ? std::string()
                   : fmt::format("{} is not a whole number from {} to {}", core::shortened(text),
                                 least, most);
      },
      ""));
  return *this;
}

const Argument& Argument::within(double least, double most) const {
  // CLI::Range lets through what is neither below nor above: "nan".
  option_->check(CLI::Validator(
      [least, most](const std::string& text) {
        double value = 0.0;
        const bool read = CLI::detail::lexical_cast(text, value);
        return read && value >= least && value <= most
                   ? std::string()
                   : fmt::format("{} is not a number from {} to {}", core::shortened(text), least,
                                 most);
      },
      ""));
  return *this;
}

const Argument& Argument::one_of(const std::vector<std::string>& values) const {
  option_->check(CLI::IsMember(values).description(""));
  return *this;
}

const Argument& Argument::bytes() const {
  option_->transform(CLI::AsSizeValue(false).description(""));
  return *this;
}

void Arguments::flag(const std::string& name, bool& to, const std::string& meaning) const {
  CLI::Option* option = command_->add_flag(name, to, meaning);
  if (!group_.empty()) {
    option->group(group_);
  }
}

template <class T>
Argument Arguments::option(const std::string& name, T& to, const std::string& meaning) const {
  const std::size_t blank = std::min(name.find(' '), name.size());
  CLI::Option* option = command_->add_option(name.substr(0, blank), to, meaning);
  option->type_name(name.substr(std::min(blank + 1, name.size())));
  if (!group_.empty()) {
    option->group(group_);
  }
  // CLI11 takes -1 for the largest number.
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    option->check(CLI::Validator(
        [](const std::string& text) {
          const bool digits =
              std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
          return text.starts_with('-') ? text + " is negative; give a number of at least 0"
                 : digits && !core::whole_number<std::uint64_t>(text)
                     ? core::shortened(text) + " does not fit into 64 bits; give a smaller number"
                     : std::string();
        },
        ""));
  }
  option->check(CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("the value is empty; give a value") : std::string();
      },
      ""));
  return Argument(option);
}

template Argument Arguments::option(const std::string&, std::string&, const std::string&) const;
template Argument Arguments::option(const std::string&, std::filesystem::path&,
                                    const std::string&) const;
template Argument Arguments::option(const std::string&, float&, const std::string&) const;
template Argument Arguments::option(const std::string&, std::uint32_t&, const std::string&) const;
template Argument Arguments::option(const std::string&, std::uint64_t&, const std::string&) const;
template Argument Arguments::option(const std::string&, std::vector<std::string>&,
                                    const std::string&) const;
template Argument Arguments::option(const std::string&, std::vector<std::uint32_t>&,
                                    const std::string&) const;

bool Arguments::given(const std::string& name) const {
  return command_->count(name) > 0;
}

int status_of(const Outcome& outcome) {
  if (outcome) {
    return *outcome;
  }
  const int status = outcome.error().fault == core::Fault::usage ? usage : unavailable;
  const std::string message = core::with_short_words(outcome.error().message);
  complain(message);
  print_error(message, status);
  return status;
}

namespace {

// What the command was told by its place, for people: "check matmul/tiled".
std::string words_of(const CLI::App& command) {
  std::string words = command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() && option->count() > 0) {
      words += " " + option->results().front() + (option->count() > 1 ? " ..." : "");
    }
  }
  return words;
}

// The first thing that the command was told by its place which is not of the catalogue.
std::string strangers_of(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) {
      continue;
    }
    for (const std::string& name : option->results()) {
      if (is_strangers(name)) {
        return name;
      }
    }
  }
  return "";
}

// Whether the call names more than one kernel, as files or by a folder.
bool names_several(const CLI::App& command) {
  std::size_t count = 0;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name :
         option->get_positional() ? option->results() : std::vector<std::string>{}) {
      const auto kernels = lab::kernels_in(name);
      count += kernels ? kernels->size() : 1;
    }
  }
  return count > 1;
}

// The kernels of a call to which a project file may apply.
std::vector<std::string> kernels_of_call(const CLI::App& command) {
  const auto is_given = [&](const char* flag) {
    const CLI::Option* option = command.get_option_no_throw(flag);
    return option == nullptr || option->count() > 0;
  };
  std::vector<std::string> names;
  if (is_given("--no-project") || is_given("--allow-commands")) {
    return names;  // no command will run, each will, or the command takes no kernel
  }
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      names.insert(names.end(), option->results().begin(), option->results().end());
    }
  }
  return names.empty() && command.get_name() == "check" ? std::vector<std::string>{"."} : names;
}

Outcome run_command(const CLI::App& command, const Common& common,
                    const std::function<Outcome()>& body, Manner manner) {
  if (!in_child()) {
    ask_for_consent(kernels_of_call(command));
  }
  std::optional<ProgressLine> line;
  if (!manner.own_progress && !in_child()) {
    line.emplace(words_of(command));
  }
  std::string tried = manner.own_program ? std::string() : strangers_of(command);
  if (tried.empty() && common.timeout_given && manner.whole_or_nothing) {
    tried = words_of(command);
  }
  if (tried.empty() || common.in_process || in_child()) {
    return body();
  }
  // Each of several kernels has a process and a --timeout of its own.
  const bool each = command.get_name() == "check" && names_several(command);
  return call_in_child(tried, each ? 0.0 : static_cast<double>(common.timeout));
}

}  // namespace

Arguments add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::shared_ptr<Common>& common, std::function<Outcome()> body,
                      Manner manner) {
  CLI::App* command = app.add_subcommand(name, description);
  const auto memory = std::make_shared<std::uint64_t>(gpu::default_compile_memory);
  command->callback([command, common, memory, body = std::move(body), manner] {
    gpu::limit_compile_memory(*memory);
    common->timeout_given = command->count("--timeout") > 0;
    if (const int status = status_of(run_command(*command, *common, body, manner)); status != ok) {
      throw CLI::RuntimeError(status);
    }
  });
  const Arguments all(command, "All commands");
  all.flag("--json", common->json, "Print JSON to stdout and all other text to stderr");
  all.flag("--validation", common->validation,
           "Run under the Vulkan validation layers and report their messages as findings");
  all.flag("--in-process", common->in_process,
           "Run a kernel from a file in this process instead of a child process, for a debugger");
  all.option(
         "--timeout SECONDS", common->timeout,
         fmt::format("Stop after SECONDS and report what is known so far; 0 = no limit (default: "
                     "{:.0f} for kernels from files, 0 for the catalogue)",
                     core::limits::call_seconds))
      .within(0.0, 1e9);
  all.option("--compile-memory BYTES", *memory,
             "Limit the memory of the compiler of a kernel, such as 4GiB; 0 = no limit (default: "
             "1GiB)")
      .bytes();
  return Arguments(command);
}

}  // namespace cli
