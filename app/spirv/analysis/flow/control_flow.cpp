#include "spirv/analysis/flow/control_flow.h"

#include <algorithm>
#include <utility>

namespace spirv {
namespace {

using Graph = std::vector<std::vector<std::size_t>>;

// Nodes reachable from `root` in reverse postorder.
std::vector<std::size_t> reverse_postorder(const Graph& successors, std::size_t root) {
  std::vector<std::size_t> order;
  std::vector<bool> seen(successors.size());
  std::vector<std::pair<std::size_t, std::size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == successors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const std::size_t target = successors[node][next++];
    if (!seen[target]) {
      seen[target] = true;
      stack.emplace_back(target, 0);
    }
  }
  std::ranges::reverse(order);
  return order;
}

// Immediate dominators (Cooper, Harvey, Kennedy 2001, "A Simple, Fast Dominance Algorithm").
std::vector<std::size_t> immediate_dominators(const Graph& predecessors,
                                              const std::vector<std::size_t>& order) {
  constexpr std::size_t none = ControlFlow::none;
  std::vector<std::size_t> place(predecessors.size(), none);
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
  }
  std::vector<std::size_t> dominator(predecessors.size(), none);
  dominator[order.front()] = order.front();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      std::size_t best = none;
      for (std::size_t p : predecessors[order[i]]) {
        if (place[p] == none || dominator[p] == none) {
          continue;
        }
        while (best != none && best != p) {
          (place[best] > place[p] ? best : p) = dominator[place[best] > place[p] ? best : p];
        }
        best = p;
      }
      if (dominator[order[i]] != best) {
        dominator[order[i]] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

Graph reversed(const Graph& graph) {
  Graph result(graph.size());
  for (std::size_t from = 0; from < graph.size(); ++from) {
    for (const std::size_t to : graph[from]) {
      result[to].push_back(from);
    }
  }
  return result;
}

}  // namespace

ControlFlow::ControlFlow(const Function& function) {
  number(function);
  if (function.blocks.empty()) {
    return;
  }
  find_dominators();
  find_post_dominators();
  find_controllers();
  find_loops();
}

std::size_t ControlFlow::index(Id label) const {
  const auto found = index_.find(label);
  return found == index_.end() ? none : found->second;
}

void ControlFlow::number(const Function& function) {
  const std::size_t count = function.blocks.size();
  for (std::size_t b = 0; b < count; ++b) {
    index_[function.blocks[b].label] = b;
  }
  successors_.resize(count);
  place_.assign(count, none);
  for (std::size_t b = 0; b < count; ++b) {
    for (const Id label : function.blocks[b].successors()) {
      if (const std::size_t target = index(label); target != none) {
        successors_[b].push_back(target);
      }
    }
  }
  predecessors_.resize(count);
  if (count == 0) {
    return;
  }
  order_ = reverse_postorder(successors_, 0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    place_[order_[i]] = i;
  }
  for (std::size_t b = 0; b < count; ++b) {
    if (!reachable(b)) {
      successors_[b].clear();
    }
  }
  predecessors_ = reversed(successors_);
}

void ControlFlow::find_dominators() {
  dominator_ = immediate_dominators(predecessors_, order_);
}

bool ControlFlow::dominates(std::size_t a, std::size_t b) const {
  if (!reachable(a) || !reachable(b)) {
    return false;
  }
  while (place_[b] > place_[a]) {
    b = dominator_[b];
  }
  return a == b;
}

bool ControlFlow::post_dominates(std::size_t a, std::size_t b) const {
  for (std::size_t depth = 0; depth <= size() && b != size() && b != none; ++depth) {
    if (a == b) {
      return true;
    }
    b = post_dominator_[b];
  }
  return false;
}

void ControlFlow::find_post_dominators() {
  // One exit more, behind every block that leaves the function.
  const std::size_t exit = size();
  Graph forward = successors_;
  forward.emplace_back();
  for (const std::size_t b : order_) {
    if (successors_[b].empty()) {
      forward[b].push_back(exit);
    }
  }
  // A loop that nothing leaves gets a way out, so that every block has a post-dominator.
  Graph backward = reversed(forward);
  for (;;) {
    const std::vector<std::size_t> found = reverse_postorder(backward, exit);
    std::vector<bool> leaves(size() + 1);
    for (const std::size_t b : found) {
      leaves[b] = true;
    }
    const auto stuck =
        std::find_if(order_.rbegin(), order_.rend(), [&](std::size_t b) { return !leaves[b]; });
    if (stuck == order_.rend()) {
      post_dominator_ = immediate_dominators(forward, found);
      return;
    }
    forward[*stuck].push_back(exit);
    backward[exit].push_back(*stuck);
  }
}

void ControlFlow::find_controllers() {
  controllers_.resize(size());
  for (const std::size_t branch : order_) {
    if (successors_[branch].size() < 2) {
      continue;
    }
    for (std::size_t b : successors_[branch]) {
      for (; b != post_dominator_[branch] && b != size(); b = post_dominator_[b]) {
        if (std::ranges::find(controllers_[b], branch) == controllers_[b].end()) {
          controllers_[b].push_back(branch);
        }
      }
    }
  }
}

std::vector<std::size_t> ControlFlow::joins(std::size_t branch) const {
  const std::size_t end = post_dominator_[branch];
  std::vector<bool> seen(size());
  std::vector<std::size_t> found;
  std::vector<std::size_t> work = successors_[branch];
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (seen[b]) {
      continue;
    }
    seen[b] = true;
    const bool one_way = dominates(branch, b) && dominator_[b] != branch;
    if (predecessors_[b].size() > 1 && !one_way) {
      found.push_back(b);
    }
    if (b != end) {
      work.insert(work.end(), successors_[b].begin(), successors_[b].end());
    }
  }
  return found;
}

void ControlFlow::find_loops() {
  for (const std::size_t header : order_) {
    Loop loop;
    for (const std::size_t p : predecessors_[header]) {
      if (dominates(header, p)) {
        loop.latches.push_back(p);
      }
    }
    if (loop.latches.empty()) {
      continue;
    }
    loop.header = header;
    loop.contains.assign(size(), false);
    loop.contains[header] = true;
    std::vector<std::size_t> work = loop.latches;
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      if (!loop.contains[b]) {
        loop.contains[b] = true;
        work.insert(work.end(), predecessors_[b].begin(), predecessors_[b].end());
      }
    }
    loops_.push_back(std::move(loop));
  }
}

}  // namespace spirv
