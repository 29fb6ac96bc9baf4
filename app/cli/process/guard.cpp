#include "cli/process/guard.h"

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/json/answer.h"
#include "cli/process/progress.h"
#include "cli/process/streams.h"
#include "core/base/child.h"
#include "core/base/files.h"
#include "core/report/measurement_table.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Call {
  std::vector<std::string> arguments;
  bool child = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

Call& call() {
  static Call one;
  return one;
}

std::string quoted(const std::string& argument) {
  std::string text = "'";
  for (const char c : argument) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

// What makes it again: the call, the step, what the child said, and the file. Where it went; empty
// where it could not be kept.
std::string keep_crash(const std::string& what, const core::ChildEnd& end,
                       const std::string& sentence) {
  std::error_code failed;
  const std::string stem = core::utc_now() + "-" + fs::path(what).filename().string();
  const fs::path folder = core::cache_file("crashes") / stem.substr(0, 200);
  fs::create_directories(folder, failed);
  std::vector<std::string> words;
  for (const std::string& argument : call().arguments) {
    words.push_back(quoted(argument));
  }
  const std::string text =
      fmt::format("{}\n\nin {}\ntilescope {} --in-process\n\n{}", sentence,
                  fs::current_path(failed).string(), fmt::join(words, " "), end.err);
  if (failed || !core::write_file(folder / "call.txt", std::as_bytes(std::span(text)))) {
    return "";
  }
  if (core::is_file(what)) {
    fs::copy_file(what, folder / fs::path(what).filename(), failed);
  }
  return folder.string();
}

}  // namespace

void set_call(int argc, char** argv) {
  call().start = std::chrono::steady_clock::now();
  call().arguments.assign(argv + (argc > 0 ? 1 : 0), argv + argc);
}

const std::vector<std::string>& call_arguments() {
  return call().arguments;
}

double seconds_since_call() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - call().start).count();
}

bool in_child() {
  return call().child;
}

void set_in_child(bool child) {
  call().child = child;
}

bool is_strangers(const std::string& name) {
  static constexpr std::array suffixes{".comp",  ".glsl", ".hlsl",   ".wgsl",
                                       ".slang", ".spv",  ".spvasm", ".toml"};
  for (const char* suffix : suffixes) {
    if (name.ends_with(suffix)) {
      return true;
    }
  }
  return core::is_folder(name) || core::is_file(name);
}

Outcome call_in_child(const std::string& what, double seconds) {
  const core::ChildLimits limits = core::stranger_limits(seconds);
  // Beside a line on the terminal its text waits until that is gone; half a document is none.
  const bool shown = ::isatty(STDERR_FILENO) != 0;
  core::ChildCall again{.arguments = call().arguments,
                        .environment = {},
                        .keep_output = json_asked() || (shown && ::isatty(STDOUT_FILENO) != 0)};
  again.show_steps = shown;
  again.on_line = [](const std::string& line) { complain(line.substr(line.find(' ') + 1)); };
  const auto end = core::run_child(again, limits);
  if (!end) {
    return std::unexpected(end.error());
  }
  // Whoever read its answer has seen enough: that ends this process too, as it does others.
  if (end->why == core::ChildEnd::Why::signal && end->signal == SIGPIPE) {
    static_cast<void>(std::raise(SIGPIPE));
  }
  if (again.keep_output && (end->exited() || !json_asked())) {
    print_answer_of_child(end->out);
  }
  if (end->exited()) {
    clear_progress();
    static_cast<void>(std::fputs(end->err.c_str(), stderr));
    return end->status;
  }
  std::string sentence = end->sentence(what, limits);
  if (const std::string kept = keep_crash(what, *end, sentence); !kept.empty()) {
    sentence += "; " + kept + " has everything needed to repeat the crash";
  }
  if (end->why == core::ChildEnd::Why::signal) {
    sentence += "; use --in-process to run it in this process, for a debugger";
  }
  return core::device_error(sentence);
}

}  // namespace cli
