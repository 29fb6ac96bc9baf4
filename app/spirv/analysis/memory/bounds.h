// Every index of a kernel against the length of what it goes into: arrays, vectors and matrices in
// shared memory, buffers, push constants and local variables; and the coordinates of texels that
// are read or written without a sampler (with one none is outside), and the level that is read of
// them.
//
// Assumed, besides what Intervals assumes: a pointer's index is used where the pointer is read or
// written; one that nothing reads or writes through needs no check. How much lies at an address
// that the kernel was given (a buffer reference) is looked at elsewhere (address_sites.h).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spirv/analysis/memory/scalar_place.h"
#include "spirv/analysis/values/intervals.h"

namespace spirv {

/// Where an access happens: block and instruction.
using AccessPlace = std::pair<std::size_t, std::size_t>;

struct IndexUse {
  IndexLink link;
  Id index = 0;
  bool is_signed = false;
  std::uint64_t length = 0;
  Id variable = 0;  ///< 0: not known
  spv::StorageClass storage = spv::StorageClass::Function;
  std::string name;                   ///< of the variable, or of the buffer's member
  SourceLine at;                      ///< of the first access
  std::vector<AccessPlace> accesses;  ///< that go through it
  /// Of an image: which coordinate it is, and below which each is; levels have none.
  std::uint32_t coordinate = 0;
  std::vector<std::uint32_t> extent;
  bool proven = false;  ///< inside wherever it is used and anybody comes, in every invocation
};

class Bounds {
 public:
  /// `program` must outlive this.
  explicit Bounds(const Program& program);

  [[nodiscard]] const std::vector<IndexUse>& all() const { return uses_; }
  /// Memory whose indices are not looked at, in words.
  [[nodiscard]] const std::vector<std::string>& not_covered() const { return not_covered_; }
  [[nodiscard]] const Intervals& intervals() const { return intervals_; }

 private:
  struct Step {
    Id type = 0;
    Id variable = 0;
    bool known = true;         // offset is the whole of it
    std::uint64_t offset = 0;  // bytes from the start of the buffer
    std::string name;
  };
  void visit(const AccessPlace& place);
  void pointer(Id pointer, const AccessPlace& place);
  void chain(const Instruction& i, const AccessPlace& place);
  void step(Step& at, const Instruction& i, std::uint32_t operand, const AccessPlace& place);
  void texel(const Instruction& i, const AccessPlace& place);
  void leave(const std::string& why);
  void component(const Instruction& i, std::uint32_t operand, const AccessPlace& place);
  void use(IndexUse found, const AccessPlace& place);
  [[nodiscard]] Step start(Id base) const;
  void enter(Step& at, Id index, std::uint64_t stride) const;
  [[nodiscard]] bool length_of(const Step& at, std::uint64_t& length) const;
  [[nodiscard]] std::uint64_t stride_of(Id type) const;

  const Program& program_;
  Intervals intervals_;
  std::vector<IndexUse> uses_;
  std::vector<std::string> not_covered_;
};

}  // namespace spirv
