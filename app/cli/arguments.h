// What a command may be told, and where it goes. CLI11 is behind it, whose header takes eight
// seconds to compile in every file that includes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
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
  bool in_process = false;    ///< what is a stranger's is not run in a process of its own
  bool count_frames = false;  ///< the window tells how many frames it has drawn
  float timeout = static_cast<float>(
      core::limits::call_seconds);  ///< seconds that a stranger's kernel may take; 0: no limit
  bool timeout_given = false;       ///< ends what is done with the catalogue's kernels too
};

/// What may be said of one argument; each call returns the same.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  const Argument& required() const;
  /// Several values stand in one word, with commas between them.
  const Argument& with_commas() const;
  /// Takes so many values.
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
  explicit Arguments(CLI::App* command) : command_(command) {}

  void flag(const std::string& name, bool& to, const std::string& meaning) const;
  /// "--name", or "NAME" for one that is told by its place. T: string, path, float, uint32_t,
  /// uint64_t, or a vector of strings or uint32_t.
  template <class T>
  Argument option(const std::string& name, T& to, const std::string& meaning = {}) const;
  /// The command line had it.
  [[nodiscard]] bool given(const std::string& name) const;

 private:
  CLI::App* command_;
};

/// How a command goes about its work.
struct Manner {
  bool whole_or_nothing = false;  ///< no part of it can be told of: --timeout ends all of it
  bool own_progress = false;      ///< it says itself how far it has come
};

/// Registers `name` with its flags; `body` is called if the command was chosen.
Arguments add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::shared_ptr<Common>& common, std::function<Outcome()> body,
                      Manner manner = {});

/// The exit status of an outcome; an error's sentence goes to stderr, and is the answer of --json.
[[nodiscard]] int status_of(const Outcome& outcome);

}  // namespace cli
