// Sites: every place in the text that accesses shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/analysis/flow/phases.h"
#include "spirv/analysis/memory/scalar_place.h"

namespace spirv {

struct Site {
  std::uint32_t number = 0;  ///< place in Sites::all()
  std::size_t block = 0;
  std::size_t instruction = 0;  ///< of the block
  std::size_t segment = 0;      ///< of Phases
  SourceLine at;
  std::uint32_t variable = 0;  ///< place in Sites::variables()
  Id pointer = 0;
  Id type = 0;  ///< of what is read or written
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  bool narrow = false;           ///< atomic among the invocations of a subgroup only
  bool copy_source = false;      ///< the reading side of an OpCopyMemory
  std::uint64_t offset = 0;      ///< scalars from the start of the variable, the constant part
  std::vector<IndexTerm> terms;  ///< the rest of the place
  std::uint64_t width = 1;       ///< scalars accessed, one after the other
  /// Of a pointer that is chosen when the kernel runs, which choice this is (PointerChoice).
  std::vector<std::pair<Id, std::uint32_t>> chosen;
};

/// A shared variable, divided into cells: the largest pieces that every site accesses whole. Blocks
/// in shared memory are one, as all begin at its start: where `in_bytes`, what is said in scalars
/// here and of its sites is in bytes.
struct SharedCells {
  Id variable = 0;
  std::string name;
  Id type = 0;
  std::uint64_t scalars = 0;
  std::uint64_t cell_scalars = 1;  ///< scalars in a cell
  bool in_bytes = false;
  [[nodiscard]] std::uint64_t cells() const { return scalars / cell_scalars; }
};

class Sites {
 public:
  Sites(const Program& program, const Phases& phases);

  [[nodiscard]] const std::vector<Site>& all() const { return sites_; }
  [[nodiscard]] const std::vector<SharedCells>& variables() const { return variables_; }
  /// Uses of shared memory that no site stands for, in words with their lines.
  [[nodiscard]] const std::vector<std::string>& not_understood() const { return problems_; }
  /// The indices of a scalar of a variable, "[3][7]", members of structs by their number.
  [[nodiscard]] std::vector<std::uint32_t> index_of(std::uint32_t variable,
                                                    std::uint64_t scalar) const;

 private:
  void find_variables();
  void visit(std::size_t block, std::size_t instruction);
  void add(std::size_t block, std::size_t instruction, Id pointer, Site site);
  bool add_choice(const PointerChoice& choice, Site site);
  bool place(Site& site, const PointerPath& path) const;
  bool place_in_bytes(Site& site, const PointerPath& path);
  [[nodiscard]] std::vector<std::uint32_t> index_of_byte(Id type, std::uint64_t byte) const;
  void divide_into_cells();
  void refuse(const Instruction& i, const std::string& why);

  const Program& program_;
  const Phases& phases_;
  std::vector<Site> sites_;
  std::vector<SharedCells> variables_;
  std::vector<std::string> problems_;
};

/// Can two accesses to the same cell by different invocations be a race: one writes, and not both
/// are atomic at a scope that has both invocations?
[[nodiscard]] bool hazardous(const Site& a, const Site& b);

}  // namespace spirv
