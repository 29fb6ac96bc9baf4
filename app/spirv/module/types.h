// Types laid out: how many bytes and how many scalars a type holds.
#pragma once

#include <cstdint>
#include <string>

#include "spirv/module/constants.h"
#include "spirv/module/module.h"

namespace spirv {

/// Sizes of types after specialization. What is not known (a runtime array, a malformed type) is 0.
class Types {
 public:
  /// Both must outlive this.
  Types(const Definitions& definitions, const Constants& constants)
      : definitions_(definitions), constants_(constants) {}

  /// Elements of an array, components of a vector, columns of a matrix, members of a struct; 1 for
  /// a scalar; 0 for a runtime array.
  [[nodiscard]] std::uint64_t length(Id type) const;
  /// The type of an element; of a struct's member by its number.
  [[nodiscard]] Id element(Id type, std::uint32_t member = 0) const;
  [[nodiscard]] bool is_struct(Id type) const;
  [[nodiscard]] bool is_scalar(Id type) const { return scalar_width(definitions_, type) != 0; }
  /// Scalars in a value of the type, all levels counted.
  [[nodiscard]] std::uint64_t scalars(Id type) const { return scalars(type, 0); }
  /// Bytes of a variable without an explicit layout (Workgroup storage): members one after the
  /// other, each aligned to its scalar, booleans four bytes. Devices may pad more.
  [[nodiscard]] std::uint64_t bytes(Id type) const;
  /// Alignment of the same, bytes.
  [[nodiscard]] std::uint64_t alignment(Id type) const;
  /// Bytes of a type with Offset, ArrayStride and MatrixStride, runtime arrays counted as empty.
  /// How far apart the columns of a matrix are is said where it is a member.
  [[nodiscard]] std::uint64_t explicit_bytes(Id type, std::uint64_t matrix_stride = 0) const {
    return explicit_bytes(type, matrix_stride, 0);
  }
  /// Stride of the runtime array that a block ends with; 0: it has none.
  [[nodiscard]] std::uint64_t runtime_stride(Id type) const;
  /// As GLSL writes it: "float[16][17]", "vec4", "Particle".
  [[nodiscard]] std::string name(Id type) const { return name(type, 0); }

 private:
  struct Extent {
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 1;
  };
  [[nodiscard]] std::uint64_t scalars(Id type, int depth) const;
  [[nodiscard]] Extent extent(Id type, int depth) const;
  [[nodiscard]] std::uint64_t explicit_bytes(Id type, std::uint64_t matrix_stride, int depth) const;
  [[nodiscard]] std::string name(Id type, int depth) const;

  const Definitions& definitions_;
  const Constants& constants_;
};

}  // namespace spirv
