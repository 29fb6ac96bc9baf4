// The control-flow graph of a function: edges, dominance, post-dominance, control dependence,
// loops.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "spirv/module/module.h"

namespace spirv {

/// Blocks are numbered as they stand in the function. Blocks that the entry does not reach have no
/// edges and take no part.
class ControlFlow {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  explicit ControlFlow(const Function& function);

  [[nodiscard]] std::size_t size() const { return successors_.size(); }
  [[nodiscard]] std::size_t index(Id label) const;  ///< none for a label that is not there
  [[nodiscard]] const std::vector<std::size_t>& successors(std::size_t b) const {
    return successors_[b];
  }
  [[nodiscard]] const std::vector<std::size_t>& predecessors(std::size_t b) const {
    return predecessors_[b];
  }
  [[nodiscard]] bool reachable(std::size_t b) const { return place_[b] != none; }
  /// Reachable blocks in reverse postorder.
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

  [[nodiscard]] bool dominates(std::size_t a, std::size_t b) const;
  /// The block above in the tree of dominators; of the first block itself.
  [[nodiscard]] std::size_t dominator(std::size_t b) const { return dominator_[b]; }
  /// Does every way from `b` out of the function come through `a`?
  [[nodiscard]] bool post_dominates(std::size_t a, std::size_t b) const;
  /// The first block that every way from `b` out of the function comes through; size(): none.
  [[nodiscard]] std::size_t post_dominator(std::size_t b) const { return post_dominator_[b]; }
  /// Blocks whose branch decides whether `b` runs (Ferrante, Ottenstein, Warren 1987, "The Program
  /// Dependence Graph and Its Use in Optimization"). Direct dependences only.
  [[nodiscard]] const std::vector<std::size_t>& controllers(std::size_t b) const {
    return controllers_[b];
  }
  /// Blocks where ways that a branch parted may meet: up to where all of them have, those that no
  /// block behind the branch stands in front of. What merges behind such a block (the counter of a
  /// loop that one of the ways goes through) has come one way from there.
  [[nodiscard]] std::vector<std::size_t> joins(std::size_t branch) const;

  /// A natural loop: header, and all blocks from which a back edge is reached without leaving it.
  struct Loop {
    std::size_t header = none;
    std::vector<bool> contains;
    std::vector<std::size_t> latches;  ///< sources of the back edges
  };
  [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; }

 private:
  void number(const Function& function);
  void find_dominators();
  void find_post_dominators();
  void find_controllers();
  void find_loops();

  std::unordered_map<Id, std::size_t> index_;
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> place_;           // in order_; none: not reachable
  std::vector<std::size_t> dominator_;       // immediate
  std::vector<std::size_t> post_dominator_;  // immediate; size(): the common exit
  std::vector<std::vector<std::size_t>> controllers_;
  std::vector<Loop> loops_;
};

}  // namespace spirv
