#include "lab/files/window_state.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/files.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRecent = 30;
constexpr float kMostDensity = 16.0F;

fs::path state_file(const char* name) {
  return core::user_file("XDG_STATE_HOME", ".local/state", name);
}

core::Expected<void> write_state(const fs::path& file, const std::string& text) {
  if (file.empty()) {
    return {};
  }
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message()));
  }
  return core::write_file(file, std::as_bytes(std::span(text)));
}

bool is_gone(const std::string& name) {
  std::error_code ignored;
  return fs::path(name).is_absolute() && !fs::exists(name, ignored);
}

std::vector<std::string> recent_lines() {
  std::vector<std::string> names;
  const fs::path file = state_file("recent");
  const auto text = file.empty() ? core::Expected<std::string>("") : core::read_file(file);
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line) && names.size() < kMostRecent;) {
    if (!line.empty()) {
      names.push_back(line);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> read_recent() {
  auto names = recent_lines();
  std::erase_if(names, is_gone);
  return names;
}

core::Expected<std::vector<std::string>> keep_recent(const std::string& name) {
  std::error_code ignored;
  const bool path = fs::exists(name, ignored);
  const std::string whole = path ? fs::absolute(name, ignored).lexically_normal().string() : name;
  auto names = recent_lines();
  std::erase(names, whole);
  if (whole.find('\n') == std::string::npos) {
    names.insert(names.begin(), whole);
  }
  names.resize(std::min(names.size(), kMostRecent));
  TRY(write_state(state_file("recent"), fmt::format("{}\n", fmt::join(names, "\n"))));
  std::erase_if(names, is_gone);
  return names;
}

std::optional<WindowPlace> read_place() {
  const fs::path file = state_file("window");
  const auto text = file.empty() ? core::Expected<std::string>("") : core::read_file(file);
  std::istringstream words(text.value_or(""));
  WindowPlace place;
  if (!(words >> place.x >> place.y >> place.maximized)) {
    return std::nullopt;
  }
  if (!(words >> place.density) || !(place.density >= 0.0F && place.density <= kMostDensity)) {
    place.density = 0.0F;  // from before it was kept
  }
  return place;
}

core::Expected<void> keep_place(const WindowPlace& place) {
  if (read_place() == place) {
    return {};
  }
  return write_state(state_file("window"), fmt::format("{} {} {:d} {}\n", place.x, place.y,
                                                       place.maximized, place.density));
}

}  // namespace lab
