#include "spirv/probes/values/value_flow.h"

#include <algorithm>

#include "spirv/analysis/memory/texel_access.h"

namespace spirv {

ValueFlow::ValueFlow(const Program& program) : program_(program) {
  for (const Block& block : program_.function.blocks) {
    for (const Instruction& i : block.body) {
      const bool copies = i.op == spv::Op::OpCopyMemory;
      if ((i.op == spv::Op::OpStore || copies) && is_own(i.word(0))) {
        const Id from = copies && is_own(i.word(1)) ? program_.path(i.word(1)).variable : i.word(1);
        stored_[program_.path(i.word(0)).variable].push_back(from);
      }
      const auto texel = texel_access(program_, i);
      if (copies && !is_own(i.word(1))) {
        reads_.insert(i.word(1));
      } else if ((i.op == spv::Op::OpLoad && !is_own(i.word(0))) || is_atomic(i.op) ||
                 (texel && *texel)) {
        reads_.insert(i.result);
      }
    }
  }
  reads_.erase(0);
}

// Returns true for memory that only one invocation can access.
bool ValueFlow::is_own(Id pointer) const {
  const Instruction& type = program_.definitions.of(program_.definitions.of(pointer).type);
  const auto storage = static_cast<spv::StorageClass>(type.word(0));
  return type.op == spv::Op::OpTypePointer &&
         (storage == spv::StorageClass::Function || storage == spv::StorageClass::Private) &&
         program_.path(pointer).variable != 0;
}

std::vector<Id> ValueFlow::inputs_of(Id value) const {
  if (reads_.contains(value)) {
    return {};
  }
  if (const auto stored = stored_.find(value); stored != stored_.end()) {
    return stored->second;
  }
  const Instruction& i = program_.definitions.of(value);
  if (i.op == spv::Op::OpLoad) {
    return is_own(i.word(0)) ? std::vector{program_.path(i.word(0)).variable} : std::vector<Id>();
  }
  std::vector<Id> inputs;
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    const bool names_block = i.op == spv::Op::OpPhi && k % 2 == 1;
    const bool decides = i.op == spv::Op::OpSelect && k == 0;
    if (i.operands[k].is_id && !names_block && !decides) {
      inputs.push_back(i.operands[k].word);
    }
  }
  return inputs;
}

// Tarjan's strongly connected components, of all that the value is computed from.
void ValueFlow::find_cycles(Id value) const {
  struct Node {
    std::uint32_t number = 0, lowest = 0;
    bool open = true;
  };
  struct Visit {
    Id value = 0;
    std::vector<Id> inputs;
    std::size_t next = 0;
  };
  std::map<Id, Node> nodes;
  std::vector<Id> stack;
  std::vector<Visit> visits;
  const auto enter = [&](Id id) {
    const auto number = static_cast<std::uint32_t>(nodes.size());
    nodes[id] = {number, number, true};
    stack.push_back(id);
    visits.push_back({id, inputs_of(id), 0});
  };
  const auto leave = [&](Id id) {
    std::vector<Id> component;
    do {
      component.push_back(stack.back());
      nodes[stack.back()].open = false;
      stack.pop_back();
    } while (component.back() != id);
    const auto inputs = inputs_of(id);
    const bool cycle = component.size() > 1 || std::ranges::find(inputs, id) != inputs.end();
    for (const Id member : component) {
      in_cycle_[member] = cycle;
    }
  };
  if (!in_cycle_.contains(value)) {
    enter(value);
  }
  while (!visits.empty()) {
    Visit& visit = visits.back();
    const Id id = visit.value;
    if (visit.next < visit.inputs.size()) {
      const Id input = visit.inputs[visit.next++];
      if (in_cycle_.contains(input)) {
        continue;
      }
      if (const auto known = nodes.find(input); known == nodes.end()) {
        enter(input);
      } else if (known->second.open) {
        nodes[id].lowest = std::min(nodes[id].lowest, known->second.number);
      }
      continue;
    }
    visits.pop_back();
    if (nodes[id].lowest == nodes[id].number) {
      leave(id);
    }
    if (!visits.empty()) {
      Node& above = nodes[visits.back().value];
      above.lowest = std::min(above.lowest, nodes[id].lowest);
    }
  }
}

std::vector<ValueFlow::Source> ValueFlow::sources_of(Id value) const {
  find_cycles(value);
  std::map<Id, bool> carried;  // of each value on the way: through a cycle
  std::vector<std::pair<Id, bool>> open{{value, false}};
  while (!open.empty()) {
    auto [part, through] = open.back();
    open.pop_back();
    through = through || in_cycle_.at(part);
    const auto [known, fresh] = carried.try_emplace(part, through);
    if (!fresh && (known->second || !through)) {
      continue;
    }
    known->second = through;
    for (const Id input : inputs_of(part)) {
      open.emplace_back(input, through);
    }
  }
  std::vector<Source> sources;
  for (const auto& [part, through] : carried) {
    if (reads_.contains(part)) {
      sources.push_back({part, through});
    }
  }
  return sources;
}

}  // namespace spirv
