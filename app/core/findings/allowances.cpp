#include "core/findings/allowances.h"

#include <algorithm>
#include <sstream>

#include "core/findings/finding_kinds.h"

namespace core {
namespace {

constexpr std::string_view mark = "tilescope: allow ";

std::string word_from(std::istringstream& words) {
  std::string word;
  words >> word;
  if (const std::size_t comma = word.find(','); comma != std::string::npos) {
    word.resize(comma);
    words.setstate(std::ios::eofbit);
  }
  return word;
}

bool is_kind(const std::string& name) {
  return std::ranges::any_of(finding_kinds(),
                             [&](const FindingRow& row) { return row.name == name; });
}

bool at_line(const Allowance& a, std::uint32_t line, const std::string& file) {
  return a.line == 0 || (line == a.line && (file == a.file || (file.empty() && a.own)));
}

bool allows(const Allowance& a, const Finding& f) {
  if (to_string(f.kind) != a.kind || (!a.variable.empty() && a.variable != f.variable)) {
    return false;
  }
  if (f.kind == FindingKind::race) {
    return at_line(a, f.first.line, f.first.file) || at_line(a, f.second.line, f.second.file);
  }
  return at_line(a, f.line, f.file);
}

}  // namespace

std::vector<Allowance> allowances_in(const std::vector<SourceFile>& sources) {
  std::vector<Allowance> found;
  for (std::size_t n = 0; n < sources.size(); ++n) {
    std::istringstream lines(sources[n].text);
    std::uint32_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::size_t comment = line.find("//");
      const std::size_t at = comment == std::string::npos ? comment : line.find(mark, comment);
      if (at == std::string::npos) {
        continue;
      }
      std::istringstream words(line.substr(at + mark.size()));
      Allowance allowance;
      allowance.kind = word_from(words);
      if (words.good() && word_from(words) == "on" && words.good()) {
        allowance.variable = word_from(words);
      }
      allowance.file = sources[n].path;
      allowance.line = number;
      allowance.own = n == 0;
      if (is_kind(allowance.kind)) {
        found.push_back(std::move(allowance));
      }
    }
  }
  return found;
}

std::optional<Allowance> allowance_of(const std::string& text) {
  constexpr std::string_view on = " on ";
  Allowance allowance;
  const std::size_t at = text.find(on);
  allowance.kind = text.substr(0, at);
  allowance.variable = at == std::string::npos ? "" : text.substr(at + on.size());
  return is_kind(allowance.kind) ? std::optional(std::move(allowance)) : std::nullopt;
}

void allow(const std::vector<Allowance>& allowances, CheckReport& report) {
  for (const Allowance& allowance : allowances) {
    if (allowance.line == 0) {
      report.allowed += static_cast<std::uint32_t>(
          std::erase_if(report.findings, [&](const Finding& f) { return allows(allowance, f); }));
      continue;
    }
    const auto silenced = std::ranges::find_if(
        report.findings, [&](const Finding& f) { return allows(allowance, f); });
    if (silenced != report.findings.end()) {
      report.findings.erase(silenced);
      ++report.allowed;
    }
  }
}

}  // namespace core
