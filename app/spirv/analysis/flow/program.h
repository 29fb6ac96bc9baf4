// A canonical module with the tables that the analyses and probes read.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/analysis/flow/control_flow.h"
#include "spirv/analysis/values/launch.h"
#include "spirv/module/constants.h"
#include "spirv/module/module.h"
#include "spirv/module/types.h"
#include "spirv/reflection/barriers.h"
#include "spirv/reflection/reflect.h"

namespace spirv {

/// Where a pointer leads: a variable, and the indices from it, outermost first.
struct PointerPath {
  Id variable = 0;          ///< 0: not one known variable
  std::vector<Id> indices;  ///< ids of integers; of constants for members of a struct
  /// Where each index stands: an instruction and its operand.
  std::vector<std::pair<Id, std::uint32_t>> links;
};

/// Where a pointer leads that begins at an address (a buffer reference).
struct AddressedPath {
  Id block = 0;             ///< type of what lies at the address; 0: it is no such pointer
  Id base = 0;              ///< the pointer to it
  std::vector<Id> indices;  ///< from its start, outermost first
};

/// One of the places that a pointer may lead to, chosen when the kernel runs.
struct PointerChoice {
  PointerPath path;
  /// Which operand of which OpSelect or OpPhi it is, outermost first; none: it is the only one.
  std::vector<std::pair<Id, std::uint32_t>> chosen;
};

struct MemoryPlace;  // memory_layout.h

/// Neither copied nor moved: the tables point into the module.
class Program {
 public:
  /// `words` must be in canonical form (canonical.h). Errors: a call is left, no entry point.
  /// What `launch` tells of push constants and unchanging buffers counts as constant, and so does
  /// what is computed from that alone.
  [[nodiscard]] static Expected<std::unique_ptr<Program>> open(std::span<const std::uint32_t> words,
                                                               Launch launch = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Module module;
  const Launch launch;
  const Definitions definitions;

 private:
  Constants constants_;

 public:
  const Constants& constants;
  const Types types;
  const Interface interface;
  const Function& function;  ///< the entry point's
  const ControlFlow flow;

  /// Invocations of a workgroup: one at least, and no more than 32 bits hold, whatever a module
  /// says.
  [[nodiscard]] std::uint32_t invocations() const;
  [[nodiscard]] PointerPath path(Id pointer) const;
  [[nodiscard]] AddressedPath addressed_path(Id pointer) const;
  /// All that a pointer may lead to (variable pointers: OpSelect, OpPhi, OpPtrAccessChain from an
  /// array's first element); none where that is not known.
  [[nodiscard]] std::vector<PointerChoice> choices(Id pointer) const { return choices(pointer, 0); }
  /// The variable that stands for all that share a shared variable's memory: blocks in shared
  /// memory all begin at its start (SPV_KHR_workgroup_memory_explicit_layout).
  [[nodiscard]] Id shared_memory_of(Id variable) const;
  [[nodiscard]] spv::StorageClass storage(Id variable) const;
  /// The built-in that a variable is; nothing for others.
  [[nodiscard]] std::optional<spv::BuiltIn> built_in(Id variable) const;
  /// The binding of a variable that is a buffer of the launch; nothing where that is not known.
  [[nodiscard]] std::optional<std::uint32_t> buffer_of(Id variable) const;
  /// A block's instance name, or its own where it has no instance; empty where neither is told.
  [[nodiscard]] std::string block_name(Id variable) const;
  /// The block that defines a value; ControlFlow::none for constants and globals.
  [[nodiscard]] std::size_t block_of(Id value) const;
  /// Name of the source file of a line.
  [[nodiscard]] std::string file(const SourceLine& at) const;

 private:
  Program(Module m, Interface i, std::size_t entry, Launch l);
  [[nodiscard]] bool is_of_earlier_iteration(const Instruction& phi, std::size_t k) const;
  [[nodiscard]] std::vector<PointerChoice> choices(Id pointer, int depth) const;
  void learn();
  void learn_load(const Instruction& load);
  void learn_result(const Instruction& i);
  void learn_vector(const Instruction& i);
  void learn_size(const Instruction& query);
  [[nodiscard]] const KnownWords* known_words(const MemoryPlace& place) const;
  std::vector<std::size_t> block_of_;
};

}  // namespace spirv
