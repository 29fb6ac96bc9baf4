#include "capture/options.h"

#include <charconv>
#include <chrono>
#include <cstdlib>

namespace capture {
namespace {

std::string variable(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): read once, while the program makes its first instance
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void read_number(const char* name, std::uint64_t& to) {
  const std::string text = variable(name);
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc{} && end == text.data() + text.size()) {
    to = value;
  }
}

}  // namespace

Options read_options() {
  Options options;
  options.folder = variable("TILESCOPE_CAPTURE");
  if (const std::string glob = variable("TILESCOPE_CAPTURE_PIPELINES"); !glob.empty()) {
    options.pipelines = glob;
  }
  read_number("TILESCOPE_CAPTURE_SKIP", options.skip);
  read_number("TILESCOPE_CAPTURE_COUNT", options.count);
  read_number("TILESCOPE_CAPTURE_EVERY", options.every);
  read_number("TILESCOPE_CAPTURE_MAX_BYTES", options.max_bytes);
  read_number("TILESCOPE_CAPTURE_START", options.start_ns);
  options.every = options.every == 0 ? 1 : options.every;
  options.start_ns = options.start_ns == 0 ? now_ns() : options.start_ns;
  options.contents = variable("TILESCOPE_CAPTURE_CONTENTS") != "0";
  return options;
}

bool matches_glob(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last one in the glob
  std::size_t behind = 0;                     // what it stands for ends here in the text
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      behind = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') {
    ++g;
  }
  return g == glob.size();
}

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

}  // namespace capture
