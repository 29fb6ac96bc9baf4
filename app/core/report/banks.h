// Banks of shared memory and sectors of global memory: what an instruction costs there. Modelled
// from the accesses of a trace, by published rules; nothing here was counted by hardware.
//
// Shared memory has 32 banks of 4 bytes; a word's bank is its address in words modulo 32. A request
// whose lanes want different words of one bank takes as many passes as the fullest bank has words
// ("ways"); lanes that want the same word share it. 8-byte accesses are served a half of the 32
// lanes at a time, 16-byte accesses a quarter (NVIDIA, "CUDA C++ Programming Guide", Compute
// Capabilities: Shared Memory, of 5.x for the rule and of 2.x for wide accesses; AMD, "RDNA
// Performance Guide": 32 banks of 4 bytes, too). Of reads, two such halves, or the two quarters of
// a half, go as one where each lane wants what lane xor 1 wants, or each what lane xor 2 wants: not
// documented, but counted so on an NVIDIA H200, as all of these rules were
// (tests/core/banks_counted_test.cpp). Atomics on one word are taken one after the other.
//
// Global memory is fetched in sectors of 32 bytes: an instruction takes as many as its lanes touch
// (NVIDIA, "CUDA C++ Best Practices Guide", Coalesced Access to Global Memory). Buffers are taken
// to begin on a sector: they are bound from their start, and Vulkan aligns that to more.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/model/instructions.h"
#include "core/report/trace.h"

namespace core {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;
constexpr std::uint32_t kSectorBytes = 32;

[[nodiscard]] constexpr std::uint32_t bank_of(std::uint64_t address) {
  return static_cast<std::uint32_t>(address / kBankBytes % kBanks);
}

/// What one instruction costs in shared memory.
struct BankUse {
  std::uint32_t lanes = 0;   ///< that take part
  std::uint32_t ways = 0;    ///< turns that the fullest bank takes in one request
  std::uint32_t words = 0;   ///< that it gives in them: fewer than ways where atomics share one
  std::uint32_t bank = 0;    ///< that bank; of several the first
  std::uint32_t passes = 0;  ///< over all requests: what it takes
  std::uint32_t least = 0;   ///< what it would take without conflicts
  std::uint32_t among = 0;   ///< lanes that want words of that bank in the one request
  bool operator==(const BankUse&) const = default;
};
[[nodiscard]] BankUse bank_use(std::span<const LaneAccess> accesses, Access access = Access::read);

/// What one instruction fetches from global memory.
struct SectorUse {
  std::uint32_t lanes = 0;
  std::uint64_t asked = 0;    ///< bytes, of all lanes
  std::uint64_t used = 0;     ///< bytes of the sectors that any lane asked for
  std::uint32_t sectors = 0;  ///< touched
  bool operator==(const SectorUse&) const = default;
};
[[nodiscard]] SectorUse sector_use(std::span<const LaneAccess> accesses);

/// All instructions of a site, [first, last) of Instructions::list.
struct SiteInstructions {
  std::uint32_t site = 0;  ///< place in Trace::sites
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t worst = 0;  ///< the first of those that cost most
  std::uint32_t lanes = 0;  ///< that the fullest of them has
  [[nodiscard]] std::uint32_t count() const { return last - first; }
};

struct SharedSite {
  SiteInstructions instructions;
  std::uint32_t worst_ways = 0;
  double mean_ways = 0.0;  ///< over instructions
  std::uint64_t passes = 0;
  std::uint64_t least = 0;
  [[nodiscard]] std::uint64_t extra() const { return passes - least; }
};

struct GlobalSite {
  SiteInstructions instructions;
  std::uint64_t asked = 0;
  std::uint64_t used = 0;
  std::uint64_t sectors = 0;
  double worst = 1.0;  ///< efficiency of the least efficient instruction
  [[nodiscard]] std::uint64_t fetched() const { return sectors * kSectorBytes; }
  /// Bytes used of those fetched, 0 to 1.
  [[nodiscard]] double efficiency() const;
};

/// A shared site if its variable had other rows: without the columns that nobody touches, or with
/// one more.
struct PaddedSite {
  std::int32_t columns = 0;  ///< more a row; 0: the variable has no rows
  SharedSite site;
};

/// What the sites of a trace cost when these lanes share instructions.
struct LaneReport {
  Instructions instructions;
  std::vector<SharedSite> shared;  ///< in the order of the text
  std::vector<PaddedSite> padded;  ///< of each of them
  std::vector<GlobalSite> global;
};

/// How often a workgroup reads the elements of a buffer that it reads at all.
struct Reuse {
  std::uint32_t variable = 0;  ///< place in Trace::variables
  std::uint64_t elements = 0;  ///< scalars that are read at least once
  std::uint64_t reads = 0;
  std::uint64_t most = 0;  ///< reads of the one that is read most
  [[nodiscard]] double mean() const;
};

struct BankReport {
  /// Of each shared variable: 4-byte words that are touched at any time; empty for buffers.
  std::vector<std::vector<bool>> touched;
  std::shared_ptr<const LaneReport> subgroups;
  std::shared_ptr<const LaneReport> of_32;  ///< the same object where subgroups are that
  std::vector<Reuse> reuse;
  [[nodiscard]] const LaneReport& by(Lanes lanes) const {
    return lanes == Lanes::subgroups ? *subgroups : *of_32;
  }
};

[[nodiscard]] BankReport bank_report(const Trace& trace);

/// Columns at the end of every row that no invocation ever touches: padding. 0: none, or no rows.
[[nodiscard]] std::uint32_t padding_columns(const TracedVariable& variable,
                                            const std::vector<bool>& touched);

/// What the lanes of a conflict want: "32 words of bank 3", "32 updates of 1 word of bank 3".
[[nodiscard]] std::string wanted_text(const BankUse& use);
/// "32 ways: 32 lanes of subgroup 0 want 32 words of bank 3". `lanes`: those that spoken_of()
/// counts.
[[nodiscard]] std::string sentence(const BankUse& use, const std::string& lanes);
/// The lanes that a sentence tells of: those of the conflict; without one, all.
[[nodiscard]] constexpr std::uint32_t spoken_of(const BankUse& use) {
  return use.ways > 1 ? use.among : use.lanes;
}
/// So many lanes of a group: "32 lanes of subgroup 0", "invocations 0 to 31".
[[nodiscard]] std::string lanes_text(const Trace& trace, Lanes lanes, std::uint32_t group,
                                     std::uint32_t count);

}  // namespace core
