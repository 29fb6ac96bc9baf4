#include "cli/text/excerpt.h"

#include <array>

#include <fmt/format.h>

#include "core/source/index_parts.h"

namespace cli {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("({},{},{})", v[0], v[1], v[2]);
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

std::string excerpt(const core::Finding& finding, const std::vector<core::SourceFile>& sources) {
  std::string text;
  std::string file = sources.empty() ? std::string() : sources.front().path;
  for (const Mark& mark : marks_of(finding)) {
    const std::string line = core::line_of(sources, mark.file, mark.line);
    const auto [first, end] = core::stretch_of(line, mark.name);
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
