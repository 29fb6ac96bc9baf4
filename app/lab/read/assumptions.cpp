#include "lab/read/assumptions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "spirv/reflection/barriers.h"

namespace lab {
namespace {

// The elements that a block's runtime array has in so many bytes; 0 if it has no such array.
std::uint64_t runtime_length(const spirv::Binding& b, std::uint64_t bytes) {
  return b.runtime_stride == 0 || bytes < b.bytes ? 0 : (bytes - b.bytes) / b.runtime_stride;
}

// A member is set as a whole, so that one is the start of the other.
bool same_member(const spirv::MemberPath& a, const spirv::MemberPath& b) {
  const std::size_t common = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin());
}

constexpr std::int64_t kMostBytes = std::int64_t{1} << 31U;  // of a buffer
constexpr std::int64_t kMostTexels = 1 << 16;                // of an image in a direction
constexpr std::int64_t kMostDescriptors = 1 << 20;

std::string name_of(const spirv::BlockMember& member) {
  return member.name.empty() ? "the values of its members" : member.name;
}

}  // namespace

std::string shown_name(const spirv::Binding& b) {
  return !b.runtime_name.empty() && !b.runtime_name.starts_with('@') ? b.runtime_name
         : !b.name.empty()                                           ? b.name
                                                                     : "a buffer";
}

namespace {

const spirv::Binding* binding_of(const spirv::Examination& x, spirv::Id variable) {
  const auto& all = x.program.interface.bindings;
  const auto found = std::ranges::find(all, variable, &spirv::Binding::variable);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

bool fits_some_buffer(std::int64_t index, std::uint64_t stride) {
  return index >= 0 &&
         static_cast<std::uint64_t>(index) < kMostBytes / std::max<std::uint64_t>(stride, 1);
}

Assumptions::Assumptions(const spirv::Examination& examination, const core::Dispatch& dispatch)
    : x_(examination), dispatch_(dispatch), origins_(examination.program.module) {}

// An index that no length allows, as one below 0 of a kernel that counts without a sign, is wrong
// whatever the length is.
bool Assumptions::exceeds_chosen_length(const spirv::CheckedIndex& index,
                                        std::int64_t outside) const {
  const spirv::Binding* b = binding_of(x_, index.array);
  if (b == nullptr || outside < 0 || !dispatch_.chosen.lengths.contains(b->binding)) {
    return false;
  }
  const core::Resource& resource = dispatch_.resources[b->binding];
  if (index.extent.empty() && b->descriptors == 0) {
    return outside < kMostDescriptors;
  }
  if (!index.extent.empty() && resource.has_texels()) {
    const bool face = resource.image.dimensions == core::ImageDimensions::cube &&
                      !resource.image.arrayed && index.coordinate == 2;
    return !face && (resource.is_image() ? outside < kMostTexels : outside < kMostBytes);
  }
  return runtime_length(*b, resource.bytes) == index.length &&
         fits_some_buffer(outside, b->runtime_stride);
}

const spirv::BlockMember* Assumptions::member(spirv::Id variable,
                                              const spirv::MemberPath& path) const {
  const spirv::Binding* b = binding_of(x_, variable);
  const auto& members = b != nullptr ? b->members : x_.program.interface.push_constants;
  const auto found = std::ranges::find_if(members, [&](const spirv::BlockMember& m) {
    return same_member(m.path, path) && dispatch_.chosen.members.contains(m.name);
  });
  // A counter begins at 0, the least that it can begin at.
  return found == members.end() || found->counts ? nullptr : &*found;
}

void Assumptions::add_sources(const spirv::ValueSources& sources,
                              std::vector<std::string>& why) const {
  std::set<std::string> names;
  for (const auto& [variable, path] : sources.members) {
    if (const spirv::BlockMember* chosen = member(variable, path)) {
      names.insert(name_of(*chosen));
    }
  }
  for (const spirv::Id variable : sources.contents) {
    const spirv::Binding* b = binding_of(x_, variable);
    const bool counters =
        b != nullptr && b->touches.plain.empty() && !b->touches.synchronized.empty();
    if (b != nullptr && !counters && dispatch_.chosen.contents.contains(b->binding)) {
      names.insert("the contents of " + (b->name.empty() ? std::string("a buffer") : b->name));
    }
  }
  why.insert(why.end(), names.begin(), names.end());
}

std::vector<std::string> Assumptions::of(const spirv::CheckedIndex& index,
                                         const core::Finding& finding) const {
  std::vector<std::string> why;
  spirv::ValueSources sources = origins_.of(index.index);
  const spirv::Binding* array = binding_of(x_, index.array);
  const bool implied = array != nullptr && dispatch_.chosen.implied.contains(array->binding);
  if (implied) {
    sources.members.clear();  // the length follows from the same members
  }
  const bool length = !sources.length && exceeds_chosen_length(index, finding.outside);
  if (length) {
    why.push_back("the length of " +
                  (finding.variable.empty() ? std::string("a buffer") : finding.variable));
  }
  add_sources(sources, why);
  const bool of_groups =
      sources.atomic || (sources.workgroup && finding.workgroup != std::array<std::uint32_t, 3>{});
  if (!length && !implied && dispatch_.chosen.groups && of_groups &&
      finding.memory == core::Memory::buffer) {
    why.emplace_back("the number of workgroups");
  }
  if (const auto other = other_subgroups();
      other && depends_on_subgroups({index.index}, index.blocks)) {
    why.push_back(other->why);
  }
  return why;
}

std::set<std::string> Assumptions::contents_placing(const core::Finding& race) const {
  std::vector<spirv::Id> places;
  for (const core::RaceSide* side : {&race.first, &race.second}) {
    for (const auto& [block, instruction] : accesses(race, *side)) {
      std::ranges::copy(spirv::place_values(x_.program.definitions,
                                            x_.program.function.blocks[block].body[instruction]),
                        std::back_inserter(places));
    }
  }
  std::set<std::string> names;
  for (const spirv::Id variable : origins_.of(places).contents) {
    const spirv::Binding* b = binding_of(x_, variable);
    if (b != nullptr && dispatch_.chosen.contents.contains(b->binding)) {
      names.insert(shown_name(*b));
    }
  }
  return names;
}

std::vector<spirv::AccessPlace> Assumptions::accesses(const core::Finding& race,
                                                      const core::RaceSide& side) const {
  std::vector<spirv::AccessPlace> found;
  const auto add = [&](const auto& site, const std::string& name) {
    if (name == race.variable && site.at.line == side.line &&
        x_.program.file(site.at) == side.file &&
        site.writes == (side.access != core::Access::read)) {
      found.emplace_back(site.block, site.instruction);
    }
  };
  for (const spirv::Site& site : x_.sites.all()) {
    add(site, x_.sites.variables()[site.variable].name);
  }
  for (const spirv::BufferSite& site : x_.buffers.all()) {
    add(site, x_.buffers.name_of(site));
  }
  return found;
}

std::set<std::string> Assumptions::placed_by(const core::Finding& race,
                                             const core::RaceSide& side) const {
  std::vector<spirv::Id> places;
  for (const auto& [block, instruction] : accesses(race, side)) {
    std::ranges::copy(spirv::place_values(x_.program.definitions,
                                          x_.program.function.blocks[block].body[instruction]),
                      std::back_inserter(places));
  }
  std::set<std::string> names;
  for (const auto& [variable, path] : origins_.of(places).members) {
    const spirv::BlockMember* chosen = member(variable, path);
    if (chosen != nullptr && chosen->extent.of == spirv::LaunchExtent::Of::nothing) {
      names.insert(name_of(*chosen));
    }
  }
  return names;
}

std::optional<Assumptions::OtherSubgroups> Assumptions::other_subgroups() const {
  const std::string& constant = dispatch_.chosen.subgroup_constant;
  const std::size_t space = constant.rfind(' ');
  const bool uses =
      std::ranges::any_of(x_.program.module.preamble, [](const spirv::Instruction& i) {
        return i.op == spv::Op::OpCapability &&
               i.word(0) == static_cast<std::uint32_t>(spv::Capability::GroupNonUniform);
      });
  if (space == std::string::npos || !uses) {
    return std::nullopt;
  }
  const std::uint64_t lanes = std::max(std::stoull(constant.substr(space)), 1ULL);
  return OtherSubgroups{fmt::format("a device whose subgroups have {} invocations ({} is {})",
                                    x_.program.launch.subgroup, constant.substr(0, space), lanes),
                        lanes};
}

bool Assumptions::depends_on_subgroups(std::vector<spirv::Id> values,
                                       std::vector<std::size_t> blocks) const {
  std::set<std::size_t> seen;
  while (!blocks.empty()) {
    const std::size_t b = blocks.back();
    blocks.pop_back();
    for (const std::size_t branch : x_.program.flow.controllers(b)) {
      if (seen.insert(branch).second) {
        values.push_back(x_.program.function.blocks[branch].terminator().word(0));
        blocks.push_back(branch);
      }
    }
  }
  return origins_.of(std::move(values), spirv::ValueOrigins::Follow::choices).subgroup;
}

// A subgroup orders its own invocations by barriers, and by values that pass through its
// operations.
bool Assumptions::depends_on_subgroups(const core::Finding& race) const {
  const auto& blocks = x_.program.function.blocks;
  const bool barrier = std::ranges::any_of(blocks, [this](const spirv::Block& block) {
    return std::ranges::any_of(block.body, [this](const spirv::Instruction& i) {
      return spirv::orders_subgroup(x_.program.constants, i);
    });
  });
  std::vector<spirv::Id> values;
  std::vector<std::size_t> places;
  for (const core::RaceSide* side : {&race.first, &race.second}) {
    for (const auto& [block, instruction] : accesses(race, *side)) {
      const spirv::Instruction& i = blocks[block].body[instruction];
      std::ranges::copy(spirv::place_values(x_.program.definitions, i), std::back_inserter(values));
      if (i.op == spv::Op::OpStore) {
        values.push_back(i.word(1));
      }
      places.push_back(block);
    }
  }
  return barrier || places.empty() || depends_on_subgroups(std::move(values), std::move(places));
}

std::string Assumptions::of_subgroups(const core::Finding& finding) const {
  const auto other = other_subgroups();
  if (!other) {
    return {};
  }
  if (finding.kind == core::FindingKind::uninitialized) {
    return finding.memory == core::Memory::shared ? other->why : std::string();
  }
  const auto& size = x_.program.interface.local_size;
  const auto subgroup = [&](const core::RaceSide& side) {
    const auto& at = side.invocation;
    return (at[0] + std::uint64_t{size[0]} * (at[1] + std::uint64_t{size[1]} * at[2])) /
           other->lanes;
  };
  const bool together = finding.kind == core::FindingKind::race &&
                        finding.first.workgroup == finding.second.workgroup &&
                        subgroup(finding.first) == subgroup(finding.second);
  return together && depends_on_subgroups(finding) ? other->why : std::string();
}

std::vector<std::string> Assumptions::of_race(const core::Finding& race) const {
  if (dispatch_.chosen.members.empty() || race.first.line == 0) {
    return {};
  }
  std::vector<std::string> different;
  std::ranges::set_symmetric_difference(placed_by(race, race.first), placed_by(race, race.second),
                                        std::back_inserter(different));
  return different;
}

void mark_assumed(const spirv::Examination& examination, const core::Dispatch& dispatch,
                  core::CheckReport& report) {
  std::optional<Assumptions> assumptions;
  for (core::Finding& f : report.findings) {
    const bool race = f.kind == core::FindingKind::race;
    const bool members = race && !dispatch.chosen.members.empty();
    const bool subgroups = (race || f.kind == core::FindingKind::uninitialized) &&
                           !dispatch.chosen.subgroup_constant.empty();
    if ((members || subgroups) && !assumptions) {
      assumptions.emplace(examination, dispatch);
    }
    if (members) {
      f.chosen = assumptions->of_race(f);
    }
    if (subgroups) {
      if (const std::string why = assumptions->of_subgroups(f); !why.empty()) {
        f.chosen.push_back(why);
      }
    }
  }
}

namespace {

// The findings that follow from an index out of bounds.
class Consequences {
 public:
  Consequences(const spirv::Examination& x, const core::CheckReport& report)
      : x_(x), origins_(x.program.module), report_(report) {}

  /// Fills causes_. For each finding, the number of the finding that it follows from.
  std::vector<std::optional<std::size_t>> find() {
    for (std::size_t n = 0; n < report_.findings.size(); ++n) {
      const core::Finding& f = report_.findings[n];
      if (f.kind == core::FindingKind::out_of_bounds && !f.defined) {
        causes_.push_back(n);
      }
    }
    std::vector<std::optional<std::size_t>> all;
    for (const core::Finding& f : report_.findings) {
      all.push_back(cause_of(f));
    }
    return all;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> cause_of(const core::Finding& f) const {
    if (f.kind != core::FindingKind::race && f.kind != core::FindingKind::uninitialized) {
      return std::nullopt;
    }
    for (const std::size_t n : causes_) {
      const core::Finding& cause = report_.findings[n];
      const bool race = f.kind == core::FindingKind::race;
      if (race ? follows(cause, f, f.first.line, f.first.file) ||
                     follows(cause, f, f.second.line, f.second.file)
               : follows(cause, f, f.line, f.file)) {
        return n;
      }
    }
    return std::nullopt;
  }

  // At a line: an access to the array itself, or one whose place depends on what is in it.
  [[nodiscard]] bool follows(const core::Finding& cause, const core::Finding& f, std::uint32_t line,
                             const std::string& file) const {
    if (line == cause.line && file == cause.file && f.variable == cause.variable) {
      return in_last(cause, f);
    }
    const auto at = [&](const auto& site) {
      return site.at.line == line && x_.program.file(site.at) == file;
    };
    const auto depends = [&](const auto& site) {
      std::vector<spirv::Id> indices;
      for (const auto& term : site.terms) {
        indices.push_back(term.index);
      }
      const spirv::ValueSources sources = origins_.of(indices);
      const auto named = [&](spirv::Id id) {
        return x_.program.definitions.name(id) == cause.variable && !cause.variable.empty();
      };
      return std::ranges::any_of(sources.variables, named) ||
             std::ranges::any_of(sources.contents, named);
    };
    return std::ranges::any_of(x_.sites.all(),
                               [&](const auto& site) { return at(site) && depends(site); }) ||
           std::ranges::any_of(x_.buffers.all(),
                               [&](const auto& site) { return at(site) && depends(site); });
  }

  // The check replaces an index outside by the last one.
  [[nodiscard]] static bool in_last(const core::Finding& cause, const core::Finding& f) {
    const auto last = [&](std::uint32_t index) { return index + std::uint64_t{1} == cause.limit; };
    return f.index.empty() || std::ranges::any_of(f.index, last) ||
           (f.descriptor && last(*f.descriptor));
  }

  const spirv::Examination& x_;
  spirv::ValueOrigins origins_;
  const core::CheckReport& report_;
  std::vector<std::size_t> causes_;
};

}  // namespace

std::vector<std::optional<std::size_t>> causes_of(const spirv::Examination& examination,
                                                  const core::CheckReport& report) {
  return Consequences(examination, report).find();
}

void fold_consequences(const spirv::Examination& examination, core::CheckReport& report) {
  const auto causes = causes_of(examination, report);
  std::vector<core::Finding> kept;
  for (std::size_t n = 0; n < causes.size(); ++n) {
    if (causes[n]) {
      report.findings[*causes[n]].consequences.push_back(std::move(report.findings[n]));
    }
  }
  for (std::size_t n = 0; n < causes.size(); ++n) {
    if (!causes[n]) {
      kept.push_back(std::move(report.findings[n]));
    }
  }
  report.findings = std::move(kept);
}

}  // namespace lab
