#include "spirv/probes/timeline_probe.h"

#include <algorithm>

#include "spirv/probes/insertions.h"

namespace spirv {
namespace {

constexpr std::uint32_t number(auto value) {
  return static_cast<std::uint32_t>(value);
}

// The two functions that the kernel is wrapped in.
class Runtime {
 public:
  Runtime(Emitter& emitter, const TimelineProbeOptions& options)
      : e_(emitter), options_(options), layout_{options.rows} {
    e_.capability(spv::Capability::GroupNonUniform);
    e_.capability(spv::Capability::ShaderClockKHR);
    e_.extension("SPV_KHR_shader_clock");
    if (options.places == PlaceBuiltIns::nv) {
      e_.capability(spv::Capability::ShaderSMBuiltinsNV);
      e_.extension("SPV_NV_shader_sm_builtins");
    } else if (options.places == PlaceBuiltIns::arm) {
      e_.capability(spv::Capability::CoreBuiltinsARM);
      e_.extension("SPV_ARM_core_builtins");
    }
    buffer_ = e_.buffer_of_words("tilescope_timeline", options.set, options.binding);
  }

  [[nodiscard]] Id buffer() const { return buffer_; }
  [[nodiscard]] Id write_begin();
  [[nodiscard]] Id write_end();

 private:
  [[nodiscard]] Id pointer(Code& code, Id word);
  [[nodiscard]] Id load_built_in(Code& code, spv::BuiltIn built_in);
  [[nodiscard]] Id read_clock(Code& code);
  [[nodiscard]] Id speaks_for_subgroup(Code& code);
  [[nodiscard]] Id group_position(Code& code);
  [[nodiscard]] Id row(Code& code);
  [[nodiscard]] Id place(Code& code);
  void store(Code& code, Id row, std::uint32_t field, Id value);
  void store_ticks(Code& code, Id row, std::uint32_t field, Id ticks);

  Emitter& e_;
  TimelineProbeOptions options_;
  TimelineLayout layout_;
  Id buffer_ = 0;
};

Id Runtime::pointer(Code& code, Id word) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                   {ref(buffer_), ref(e_.constant(0)), ref(word)});
}

Id Runtime::load_built_in(Code& code, spv::BuiltIn built_in) {
  return code.load(e_.built_in(built_in, e_.uint_type()));
}

Id Runtime::read_clock(Code& code) {
  return code.emit(spv::Op::OpReadClockKHR, e_.vector_type(e_.uint_type(), 2),
                   {ref(e_.constant(number(spv::Scope::Device)))});
}

Id Runtime::speaks_for_subgroup(Code& code) {
  const Id elected = code.emit(spv::Op::OpGroupNonUniformElect, e_.bool_type(),
                               {ref(e_.constant(number(spv::Scope::Subgroup)))});
  const Id has_row = code.test(spv::Op::OpULessThan, load_built_in(code, spv::BuiltIn::SubgroupId),
                               e_.constant(layout_.rows));
  return code.test(spv::Op::OpLogicalAnd, elected, has_row);
}

Id Runtime::group_position(Code& code) {
  const auto header = [&](std::uint32_t word) {
    return code.load(pointer(code, e_.constant(word)));
  };
  const Id across = header(TimelineLayout::grid);
  return code.group_position(across, header(TimelineLayout::grid + 1));
}

Id Runtime::row(Code& code) {
  const Id first = code.load(pointer(code, e_.constant(TimelineLayout::first_group)));
  const Id group = code.word(spv::Op::OpISub, group_position(code), first);
  const Id rows = code.word(spv::Op::OpIMul, group, e_.constant(layout_.rows));
  const Id mine = code.word(spv::Op::OpIAdd, rows, load_built_in(code, spv::BuiltIn::SubgroupId));
  const Id offset = code.word(spv::Op::OpIMul, mine, e_.constant(TimelineLayout::row_words));
  return code.word(spv::Op::OpIAdd, offset, e_.constant(TimelineLayout::header));
}

Id Runtime::place(Code& code) {
  if (options_.places == PlaceBuiltIns::none) {
    return e_.constant(TimelineLayout::no_place);
  }
  const bool nv = options_.places == PlaceBuiltIns::nv;
  const Id core = load_built_in(code, nv ? spv::BuiltIn::SMIDNV : spv::BuiltIn::CoreIDARM);
  const Id warp = load_built_in(code, nv ? spv::BuiltIn::WarpIDNV : spv::BuiltIn::WarpIDARM);
  const Id upper = code.word(spv::Op::OpShiftLeftLogical, warp, e_.constant(16));
  return code.word(spv::Op::OpBitwiseOr, upper, core);
}

void Runtime::store(Code& code, Id row, std::uint32_t field, Id value) {
  code.store(pointer(code, code.word(spv::Op::OpIAdd, row, e_.constant(field))), value);
}

void Runtime::store_ticks(Code& code, Id row, std::uint32_t field, Id ticks) {
  for (std::uint32_t half = 0; half < 2; ++half) {
    store(code, row, field + half,
          code.emit(spv::Op::OpCompositeExtract, e_.uint_type(), {ref(ticks), literal(half)}));
  }
}

Id Runtime::write_begin() {
  Code code(e_, "tilescope_timeline_begin", e_.void_type(), {});
  const Id now = read_clock(code);
  code.when(speaks_for_subgroup(code), [&] {
    const Id mine = row(code);
    store_ticks(code, mine, TimelineLayout::start, now);
    store(code, mine, TimelineLayout::place, place(code));
    store(code, mine, TimelineLayout::subgroups, load_built_in(code, spv::BuiltIn::NumSubgroups));
  });
  code.finish();
  return code.id();
}

Id Runtime::write_end() {
  Code code(e_, "tilescope_timeline_end", e_.void_type(), {});
  const Id subgroup = e_.constant(number(spv::Scope::Subgroup));
  code.emit(spv::Op::OpControlBarrier, {ref(subgroup), ref(subgroup), ref(e_.constant(0))});
  const Id now = read_clock(code);
  code.when(speaks_for_subgroup(code),
            [&] { store_ticks(code, row(code), TimelineLayout::end, now); });
  code.finish();
  return code.id();
}

}  // namespace

TimelineProbe make_timeline_probe(const Examination& examination,
                                  const TimelineProbeOptions& options) {
  const Program& program = examination.program;
  Module module = program.module;
  // Subgroups came with SPIR-V 1.3.
  module.version = std::max<std::uint32_t>(module.version, 0x00010300);
  Emitter emitter(module);
  Insertions code(program, emitter);
  Runtime runtime(emitter, options);
  code.tell_launch_size(runtime.buffer(),
                        {TimelineLayout::grid, TimelineLayout::grid + 1, TimelineLayout::grid + 2});
  code.apply();
  const Id begin = runtime.write_begin();
  code.wrap_entry(begin, {runtime.write_end()});
  return {write(module), {options.rows}};
}

}  // namespace spirv
