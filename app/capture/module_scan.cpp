#include "capture/module_scan.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include <spirv/unified1/spirv.hpp11>

namespace capture {
namespace {

struct Decorations {
  bool has_set = false;
  bool has_binding = false;
  bool has_spec_id = false;
  bool read_only = false;
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::uint32_t spec_id = 0;
  std::set<std::uint32_t> read_only_members;
};

struct Type {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t element = 0;  // of arrays and pointers
  std::size_t members = 0;    // of structs; 1 of arrays of length 1
};

class Scan {
 public:
  explicit Scan(std::span<const std::uint32_t> words) : words_(words) {}

  ModuleScan run() {
    constexpr std::size_t kHeader = 5;
    if (words_.size() < kHeader || words_[0] != spv::MagicNumber) {
      return {};
    }
    for (std::size_t at = kHeader; at < words_.size();) {
      const std::uint32_t length = words_[at] >> spv::WordCountShift;
      if (length == 0 || length > words_.size() - at) {
        return {};
      }
      take(static_cast<spv::Op>(words_[at] & spv::OpCodeMask), at, length);
      at += length;
    }
    scan_.valid = true;
    std::ranges::sort(scan_.bindings, [](const ScannedBinding& a, const ScannedBinding& b) {
      return std::tie(a.set, a.binding) < std::tie(b.set, b.binding);
    });
    return std::move(scan_);
  }

 private:
  void take(spv::Op op, std::size_t at, std::uint32_t length) {
    const auto word = [&](std::uint32_t n) { return n < length ? words_[at + n] : 0; };
    switch (op) {
      case spv::Op::OpCapability:
        scan_.addresses = scan_.addresses || static_cast<spv::Capability>(word(1)) ==
                                                 spv::Capability::PhysicalStorageBufferAddresses;
        break;
      case spv::Op::OpDecorate:
        decorate(word(1), static_cast<spv::Decoration>(word(2)), word(3));
        break;
      case spv::Op::OpMemberDecorate:
        if (static_cast<spv::Decoration>(word(3)) == spv::Decoration::NonWritable) {
          decorations_[word(1)].read_only_members.insert(word(2));
        }
        break;
      case spv::Op::OpTypePointer:
        types_[word(1)] = {op, word(3), 0};
        break;
      case spv::Op::OpConstant:
        if (word(3) == 1) {
          ones_.insert(word(2));
        }
        break;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray:
        types_[word(1)] = {op, word(2), ones_.contains(word(3)) ? 1U : 0U};
        break;
      case spv::Op::OpTypeStruct:
        types_[word(1)] = {op, 0, length - 2};
        break;
      case spv::Op::OpSpecConstant:
        add_constant(word(2),
                     length > 3 ? ScannedConstant{at + 3, length - 3} : ScannedConstant{at, 0});
        break;
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse:
        add_constant(word(2), {at, 0});
        break;
      case spv::Op::OpVariable:
        add_variable(word(1), word(2));
        break;
      default:
        break;
    }
  }

  void decorate(std::uint32_t id, spv::Decoration decoration, std::uint32_t value) {
    Decorations& d = decorations_[id];
    switch (decoration) {
      case spv::Decoration::DescriptorSet:
        d.has_set = true;
        d.set = value;
        break;
      case spv::Decoration::Binding:
        d.has_binding = true;
        d.binding = value;
        break;
      case spv::Decoration::NonWritable:
        d.read_only = true;
        break;
      case spv::Decoration::SpecId:
        d.has_spec_id = true;
        d.spec_id = value;
        break;
      default:
        break;
    }
  }

  void add_constant(std::uint32_t id, ScannedConstant constant) {
    const auto found = decorations_.find(id);
    if (found != decorations_.end() && found->second.has_spec_id) {
      scan_.constants.emplace(found->second.spec_id, constant);
    }
  }

  void add_variable(std::uint32_t pointer, std::uint32_t id) {
    const auto found = decorations_.find(id);
    if (found == decorations_.end() || !found->second.has_binding || !found->second.has_set) {
      return;
    }
    const Decorations& d = found->second;
    const bool written = !d.read_only && !has_read_only_members(types_[pointer].element);
    for (ScannedBinding& other : scan_.bindings) {
      if (other.set == d.set && other.binding == d.binding) {
        other.written = other.written || written;  // two variables of one descriptor
        return;
      }
    }
    const Type& type = types_[types_[pointer].element];
    const bool array = (type.op == spv::Op::OpTypeArray && type.members != 1) ||
                       type.op == spv::Op::OpTypeRuntimeArray;
    scan_.bindings.push_back({d.set, d.binding, written, array});
  }

  bool has_read_only_members(std::uint32_t type) {
    for (int depth = 0; depth < 8; ++depth) {
      const Type& t = types_[type];
      if (t.op == spv::Op::OpTypeArray || t.op == spv::Op::OpTypeRuntimeArray) {
        type = t.element;
        continue;
      }
      return t.op == spv::Op::OpTypeStruct && t.members > 0 &&
             decorations_[type].read_only_members.size() == t.members;
    }
    return false;
  }

  std::span<const std::uint32_t> words_;
  ModuleScan scan_;
  std::unordered_map<std::uint32_t, Decorations> decorations_;
  std::unordered_map<std::uint32_t, Type> types_;
  std::set<std::uint32_t> ones_;  // constants
};

}  // namespace

ModuleScan scan_module(std::span<const std::uint32_t> words) {
  return Scan(words).run();
}

}  // namespace capture
