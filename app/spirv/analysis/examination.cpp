#include "spirv/analysis/examination.h"

#include <utility>

#include "core/base/step.h"
#include "spirv/module/canonical.h"

namespace spirv {

Examination::Examination(std::unique_ptr<Program> p)
    : program_(std::move(p)),
      program(*program_),
      phases(program),
      uniformity(program, phases),
      sites(program, phases),
      proofs(program, phases, uniformity, sites) {}

Expected<std::unique_ptr<Examination>> Examination::of(std::span<const std::uint32_t> words,
                                                       const SpecValues& spec_values,
                                                       const BarrierEdits& edits) {
  const core::Step step("examining it", core::kExamineSeconds);
  if (const auto valid = validate(words); !valid) {
    return std::unexpected(valid.error());
  }
  auto module = parse(words);
  if (!module) {
    return std::unexpected(module.error());
  }
  if (const auto edited = edit_barriers(*module, edits); !edited) {
    return std::unexpected(edited.error());
  }
  const auto form = canonical(write(*module), spec_values);
  if (!form) {
    return std::unexpected(form.error());
  }
  return of_canonical(*form);
}

Expected<std::unique_ptr<Examination>> Examination::of_canonical(
    std::span<const std::uint32_t> words) {
  const core::Step step("examining it", core::kExamineSeconds);
  auto opened = Program::open(words);
  if (!opened) {
    return std::unexpected(opened.error());
  }
  return std::unique_ptr<Examination>(new Examination(std::move(*opened)));
}

}  // namespace spirv
