#include "spirv/analysis/memory/sites.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spirv/analysis/memory/memory_layout.h"
#include "spirv/reflection/accesses.h"

namespace spirv {
namespace {

std::uint64_t scope_word(const Program& program, const Instruction& atomic) {
  return program.constants.scalar(atomic.word(1)).value_or(0);
}

}  // namespace

Sites::Sites(const Program& program, const Phases& phases) : program_(program), phases_(phases) {
  find_variables();
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    for (std::size_t i = 0; program.flow.reachable(b) && i < program.function.blocks[b].body.size();
         ++i) {
      visit(b, i);
    }
  }
  divide_into_cells();
}

void Sites::find_variables() {
  for (const Instruction& i : program_.module.preamble) {
    if (i.op != spv::Op::OpVariable || program_.storage(i.result) != spv::StorageClass::Workgroup) {
      continue;
    }
    const Id type = program_.definitions.of(i.type).word(1);
    if (program_.definitions.decoration(type, spv::Decoration::Block) != nullptr) {
      const std::uint64_t bytes = program_.types.explicit_bytes(type);
      const std::string name = program_.block_name(i.result);
      const auto known = std::ranges::find(variables_, true, &SharedCells::in_bytes);
      if (known == variables_.end()) {
        variables_.push_back({i.result, name, type, bytes, 1, true});
      } else {
        known->scalars = std::max(known->scalars, bytes);
        known->name += "/" + name;
      }
      continue;
    }
    variables_.push_back({i.result, program_.definitions.name(i.result), type,
                          program_.types.scalars(type), 1, false});
  }
}

void Sites::visit(std::size_t block, std::size_t instruction) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  for (const MemoryAccess& access : memory_accesses(i)) {
    Site site;
    site.reads = access.reads;
    site.writes = access.writes;
    site.atomic = access.atomic;
    site.copy_source = access.copy_source;
    site.narrow = access.atomic && !semantics(scope_word(program_, i), 0).workgroup_scope;
    add(block, instruction, i.word(access.operand), site);
  }
  switch (i.op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
    case spv::Op::OpSelect:
    case spv::Op::OpPhi:
    case spv::Op::OpCopyObject:
      return;
    default:
      break;
  }
  if (!memory_accesses(i).empty()) {
    return;
  }
  // Any other use of a pointer to shared memory.
  for (const Operand& operand : i.operands) {
    const Instruction& pointer =
        program_.definitions.of(program_.definitions.of(operand.is_id ? operand.word : 0).type);
    if (operand.is_id && pointer.op == spv::Op::OpTypePointer &&
        static_cast<spv::StorageClass>(pointer.word(0)) == spv::StorageClass::Workgroup) {
      refuse(i, touches_matrix(i.op)
                    ? "a subgroup loads or stores a cooperative matrix in shared memory; which "
                      "invocation accesses which element is not defined, so it is not checked"
                    : "a pointer to shared memory is used in an unsupported way");
      return;
    }
  }
}

void Sites::refuse(const Instruction& i, const std::string& why) {
  const std::string text = "line " + std::to_string(i.at.line) + ": " + why;
  if (std::ranges::find(problems_, text) == problems_.end()) {
    problems_.push_back(text);
  }
}

void Sites::add(std::size_t block, std::size_t instruction, Id pointer, Site site) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  const Instruction& pointer_type = program_.definitions.of(program_.definitions.of(pointer).type);
  if (static_cast<spv::StorageClass>(pointer_type.word(0)) != spv::StorageClass::Workgroup) {
    return;
  }
  site.block = block;
  site.instruction = instruction;
  site.segment = phases_.segment(block, instruction);
  site.at = i.at;
  site.pointer = pointer;
  site.type = pointer_type.word(1);
  const std::vector<PointerChoice> choices = program_.choices(pointer);
  if (choices.empty()) {
    refuse(i, "an access through a pointer that is selected at run time is not checked");
  }
  for (const PointerChoice& choice : choices) {
    if (!add_choice(choice, site)) {
      refuse(i, "an access of an unsupported type");
      return;
    }
  }
}

bool Sites::add_choice(const PointerChoice& choice, Site site) {
  const Id memory = program_.shared_memory_of(choice.path.variable);
  const auto variable = std::ranges::find(variables_, memory, &SharedCells::variable);
  if (variable == variables_.end()) {
    return false;
  }
  // An index that is worked out on one way only is not there behind where ways meet.
  const bool there = std::ranges::all_of(choice.path.indices, [&](Id index) {
    const std::size_t home = program_.block_of(index);
    return home == ControlFlow::none || program_.flow.dominates(home, site.block);
  });
  const bool chosen_there = std::ranges::all_of(choice.chosen, [&](const auto& c) {
    return program_.flow.dominates(program_.block_of(c.first), site.block);
  });
  site.number = static_cast<std::uint32_t>(sites_.size());
  site.variable = static_cast<std::uint32_t>(variable - variables_.begin());
  site.chosen = choice.chosen;
  if (!there || !chosen_there ||
      !(variable->in_bytes ? place_in_bytes(site, choice.path) : place(site, choice.path))) {
    return false;
  }
  sites_.push_back(std::move(site));
  return true;
}

bool Sites::place_in_bytes(Site& site, const PointerPath& path) {
  constexpr std::uint64_t most = 256;
  const MemoryLayout layout(program_);
  const auto found = layout.place(path, most);
  if (!found) {
    return false;
  }
  site.offset =
      found->offset + (found->member ? layout.member_offset(path.variable, *found->member) : 0);
  for (const PlaceTerm& term : found->terms) {
    site.terms.push_back(
        {term.index, term.stride, term.length, term.operand, path.links[term.operand]});
  }
  site.width = 0;
  for (const PlacedScalar& scalar : found->scalars) {
    if (scalar.offset != site.width) {
      return false;  // with gaps, which others may use
    }
    site.width += (scalar_width(program_.definitions, scalar.type) + 7) / 8;
  }
  return true;
}

bool Sites::place(Site& site, const PointerPath& path) const {
  auto found = scalar_place(program_, variables_[site.variable].type, path.links);
  if (!found) {
    return false;
  }
  site.offset = found->offset;
  site.terms = std::move(found->terms);
  site.width = found->width;
  return true;
}

void Sites::divide_into_cells() {
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    std::uint64_t common = variables_[v].scalars;
    for (const Site& site : sites_) {
      if (site.variable != v) {
        continue;
      }
      common = std::gcd(std::gcd(common, site.width), site.offset);
      for (const IndexTerm& term : site.terms) {
        common = std::gcd(common, term.stride);
      }
    }
    variables_[v].cell_scalars = std::max<std::uint64_t>(common, 1);
  }
}

std::vector<std::uint32_t> Sites::index_of(std::uint32_t variable, std::uint64_t scalar) const {
  if (variables_[variable].in_bytes) {
    return index_of_byte(variables_[variable].type, scalar);
  }
  return index_of_scalar(program_, variables_[variable].type, scalar,
                         variables_[variable].cell_scalars);
}

// As the first of the blocks has it.
std::vector<std::uint32_t> Sites::index_of_byte(Id type, std::uint64_t byte) const {
  std::vector<std::uint32_t> index;
  for (int depth = 0; depth < 32 && !program_.types.is_scalar(type); ++depth) {
    if (program_.types.is_struct(type)) {
      std::uint32_t member = 0;
      std::uint64_t start = 0;
      for (std::uint32_t m = 0; m < program_.types.length(type); ++m) {
        const Instruction* offset =
            program_.definitions.decoration(type, m, spv::Decoration::Offset);
        if (offset != nullptr && offset->word(3) <= byte) {
          member = m;
          start = offset->word(3);
        }
      }
      byte -= start;
      type = program_.types.element(type, member);
      if (depth > 0) {
        index.push_back(member);
      }
      continue;
    }
    const Instruction* decorated =
        program_.definitions.decoration(type, spv::Decoration::ArrayStride);
    const Id element = program_.types.element(type);
    const std::uint64_t stride =
        decorated != nullptr ? decorated->word(2) : program_.types.bytes(element);
    if (stride == 0) {
      break;
    }
    index.push_back(static_cast<std::uint32_t>(byte / stride));
    byte %= stride;
    type = element;
  }
  return index;
}

bool hazardous(const Site& a, const Site& b) {
  const bool atomic = a.atomic && b.atomic && !a.narrow && !b.narrow;
  return a.variable == b.variable && (a.writes || b.writes) && !atomic;
}

}  // namespace spirv
