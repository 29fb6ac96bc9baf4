// Writes new code into a module: types and constants without duplicates, variables, and functions
// with structured control flow.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

/// Types, constants and global variables of a module that is being edited.
class Emitter {
 public:
  explicit Emitter(Module& module);

  [[nodiscard]] Module& module() { return module_; }
  [[nodiscard]] Id void_type() { return type(spv::Op::OpTypeVoid, {}); }
  [[nodiscard]] Id bool_type() { return type(spv::Op::OpTypeBool, {}); }
  [[nodiscard]] Id uint_type() { return type(spv::Op::OpTypeInt, {literal(32), literal(0)}); }
  [[nodiscard]] Id long_type() { return type(spv::Op::OpTypeInt, {literal(64), literal(0)}); }
  [[nodiscard]] Id float_type() { return type(spv::Op::OpTypeFloat, {literal(32)}); }
  [[nodiscard]] Id vector_type(Id element, std::uint32_t length) {
    return type(spv::Op::OpTypeVector, {ref(element), literal(length)});
  }
  /// Loops that are written from now on ask not to be unrolled.
  void keep_loops() { loop_control_ = 2; }
  [[nodiscard]] std::uint32_t loop_control() const { return loop_control_; }
  [[nodiscard]] Id pointer_type(spv::StorageClass storage, Id to);
  [[nodiscard]] Id function_type(Id result, const std::vector<Id>& parameters);
  /// A type that may stand in the module only once; found or made.
  [[nodiscard]] Id type(spv::Op op, const std::vector<Operand>& operands);
  [[nodiscard]] Id constant(std::uint32_t value);
  [[nodiscard]] Id null(Id type);
  [[nodiscard]] Id undefined(Id type);

  /// A shared array of 32-bit words.
  [[nodiscard]] Id shared_words(const std::string& name, std::uint32_t count);
  /// As many for each invocation, 0 at the start.
  [[nodiscard]] Id private_words(const std::string& name, std::uint32_t count);
  /// An array of such words for each invocation; found or made.
  [[nodiscard]] Id private_table(const std::vector<std::uint32_t>& words);
  /// One word an invocation, 0 at the start; found by its name or made.
  [[nodiscard]] Id private_word(const std::string& name);
  /// A storage buffer that is one runtime array of 32-bit words, `buffer { uint name[]; }`.
  [[nodiscard]] Id buffer_of_words(const std::string& name, std::uint32_t set,
                                   std::uint32_t binding) {
    return buffer_of(uint_type(), 4, name, set, binding);
  }
  /// The same of 64-bit words, which the device must have.
  [[nodiscard]] Id buffer_of_longs(const std::string& name, std::uint32_t set,
                                   std::uint32_t binding) {
    return buffer_of(long_type(), 8, name, set, binding);
  }
  /// The variable of a built-in input; found or made.
  [[nodiscard]] Id built_in(spv::BuiltIn built_in, Id type);

  void capability(spv::Capability capability);
  void extension(const std::string& name);
  void decorate(Id target, spv::Decoration decoration, const std::vector<std::uint32_t>& words);
  void name(Id target, const std::string& name);
  /// The id of GLSL.std.450, imported if need be.
  [[nodiscard]] Id glsl();
  [[nodiscard]] bool vulkan_memory_model() const { return vulkan_memory_model_; }

 private:
  [[nodiscard]] Id buffer_of(Id element, std::uint32_t stride, const std::string& name,
                             std::uint32_t set, std::uint32_t binding);
  Id append(spv::Op op, Id type, const std::vector<Operand>& operands);
  void list_in_entries(Id variable);
  void start_with(Id variable, Id value);
  Id global(spv::StorageClass storage, Id type, const std::string& name);
  void insert_before(const std::function<bool(spv::Op)>& later, Instruction instruction);

  Module& module_;
  std::map<std::vector<std::uint32_t>, Id> tables_;
  std::map<std::tuple<spv::Op, Id, std::vector<std::uint32_t>>, Id> known_;
  bool vulkan_memory_model_ = false;
  std::uint32_t loop_control_ = 0;
};

/// One function under construction. Calls write instructions at the end; the control-flow helpers
/// open and close blocks.
class Code {
 public:
  Code(Emitter& emitter, const std::string& name, Id result, const std::vector<Id>& parameters);

  [[nodiscard]] Id id() const { return function_.id(); }
  [[nodiscard]] Id parameter(std::size_t index) const { return function_.parameters[index].result; }
  Id emit(spv::Op op, Id type, const std::vector<Operand>& operands);
  void emit(spv::Op op, const std::vector<Operand>& operands);

  /// An instruction as it is: its result must be of no other instruction.
  void append(const Instruction& instruction) {
    function_.blocks.back().body.push_back(instruction);
  }

  /// 32-bit unsigned arithmetic, and comparisons to booleans.
  Id word(spv::Op op, Id a, Id b) { return emit(op, emitter_.uint_type(), {ref(a), ref(b)}); }
  Id test(spv::Op op, Id a, Id b) { return emit(op, emitter_.bool_type(), {ref(a), ref(b)}); }
  Id choose(Id condition, Id yes, Id no) {
    return emit(spv::Op::OpSelect, emitter_.uint_type(), {ref(condition), ref(yes), ref(no)});
  }

  /// The workgroup's position in a launch of `across` × `down` × … workgroups, x fastest.
  Id group_position(Id across, Id down);
  /// A local 32-bit word.
  Id local();
  Id load(Id pointer) { return emit(spv::Op::OpLoad, emitter_.uint_type(), {ref(pointer)}); }
  void store(Id pointer, Id value) { emit(spv::Op::OpStore, {ref(pointer), ref(value)}); }

  void when(Id condition, const std::function<void()>& then);
  /// Repeats `body` for as long as it returns true (an id of a boolean).
  void repeat(const std::function<Id()>& body);
  /// for (counter = first; counter < end; counter += step) body(counter)
  void count(Id first, Id end, Id step, const std::function<void(Id)>& body);

  /// Adds the function to the module.
  void finish();

 private:
  void open(Id label);
  Emitter& emitter_;
  Function function_;
};

}  // namespace spirv
