#include "lab/files/lesson_progress.h"

#include <span>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/base/files.h"
#include "lab/files/toml_text.h"

namespace lab {

namespace fs = std::filesystem;

fs::path lesson_progress_file() {
  return core::user_file("XDG_STATE_HOME", ".local/state", "lessons.toml");
}

namespace {

core::LessonProgress progress_in(const toml::table& root) {
  core::LessonProgress progress;
  progress.declined = root["declined"].value_or(false);
  if (const auto* passed = root["passed"].as_table()) {
    for (const auto& [name, steps] : *passed) {
      const auto count = steps.value_or(std::int64_t{0});
      if (count > 0) {
        progress.passed[std::string(std::string_view(name))] = static_cast<std::size_t>(count);
      }
    }
  }
  return progress;
}

// What is wrong with the text, or what it says.
core::Expected<core::LessonProgress> parse_progress(const std::string& text) {
  try {
    return progress_in(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return core::usage_error(std::string(error.description()));
  }
}

}  // namespace

core::Expected<core::LessonProgress> read_progress(const fs::path& file) {
  if (file.empty() || !core::is_file(file)) {
    return core::LessonProgress{};
  }
  const auto text = read_toml(file);
  auto progress = text ? parse_progress(*text)
                       : core::Expected<core::LessonProgress>(std::unexpected(text.error()));
  if (progress) {
    return progress;
  }
  fs::path aside = file;
  aside += ".damaged";
  std::error_code failed;
  fs::rename(file, aside, failed);
  return core::usage_error(fmt::format(
      "{}: {}; {}", file.string(), progress.error().message,
      failed ? "the file cannot be renamed" : "the file was renamed to " + aside.string()));
}

core::Expected<void> write_progress(const fs::path& file, const core::LessonProgress& progress) {
  if (file.empty()) {
    return {};
  }
  toml::table passed;
  for (const auto& [name, steps] : progress.passed) {
    passed.insert(name, static_cast<std::int64_t>(steps));
  }
  const toml::table root{{"declined", progress.declined}, {"passed", passed}};
  std::ostringstream text;
  text << root << '\n';
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) {
    return core::usage_error(
        fmt::format("cannot create {}: {}", file.parent_path().string(), failed.message()));
  }
  const std::string written = text.str();
  return core::write_file(file, std::as_bytes(std::span(written)));
}

}  // namespace lab
