#include "spirv/analysis/values/evaluation.h"

#include <algorithm>
#include <utility>

#include "spirv/module/constants.h"

namespace spirv {
namespace {

constexpr int deepest = 64;

}  // namespace

std::optional<std::size_t> Evaluation::add(Id value, int depth) {
  if (const auto known = places_.find(value); known != places_.end()) {
    return known->second;
  }
  std::optional<std::size_t> place;
  if (auto step = depth > deepest ? std::nullopt : step_of(value, depth)) {
    place = keep(std::move(*step));
  }
  places_[value] = place;
  return place;
}

std::size_t Evaluation::keep(Step step) {
  steps_.push_back(std::move(step));
  results_.emplace_back();
  return steps_.size() - 1;
}

std::optional<Evaluation::Step> Evaluation::step_of_counter(Id counter, int depth) {
  const Id start = start_of_(counter);
  const auto from = start == 0 ? std::nullopt : add(start, depth + 1);
  if (start != 0 && !from) {
    return std::nullopt;
  }
  Step set{.kind = Step::Kind::counter};
  set.operands.push_back(counters_.size());
  counters_.push_back(counter);
  if (start == 0) {
    return set;
  }
  Step sum{.kind = Step::Kind::operation, .op = spv::Op::OpIAdd};
  sum.width = scalar_width(program_.definitions, program_.definitions.of(counter).type);
  sum.operands = {*from, keep(std::move(set))};
  return sum;
}

std::optional<Evaluation::Step> Evaluation::step_of(Id value, int depth) {
  if (is_counter_(value)) {
    return step_of_counter(value, depth);
  }
  const InvocationValue* known = values_ != nullptr ? values_->of(value) : nullptr;
  if (known != nullptr && known->terms.empty()) {
    return Step{.value = known};
  }
  const Instruction& i = program_.definitions.of(value);
  if (const auto constant = program_.constants.scalar(value)) {
    Step step;
    step.constant.known = {*constant};
    return step;
  }
  const std::uint32_t width = scalar_width(program_.definitions, i.type);
  if (program_.block_of(value) == ControlFlow::none || width == 0 || width > 64) {
    return std::nullopt;
  }
  Step step{.kind = Step::Kind::operation, .op = i.op, .width = width};
  std::size_t count = 2;
  switch (i.op) {
    case spv::Op::OpSelect:
      step.kind = Step::Kind::choice;
      count = 3;
      break;
    case spv::Op::OpCopyObject:
    case spv::Op::OpBitcast:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpNot:
    case spv::Op::OpSNegate:
      count = 1;
      break;
    default:
      // Of any other operation fold() says that it does not know it.
      if (!fold(i.op, 32, 1, 1)) {
        return std::nullopt;
      }
      break;
  }
  if (i.operands.size() < count) {
    return std::nullopt;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto operand = add(i.word(k), depth + 1);
    if (!operand) {
      return std::nullopt;
    }
    step.operands.push_back(*operand);
  }
  const std::uint32_t of_operand =
      scalar_width(program_.definitions, program_.definitions.of(i.word(0)).type);
  if (i.op == spv::Op::OpBitcast && of_operand != width) {
    return std::nullopt;
  }
  if (step.kind == Step::Kind::operation && of_operand != 0) {
    step.width = of_operand;
  }
  return step;
}

void Evaluation::run(std::uint32_t invocation, std::span<const std::uint64_t> settings) {
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    const Step& step = steps_[n];
    const auto operand = [&](std::size_t k) -> const std::optional<std::uint64_t>& {
      return results_[step.operands[k]];
    };
    switch (step.kind) {
      case Step::Kind::known:
        results_[n] = (step.value != nullptr ? *step.value : step.constant).in(invocation);
        break;
      case Step::Kind::counter:
        results_[n] = settings[step.operands.front()];
        break;
      case Step::Kind::choice:
        results_[n] = !operand(0) ? std::nullopt : operand(*operand(0) != 0 ? 1 : 2);
        break;
      case Step::Kind::operation: {
        const bool copy = step.op == spv::Op::OpCopyObject || step.op == spv::Op::OpBitcast;
        const std::size_t second = step.operands.size() > 1 ? 1 : 0;
        results_[n] = copy ? operand(0)
                      : operand(0) && operand(second)
                          ? fold(step.op, step.width, *operand(0), *operand(second))
                          : std::nullopt;
        break;
      }
    }
  }
}

}  // namespace spirv
