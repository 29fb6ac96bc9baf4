// Every index of a kernel against the length of what it goes into: arrays, vectors and matrices in
// shared memory, buffers, push constants and local variables; and the coordinates of texels that
// are read or written without a sampler (with one none is outside), and the level that is read of
// them.
//
// Assumed, besides what Intervals assumes: a pointer's index is used where the pointer is read or
// written; one that nothing reads or writes through needs no check. How much lies at an address
// that the kernel was given (a buffer reference) is looked at elsewhere (address_sites.h).
// Of arrays of descriptors the index is looked at too, and what is indexed in one of them is as
// long as it is in that one.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/analysis/memory/scalar_place.h"
#include "spirv/analysis/values/intervals.h"

namespace spirv {

/// Where an access happens: block and instruction.
using AccessPlace = std::pair<std::size_t, std::size_t>;

/// How much may be indexed.
struct IndexRoom {
  std::uint64_t length = 0;
  std::vector<std::uint32_t> extent;  ///< of an image: below which each coordinate is
  bool operator==(const IndexRoom&) const = default;
};

struct IndexUse {
  IndexLink link;
  Id index = 0;
  bool is_signed = false;
  /// One, or as many as there are descriptors that `descriptor`, an index, chooses from.
  std::vector<IndexRoom> rooms;
  Id descriptor = 0;
  Id variable = 0;  ///< 0: not known
  spv::StorageClass storage = spv::StorageClass::Function;
  std::string name;                   ///< of the variable, or of the buffer's member
  SourceLine at;                      ///< of the first access
  std::vector<AccessPlace> accesses;  ///< that go through it
  std::uint32_t coordinate = 0;       ///< of an image: which it is
  bool reads_texel = false;           ///< of an image: the access reads without a sampler
  bool proven = false;  ///< inside wherever it is used and anybody comes, in every invocation
};

class Bounds {
 public:
  /// `program` must outlive this. `guessed` is as of Intervals.
  explicit Bounds(const Program& program, const LaunchFacts& guessed = {});

  [[nodiscard]] const std::vector<IndexUse>& all() const { return uses_; }
  /// Memory whose indices are not looked at, in words.
  [[nodiscard]] const std::vector<std::string>& not_covered() const { return not_covered_; }
  /// Accesses that may be out of bounds and can't be checked, as sentences.
  [[nodiscard]] const std::set<std::string>& not_understood() const { return not_understood_; }
  [[nodiscard]] const Intervals& intervals() const { return intervals_; }

 private:
  struct Step {
    Id type = 0;
    Id variable = 0;
    bool known = true;         // offset is the whole of it
    std::uint64_t offset = 0;  // bytes from the start of the buffer
    Id descriptor = 0;         // index of the buffer, of an array of them
    std::string name;
  };
  void visit(const AccessPlace& place);
  void pointer(Id pointer, const AccessPlace& place);
  void chain(const Instruction& i, const AccessPlace& place);
  void step(Step& at, const Instruction& i, std::uint32_t operand, const AccessPlace& place);
  void texel(const Instruction& i, const AccessPlace& place);
  void leave(const std::string& why);
  void lane(const Instruction& i, const AccessPlace& place);
  void component(const Instruction& i, std::uint32_t operand, const AccessPlace& place);
  void use(IndexUse found, const AccessPlace& place);
  [[nodiscard]] Step start(Id base) const;
  void enter(Step& at, Id index, std::uint64_t stride) const;
  [[nodiscard]] bool is_inside(const IndexUse& use, std::size_t block) const;
  /// Nothing where it is not known.
  [[nodiscard]] std::vector<IndexRoom> rooms_of(const Step& at) const;
  [[nodiscard]] std::optional<std::uint64_t> length_of(const Step& at,
                                                       const BoundBuffer* buffer) const;
  [[nodiscard]] bool is_array_of_descriptors(const Step& at) const;
  [[nodiscard]] std::uint64_t stride_of(Id type) const;

  const Program& program_;
  Intervals intervals_;
  std::vector<IndexUse> uses_;
  std::vector<std::string> not_covered_;
  std::set<std::string> not_understood_;
};

}  // namespace spirv
