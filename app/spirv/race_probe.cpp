#include "spirv/race_probe.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "spirv/emitter.h"
#include "spirv/race_runtime.h"
#include "spirv/value_hash.h"

namespace spirv {
namespace {

using Place = std::pair<std::size_t, std::size_t>;  // block, instruction

class Instrumentation {
 public:
  Instrumentation(Examination& examination, const RaceProbeOptions& options)
      : x_(examination),
        program_(examination.program),
        options_(options),
        module_(examination.program.module),
        emitter_(module_),
        subgroups_(has_subgroup_barrier(examination.program)),
        shadow_(examination.sites, examination.proofs, subgroups_) {}

  Expected<RaceProbe> run();

 private:
  static bool has_subgroup_barrier(const Program& program);
  void tell_whole_launch();
  void check_indices();
  void check_index(const Site& site, const IndexTerm& term);
  void note_sites();
  void note(const Site& site);
  void note_values(const Site& site, Id cell, Id who);
  void note_lanes(const Site& site, Id cell, Id who);
  void compare_at_barriers();
  void count_subgroup_barriers();
  void apply();
  void wrap_entry();

  Id emit(const Place& before, spv::Op op, Id type, std::vector<Operand> operands);
  void call(const Place& before, Id function, const std::vector<Id>& arguments);
  Id as_word(const Place& before, Id integer);
  Id cell_of(const Site& site, const Place& before);
  // The word of a cell in a column; that for accesses outside when the site's index is.
  Id word_of(const Site& site, const Place& before, Id cell, std::uint32_t column);
  [[nodiscard]] std::vector<std::pair<Id, std::uint32_t>> chain(Id pointer) const;
  [[nodiscard]] Id index_of(const Site& site, const IndexTerm& term) const;
  [[nodiscard]] Place place_of(Id value) const;
  Function& function() { return module_.functions[function_]; }

  Examination& x_;
  const Program& program_;
  RaceProbeOptions options_;
  Module module_;
  Emitter emitter_;
  bool subgroups_;
  ShadowLayout shadow_;
  std::unique_ptr<RaceRuntime> runtime_;
  std::size_t function_ = 0;
  std::map<Place, std::vector<Instruction>> before_;
  std::map<Place, std::vector<Instruction>> after_;
  struct Kept {
    Id index = 0;    // inside whatever happens
    Id outside = 0;  // whether it would not have been
  };
  std::map<std::pair<Id, std::uint32_t>, Kept> kept_inside_;  // by operand of an access chain
  std::vector<CheckedIndex> indices_;
  RaceProbe probe_;
};

bool Instrumentation::has_subgroup_barrier(const Program& program) {
  for (const Block& block : program.function.blocks) {
    for (const Instruction& i : block.body) {
      if (is_subgroup_barrier(program.constants, i)) {
        return true;
      }
    }
  }
  return false;
}

Expected<RaceProbe> Instrumentation::run() {
  function_ = static_cast<std::size_t>(&program_.function - program_.module.functions.data());
  if (shadow_.words() > 0x3FFFFFFF) {
    return core::usage_error("its shared memory is too large to be checked");
  }
  // Before the runtime, which needs their number.
  for (const Site& site : x_.sites.all()) {
    for (const IndexTerm& term : site.terms) {
      if (!x_.proofs.in_bounds(site, term)) {
        const auto links = chain(site.pointer);
        if (kept_inside_.try_emplace(links[term.operand]).second) {
          indices_.push_back({site.at, x_.sites.variables()[site.variable].name, term.length});
        }
      }
    }
  }
  FindingsLayout& findings = probe_.findings;
  findings.pairs = static_cast<std::uint32_t>(x_.proofs.open().size());
  findings.loops = options_.loops;
  findings.indices = static_cast<std::uint32_t>(indices_.size());
  findings.lane_ids = subgroups_ ? 2 * program_.invocations() + 256 : 0;
  const std::uint64_t shared = program_.interface.shared_bytes + 4 * shadow_.words() + 64;
  probe_.shadow_in_buffer = !x_.proofs.open().empty() &&
                            (options_.shadow_in_buffer || shared > options_.shared_memory_bytes);
  probe_.shadow_words = shadow_.words();
  probe_.subgroups = subgroups_;
  if (subgroups_) {
    emitter_.capability(spv::Capability::GroupNonUniform);
  }
  runtime_ = std::make_unique<RaceRuntime>(
      emitter_, x_.sites, x_.proofs, shadow_, findings,
      RaceRuntimeOptions{probe_.shadow_in_buffer, subgroups_, options_.set,
                         options_.findings_binding, options_.shadow_binding,
                         program_.invocations()});
  tell_whole_launch();
  check_indices();
  if (!x_.proofs.open().empty()) {
    note_sites();
    compare_at_barriers();
    count_subgroup_barriers();
  }
  apply();
  wrap_entry();
  probe_.indices = std::move(indices_);
  probe_.words = write(module_);
  return std::move(probe_);
}

Id Instrumentation::emit(const Place& before, spv::Op op, Id type, std::vector<Operand> operands) {
  const Id id = module_.fresh();
  before_[before].push_back({op, type, id, std::move(operands), {}});
  return id;
}

void Instrumentation::call(const Place& before, Id function, const std::vector<Id>& arguments) {
  std::vector<Operand> operands{ref(function)};
  for (const Id argument : arguments) {
    operands.push_back(ref(argument));
  }
  (void)emit(before, spv::Op::OpFunctionCall, emitter_.void_type(), std::move(operands));
}

Id Instrumentation::as_word(const Place& before, Id integer) {
  const Instruction& value = program_.definitions.of(integer);
  const Instruction& type = program_.definitions.of(value.type);
  if (type.op != spv::Op::OpTypeInt || value.type == emitter_.uint_type()) {
    return integer;  // one of ours, which are words
  }
  if (type.word(0) == 32) {
    return emit(before, spv::Op::OpBitcast, emitter_.uint_type(), {ref(integer)});
  }
  if (type.word(0) < 32 && type.word(1) != 0) {
    const Id wide = emitter_.type(spv::Op::OpTypeInt, {literal(32), literal(1)});
    const Id extended = emit(before, spv::Op::OpSConvert, wide, {ref(integer)});
    return emit(before, spv::Op::OpBitcast, emitter_.uint_type(), {ref(extended)});
  }
  if (type.word(1) != 0) {
    const Id plain = emitter_.type(spv::Op::OpTypeInt, {literal(type.word(0)), literal(0)});
    integer = emit(before, spv::Op::OpBitcast, plain, {ref(integer)});
  }
  return emit(before, spv::Op::OpUConvert, emitter_.uint_type(), {ref(integer)});
}

// The operands of access chains that make up a pointer's path, outermost index first.
std::vector<std::pair<Id, std::uint32_t>> Instrumentation::chain(Id pointer) const {
  std::vector<std::pair<Id, std::uint32_t>> links;
  for (int depth = 0; depth < 64; ++depth) {
    const Instruction& i = program_.definitions.of(pointer);
    if (i.op == spv::Op::OpAccessChain || i.op == spv::Op::OpInBoundsAccessChain) {
      std::vector<std::pair<Id, std::uint32_t>> own;
      for (std::uint32_t k = 1; k < i.operands.size(); ++k) {
        own.emplace_back(pointer, k);
      }
      links.insert(links.begin(), own.begin(), own.end());
    } else if (i.op != spv::Op::OpCopyObject) {
      break;
    }
    pointer = i.word(0);
  }
  return links;
}

Id Instrumentation::index_of(const Site& site, const IndexTerm& term) const {
  const auto kept = kept_inside_.find(chain(site.pointer)[term.operand]);
  return kept != kept_inside_.end() ? kept->second.index : term.index;
}

Place Instrumentation::place_of(Id value) const {
  const std::size_t block = program_.block_of(value);
  const auto& body = program_.function.blocks[block].body;
  const auto at = std::ranges::find(body, value, &Instruction::result);
  return {block, static_cast<std::size_t>(at - body.begin())};
}

// A launch in slices is many dispatches: gl_NumWorkgroups would tell of one.
void Instrumentation::tell_whole_launch() {
  const std::array<std::uint32_t, 3> words{FindingsLayout::grid_x, FindingsLayout::grid_y,
                                           FindingsLayout::grid_z};
  const Id uint = emitter_.uint_type();
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i].op != spv::Op::OpLoad) {
        continue;
      }
      const PointerPath path = program_.path(body[i].word(0));
      if (program_.built_in(path.variable) != spv::BuiltIn::NumWorkgroups) {
        continue;
      }
      const auto pointer = [&](Id index) {
        const Id type = emitter_.pointer_type(spv::StorageClass::StorageBuffer, uint);
        return emit({b, i}, spv::Op::OpAccessChain, type,
                    {ref(runtime_->findings()), ref(emitter_.constant(0)), ref(index)});
      };
      Instruction& load = function().blocks[b].body[i];
      if (path.indices.empty()) {
        std::vector<Operand> parts;
        for (const std::uint32_t word : words) {
          parts.push_back(
              ref(emit({b, i}, spv::Op::OpLoad, uint, {ref(pointer(emitter_.constant(word)))})));
        }
        load.op = spv::Op::OpCompositeConstruct;
        load.operands = parts;
      } else if (const auto d = program_.constants.scalar(path.indices.front()); d && *d < 3) {
        load.operands = {ref(pointer(emitter_.constant(words[*d])))};
      }
    }
  }
}

void Instrumentation::check_indices() {
  std::uint32_t number = 0;
  for (const Site& site : x_.sites.all()) {
    for (const IndexTerm& term : site.terms) {
      const auto link = chain(site.pointer)[term.operand];
      const auto kept = kept_inside_.find(link);
      if (kept == kept_inside_.end() || kept->second.index != 0) {
        continue;
      }
      ++number;
      const Place at = place_of(link.first);
      const Id uint = emitter_.uint_type();
      const Id index = as_word(at, term.index);
      const Id length = emitter_.constant(static_cast<std::uint32_t>(term.length));
      const Id outside =
          emit(at, spv::Op::OpUGreaterThanEqual, emitter_.bool_type(), {ref(index), ref(length)});
      const Id last = emitter_.constant(static_cast<std::uint32_t>(term.length) - 1);
      kept->second = {emit(at, spv::Op::OpSelect, uint, {ref(outside), ref(last), ref(index)}),
                      outside};
      const Id before = emit(at, spv::Op::OpLoad, uint, {ref(runtime_->bad_index())});
      const Id now = emit(at, spv::Op::OpSelect, uint,
                          {ref(outside), ref(emitter_.constant(number)), ref(before)});
      before_[at].push_back({spv::Op::OpStore, 0, 0, {ref(runtime_->bad_index()), ref(now)}, {}});
      Instruction& access = function().blocks[at.first].body[at.second];
      access.operands[link.second] = ref(kept->second.index);
    }
  }
}

Id Instrumentation::cell_of(const Site& site, const Place& before) {
  const std::uint64_t size = x_.sites.variables()[site.variable].cell_scalars;
  Id sum = emitter_.constant(static_cast<std::uint32_t>(site.offset / size));
  for (const IndexTerm& term : site.terms) {
    Id part = as_word(before, index_of(site, term));
    if (term.stride != size) {
      const Id stride = emitter_.constant(static_cast<std::uint32_t>(term.stride / size));
      part = emit(before, spv::Op::OpIMul, emitter_.uint_type(), {ref(part), ref(stride)});
    }
    sum = emit(before, spv::Op::OpIAdd, emitter_.uint_type(), {ref(sum), ref(part)});
  }
  return sum;
}

Id Instrumentation::word_of(const Site& site, const Place& before, Id cell, std::uint32_t column) {
  Id word = emit(before, spv::Op::OpIAdd, emitter_.uint_type(),
                 {ref(cell), ref(emitter_.constant(column))});
  for (const IndexTerm& term : site.terms) {
    const auto kept = kept_inside_.find(chain(site.pointer)[term.operand]);
    if (kept != kept_inside_.end()) {
      word =
          emit(before, spv::Op::OpSelect, emitter_.uint_type(),
               {ref(kept->second.outside), ref(emitter_.constant(shadow_.outside())), ref(word)});
    }
  }
  return word;
}

void Instrumentation::note_sites() {
  for (const Site& site : x_.sites.all()) {
    if (shadow_.is_tracked(site.number)) {
      note(site);
    }
  }
}

void Instrumentation::note(const Site& site) {
  const Place at{site.block, site.instruction};
  const Id cell = cell_of(site, at);
  const Id who = emit(at, spv::Op::OpLoad, emitter_.uint_type(), {ref(runtime_->who(site.number))});
  const auto cells =
      static_cast<std::uint32_t>(site.width / x_.sites.variables()[site.variable].cell_scalars);
  const Id word = word_of(site, at, cell, shadow_.invocations(site.number));
  if (!subgroups_ && x_.proofs.disjoint(site, site)) {
    call(at, runtime_->touch_own(), {word, emitter_.constant(cells), who});
  } else if (cells == 1) {
    call(at, runtime_->touch(), {word, who});
  } else {
    call(at, runtime_->touch_many(), {word, emitter_.constant(cells), who});
  }
  if (shadow_.values(site.number)) {
    note_values(site, cell, who);
  }
  if (shadow_.lanes(site.number)) {
    note_lanes(site, cell, who);
  }
}

void Instrumentation::note_values(const Site& site, Id cell, Id who) {
  const Place at{site.block, site.instruction};
  const Instruction& access = program_.function.blocks[site.block].body[site.instruction];
  const std::uint64_t size = x_.sites.variables()[site.variable].cell_scalars;
  ValueHash hash(program_, emitter_, before_[at]);
  const Id value = access.op == spv::Op::OpStore ? access.word(1) : 0;
  const std::vector<Id> hashes = hash.cells(value, site.type, site.width, size);
  for (std::uint32_t n = 0; n < hashes.size(); ++n) {
    const Id word = word_of(site, at, cell, *shadow_.values(site.number) + n);
    call(at, runtime_->touch_value(), {word, hashes[n], who});
  }
}

void Instrumentation::note_lanes(const Site& site, Id cell, Id who) {
  const Place at{site.block, site.instruction};
  const auto cells =
      static_cast<std::uint32_t>(site.width / x_.sites.variables()[site.variable].cell_scalars);
  const Id uint = emitter_.uint_type();
  for (std::uint32_t n = 0; n < cells; ++n) {
    const Id one = emit(at, spv::Op::OpIAdd, uint, {ref(cell), ref(emitter_.constant(n))});
    const auto word = [&](std::uint32_t number) {
      return word_of(site, at, one, *shadow_.lanes(number));
    };
    call(at, runtime_->touch_lane(), {word(site.number), who});
    for (const std::uint32_t p : shadow_.pairs(site.variable)) {
      const SitePair& pair = x_.proofs.open()[p];
      if (pair.first != site.number && pair.second != site.number) {
        continue;
      }
      const std::uint32_t other = pair.first == site.number ? pair.second : pair.first;
      const std::uint32_t other_first = pair.first == site.number ? 0 : 1;
      const bool writes = pair.hazard == Hazard::write_after_write;
      const auto value = [&](std::uint32_t number) {
        return writes ? word_of(site, at, one, *shadow_.values(number))
                      : emitter_.constant(no_values);
      };
      call(at, runtime_->meet_lane(),
           {emitter_.constant(p), word(other), one, who, emitter_.constant(other_first),
            value(site.number), value(other)});
    }
  }
}

void Instrumentation::compare_at_barriers() {
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; program_.flow.reachable(b) && i < block.body.size(); ++i) {
      if (!Phases::closes(program_, block, i)) {
        continue;
      }
      const std::size_t ending = x_.phases.ended_by(b, i);
      std::vector<Instruction>& after = after_[{b, i}];
      std::vector<Id> settles;
      for (std::uint32_t v = 0; v < x_.sites.variables().size(); ++v) {
        const auto& tracked = shadow_.tracked(v);
        const bool may_hold = std::ranges::any_of(tracked, [&](std::uint32_t s) {
          const std::size_t segment = x_.sites.all()[s].segment;
          return segment == ending || x_.phases.follows(segment, ending);
        });
        if (may_hold) {
          settles.push_back(runtime_->settle(v));
          after.push_back({spv::Op::OpFunctionCall,
                           emitter_.void_type(),
                           module_.fresh(),
                           {ref(runtime_->scan(v))},
                           {}});
        }
      }
      if (after.empty()) {
        continue;
      }
      if (subgroups_) {
        after.push_back(
            {spv::Op::OpStore, 0, 0, {ref(runtime_->phase()), ref(emitter_.constant(0))}, {}});
      }
      const std::size_t scans = after.size() - (subgroups_ ? 1 : 0);
      after.push_back({spv::Op::OpControlBarrier, 0, 0, runtime_->barrier(), {}});
      for (std::size_t n = 0; n < scans; ++n) {
        after.push_back({spv::Op::OpFunctionCall,
                         emitter_.void_type(),
                         module_.fresh(),
                         {ref(settles[n])},
                         {}});
      }
      // The kernel's own barrier must order the shadow's words too.
      Instruction& own = function().blocks[b].body[i];
      const auto mask =
          static_cast<std::uint32_t>(program_.constants.scalar(own.word(2)).value_or(0));
      std::vector<Operand> operands = runtime_->barrier();
      for (const Instruction& constant : module_.preamble) {
        if (constant.result == operands[2].word) {
          operands[2] = ref(emitter_.constant(constant.word(0) | mask));
          break;
        }
      }
      own.operands = std::move(operands);
    }
  }
}

void Instrumentation::count_subgroup_barriers() {
  for (std::size_t b = 0; subgroups_ && b < program_.flow.size(); ++b) {
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; i < block.body.size(); ++i) {
      if (!orders_subgroup(program_.constants, block.body[i])) {
        continue;
      }
      const Id uint = emitter_.uint_type();
      const Id old = module_.fresh();
      const Id more = module_.fresh();
      const Id next = module_.fresh();
      const Id last = emitter_.constant(0xFFFE);
      auto& after = after_[{b, i}];
      after.push_back({spv::Op::OpLoad, uint, old, {ref(runtime_->phase())}, {}});
      after.push_back({spv::Op::OpIAdd, uint, more, {ref(old), ref(emitter_.constant(1))}, {}});
      after.push_back({spv::Op::OpExtInst,
                       uint,
                       next,
                       {ref(emitter_.glsl()), literal(38) /* UMin */, ref(more), ref(last)},
                       {}});
      after.push_back({spv::Op::OpStore, 0, 0, {ref(runtime_->phase()), ref(next)}, {}});
    }
  }
}

void Instrumentation::apply() {
  auto& blocks = function().blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::vector<Instruction> body;
    for (std::size_t i = 0; i < blocks[b].body.size(); ++i) {
      if (const auto added = before_.find({b, i}); added != before_.end()) {
        std::ranges::move(added->second, std::back_inserter(body));
      }
      body.push_back(std::move(blocks[b].body[i]));
      if (const auto added = after_.find({b, i}); added != after_.end()) {
        std::ranges::move(added->second, std::back_inserter(body));
      }
    }
    blocks[b].body = std::move(body);
  }
}

// The kernel becomes a function that a new entry point calls: early returns then come back to it.
void Instrumentation::wrap_entry() {
  const Id inner = function().id();
  Code code(emitter_, "tilescope_main", emitter_.void_type(), {});
  for (const Id callee : {runtime_->begin(), inner, runtime_->end()}) {
    (void)code.emit(spv::Op::OpFunctionCall, emitter_.void_type(), {ref(callee)});
  }
  code.finish();
  for (Instruction& i : module_.preamble) {
    const bool entry = i.op == spv::Op::OpEntryPoint && i.word(1) == inner;
    const bool mode = (i.op == spv::Op::OpExecutionMode || i.op == spv::Op::OpExecutionModeId) &&
                      i.word(0) == inner;
    if (entry || mode) {
      i.operands[entry ? 1 : 0] = ref(code.id());
    }
  }
}

}  // namespace

Expected<RaceProbe> make_race_probe(Examination& examination, const RaceProbeOptions& options) {
  return Instrumentation(examination, options).run();
}

}  // namespace spirv
