// The flags and arguments of commands. CLI11 parses them; its header takes eight seconds to compile
// in each file that includes it, so only few files do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/limits.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cli {

/// A command's body: returns the exit status, or the error that decides it.
using Outcome = core::Expected<int>;

/// Flags that every command has.
struct Common {
  bool json = false;
  bool validation = false;
  bool in_process = false;    ///< a kernel from a file runs in this process
  bool count_frames = false;  ///< the window prints the number of frames that it has drawn
  float timeout = static_cast<float>(
      core::limits::call_seconds);  ///< seconds for a kernel from a file; 0: no limit
  bool timeout_given = false;       ///< the limit is for kernels of the catalogue, too
};

/// Restricts the values of one argument; each function returns the same argument.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  const Argument& required() const;
  /// Splits a word at its commas into several values.
  const Argument& with_commas() const;
  /// Takes `least` to `most` values.
  const Argument& values(int least, int most) const;
  const Argument& positive() const;
  const Argument& within(int least, int most) const;
  const Argument& within(double least, double most) const;
  const Argument& one_of(const std::vector<std::string>& values) const;
  /// A number of bytes, such as 512MiB.
  const Argument& bytes() const;

 private:
  CLI::Option* option_;
};

/// The arguments of one command. What is written to must live until the command has run.
class Arguments {
 public:
  explicit Arguments(CLI::App* command, std::string group = {})
      : command_(command), group_(std::move(group)) {}

  /// Adds arguments of the same command under a heading of its help.
  [[nodiscard]] Arguments in_group(const std::string& heading) const {
    return Arguments(command_, heading);
  }

  void flag(const std::string& name, bool& to, const std::string& meaning) const;
  /// `name` is "--name FORM", FORM the form of its value, or "NAME" for a positional argument. T:
  /// string, path, float, uint32_t, uint64_t, or a vector of strings or uint32_t.
  template <class T>
  Argument option(const std::string& name, T& to, const std::string& meaning) const;
  /// The command line had it.
  [[nodiscard]] bool given(const std::string& name) const;

 private:
  CLI::App* command_;
  std::string group_;
};

/// How a command handles timeouts and progress.
struct Manner {
  bool whole_or_nothing = false;  ///< it has no partial result: --timeout ends all of it
  bool own_progress = false;      ///< it prints its own progress
  bool own_program = false;       ///< its positional arguments are a program, not kernels
};

/// Registers `name` with its flags; `body` is called if the command was chosen.
Arguments add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::shared_ptr<Common>& common, std::function<Outcome()> body,
                      Manner manner = {});

/// The exit status of an outcome; an error's sentence goes to stderr, and is the answer of --json.
[[nodiscard]] int status_of(const Outcome& outcome);

}  // namespace cli
