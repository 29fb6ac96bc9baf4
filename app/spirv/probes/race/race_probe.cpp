#include "spirv/probes/race/race_probe.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "spirv/module/canonical.h"
#include "spirv/probes/insertions.h"
#include "spirv/probes/race/race_runtime.h"
#include "spirv/probes/race/race_words.h"
#include "spirv/probes/truth_values.h"
#include "spirv/probes/values/value_hash.h"

namespace spirv {
namespace {

// The first place of a block behind its phis.
std::size_t first_place(const Block& block) {
  std::size_t first = 0;
  while (block.body[first].op == spv::Op::OpPhi) {
    ++first;
  }
  return first;
}

class Instrumentation {
 public:
  Instrumentation(Examination& examination, const RaceProbeOptions& options)
      : x_(examination),
        program_(examination.program),
        options_(options),
        module_(examination.program.module),
        emitter_(module_),
        code_(program_, emitter_),
        order_(options.order.wanted ? std::make_unique<OrderProbe>(examination, options.order)
                                    : nullptr),
        looked_at_(looked_at()),
        all_indices_(program_, looked_at_),
        bounds_(all_indices_, options.bounds),
        addresses_(
            program_, all_indices_.intervals(),
            {options.address_binding, static_cast<std::uint32_t>(options.address_ranges.size())},
            options.address_ranges, options.bounds),
        subgroups_(has_subgroup_barrier(examination.program)),
        open_(options.races ? examination.proofs.open() : std::vector<SitePair>()),
        shadow_(examination.sites, open_, subgroups_) {}

  Expected<RaceProbe> run();

 private:
  static bool has_subgroup_barrier(const Program& program);
  void choose_checks();
  void drop_fences();
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] std::vector<Id> told_words();
  void write_checks();
  void note_sites();
  void note(const Site& site);
  void note_values(const Site& site, Id cell, Id who);
  void note_lanes(const Site& site, Id cell, Id who);
  void compare_at_barriers();
  void compare_at(const CodePlace& at);
  [[nodiscard]] std::vector<RaceRuntime::Noted> noted_before(std::size_t ending) const;
  [[nodiscard]] std::vector<RaceRuntime::Noted> noted_at_the_end() const;
  void order_shadow(Instruction& barrier);
  void count_subgroup_barriers();
  void mark_blocks();
  void find_voted_barriers();
  [[nodiscard]] std::uint64_t voting_bytes() const {
    return probe_.votes.empty() ? 0 : 4 * vote_words;
  }
  [[nodiscard]] Id way_of_switch(const CodePlace& place, const Instruction& end);
  void vote();
  void pass_barriers();
  void follow_order();
  [[nodiscard]] LaunchFacts looked_at() const;

  Id emit(const CodePlace& before, spv::Op op, Id type, std::vector<Operand> operands);
  void call(const CodePlace& before, Id function, const std::vector<Id>& arguments);
  Id as_word(const CodePlace& before, Id integer);
  Id cell_of(const Site& site, const CodePlace& before);
  // The word of a cell in a column; another when the site's index is outside.
  Id word_of(const Site& site, const CodePlace& before, Id cell, std::uint32_t column,
             std::uint32_t outside);
  [[nodiscard]] Id index_of(const IndexTerm& term) const;
  // A boolean: the site's is not the choice that its pointer made, or an index that nothing else
  // keeps inside is not; 0: that can't be.
  [[nodiscard]] Id elsewhere(const Site& site, const CodePlace& before);
  [[nodiscard]] Id way_of(Id phi);
  [[nodiscard]] std::vector<Id> hashes_of(const Site& site, const CodePlace& before);

  Examination& x_;
  const Program& program_;
  RaceProbeOptions options_;
  Module module_;
  Emitter emitter_;
  Insertions code_;
  std::unique_ptr<OrderProbe> order_;  // null: nothing is followed
  LaunchFacts looked_at_;
  Bounds all_indices_;
  BoundsProbe bounds_;
  AddressProbe addresses_;
  std::vector<Id> ends_;  // functions to be called at the kernel's end
  std::shared_ptr<const Initialization> initialization_;
  std::optional<InitializationProbe> reads_;
  std::optional<ArithmeticProbe> operations_;
  std::shared_ptr<const UndefinedValues> undefined_values_;
  std::optional<UndefinedProbe> undefined_;
  bool subgroups_;
  std::vector<SitePair> open_;  // none where races are not asked for
  ShadowLayout shadow_;
  std::unique_ptr<RaceRuntime> runtime_;
  std::map<Id, Id> ways_;  // of phis of pointers
  std::vector<CodePlace> voted_barriers_;
  RaceProbe probe_;
};

bool Instrumentation::has_subgroup_barrier(const Program& program) {
  for (const Block& block : program.function.blocks) {
    for (const Instruction& i : block.body) {
      // So do atomics of subgroup scope and barriers that order nothing beyond: lanes are told
      // apart.
      const bool narrow =
          is_atomic(i.op) &&
          !semantics(program.constants.scalar(i.word(1)).value_or(0), 0).workgroup_scope;
      if (is_subgroup_barrier(program.constants, i) || orders_subgroup(program.constants, i) ||
          narrow) {
        return true;
      }
    }
  }
  return false;
}

Expected<RaceProbe> Instrumentation::run() {
  if (shadow_.words() > 0x3FFFFFFF) {
    return core::usage_error("the shared memory of the kernel is too large to be checked");
  }
  FindingsLayout& findings = probe_.findings;
  findings.pairs = static_cast<std::uint32_t>(open_.size());
  findings.loops = options_.loops;
  probe_.coverage =
      std::make_shared<Coverage>(program_, all_indices_.intervals(), options_.workgroup);
  findings.marks = probe_.coverage->words();
  for (const PartingBranch& branch : x_.uniformity.parting_branches()) {
    probe_.votes.push_back({branch.condition, branch.barriers});
  }
  findings.votes = static_cast<std::uint32_t>(probe_.votes.size());
  find_voted_barriers();
  findings.barriers = static_cast<std::uint32_t>(probe_.barriers.size());
  findings.lane_ids = subgroups_ ? 2 * program_.invocations() + 256 : 0;
  const std::uint64_t voting = voting_bytes();
  if (program_.interface.shared_bytes + voting > options_.shared_memory_bytes) {
    return core::usage_error("no shared memory is left to check branches that may diverge");
  }
  choose_checks();
  const std::uint64_t shared = program_.interface.shared_bytes + voting + 4 * shadow_.words() + 64 +
                               (reads_ ? reads_->shared_bytes() : 0);
  // Where shared memory has blocks, it can have nothing else.
  const bool blocks = std::ranges::any_of(x_.sites.variables(), &SharedCells::in_bytes);
  if (blocks && !probe_.votes.empty()) {
    return core::usage_error(
        "the kernel declares its shared memory as blocks, so none is left to check branches that "
        "may "
        "diverge");
  }
  probe_.shadow_in_buffer = !open_.empty() && (options_.shadow_in_buffer || blocks ||
                                               shared > options_.shared_memory_bytes);
  probe_.shadow_words = shadow_.words();
  probe_.subgroups = subgroups_;
  if (subgroups_ || findings.marks > 0) {
    module_.version = std::max<std::uint32_t>(module_.version, 0x00010300);  // of subgroups
    emitter_.capability(spv::Capability::GroupNonUniform);
  }
  if (options_.compact) {
    emitter_.keep_loops();
  }
  runtime_ = std::make_unique<RaceRuntime>(
      emitter_, x_.sites, open_, shadow_, findings,
      RaceRuntimeOptions{probe_.shadow_in_buffer, subgroups_, options_.set,
                         options_.findings_binding, options_.shadow_binding, program_.invocations(),
                         options_.tries_loops, options_.compact, options_.all_branches});
  code_.tell_launch_size(runtime_->findings(),
                         {FindingsLayout::grid_x, FindingsLayout::grid_y, FindingsLayout::grid_z},
                         options_.order.launch.told);
  if (options_.truth_as_mask) {
    start_truth_values(program_, x_.sites, emitter_, code_);
  }
  write_checks();
  if (!open_.empty()) {
    note_sites();
    compare_at_barriers();
    count_subgroup_barriers();
  }
  follow_order();
  runtime_->finish(noted_at_the_end());
  ends_.push_back(runtime_->end());
  mark_blocks();
  vote();
  pass_barriers();
  code_.keep_loops(options_.compact ? Insertions::Loops::all : Insertions::Loops::outer);
  code_.apply();
  code_.wrap_entry(runtime_->begin(), ends_, options_.idle_lanes);
  if (options_.no_fences) {
    drop_fences();
  }
  probe_.idle = is_idle();
  probe_.words = options_.compact ? write(module_) : quickened(write(module_));
  return std::move(probe_);
}

void Instrumentation::drop_fences() {
  for (Function& function : module_.functions) {
    for (Block& block : function.blocks) {
      std::erase_if(block.body,
                    [](const Instruction& i) { return i.op == spv::Op::OpMemoryBarrier; });
    }
  }
}

bool Instrumentation::is_idle() const {
  const FindingsLayout& findings = probe_.findings;
  return open_.empty() && findings.told == 0 && findings.loops == 0 && findings.marks == 0 &&
         findings.votes == 0 && !options_.tries_loops && !probe_.order.any &&
         addresses_.sites() == 0 && std::ranges::all_of(all_indices_.all(), &IndexUse::proven);
}

// Besides races: what is told of, in this order.
void Instrumentation::choose_checks() {
  probe_.indices = bounds_.checked();
  probe_.indices_proven = static_cast<std::uint32_t>(
      std::ranges::count_if(all_indices_.all(), [](const IndexUse& use) { return use.proven; }));
  probe_.not_covered = all_indices_.not_covered();
  std::ranges::copy(all_indices_.not_understood(), std::back_inserter(probe_.not_understood));
  if (options_.initialization) {
    const std::uint64_t taken = program_.interface.shared_bytes + 64 + voting_bytes();
    const std::uint64_t limit = options_.shared_memory_bytes;
    initialization_ =
        std::make_shared<Initialization>(program_, all_indices_.intervals(), looked_at_);
    const bool blocks = std::ranges::any_of(x_.sites.variables(), &SharedCells::in_bytes);
    reads_.emplace(*initialization_, taken < limit && !blocks ? limit - taken : 0);
    probe_.initialization = initialization_;
    probe_.reads = reads_->checked();
    std::ranges::copy(initialization_->not_covered(), std::back_inserter(probe_.not_covered));
    if (!reads_->no_room().empty()) {
      probe_.not_covered.push_back(reads_->no_room());
    }
  }
  if (options_.arithmetic) {
    operations_.emplace(program_, all_indices_.intervals());
    probe_.operations = operations_->checked();
  }
  undefined_values_ = std::make_shared<UndefinedValues>(
      program_, UndefinedValues::Wanted{options_.initialization, options_.bounds});
  undefined_.emplace(*undefined_values_, program_);
  probe_.undefined = undefined_values_;
  probe_.undefined_uses = undefined_->checked();
  if (undefined_->is_cut()) {
    probe_.not_understood.emplace_back(
        "the kernel has too many uses of values that may be undefined; some are not checked");
  }
  probe_.addresses = addresses_.checked();
  if (addresses_.any() && !options_.address_ranges.empty()) {
    probe_.address_table = options_.address_binding;
  }
  probe_.accesses_by_address = addresses_.sites();
  probe_.accesses_by_address_proven = addresses_.proven();
  std::ranges::copy(addresses_.not_understood(), std::back_inserter(probe_.not_covered));
  probe_.findings.told = static_cast<std::uint32_t>(
      probe_.indices.size() + probe_.reads.size() + probe_.operations.size() +
      probe_.undefined_uses.size() + probe_.addresses.size());
}

// Elements of an array get their addresses where the kernel begins.
std::vector<Id> Instrumentation::told_words() {
  if (!options_.compact || probe_.findings.told == 0) {
    return runtime_->told();
  }
  const auto& first = program_.function.blocks.front().body;
  const auto start =
      std::ranges::find_if(first, [](const Instruction& i) { return i.op != spv::Op::OpVariable; });
  const CodePlace entry{0, static_cast<std::size_t>(start - first.begin())};
  std::vector<Id> words;
  for (std::uint32_t n = 0; n < probe_.findings.told; ++n) {
    words.push_back(emit(entry, spv::Op::OpAccessChain,
                         emitter_.pointer_type(spv::StorageClass::Private, emitter_.uint_type()),
                         {ref(runtime_->told_array()), ref(emitter_.constant(n))}));
  }
  return words;
}

void Instrumentation::write_checks() {
  const std::vector<Id> told = told_words();
  const auto from = [&](std::size_t first, std::size_t count) {
    const auto start = told.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<Id>(start, start + static_cast<std::ptrdiff_t>(count));
  };
  const std::size_t indices = probe_.indices.size();
  bounds_.write(program_, emitter_, code_, from(0, indices));
  if (reads_) {
    reads_->write(program_, emitter_, code_, bounds_, from(indices, probe_.reads.size()),
                  runtime_->barrier(), options_.compact);
  }
  if (operations_) {
    operations_->write(program_, emitter_, code_,
                       from(indices + probe_.reads.size(), probe_.operations.size()));
  }
  undefined_->write(
      program_, emitter_, code_,
      from(indices + probe_.reads.size() + probe_.operations.size(), probe_.undefined_uses.size()));
  addresses_.write(emitter_, code_,
                   from(probe_.findings.told - probe_.addresses.size(), probe_.addresses.size()));
}

Id Instrumentation::emit(const CodePlace& before, spv::Op op, Id type,
                         std::vector<Operand> operands) {
  return code_.emit(code_.before(before), op, type, std::move(operands));
}

void Instrumentation::call(const CodePlace& before, Id function, const std::vector<Id>& arguments) {
  code_.call(code_.before(before), function, arguments);
}

Id Instrumentation::index_of(const IndexTerm& term) const {
  const KeptIndex* kept = bounds_.kept(term.link);
  return kept != nullptr ? kept->index : term.index;
}

Id Instrumentation::cell_of(const Site& site, const CodePlace& before) {
  const std::uint64_t size = x_.sites.variables()[site.variable].cell_scalars;
  Id sum = emitter_.constant(static_cast<std::uint32_t>(site.offset / size));
  for (const IndexTerm& term : site.terms) {
    Id part = code_.as_word(code_.before(before), index_of(term));
    if (term.stride != size) {
      const Id stride = emitter_.constant(static_cast<std::uint32_t>(term.stride / size));
      part = emit(before, spv::Op::OpIMul, emitter_.uint_type(), {ref(part), ref(stride)});
    }
    sum = emit(before, spv::Op::OpIAdd, emitter_.uint_type(), {ref(sum), ref(part)});
  }
  return sum;
}

Id Instrumentation::word_of(const Site& site, const CodePlace& before, Id cell,
                            std::uint32_t column, std::uint32_t outside) {
  Id word = emit(before, spv::Op::OpIAdd, emitter_.uint_type(),
                 {ref(cell), ref(emitter_.constant(column))});
  for (const IndexTerm& term : site.terms) {
    if (const KeptIndex* kept = bounds_.kept(term.link)) {
      word = emit(before, spv::Op::OpSelect, emitter_.uint_type(),
                  {ref(kept->outside), ref(emitter_.constant(outside)), ref(word)});
    }
  }
  if (const Id away = elsewhere(site, before)) {
    word = emit(before, spv::Op::OpSelect, emitter_.uint_type(),
                {ref(away), ref(emitter_.constant(outside)), ref(word)});
  }
  return word;
}

// Which way a phi of pointers came: another phi, of numbers.
Id Instrumentation::way_of(Id phi) {
  const auto [entry, fresh] = ways_.try_emplace(phi, 0);
  if (fresh) {
    const Instruction& pointer = program_.definitions.of(phi);
    std::vector<Operand> operands;
    for (std::uint32_t k = 0; k + 1 < pointer.operands.size(); k += 2) {
      operands.push_back(ref(emitter_.constant(k)));
      operands.push_back(ref(pointer.word(k + 1)));
    }
    entry->second = emit({program_.block_of(phi), 0}, spv::Op::OpPhi, emitter_.uint_type(),
                         std::move(operands));
  }
  return entry->second;
}

Id Instrumentation::elsewhere(const Site& site, const CodePlace& before) {
  Id away = 0;
  const Id boolean = emitter_.bool_type();
  const auto or_else = [&](Id condition) {
    away = away == 0 ? condition
                     : emit(before, spv::Op::OpLogicalOr, boolean, {ref(away), ref(condition)});
  };
  for (const auto& [pointer, operand] : site.chosen) {
    const Instruction& choice = program_.definitions.of(pointer);
    if (choice.op == spv::Op::OpPhi) {
      or_else(emit(before, spv::Op::OpINotEqual, boolean,
                   {ref(way_of(pointer)), ref(emitter_.constant(operand))}));
    } else if (operand == 1) {
      or_else(emit(before, spv::Op::OpLogicalNot, boolean, {ref(choice.word(0))}));
    } else {
      or_else(choice.word(0));
    }
  }
  for (const IndexTerm& term : site.terms) {
    const spv::Op op = program_.definitions.op(term.link.first);
    const bool plain = op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
    if ((!plain || !site.chosen.empty()) && bounds_.kept(term.link) == nullptr &&
        !x_.proofs.in_bounds(site, term)) {
      const Id index = code_.as_word(code_.before(before), term.index);
      or_else(emit(before, spv::Op::OpUGreaterThanEqual, boolean,
                   {ref(index), ref(emitter_.constant(static_cast<std::uint32_t>(term.length)))}));
    }
  }
  return away;
}

// What a site writes, a word a cell.
std::vector<Id> Instrumentation::hashes_of(const Site& site, const CodePlace& before) {
  const Instruction& access = program_.function.blocks[site.block].body[site.instruction];
  const SharedCells& cells = x_.sites.variables()[site.variable];
  ValueHash hash(program_, emitter_, code_.before(before));
  const Id value = access.op == spv::Op::OpStore ? access.word(1) : 0;
  if (!cells.in_bytes) {
    return hash.cells(value, site.type, site.width, cells.cell_scalars);
  }
  const std::uint64_t count = site.width / cells.cell_scalars;
  const std::uint64_t scalars = program_.types.scalars(site.type);
  const bool whole = scalars % count == 0;
  return hash.cells(whole ? value : 0, site.type, whole ? scalars : count,
                    whole ? scalars / count : 1);
}

void Instrumentation::note_sites() {
  for (const Site& site : x_.sites.all()) {
    if (shadow_.is_tracked(site.number)) {
      note(site);
    }
  }
}

void Instrumentation::note(const Site& site) {
  const CodePlace at{site.block, site.instruction};
  constexpr std::uint32_t at_once = 4;
  const Id cell = cell_of(site, at);
  const Id who = emit(at, spv::Op::OpLoad, emitter_.uint_type(), {ref(runtime_->who(site.number))});
  const auto cells =
      static_cast<std::uint32_t>(site.width / x_.sites.variables()[site.variable].cell_scalars);
  const Id word = word_of(site, at, cell, shadow_.invocations(site.number), shadow_.outside());
  if (!subgroups_ && x_.program.launch.proofs && x_.proofs.disjoint(site, site)) {
    call(at, runtime_->touch_own(), {word, emitter_.constant(cells), who});
  } else if (cells == 1) {
    call(at, runtime_->touch(), {word, who});
  } else if (cells <= at_once && !options_.compact) {
    call(at, runtime_->touch_few(cells), {word, who});
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
  const CodePlace at{site.block, site.instruction};
  const std::vector<Id> hashes = hashes_of(site, at);
  for (std::uint32_t n = 0; n < hashes.size(); ++n) {
    const Id word = word_of(site, at, cell, *shadow_.values(site.number) + n, shadow_.outside());
    call(at, runtime_->touch_value(), {word, hashes[n], who});
  }
}

void Instrumentation::note_lanes(const Site& site, Id cell, Id who) {
  const CodePlace at{site.block, site.instruction};
  const auto cells =
      static_cast<std::uint32_t>(site.width / x_.sites.variables()[site.variable].cell_scalars);
  const Id uint = emitter_.uint_type();
  for (std::uint32_t n = 0; n < cells; ++n) {
    const Id one = emit(at, spv::Op::OpIAdd, uint, {ref(cell), ref(emitter_.constant(n))});
    const auto word = [&](std::uint32_t number, std::uint32_t outside) {
      return word_of(site, at, one, *shadow_.lanes(number), outside);
    };
    call(at, runtime_->touch_lane(), {word(site.number, shadow_.outside()), who});
    for (const std::uint32_t p : shadow_.pairs(site.variable)) {
      const SitePair& pair = open_[p];
      const auto atomic = [&](std::uint32_t number) { return x_.sites.all()[number].atomic; };
      if ((pair.first != site.number && pair.second != site.number) ||
          (atomic(pair.first) && atomic(pair.second))) {
        continue;  // of two atomics of subgroup scope only other subgroups take notice
      }
      const std::uint32_t other = pair.first == site.number ? pair.second : pair.first;
      const std::uint32_t other_first = pair.first == site.number ? 0 : 1;
      const bool writes = pair.hazard == Hazard::write_after_write;
      const auto value = [&](std::uint32_t number) {
        return writes ? word_of(site, at, one, *shadow_.values(number), shadow_.outside())
                      : emitter_.constant(no_values);
      };
      call(at, runtime_->meet_lane(),
           {emitter_.constant(p), word(other, shadow_.untouched()), one, who,
            emitter_.constant(other_first), value(site.number), value(other)});
    }
  }
}

void Instrumentation::compare_at_barriers() {
  for (std::size_t b = 0; b < program_.flow.size(); ++b) {
    const Block& block = program_.function.blocks[b];
    for (std::size_t i = 0; program_.flow.reachable(b) && i < block.body.size(); ++i) {
      if (Phases::closes(program_, block, i)) {
        compare_at({b, i});
      }
    }
  }
}

// Scans, a second barrier, and what the scans settled, behind the kernel's own barrier.
void Instrumentation::compare_at(const CodePlace& at) {
  const auto noted = noted_before(x_.phases.ended_by(at.first, at.second));
  if (noted.empty()) {
    return;
  }
  std::vector<Instruction>& after = code_.after(at);
  for (const RaceRuntime::Noted& sites : noted) {
    code_.call(after, runtime_->scan(sites), {});
  }
  if (subgroups_) {
    after.push_back(
        {spv::Op::OpStore, 0, 0, {ref(runtime_->phase()), ref(emitter_.constant(0))}, {}});
  }
  after.push_back({spv::Op::OpControlBarrier, 0, 0, runtime_->barrier(), {}});
  for (const RaceRuntime::Noted& sites : noted) {
    code_.call(after, runtime_->settle(sites), {});
  }
  order_shadow(code_.function().blocks[at.first].body[at.second]);
}

// Tracked sites in a phase that a segment ends, variable by variable; none of those without any.
std::vector<RaceRuntime::Noted> Instrumentation::noted_before(std::size_t ending) const {
  std::vector<RaceRuntime::Noted> noted;
  for (std::uint32_t v = 0; v < x_.sites.variables().size(); ++v) {
    RaceRuntime::Noted sites;
    for (const std::uint32_t s : shadow_.tracked(v)) {
      const std::size_t segment = x_.sites.all()[s].segment;
      if (segment == ending || x_.phases.follows(segment, ending)) {
        sites.push_back(s);
      }
    }
    std::ranges::sort(sites);
    if (!sites.empty()) {
      noted.push_back(std::move(sites));
    }
  }
  return noted;
}

// The kernel ends wherever it returns.
std::vector<RaceRuntime::Noted> Instrumentation::noted_at_the_end() const {
  std::map<std::uint32_t, RaceRuntime::Noted> noted;
  for (const std::size_t b : program_.flow.order()) {
    if (!program_.flow.successors(b).empty()) {
      continue;
    }
    const std::size_t last = program_.function.blocks[b].body.size() - 1;
    for (const RaceRuntime::Noted& sites : noted_before(x_.phases.segment(b, last))) {
      RaceRuntime::Noted& all = noted[x_.sites.all()[sites.front()].variable];
      all.insert(all.end(), sites.begin(), sites.end());
    }
  }
  std::vector<RaceRuntime::Noted> lists;
  for (auto& [variable, sites] : noted) {
    std::ranges::sort(sites);
    const auto same = std::ranges::unique(sites);
    sites.erase(same.begin(), same.end());
    lists.push_back(std::move(sites));
  }
  return lists;
}

// The kernel's own barrier must order the shadow's words too.
void Instrumentation::order_shadow(Instruction& barrier) {
  const auto written =
      static_cast<std::uint32_t>(program_.constants.scalar(barrier.word(2)).value_or(0));
  // Of the orders there may be one only, and the shadow's is the strongest that it needs.
  constexpr std::uint32_t orders = 0x2 | 0x4 | 0x8 | 0x10;
  const std::uint32_t mask = written & ~orders;
  std::vector<Operand> operands = runtime_->barrier();
  for (const Instruction& constant : module_.preamble) {
    if (constant.result == operands[2].word) {
      operands[2] = ref(emitter_.constant(constant.word(0) | mask));
      break;
    }
  }
  barrier.operands = std::move(operands);
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
      auto& after = code_.after({b, i});
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

// What is guessed of the launch and seen by the probe itself: other proofs may go by it, too.
LaunchFacts Instrumentation::looked_at() const {
  LaunchFacts facts;
  if (order_ && order_->plan().any) {
    facts.ticket = order_->plan().guesses.ticket;
    facts.subgroup = order_->plan().guesses.subgroup;
  }
  return facts;
}

void Instrumentation::follow_order() {
  if (!order_) {
    return;
  }
  order_->instrument(
      emitter_, code_, runtime_->findings(),
      [this](const Site& site, const CodePlace& at) {
        constexpr std::uint32_t nowhere = 0x7FFFFFFF;
        const Id cell = cell_of(site, at);
        const Id away = elsewhere(site, at);
        return away == 0 ? cell
                         : emit(at, spv::Op::OpSelect, emitter_.uint_type(),
                                {ref(away), ref(emitter_.constant(nowhere)), ref(cell)});
      },
      [this](const Site& site, const CodePlace& at) { return hashes_of(site, at); });
  if (order_->end() != 0) {
    ends_.push_back(order_->end());
  }
  probe_.order = order_->plan();
}

// One bit of a private word a block.
void Instrumentation::mark_blocks() {
  const auto& watched = probe_.coverage->watched();
  for (std::uint32_t mark = 0; mark < watched.size(); ++mark) {
    const std::size_t b = watched[mark];
    const CodePlace at{b, first_place(program_.function.blocks[b])};
    const Id uint = emitter_.uint_type();
    const Id word = runtime_->marks(mark / 32);
    const Id before = emit(at, spv::Op::OpLoad, uint, {ref(word)});
    const Id bit = emitter_.constant(std::uint32_t{1} << (mark % 32));
    const Id now = emit(at, spv::Op::OpBitwiseOr, uint, {ref(before), ref(bit)});
    code_.before(at).push_back({spv::Op::OpStore, 0, 0, {ref(word), ref(now)}, {}});
  }
}

void Instrumentation::find_voted_barriers() {
  for (std::size_t b = 0; b < program_.flow.size() && !probe_.votes.empty(); ++b) {
    const auto& body = program_.function.blocks[b].body;
    for (std::size_t i = 0; program_.flow.reachable(b) && i < body.size(); ++i) {
      if (x_.uniformity.block(b) != Alike::uniform &&
          is_workgroup_barrier(program_.constants, body[i])) {
        voted_barriers_.emplace_back(b, i);
        probe_.barriers.push_back(body[i].at);
      }
    }
  }
}

// A number for each block that a switch leads to.
Id Instrumentation::way_of_switch(const CodePlace& place, const Instruction& end) {
  const Id value = code_.as_word(code_.before(place), end.word(0));
  std::vector<Id> ways{end.word(1)};
  Id way = emitter_.constant(0);
  for (std::size_t k = 2; k + 1 < end.operands.size(); k += 2) {
    const auto known = std::ranges::find(ways, end.word(k + 1));
    const auto number = static_cast<std::uint32_t>(known - ways.begin());
    if (known == ways.end()) {
      ways.push_back(end.word(k + 1));
    }
    const Id taken = emit(place, spv::Op::OpIEqual, emitter_.bool_type(),
                          {ref(value), ref(emitter_.constant(end.word(k)))});
    way = emit(place, spv::Op::OpSelect, emitter_.uint_type(),
               {ref(taken), ref(emitter_.constant(number)), ref(way)});
  }
  return way;
}

// Before the branch, and where its ways have met again.
void Instrumentation::vote() {
  std::uint32_t number = 0;
  for (const PartingBranch& branch : x_.uniformity.parting_branches()) {
    const auto& body = program_.function.blocks[branch.block].body;
    std::size_t at = body.size() - 1;
    while (at > 0 && (body[at - 1].op == spv::Op::OpSelectionMerge ||
                      body[at - 1].op == spv::Op::OpLoopMerge)) {
      --at;
    }
    const CodePlace place{branch.block, at};
    const Id value = body.back().word(0);
    const bool truth =
        program_.definitions.op(program_.definitions.of(value).type) == spv::Op::OpTypeBool;
    const Id word = truth ? emit(place, spv::Op::OpSelect, emitter_.uint_type(),
                                 {ref(value), ref(emitter_.constant(1)), ref(emitter_.constant(0))})
                          : way_of_switch(place, body.back());
    const Id own = emitter_.constant(number++);
    call(place, runtime_->agree(), {word, own});
    const std::size_t met = program_.flow.post_dominator(branch.block);
    if (met < program_.flow.size()) {
      call({met, first_place(program_.function.blocks[met])}, runtime_->rejoin(), {own});
    }
  }
}

// After all that is written behind barriers.
void Instrumentation::pass_barriers() {
  for (std::uint32_t n = 0; n < voted_barriers_.size(); ++n) {
    const CodePlace& at = voted_barriers_[n];
    Instruction& barrier = code_.function().blocks[at.first].body[at.second];
    std::vector<Instruction> through{barrier};
    std::ranges::move(code_.after(at), std::back_inserter(through));
    code_.after(at).clear();
    call(at, runtime_->pass(n, through), {});
    barrier = {spv::Op::OpNop, 0, 0, {}, barrier.at};
  }
}

}  // namespace

bool can_vote(const Examination& examination, std::uint64_t shared_memory_bytes) {
  return examination.program.interface.shared_bytes + 4 * vote_words <= shared_memory_bytes &&
         std::ranges::none_of(examination.sites.variables(), &SharedCells::in_bytes) &&
         std::ranges::all_of(examination.uniformity.parting_branches(), &PartingBranch::votable);
}

Expected<RaceProbe> make_race_probe(Examination& examination, const RaceProbeOptions& options) {
  return Instrumentation(examination, options).run();
}

}  // namespace spirv
