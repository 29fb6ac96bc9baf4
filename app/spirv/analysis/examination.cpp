#include "spirv/analysis/examination.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/limits.h"
#include "core/base/watched_step.h"
#include "spirv/module/canonical.h"

namespace spirv {

namespace {

// Of words that may be no module.
std::size_t count_accesses(std::span<const std::uint32_t> words) {
  constexpr std::size_t kHeader = 5;
  std::size_t count = 0;
  for (std::size_t at = kHeader; at < words.size(); at += std::max(words[at] >> 16U, 1U)) {
    const auto op = static_cast<spv::Op>(words[at] & 0xFFFFU);
    count += op == spv::Op::OpLoad || op == spv::Op::OpStore || is_atomic(op) ? 1U : 0U;
  }
  return count;
}

// Accesses to shared memory of a module's text, in functions that are reached, on whose lines the
// canonical form has none.
std::vector<std::uint32_t> accesses_missing(const Module& module, const Examination& examination) {
  const Definitions definitions(module);
  const auto shared = [&](Id pointer) {
    const Instruction& type = definitions.of(definitions.of(pointer).type);
    return type.op == spv::Op::OpTypePointer &&
           static_cast<spv::StorageClass>(type.word(0)) == spv::StorageClass::Workgroup;
  };
  std::vector<std::uint32_t> missing;
  std::vector<Id> functions{compute_entry(module)->word(1)};
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const auto function = std::ranges::find(module.functions, functions[f], &Function::id);
    if (function == module.functions.end()) {
      continue;
    }
    for (const Block& block : function->blocks) {
      for (const Instruction& i : block.body) {
        if (i.op == spv::Op::OpFunctionCall &&
            std::ranges::find(functions, i.word(0)) == functions.end()) {
          functions.push_back(i.word(0));
        }
        const bool touches = i.op == spv::Op::OpLoad || i.op == spv::Op::OpStore ||
                             i.op == spv::Op::OpCopyMemory || is_atomic(i.op);
        const auto on_its_line = [&](const Site& site) { return site.at.line == i.at.line; };
        if (touches && shared(i.word(0)) &&
            std::ranges::none_of(examination.sites.all(), on_its_line)) {
          missing.push_back(i.at.line);
        }
      }
    }
  }
  return missing;
}

}  // namespace

Examination::Examination(std::unique_ptr<Program> p)
    : program_(std::move(p)),
      program(*program_),
      phases(program),
      uniformity(program, phases),
      sites(program, phases),
      buffer_phases(program, MemoryClass::buffer),
      image_phases(program, MemoryClass::image),
      buffers(program, buffer_phases, image_phases),
      synchronization(program, sites, buffers),
      proofs(program, phases, uniformity, sites) {
  if (synchronization.hands_on(MemoryClass::shared)) {
    proofs.hand_over();
  }
}

Expected<std::unique_ptr<Examination>> Examination::of(std::span<const std::uint32_t> words,
                                                       const SpecValues& spec_values,
                                                       const BarrierEdits& edits) {
  const core::WatchedStep step("analysing", core::limits::examine_seconds);
  if (const std::size_t accesses = count_accesses(words); accesses > core::limits::accesses) {
    return core::device_error("the kernel has " + std::to_string(accesses) +
                              " loads and stores; more than " +
                              std::to_string(core::limits::accesses) + " are not supported");
  }
  TRY(validate(words));
  auto module = TRY(parse(words));
  TRY(edit_barriers(module, edits));
  const auto form = TRY(canonical(write(module), spec_values));
  auto examination = of_canonical(form);
  if (examination) {
    (*examination)->removed = accesses_missing(module, **examination);
  }
  return examination;
}

Expected<std::unique_ptr<Examination>> Examination::of_canonical(
    std::span<const std::uint32_t> words, Launch launch) {
  const core::WatchedStep step("analysing", core::limits::examine_seconds);
  auto opened = TRY(Program::open(words, std::move(launch)));
  return std::unique_ptr<Examination>(new Examination(std::move(opened)));
}

}  // namespace spirv
