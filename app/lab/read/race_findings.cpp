#include "lab/read/race_findings.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "lab/read/race_causes.h"

namespace lab {
namespace {

using spirv::FindingsLayout;

class RaceReader {
 public:
  RaceReader(const spirv::Examination& examination, const spirv::RaceProbe& probe,
             glm::uvec3 groups, const NumberedGroups& numbers, std::span<const std::uint32_t> words)
      : x_(examination), probe_(probe), groups_(groups), numbers_(numbers), words_(words) {}

  [[nodiscard]] std::optional<core::Finding> race(std::uint32_t pair) const;
  [[nodiscard]] std::vector<std::uint32_t> racing_groups() const;

 private:
  struct Example {
    std::uint32_t group = 0;
    std::uint32_t cell = 0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
  };
  [[nodiscard]] Example example(std::uint32_t pair) const;
  [[nodiscard]] std::array<std::uint32_t, 3> invocation(std::uint32_t who) const;
  [[nodiscard]] core::RaceSide side(std::uint32_t site, std::uint32_t who) const;

  const spirv::Examination& x_;
  const spirv::RaceProbe& probe_;
  glm::uvec3 groups_;
  const NumberedGroups& numbers_;
  std::span<const std::uint32_t> words_;
};

// The example of the first workgroup of those that were kept.
RaceReader::Example RaceReader::example(std::uint32_t pair) const {
  const std::uint32_t base = probe_.findings.pair(pair);
  const std::uint32_t count = std::min(words_[base + 3], FindingsLayout::examples);
  Example best{0xFFFFFFFF};
  for (std::uint32_t n = 0; n < count; ++n) {
    const std::uint32_t* w = &words_[base + 4 + 4 * n];
    if (w[0] <= best.group) {
      best = {w[0], w[1], w[2], w[3]};
    }
  }
  return best;
}

std::array<std::uint32_t, 3> RaceReader::invocation(std::uint32_t who) const {
  const std::uint32_t index = probe_.subgroups && who < probe_.findings.lane_ids
                                  ? words_[probe_.findings.lane_id(who)]
                                  : who;
  const auto& local = x_.program.interface.local_size;
  const glm::uvec3 size{local[0], local[1], local[2]};
  return {index % size.x, index / size.x % size.y, index / size.x / size.y};
}

core::RaceSide RaceReader::side(std::uint32_t number, std::uint32_t who) const {
  const spirv::Site& site = x_.sites.all()[number];
  return {site.at.line, x_.program.file(site.at), invocation(who),
          site.atomic   ? core::Access::atomic
          : site.writes ? core::Access::write
                        : core::Access::read};
}

// Two different ones, the first's smallest and the second's smallest where they can be.
std::pair<std::uint32_t, std::uint32_t> different(std::uint32_t first, std::uint32_t second) {
  const std::uint32_t a = first >> 16U;
  const std::uint32_t b = second >> 16U;
  if (a != b) {
    return {a, b};
  }
  const std::uint32_t other = second & 0xFFFFU;
  return other != spirv::no_invocation ? std::pair(a, other) : std::pair(first & 0xFFFFU, b);
}

std::optional<core::Finding> RaceReader::race(std::uint32_t pair) const {
  const std::uint32_t base = probe_.findings.pair(pair);
  if (words_[base] == 0) {
    return std::nullopt;
  }
  const spirv::SitePair& sites = x_.proofs.open()[pair];
  const spirv::Site& site = x_.sites.all()[sites.first];
  const Example found = example(pair);
  const auto [a, b] = different(found.first, found.second);
  core::Finding finding;
  finding.hazard = sites.hazard;
  const spirv::SharedCells& variable = x_.sites.variables()[site.variable];
  finding.variable = variable.name;
  finding.index = x_.sites.index_of(site.variable, found.cell * variable.cell_scalars);
  name_element(finding,
               spirv::named_place(x_.program, variable.name, variable.type, finding.index));
  const glm::uvec3 group = numbers_.group(found.group);
  finding.workgroup = {group.x, group.y, group.z};
  finding.same_value = sites.hazard == core::Hazard::write_after_write && words_[base + 1] == 0;
  finding.count = words_[base];
  finding.first = side(sites.first, a);
  finding.second = side(sites.second, b);
  const spirv::Site& other = x_.sites.all()[sites.second];
  finding.between = why_unordered(x_, finding, core::MemoryClass::shared,
                                  {site.block, site.instruction, site.writes},
                                  {other.block, other.instruction, other.writes})
                        .sentence;
  return finding;
}

// By launch order, which their numbers are but for a part of a launch.
std::vector<std::uint32_t> RaceReader::racing_groups() const {
  const std::span<const std::uint32_t> bits = words_.subspan(probe_.findings.groups());
  std::vector<std::uint32_t> racing((core::Box{{}, groups_}.count() + 31) / 32);
  const glm::uvec3 all = groups_;
  for (std::uint64_t number = numbers_.first(); number < numbers_.end(); ++number) {
    if ((bits[number / 32] >> (number % 32) & 1U) != 0) {
      const glm::uvec3 group = numbers_.group(number);
      const std::uint64_t place = group.x + all.x * (group.y + std::uint64_t{all.y} * group.z);
      racing[place / 32] |= 1U << (place % 32);
    }
  }
  return racing;
}

// Sites that stand for one place of the text (an inlined function, an unrolled loop) are one
// finding.
bool same_place(const core::Finding& a, const core::Finding& b) {
  const auto key = [](const core::Finding& f) {
    return std::tuple(f.kind, f.variable, f.hazard, f.first.line, f.first.file, f.first.access,
                      f.second.line, f.second.file, f.second.access, f.line, f.file, f.arithmetic,
                      f.memory, f.defined);
  };
  return key(a) == key(b);
}

}  // namespace

void add_finding(core::CheckReport& report, const core::Finding& finding) {
  const auto known = std::ranges::find_if(
      report.findings, [&](const core::Finding& f) { return same_place(f, finding); });
  if (known == report.findings.end()) {
    report.findings.push_back(finding);
    return;
  }
  // Two indices of one line may be outside in the same invocations.
  const std::uint64_t count = finding.kind == core::FindingKind::out_of_bounds
                                  ? std::max(known->count, finding.count)
                                  : known->count + finding.count;
  if (finding.kind == core::FindingKind::out_of_bounds && finding.severity() < known->severity()) {
    *known = finding;
  }
  known->count = count;
  known->same_value = known->same_value && finding.same_value;
}

void name_element(core::Finding& finding, const std::string& element) {
  finding.element = element == finding.place() ? std::string() : element;
}

void add_race_findings(const spirv::Examination& examination, const spirv::RaceProbe& probe,
                       glm::uvec3 groups, const NumberedGroups& numbers,
                       std::span<const std::uint32_t> words, const CutLoops& cut,
                       core::CheckReport& report) {
  const RaceReader reader(examination, probe, groups, numbers, words);
  bool any = !cut.any();
  const auto behind = [&](std::uint32_t site) {
    return cut.behind(examination.sites.all()[site].block);
  };
  for (std::uint32_t p = 0; p < probe.findings.pairs; ++p) {
    const spirv::SitePair& pair = examination.proofs.open()[p];
    const auto finding = behind(pair.first) || behind(pair.second) ? std::nullopt : reader.race(p);
    if (finding) {
      add_finding(report, *finding);
      any = true;
    }
  }
  if (words[FindingsLayout::same_names] != 0) {
    report.incomplete.emplace_back(
        "this device reports the same subgroup and lane for several invocations of a workgroup, so "
        "races between them were not checked");
  }
  if (words[FindingsLayout::overflowed] != 0) {
    report.incomplete.emplace_back(
        "a phase has more subgroup barriers than the sanitizer can count");
  }
  if (any) {
    report.racing_groups = reader.racing_groups();
  }
}

}  // namespace lab
