#include <cmath>

#include "core/base/random.h"
#include "core/work/comparison.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

// Of a row of items: the rows that a box of invocations, two a row, works on.
Region rows(std::size_t buffer, const Sizes& s, const Box& invocations) {
  return {buffer, invocations.first.x / 2, (invocations.last.x + 1) / 2, 0, s[1]};
}

class BarrierWork final : public Workload {
 public:
  std::string name() const override { return "barrier"; }
  std::string title() const override { return "Producer and consumer"; }
  std::string about() const override {
    return "pairs of invocations pass items through shared memory, one per iteration";
  }
  std::vector<std::string> size_names() const override { return {"PAIRS", "ROUNDS"}; }
  Sizes default_sizes() const override { return {64, 48}; }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    return {{"Items", Role::input, s[0], s[1]}, {"Taken", Role::output, s[0], s[1]}};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override { return p.sizes; }
  glm::uvec3 extent(const Sizes& s) const override { return {2 * s[0], 1, 1}; }
  ItemNames items() const override {
    return {"invocation", "invocations", {"invocation", "y", "z"}};
  }
  double flops(const Sizes& s) const override { return 2.0 * s[0] * s[1]; }

  HostBuffers inputs(const Problem& p) const override {
    HostBuffers host{std::vector<float>(std::size_t{p.sizes[0]} * p.sizes[1]), {}};
    fill_random(host[0], p.sizes[1], p.seed, 0);
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override {
    Comparison all(recorder);
    for (std::size_t i = 0; i < before[0].size(); ++i) {
      const double want = 2.0 * static_cast<double>(before[0][i]) + 1.0;
      all.add(1, i, static_cast<double>(after[1][i]), want, std::abs(want) + 1.0);
    }
    Check check = all.finish(buffers(p.sizes), sum_tolerance(2));
    check.elements = before[0].size();
    check.scale = "the received item plus one";
    check.method = "every item";
    return check;
  }

  Region writes(const Sizes& s, const Box& items) const override { return rows(1, s, items); }
  std::vector<Region> reads(const Sizes& s, const Box& items) const override {
    return {rows(0, s, items)};
  }
};

}  // namespace

const Workload* barrier() {
  static const BarrierWork workload;
  return &workload;
}

}  // namespace core
