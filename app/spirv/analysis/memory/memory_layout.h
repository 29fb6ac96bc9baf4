// Where in memory an access goes: bytes from the start of a variable, scalar by scalar. Buffers
// have explicit layouts (Offset, ArrayStride, MatrixStride, RowMajor); shared memory has none, so
// that what is said here is what Types::bytes says: tightly packed, a model of the device's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/analysis/flow/program.h"

namespace spirv {

/// A part of a place that is known only when the kernel runs: index times stride bytes.
struct PlaceTerm {
  Id index = 0;
  std::uint64_t stride = 0;   ///< bytes
  std::uint64_t length = 0;   ///< of what is indexed; 0: a runtime array
  std::uint32_t operand = 0;  ///< which index of the path
  /// Of a coordinate into one of several images: its length in each of them.
  std::vector<std::uint64_t> lengths = {};
};

/// A scalar of an accessed value.
struct PlacedScalar {
  std::vector<std::uint32_t> path;  ///< into the value, as OpCompositeExtract takes it
  Id type = 0;
  std::uint64_t offset = 0;  ///< bytes from the start of the access
};

struct MemoryPlace {
  Id variable = 0;               ///< 0: of memory that is found by its address
  std::uint32_t descriptor = 0;  ///< of an array of buffers
  Id chosen = 0;                 ///< its index there, where the kernel chooses as it runs
  /// Top-level member of a buffer's block; none: of a shared variable, or the whole block.
  std::optional<std::uint32_t> member;
  Id type = 0;               ///< of what is accessed
  std::uint64_t offset = 0;  ///< bytes from the start of the variable or member, the constant part
  std::vector<PlaceTerm> terms;  ///< the rest
  std::vector<PlacedScalar> scalars;
};

class MemoryLayout {
 public:
  /// `program` must outlive this.
  explicit MemoryLayout(const Program& program) : program_(program) {}

  /// Nothing for a place of a type that is not understood, or of more than `most` scalars.
  [[nodiscard]] std::optional<MemoryPlace> place(const PointerPath& path, std::uint64_t most) const;
  /// The same in a block that is found by its address.
  [[nodiscard]] std::optional<MemoryPlace> place(const AddressedPath& path,
                                                 std::uint64_t most) const;
  /// Is the variable a block with an explicit layout?
  [[nodiscard]] bool is_block(Id variable) const;
  /// The variable is an array of descriptors: of buffers.
  [[nodiscard]] bool is_array_of_blocks(Id variable) const;
  /// Type of a variable, or of a member of its block; of an array of buffers: of one of them.
  [[nodiscard]] Id type_of(Id variable, std::optional<std::uint32_t> member) const;
  /// Bytes from the start of the buffer.
  [[nodiscard]] std::uint64_t member_offset(Id variable, std::uint32_t member) const;
  /// The same of a block by its type.
  [[nodiscard]] std::uint64_t block_member_offset(Id block, std::uint32_t member) const;

 private:
  // A type in its surroundings: how its rows and columns lie is decided outside of it.
  struct Node {
    Id type = 0;
    bool laid_out = false;             // explicitly
    std::uint64_t matrix_stride = 0;   // of the matrices inside; 0: packed
    std::uint64_t component_step = 0;  // of a vector; 0: its scalars lie one after the other
    bool row_major = false;
  };
  struct Step {
    Node to;
    std::uint64_t offset = 0;  // of the member asked for
    std::uint64_t stride = 0;  // from member to member; 0: a struct
  };
  // Goes down to what the indices lead to, in a place that begins at `node`.
  [[nodiscard]] std::optional<MemoryPlace> descend(MemoryPlace place, Node node,
                                                   const std::vector<Id>& indices,
                                                   std::uint32_t first, std::uint64_t most) const;
  [[nodiscard]] Step enter(const Node& node, std::uint32_t member) const;
  [[nodiscard]] Step enter_struct(const Node& node, std::uint32_t member) const;
  void collect(const Node& node, PlacedScalar at, std::vector<PlacedScalar>& scalars) const;

  const Program& program_;
};

}  // namespace spirv
