#include "spirv/analysis/sites.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace spirv {

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
      problems_.push_back("shared block " + program_.definitions.name(i.result) +
                          ": its members may share bytes with another block's, which is not "
                          "followed");
      continue;
    }
    variables_.push_back(
        {i.result, program_.definitions.name(i.result), type, program_.types.scalars(type), 1});
  }
}

void Sites::visit(std::size_t block, std::size_t instruction) {
  const Instruction& i = program_.function.blocks[block].body[instruction];
  Site site;
  switch (i.op) {
    case spv::Op::OpLoad:
      site.reads = true;
      add(block, instruction, i.word(0), site);
      return;
    case spv::Op::OpStore:
      site.writes = true;
      add(block, instruction, i.word(0), site);
      return;
    case spv::Op::OpCopyMemory: {
      site.reads = site.copy_source = true;
      add(block, instruction, i.word(1), site);
      Site to;
      to.writes = true;
      add(block, instruction, i.word(0), to);
      return;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
      return;
    default:
      break;
  }
  if (is_atomic(i.op)) {
    site.atomic = true;
    site.reads = i.op != spv::Op::OpAtomicStore;
    site.writes = i.op != spv::Op::OpAtomicLoad;
    add(block, instruction, i.word(0), site);
    return;
  }
  // Any other use of a pointer to shared memory.
  for (const Operand& operand : i.operands) {
    const Instruction& pointer =
        program_.definitions.of(program_.definitions.of(operand.is_id ? operand.word : 0).type);
    if (operand.is_id && pointer.op == spv::Op::OpTypePointer &&
        static_cast<spv::StorageClass>(pointer.word(0)) == spv::StorageClass::Workgroup) {
      const bool together =
          i.op == spv::Op::OpCooperativeMatrixLoadNV || i.op == spv::Op::OpCooperativeMatrixStoreNV;
      refuse(i, together ? "a cooperative matrix is loaded or stored by a whole subgroup: which "
                           "invocation touches which cell is not defined, and not followed"
                         : "a pointer to shared memory is used in a way that is not followed");
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
  const PointerPath path = program_.path(pointer);
  const auto variable = std::ranges::find(variables_, path.variable, &SharedCells::variable);
  if (variable == variables_.end()) {
    if (path.variable == 0) {
      refuse(i, "an access through a pointer that is chosen when the kernel runs is not followed");
    }
    return;
  }
  site.number = static_cast<std::uint32_t>(sites_.size());
  site.block = block;
  site.instruction = instruction;
  site.segment = phases_.segment(block, instruction);
  site.at = i.at;
  site.variable = static_cast<std::uint32_t>(variable - variables_.begin());
  site.pointer = pointer;
  site.type = pointer_type.word(1);
  if (!place(site, path)) {
    refuse(i, "an access of a type that is not understood");
    return;
  }
  sites_.push_back(std::move(site));
}

bool Sites::place(Site& site, const PointerPath& path) {
  Id type = variables_[site.variable].type;
  for (std::uint32_t k = 0; k < path.indices.size(); ++k) {
    const Id index = path.indices[k];
    const auto known = program_.constants.scalar(index);
    if (program_.types.is_struct(type)) {
      if (!known) {
        return false;
      }
      for (std::uint32_t m = 0; m < *known; ++m) {
        site.offset += program_.types.scalars(program_.types.element(type, m));
      }
      type = program_.types.element(type, static_cast<std::uint32_t>(*known));
      continue;
    }
    const std::uint64_t length = program_.types.length(type);
    type = program_.types.element(type);
    const std::uint64_t stride = program_.types.scalars(type);
    if (known && *known < length) {
      site.offset += *known * stride;
    } else {
      site.terms.push_back({index, stride, length, k});
    }
  }
  site.width = program_.types.scalars(type);
  return site.width > 0;
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
  std::vector<std::uint32_t> index;
  Id type = variables_[variable].type;
  const std::uint64_t cell = variables_[variable].cell_scalars;
  while (!program_.types.is_scalar(type) && program_.types.scalars(type) > 0) {
    // Below the size of a cell there is nothing to tell apart.
    if (program_.types.scalars(type) <= cell && scalar == 0 && cell > 1) {
      break;
    }
    std::uint32_t member = 0;
    if (program_.types.is_struct(type)) {
      for (std::uint64_t size;
           (size = program_.types.scalars(program_.types.element(type, member))) <= scalar;
           ++member) {
        scalar -= size;
      }
      type = program_.types.element(type, member);
    } else {
      type = program_.types.element(type);
      const std::uint64_t stride = program_.types.scalars(type);
      member = static_cast<std::uint32_t>(scalar / stride);
      scalar %= stride;
    }
    index.push_back(member);
  }
  return index;
}

bool hazardous(const Site& a, const Site& b) {
  return a.variable == b.variable && (a.writes || b.writes) && !(a.atomic && b.atomic);
}

}  // namespace spirv
