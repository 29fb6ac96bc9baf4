// The functions that follow memory across workgroups and through atomics: notes on accesses, events
// of synchronization. What they keep is described in order_layout.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module/emitter.h"
#include "spirv/probes/order/order_layout.h"

namespace spirv {

struct OrderRuntimeOptions {
  std::uint32_t set = 0;
  std::uint32_t ledger_binding = 0;
  std::uint32_t cells_binding = 0;
  std::uint32_t invocations = 1;  ///< a workgroup
  bool subgroups_shared = false;  ///< subgroup barriers order shared memory
  bool subgroups_buffers = false;
  bool subgroups_images = false;
  /// A memory barrier may let other subgroups of the workgroup go on (llvmpipe), so that those
  /// which meet more of them than others come to the next barrier too late: atomics order instead.
  bool fences_yield = false;
  /// Loops over words and stamps instead of a copy for each: RaceProbeOptions::compact. A compiler
  /// that runs both sides of every branch (llvmpipe) goes through each once where nobody is in it.
  bool compact = false;
  bool private_accesses = false;  ///< there are stamps with OrderStamp::unordered
  Id muted = 0;  ///< a private word: where it is not 0, accesses are not noted; 0: there is none
};

class OrderRuntime {
 public:
  /// `header` is the buffer of findings, whose header tells the launch's size.
  OrderRuntime(Emitter& emitter, const OrderPlan& plan, const Synchronization& synchronization,
               Id header, OrderRuntimeOptions options);

  /// To be called first: (); behind it every invocation may go on.
  [[nodiscard]] Id begin() const { return begin_; }
  /// To be called last: ().
  [[nodiscard]] Id end() const { return end_; }
  /// To be called once by each invocation of a workgroup: (what the workgroup drew).
  [[nodiscard]] Id ticket();
  /// Notes an access: (cell, site and scope bits, hash of the value written).
  [[nodiscard]] Id note(std::uint32_t memory, OrderKind kind);
  /// The same of several cells: (first cell, cells, site and scope bits, hash).
  [[nodiscard]] Id note_many(std::uint32_t memory, OrderKind kind);
  /// Behind a barrier that orders such memory: ().
  [[nodiscard]] Id next_phase(MemoryClass memory);
  /// Before an atomic that may write: (); behind any: (site, cell, value read, value written,
  /// whether it wrote).
  [[nodiscard]] Id announce() const { return announce_; }
  [[nodiscard]] Id happened() const { return happened_; }
  /// At a fence: (site).
  [[nodiscard]] Id fence() const { return fence_; }

 private:
  struct Stamp {
    Id high = 0;
    Id low = 0;
  };
  // The low words of a stamp for each memory.
  struct Times {
    Id shared = 0;
    Id buffer = 0;
    Id image = 0;
  };
  [[nodiscard]] Id scope();
  [[nodiscard]] Id ledger(Code& code, Id index);
  [[nodiscard]] Id cell_pointer(Code& code, Id word);
  Id count(Code& code, Id index, std::uint32_t by);
  [[nodiscard]] Stamp unpack(Code& code, Id packed);
  [[nodiscard]] Id pack(Code& code, const Stamp& stamp);
  [[nodiscard]] Stamp look(Code& code, Id word);
  [[nodiscard]] Stamp swap(Code& code, Id word, const Stamp& stamp);
  void put(Code& code, Id word, const Stamp& stamp);
  [[nodiscard]] Id and_(Code& code, Id a, Id b);
  [[nodiscard]] Id or_(Code& code, Id a, Id b);
  [[nodiscard]] Id not_(Code& code, Id a);
  [[nodiscard]] Id group_of(Code& code, Id high);
  [[nodiscard]] Id same_phase(Code& code, Id a, Id b);
  [[nodiscard]] Id time(MemoryClass memory) const {
    return memory == MemoryClass::shared   ? time_shared_
           : memory == MemoryClass::buffer ? time_buffer_
                                           : time_image_;
  }
  /// For the whole device where nobody is named.
  void order_memory(Code& code, std::optional<spv::Scope> among = {});
  void settle(Code& code, Id value);
  void write_begin();
  void look_at_subgroup(Code& code, Id me);
  void write_end();
  void write_log();
  void write_announce();
  void write_happened();
  void write_fence();
  [[nodiscard]] Times now(Code& code);
  [[nodiscard]] Times then(Code& code);
  [[nodiscard]] Id stands(Code& code);
  [[nodiscard]] Id kind_of_fence(Code& code);
  [[nodiscard]] Id events_begun(Code& code);
  void log_fence(Code& code);
  void fence_stands(Code& code);
  [[nodiscard]] Id meet(std::uint32_t memory, bool narrow);
  [[nodiscard]] Id write_meet(std::uint32_t memory, bool narrow);
  void record(Code& code, std::uint32_t memory, const Stamp& before, const Stamp& mine);
  void mark_cell(Code& code, std::uint32_t memory);
  void ask(Code& code, std::uint32_t memory, const Stamp& before, const Stamp& mine);
  [[nodiscard]] Id write_note(std::uint32_t memory, OrderKind kind);
  [[nodiscard]] Id enter(Code& code, std::uint32_t memory, Id base, std::uint32_t slot,
                         const Stamp& mine);
  [[nodiscard]] Id once_entered(Code& code, Id base, Id displaced);
  void call_meet(Code& code, std::uint32_t memory, bool narrow, const Stamp& before,
                 const Stamp& mine, Id flags);
  [[nodiscard]] bool followed(std::uint32_t memory) const;
  [[nodiscard]] Id at(Code& code, Id base, std::uint32_t words);
  void tick(Code& code, Id condition);
  void overflows(Code& code, Id condition);
  // Where a condition is given and holds, only one of the words.
  struct OnlyOne {
    Id condition;
    std::uint32_t word;
  };
  void store_words(Code& code, Id first, const std::vector<Id>& words, OnlyOne one = OnlyOne(0, 0));
  void meet_words(Code& code, std::uint32_t memory, OrderKind kind, Id base, const Stamp& mine,
                  const Stamp& before, Id flags);
  [[nodiscard]] Id compare_values(Code& code, std::uint32_t memory, Id stamps, const Stamp& before,
                                  const Stamp& mine);
  void meet_kinds(Code& code, std::uint32_t memory, OrderKind kind, Id base, const Stamp& mine);

  Emitter& e_;
  const OrderPlan& plan_;
  const Synchronization& synchronization_;
  OrderRuntimeOptions options_;
  Id header_ = 0;
  Id ledger_ = 0;
  Id cells_ = 0;
  Id who_ = 0;
  Id room_ = 0;
  Id time_shared_ = 0;
  Id time_buffer_ = 0;
  Id time_image_ = 0;
  Id lane_shift_ = 0;
  Id ticket_ = 0;     // 1 + the event begun; 0: none
  Id last_site_ = 0;  // 1 + of the last event that only read
  Id last_cell_ = 0;
  Id last_value_ = 0;
  Id last_event_ = 0;
  // A fence is an event only once it stands between others: 1 + its site, whether it has been
  // counted as one, and when it was.
  Id fence_pending_ = 0;
  Id fence_counted_ = 0;
  Id fence_reach_ = 0;
  Id fence_shared_ = 0;
  Id fence_buffer_ = 0;
  Id fence_image_ = 0;
  Id noted_ = 0;  // whether something was since the last event
  Id meeting_cell_ = 0;
  Id overflowed_ = 0;
  Id begin_ = 0;
  Id end_ = 0;
  Id announce_ = 0;
  Id happened_ = 0;
  Id fence_ = 0;
  Id log_ = 0;
  std::map<std::pair<std::uint32_t, bool>, Id> meet_;
  std::map<std::pair<std::uint32_t, OrderKind>, Id> note_;
  std::map<std::pair<std::uint32_t, OrderKind>, Id> note_many_;
  std::map<MemoryClass, Id> next_phase_;
};

}  // namespace spirv
