// Where a kernel under the race probe calls the functions that follow memory across workgroups and
// through atomics (order_layout.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "spirv/analysis/examination.h"
#include "spirv/analysis/memory/buffer_proofs.h"
#include "spirv/probes/insertions.h"
#include "spirv/probes/order/order_layout.h"
#include "spirv/probes/order/order_runtime.h"

namespace spirv {

struct OrderProbeOptions {
  bool wanted = false;  ///< else nothing is followed
  bool longs = false;   ///< the device has 64-bit integers, and atomics on them in buffers
  /// Proofs may go by what is likely and is looked at while the kernel runs: OrderPlan::guesses.
  bool guesses = true;
  std::uint32_t subgroup = 0;  ///< invocations of a subgroup, as the device tells
  LaunchFacts launch;
  std::uint64_t groups = 1;          ///< workgroups, by number: all are below
  std::vector<std::uint64_t> bytes;  ///< of each buffer, by binding
  std::uint64_t shadow_bytes = 0;    ///< that all cells may take together
  std::uint32_t ledger_binding = 0;
  std::uint32_t cells_binding = 0;
  bool fences_yield = false;  ///< OrderRuntimeOptions::fences_yield
  bool compact = false;       ///< OrderRuntimeOptions::compact
};

class OrderProbe {
 public:
  OrderProbe(const Examination& examination, const OrderProbeOptions& options);

  [[nodiscard]] const OrderPlan& plan() const { return plan_; }

  /// Writes the functions and their calls. `shared_cell` is the number of the cell that an access
  /// to shared memory touches first, and `shared_values` what it writes, a word a cell.
  using CellOf = std::function<Id(const Site&, const CodePlace&)>;
  using HashesOf = std::function<std::vector<Id>(const Site&, const CodePlace&)>;
  void instrument(Emitter& emitter, Insertions& code, Id header, const CellOf& shared_cell,
                  const HashesOf& shared_values);
  /// What is to be called at the kernel's end; 0: nothing.
  [[nodiscard]] Id end() const { return runtime_ ? runtime_->end() : 0; }

 private:
  void choose_shared();
  void look_at_ticket();
  [[nodiscard]] std::vector<LaunchFacts> guessed() const;
  [[nodiscard]] std::optional<OrderPlan::Guesses::Words> counter_of(
      const BufferProofs& proofs) const;
  void choose_buffers(const BufferProofs& proofs);
  void lay_out(std::uint64_t shadow_bytes);
  void add_kind(OrderMemory& memory, OrderKind kind) const;
  [[nodiscard]] std::uint32_t memory_of(MemoryClass memory, std::uint32_t index,
                                        std::uint64_t cells);
  void note_buffer(std::uint32_t number);
  void note_shared(std::uint32_t number, const CellOf& shared_cell, const HashesOf& shared_values);
  void note_cells(const CodePlace& at, std::uint32_t number, OrderKind kind, Id first,
                  std::uint64_t cells, const std::vector<Id>& hashes);
  [[nodiscard]] Id buffer_cell(const BufferSite& site, const CodePlace& at);
  void note_events(const CellOf& shared_cell);
  void note_event(const SyncSite& site, const CellOf& shared_cell);
  [[nodiscard]] Id written_by(const Instruction& atomic, const CodePlace& at, Id& read, Id& wrote);
  void count_phases();

  const Examination& x_;
  const Program& program_;
  OrderProbeOptions options_;
  OrderPlan plan_;
  Emitter* emitter_ = nullptr;
  Insertions* code_ = nullptr;
  std::unique_ptr<OrderRuntime> runtime_;
};

}  // namespace spirv
