#include <algorithm>
#include <vector>

#include "core/base/random.h"
#include "core/stream/product_check.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

struct ProductShape {
  std::uint64_t m, n, w;
  explicit ProductShape(const Sizes& s) : m(s[0]), n(s[1]), w(s[2]) {}
  [[nodiscard]] double products() const {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(w);
  }
};

// The largest power of two that divides a size, at most 256.
std::uint32_t power_of_two_in(std::uint32_t size) {
  return std::min(size & (~size + 1), 256U);
}

bool aligned(const Sizes& s) {
  return s[1] % 4 == 0 && s[2] % 4 == 0;
}

// Are copies of A and B with aligned rows worth their time? They move 8 bytes an element of A and
// B; products that read whole vectors then take some eighth less. On an NVIDIA H200 (4.2 TB/s,
// 50 TFLOP/s) that is even where M·N / (M + N) is some 400; and a launch more takes some 4 µs.
bool copies_pay(const Sizes& s) {
  const ProductShape shape(s);
  return shape.m * shape.n > 512 * (shape.m + shape.n) && shape.products() > 4e9;
}

// So few results that most of a launch is sums over W: teams of a workgroup share its steps.
bool deep(const Sizes& s) {
  return s[2] >= 64 * std::uint64_t{std::max(s[0], s[1])};
}

class Matmul final : public Workload {
 public:
  std::string name() const override { return "matmul"; }
  std::string title() const override { return "Matrix multiplication"; }
  bool streams() const override { return true; }
  std::string about() const override {
    return "C = A·B; A is M×W, B is W×N, float32 unless marked fp16";
  }
  std::vector<std::string> size_names() const override { return {"M", "N", "W"}; }
  Sizes default_sizes() const override { return {512, 512, 512}; }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    return {{"A", Role::input, s[0], s[2]},
            {"B", Role::input, s[2], s[1]},
            {"C", Role::output, s[0], s[1]}};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override { return p.sizes; }
  std::map<std::string, std::uint32_t> facts(const Sizes& s) const override {
    return {{"ALIGNED", aligned(s) ? 1 : 0},
            {"PACKED", !aligned(s) && copies_pay(s) ? 1 : 0},
            {"DEEP", deep(s) ? 1 : 0},
            {"M_MULTIPLE", power_of_two_in(s[0])},
            {"N_MULTIPLE", power_of_two_in(s[1])},
            {"W_MULTIPLE", power_of_two_in(s[2])}};
  }
  glm::uvec3 extent(const Sizes& s) const override { return {s[1], s[0], 1}; }
  ItemNames items() const override {
    return {"element of C", "elements of C", {"column", "row", "z"}};
  }
  double flops(const Sizes& s) const override { return 2.0 * ProductShape(s).products(); }

  HostBuffers inputs(const Problem& p) const override {
    const ProductShape s(p.sizes);
    HostBuffers host{std::vector<float>(s.m * s.w), std::vector<float>(s.w * s.n), {}};
    fill_random(host[0], s.w, p.seed, 0);
    fill_random(host[1], s.n, p.seed, 1);
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override {
    const ProductShape s(p.sizes);
    return check_product({s.m, s.n, s.w, before[0], before[1], after[2], 2, recorder}, p.seed);
  }

  Region writes(const Sizes&, const Box& items) const override {
    return {2, items.first.y, items.last.y, items.first.x, items.last.x};
  }
  std::vector<Region> reads(const Sizes& s, const Box& items) const override {
    return {{0, items.first.y, items.last.y, 0, s[2]}, {1, 0, s[2], items.first.x, items.last.x}};
  }
};

}  // namespace

const Workload* matmul() {
  static const Matmul workload;
  return &workload;
}

// The fastest first, which is for GPUs, without tiles that workgroups share: jobs are whole waves.
// Then the one that every device of the tests runs, and the one that asks for the least.
std::span<const StreamKernel> stream_kernels() {
  static const std::vector<StreamKernel> kernels{{.variant = "matmul/split",
                                                  .settings = {{"BN", "256"},
                                                               {"INVOCATIONS", "256"},
                                                               {"BK", "16"},
                                                               {"BUFFERS", "1"},
                                                               {"SLICES", "1"},
                                                               {"WHOLE", "0"}},
                                                  .gpus_alone = true,
                                                  .preset_tile = true},
                                                 {.variant = "matmul/registers"},
                                                 {.variant = "matmul/naive"}};
  return kernels;
}

std::vector<ProbeSample> matmul_samples(bool small) {
  const std::uint32_t n = small ? 128 : 1024;
  const std::uint32_t traced = small ? 256 : 4096;
  return {{"matmul/tiled", {n, n, n}, 16, 2},
          {"matmul/tiled", {n, n, n}, 32, 2},
          {"matmul/tiled", {traced, traced, traced}, 16, 0}};
}

}  // namespace core
