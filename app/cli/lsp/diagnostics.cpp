#include "cli/lsp/diagnostics.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/lsp/kernel_text.h"
#include "cli/text/excerpt.h"
#include "core/base/files.h"
#include "core/base/glossary.h"
#include "core/source/index_parts.h"

namespace cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// DiagnosticSeverity of the protocol.
enum class Level { error = 1, warning = 2, information = 3, hint = 4 };

constexpr std::uint32_t kWorstWays = 2;   // a bank conflict
constexpr double kLeastEfficiency = 0.5;  // an access below this is uncoalesced
constexpr std::uint32_t kLanes = 32;      // lanes that share an instruction on most GPUs

Level level_of_severity(core::Severity severity) {
  switch (severity) {
    case core::Severity::warning:
    case core::Severity::assumed:
      return Level::warning;
    case core::Severity::note:
      return Level::information;
    case core::Severity::error:
      break;
  }
  return Level::error;
}

// The path of a file that a report names. A compiler that was given a copy of the kernel may name
// the copy.
std::string path_in(const std::string& kernel, const std::string& file) {
  const fs::path path = file;
  const fs::path own = kernel;
  if (file.empty() || (!core::is_file(path) && path.filename() == own.filename())) {
    return kernel;
  }
  return (core::is_file(path) ? fs::absolute(path) : own.parent_path() / path)
      .lexically_normal()
      .string();
}

TextRange range_of_part(const std::string& text, std::uint32_t line, std::size_t first,
                        std::size_t end) {
  const std::string_view whole = line_at(text, line - 1);
  return {{line - 1, utf16_length(whole.substr(0, first))},
          {line - 1, utf16_length(whole.substr(0, end))}};
}

TextRange range_of_mark(const Mark& mark, const std::string& text) {
  if (mark.line == 0) {
    return {};
  }
  const std::string line(line_at(text, mark.line - 1));
  const auto [first, end] = core::stretch_of(line, mark.name);
  return range_of_part(text, mark.line, first, end);
}

Json location_of(const std::string& path, const TextRange& range) {
  return {{"uri", uri_of(path)}, {"range", to_json(range)}};
}

Json diagnostic(const TextRange& range, Level level, const std::string& code,
                const std::string& message) {
  Json json{{"range", to_json(range)},
            {"severity", static_cast<int>(level)},
            {"code", code},
            {"source", "tilescope"},
            {"message", message}};
  const core::Term* term = core::find_term(code);
  const bool explained =
      term != nullptr && (!term->remedy.empty() || term->subject == core::Subject::verdict);
  if (const std::string uri = explained ? help_uri_of(term->word) : ""; !uri.empty()) {
    json["codeDescription"] = {{"href", uri}};
  }
  return json;
}

class DiagnosticWriter {
 public:
  DiagnosticWriter(FileTexts& texts, bool several) : texts_(texts), several_(several) {}

  void add(const LaunchCheck& check) {
    const Checked& checked = check.checked;
    if (!checked.report) {
      add_failure(check);
      return;
    }
    if (checked.is_as_expected()) {
      return;
    }
    for (const core::Finding& finding : checked.report->findings) {
      add_finding(check, finding);
    }
    if (checked.answer && !checked.answer->correct) {
      add_at_entry(check, Level::error, "answer", wrong_answer(*checked.answer));
    }
    if (!checked.expected.empty()) {
      add_at_entry(check, Level::error, "verdict",
                   fmt::format("expected {} according to the project file, but the verdict is {}",
                               checked.expected, core::to_string(checked.report->verdict)));
    }
    for (const std::string& why : checked.report->incomplete) {
      add_at_entry(check, Level::information, "incomplete", "not checked: " + why);
    }
  }

  [[nodiscard]] Diagnostics take() { return std::move(all_); }

 private:
  void add_to(const std::string& path, Json json) {
    std::vector<Json>& list = all_[path];
    if (std::ranges::find(list, json) == list.end()) {
      list.push_back(std::move(json));
    }
  }

  void add_at_entry(const LaunchCheck& check, Level level, const std::string& code,
                    const std::string& message) {
    const std::string& file = check.checked.file;
    const std::string& text = texts_.of(file);
    const std::uint32_t line = std::max(1U, entry_line_of(text, language_of_file(file)));
    add_to(file, diagnostic(range_of_line(text, line), level, code, message + launch_words(check)));
  }

  void add_failure(const LaunchCheck& check) {
    const Checked& checked = check.checked;
    const std::string& message = checked.report.error().message;
    if (check.error_kind == "compile") {
      if (const auto found = compile_message(message); found && found->line > 0) {
        const std::string path = path_in(checked.file, found->file);
        add_to(path, diagnostic(range_of_line(texts_.of(path), found->line), Level::error,
                                "compile", found->text));
        return;
      }
    }
    const bool own = check.error_kind == "compile" || check.error_kind == "crash";
    add_at_entry(check, own ? Level::error : Level::warning, check.error_kind, message);
  }

  // The place of the finding comes first, then the other one.
  static std::vector<Mark> ordered_marks(const core::Finding& finding) {
    std::vector<Mark> marks = marks_of(finding);
    if (finding.kind == core::FindingKind::divergent_barrier) {
      std::ranges::reverse(marks);
    }
    return marks;
  }

  [[nodiscard]] std::string launch_words(const LaunchCheck& check) const {
    return several_ && !check.launch.empty() ? " [launch " + check.launch + "]" : std::string();
  }

  void add_finding(const LaunchCheck& check, const core::Finding& finding) {
    const Checked& checked = check.checked;
    const std::vector<Mark> marks = ordered_marks(finding);
    const core::Severity severity = finding.severity();
    const std::string kind = core::to_string(finding.kind);
    const std::string message = (severity == core::Severity::assumed ? finding.label() : "") +
                                finding.sentence() + launch_words(check);
    const auto path_of = [&](const Mark& mark) { return path_in(checked.file, mark.file); };
    const auto range_of = [&](const Mark& mark) {
      return range_of_mark(mark, texts_.of(path_of(mark)));
    };
    const auto related = [&](const Mark& mark, const std::string& text) {
      return Json{{"location", location_of(path_of(mark), range_of(mark))}, {"message", text}};
    };
    const Json data{{"kernel", checked.file},
                    {"kind", kind},
                    {"variable", finding.variable},
                    {"fingerprint", finding.fingerprint},
                    {"repair", finding.mended_before},
                    {"repair_file", path_in(checked.file, finding.second.file)}};
    const Mark& first = marks.front();
    Json main = diagnostic(range_of(first), level_of_severity(severity), kind, message);
    Json relations = Json::array();
    for (std::size_t n = 0; n < marks.size(); ++n) {
      if (n > 0 || finding.kind == core::FindingKind::race) {
        relations.push_back(related(marks[n], marks[n].text));
      }
    }
    if (finding.mended_before != 0) {
      Mark repair;
      repair.line = finding.mended_before;
      repair.file = finding.second.file;
      relations.push_back(
          related(repair, "with a barrier before this line the kernel is clean (tried)"));
    }
    if (!relations.empty()) {
      main["relatedInformation"] = relations;
    }
    main["data"] = data;
    add_to(path_of(first), main);
    if (finding.kind != core::FindingKind::race || marks.size() < 2 ||
        (marks[1].line == first.line && path_of(marks[1]) == path_of(first))) {
      return;
    }
    // Both accesses of a race are at fault: the other one is shown at its line, too.
    Json other = diagnostic(range_of(marks[1]), level_of_severity(severity), kind,
                            fmt::format("race with line {}: {}, and {}{}", first.line,
                                        marks[1].text, first.text, launch_words(check)));
    other["relatedInformation"] = Json::array({related(first, first.text)});
    other["data"] = data;
    add_to(path_of(marks[1]), other);
  }

  FileTexts& texts_;
  bool several_;  // launches
  Diagnostics all_;
};

// Each line and variable once.
class NoteWriter {
 public:
  NoteWriter(const std::string& kernel, FileTexts& texts) : kernel_(kernel), texts_(texts) {}

  void add(const Json& row, const std::string& code, const std::string& message) {
    const auto line = row.value("line", 0U);
    const std::string variable = row.value("variable", std::string());
    const std::string path = path_in(kernel_, row.value("file", std::string()));
    if (line == 0 ||
        !seen_.insert(fmt::format("{}\n{}\n{}\n{}", path, line, variable, code)).second) {
      return;
    }
    Mark mark;
    mark.line = line;
    mark.name = variable;
    notes_[path].push_back(
        diagnostic(range_of_mark(mark, texts_.of(path)), Level::hint, code, message));
  }

  [[nodiscard]] Diagnostics take() { return std::move(notes_); }

 private:
  std::string kernel_;
  FileTexts& texts_;
  std::set<std::string> seen_;
  Diagnostics notes_;
};

}  // namespace

const std::string& FileTexts::of(const std::string& file) {
  const auto found = texts_.find(file);
  return found != texts_.end()
             ? found->second
             : texts_.emplace(file, core::read_file(file).value_or("")).first->second;
}

Json to_json(const TextRange& range) {
  const auto position = [](const TextPosition& p) {
    return Json{{"line", p.line}, {"character", p.character}};
  };
  return {{"start", position(range.start)}, {"end", position(range.end)}};
}

TextPosition position_from(const Json& json) {
  return {json.value("line", 0U), json.value("character", 0U)};
}

TextRange range_from(const Json& json) {
  return {position_from(json.at("start")), position_from(json.at("end"))};
}

TextRange range_of_line(const std::string& text, std::uint32_t line) {
  const std::string whole(line_at(text, std::max(line, 1U) - 1));
  const auto [first, end] = core::stretch_of(whole, "");
  return range_of_part(text, std::max(line, 1U), first, end);
}

Diagnostics diagnostics_of(const std::vector<LaunchCheck>& checks, FileTexts& texts) {
  DiagnosticWriter writer(texts, checks.size() > 1);
  for (const LaunchCheck& check : checks) {
    writer.add(check);
  }
  return writer.take();
}

Diagnostics performance_notes(const Json& run, const std::string& kernel, FileTexts& texts) {
  NoteWriter writer(kernel, texts);
  if (!run.contains("banks") || !run.at("banks").contains("by_32_invocations")) {
    return {};
  }
  const Json& rows = run.at("banks").at("by_32_invocations");
  for (const Json& row : rows.value("shared", Json::array())) {
    if (row.value("worst_ways", 0U) >= kWorstWays &&
        row.value("extra_transactions", std::uint64_t{0}) > 0) {
      writer.add(row, "bank-conflict",
                 fmt::format("bank conflict on {}: up to {} ways, {:.1f} on average (modelled for "
                             "{} lanes)",
                             row.value("variable", std::string()), row.value("worst_ways", 0U),
                             row.value("mean_ways", 0.0), kLanes));
    }
  }
  for (const Json& row : rows.value("global", Json::array())) {
    const double efficiency = row.value("efficiency", 1.0);
    // An instruction fetches one sector at least: all lanes may read the same element.
    const bool could_be_fewer =
        row.value("sectors", std::uint64_t{0}) > row.value("instructions", std::uint64_t{0});
    if (could_be_fewer && efficiency < kLeastEfficiency && row.value("lanes", 0U) >= kLanes / 2) {
      writer.add(
          row, "uncoalesced",
          fmt::format("uncoalesced access to {}: {} of {} fetched bytes are used, {:.0f} % "
                      "(modelled for {} lanes)",
                      row.value("variable", std::string()),
                      row.value("bytes_used", std::uint64_t{0}),
                      row.value("bytes_fetched", std::uint64_t{0}), 100.0 * efficiency, kLanes));
    }
  }
  return writer.take();
}

}  // namespace cli
