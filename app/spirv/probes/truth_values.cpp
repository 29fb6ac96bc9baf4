#include "spirv/probes/truth_values.h"

#include <algorithm>
#include <vector>

namespace spirv {
namespace {

bool has_truth_values(const Program& program, Id type) {
  const Instruction& i = program.definitions.of(type);
  switch (i.op) {
    case spv::Op::OpTypeBool:
      return true;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeArray:
      return has_truth_values(program, i.word(0));
    case spv::Op::OpTypeStruct:
      return std::ranges::any_of(i.operands, [&](const Operand& member) {
        return has_truth_values(program, member.word);
      });
    default:
      return false;
  }
}

}  // namespace

void start_truth_values(const Program& program, const Sites& sites, Emitter& emitter,
                        Insertions& code) {
  std::vector<const SharedCells*> those;
  for (const SharedCells& variable : sites.variables()) {
    if (!variable.in_bytes && has_truth_values(program, variable.type)) {
      those.push_back(&variable);
    }
  }
  if (those.empty()) {
    return;
  }
  Code start(emitter, "tilescope_truth", emitter.void_type(), {});
  const Id me =
      start.load(emitter.built_in(spv::BuiltIn::LocalInvocationIndex, emitter.uint_type()));
  start.when(start.test(spv::Op::OpIEqual, me, emitter.constant(0)), [&] {
    for (const SharedCells* variable : those) {
      start.store(variable->variable, emitter.null(variable->type));
    }
  });
  start.finish();
  const auto& first = program.function.blocks.front().body;
  const auto begin =
      std::ranges::find_if(first, [](const Instruction& i) { return i.op != spv::Op::OpVariable; });
  const CodePlace entry{0, static_cast<std::size_t>(begin - first.begin())};
  code.call(code.before(entry), start.id(), {});
}

}  // namespace spirv
