// Gravity with Plummer softening (Aarseth 1963): a_i = Σ_j m_j r_ij / (r_ij² + ε²)^(3/2), with G
// = 1. The step is leapfrog in its staggered form (Hockney and Eastwood, "Computer Simulation Using
// Particles", ch. 4): velocities live half a step behind positions,
//   v(n+½) = v(n−½) + a(x(n))·dt,   x(n+1) = x(n) + v(n+½)·dt.
// It is symplectic, so the energy error stays bounded instead of growing with time.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "core/base/random.h"
#include "core/work/comparison.h"
#include "core/workloads/workloads.h"

namespace core {
namespace {

constexpr double kCompleteLimit = 1e8;  // interactions in double that a check may cost
constexpr double kPi = std::numbers::pi;

double number(const Problem& p, const std::string& name) {
  const std::string& text = p.options.at(name);
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Draws of one body's start: uniform in [0, 1), a stream a quantity.
struct Draws {
  std::uint64_t seed;
  std::uint64_t body;
  [[nodiscard]] double operator()(std::uint64_t stream) const {
    return uniform(seed, stream, body);
  }
};

struct Start {
  glm::dvec3 position{0.0};
  glm::dvec3 velocity{0.0};
  double mass = 0.0;
};

glm::dvec3 on_sphere(double u, double v) {
  const double z = 2.0 * u - 1.0;
  const double ring = std::sqrt(1.0 - z * z);
  return {ring * std::cos(2.0 * kPi * v), ring * std::sin(2.0 * kPi * v), z};
}

// Two discs of mass 1 that pass and merge. A fifth of each disc's mass is a core of 1 body; the
// rest has a surface density ~ 1/r, so that the mass inside r grows like r and circular speeds are
// even.
Start in_galaxies(const Draws& draw, std::uint64_t count, double softening) {
  constexpr double kCore = 0.2;
  constexpr double kRadius = 1.0;
  const bool second = draw.body % 2 == 1;
  const std::uint64_t mates = second ? count / 2 : count - count / 2;
  const double side = second ? -1.0 : 1.0;
  const double tilt = second ? 1.1 : 0.35;
  const glm::dvec3 centre = side * glm::dvec3(1.5, 0.35, 0.0);
  const glm::dvec3 drift = side * glm::dvec3(-0.42, 0.12, 0.0);
  if (draw.body < 2) {
    return {centre, drift, mates == 1 ? 1.0 : kCore};
  }
  const double r = kRadius * (0.04 + 0.96 * draw(0));
  const double angle = 2.0 * kPi * draw(1);
  const double inside = kCore + (1.0 - kCore) * r / kRadius;
  const double speed = r * std::sqrt(inside / std::pow(r * r + softening * softening, 1.5));
  const glm::dvec3 flat{r * std::cos(angle), r * std::sin(angle), 0.03 * (draw(2) - 0.5)};
  const glm::dvec3 along{-speed * std::sin(angle), speed * std::cos(angle), 0.0};
  const auto tilted = [tilt](glm::dvec3 v) {
    return glm::dvec3(v.x, v.y * std::cos(tilt) - v.z * std::sin(tilt),
                      v.y * std::sin(tilt) + v.z * std::cos(tilt));
  };
  return {centre + tilted(flat), drift + tilted(along),
          (1.0 - kCore) / static_cast<double>(mates - 1)};
}

// A uniform ball of mass 1 and radius 1 in virial equilibrium: 2T = |W| with W = −3/5.
Start in_ball(const Draws& draw, std::uint64_t count) {
  const glm::dvec3 position = std::cbrt(draw(0)) * on_sphere(draw(1), draw(2));
  const glm::dvec3 velocity = std::sqrt(0.6) * on_sphere(draw(3), draw(4));
  return {position, velocity, 1.0 / static_cast<double>(count)};
}

// No structure at all, for checks.
Start at_random(const Draws& draw) {
  return {{2.0 * draw(0) - 1.0, 2.0 * draw(1) - 1.0, 2.0 * draw(2) - 1.0},
          {2.0 * draw(3) - 1.0, 2.0 * draw(4) - 1.0, 2.0 * draw(5) - 1.0},
          0.5 + draw(6)};
}

struct Reference {
  double softening2;
  double dt;
  const std::vector<float>& positions;
  const std::vector<float>& velocities;

  // New position and velocity of body i, and the sum of the magnitudes of what its velocity gains.
  void step(std::uint64_t i, glm::dvec3& position, glm::dvec3& velocity, double& gained) const {
    const std::uint64_t count = positions.size() / 4;
    const glm::dvec3 here = at(positions, i);
    glm::dvec3 acceleration{0.0};
    double magnitude = 0.0;
    for (std::uint64_t j = 0; j < count; ++j) {
      const glm::dvec3 to = at(positions, j) - here;
      const double distance2 = glm::dot(to, to) + softening2;
      const double strength =
          static_cast<double>(positions[4 * j + 3]) / (distance2 * std::sqrt(distance2));
      acceleration += strength * to;
      magnitude += strength * glm::length(to);
    }
    velocity = at(velocities, i) + acceleration * dt;
    position = here + velocity * dt;
    gained = magnitude * dt;
  }

  static glm::dvec3 at(const std::vector<float>& rows, std::uint64_t i) {
    return {static_cast<double>(rows[4 * i]), static_cast<double>(rows[4 * i + 1]),
            static_cast<double>(rows[4 * i + 2])};
  }
};

class NBody final : public Workload {
 public:
  std::string name() const override { return "nbody"; }
  std::string title() const override { return "N-body"; }
  std::string about() const override { return "gravity between all pairs of bodies, float32"; }
  std::vector<std::string> size_names() const override { return {"BODIES"}; }
  Sizes default_sizes() const override { return {4096}; }
  std::vector<OptionSpec> options() const override {
    return {{"start",
             "galaxies",
             {"galaxies", "ball", "random"},
             0,
             0,
             "initial positions of the bodies"},
            {"softening",
             "0.05",
             {},
             1e-4,
             10.0,
             "softening length, which limits the force between close bodies"},
            {"dt", "0.004", {}, 1e-6, 10.0, "time step"}};
  }

  std::vector<BufferSpec> buffers(const Sizes& s) const override {
    return {{"position", Role::input, s[0], 4},
            {"velocity", Role::input, s[0], 4},
            {"next_position", Role::output, s[0], 4},
            {"next_velocity", Role::output, s[0], 4}};
  }
  std::vector<std::uint32_t> push_constants(const Problem& p) const override {
    const auto softening = static_cast<float>(number(p, "softening"));
    const auto dt = static_cast<float>(number(p, "dt"));
    return {p.sizes[0], std::bit_cast<std::uint32_t>(softening * softening),
            std::bit_cast<std::uint32_t>(dt)};
  }
  glm::uvec3 extent(const Sizes& s) const override { return {s[0], 1, 1}; }
  // Of so few bodies that sixteen workgroups with a slice each are not to have none: tiles of 256.
  std::map<std::string, std::uint32_t> facts(const Sizes& s) const override {
    return {{"HELD", s[0] >= 65536 ? 1024 : 256}};
  }
  // 20 an interaction: 3 differences, 6 for the squared distance, 3 for the strength's square root
  // and powers (counted as 5), 6 to add up (Nyland, Harris, Prins, GPU Gems 3, ch. 31).
  ItemNames items() const override { return {"body", "bodies", {"body", "y", "z"}}; }
  double flops(const Sizes& s) const override { return 20.0 * s[0] * static_cast<double>(s[0]); }

  HostBuffers inputs(const Problem& p) const override {
    const std::uint64_t count = p.sizes[0];
    HostBuffers host(4);
    host[0].resize(4 * count);
    host[1].resize(4 * count);
    const std::string& start = p.options.at("start");
    for (std::uint64_t i = 0; i < count; ++i) {
      const Draws draw{p.seed, i};
      const Start body = start == "random" ? at_random(draw)
                         : start == "ball" ? in_ball(draw, count)
                                           : in_galaxies(draw, count, number(p, "softening"));
      for (int d = 0; d < 3; ++d) {
        host[0][4 * i + static_cast<std::uint64_t>(d)] = static_cast<float>(body.position[d]);
        host[1][4 * i + static_cast<std::uint64_t>(d)] = static_cast<float>(body.velocity[d]);
      }
      host[0][4 * i + 3] = static_cast<float>(body.mass);
    }
    return host;
  }

  Check verify(const Problem& p, const HostBuffers& before, const HostBuffers& after,
               DifferenceRecorder* recorder) const override {
    const std::uint64_t count = p.sizes[0];
    const auto most = static_cast<std::uint64_t>(kCompleteLimit / static_cast<double>(count));
    const std::uint64_t samples = std::clamp<std::uint64_t>(most, 256, 1U << 20U);
    const bool complete = count <= samples;
    // What the kernel gets are the float32 values of the push constants.
    const auto words = push_constants(p);
    const Reference reference{static_cast<double>(std::bit_cast<float>(words[1])),
                              static_cast<double>(std::bit_cast<float>(words[2])), before[0],
                              before[1]};
    const std::uint64_t checked = complete ? count : samples;
    const auto part = [&](std::size_t first, std::size_t last, Comparison& mine) {
      for (std::size_t k = first; k < last; ++k) {
        compare_body(reference, after, complete ? k : sample(p.seed, k, count), mine);
      }
    };
    const Comparison all = compare_parts(recorder, checked, 1 + (1U << 16U) / count, part);
    // Each term's rounding is that of a few dependent operations and an inverse square root of 2
    // ulp.
    Check check = all.finish(buffers(p.sizes), 4.0 * sum_tolerance(count));
    check.elements = 8 * count;
    check.scale =
        "for velocities, the speed plus the sum of the magnitudes of its changes; for positions, "
        "the distance";
    check.method = complete ? "every body" : std::to_string(samples) + " bodies";
    return check;
  }

  Region writes(const Sizes&, const Box& items) const override {
    return {2, items.first.x, items.last.x, 0, 4};
  }
  std::vector<Region> reads(const Sizes& s, const Box&) const override {
    return {{0, 0, s[0], 0, 4}};
  }
  std::vector<std::pair<std::size_t, std::size_t>> chain() const override {
    return {{0, 2}, {1, 3}};
  }

 private:
  // The first 64 and the last 64 bodies, then any.
  static std::uint64_t sample(std::uint64_t seed, std::uint64_t k, std::uint64_t count) {
    if (k < 64) {
      return k;
    }
    return k < 128 ? count - 1 - (k - 64) : mix(mix(seed) + k) % count;
  }

  static void compare_body(const Reference& reference, const HostBuffers& after, std::uint64_t i,
                           Comparison& comparison) {
    glm::dvec3 position;
    glm::dvec3 velocity;
    double gained = 0.0;
    reference.step(i, position, velocity, gained);
    const double speed = glm::length(Reference::at(reference.velocities, i)) + gained;
    const double reach = glm::length(Reference::at(reference.positions, i)) + speed * reference.dt;
    for (int d = 0; d < 3; ++d) {
      const std::uint64_t cell = 4 * i + static_cast<std::uint64_t>(d);
      comparison.add(2, cell, static_cast<double>(after[2][cell]), position[d], reach + 1e-30);
      comparison.add(3, cell, static_cast<double>(after[3][cell]), velocity[d], speed + 1e-30);
    }
    const double mass = static_cast<double>(reference.positions[4 * i + 3]);
    comparison.add(2, 4 * i + 3, static_cast<double>(after[2][4 * i + 3]), mass, mass);
  }
};

}  // namespace

const Workload* nbody() {
  static const NBody workload;
  return &workload;
}

std::vector<ProbeSample> nbody_samples(bool small) {
  return {{"nbody/tiled", {small ? 1024U : 16384U}, 0, 2}};
}

}  // namespace core
