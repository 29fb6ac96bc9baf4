#include "spirv/reflection/addresses.h"

#include <algorithm>
#include <string>
#include <utility>

namespace spirv {
namespace {

constexpr int kDeepestStruct = 4;           // structs in structs, addresses behind addresses
constexpr std::uint64_t kMostOfArray = 16;  // elements of an array of addresses
constexpr std::size_t kMostAddresses = 64;

class Addresses {
 public:
  Addresses(const Definitions& definitions, const Types& types)
      : definitions_(definitions), types_(types) {}

  // What lies in the block `type`, held by what `base` says, from its offset on.
  void walk(Id type, const AddressMember& base, int depth) {
    const Instruction& t = definitions_.of(type);
    if (depth > kDeepestStruct || found.size() >= kMostAddresses) {
      return;
    }
    if (t.op == spv::Op::OpTypeStruct) {
      for (std::uint32_t m = 0; m < t.operands.size(); ++m) {
        AddressMember member = base;
        const Instruction* offset = definitions_.decoration(type, m, spv::Decoration::Offset);
        member.offset += offset != nullptr ? offset->word(3) : 0;
        const std::string name = definitions_.member_name(type, m);
        member.name += (base.name.empty() || name.empty() ? "" : ".") + name;
        walk(t.word(m), member, depth + 1);
      }
    } else if (t.op == spv::Op::OpTypeArray) {
      const Instruction* stride = definitions_.decoration(type, spv::Decoration::ArrayStride);
      for (std::uint64_t e = 0; e < std::min(types_.length(type), kMostOfArray); ++e) {
        AddressMember element = base;
        element.name += "[" + std::to_string(e) + "]";
        element.offset += static_cast<std::uint32_t>(e) * (stride != nullptr ? stride->word(2) : 0);
        walk(t.word(0), element, depth + 1);
      }
    } else if (t.op == spv::Op::OpTypePointer) {
      reference(t.word(1), base, depth);
    } else if (t.op == spv::Op::OpTypeInt && t.word(0) == 64) {
      AddressMember unknown = base;
      unknown.known = false;
      unknown.written = true;
      unknown.runtime_stride = 4;
      unknown.runtime_type = "float";
      found.push_back(std::move(unknown));
    }
  }

  std::vector<AddressMember> found;

 private:
  void reference(Id block, AddressMember member, int depth) {
    member.block = block;
    member.bytes = types_.explicit_bytes(block);
    member.runtime_stride = types_.runtime_stride(block);
    member.written = writable(block);
    if (member.runtime_stride != 0) {
      const Instruction& t = definitions_.of(block);
      const Id array = t.op == spv::Op::OpTypeStruct ? t.operands.back().word : block;
      member.runtime_type = types_.name(types_.element(array));
    }
    found.push_back(member);
    if (std::ranges::find(followed_, block) != followed_.end()) {
      return;
    }
    followed_.push_back(block);
    walk(block, {.name = member.name, .parent = found.size() - 1}, depth + 1);
    followed_.pop_back();
  }

  [[nodiscard]] bool writable(Id block) const {
    const Instruction& t = definitions_.of(block);
    for (std::uint32_t m = 0; t.op == spv::Op::OpTypeStruct && m < t.operands.size(); ++m) {
      if (definitions_.decoration(block, m, spv::Decoration::NonWritable) == nullptr) {
        return true;
      }
    }
    return t.op != spv::Op::OpTypeStruct;
  }

  const Definitions& definitions_;
  const Types& types_;
  std::vector<Id> followed_;
};

}  // namespace

std::vector<AddressMember> addresses_of(const Module& module, const Definitions& definitions,
                                        const Types& types, Id push_block,
                                        const std::vector<Binding>& bindings) {
  if (!has_addresses(module)) {
    return {};
  }
  Addresses addresses(definitions, types);
  addresses.walk(push_block, {}, 0);
  for (std::size_t b = 0; b < bindings.size(); ++b) {
    if (bindings[b].unsupported.empty() && !bindings[b].block.empty()) {
      addresses.walk(bindings[b].type, {.binding = b}, 0);
    }
  }
  return std::move(addresses.found);
}

bool is_address(const Definitions& definitions, Id pointer) {
  const Instruction& type = definitions.of(definitions.of(pointer).type);
  return type.op == spv::Op::OpTypePointer &&
         static_cast<spv::StorageClass>(type.word(0)) == spv::StorageClass::PhysicalStorageBuffer;
}

bool can_be_null(const Definitions& definitions, Id type) {
  const Instruction& i = definitions.of(type);
  if (i.op == spv::Op::OpTypePointer) {
    return static_cast<spv::StorageClass>(i.word(0)) != spv::StorageClass::PhysicalStorageBuffer;
  }
  const std::size_t held = i.op == spv::Op::OpTypeStruct  ? i.operands.size()
                           : i.op == spv::Op::OpTypeArray ? 1
                                                          : 0;
  for (std::size_t n = 0; n < held; ++n) {
    if (!can_be_null(definitions, i.word(n))) {
      return false;
    }
  }
  return true;
}

std::vector<MemoryAccess> accesses_by_address(const Instruction& i,
                                              const Definitions& definitions) {
  std::vector<MemoryAccess> found = memory_accesses(i);
  std::erase_if(found, [&](const MemoryAccess& access) {
    return !is_address(definitions, i.word(access.operand));
  });
  return found;
}

bool has_addresses(const Module& module) {
  return std::ranges::any_of(module.preamble, [](const Instruction& i) {
    return i.op == spv::Op::OpCapability &&
           i.word(0) == static_cast<std::uint32_t>(spv::Capability::PhysicalStorageBufferAddresses);
  });
}

}  // namespace spirv
