#include "cli/lsp/features.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/lsp/hover_words.h"
#include "cli/lsp/kernel_text.h"
#include "core/base/glossary.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json open_command(const OpenDocument& document, const std::string& title) {
  return {{"title", title}, {"command", kOpenCommand}, {"arguments", Json::array({document.uri})}};
}

// An edit of one file. Its version is that of the document, if it is the document's file.
Json workspace_edit(const OpenDocument& document, const std::string& path, const TextRange& range,
                    const std::string& text, bool versioned) {
  const bool own = path == document.path;
  const std::string uri = own ? document.uri : uri_of(path);
  const Json edits = Json::array({{{"range", to_json(range)}, {"newText", text}}});
  if (!versioned) {
    return {{"changes", {{uri, edits}}}};
  }
  const Json identifier{{"uri", uri}, {"version", own ? Json(document.version) : Json()}};
  return {{"documentChanges", Json::array({{{"textDocument", identifier}, {"edits", edits}}})}};
}

Json quick_fix(const std::string& title, const Json& diagnostic, Json edit, bool preferred) {
  Json action{{"title", title},
              {"kind", "quickfix"},
              {"diagnostics", Json::array({diagnostic})},
              {"edit", std::move(edit)}};
  if (preferred) {
    action["isPreferred"] = true;
  }
  return action;
}

Json repair(const OpenDocument& document, const Json& diagnostic, bool versioned) {
  const Json& data = diagnostic.at("data");
  const std::string path = data.value("repair_file", std::string());
  const auto line = data.value("repair", 0U);
  if (line == 0 || path != document.path) {
    return nullptr;
  }
  const std::uint32_t before = statement_line(document.text, line);
  const std::string statement =
      indentation_of(document.text, before) + barrier_statement(language_of_file(path)) + "\n";
  const TextRange at{{before - 1, 0}, {before - 1, 0}};
  return quick_fix(
      fmt::format("Insert a barrier before line {}: the kernel is then clean (tried)", before),
      diagnostic, workspace_edit(document, path, at, statement, versioned), true);
}

Json silence(const OpenDocument& document, const Json& diagnostic, bool versioned) {
  const Json& data = diagnostic.at("data");
  const std::string kind = data.value("kind", std::string());
  const std::string variable = data.value("variable", std::string());
  const auto line = diagnostic.at("range").at("start").value("line", 0U);
  const std::string_view text = line_at(document.text, line);
  if (kind.empty() || text.ends_with('\\')) {
    return nullptr;
  }
  // One word names a variable in the comment.
  const std::string on = variable.empty() || variable.find_first_of(" ,") != std::string::npos
                             ? ""
                             : " on " + variable;
  const std::string comment =
      fmt::format("{} tilescope: allow {}{}, intended",
                  text.find("//") == std::string_view::npos ? "  //" : "", kind, on);
  const TextPosition end{line, utf16_length(text)};
  return quick_fix(fmt::format("Allow this {}{} with a comment", kind, on), diagnostic,
                   workspace_edit(document, document.path, {end, end}, comment, versioned), false);
}

bool same_file(const std::string& name, const OpenDocument& document) {
  return fs::path(name).lexically_normal().string() == document.path ||
         (!fs::path(name).is_absolute() &&
          fs::path(name).filename() == fs::path(document.path).filename());
}

// The parts of "structure" in `run --json`.
const Json& structure_part(const KernelState& kernel, const char* name) {
  static const Json none = Json::array();
  return kernel.run.is_object() && kernel.run.contains("structure")
             ? kernel.run.at("structure").at(name)
             : none;
}

// The numbers, from 1, of the phases that reach a line of a file.
std::vector<std::size_t> phases_at(const KernelState& kernel, const std::string& file,
                                   std::uint32_t line) {
  std::vector<std::size_t> found;
  const Json& phases = structure_part(kernel, "phases");
  for (std::size_t n = 0; n < phases.size(); ++n) {
    const Json& lines = phases[n].at("lines");
    const auto of_file = lines.find(file);
    if (of_file != lines.end() && std::ranges::find(*of_file, Json(line)) != of_file->end()) {
      found.push_back(n + 1);
    }
  }
  return found;
}

std::string places_text(const KernelState& kernel, const std::string& variable,
                        const char* access) {
  std::vector<std::string> places;
  for (const Json& one : structure_part(kernel, "shared")) {
    if (one.value("variable", std::string()) != variable ||
        one.value("access", std::string()) != access) {
      continue;
    }
    const auto line = one.value("line", 0U);
    const auto phases = phases_at(kernel, one.value("file", std::string()), line);
    std::string place = fmt::format("line {}", line);
    if (!phases.empty()) {
      place += fmt::format(" (phase {})", fmt::join(phases, ", "));
    }
    if (std::ranges::find(places, place) == places.end()) {
      places.push_back(place);
    }
  }
  return fmt::format("{}", fmt::join(places, ", "));
}

// Empty if the kernel has no such shared variable.
std::string shared_variable_text(const KernelState& kernel, const std::string& name) {
  std::string text;
  const auto add = [&](const char* access, const char* words) {
    if (const std::string places = places_text(kernel, name, access); !places.empty()) {
      text += fmt::format("- {}: {}\n", words, places);
    }
  };
  add("write", "written in");
  add("read", "read in");
  add("atomic", "changed atomically in");
  if (text.empty()) {
    return "";
  }
  std::uint32_t ways = 0;
  if (kernel.run.contains("banks")) {
    for (const Json& row : kernel.run.at("banks").at("by_32_invocations").at("shared")) {
      if (row.value("variable", std::string()) == name) {
        ways = std::max(ways, row.value("worst_ways", 0U));
      }
    }
  }
  if (ways > 0) {
    text += ways == 1
                ? "- no bank conflicts (modelled for 32 lanes)\n"
                : fmt::format("- bank conflicts: up to {} ways (modelled for 32 lanes)\n", ways);
  }
  return fmt::format("**{}** in shared memory\n\n{}", name, text);
}

// Returns true if the kernel was checked with the document's present text. The lines of an older
// text may be others.
bool is_current(const OpenDocument& document, const KernelState& kernel) {
  const auto version = kernel.versions.find(document.path);
  return version != kernel.versions.end() && version->second == document.version;
}

// The effect of the barrier at a line. Empty if there is none.
std::string barrier_text(const KernelState& kernel, const OpenDocument& document,
                         std::uint32_t line) {
  for (const Json& barrier : structure_part(kernel, "barriers")) {
    if (barrier.value("line", 0U) != line ||
        !same_file(barrier.value("file", std::string()), document)) {
      continue;
    }
    const auto number = barrier.value("number", 0U);
    std::string text = fmt::format("Barrier {}", number);
    const Json& phases = structure_part(kernel, "phases");
    for (std::size_t n = 0; n < phases.size(); ++n) {
      if (phases[n].value("opened_by", 0U) == number) {
        text += fmt::format(": opens phase {} ({})", n + 1, phases[n].value("name", std::string()));
      }
    }
    return text + "\n\n";
  }
  return "";
}

bool in_lines(const TextRange& range, std::uint32_t line) {
  return range.start.line <= line && line <= range.end.line;
}

}  // namespace

std::string time_words(const Json& run) {
  if (!run.is_object() || !run.contains("timing") || !run.at("timing").contains("median")) {
    return "";
  }
  const Json& timing = run.at("timing");
  if (timing.value("samples", Json::array()).empty()) {
    return "";
  }
  std::string device = run.value("device", std::string());
  device = device.substr(0, device.find(" ("));
  return fmt::format("{:.3f} ms on {}{}", timing.value("median", 0.0), device,
                     run.value("emulated", false) ? " (emulated)" : "");
}

Json code_actions(const OpenDocument& document, const KernelState& kernel, const TextRange& range,
                  bool versioned) {
  Json actions = Json::array();
  const auto found = kernel.found.find(document.path);
  if (found != kernel.found.end() && is_current(document, kernel)) {
    for (const Json& diagnostic : found->second) {
      const TextRange its = range_from(diagnostic.at("range"));
      if (!diagnostic.contains("data") || its.start.line > range.end.line ||
          its.end.line < range.start.line) {
        continue;
      }
      for (Json action :
           {repair(document, diagnostic, versioned), silence(document, diagnostic, versioned)}) {
        const auto same = [&](const Json& other) {
          return other.at("title") == action.at("title");
        };
        if (!action.is_null() && std::ranges::none_of(actions, same)) {
          actions.push_back(std::move(action));
        }
      }
    }
  }
  const std::string title = "Open in the Tilescope window";
  actions.push_back({{"title", title}, {"command", open_command(document, title)}});
  return actions;
}

Json code_lenses(const OpenDocument& document, const KernelState& kernel) {
  const std::uint32_t line = entry_line_of(document.text, language_of_file(document.path));
  if (line == 0 || kernel.verdict.empty()) {
    return Json::array();
  }
  const std::string time = time_words(kernel.run);
  return Json::array(
      {{{"range", to_json(range_of_line(document.text, line))},
        {"command", open_command(document, kernel.verdict + (time.empty() ? "" : ", " + time))}}});
}

Json hover(const OpenDocument& document, const KernelState* kernel, TextPosition position) {
  const std::string_view line = line_at(document.text, position.line);
  const std::size_t byte =
      offset_of(document.text, position) - offset_of(document.text, {position.line, 0});
  const auto [begin, end] = word_at(line, byte);
  const std::string word(line.substr(begin, end - begin));
  if (word.empty()) {
    return nullptr;
  }
  std::string text;
  if (is_barrier_word(word)) {
    text = kernel != nullptr && is_current(document, *kernel)
               ? barrier_text(*kernel, document, position.line + 1)
               : "";
    text += barrier_words(word);
  } else if (kernel != nullptr) {
    text = shared_variable_text(*kernel, word);
  }
  if (text.empty()) {
    text = built_in_words(word);
  }
  if (text.empty()) {
    return nullptr;
  }
  const TextRange range{{position.line, utf16_length(line.substr(0, begin))},
                        {position.line, utf16_length(line.substr(0, end))}};
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}, {"range", to_json(range)}};
}

Json inlay_hints(const OpenDocument& document, const KernelState& kernel, const TextRange& range) {
  Json hints = Json::array();
  if (!is_current(document, kernel)) {
    return hints;
  }
  const Json& phases = structure_part(kernel, "phases");
  const Json& barriers = structure_part(kernel, "barriers");
  if (phases.size() < 2) {
    return hints;
  }
  const std::uint32_t entry = entry_line_of(document.text, language_of_file(document.path));
  for (std::size_t n = 0; n < phases.size(); ++n) {
    const auto number = phases[n].value("opened_by", 0U);
    std::uint32_t line = entry;
    if (number > 0) {
      const bool known = number <= barriers.size() &&
                         same_file(barriers[number - 1].value("file", std::string()), document);
      line = known ? barriers[number - 1].value("line", 0U) : 0;
    }
    if (line == 0 || !in_lines(range, line - 1)) {
      continue;
    }
    const TextPosition end{line - 1, utf16_length(line_at(document.text, line - 1))};
    hints.push_back(
        {{"position", {{"line", end.line}, {"character", end.character}}},
         {"label", fmt::format("phase {}: {}", n + 1, phases[n].value("name", std::string()))},
         {"paddingLeft", true}});
  }
  return hints;
}

}  // namespace cli
