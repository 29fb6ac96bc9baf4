#include "spirv/module/types.h"

#include <algorithm>

#include "core/base/ceil_div.h"

namespace spirv {
namespace {

// A malformed module can nest types in a circle.
constexpr int deepest_type = 24;
// Larger than any device's memory; keeps products of malformed lengths from overflowing.
constexpr std::uint64_t size_limit = std::uint64_t{1} << 48U;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > size_limit / a ? size_limit : std::min(a * b, size_limit);
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return std::min(a + b, size_limit);
}

std::uint64_t align(std::uint64_t offset, std::uint64_t alignment) {
  return alignment == 0 ? offset : core::round_up(offset, alignment);
}

}  // namespace

std::uint64_t Types::length(Id type) const {
  const Instruction& t = definitions_.of(type);
  switch (t.op) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      return t.word(1);
    case spv::Op::OpTypeArray:
      return std::min(constants_.scalar(t.word(1)).value_or(0), size_limit);
    case spv::Op::OpTypeStruct:
      return t.operands.size();
    case spv::Op::OpTypeRuntimeArray:
      return 0;
    default:
      return is_scalar(type) ? 1 : 0;
  }
}

Id Types::element(Id type, std::uint32_t member) const {
  const Instruction& t = definitions_.of(type);
  switch (t.op) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return t.word(0);
    case spv::Op::OpTypeStruct:
      return t.word(member);
    default:
      return 0;
  }
}

bool Types::is_struct(Id type) const {
  return definitions_.op(type) == spv::Op::OpTypeStruct;
}

std::uint64_t Types::scalars(Id type, int depth) const {
  if (is_scalar(type)) {
    return 1;
  }
  if (depth > deepest_type) {
    return 0;
  }
  const Instruction& t = definitions_.of(type);
  if (t.op != spv::Op::OpTypeStruct) {
    return times(length(type), scalars(element(type), depth + 1));
  }
  std::uint64_t sum = 0;
  for (std::uint32_t m = 0; m < t.operands.size(); ++m) {
    sum = plus(sum, scalars(t.word(m), depth + 1));
  }
  return sum;
}

std::uint64_t Types::bytes(Id type) const {
  return extent(type, 0).bytes;
}

std::uint64_t Types::alignment(Id type) const {
  return extent(type, 0).alignment;
}

Types::Extent Types::extent(Id type, int depth) const {
  if (const std::uint32_t width = scalar_width(definitions_, type)) {
    const std::uint64_t size = width == 1 ? 4 : (width + 7) / 8;
    return {size, size};
  }
  if (depth > deepest_type) {
    return {};
  }
  const Instruction& t = definitions_.of(type);
  if (t.op == spv::Op::OpTypePointer) {  // an address
    return {8, 8};
  }
  if (t.op != spv::Op::OpTypeStruct) {
    const Extent one = extent(element(type), depth + 1);
    return {times(length(type), one.bytes), one.alignment};
  }
  Extent whole;
  for (std::uint32_t m = 0; m < t.operands.size(); ++m) {
    const Extent one = extent(t.word(m), depth + 1);
    whole.bytes = plus(align(whole.bytes, one.alignment), one.bytes);
    whole.alignment = std::max(whole.alignment, one.alignment);
  }
  whole.bytes = align(whole.bytes, whole.alignment);
  return whole;
}

std::uint64_t Types::explicit_bytes(Id type, std::uint64_t matrix_stride, int depth) const {
  if (is_scalar(type) || definitions_.op(type) == spv::Op::OpTypePointer) {
    return extent(type, 0).bytes;
  }
  if (depth > deepest_type) {
    return 0;
  }
  const Instruction& t = definitions_.of(type);
  if (t.op == spv::Op::OpTypeArray || t.op == spv::Op::OpTypeRuntimeArray) {
    const Instruction* stride = definitions_.decoration(type, spv::Decoration::ArrayStride);
    return times(length(type), stride != nullptr ? stride->word(2) : 0);
  }
  if (t.op == spv::Op::OpTypeMatrix && matrix_stride != 0) {
    return times(length(type), matrix_stride);
  }
  if (t.op != spv::Op::OpTypeStruct) {
    return times(length(type), explicit_bytes(element(type), 0, depth + 1));
  }
  std::uint64_t end = 0;
  for (std::uint32_t m = 0; m < t.operands.size(); ++m) {
    const Instruction* offset = definitions_.decoration(type, m, spv::Decoration::Offset);
    const Instruction* stride = definitions_.decoration(type, m, spv::Decoration::MatrixStride);
    const std::uint64_t size =
        explicit_bytes(t.word(m), stride != nullptr ? stride->word(3) : 0, depth + 1);
    end = std::max(end, plus(offset != nullptr ? offset->word(3) : 0, size));
  }
  return end;
}

std::uint64_t Types::runtime_stride(Id type) const {
  for (int depth = 0; depth < deepest_type; ++depth) {
    const Instruction& t = definitions_.of(type);
    if (t.op == spv::Op::OpTypeRuntimeArray) {
      const Instruction* stride = definitions_.decoration(type, spv::Decoration::ArrayStride);
      return stride != nullptr ? stride->word(2) : 0;
    }
    if (t.op != spv::Op::OpTypeStruct || t.operands.empty()) {
      return 0;
    }
    type = t.operands.back().word;
  }
  return 0;
}

std::string Types::name(Id type, int depth) const {
  const Instruction& t = definitions_.of(type);
  if (depth > deepest_type) {
    return "?";
  }
  const std::uint32_t width = t.word(0);
  const auto prefix = [this](Id scalar) -> std::string {
    const Instruction& s = definitions_.of(scalar);
    const std::uint32_t bits = s.word(0);
    const std::string sized = bits == 32 ? "" : std::to_string(bits);
    switch (s.op) {
      case spv::Op::OpTypeBool:
        return "b";
      case spv::Op::OpTypeInt:
        return (s.word(1) != 0 ? "i" : "u") + sized;
      default:
        return bits == 32 ? "" : bits == 64 ? "d" : "f" + sized;
    }
  };
  switch (t.op) {
    case spv::Op::OpTypeBool:
      return "bool";
    case spv::Op::OpTypeInt:
      return std::string(t.word(1) != 0 ? "int" : "uint") +
             (width == 32 ? "" : std::to_string(width) + "_t");
    case spv::Op::OpTypeFloat:
      return width == 32   ? "float"
             : width == 64 ? "double"
                           : "float" + std::to_string(width) + "_t";
    case spv::Op::OpTypeVector:
      return prefix(t.word(0)) + "vec" + std::to_string(t.word(1));
    case spv::Op::OpTypeMatrix:
      return prefix(element(t.word(0))) + "mat" + std::to_string(t.word(1)) + "x" +
             std::to_string(length(t.word(0)));
    case spv::Op::OpTypeStruct:
      return definitions_.name(type).empty() ? "struct" : definitions_.name(type);
    case spv::Op::OpTypePointer:
      return name(t.word(1), depth + 1) + "*";
    case spv::Op::OpTypeRuntimeArray:
      return name(t.word(0), depth + 1) + "[]";
    case spv::Op::OpTypeArray: {
      // GLSL writes the outermost length first.
      std::string lengths;
      Id inner = type;
      for (int i = 0; i < deepest_type && definitions_.op(inner) == spv::Op::OpTypeArray; ++i) {
        lengths += "[" + std::to_string(length(inner)) + "]";
        inner = element(inner);
      }
      return name(inner, depth + 1) + lengths;
    }
    default:
      return "?";
  }
}

}  // namespace spirv
