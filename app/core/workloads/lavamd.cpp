// lavaMD, Rodinia benchmark suite (Che et al., IISWC 2009): particles in the boxes of a lattice,
// each acted on by those of its own box and of the boxes around it,
//   v_ij = exp(−a2·|d|²),  d = r_i − r_j,  a2 = 2α²,
//   potential_i = Σ_j q_j v_ij,  force_i = Σ_j q_j·2 v_ij·d.
// A particle's own term is in its potential, as it is there; each particle lies in its box, which
// there it does not. The launch is two-dimensional, particles of a box along x and boxes along y;
// its workgroups are one-dimensional, so only the particles of a box are shared between them (seed
// "Block Tiling Using Shared Memory", B).
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/base/parallel.h"
#include "core/base/particles.h"
#include "core/base/random.h"
#include "core/work/comparison.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

constexpr double kCompletePairs = 6e7;        // pairs in double that a check may cost
constexpr std::uint32_t kLargestSide = 1625;  // whose cube 32 bits can count
constexpr std::uint32_t kListed = 28;  // words of a box's list: its length, then up to 27 boxes
constexpr std::uint32_t kShown = 1U << 18U;  // particles in a picture at most

enum Binding : std::size_t { kParticle, kNeighbours, kForce };

struct Sum {
  glm::dvec3 force{0.0};
  double potential = 0.0;
  double reach =
      0.0;  // of the force: the sum of its terms' magnitudes, each at a distance of 1 at least
};

// a2, as the kernel gets it.
float steepness(const Problem& p) {
  const std::string& text = p.options.at("alpha");
  double alpha = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), alpha);
  return static_cast<float>(2.0 * alpha * alpha);
}

class LavaMD final : public Workload {
 public:
  std::string name() const override { return "lavamd"; }
  std::string title() const override { return "lavaMD"; }
  std::string about() const override {
    return "forces between the particles of neighbouring boxes, float32";
  }
  std::vector<std::string> size_names() const override { return {"BOXES", "PARTICLES"}; }
  Sizes default_sizes() const override { return {6, 100}; }
  Sizes largest_sizes() const override { return {kLargestSide, UINT32_MAX}; }
  std::vector<OptionSpec> options() const override {
    return {
        {"alpha", "0.5", {}, 0.01, 10.0, "how fast the potential of a pair decays, per box edge"}};
  }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    const std::uint32_t boxes = Lattice{s[0]}.boxes();
    BufferSpec particle{"particle", Role::input, boxes, s[1]};
    particle.components = 4;
    particle.drawn = 3;
    particle.drawn_as = "charge";
    BufferSpec neighbours{"neighbours", Role::input, boxes, kListed};
    neighbours.whole = true;
    neighbours.drawn_as = "box";
    BufferSpec force = particle;
    force.name = "force";
    force.role = Role::output;
    force.drawn_as = "potential";
    return {particle, neighbours, force};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override {
    return {p.sizes[1], std::bit_cast<std::uint32_t>(steepness(p))};
  }
  glm::uvec3 extent(const Sizes& s) const override { return {s[1], Lattice{s[0]}.boxes(), 1}; }
  ItemNames items() const override { return {"particle", "particles", {"particle", "box", "z"}}; }
  // 19 a pair: 3 differences, 5 for the squared distance, 1 for the exponent, 1 for its exponential
  // (counted as one), 1 for the charge, 4 for the force, 4 to add up.
  double flops(const Sizes& s) const override { return 19.0 * pairs(s); }

  // Boxes along an edge: their number is its cube.
  std::vector<Sizes> awkward_sizes() const override {
    return {{1, 1}, {1, 15}, {2, 16}, {3, 17}, {3, 70}, {2, 130}, {4, 3}};
  }

  HostBuffers inputs(const Problem& p) const override {
    const Lattice lattice{p.sizes[0]};
    const std::size_t each = p.sizes[1];
    HostBuffers host{std::vector<float>(4 * each * lattice.boxes()),
                     std::vector<float>(std::size_t{kListed} * lattice.boxes()),
                     {}};
    parallel_for(lattice.boxes(), 1 + (1U << 14U) / each, [&](std::size_t first, std::size_t last) {
      for (std::size_t box = first; box < last; ++box) {
        fill_box(p.seed, lattice, static_cast<std::uint32_t>(box), each, host);
      }
    });
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override {
    const std::uint64_t count = buffers(p.sizes)[kForce].elements();
    const bool complete = pairs(p.sizes) <= kCompletePairs;
    const double most = kCompletePairs / (27.0 * p.sizes[1]);
    const std::uint64_t checked =
        complete ? count : std::max<std::uint64_t>(static_cast<std::uint64_t>(most), 256);
    const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
      for (std::size_t k = first; k < last; ++k) {
        compare(p, before, after, complete ? k : sample(p.seed, k, count), mine);
      }
    };
    const Comparison all = compare_parts(recorder, checked, 1 + (1U << 12U) / p.sizes[1], part);
    Check check = all.finish(buffers(p.sizes), 4.0 * sum_tolerance(27 * std::uint64_t{p.sizes[1]}));
    check.elements = 4 * count;
    check.scale = "the potential, and the sum of the magnitudes of the force terms";
    check.method = complete ? "every particle" : std::to_string(checked) + " particles";
    return check;
  }

  Region writes(const Sizes&, const Box& items) const override {
    return {kForce, items.first.y, items.last.y, items.first.x, items.last.x};
  }
  // The list of each box, and the particles of all boxes on it: neighbours in x follow each other.
  std::vector<Region> reads(const Sizes& s, const Box& items) const override {
    const Lattice lattice{s[0]};
    std::set<std::uint32_t> read;
    for (std::uint32_t box = items.first.y; box < std::min(items.last.y, lattice.boxes()); ++box) {
      const auto list = lattice.neighbours(box);
      read.insert(list.begin(), list.end());
    }
    std::vector<Region> all{{kNeighbours, items.first.y, items.last.y, 0, kListed}};
    for (const std::uint32_t box : read) {
      if (all.back().buffer == kParticle && all.back().last_row == box) {
        ++all.back().last_row;
      } else {
        all.push_back({kParticle, box, box + 1, 0, s[1]});
      }
    }
    return all;
  }

  std::shared_ptr<const Particles> particles(const Problem& p, const HostBuffers& before,
                                             const HostBuffers& after) const override {
    auto shown = std::make_shared<Particles>();
    shown->lattice.side = p.sizes[0];
    shown->in_box = p.sizes[1];
    shown->kept = std::min(p.sizes[1], std::max(kShown / shown->lattice.boxes(), 1U));
    for (std::size_t box = 0; box < shown->lattice.boxes(); ++box) {
      for (std::size_t i = 0; i < shown->kept; ++i) {
        const std::size_t particle = box * shown->in_box + i;
        shown->positions.emplace_back(position(before[kParticle], particle),
                                      before[kParticle][4 * particle + 3]);
        shown->potentials.push_back(after[kForce][4 * particle + 3]);
      }
    }
    return shown;
  }

 private:
  static double pairs(const Sizes& s) {
    return Lattice{s[0]}.neighbours() * s[1] * static_cast<double>(s[1]);
  }

  static void fill_box(std::uint64_t seed, const Lattice& lattice, std::uint32_t box,
                       std::size_t each, HostBuffers& host) {
    const glm::dvec3 corner(lattice.place(box));
    for (std::size_t i = box * each; i < (box + 1) * each; ++i) {
      for (int d = 0; d < 3; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        host[kParticle][4 * i + axis] = static_cast<float>(corner[d] + uniform(seed, axis, i));
      }
      host[kParticle][4 * i + 3] = static_cast<float>(0.1 + 0.9 * uniform(seed, 3, i));
    }
    const auto list = lattice.neighbours(box);
    float* words = host[kNeighbours].data() + std::size_t{kListed} * box;
    words[0] = std::bit_cast<float>(static_cast<std::uint32_t>(list.size()));
    std::ranges::transform(list, words + 1,
                           [](std::uint32_t other) { return std::bit_cast<float>(other); });
  }

  static glm::vec3 position(const std::vector<float>& particles, std::size_t i) {
    return {particles[4 * i], particles[4 * i + 1], particles[4 * i + 2]};
  }

  // What acts on particle i, from the lattice and not from the lists that the kernel reads.
  static Sum act_on(const Problem& p, const std::vector<float>& particles, std::uint64_t i) {
    const std::uint64_t each = p.sizes[1];
    const auto a2 = static_cast<double>(steepness(p));
    const glm::dvec3 here = position(particles, i);
    Sum sum;
    for (const std::uint64_t box :
         Lattice{p.sizes[0]}.neighbours(static_cast<std::uint32_t>(i / each))) {
      for (std::uint64_t j = box * each; j < (box + 1) * each; ++j) {
        const glm::dvec3 d = here - glm::dvec3(position(particles, j));
        const double distance2 = glm::dot(d, d);
        const double v = static_cast<double>(particles[4 * j + 3]) * std::exp(-a2 * distance2);
        sum.potential += v;
        sum.force += 2.0 * v * d;
        sum.reach += 2.0 * v * std::sqrt(std::max(distance2, 1.0));
      }
    }
    return sum;
  }

  static void compare(const Problem& p, const HostBuffers& before, const HostBuffers& after,
                      std::uint64_t i, Comparison& comparison) {
    const Sum want = act_on(p, before[kParticle], i);
    const float* got = after[kForce].data() + 4 * i;
    for (int d = 0; d < 3; ++d) {
      comparison.add(kForce, 4 * i + static_cast<std::uint64_t>(d), static_cast<double>(got[d]),
                     want.force[d], want.reach + 1e-30);
    }
    comparison.add(kForce, 4 * i + 3, static_cast<double>(got[3]), want.potential,
                   want.potential + 1e-30);
  }

  // The first 64 and the last 64 particles, then any.
  static std::uint64_t sample(std::uint64_t seed, std::uint64_t k, std::uint64_t count) {
    if (k < 64) {
      return k % count;
    }
    return k < 128 ? count - 1 - (k - 64) % count : mix(mix(seed) + k) % count;
  }
};

}  // namespace

const Workload* lavamd() {
  static const LavaMD workload;
  return &workload;
}

}  // namespace core
