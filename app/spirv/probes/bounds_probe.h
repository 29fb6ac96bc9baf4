// The bounds check, as a part of the probe that checks a kernel: an index that is not known to be
// inside is kept inside, whatever it is, and told of.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "spirv/analysis/memory/bounds.h"
#include "spirv/probes/insertions.h"

namespace spirv {

/// An index that is checked against the length of its array on the device, and kept inside. Where
/// that is another one in each of an array of descriptors, one for each length.
struct CheckedIndex {
  SourceLine at;
  std::string variable;
  spv::StorageClass storage = spv::StorageClass::Function;
  std::uint64_t length = 0;
  bool is_signed = false;
  std::uint32_t coordinate = 0;       ///< of an image: which
  std::vector<std::uint32_t> extent;  ///< of an image
  Id index = 0;
  Id array = 0;                     ///< the variable; 0 if it is not known
  bool reads_texel = false;         ///< of an image: it is read without a sampler, and not written
  std::vector<std::size_t> blocks;  ///< of the accesses that use it
};

/// What an index has become. An access through one that was outside goes to the last element; where
/// that is noted, `outside` says so.
struct KeptIndex {
  Id index = 0;    ///< a word, inside whatever happens
  Id outside = 0;  ///< a boolean
};

class BoundsProbe {
 public:
  /// Which indices are to be checked; nothing is written yet. Where it does not tell, they are kept
  /// inside all the same.
  explicit BoundsProbe(const Bounds& bounds, bool tells = true);

  /// By what is told of; none where it does not tell.
  [[nodiscard]] std::vector<CheckedIndex> checked() const {
    return tells_ ? checked_ : std::vector<CheckedIndex>();
  }
  /// Writes the checks. `found` has a private word for each checked index, 0 at the start: then the
  /// index that was outside (its highest bit set where the array has no element).
  void write(const Program& program, Emitter& emitter, Insertions& code,
             const std::vector<Id>& found);
  /// Null: the index is what it was.
  [[nodiscard]] const KeptIndex* kept(const IndexLink& link) const;

 private:
  struct Use {
    std::size_t number = 0;              // place in Bounds::all()
    std::size_t first = 0;               // of what is told of it
    std::vector<std::uint64_t> told_as;  // by descriptor: which of those
  };
  struct Told {
    Id index = 0;    // a word
    Id outside = 0;  // a boolean
    Id found = 0;    // where to say so
  };
  void add(std::size_t number);
  static void tell(const Program& program, const IndexUse& use, Emitter& emitter, Insertions& code,
                   const Told& told);

  const Bounds& bounds_;
  bool tells_;
  std::vector<Use> uses_;
  std::vector<CheckedIndex> checked_;
  std::map<IndexLink, KeptIndex> kept_;
};

/// The word that an index which was outside is found as; the number it was.
[[nodiscard]] std::int64_t number_of(const CheckedIndex& index, std::uint32_t word);

}  // namespace spirv
