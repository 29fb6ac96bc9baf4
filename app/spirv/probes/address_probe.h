// Memory behind addresses, as a part of the probe that checks a kernel: an access that is not known
// to be inside what was given there is kept inside (addresses.h), and told of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/analysis/memory/address_sites.h"
#include "spirv/probes/addresses.h"
#include "spirv/probes/insertions.h"

namespace spirv {

/// A check of an access by address: that it is inside its memory, or that it is aligned. If the
/// launch says which memory is meant, an access outside is reported with its index, else with the
/// bytes from the start of the memory. An access that may lead to several ranges has one of these
/// for each range.
struct CheckedAddress {
  SourceLine at;
  std::string member;  ///< may be empty
  bool writes = false;
  std::optional<std::uint32_t> buffer;  ///< a place in Launch::buffers; none: it leads to none
  std::optional<std::uint64_t> length;  ///< elements, of an index; none: it is told in bytes
  std::uint64_t bytes = 0;              ///< of the buffer
  bool is_signed = false;
  std::size_t block = 0;
  std::uint32_t alignment = 0;  ///< not 0: the address is no multiple of it, by so many bytes
};

class AddressProbe {
 public:
  /// Which accesses are to be checked; nothing is written yet. `ranges` are places in
  /// Launch::buffers, by where they lie. Where it does not tell, they are kept inside all the same.
  AddressProbe(const Program& program, const Intervals& intervals, AddressTable table,
               std::vector<std::uint32_t> ranges, bool tells);

  /// By what is told of; none where it does not tell.
  [[nodiscard]] const std::vector<CheckedAddress>& checked() const { return checked_; }
  [[nodiscard]] std::uint32_t sites() const;
  [[nodiscard]] std::uint32_t proven() const;
  /// The kernel has accesses that need the table.
  [[nodiscard]] bool any() const { return proven() < sites(); }
  [[nodiscard]] const std::vector<std::string>& not_understood() const {
    return sites_.not_understood();
  }
  /// `found` has a private word for each that is told of, 0 at the start.
  void write(Emitter& emitter, Insertions& code, const std::vector<Id>& found);

 private:
  struct Slot {
    std::uint32_t site = 0;
    std::optional<std::uint32_t> row;  // of the table; none: whichever it is
  };
  void choose(std::uint32_t number);
  void look_at_alignment(Insertions& code, const AddressSite& site, Id found);
  [[nodiscard]] Id row_of(AddressGuard& guard, std::vector<Instruction>& code,
                          const AddressGuard::Range& range, const AddressGuard::Kept& kept);
  void tell(AddressGuard& guard, std::vector<Instruction>& code, std::size_t number, Id row,
            const AddressGuard::Kept& kept, Id found);
  [[nodiscard]] Id word_of(AddressGuard& guard, std::vector<Instruction>& code, const Slot& slot,
                           const CheckedAddress& told, const AddressGuard::Kept& kept);

  const Program& program_;
  AddressTable table_;
  std::vector<std::uint32_t> ranges_;
  AddressSites sites_;
  std::vector<Slot> slots_;
  std::vector<CheckedAddress> checked_;
  std::vector<std::uint32_t> misaligned_;  // sites that may be, told of behind all slots
  Emitter* emitter_ = nullptr;
  Insertions* insertions_ = nullptr;
};

/// The word that is told of an access; the index, or the bytes, that it was.
[[nodiscard]] std::int64_t number_of(const CheckedAddress& address, std::uint32_t word);

}  // namespace spirv
