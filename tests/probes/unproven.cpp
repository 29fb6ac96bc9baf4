#include "probes/unproven.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace test {
namespace {

bool is_race_in_global_memory(const core::Finding& f) {
  return f.kind == core::FindingKind::race && f.memory != core::Memory::shared;
}

std::string text_of(const core::Finding& f) {
  const std::string what = core::to_string(f.kind) + " " + core::to_string(f.memory) + " ";
  if (is_race_in_global_memory(f)) {
    return what + f.variable;
  }
  if (f.kind == core::FindingKind::race) {
    const auto side = [](const core::RaceSide& s) {
      return fmt::format("{} in line {}", core::to_string(s.access), s.line);
    };
    const auto [a, b] = std::minmax({side(f.first), side(f.second)});
    return fmt::format("{}{}: {} and {}", what, f.variable, a, b);
  }
  return fmt::format("{}{}: line {}", what, f.variable, f.line);
}

std::set<std::string> texts_of(const core::CheckReport& report) {
  std::set<std::string> all;
  for (const core::Finding& f : report.findings) {
    all.insert(text_of(f));
  }
  return all;
}

bool is_complete(const core::CheckReport& report) {
  return report.incomplete.empty() && report.verdict != core::Verdict::incomplete;
}

std::string difference(const std::set<std::string>& with, const std::set<std::string>& without) {
  std::string all;
  for (const std::string& text : without) {
    if (!with.contains(text)) {
      all += "proven, but without proofs there is " + text + "\n";
    }
  }
  // What is written to a buffer may come from a cell that races, and then differ or not.
  const bool racing = std::ranges::any_of(
      with, [](const std::string& text) { return text.starts_with("race shared"); });
  for (const std::string& text : with) {
    if (!without.contains(text) && !(racing && text.starts_with("race buffer"))) {
      all += "only with proofs there is " + text + "\n";
    }
  }
  return all;
}

}  // namespace

Comparison compare_unproven(gpu::Device& device, const lab::Turns& turns) {
  Comparison result;
  // What a kernel with a race finds may depend on the order of its invocations: a difference counts
  // if it stays after more launches of both kinds.
  std::set<std::string> with, without;
  for (int launches = 0; launches < 5; ++launches) {
    const auto proven = lab::check(device, turns, {});
    const auto unproven = lab::check(device, turns, {.proofs = false});
    if (!proven || !unproven) {
      return {.difference = "", .refused = (!proven ? proven : unproven).error().message};
    }
    result.found = result.found || !proven->findings.empty() || !unproven->findings.empty();
    result.complete = is_complete(*proven) && is_complete(*unproven);
    with.merge(texts_of(*proven));
    without.merge(texts_of(*unproven));
    result.difference = difference(with, without);
    if (result.complete && proven->verdict != unproven->verdict) {
      result.difference +=
          fmt::format("{} with proofs, {} without\n", core::to_string(proven->verdict),
                      core::to_string(unproven->verdict));
    }
    if (result.difference.empty()) {
      break;
    }
  }
  return result;
}

}  // namespace test
