#include "spirv/reflection/flat_bindings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace spirv {
namespace {

constexpr auto uniform = static_cast<std::uint32_t>(spv::StorageClass::Uniform);
constexpr auto kStorageBuffer = static_cast<std::uint32_t>(spv::StorageClass::StorageBuffer);

void replace_ids(Instruction& i, const std::map<Id, Id>& replaced) {
  if (const auto type = replaced.find(i.type); type != replaced.end()) {
    i.type = type->second;
  }
  for (Operand& operand : i.operands) {
    if (const auto found = replaced.find(operand.word); operand.is_id && found != replaced.end()) {
      operand.word = found->second;
    }
  }
}

// Every pointer into a uniform block becomes one into a storage buffer; pointer types that are then
// the same become one.
void make_storage_buffers(Module& module) {
  std::map<std::pair<std::uint32_t, Id>, Id> pointers;
  std::map<Id, Id> replaced;
  for (auto i = module.preamble.begin(); i != module.preamble.end();) {
    if (i->op == spv::Op::OpVariable && i->word(0) == uniform) {
      i->operands[0] = literal(kStorageBuffer);
    }
    if (i->op == spv::Op::OpDecorate &&
        i->word(1) == static_cast<std::uint32_t>(spv::Decoration::BufferBlock)) {
      i->operands[1] = literal(static_cast<std::uint32_t>(spv::Decoration::Block));
    }
    if (i->op == spv::Op::OpTypePointer) {
      if (i->word(0) == uniform) {
        i->operands[0] = literal(kStorageBuffer);
      }
      const auto [entry, fresh] =
          pointers.try_emplace(std::pair(i->word(0), i->word(1)), i->result);
      if (!fresh && i->word(0) == kStorageBuffer) {
        replaced[i->result] = entry->second;
        i = module.preamble.erase(i);
        continue;
      }
    }
    ++i;
  }
  for (Instruction& i : module.preamble) {
    replace_ids(i, replaced);
  }
  for (Function& function : module.functions) {
    replace_ids(function.header, replaced);
    for (Instruction& i : function.parameters) {
      replace_ids(i, replaced);
    }
    for (Block& block : function.blocks) {
      for (Instruction& i : block.body) {
        replace_ids(i, replaced);
      }
    }
  }
}

void need_storage_buffers(Module& module) {
  const std::string wanted = "SPV_KHR_storage_buffer_storage_class";
  auto place = module.preamble.begin();
  for (; place != module.preamble.end(); ++place) {
    if (place->op == spv::Op::OpExtension && text(*place, 0) == wanted) {
      return;
    }
    if (place->op != spv::Op::OpCapability && place->op != spv::Op::OpExtension) {
      break;
    }
  }
  if (module.version < 0x00010300) {
    module.preamble.insert(place, {spv::Op::OpExtension, 0, 0, text_operands(wanted), {}});
  }
}

}  // namespace

FlatBindings flat_bindings(const Interface& interface) {
  FlatBindings result;
  for (const Binding& b : interface.bindings) {
    if (!b.unsupported.empty()) {
      result.not_possible.push_back(b.name + " (set " + std::to_string(b.set) + ", binding " +
                                    std::to_string(b.binding) + ") is " + b.unsupported +
                                    ", which is not supported");
      continue;
    }
    const auto known = std::ranges::find_if(result.resources, [&](const Binding& other) {
      return other.set == b.set && other.binding == b.binding;
    });
    if (known == result.resources.end()) {
      result.resources.push_back(b);
    } else if (known->kind != b.kind) {
      result.not_possible.push_back("set " + std::to_string(b.set) + ", binding " +
                                    std::to_string(b.binding) + " is both " + known->name +
                                    " and " + b.name + ", which are of different kinds");
    } else {
      known->written |= b.written;
      for (const auto list : {&Touches::synchronized, &Touches::plain}) {
        (known->touches.*list)
            .insert((known->touches.*list).end(), (b.touches.*list).begin(),
                    (b.touches.*list).end());
      }
      known->read |= b.read;
      known->bytes = std::max(known->bytes, b.bytes);
      known->runtime_stride = std::max(known->runtime_stride, b.runtime_stride);
      known->descriptors = std::max(known->descriptors, b.descriptors);
    }
  }
  return result;
}

void flatten_bindings(Module& module, const FlatNumbers& numbers) {
  std::map<Id, std::pair<std::uint32_t, std::uint32_t>> places;
  const auto is = [](const Instruction& i, spv::Decoration d) {
    return i.op == spv::Op::OpDecorate && i.word(1) == static_cast<std::uint32_t>(d);
  };
  for (const Instruction& i : module.preamble) {
    if (is(i, spv::Decoration::DescriptorSet)) {
      places[i.word(0)].first = i.word(2);
    } else if (is(i, spv::Decoration::Binding)) {
      places[i.word(0)].second = i.word(2);
    }
  }
  for (Instruction& i : module.preamble) {
    const auto place = places.find(i.op == spv::Op::OpDecorate ? i.word(0) : 0);
    if (place == places.end() || !numbers.contains(place->second)) {
      continue;
    }
    if (is(i, spv::Decoration::DescriptorSet)) {
      i.operands[2] = literal(0);
    } else if (is(i, spv::Decoration::Binding)) {
      i.operands[2] = literal(numbers.at(place->second));
    }
  }
  make_storage_buffers(module);
  need_storage_buffers(module);
}

}  // namespace spirv
