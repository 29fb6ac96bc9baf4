#include "lab/read/run_limits.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spirv/reflection/accesses.h"
#include "spirv/reflection/value_sources.h"

namespace lab {
namespace {

// "line 7", "lines 7, 9"; empty if the module has no lines.
std::string numbered(std::vector<std::uint32_t> lines) {
  std::erase(lines, 0U);
  std::ranges::sort(lines);
  const auto same = std::ranges::unique(lines);
  lines.erase(same.begin(), same.end());
  return lines.empty()
             ? std::string()
             : fmt::format("line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

// Whether it writes memory that the launch leaves behind.
bool writes_result(const spirv::Program& program, const spirv::Instruction& i) {
  if (i.op == spv::Op::OpImageWrite) {
    return true;
  }
  const auto kept = [&](spirv::Id pointer) {
    const spirv::Instruction& type = program.definitions.of(program.definitions.of(pointer).type);
    switch (static_cast<spv::StorageClass>(type.word(0))) {
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::Image:
        return true;
      default:
        return false;
    }
  };
  if (i.op == spv::Op::OpCooperativeMatrixStoreNV) {
    return kept(i.word(0));
  }
  return std::ranges::any_of(spirv::memory_accesses(i), [&](const spirv::MemoryAccess& access) {
    return access.writes && kept(i.word(access.operand));
  });
}

// What is decided by values: the way of a branch, the place of a read. Empty for others.
std::vector<spirv::Id> deciding_values(const spirv::Program& program, const spirv::Instruction& i) {
  if (i.op == spv::Op::OpBranchConditional || i.op == spv::Op::OpSwitch) {
    return {i.word(0)};
  }
  const bool reads = i.op == spv::Op::OpLoad || i.op == spv::Op::OpCopyMemory ||
                     i.op == spv::Op::OpImageRead || i.op == spv::Op::OpImageFetch;
  return reads ? spirv::place_values(program.definitions, i) : std::vector<spirv::Id>();
}

// Adds the specialization constants that a value is computed from; false if it depends on more than
// constants.
bool constants_of(const spirv::Definitions& definitions, spirv::Id value, std::set<spirv::Id>& seen,
                  std::set<spirv::Id>& constants) {
  if (!seen.insert(value).second) {
    return true;
  }
  const spirv::Instruction& i = definitions.of(value);
  switch (i.op) {
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse:
      constants.insert(value);
      return true;
    case spv::Op::OpConstant:
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse:
    case spv::Op::OpConstantNull:
      return true;
    case spv::Op::OpNop:
    case spv::Op::OpLoad:
    case spv::Op::OpPhi:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpFunctionParameter:
      return false;
    default:
      break;
  }
  std::size_t ids = 0;
  for (const spirv::Operand& operand : i.operands) {
    if (operand.is_id) {
      ++ids;
      if (!constants_of(definitions, operand.word, seen, constants)) {
        return false;
      }
    }
  }
  return ids > 0;
}

bool all_proven(const core::CheckReport& r) {
  return r.accesses_proven == r.accesses && r.buffers_proven == r.buffer_accesses &&
         r.images_proven == r.image_accesses && r.indices_checked == 0 && r.reads_checked.empty() &&
         r.findings.empty() && r.converged.empty();
}

}  // namespace

void add_no_store(const spirv::Examination& examination, const spirv::Coverage& coverage,
                  const std::vector<std::uint32_t>& marks, core::CheckReport& report) {
  const spirv::Program& program = examination.program;
  std::vector<std::uint32_t> lines;
  bool stores = false;
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    for (const spirv::Instruction& i : program.function.blocks[b].body) {
      if (!program.flow.reachable(b) || !writes_result(program, i)) {
        continue;
      }
      if (coverage.ran(b, marks)) {
        return;
      }
      stores = true;
      lines.push_back(i.at.line);
    }
  }
  if (stores) {
    const std::string where = numbered(std::move(lines));
    report.incomplete.push_back(
        fmt::format("{}the run wrote no buffer and no image, so no result was checked; try other "
                    "sizes or values",
                    where.empty() ? "" : where + ": "));
    report.unexercised.push_back(report.incomplete.back());
  }
}

std::string deciding_constants(const core::KernelModule& module) {
  const auto parsed = spirv::parse(module.words);
  if (!parsed) {
    return {};
  }
  const spirv::Definitions definitions(*parsed);
  std::set<spirv::Id> constants;
  for (const spirv::Function& function : parsed->functions) {
    for (const spirv::Block& block : function.blocks) {
      const spirv::Instruction& end = block.terminator();
      std::set<spirv::Id> own, seen;
      if ((end.op == spv::Op::OpBranchConditional || end.op == spv::Op::OpSwitch) &&
          constants_of(definitions, end.word(0), seen, own)) {
        constants.merge(own);
      }
    }
  }
  std::string names;
  for (const spirv::Id id : constants) {
    const spirv::Instruction* number = definitions.decoration(id, spv::Decoration::SpecId);
    if (number != nullptr) {
      const std::string name = definitions.name(id);
      names += (names.empty() ? "" : ", ") + (name.empty() ? "constant" : name) + " (" +
               std::to_string(number->word(2)) + ")";
    }
  }
  return names;
}

void add_nothing_stored(const spirv::Examination& examination, const core::Dispatch& dispatch,
                        core::CheckReport& report) {
  const spirv::Program& program = examination.program;
  for (std::size_t b = 0; b < program.flow.size(); ++b) {
    if (program.flow.reachable(b) &&
        std::ranges::any_of(program.function.blocks[b].body, [&](const spirv::Instruction& i) {
          return writes_result(program, i);
        })) {
      return;
    }
  }
  if (std::ranges::none_of(dispatch.resources, &core::Resource::written)) {
    return;
  }
  const std::string names = deciding_constants(*dispatch.module);
  report.incomplete.push_back(
      names.empty()
          ? "no store to a buffer or an image can be reached, so that no result was checked"
          : fmt::format("every store to a buffer or an image is in code that constants remove: {}; "
                        "--spec gives them other values",
                        names));
}

void add_decided_by_atomics(const spirv::Examination& examination, core::CheckReport& report) {
  const spirv::Program& program = examination.program;
  if (all_proven(report)) {
    return;
  }
  std::vector<const spirv::Instruction*> deciding;
  std::vector<spirv::Id> values;
  for (const std::size_t b : program.flow.order()) {
    for (const spirv::Instruction& i : program.function.blocks[b].body) {
      if (const auto own = deciding_values(program, i); !own.empty()) {
        deciding.push_back(&i);
        std::ranges::copy(own, std::back_inserter(values));
      }
    }
  }
  const spirv::ValueOrigins origins(program.module);
  using Follow = spirv::ValueOrigins::Follow;
  if (!origins.of(std::move(values), Follow::choices).atomic) {
    return;
  }
  std::vector<std::uint32_t> lines;
  for (const spirv::Instruction* i : deciding) {
    if (origins.of(deciding_values(program, *i), Follow::choices).atomic) {
      lines.push_back(i->at.line);
    }
  }
  const std::string where = numbered(std::move(lines));
  report.remarks.push_back(
      fmt::format("the verdict covers only the order of execution in this run: values that atomics "
                  "return decide which code runs or which elements are read{}",
                  where.empty() ? "" : " (" + where + ")"));
}

}  // namespace lab
