#include "cli/ci/fingerprint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/lines.h"
#include "core/work/project.h"

namespace cli {
namespace {

// Without blanks, which formatters change.
std::string without_blanks(std::string line) {
  std::erase_if(line, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return line;
}

class LineTexts {
 public:
  explicit LineTexts(const std::vector<core::SourceFile>& sources) {
    for (const core::SourceFile& source : sources) {
      lines_.push_back({source.path, core::lines_of(source.text)});
    }
  }
  // The line's text, or its number if the source is unknown. An empty file is the kernel's own.
  [[nodiscard]] std::string at(const std::string& file, std::uint32_t line) const {
    const auto found =
        file.empty() ? lines_.begin() : std::ranges::find(lines_, file, &Lines::file);
    return found == lines_.end() || line == 0 || line > found->lines.size()
               ? std::to_string(line)
               : without_blanks(found->lines[line - 1]);
  }

 private:
  struct Lines {
    std::string file;
    std::vector<std::string> lines;
  };
  std::vector<Lines> lines_;
};

std::string file_name(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

std::string side_of(const core::RaceSide& side, const LineTexts& texts) {
  return fmt::format("{} {} {}", core::to_string(side.access), file_name(side.file),
                     texts.at(side.file, side.line));
}

std::string words_of(const core::Finding& f, const LineTexts& texts) {
  std::vector<std::string> words{core::to_string(f.kind), f.variable, file_name(f.file)};
  if (f.kind == core::FindingKind::race) {
    std::array sides{side_of(f.first, texts), side_of(f.second, texts)};
    std::ranges::sort(sides);  // which side comes first may differ from run to run
    words.insert(words.end(), sides.begin(), sides.end());
    words.push_back(core::to_string(f.memory));
  } else {
    words.push_back(texts.at(f.file, f.line));
  }
  if (f.kind == core::FindingKind::divergent_barrier) {
    words.push_back(texts.at(f.first.file, f.condition_line));
  }
  if (f.kind == core::FindingKind::arithmetic) {
    words.push_back(core::to_string(f.arithmetic));
  }
  return fmt::format("{}", fmt::join(words, "\n"));
}

}  // namespace

std::string fingerprint_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return fmt::format("{:016x}", hash);
}

std::string identity_of(const core::Variant& variant) {
  if (!variant.workload.empty()) {
    return variant.id();
  }
  const auto project = core::project_of(variant.file.parent_path());
  std::error_code failed;
  const auto full = std::filesystem::absolute(variant.file, failed).lexically_normal();
  return project.empty() || failed ? variant.file.filename().string()
                                   : full.lexically_relative(project).generic_string();
}

void set_fingerprints(const std::string& identity, const std::vector<core::SourceFile>& sources,
                      core::CheckReport& report) {
  const LineTexts texts(sources);
  std::map<std::string, int> seen;
  for (core::Finding& f : report.findings) {
    const std::string words = fmt::format("{}\n{}\n{}", identity, f.kernel, words_of(f, texts));
    f.fingerprint = fingerprint_of(fmt::format("{}\n{}", words, seen[words]++));
  }
}

}  // namespace cli
