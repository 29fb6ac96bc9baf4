#include "lab/probe/mending.h"

#include <algorithm>
#include <optional>
#include <set>

#include "spirv/module/emitter.h"

namespace lab {
namespace {

constexpr double kLongMs = 2000.0;      // of a checked launch
constexpr std::size_t kMostTrials = 6;  // barriers

struct Place {
  std::size_t block = 0;
  std::size_t instruction = 0;
  std::uint32_t line = 0;
};

// Before the first instruction of a line in a block, or where the block that decides about it
// branches: the first place up from there that all come to.
std::optional<Place> uniform_place(const spirv::Examination& x, std::uint32_t line,
                                   const std::string& file, bool writes) {
  const spirv::Program& program = x.program;
  for (const std::size_t b : program.flow.order()) {
    const auto& body = program.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const spv::Op wanted = writes ? spv::Op::OpStore : spv::Op::OpLoad;
      const bool atomic = spirv::is_atomic(body[i].op);
      if (body[i].at.line != line || (body[i].op != wanted && !atomic) ||
          program.file(body[i].at) != file ||
          program.storage(program.path(body[i].word(0)).variable) != spv::StorageClass::Workgroup) {
        continue;
      }
      Place place{b, i, line};
      while (place.instruction > 0 && body[place.instruction - 1].at.line == line &&
             body[place.instruction - 1].op != spv::Op::OpPhi &&
             body[place.instruction - 1].op != spv::Op::OpVariable) {
        --place.instruction;
      }
      while (x.uniformity.block(place.block) != spirv::Alike::uniform) {
        const std::size_t above = program.flow.dominator(place.block);
        if (above == place.block) {
          return std::nullopt;
        }
        place.block = above;
        const auto& outer = program.function.blocks[above].body;
        place.instruction = outer.size() - 1;
        place.line = outer.back().at.line;
        while (place.instruction > 0 &&
               (outer[place.instruction - 1].op == spv::Op::OpSelectionMerge ||
                outer[place.instruction - 1].op == spv::Op::OpLoopMerge)) {
          --place.instruction;
        }
      }
      return place.line == 0 ? std::nullopt : std::optional(place);
    }
  }
  return std::nullopt;
}

std::vector<std::uint32_t> with_barrier(const spirv::Examination& x, const Place& place) {
  spirv::Module module = x.program.module;
  spirv::Emitter emitter(module);
  const spirv::Id workgroup = emitter.constant(static_cast<std::uint32_t>(spv::Scope::Workgroup));
  using Mask = spv::MemorySemanticsMask;
  auto mask = static_cast<std::uint32_t>(Mask::AcquireRelease) |
              static_cast<std::uint32_t>(Mask::WorkgroupMemory);
  if (emitter.vulkan_memory_model()) {
    mask |= static_cast<std::uint32_t>(Mask::MakeAvailable) |
            static_cast<std::uint32_t>(Mask::MakeVisible);
  }
  const spirv::Id semantics = emitter.constant(mask);
  const auto number = &x.program.function - x.program.module.functions.data();
  auto& body = module.functions[static_cast<std::size_t>(number)].blocks[place.block].body;
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(place.instruction),
              {spv::Op::OpControlBarrier,
               0,
               0,
               {spirv::ref(workgroup), spirv::ref(workgroup), spirv::ref(semantics)},
               body[place.instruction].at});
  return spirv::write(module);
}

// The examined module is flat and specialized already.
core::Dispatch changed(const core::Dispatch& dispatch, std::vector<std::uint32_t> words) {
  core::Dispatch other = dispatch;
  auto module = std::make_shared<core::KernelModule>(*dispatch.module);
  module->words = std::move(words);
  module->sources.clear();
  other.module = std::move(module);
  other.constants.clear();
  other.barriers = {};
  for (std::size_t i = 0; i < other.resources.size(); ++i) {
    core::Resource& resource = other.resources[i];
    if (resource.is_bound()) {
      resource.set = 0;
      resource.binding = static_cast<std::uint32_t>(i) - resource.element;
    }
  }
  return other;
}

core::Expected<bool> is_clean(gpu::Device& device, const core::Dispatch& dispatch,
                              const core::Box& groups, const CheckOptions& options) {
  auto specimen = Specimen::of(dispatch, device.info());
  if (!specimen) {
    return false;
  }
  const auto report = check(device, {{std::move(*specimen), groups}}, options);
  if (!report) {
    return report.error().device_lost ? core::Expected<bool>(std::unexpected(report.error()))
                                      : core::Expected<bool>(false);
  }
  return report->findings.empty() && report->verdict == core::Verdict::clean;
}

}  // namespace

core::Expected<void> try_barriers(gpu::Device& device, const Turns& turns, CheckOptions options,
                                  core::CheckReport& report) {
  const bool races_alone = std::ranges::all_of(report.findings, [](const core::Finding& f) {
    return f.kind == core::FindingKind::race && f.memory == core::Memory::shared;
  });
  if (turns.size() != 1 || report.findings.empty() || !races_alone || report.checked_ms > kLongMs ||
      !report.incomplete.empty()) {
    return {};
  }
  const auto examination = turns.front().specimen->examination();
  if (!examination) {
    return {};
  }
  options.measure = false;
  std::set<std::pair<std::size_t, std::size_t>> tried;
  for (const core::Finding& finding : report.findings) {
    for (const core::RaceSide* side : {&finding.second, &finding.first}) {
      const auto place =
          uniform_place(**examination, side->line, side->file, side->access == core::Access::write);
      if (!place || tried.size() >= kMostTrials ||
          !tried.emplace(place->block, place->instruction).second) {
        continue;
      }
      const auto clean = TRY(is_clean(
          device, changed(turns.front().specimen->dispatch(), with_barrier(**examination, *place)),
          turns.front().groups, options));
      if (clean) {
        for (core::Finding& race : report.findings) {
          race.mended_before = place->line;
        }
        return {};
      }
    }
  }
  return {};
}

}  // namespace lab
