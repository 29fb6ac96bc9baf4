#include "cli/ci/code_hosts.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/ci/fingerprint.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// One message for a code host.
struct Notice {
  core::Severity severity = core::Severity::error;
  std::string rule;
  std::string text;
  std::string file;
  std::uint32_t line = 0;
  std::string fingerprint;
};

// Below the current folder, code hosts expect relative paths.
std::string relative_path(const std::string& file) {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed);
  const auto relative = std::filesystem::path(file).lexically_relative(here);
  return failed || relative.empty() || *relative.begin() == ".." ? file : relative.generic_string();
}

Notice notice_of(const Checked& checked, const core::Finding& f) {
  const Place place = place_of(checked, f);
  return {f.severity(), core::to_string(f.kind), f.sentence(), place.file, place.line,
          f.fingerprint};
}

std::vector<Notice> notices_of(const std::vector<Checked>& all) {
  std::vector<Notice> notices;
  const auto add = [&](const Checked& checked, core::Severity severity, const char* rule,
                       const std::string& text) {
    notices.push_back({severity, rule, text, checked.file, 0,
                       fingerprint_of(fmt::format("{}\n{}\n{}", rule, checked.kernel, text))});
  };
  for (const Checked& checked : all) {
    if (!checked.report) {
      add(checked, core::Severity::error, "not-checked", checked.report.error().message);
      continue;
    }
    if (checked.is_as_expected()) {
      continue;
    }
    for (const core::Finding& f : checked.report->findings) {
      notices.push_back(notice_of(checked, f));
    }
    if (!checked.expected.empty()) {
      add(checked, core::Severity::error, "other-verdict",
          fmt::format("the verdict is {}, expected {}", core::to_string(checked.report->verdict),
                      checked.expected));
    }
    if (checked.answer && !checked.answer->correct) {
      add(checked, core::Severity::error, "wrong-answer", wrong_answer(*checked.answer));
    }
    for (const std::string& why : checked.report->incomplete) {
      add(checked, core::Severity::warning, "incomplete", "not checked completely: " + why);
    }
  }
  return notices;
}

std::string percent_encoded(const std::string& text, std::string_view characters) {
  std::string encoded;
  for (const char c : text) {
    encoded += characters.contains(c) ? fmt::format("%{:02X}", static_cast<unsigned char>(c))
                                      : std::string(1, c);
  }
  return encoded;
}

const char* github_level(core::Severity severity) {
  switch (severity) {
    case core::Severity::error:
      return "error";
    case core::Severity::note:
      return "notice";
    case core::Severity::warning:
    case core::Severity::assumed:
      break;
  }
  return "warning";
}

const char* gitlab_level(core::Severity severity) {
  switch (severity) {
    case core::Severity::error:
      return "major";
    case core::Severity::note:
      return "info";
    case core::Severity::warning:
    case core::Severity::assumed:
      break;
  }
  return "minor";
}

}  // namespace

std::string github_annotations(const std::vector<Checked>& all) {
  std::string text;
  for (const Notice& notice : notices_of(all)) {
    text +=
        fmt::format("::{} file={}{},title=tilescope {}::{}\n", github_level(notice.severity),
                    percent_encoded(relative_path(notice.file), "%\r\n:,"),
                    notice.line > 0 ? fmt::format(",line={}", notice.line) : "",
                    percent_encoded(notice.rule, "%\r\n:,"), percent_encoded(notice.text, "%\r\n"));
  }
  return text;
}

Json gitlab_report(const std::vector<Checked>& all) {
  Json report = Json::array();
  for (const Notice& notice : notices_of(all)) {
    report.push_back({{"description", notice.text},
                      {"check_name", notice.rule},
                      {"fingerprint", notice.fingerprint},
                      {"severity", gitlab_level(notice.severity)},
                      {"location",
                       {{"path", relative_path(notice.file)},
                        {"lines", {{"begin", std::max(notice.line, 1U)}}}}}});
  }
  return report;
}

}  // namespace cli
