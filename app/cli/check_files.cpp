#include "cli/check_files.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/glossary.h"
#include "studio/manual.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

Json location(const std::string& file, std::uint32_t line) {
  Json place{{"artifactLocation", {{"uri", uri_of(file)}}}};
  if (line > 0) {
    place["region"] = {{"startLine", line}};
  }
  return {{"physicalLocation", place}};
}

Json related(const Checked& checked, const core::RaceSide& side, const std::string& text) {
  Json json = location(side.file.empty() ? checked.file : side.file, side.line);
  json["message"] = {{"text", text}};
  return json;
}

// SARIF 2.1.0, section 3.27.10. It has no level for what rests on an assumption.
const char* level_of(core::Severity severity) {
  switch (severity) {
    case core::Severity::warning:
    case core::Severity::assumed:
      return "warning";
    case core::Severity::note:
      return "note";
    case core::Severity::error:
      break;
  }
  return "error";
}

Json result_of(const Checked& checked, const core::Finding& f) {
  const bool race = f.kind == core::FindingKind::race;
  const Place place = place_of(checked, f);
  Json json{{"ruleId", core::to_string(f.kind)},
            {"level", level_of(f.severity())},
            {"properties", {{"severity", core::to_string(f.severity())}}},
            {"message", {{"text", f.sentence()}}},
            {"locations", Json::array({location(place.file, place.line)})}};
  if (!f.fingerprint.empty()) {
    json["partialFingerprints"] = {{"tilescope/v1", f.fingerprint}};
  }
  if (race) {
    json["relatedLocations"] = Json::array(
        {related(checked, f.second,
                 fmt::format("the other access: a {}", core::to_string(f.second.access)))});
  } else if (f.condition_line > 0) {
    core::RaceSide condition;
    condition.line = f.condition_line;
    condition.file = f.first.file;
    json["relatedLocations"] = Json::array(
        {related(checked, condition, "the condition that can differ between invocations")});
  }
  return json;
}

// The texts of `tilescope explain`.
Json rule_of(const core::Term& term) {
  Json rule{{"id", term.word},
            {"shortDescription", {{"text", term.says}}},
            {"help", {{"text", std::string(term.says) + " " + std::string(term.remedy)}}}};
  if (const std::string uri = help_uri_of(term.word); !uri.empty()) {
    rule["helpUri"] = uri;
  }
  return rule;
}

Json notification(const Checked& checked, const std::string& text, const char* level) {
  return {{"level", level},
          {"message", {{"text", checked.kernel + ": " + text}}},
          {"locations", Json::array({location(checked.file, 0)})}};
}

std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : text) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        // XML 1.0 has no word for most control characters.
        xml += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return xml;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

bool is_wrong(const Checked& checked) {
  return checked.answer && !checked.answer->correct;
}

std::vector<std::string> sentences(const Checked& checked) {
  std::vector<std::string> all;
  for (const core::Finding& f : checked.report->findings) {
    all.push_back(f.label() + f.sentence());
  }
  if (is_wrong(checked)) {
    all.push_back(wrong_answer(*checked.answer));
  }
  return all;
}

enum class FileOutcome { passed, failed, skipped, error };

FileOutcome outcome_of(const Checked& checked, bool notes_ok) {
  if (!checked.report) {
    return FileOutcome::error;
  }
  if (checked.is_as_expected()) {
    return FileOutcome::passed;
  }
  if (checked.report->counts_as_found(notes_ok) || is_wrong(checked) || !checked.expected.empty()) {
    return FileOutcome::failed;
  }
  return checked.report->verdict == core::Verdict::clean ? FileOutcome::passed
                                                         : FileOutcome::skipped;
}

std::string case_of(const Checked& checked, bool notes_ok) {
  const std::string name = escaped(checked.kernel);
  const std::string open =
      fmt::format("    <testcase classname=\"tilescope.check\" name=\"{}\"", name);
  switch (outcome_of(checked, notes_ok)) {
    case FileOutcome::passed:
      return checked.report->findings.empty()
                 ? open + "/>\n"
                 : fmt::format("{}>\n      <system-out>{}</system-out>\n    </testcase>\n", open,
                               escaped(joined(sentences(checked))));
    case FileOutcome::failed:
      return fmt::format(
          "{}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", open,
          core::to_string(checked.report->verdict),
          escaped(sentences(checked).empty() ? "expected " + checked.expected
                                             : sentences(checked).front()),
          escaped(joined(sentences(checked))));
    case FileOutcome::skipped:
      return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", open,
                         escaped(joined(checked.report->incomplete)));
    case FileOutcome::error:
      break;
  }
  return fmt::format("{}>\n      <error message=\"{}\"/>\n    </testcase>\n", open,
                     escaped(checked.report.error().message));
}

}  // namespace

// A URI reference has these characters as they are (RFC 3986, section 2).
std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

std::string help_uri_of(std::string_view word) {
  const auto manual = studio::find_manual();
  return manual ? fmt::format("{}#{}", uri_of((*manual / "reference/findings.md").string()), word)
                : std::string();
}

void add_from_report(const Json& report, Checked& checked) {
  checked.expected = report.value("expected", std::string());
  if (report.contains("answer")) {
    const Json& json = report.at("answer");
    checked.answer = Answer{.reference = json.value("reference", std::string()),
                            .correct = json.value("correct", false),
                            .worst = json.value("worst", std::string())};
  }
}

Place place_of(const Checked& checked, const core::Finding& finding) {
  const bool race = finding.kind == core::FindingKind::race;
  const std::string& file = race ? finding.first.file : finding.file;
  return {file.empty() ? checked.file : file, race ? finding.first.line : finding.line};
}

std::string wrong_answer(const Answer& answer) {
  return fmt::format("wrong outputs, compared with {}: {}", answer.reference, answer.worst);
}

Json sarif_of(const std::vector<Checked>& all) {
  Json rules = Json::array();
  for (const core::Term& term : core::glossary()) {
    if (!term.remedy.empty()) {
      rules.push_back(rule_of(term));
    }
  }
  Json results = Json::array();
  Json notifications = Json::array();
  bool successful = true;
  for (const Checked& checked : all) {
    if (!checked.report) {
      notifications.push_back(notification(checked, checked.report.error().message, "error"));
      successful = false;
      continue;
    }
    for (const core::Finding& f : checked.report->findings) {
      if (!checked.is_as_expected()) {
        results.push_back(result_of(checked, f));
      }
    }
    if (is_wrong(checked)) {
      results.push_back({{"ruleId", "wrong-answer"},
                         {"level", "error"},
                         {"message", {{"text", wrong_answer(*checked.answer)}}},
                         {"locations", Json::array({location(checked.file, 0)})}});
    }
    for (const std::string& why : checked.report->incomplete) {
      notifications.push_back(notification(checked, why, "warning"));
    }
  }
  Json driver{{"name", "Tilescope"}, {"version", TILESCOPE_VERSION}, {"rules", rules}};
  Json run{{"tool", {{"driver", driver}}},
           {"columnKind", "utf16CodeUnits"},
           {"invocations", Json::array({{{"executionSuccessful", successful},
                                         {"toolExecutionNotifications", notifications}}})},
           {"results", results}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({run})}};
}

std::string junit_of(const std::vector<Checked>& all, bool notes_ok) {
  std::array<std::size_t, 4> counts{};
  std::string cases;
  for (const Checked& checked : all) {
    ++counts[static_cast<std::size_t>(outcome_of(checked, notes_ok))];
    cases += case_of(checked, notes_ok);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"tilescope check\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" "
      "errors=\"{}\">\n{}  </testsuite>\n</testsuites>\n",
      all.size(), counts[1], counts[2], counts[3], cases);
}

}  // namespace cli
