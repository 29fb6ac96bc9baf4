#include "cli/text/excerpt.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

namespace cli {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("({},{},{})", v[0], v[1], v[2]);
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string line_of(const std::vector<core::SourceFile>& sources, const Mark& mark) {
  const auto source = mark.file.empty()
                          ? sources.begin()
                          : std::ranges::find(sources, mark.file, &core::SourceFile::path);
  if (source == sources.end()) {
    return {};
  }
  std::istringstream lines(source->text);
  std::string line;
  for (std::uint32_t n = 0; n < mark.line && std::getline(lines, line); ++n) {
  }
  return lines ? line : std::string();
}

}  // namespace

std::vector<Mark> marks_of(const core::Finding& f) {
  switch (f.kind) {
    case core::FindingKind::race: {
      const auto side = [&](const core::RaceSide& s) {
        return Mark{
            s.line, s.file, f.variable,
            fmt::format("invocation {} {}", triple(s.invocation), core::deed(s.access, f.place()))};
      };
      return {side(f.first), side(f.second)};
    }
    case core::FindingKind::divergent_barrier:
      return {{f.condition_line, f.first.file, {}, "this value can differ between invocations"},
              {f.line, f.file, "barrier", "not all invocations reach this"}};
    case core::FindingKind::out_of_bounds:
      return {{f.line, f.file, f.variable,
               fmt::format("index {}, but the size is {}", f.outside, f.limit)}};
    case core::FindingKind::unfinished_loop:
      return {{f.line, f.file, {}, fmt::format("stopped after {} iterations", f.limit)}};
    case core::FindingKind::uninitialized:
      return {{f.line, f.file, f.variable, "read before it was written"}};
    case core::FindingKind::misaligned:
      return {{f.line, f.file, f.variable,
               fmt::format("the address must be a multiple of {}", f.limit)}};
    case core::FindingKind::inactive_lane:
      return {{f.line, f.file, f.variable, "reads a lane that is not active"}};
    case core::FindingKind::arithmetic:
      return {{f.line, f.file, f.variable, core::to_string(f.arithmetic)}};
  }
  return {};
}

std::pair<std::size_t, std::size_t> marked_part(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); !name.empty() && at != std::string::npos;
       at = line.find(name, at + 1)) {
    std::size_t end = at + name.size();
    if ((at > 0 && in_word(line[at - 1])) || (end < line.size() && in_word(line[end]))) {
      continue;
    }
    while (end < line.size() && line[end] == '[') {
      int depth = 0;
      std::size_t k = end;
      for (; k < line.size(); ++k) {
        depth += line[k] == '[' ? 1 : line[k] == ']' ? -1 : 0;
        if (depth == 0) {
          break;
        }
      }
      if (k == line.size()) {
        break;
      }
      end = k + 1;
    }
    return {at, end};
  }
  const std::size_t first = line.find_first_not_of(" \t");
  std::size_t last = line.find_last_not_of(" \t\r");
  if (const std::size_t comment = line.find("//");
      comment != std::string::npos && comment > first) {
    last = line.find_last_not_of(" \t\r", comment - 1);
  }
  return first == std::string::npos || last < first ? std::pair<std::size_t, std::size_t>(0, 0)
                                                    : std::pair(first, last + 1);
}

std::string excerpt(const core::Finding& finding, const std::vector<core::SourceFile>& sources) {
  std::string text;
  std::string file = sources.empty() ? std::string() : sources.front().path;
  for (const Mark& mark : marks_of(finding)) {
    const std::string line = mark.line == 0 ? std::string() : line_of(sources, mark);
    const auto [first, end] = marked_part(line, mark.name);
    if (first == end) {
      continue;
    }
    std::string under;
    for (std::size_t n = 0; n < first; ++n) {
      under += line[n] == '\t' ? '\t' : ' ';
    }
    under += '^' + std::string(end - first - 1, '~');
    const std::string& its = mark.file.empty() ? sources.front().path : mark.file;
    if (its != file) {
      text += fmt::format("         {}:{}\n", its, mark.line);
      file = its;
    }
    text += fmt::format("  {:>6} | {}\n         | {} {}\n", mark.line, line, under, mark.text);
  }
  return text;
}

}  // namespace cli
