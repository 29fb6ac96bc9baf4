#include "spirv/module/emitter.h"

#include <algorithm>
#include <utility>

namespace spirv {
namespace {

std::vector<std::uint32_t> words_of(const std::vector<Operand>& operands) {
  std::vector<std::uint32_t> words;
  for (const Operand& operand : operands) {
    words.push_back(operand.word);
  }
  return words;
}

// Sections of the preamble, in the order that the specification gives (2.4).
bool after_capabilities(spv::Op op) {
  return op != spv::Op::OpCapability;
}
bool after_extensions(spv::Op op) {
  return after_capabilities(op) && op != spv::Op::OpExtension;
}
bool after_imports(spv::Op op) {
  return after_extensions(op) && op != spv::Op::OpExtInstImport;
}
bool after_names(spv::Op op) {
  switch (op) {
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
    case spv::Op::OpString:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
      return false;
    default:
      return after_imports(op);
  }
}
bool after_decorations(spv::Op op) {
  switch (op) {
    case spv::Op::OpModuleProcessed:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case spv::Op::OpDecorationGroup:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
      return false;
    default:
      return after_names(op);
  }
}

bool is_shareable(spv::Op op) {
  switch (op) {
    case spv::Op::OpTypeVoid:
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeFunction:
    case spv::Op::OpConstant:
      return true;
    default:
      return false;
  }
}

}  // namespace

Emitter::Emitter(Module& module) : module_(module) {
  for (const Instruction& i : module.preamble) {
    if (is_shareable(i.op)) {
      known_.try_emplace({i.op, i.type, words_of(i.operands)}, i.result);
    }
    if (i.op == spv::Op::OpMemoryModel) {
      vulkan_memory_model_ = i.word(1) == static_cast<std::uint32_t>(spv::MemoryModel::Vulkan);
    }
  }
}

Id Emitter::append(spv::Op op, Id type, const std::vector<Operand>& operands) {
  const Id id = module_.fresh();
  module_.preamble.push_back({op, type, id, operands, {}});
  return id;
}

Id Emitter::type(spv::Op op, const std::vector<Operand>& operands) {
  const auto [entry, fresh] = known_.try_emplace({op, 0, words_of(operands)}, 0);
  if (fresh) {
    entry->second = append(op, 0, operands);
  }
  return entry->second;
}

Id Emitter::pointer_type(spv::StorageClass storage, Id to) {
  return type(spv::Op::OpTypePointer, {literal(static_cast<std::uint32_t>(storage)), ref(to)});
}

Id Emitter::function_type(Id result, const std::vector<Id>& parameters) {
  std::vector<Operand> operands{ref(result)};
  for (const Id parameter : parameters) {
    operands.push_back(ref(parameter));
  }
  return type(spv::Op::OpTypeFunction, operands);
}

Id Emitter::constant(std::uint32_t value) {
  const Id uint = uint_type();
  const auto [entry, fresh] =
      known_.try_emplace({spv::Op::OpConstant, uint, std::vector<std::uint32_t>{value}}, 0);
  if (fresh) {
    entry->second = append(spv::Op::OpConstant, uint, {literal(value)});
  }
  return entry->second;
}

Id Emitter::null(Id type) {
  const auto [entry, fresh] =
      known_.try_emplace({spv::Op::OpConstantNull, type, std::vector<std::uint32_t>{}}, 0);
  if (fresh) {
    entry->second = append(spv::Op::OpConstantNull, type, {});
  }
  return entry->second;
}

Id Emitter::undefined(Id type) {
  const auto [entry, fresh] =
      known_.try_emplace({spv::Op::OpUndef, type, std::vector<std::uint32_t>{}}, 0);
  if (fresh) {
    entry->second = append(spv::Op::OpUndef, type, {});
  }
  return entry->second;
}

Id Emitter::global(spv::StorageClass storage, Id type, const std::string& text) {
  const Id id = append(spv::Op::OpVariable, pointer_type(storage, type),
                       {literal(static_cast<std::uint32_t>(storage))});
  // From SPIR-V 1.4 on the entry point lists every global that it uses.
  if (module_.version >= 0x00010400 || storage == spv::StorageClass::Input) {
    list_in_entries(id);
  }
  name(id, text);
  return id;
}

void Emitter::list_in_entries(Id variable) {
  for (Instruction& i : module_.preamble) {
    const bool listed = std::ranges::any_of(i.operands, [&](const Operand& operand) {
      return operand.is_id && operand.word == variable;
    });
    if (i.op == spv::Op::OpEntryPoint && !listed) {
      i.operands.push_back(ref(variable));
    }
  }
}

Id Emitter::shared_words(const std::string& text, std::uint32_t count) {
  const Id array = append(spv::Op::OpTypeArray, 0, {ref(uint_type()), ref(constant(count))});
  return global(spv::StorageClass::Workgroup, array, text);
}

Id Emitter::private_word(const std::string& name_) {
  for (const Instruction& i : module_.preamble) {
    if (i.op == spv::Op::OpName && text(i, 1) == name_) {
      return i.word(0);
    }
  }
  const Id id = global(spv::StorageClass::Private, uint_type(), name_);
  start_with(id, constant(0));
  return id;
}

// The initializer must stand before the variable.
void Emitter::start_with(Id id, Id value) {
  auto& preamble = module_.preamble;
  const auto variable = std::ranges::find(preamble, id, &Instruction::result);
  variable->operands.push_back(ref(value));
  std::rotate(variable, variable + 1, preamble.end());
}

Id Emitter::private_table(const std::vector<std::uint32_t>& words) {
  const auto [entry, fresh] = tables_.try_emplace(words, 0);
  if (fresh) {
    const Id length = constant(static_cast<std::uint32_t>(words.size()));
    const Id array = append(spv::Op::OpTypeArray, 0, {ref(uint_type()), ref(length)});
    std::vector<Operand> numbers;
    for (const std::uint32_t word : words) {
      numbers.push_back(ref(constant(word)));
    }
    const Id value = append(spv::Op::OpConstantComposite, array, numbers);
    entry->second = global(spv::StorageClass::Private, array, "tilescope_table");
    start_with(entry->second, value);
  }
  return entry->second;
}

Id Emitter::private_words(const std::string& text, std::uint32_t count) {
  const Id array = append(spv::Op::OpTypeArray, 0, {ref(uint_type()), ref(constant(count))});
  const Id id = global(spv::StorageClass::Private, array, text);
  start_with(id, null(array));
  return id;
}

Id Emitter::buffer_of(Id element, std::uint32_t stride, const std::string& text, std::uint32_t set,
                      std::uint32_t binding) {
  const Id array = append(spv::Op::OpTypeRuntimeArray, 0, {ref(element)});
  const Id block = append(spv::Op::OpTypeStruct, 0, {ref(array)});
  decorate(array, spv::Decoration::ArrayStride, {stride});
  decorate(block, spv::Decoration::Block, {});
  insert_before(after_decorations,
                {spv::Op::OpMemberDecorate,
                 0,
                 0,
                 {ref(block), literal(0),
                  literal(static_cast<std::uint32_t>(spv::Decoration::Offset)), literal(0)},
                 {}});
  if (module_.version < 0x00010300) {
    extension("SPV_KHR_storage_buffer_storage_class");
  }
  const Id variable = global(spv::StorageClass::StorageBuffer, block, text);
  decorate(variable, spv::Decoration::DescriptorSet, {set});
  decorate(variable, spv::Decoration::Binding, {binding});
  return variable;
}

Id Emitter::built_in(spv::BuiltIn built_in, Id type) {
  const auto number = static_cast<std::uint32_t>(built_in);
  for (const Instruction& i : module_.preamble) {
    if (i.op == spv::Op::OpDecorate && i.word(2) == number &&
        i.word(1) == static_cast<std::uint32_t>(spv::Decoration::BuiltIn)) {
      const auto variable = std::ranges::find(module_.preamble, i.word(0), &Instruction::result);
      if (variable != module_.preamble.end() && variable->op == spv::Op::OpVariable) {
        const Id id = variable->result;
        list_in_entries(id);
        return id;
      }
    }
  }
  const Id id = global(spv::StorageClass::Input, type, "");
  decorate(id, spv::Decoration::BuiltIn, {number});
  return id;
}

void Emitter::insert_before(const std::function<bool(spv::Op)>& later, Instruction instruction) {
  const auto place =
      std::ranges::find_if(module_.preamble, [&](const Instruction& i) { return later(i.op); });
  module_.preamble.insert(place, std::move(instruction));
}

void Emitter::capability(spv::Capability capability) {
  const auto number = static_cast<std::uint32_t>(capability);
  for (const Instruction& i : module_.preamble) {
    if (i.op == spv::Op::OpCapability && i.word(0) == number) {
      return;
    }
  }
  insert_before(after_capabilities, {spv::Op::OpCapability, 0, 0, {literal(number)}, {}});
}

void Emitter::extension(const std::string& text_) {
  for (const Instruction& i : module_.preamble) {
    if (i.op == spv::Op::OpExtension && text(i, 0) == text_) {
      return;
    }
  }
  insert_before(after_extensions, {spv::Op::OpExtension, 0, 0, text_operands(text_), {}});
}

void Emitter::decorate(Id target, spv::Decoration decoration,
                       const std::vector<std::uint32_t>& words) {
  std::vector<Operand> operands{ref(target), literal(static_cast<std::uint32_t>(decoration))};
  for (const std::uint32_t word : words) {
    operands.push_back(literal(word));
  }
  insert_before(after_decorations, {spv::Op::OpDecorate, 0, 0, operands, {}});
}

void Emitter::name(Id target, const std::string& text_) {
  if (text_.empty()) {
    return;
  }
  std::vector<Operand> operands{ref(target)};
  const std::vector<Operand> words = text_operands(text_);
  operands.insert(operands.end(), words.begin(), words.end());
  insert_before(after_names, {spv::Op::OpName, 0, 0, operands, {}});
}

Id Emitter::glsl() {
  for (const Instruction& i : module_.preamble) {
    if (i.op == spv::Op::OpExtInstImport && text(i, 0) == "GLSL.std.450") {
      return i.result;
    }
  }
  const Id id = module_.fresh();
  insert_before(after_imports,
                {spv::Op::OpExtInstImport, 0, id, text_operands("GLSL.std.450"), {}});
  return id;
}

Code::Code(Emitter& emitter, const std::string& name, Id result, const std::vector<Id>& parameters)
    : emitter_(emitter) {
  Module& module = emitter.module();
  const Id type = emitter.function_type(result, parameters);
  function_.header = {spv::Op::OpFunction, result, module.fresh(), {literal(0), ref(type)}, {}};
  for (const Id parameter : parameters) {
    function_.parameters.push_back(
        {spv::Op::OpFunctionParameter, parameter, module.fresh(), {}, {}});
  }
  emitter.name(function_.id(), name);
  open(module.fresh());
}

void Code::open(Id label) {
  function_.blocks.push_back({label, {}, {}});
}

Id Code::emit(spv::Op op, Id type, const std::vector<Operand>& operands) {
  const Id id = emitter_.module().fresh();
  function_.blocks.back().body.push_back({op, type, id, operands, {}});
  return id;
}

void Code::emit(spv::Op op, const std::vector<Operand>& operands) {
  function_.blocks.back().body.push_back({op, 0, 0, operands, {}});
}

Id Code::group_position(Id across, Id down) {
  const Id vector = emitter_.vector_type(emitter_.uint_type(), 3);
  const Id variable = emitter_.built_in(spv::BuiltIn::WorkgroupId, vector);
  const Id group = emit(spv::Op::OpLoad, vector, {ref(variable)});
  const auto part = [&](std::uint32_t d) {
    return emit(spv::Op::OpCompositeExtract, emitter_.uint_type(), {ref(group), literal(d)});
  };
  const Id row = word(spv::Op::OpIAdd, part(1), word(spv::Op::OpIMul, part(2), down));
  return word(spv::Op::OpIAdd, part(0), word(spv::Op::OpIMul, row, across));
}

Id Code::local() {
  const Id id = emitter_.module().fresh();
  const Id type = emitter_.pointer_type(spv::StorageClass::Function, emitter_.uint_type());
  auto& body = function_.blocks.front().body;
  body.insert(body.begin(), {spv::Op::OpVariable,
                             type,
                             id,
                             {literal(static_cast<std::uint32_t>(spv::StorageClass::Function))},
                             {}});
  return id;
}

void Code::when(Id condition, const std::function<void()>& then) {
  const Id yes = emitter_.module().fresh();
  const Id end = emitter_.module().fresh();
  emit(spv::Op::OpSelectionMerge, {ref(end), literal(0)});
  emit(spv::Op::OpBranchConditional, {ref(condition), ref(yes), ref(end)});
  open(yes);
  then();
  emit(spv::Op::OpBranch, {ref(end)});
  open(end);
}

void Code::repeat(const std::function<Id()>& body) {
  Module& module = emitter_.module();
  const Id header = module.fresh();
  const Id start = module.fresh();
  const Id next = module.fresh();
  const Id end = module.fresh();
  emit(spv::Op::OpBranch, {ref(header)});
  open(header);
  emit(spv::Op::OpLoopMerge, {ref(end), ref(next), literal(emitter_.loop_control())});
  emit(spv::Op::OpBranch, {ref(start)});
  open(start);
  const Id again = body();
  emit(spv::Op::OpBranchConditional, {ref(again), ref(next), ref(end)});
  open(next);
  emit(spv::Op::OpBranch, {ref(header)});
  open(end);
}

void Code::count(Id first, Id end, Id step, const std::function<void(Id)>& body) {
  const Id counter = local();
  store(counter, first);
  const Id some = test(spv::Op::OpULessThan, first, end);
  when(some, [&] {
    repeat([&] {
      body(load(counter));
      const Id next = word(spv::Op::OpIAdd, load(counter), step);
      store(counter, next);
      return test(spv::Op::OpULessThan, next, end);
    });
  });
}

void Code::finish() {
  if (function_.blocks.back().body.empty() ||
      !is_terminator(function_.blocks.back().terminator().op)) {
    emit(spv::Op::OpReturn, {});
  }
  emitter_.module().functions.push_back(std::move(function_));
}

}  // namespace spirv
