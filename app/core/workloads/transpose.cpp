#include <cmath>

#include "core/base/random.h"
#include "core/work/comparison.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

class Transpose final : public Workload {
 public:
  std::string name() const override { return "transpose"; }
  std::string title() const override { return "Transposition"; }
  std::string about() const override { return "At is A transposed, float32"; }
  std::vector<std::string> size_names() const override { return {"ROWS", "COLUMNS"}; }
  Sizes default_sizes() const override { return {1024, 1024}; }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    return {{"A", Role::input, s[0], s[1]}, {"At", Role::output, s[1], s[0]}};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override { return p.sizes; }
  std::map<std::string, std::uint32_t> facts(const Sizes& s) const override {
    return {{"ALIGNED", s[0] % 4 == 0 && s[1] % 4 == 0 ? 1 : 0}};
  }
  glm::uvec3 extent(const Sizes& s) const override { return {s[1], s[0], 1}; }
  ItemNames items() const override {
    return {"element of A", "elements of A", {"column", "row", "z"}};
  }
  double flops(const Sizes&) const override { return 0.0; }
  bool tells_sections() const override { return true; }

  HostBuffers inputs(const Problem& p) const override {
    HostBuffers host{std::vector<float>(std::size_t{p.sizes[0]} * p.sizes[1]), {}};
    fill_random(host[0], p.sizes[1], p.seed, 0);
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override {
    const std::size_t rows = p.sizes[0];
    const std::size_t columns = p.sizes[1];
    const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
      for (std::size_t c = first; c < last; ++c) {
        for (std::size_t r = 0; r < rows; ++r) {
          const double want = static_cast<double>(before[0][r * columns + c]);
          mine.add(1, c * rows + r, static_cast<double>(after[1][c * rows + r]), want,
                   std::abs(want));
        }
      }
    };
    const Comparison all = compare_parts(recorder, columns, 1 + (1U << 18U) / rows, part);
    Check check = all.finish(buffers(p.sizes), 0.0);
    check.elements = rows * columns;
    check.scale = "the element (the copy must be exact)";
    check.method = "every element";
    return check;
  }

  // A tile of A becomes the mirrored tile of At.
  Region writes(const Sizes&, const Box& items) const override {
    return {1, items.first.x, items.last.x, items.first.y, items.last.y};
  }
  std::vector<Region> reads(const Sizes&, const Box& items) const override {
    return {{0, items.first.y, items.last.y, items.first.x, items.last.x}};
  }
};

}  // namespace

const Workload* transpose() {
  static const Transpose workload;
  return &workload;
}

std::vector<ProbeSample> transpose_samples(bool small) {
  const std::uint32_t wide = small ? 512 : 4096;
  return {{"transpose/tiled-padded", {wide, wide}, 0, 1}};
}

}  // namespace core
