#include "lab/read/told_findings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "lab/read/assumptions.h"
#include "lab/read/race_findings.h"

namespace lab {
namespace {

core::Memory memory_of(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::Workgroup:
      return core::Memory::shared;
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::PhysicalStorageBuffer:
      return core::Memory::buffer;
    case spv::StorageClass::Image:
      return core::Memory::image;
    case spv::StorageClass::PushConstant:
      return core::Memory::push_constants;
    default:
      return core::Memory::local;
  }
}

// What invocations reported at one place: their number; and of one of them the reported word, its
// index in its workgroup, and the workgroup's position.
using Told = std::array<std::uint32_t, spirv::FindingsLayout::example_words>;

class ToldReader {
 public:
  ToldReader(const spirv::Examination& examination, const spirv::RaceProbe& probe,
             const NumberedGroups& numbers, std::span<const std::uint32_t> words,
             const CutLoops& cut)
      : x_(examination), probe_(probe), numbers_(numbers), words_(words), cut_(cut) {}

  void add_indices(const core::Dispatch& dispatch, core::CheckReport& report) const;
  void add_reads(core::CheckReport& report) const;
  void add_operations(core::CheckReport& report) const;
  void add_undefined(core::CheckReport& report) const;
  [[nodiscard]] bool is_whole(const spirv::CheckedUses& uses, std::uint32_t scalars,
                              std::uint32_t source) const;
  void add_addresses(const core::Dispatch& dispatch, core::CheckReport& report) const;

 private:
  // Empty if no invocation reported it, or if one of its blocks is behind a loop that was cut
  // short.
  [[nodiscard]] std::optional<Told> told(std::size_t number,
                                         std::span<const std::size_t> blocks) const;
  [[nodiscard]] core::Finding found(core::FindingKind kind, const Told& told,
                                    const spirv::SourceLine& at) const;
  [[nodiscard]] std::string stride_note(const core::Dispatch& dispatch,
                                        const spirv::CheckedIndex& index) const;

  const spirv::Examination& x_;
  const spirv::RaceProbe& probe_;
  const NumberedGroups& numbers_;
  std::span<const std::uint32_t> words_;
  const CutLoops& cut_;
};

// An example of the launch's first workgroup comes first: it is in every launch, and holds for any
// number of workgroups.
std::optional<Told> ToldReader::told(std::size_t number,
                                     std::span<const std::size_t> blocks) const {
  const std::uint32_t* words = &words_[probe_.findings.tell(static_cast<std::uint32_t>(number))];
  if (words[0] == 0 || std::ranges::any_of(blocks, [&](auto b) { return cut_.behind(b); })) {
    return std::nullopt;
  }
  const std::uint32_t* own = words + spirv::FindingsLayout::example_words;
  const std::uint32_t* example = own[0] != 0 ? own : words;
  return Told{words[0], example[1], example[2], example[3]};
}

core::Finding ToldReader::found(core::FindingKind kind, const Told& told,
                                const spirv::SourceLine& at) const {
  core::Finding finding;
  finding.kind = kind;
  finding.line = at.line;
  finding.file = x_.program.file(at);
  finding.count = told[0];
  const auto& size = x_.program.interface.local_size;
  finding.first.invocation = {told[2] % size[0], told[2] / size[0] % size[1],
                              told[2] / size[0] / size[1]};
  const glm::uvec3 group = numbers_.group(told[3]);
  finding.workgroup = {group.x, group.y, group.z};
  return finding;
}

// An array of vec3 has elements of 16 bytes: the bytes that were given may be those of tight ones.
std::string ToldReader::stride_note(const core::Dispatch& dispatch,
                                    const spirv::CheckedIndex& index) const {
  const auto& all = x_.program.interface.bindings;
  const auto b = std::ranges::find(all, index.array, &spirv::Binding::variable);
  if (b == all.end() || b->runtime_stride != 16 || !b->runtime_type.ends_with("vec3") ||
      dispatch.chosen.lengths.contains(b->binding)) {
    return {};
  }
  const std::uint64_t bytes = dispatch.resources[b->binding].bytes - b->bytes;
  return bytes % 12 != 0 || bytes / 16 != index.length
             ? std::string()
             : fmt::format(
                   "an array of {} has a stride of 16 bytes: {} bytes are {} elements, not {}",
                   b->runtime_type, bytes, bytes / 16, bytes / 12);
}

void ToldReader::add_indices(const core::Dispatch& dispatch, core::CheckReport& report) const {
  std::optional<Assumptions> assumptions;
  for (std::size_t n = 0; n < probe_.indices.size(); ++n) {
    const spirv::CheckedIndex& index = probe_.indices[n];
    if (const auto words = told(n, index.blocks)) {
      core::Finding finding = found(core::FindingKind::out_of_bounds, *words, index.at);
      finding.memory = memory_of(index.storage);
      finding.variable = index.variable;
      finding.limit = index.length;
      finding.coordinate = index.coordinate;
      finding.extent = index.extent;
      finding.outside = spirv::number_of(index, (*words)[1]);
      finding.defined = index.reads_texel;
      finding.stride_note = stride_note(dispatch, index);
      if (!assumptions) {
        assumptions.emplace(x_, dispatch);
      }
      finding.chosen = assumptions->of(index, finding);
      add_finding(report, finding);
    }
  }
}

void ToldReader::add_reads(core::CheckReport& report) const {
  for (std::size_t n = 0; n < probe_.reads.size(); ++n) {
    const spirv::CheckedRead& read = probe_.reads[n];
    if (const auto words = told(probe_.indices.size() + n, {&read.block, 1})) {
      const spirv::FollowedVariable& variable = probe_.initialization->variables()[read.variable];
      core::Finding finding = found(core::FindingKind::uninitialized, *words, read.at);
      finding.memory = variable.shared ? core::Memory::shared : core::Memory::local;
      finding.variable = variable.name;
      finding.index =
          probe_.initialization->index_of(read.variable, (*words)[1] - 1 - variable.first_bit);
      name_element(finding,
                   spirv::named_place(x_.program, variable.name, variable.type, finding.index));
      add_finding(report, finding);
    }
  }
}

void ToldReader::add_operations(core::CheckReport& report) const {
  using Kind = spirv::CheckedOperation::Kind;
  for (std::size_t n = 0; n < probe_.operations.size(); ++n) {
    const spirv::CheckedOperation& operation = probe_.operations[n];
    const auto words =
        told(probe_.indices.size() + probe_.reads.size() + n, {&operation.place.first, 1});
    if (!words) {
      continue;
    }
    core::Finding finding = found(core::FindingKind::arithmetic, *words, operation.at);
    finding.variable = operation.variable;
    const bool infinite = ((*words)[1] & 0x007FFFFFU) == 0;
    finding.arithmetic = operation.kind == Kind::division ? core::Arithmetic::division_by_zero
                         : operation.kind == Kind::shift  ? core::Arithmetic::shift_past_width
                         : infinite                       ? core::Arithmetic::infinity
                                                          : core::Arithmetic::not_a_number;
    if (operation.kind == Kind::shift) {
      finding.outside = (*words)[1];
      finding.limit = operation.bits;
    }
    add_finding(report, finding);
  }
}

// Returns true if all scalars of the source were undefined.
bool ToldReader::is_whole(const spirv::CheckedUses& uses, std::uint32_t scalars,
                          std::uint32_t source) const {
  std::set<std::uint32_t> undefined;
  for (std::size_t bit = 0; bit < uses.parts.size(); ++bit) {
    for (const spirv::UndefinedPart& part : uses.parts[bit]) {
      if (((scalars >> bit) & 1U) != 0 && part.source == source) {
        undefined.insert(part.scalar);
      }
    }
  }
  return undefined.size() == probe_.undefined->scalars(probe_.undefined->sources()[source].value);
}

// Several uses of a value are one finding: the operation that reads it first.
void ToldReader::add_undefined(core::CheckReport& report) const {
  const std::size_t first = probe_.indices.size() + probe_.reads.size() + probe_.operations.size();
  std::vector<core::Finding> all;
  for (std::size_t n = 0; n < probe_.undefined_uses.size(); ++n) {
    const spirv::CheckedUses& uses = probe_.undefined_uses[n];
    const auto words = told(first + n, uses.blocks);
    if (!words) {
      continue;
    }
    const auto bit = static_cast<std::size_t>(std::countr_zero((*words)[1]));
    const spirv::UndefinedPart& part = uses.parts[bit].front();
    const spirv::UndefinedSource& source = probe_.undefined->sources()[part.source];
    const auto& [block, instruction] = *part.reader;
    const spirv::SourceLine& at = x_.program.function.blocks[block].body[instruction].at;
    const bool lane = source.variable.empty();
    core::Finding finding = found(
        lane ? core::FindingKind::inactive_lane : core::FindingKind::uninitialized, *words, at);
    finding.memory = core::Memory::local;
    finding.variable = lane ? source.operation : source.variable;
    if (uses.at.front().line != at.line) {
      finding.second.line = uses.at.front().line;
      finding.second.file = x_.program.file(uses.at.front());
    }
    if (!lane && !is_whole(uses, (*words)[1], part.source)) {
      finding.index = probe_.undefined->index_of(part);
      const spirv::Id type = x_.program.definitions.of(source.value).type;
      name_element(finding, spirv::named_place(x_.program, source.variable, type, finding.index));
    }
    const auto known = std::ranges::find_if(all, [&](const core::Finding& other) {
      return other.kind == finding.kind && other.line == finding.line &&
             other.file == finding.file && other.variable == finding.variable;
    });
    if (known == all.end()) {
      all.push_back(std::move(finding));
    } else {
      known->count = std::max(known->count, finding.count);
    }
  }
  for (const core::Finding& finding : all) {
    add_finding(report, finding);
  }
}

// An address that leads to no memory that was given is no fault of the kernel's that is known of.
void ToldReader::add_addresses(const core::Dispatch& dispatch, core::CheckReport& report) const {
  const std::size_t first = probe_.findings.told - probe_.addresses.size();
  for (std::size_t n = 0; n < probe_.addresses.size(); ++n) {
    const spirv::CheckedAddress& address = probe_.addresses[n];
    const auto words = told(first + n, {&address.block, 1});
    if (!words) {
      continue;
    }
    // An address that leads nowhere says nothing about alignment.
    const bool astray = std::ranges::any_of(probe_.addresses, [&](const auto& other) {
      const auto number = static_cast<std::size_t>(&other - probe_.addresses.data());
      return other.alignment == 0 && !other.buffer && other.at == address.at &&
             told(first + number, {&other.block, 1});
    });
    if (address.alignment != 0 && astray) {
      continue;
    }
    if (address.alignment != 0) {
      core::Finding finding = found(core::FindingKind::misaligned, *words, address.at);
      finding.memory = core::Memory::buffer;
      finding.variable = address.member.empty() ? "the memory" : address.member;
      finding.limit = address.alignment;
      finding.outside = (*words)[1];
      add_finding(report, finding);
      continue;
    }
    core::Finding finding = found(core::FindingKind::out_of_bounds, *words, address.at);
    if (!address.buffer) {
      report.incomplete.push_back(fmt::format(
          "line {}: {}{} through an address outside all buffers, in {} invocation{}; give buffer "
          "references memory with --buffer",
          address.at.line, address.member.empty() ? "memory" : address.member,
          address.writes ? " is written" : " is read", (*words)[0], (*words)[0] == 1 ? "" : "s"));
      continue;
    }
    const std::string& memory = x_.program.launch.buffers[*address.buffer].name;
    finding.memory = core::Memory::buffer;
    finding.variable = address.member.empty() ? memory : memory + "." + address.member;
    if (!address.length) {
      finding.variable = "the bytes of " + finding.variable;
    }
    finding.limit = address.length.value_or(address.bytes);
    finding.outside = spirv::number_of(address, (*words)[1]);
    const std::uint64_t stride = address.bytes / std::max<std::uint64_t>(finding.limit, 1);
    if (fits_some_buffer(finding.outside, stride) &&
        dispatch.chosen.lengths.contains(*address.buffer)) {
      finding.chosen = {"the length of " + memory};
    }
    add_finding(report, finding);
  }
}

}  // namespace

void add_told_findings(const spirv::Examination& examination, const core::Dispatch& dispatch,
                       const spirv::RaceProbe& probe, const NumberedGroups& numbers,
                       std::span<const std::uint32_t> words, const CutLoops& cut,
                       core::CheckReport& report) {
  const ToldReader reader(examination, probe, numbers, words, cut);
  reader.add_indices(dispatch, report);
  reader.add_reads(report);
  reader.add_operations(report);
  reader.add_undefined(report);
  reader.add_addresses(dispatch, report);
}

}  // namespace lab
