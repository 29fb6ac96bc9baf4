// Integer expressions carried out for one invocation and one setting of loops' counters at a time.
//
// Assumed: what InvocationValues does. A counter is given one value for a whole run, so that all
// that is worked out belongs to one turn of its loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "spirv/analysis/flow/program.h"
#include "spirv/analysis/values/invocation_values.h"

namespace spirv {

class Evaluation {
 public:
  /// `values` may be null: then only constants and counters are known. A counter that has a start
  /// (0: none) is that and what it is set to.
  Evaluation(
      const Program& program, InvocationValues* values, std::function<bool(Id)> is_counter,
      std::function<Id(Id)> start_of = [](Id) { return Id{0}; })
      : program_(program),
        values_(values),
        is_counter_(std::move(is_counter)),
        start_of_(std::move(start_of)) {}

  /// The value's place among results; nothing: something that it is worked out from is not known.
  [[nodiscard]] std::optional<std::size_t> add(Id value) { return add(value, 0); }
  /// Counters that what was added is worked out from, each once.
  [[nodiscard]] const std::vector<Id>& counters() const { return counters_; }
  /// Works everything out; `settings` are values of counters(), in that order.
  void run(std::uint32_t invocation, std::span<const std::uint64_t> settings);
  /// Of the last run; nothing where an operation's result is undefined.
  [[nodiscard]] const std::optional<std::uint64_t>& at(std::size_t place) const {
    return results_[place];
  }

 private:
  struct Step {
    enum class Kind : std::uint8_t { known, counter, operation, choice } kind = Kind::known;
    spv::Op op = spv::Op::OpNop;
    std::uint32_t width = 32;                ///< of the operands
    std::vector<std::size_t> operands;       ///< places; of a counter its place in counters()
    const InvocationValue* value = nullptr;  ///< of what is known
    InvocationValue constant;
  };
  [[nodiscard]] std::optional<std::size_t> add(Id value, int depth);
  [[nodiscard]] std::optional<Step> step_of(Id value, int depth);
  [[nodiscard]] std::optional<Step> step_of_counter(Id counter, int depth);
  std::size_t keep(Step step);

  const Program& program_;
  InvocationValues* values_;
  std::function<bool(Id)> is_counter_;
  std::function<Id(Id)> start_of_;
  std::unordered_map<Id, std::optional<std::size_t>> places_;
  std::vector<Step> steps_;
  std::vector<Id> counters_;
  std::vector<std::optional<std::uint64_t>> results_;
};

}  // namespace spirv
