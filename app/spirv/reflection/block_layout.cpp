#include "spirv/reflection/block_layout.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace spirv {
namespace {

constexpr std::size_t kMostScalars = 4096;
constexpr int kDeepest = 16;

class Layout {
 public:
  Layout(const Definitions& definitions, const Constants& constants)
      : definitions_(definitions), types_(definitions, constants) {}

  core::BlockLayout run(Id block) {
    members("", 0, block, 0);
    return known_ ? std::move(layout_) : core::BlockLayout();
  }

 private:
  // How the columns of a matrix lie, as the member says that has it.
  struct Matrix {
    std::uint64_t stride = 0;
    bool rows = false;
  };

  void members(const std::string& name, std::uint64_t offset, Id type, int depth) {
    const Instruction& block = definitions_.of(type);
    for (std::uint32_t m = 0; m < block.operands.size(); ++m) {
      const auto decoration = [&](spv::Decoration d) {
        return definitions_.decoration(type, m, d);
      };
      const Instruction* place = decoration(spv::Decoration::Offset);
      const Instruction* stride = decoration(spv::Decoration::MatrixStride);
      const std::string full = member_name(name, type, m);
      const std::uint64_t at = offset + (place != nullptr ? place->word(3) : 0);
      const Id id = block.word(m);
      known_ = known_ && place != nullptr;
      if (definitions_.op(id) == spv::Op::OpTypeRuntimeArray) {
        runtime_array(full, at, id, stride != nullptr ? stride->word(3) : 0, depth);
        continue;
      }
      add(full, at, id,
          {stride != nullptr ? stride->word(3) : 0,
           decoration(spv::Decoration::RowMajor) != nullptr},
          depth + 1);
    }
  }

  // Nameless members of a module without names have their numbers.
  [[nodiscard]] std::string member_name(const std::string& of, Id type, std::uint32_t m) const {
    std::string name = definitions_.member_name(type, m);
    if (name.empty() && definitions_.of(type).operands.size() > 1) {
      name = std::to_string(m);
    }
    const bool first = of.empty() && into_ == &layout_.fixed;
    return first || name.empty() ? of + name : of + "." + name;
  }

  void runtime_array(const std::string& name, std::uint64_t offset, Id type, std::uint64_t stride,
                     int depth) {
    const Instruction* every = definitions_.decoration(type, spv::Decoration::ArrayStride);
    known_ = known_ && depth == 0 && every != nullptr && every->word(2) > 0;
    if (!known_) {
      return;
    }
    layout_.array = name;
    layout_.array_offset = offset;
    layout_.stride = every->word(2);
    into_ = &layout_.element;
    add("", 0, types_.element(type), {stride, false}, depth + 1);
    into_ = &layout_.fixed;
  }

  void add(const std::string& name, std::uint64_t offset, Id type, Matrix matrix, int depth) {
    const Instruction& t = definitions_.of(type);
    known_ = known_ && depth < kDeepest && into_->size() < kMostScalars;
    if (!known_) {
      return;
    }
    switch (t.op) {
      case spv::Op::OpTypeStruct:
        members(name, offset, type, depth);
        return;
      case spv::Op::OpTypeVector:
        vector(name, offset, type, scalar_width(definitions_, t.word(0)) / 8);
        return;
      case spv::Op::OpTypeMatrix:
        for (std::uint32_t c = 0; c < t.word(1); ++c) {
          const std::uint64_t bytes = scalar_width(definitions_, types_.element(t.word(0))) / 8;
          vector(name + "[" + std::to_string(c) + "]",
                 offset + c * (matrix.rows ? bytes : matrix.stride), t.word(0),
                 matrix.rows ? matrix.stride : bytes);
        }
        return;
      case spv::Op::OpTypeArray: {
        const Instruction* stride = definitions_.decoration(type, spv::Decoration::ArrayStride);
        const std::uint64_t length = types_.length(type);
        known_ = stride != nullptr && length <= kMostScalars;
        for (std::uint64_t i = 0; known_ && i < length; ++i) {
          add(name + "[" + std::to_string(i) + "]", offset + i * stride->word(2),
              types_.element(type), matrix, depth + 1);
        }
        return;
      }
      case spv::Op::OpTypePointer:
        into_->push_back({name, offset, core::NumberKind::whole, 64});
        return;
      default:
        scalar(name, offset, t);
    }
  }

  void vector(const std::string& name, std::uint64_t offset, Id type, std::uint64_t stride) {
    static constexpr std::array<const char*, 4> kNames{".x", ".y", ".z", ".w"};
    const Instruction& t = definitions_.of(type);
    known_ = known_ && t.word(1) <= kNames.size();
    for (std::uint32_t i = 0; known_ && i < t.word(1); ++i) {
      scalar(name + kNames[i], offset + i * stride, definitions_.of(t.word(0)));
    }
  }

  void scalar(const std::string& name, std::uint64_t offset, const Instruction& type) {
    const std::uint32_t bits = type.word(0);
    const bool whole = type.op == spv::Op::OpTypeInt;
    // A float of another encoding, such as bfloat16, has an operand that says so.
    known_ = known_ && (whole || (type.op == spv::Op::OpTypeFloat && type.operands.size() == 1)) &&
             (bits == 8 || bits == 16 || bits == 32 || bits == 64);
    if (known_) {
      into_->push_back({name, offset,
                        !whole              ? core::NumberKind::floating
                        : type.word(1) != 0 ? core::NumberKind::signed_whole
                                            : core::NumberKind::whole,
                        bits});
    }
  }

  const Definitions& definitions_;
  Types types_;
  core::BlockLayout layout_;
  std::vector<core::ScalarPlace>* into_ = &layout_.fixed;
  bool known_ = true;
};

}  // namespace

core::BlockLayout block_layout(const Definitions& definitions, const Constants& constants,
                               Id block) {
  return Layout(definitions, constants).run(block);
}

}  // namespace spirv
