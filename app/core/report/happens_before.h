// What happens before what in a run, as far as barriers of workgroups, atomics and fences say
// (Vulkan specification, appendix "Vulkan Memory Model"): from the events of synchronization that a
// run had, and in which order they were begun.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/findings/memory_model.h"

namespace core {

/// An atomic or a fence of one invocation. `begun` is its place among all events of atomics that
/// write, given before it was done; `seen` how many had begun when it was done. So whatever it read
/// was begun before `seen`. Which of those it read its value tells.
struct SyncEvent {
  std::uint32_t invocation = 0;  ///< of the whole launch: workgroup · invocations + local index
  std::uint32_t number = 0;      ///< events of the invocation before it
  std::array<std::uint32_t, memory_classes> phase{};  ///< barriers passed that order such memory
  bool fence = false;
  std::uint64_t location = 0;  ///< of an atomic: the same number for the same cell
  bool reads = false;
  bool writes = false;
  std::uint32_t value_read = 0;
  std::uint32_t value_written = 0;
  bool any_value = false;      ///< what was written is not known: any later value may be it
  std::uint32_t acquires = 0;  ///< bits of classes, 1 << MemoryClass
  std::uint32_t releases = 0;
  MemoryScope scope = MemoryScope::device;
  std::uint32_t begun = 0;
  std::uint32_t seen = 0;
};

/// When an invocation accessed memory.
struct SyncPoint {
  std::uint32_t invocation = 0;
  std::uint32_t phase = 0;   ///< of the memory's class
  std::uint32_t number = 0;  ///< events of the invocation before it
  bool atomic = false;
};

/// An access happens before another of another invocation when
/// - a barrier that orders such memory lies between them in one workgroup, or
/// - a release behind the first (an atomic's own, or a fence's before a later atomic that writes)
/// was
///   read by an acquire before the second (an atomic's own, or a fence's behind an atomic that
///   reads): the value itself, or what atomics that read and write made of it, one after the other
///   (the release sequence); each at a scope that has the other, or
/// - a fence that releases and one that acquires have a barrier of their workgroup between them, or
/// - all of these, one after the other.
///
/// Two things more count than the model grants, as kernels rely on them and devices keep them: a
/// fence before a barrier of the workgroup also stands for the atomics of others behind that
/// barrier, and one behind it for those before; and an atomic that was read from, or that what was
/// read was made of, comes before what follows the acquire. What was read is known by its value:
/// where several events wrote it, all those that had begun count, so that an order may be found
/// that was not there, and none is missed.
class HappensBefore {
 public:
  /// `per_workgroup` is invocations.
  HappensBefore(std::vector<SyncEvent> events, std::uint32_t per_workgroup);

  [[nodiscard]] bool before(const SyncPoint& first, const SyncPoint& second, MemoryClass memory);
  /// So much was handed on that it was not followed to its end: what before() denies since then is
  /// not known.
  [[nodiscard]] bool exhausted() const { return work_ > most_work; }

 private:
  static constexpr std::uint64_t most_work = std::uint64_t{1} << 28U;
  // What is known to come before one read; numbers are one more than the last that does.
  struct Past {
    std::unordered_map<std::uint32_t, std::uint32_t> events;   // by invocation
    std::unordered_map<std::uint32_t, std::uint32_t> atomics;  // by invocation: these alone
    std::unordered_map<std::uint32_t, std::uint32_t> phases;   // by workgroup
    [[nodiscard]] bool has(const SyncPoint& point, std::uint32_t group) const;
  };
  // An event that read, and among whom what it read is acquired; or a fence that released.
  struct Read {
    std::uint32_t event = 0;
    MemoryScope scope = MemoryScope::device;
    auto operator<=>(const Read&) const = default;
  };
  struct Group {
    std::vector<std::uint32_t> acquires;  // events
    std::vector<std::uint32_t> reads;
    std::vector<std::uint32_t> release_fences;
  };
  class Search;

  [[nodiscard]] std::uint32_t group_of(std::uint32_t invocation) const {
    return invocation / per_workgroup_;
  }
  // How far a workgroup's barriers were gone through, by workgroup and scope: fences behind the
  // same ones have the same before them.
  using Passed =
      std::map<std::pair<std::uint32_t, MemoryScope>, std::array<std::uint32_t, memory_classes>>;
  // Is there more before an event's barriers than before?
  [[nodiscard]] static bool goes_on(Passed& passed, std::uint32_t group, MemoryScope scope,
                                    const SyncEvent& e);
  void acquire(std::uint32_t event, Passed& passed, std::vector<Read>& found);
  [[nodiscard]] const std::vector<Read>& acquired_before(const SyncPoint& point,
                                                         MemoryClass memory);
  [[nodiscard]] const Past& past(const std::vector<Read>& reads, std::uint32_t group,
                                 MemoryClass memory);

  std::vector<SyncEvent> events_;
  std::uint32_t per_workgroup_;
  std::uint64_t work_ = 0;
  std::unordered_map<std::uint32_t, Group> groups_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> acquires_;  // by invocation
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> reads_;     // by invocation
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> fences_;  // by invocation: releases
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>> writers_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> any_writers_;
  std::unordered_map<std::uint64_t, bool> narrow_;  // locations with writes below device scope
  std::map<std::tuple<std::vector<Read>, std::uint32_t, MemoryClass>, Past> pasts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, MemoryClass>, std::vector<Read>>
      acquired_;
};

}  // namespace core
