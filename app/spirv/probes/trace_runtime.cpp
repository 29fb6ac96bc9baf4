#include "spirv/probes/trace_runtime.h"

#include <string>
#include <vector>

#include "spirv/analysis/values/loop_bounds.h"

namespace spirv {
namespace {

constexpr std::uint32_t u_min = 38;  // of GLSL.std.450

}  // namespace

TraceRuntime::TraceRuntime(Emitter& emitter, const TraceLayout& layout,
                           const TraceProbeOptions& options)
    : e_(emitter), layout_(layout) {
  e_.capability(spv::Capability::GroupNonUniform);
  buffer_ = e_.buffer_of_words("tilescope_trace", options.set, options.binding);
  first_ = e_.private_word("tilescope_trace_first");
  room_ = e_.private_word("tilescope_trace_room");
  used_ = e_.private_word("tilescope_trace_used");
  made_ = e_.private_word("tilescope_trace_made");
  flops_ = e_.private_word("tilescope_trace_flops");
  write_begin();
  write_count();
  write_end();
}

Id TraceRuntime::pointer(Code& code, Id word) {
  return code.emit(spv::Op::OpAccessChain,
                   e_.pointer_type(spv::StorageClass::StorageBuffer, e_.uint_type()),
                   {ref(buffer_), ref(e_.constant(0)), ref(word)});
}

Id TraceRuntime::row(Code& code) {
  const Id me = code.load(e_.built_in(spv::BuiltIn::LocalInvocationIndex, e_.uint_type()));
  const Id offset = code.word(spv::Op::OpIMul, me, e_.constant(TraceLayout::row_words));
  return code.word(spv::Op::OpIAdd, offset, e_.constant(TraceLayout::header));
}

Id TraceRuntime::field(Code& code, Id row, std::uint32_t number) {
  return pointer(code, code.word(spv::Op::OpIAdd, row, e_.constant(number)));
}

void TraceRuntime::write_begin() {
  Code code(e_, "tilescope_trace_begin", e_.void_type(), {});
  const Id mine = row(code);
  code.store(first_, code.load(field(code, mine, TraceLayout::begin)));
  code.store(room_, code.load(field(code, mine, TraceLayout::room)));
  const auto tell = [&](std::uint32_t number, spv::BuiltIn built_in) {
    code.store(field(code, mine, number), code.load(e_.built_in(built_in, e_.uint_type())));
  };
  tell(TraceLayout::subgroup, spv::BuiltIn::SubgroupId);
  tell(TraceLayout::lane, spv::BuiltIn::SubgroupLocalInvocationId);
  tell(TraceLayout::subgroup_size, spv::BuiltIn::SubgroupSize);
  code.finish();
  begin_ = code.id();
}

void TraceRuntime::write_count() {
  Code code(e_, "tilescope_trace_count", e_.void_type(), {e_.uint_type()});
  code.store(flops_, code.word(spv::Op::OpIAdd, code.load(flops_), code.parameter(0)));
  code.finish();
  count_ = code.id();
}

void TraceRuntime::write_end() {
  Code code(e_, "tilescope_trace_end", e_.void_type(), {});
  const Id mine = row(code);
  code.store(field(code, mine, TraceLayout::used), code.load(used_));
  code.store(field(code, mine, TraceLayout::made), code.load(made_));
  code.store(field(code, mine, TraceLayout::flops), code.load(flops_));
  code.store(field(code, mine, TraceLayout::bad_loop), code.load(e_.private_word(bad_loop_name)));
  code.finish();
  end_ = code.id();
}

Id TraceRuntime::append(std::uint32_t words) {
  const auto [entry, fresh] = append_.try_emplace(words, 0);
  if (!fresh) {
    return entry->second;
  }
  const Id uint = e_.uint_type();
  Code code(e_, "tilescope_trace_append_" + std::to_string(words), e_.void_type(),
            std::vector<Id>(words + 1, uint));
  const Id before = code.load(used_);
  const Id after = code.word(spv::Op::OpIAdd, before, e_.constant(words));
  code.store(made_, code.word(spv::Op::OpIAdd, code.load(made_), code.parameter(0)));
  code.store(used_, code.emit(spv::Op::OpExtInst, uint,
                              {ref(e_.glsl()), literal(u_min), ref(after),
                               ref(e_.constant(TraceLayout::most_used))}));
  code.when(code.test(spv::Op::OpULessThanEqual, after, code.load(room_)), [&] {
    const Id start = code.word(spv::Op::OpIAdd, code.load(first_), before);
    for (std::uint32_t n = 0; n < words; ++n) {
      const Id at = n == 0 ? start : code.word(spv::Op::OpIAdd, start, e_.constant(n));
      code.store(pointer(code, at), code.parameter(n + 1));
    }
  });
  code.finish();
  entry->second = code.id();
  return entry->second;
}

}  // namespace spirv
