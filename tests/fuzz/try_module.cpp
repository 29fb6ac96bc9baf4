#include "fuzz/try_module.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "spirv/analysis/values/facts.h"
#include "spirv/analysis/values/loop_bounds.h"
#include "spirv/module/canonical.h"
#include "spirv/probes/inside.h"
#include "spirv/probes/race/race_probe.h"
#include "spirv/probes/timeline_probe.h"
#include "spirv/probes/trace_probe.h"
#include "spirv/reflection/entry_points.h"
#include "spirv/reflection/flat_bindings.h"
#include "spirv/reflection/launch_size.h"

namespace fuzz {
namespace {

using spirv::BarrierEdits;
using spirv::BarrierKind;
using spirv::Expected;
using spirv::Words;

void require(bool holds, const char* promise, const std::string& why = {}) {
  if (!holds) {
    std::fprintf(stderr, "broken promise: %s: %s\n", promise, why.c_str());
    std::abort();
  }
}

template <class T>
void require(const Expected<T>& result, const char* promise) {
  require(result.has_value(), promise, result ? "" : result.error().message);
}

// Lines that a compiler left out are guessed at each reading.
Words without_lines(const Words& words) {
  Words rest(words.begin(), words.begin() + 5);
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16U) {
    const auto op = static_cast<spv::Op>(words[at] & 0xFFFFU);
    if (op != spv::Op::OpLine && op != spv::Op::OpNoLine) {
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
      rest.insert(rest.end(), begin, begin + (words[at] >> 16U));
    }
  }
  return rest;
}

// Edits that fail must do so with an error; what they leave behind must be readable.
void edit(const spirv::Module& module) {
  for (const BarrierKind kind : core::barrier_kinds()) {
    spirv::Module edited = module;
    if (spirv::edit_barriers(edited, {{1, kind}})) {
      require(spirv::parse(spirv::write(edited)), "an edited module can be read");
    }
  }
  spirv::Module flat = module;
  if (spirv::select_entry(flat, "")) {
    if (const auto interface = spirv::reflect(flat, {})) {
      spirv::FlatNumbers numbers;
      for (const spirv::Binding& b : spirv::flat_bindings(*interface).resources) {
        numbers.try_emplace({b.set, b.binding}, static_cast<std::uint32_t>(numbers.size()));
      }
      spirv::flatten_bindings(flat, numbers);
    }
  }
}

Words with_launch_size(spirv::Module module) {
  spirv::freeze_launch_size(module, {5, 3, 2});
  return spirv::write(module);
}

Words inside(spirv::Module module) {
  static_cast<void>(spirv::keep_inside(module, {}));
  return spirv::write(module);
}

void probe(spirv::Examination& examination, std::size_t loops, bool in_buffer, bool compact) {
  spirv::RaceProbeOptions options;
  options.shadow_in_buffer = in_buffer;
  options.compact = compact;
  options.findings_binding = 1000;
  options.shadow_binding = 1001;
  options.loops = static_cast<std::uint32_t>(loops);
  if (const auto made = spirv::make_race_probe(examination, options)) {
    require(spirv::validate(made->words), "a probe is valid");
  }
}

spirv::Launch some_launch() {
  spirv::Launch launch;
  launch.groups = {3, 2, 1};
  for (std::uint32_t n = 0; n < 16; ++n) {
    launch.push_constants.emplace_back(n * n * n);
    launch.buffers.push_back({n * 64ULL, {n, 40U, std::nullopt, 0xFFFFFFFFU}});
  }
  return launch;
}

void examine(std::span<const std::uint32_t> words, const BarrierEdits& edits) {
  const auto examination = spirv::Examination::of(words, {}, edits);
  if (!examination) {
    return;
  }
  (void)(*examination)->uniformity.divergent_barriers();
  (void)spirv::facts_of(words, {}, edits, **examination);
  const auto bounded = spirv::bound_loops(**examination, {});
  if (!bounded) {
    return;
  }
  const auto again = spirv::Examination::of_canonical(bounded->words);
  require(again, "a module with bounded loops can be examined");
  probe(**again, bounded->loops.size(), !edits.empty(), edits.empty());
  const auto launched = spirv::Examination::of_canonical(bounded->words, some_launch());
  require(launched, "a module can be examined for a launch");
  probe(**launched, bounded->loops.size(), !edits.empty(), !edits.empty());
  const auto traced = spirv::make_trace_probe(**again, {.binding = 1000});
  require(spirv::validate(traced.words), "a trace probe is valid");
  for (const auto places :
       {spirv::PlaceBuiltIns::none, spirv::PlaceBuiltIns::nv, spirv::PlaceBuiltIns::arm}) {
    const auto timed =
        spirv::make_timeline_probe(**examination, {.binding = 1000, .rows = 8, .places = places});
    require(spirv::validate(timed.words), "a timeline probe is valid");
  }
}

}  // namespace

void try_module(std::span<const std::uint32_t> words) {
  const auto module = spirv::parse(words);
  if (!module) {
    return;
  }
  const Words written = spirv::write(*module);
  const auto again = spirv::parse(written);
  require(again, "what was written can be read");
  require(without_lines(spirv::write(*again)) == without_lines(written),
          "reading and writing are inverse but for lines");
  (void)spirv::reflect(*module, {});
  edit(*module);
  const Words sized = with_launch_size(*module);
  if (spirv::validate(words)) {
    require(spirv::validate(sized), "a module with its launch's size is valid");
    require(spirv::validate(inside(*module)), "a module that is kept inside is valid");
    examine(words, {});
    examine(words, {{1, BarrierKind::off}});
  }
}

}  // namespace fuzz
