#include "spirv/reflection/compared_members.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "spirv/module/operations.h"

namespace spirv {
namespace {

constexpr int kDeepestExpression = 32;

// What is known of a scalar: of which direction's ids it is made, or which member it is.
struct Origin {
  enum class Kind { nothing, constant, position, member, mixed };
  Kind kind = Kind::nothing;
  std::uint32_t direction = 0;
  bool global = false;  // not of local ids alone
  bool groups = false;  // of workgroups' ids alone, one by one
  ComparedMember member{};
  std::uint32_t component = 0;  // of the member
};

Origin joined(const Origin& a, const Origin& b) {
  using Kind = Origin::Kind;
  if (a.kind == Kind::nothing || b.kind == Kind::nothing) {
    return a.kind == Kind::nothing ? b : a;
  }
  if (a.kind == Kind::constant || b.kind == Kind::constant) {
    return a.kind == Kind::constant ? b : a;
  }
  if (a.kind == b.kind && a.direction == b.direction && a.member == b.member &&
      a.component == b.component) {
    Origin both = a;
    both.global = a.global || b.global;
    both.groups = a.groups && b.groups;
    return both;
  }
  return {.kind = Kind::mixed};
}

class Origins {
 public:
  explicit Origins(const Module& module) : module_(module), definitions_(module) {
    for (const Function& function : module.functions) {
      for (const Block& block : function.blocks) {
        for (const Instruction& i : block.body) {
          if (i.op == spv::Op::OpStore) {
            stores_[i.word(0)].push_back(i.word(1));
          }
        }
      }
    }
  }

  using Members = std::map<ComparedMember, LaunchExtent>;

  Members run() {
    Members found;
    std::set<ComparedMember> doubtful;
    for (const Function& function : module_.functions) {
      for (const Block& block : function.blocks) {
        for (const Instruction& i : block.body) {
          if (orders_integers(i.op)) {
            const Instruction& type = definitions_.of(definitions_.of(i.word(0)).type);
            const std::uint32_t length = type.op == spv::Op::OpTypeVector ? type.word(1) : 1;
            for (std::uint32_t c = 0; c < length; ++c) {
              note(of(i.word(0), c, 0), of(i.word(1), c, 0), found, doubtful);
            }
          }
        }
      }
    }
    for (const auto& member : doubtful) {
      found.erase(member);
    }
    return found;
  }

 private:
  void note(Origin position, Origin member, Members& found, std::set<ComparedMember>& doubtful) {
    if (position.kind == Origin::Kind::member) {
      std::swap(position, member);
    }
    if (member.kind != Origin::Kind::member || position.kind != Origin::Kind::position ||
        !position.global) {
      return;
    }
    const bool vector = is_vector(member.member);
    const LaunchExtent extent{
        position.groups ? LaunchExtent::Of::workgroups : LaunchExtent::Of::items,
        vector ? 0 : position.direction};
    const auto [entry, fresh] = found.try_emplace(member.member, extent);
    if (entry->second.direction != extent.direction ||
        (vector && member.component != position.direction)) {
      doubtful.insert(member.member);
    } else if (entry->second.of != extent.of) {
      entry->second.of = LaunchExtent::Of::items;
    }
  }

  [[nodiscard]] bool is_vector(const ComparedMember& member) const {
    return definitions_.op(type_of(member)) == spv::Op::OpTypeVector;
  }

  // 0: there is none.
  [[nodiscard]] Id type_of(const ComparedMember& member) const {
    Id type = definitions_.of(definitions_.of(member.first).type).word(1);
    for (const std::uint32_t index : member.second) {
      const Instruction& whole = definitions_.of(type);
      if (whole.op == spv::Op::OpTypeArray) {
        type = whole.word(0);
      } else if (whole.op == spv::Op::OpTypeStruct && index < whole.operands.size()) {
        type = whole.word(index);
      } else {
        return 0;
      }
    }
    return type;
  }

  Origin of(Id value, std::uint32_t component, int depth) {
    const Instruction& i = definitions_.of(value);
    if (depth > kDeepestExpression) {
      return {.kind = Origin::Kind::mixed};
    }
    switch (i.op) {
      case spv::Op::OpConstant:
      case spv::Op::OpSpecConstant:
      case spv::Op::OpSpecConstantOp:
        return {.kind = Origin::Kind::constant};
      case spv::Op::OpLoad:
        return at(i.word(0), component, depth + 1);
      case spv::Op::OpCompositeExtract:
        return i.operands.size() == 2 ? of(i.word(0), i.word(1), depth + 1)
                                      : Origin{.kind = Origin::Kind::mixed};
      case spv::Op::OpVectorShuffle:
        return shuffled(i, component, depth);
      case spv::Op::OpCompositeConstruct:
        return component < i.operands.size() ? of(i.word(component), 0, depth + 1)
                                             : Origin{.kind = Origin::Kind::mixed};
      case spv::Op::OpBitcast:
      case spv::Op::OpUConvert:
      case spv::Op::OpSConvert:
      case spv::Op::OpCopyObject:
        return of(i.word(0), component, depth + 1);
      case spv::Op::OpSelect:
        return joined(of(i.word(1), component, depth + 1), of(i.word(2), component, depth + 1));
      case spv::Op::OpIAdd:
      case spv::Op::OpISub:
      case spv::Op::OpIMul: {
        Origin both =
            joined(of(i.word(0), component, depth + 1), of(i.word(1), component, depth + 1));
        both.groups = both.groups && i.op != spv::Op::OpIMul;
        return both;
      }
      default:
        return {.kind = Origin::Kind::mixed};
    }
  }

  Origin shuffled(const Instruction& i, std::uint32_t component, int depth) {
    const Instruction& first = definitions_.of(definitions_.of(i.word(0)).type);
    const std::uint32_t length = first.op == spv::Op::OpTypeVector ? first.word(1) : 0;
    if (component + 2 >= i.operands.size()) {
      return {.kind = Origin::Kind::mixed};
    }
    const std::uint32_t from = i.word(component + 2);
    return from < length ? of(i.word(0), from, depth + 1) : of(i.word(1), from - length, depth + 1);
  }

  // What lies behind a pointer.
  Origin at(Id pointer, std::uint32_t component, int depth) {
    const Instruction& i = definitions_.of(pointer);
    if (i.op == spv::Op::OpVariable) {
      return variable(pointer, component, depth);
    }
    if (i.op != spv::Op::OpAccessChain && i.op != spv::Op::OpInBoundsAccessChain) {
      return {.kind = Origin::Kind::mixed};
    }
    const Instruction& base = definitions_.of(i.word(0));
    ComparedMember member{i.word(0), {}};
    for (std::size_t k = 1; k < i.operands.size(); ++k) {
      const auto index = number(i.word(k));
      if (!index || base.op != spv::Op::OpVariable) {
        return {.kind = Origin::Kind::mixed};
      }
      member.second.push_back(*index);
    }
    const auto storage = static_cast<spv::StorageClass>(base.word(0));
    if (storage == spv::StorageClass::PushConstant || storage == spv::StorageClass::Uniform ||
        storage == spv::StorageClass::StorageBuffer) {
      return in_block(std::move(member), component);
    }
    return member.second.size() == 1 ? variable(member.first, member.second.front(), depth)
                                     : Origin{.kind = Origin::Kind::mixed};
  }

  // The last index may be a vector's.
  Origin in_block(ComparedMember member, std::uint32_t component) const {
    if (type_of(member) == 0) {
      component = member.second.back();
      member.second.pop_back();
      if (!is_vector(member)) {
        return {.kind = Origin::Kind::mixed};
      }
    }
    return {.kind = Origin::Kind::member, .member = std::move(member), .component = component};
  }

  Origin variable(Id id, std::uint32_t component, int depth) {
    if (const Instruction* i = definitions_.decoration(id, spv::Decoration::BuiltIn)) {
      const auto built_in = static_cast<spv::BuiltIn>(i->word(2));
      const bool local = built_in == spv::BuiltIn::LocalInvocationId;
      if (local || built_in == spv::BuiltIn::GlobalInvocationId ||
          built_in == spv::BuiltIn::WorkgroupId) {
        return {.kind = Origin::Kind::position,
                .direction = component,
                .global = !local,
                .groups = built_in == spv::BuiltIn::WorkgroupId};
      }
      return {.kind = built_in == spv::BuiltIn::NumWorkgroups ? Origin::Kind::constant
                                                              : Origin::Kind::mixed};
    }
    const auto stores = stores_.find(id);
    if (stores == stores_.end()) {
      return {.kind = Origin::Kind::mixed};
    }
    // A variable that is made from itself adds nothing.
    if (!open_.insert({id, component}).second) {
      return {};
    }
    Origin all;
    for (const Id value : stores->second) {
      all = joined(all, of(value, component, depth + 1));
    }
    open_.erase({id, component});
    return all;
  }

  [[nodiscard]] std::optional<std::uint32_t> number(Id id) const {
    const Instruction& i = definitions_.of(id);
    return i.op == spv::Op::OpConstant ? std::optional(i.word(0)) : std::nullopt;
  }

  const Module& module_;
  Definitions definitions_;
  std::map<Id, std::vector<Id>> stores_;
  std::set<std::pair<Id, std::uint32_t>> open_;
};

}  // namespace

std::map<ComparedMember, LaunchExtent> compared_members(const Module& module) {
  return Origins(module).run();
}

}  // namespace spirv
