#include "lab/probe/mending.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "lab/read/race_causes.h"
#include "spirv/module/emitter.h"

namespace lab {
namespace {

constexpr double kLongMs = 2000.0;      // of a checked launch
constexpr std::size_t kMostTrials = 8;  // edits

struct Place {
  std::size_t block = 0;
  std::size_t instruction = 0;
  std::uint32_t line = 0;
};

// Before the first instruction of a line in a block, or where the block that decides about it
// branches: the first place up from there that all invocations of a workgroup reach.
std::optional<Place> uniform_place(const spirv::Examination& x, std::uint32_t line,
                                   const std::string& file, bool writes, bool shared) {
  const spirv::Program& program = x.program;
  for (const std::size_t b : program.flow.order()) {
    const auto& body = program.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const spv::Op wanted = writes ? spv::Op::OpStore : spv::Op::OpLoad;
      const bool atomic = spirv::is_atomic(body[i].op);
      if (body[i].at.line != line || (body[i].op != wanted && !atomic) ||
          program.file(body[i].at) != file ||
          (program.storage(program.path(body[i].word(0)).variable) ==
           spv::StorageClass::Workgroup) != shared) {
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

// An edit of the module, and of the source.
struct Trial {
  std::vector<std::uint32_t> words;
  std::vector<core::LineEdit> edits;
  std::uint32_t barrier_before = 0;  // line; 0: it is another edit
};

class Trials {
 public:
  Trials(const spirv::Examination& x, const core::Dispatch& dispatch)
      : x_(x), dispatch_(dispatch), words_(barrier_words(x.program)) {}

  // The smallest first.
  [[nodiscard]] std::vector<Trial> of(const core::Finding& race) const;

 private:
  [[nodiscard]] std::optional<RacingAccess> access(const core::Finding& race,
                                                   const core::RaceSide& side) const;
  [[nodiscard]] core::MemoryClass memory(const core::Finding& race) const {
    return race.memory == core::Memory::shared   ? core::MemoryClass::shared
           : race.memory == core::Memory::buffer ? core::MemoryClass::buffer
                                                 : core::MemoryClass::image;
  }
  [[nodiscard]] Trial with_barrier(const Place& place, const core::Finding& race,
                                   const std::string& file) const;
  [[nodiscard]] Trial with_fences(const Remedy& remedy, const core::Finding& race) const;
  [[nodiscard]] const std::string& text_of(const std::string& file) const;
  [[nodiscard]] core::LineEdit new_line(const std::string& file, std::uint32_t at,
                                        std::uint32_t like, const std::string& text) const;
  [[nodiscard]] spirv::Instruction fence(spirv::Emitter& emitter, core::MemoryClass about,
                                         bool waits) const;
  [[nodiscard]] spirv::Block& block(spirv::Module& module, std::size_t b) const {
    const auto number = &x_.program.function - x_.program.module.functions.data();
    return module.functions[static_cast<std::size_t>(number)].blocks[b];
  }

  const spirv::Examination& x_;
  const core::Dispatch& dispatch_;
  const BarrierWords& words_;
};

std::string line_in(const std::string& text, std::uint32_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t n = 0; n < number; ++n) {
    if (!std::getline(lines, line)) {
      return {};
    }
  }
  return line;
}

const std::string& Trials::text_of(const std::string& file) const {
  static const std::string none;
  const auto& sources = dispatch_.module->sources;
  const auto found = std::ranges::find(sources, file, &core::SourceFile::path);
  return found != sources.end()             ? found->text
         : file.empty() && !sources.empty() ? sources.front().text
                                            : none;
}

// In front of line `at`, indented as line `like` is.
core::LineEdit Trials::new_line(const std::string& file, std::uint32_t at, std::uint32_t like,
                                const std::string& text) const {
  const std::string line = line_in(text_of(file), like);
  const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  return {file, at, {}, line.substr(0, indent) + text};
}

spirv::Instruction Trials::fence(spirv::Emitter& emitter, core::MemoryClass about,
                                 bool waits) const {
  using Mask = spv::MemorySemanticsMask;
  const auto bit = [](auto value) { return static_cast<std::uint32_t>(value); };
  std::uint32_t mask = bit(Mask::AcquireRelease);
  mask |= about == core::MemoryClass::shared   ? bit(Mask::WorkgroupMemory)
          : about == core::MemoryClass::buffer ? bit(Mask::UniformMemory)
                                               : bit(Mask::ImageMemory);
  if (waits) {
    mask |= bit(Mask::WorkgroupMemory);
  }
  if (emitter.vulkan_memory_model()) {
    mask |= bit(Mask::MakeAvailable) | bit(Mask::MakeVisible);
  }
  const spirv::Id workgroup = emitter.constant(bit(spv::Scope::Workgroup));
  const spirv::Id device = emitter.constant(bit(spv::Scope::Device));
  const spirv::Id semantics = emitter.constant(mask);
  return waits
             ? spirv::Instruction{spv::Op::OpControlBarrier,
                                  0,
                                  0,
                                  {spirv::ref(workgroup), spirv::ref(workgroup),
                                   spirv::ref(semantics)},
                                  {}}
             : spirv::Instruction{
                   spv::Op::OpMemoryBarrier, 0, 0, {spirv::ref(device), spirv::ref(semantics)}, {}};
}

Trial Trials::with_barrier(const Place& place, const core::Finding& race,
                           const std::string& file) const {
  spirv::Module module = x_.program.module;
  spirv::Emitter emitter(module);
  auto& body = block(module, place.block).body;
  spirv::Instruction barrier = fence(emitter, memory(race), true);
  barrier.at = body[place.instruction].at;
  body.insert(body.begin() + static_cast<std::ptrdiff_t>(place.instruction), barrier);
  const bool shared = race.memory == core::Memory::shared;
  const std::string text =
      shared ? std::string(words_.shared_barrier) + ";"
             : std::string(race.memory == core::Memory::image ? words_.image_fence : words_.fence) +
                   "; " + words_.shared_barrier + ";";
  return {spirv::write(module), {new_line(file, place.line, place.line, text)}, place.line};
}

Trial Trials::with_fences(const Remedy& remedy, const core::Finding& race) const {
  spirv::Module module = x_.program.module;
  spirv::Emitter emitter(module);
  Trial trial;
  std::vector<Remedy::Fence> fences = remedy.fences;
  // The last first, so that places keep their numbers.
  std::ranges::sort(fences, std::greater(), [](const Remedy::Fence& f) {
    return std::tuple(f.block, f.instruction, f.behind);
  });
  const std::string text =
      std::string(memory(race) == core::MemoryClass::shared ? words_.shared_fence
                  : race.memory == core::Memory::image      ? words_.image_fence
                                                            : words_.fence) +
      ";";
  for (const Remedy::Fence& f : fences) {
    auto& body = block(module, f.block).body;
    const spirv::SourceLine at = body[f.instruction].at;
    spirv::Instruction barrier = fence(emitter, memory(race), false);
    barrier.at = at;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(f.instruction) + (f.behind ? 1 : 0),
                barrier);
    trial.edits.push_back(
        new_line(x_.program.file(at), at.line + (f.behind ? 1 : 0), at.line, text));
  }
  std::ranges::reverse(trial.edits);
  trial.words = spirv::write(module);
  return trial;
}

std::optional<RacingAccess> Trials::access(const core::Finding& race,
                                           const core::RaceSide& side) const {
  const auto here = [&](const auto& s) {
    const core::Access kind = s.atomic   ? core::Access::atomic
                              : s.writes ? core::Access::write
                                         : core::Access::read;
    return s.at.line == side.line && x_.program.file(s.at) == side.file && kind == side.access;
  };
  if (race.memory == core::Memory::shared) {
    const auto s = std::ranges::find_if(x_.sites.all(), [&](const spirv::Site& site) {
      return here(site) && x_.sites.variables()[site.variable].name == race.variable;
    });
    return s == x_.sites.all().end()
               ? std::nullopt
               : std::optional(RacingAccess{s->block, s->instruction, s->writes});
  }
  const auto s = std::ranges::find_if(x_.buffers.all(), [&](const spirv::BufferSite& site) {
    return here(site) && x_.buffers.name_of(site) == race.variable;
  });
  return s == x_.buffers.all().end()
             ? std::nullopt
             : std::optional(RacingAccess{s->block, s->instruction, s->writes, s->orderable});
}

std::vector<Trial> Trials::of(const core::Finding& race) const {
  std::vector<Trial> trials;
  const auto first = access(race, race.first);
  const auto second = access(race, race.second);
  if (first && second) {
    for (const Remedy& remedy : why_unordered(x_, race, memory(race), *first, *second).remedies) {
      trials.push_back(with_fences(remedy, race));
    }
  }
  if (race.first.workgroup != race.second.workgroup) {
    return trials;  // no barrier waits for other workgroups
  }
  for (const core::RaceSide* side : {&race.second, &race.first}) {
    if (const auto place =
            uniform_place(x_, side->line, side->file, side->access == core::Access::write,
                          race.memory == core::Memory::shared)) {
      trials.push_back(with_barrier(*place, race, side->file));
    }
  }
  return trials;
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

core::Expected<std::optional<core::CheckReport>> check_again(gpu::Device& device,
                                                             const core::Dispatch& dispatch,
                                                             const core::Box& groups,
                                                             const CheckOptions& options) {
  auto specimen = Specimen::of(dispatch, device.info());
  if (!specimen) {
    return std::optional<core::CheckReport>();
  }
  auto report = check(device, {{std::move(*specimen), groups}}, options);
  if (!report) {
    return report.error().device_lost
               ? core::Expected<std::optional<core::CheckReport>>(std::unexpected(report.error()))
               : std::optional<core::CheckReport>();
  }
  return std::optional(std::move(*report));
}

// The same finding in two reports on a kernel.
bool same_finding(const core::Finding& a, const core::Finding& b) {
  const auto key = [](const core::Finding& f) {
    return std::tuple(f.kind, f.variable, f.line, f.first.line, f.second.line, f.first.access,
                      f.second.access);
  };
  return key(a) == key(b);
}

bool has(const core::CheckReport& report, const core::Finding& finding) {
  return std::ranges::any_of(report.findings,
                             [&](const core::Finding& f) { return same_finding(f, finding); });
}

}  // namespace

core::Expected<void> suggest_repairs(gpu::Device& device, const Turns& turns, CheckOptions options,
                                     core::CheckReport& report) {
  if (turns.size() != 1 || report.checked_ms > kLongMs || !report.incomplete.empty()) {
    return {};
  }
  const auto examination = turns.front().specimen->examination();
  if (!examination) {
    return {};
  }
  options.measure = false;
  const core::Dispatch& dispatch = turns.front().specimen->dispatch();
  const Trials trials(**examination, dispatch);
  std::set<std::vector<std::uint32_t>> tried;
  for (std::size_t n = 0; n < report.findings.size(); ++n) {
    const core::Finding race = report.findings[n];
    if (race.kind != core::FindingKind::race || !race.repair.empty()) {
      continue;
    }
    for (const Trial& trial : trials.of(race)) {
      if (tried.size() >= kMostTrials || !tried.insert(trial.words).second) {
        continue;
      }
      const auto after =
          TRY(check_again(device, changed(dispatch, trial.words), turns.front().groups, options));
      const bool works = after && !has(*after, race) && after->incomplete.empty() &&
                         std::ranges::all_of(after->findings, [&](const core::Finding& f) {
                           return has(report, f);
                         });
      if (!works) {
        continue;
      }
      const bool clean = after->findings.empty() && after->verdict == core::Verdict::clean;
      for (core::Finding& f : report.findings) {
        if (f.kind == core::FindingKind::race && f.repair.empty() && !has(*after, f)) {
          f.repair = trial.edits;
          f.mended_before = clean ? trial.barrier_before : 0;
        }
      }
      break;
    }
  }
  return {};
}

std::vector<core::LineEdit> all_repairs(const core::CheckReport& report) {
  std::vector<core::LineEdit> edits;
  for (const core::Finding& f : report.findings) {
    for (const core::LineEdit& edit : f.repair) {
      if (std::ranges::find(edits, edit) == edits.end()) {
        edits.push_back(edit);
      }
    }
  }
  std::ranges::stable_sort(edits, {},
                           [](const core::LineEdit& e) { return std::tuple(e.file, e.line); });
  return edits;
}

std::string repaired(const std::string& text, const std::vector<core::LineEdit>& edits) {
  std::istringstream lines(text);
  std::string result;
  std::uint32_t number = 0;
  const auto add = [&](const std::string* line) {
    bool replaced = false;
    for (const core::LineEdit& edit : edits) {
      if (edit.line == number) {
        result += edit.after + "\n";
        replaced = replaced || !edit.before.empty();
      }
    }
    if (line != nullptr && !replaced) {
      result += *line + "\n";
    }
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    add(&line);
  }
  ++number;
  add(nullptr);
  return result;
}

std::string diff_of(const std::vector<core::LineEdit>& edits) {
  std::string text;
  for (const core::LineEdit& edit : edits) {
    const int removed = edit.before.empty() ? 0 : 1;
    text += fmt::format("@@ -{},{} +{} @@\n", edit.before.empty() ? edit.line - 1 : edit.line,
                        removed, edit.line);
    text += edit.before.empty() ? "" : "-" + edit.before + "\n";
    text += "+" + edit.after + "\n";
  }
  return text;
}

}  // namespace lab
