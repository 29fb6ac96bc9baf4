#include "ui/views/bodies/bodies_painter.h"

#include <cmath>
#include <limits>
#include <tuple>

#include <glm/geometric.hpp>

namespace ui {
namespace {

bool same_problem(const core::Problem& a, const core::Problem& b) {
  return a.sizes == b.sizes && a.options == b.options && a.seed == b.seed;
}

float bounding_radius(const core::WorkloadPtr& workload, const core::Problem& problem) {
  if (!workload) {
    return 1.0F;
  }
  const std::vector<float> start = workload->inputs(problem).front();
  float radius2 = 0.0F;
  for (std::size_t i = 0; i + 3 < start.size(); i += 4) {
    const glm::vec3 p{start[i], start[i + 1], start[i + 2]};
    radius2 = std::max(radius2, glm::dot(p, p));
  }
  return radius2 > 0.0F ? std::sqrt(radius2) : 1.0F;
}

// The more bodies, the smaller each: 1.2% of the sphere for 4096. Beyond that all discs together
// keep their area, or they would hide the shape that they make.
float body_radius(float sphere, std::size_t count) {
  const float share = 4096.0F / static_cast<float>(std::max<std::size_t>(count, 1));
  return 0.012F * sphere * std::pow(share, share < 1.0F ? 0.5F : 0.2F);
}

std::vector<Spot> spots_of(const core::Bodies& bodies, float fastest) {
  std::vector<Spot> spots;
  spots.reserve(bodies.positions.size());
  for (std::size_t i = 0; i < bodies.positions.size(); ++i) {
    const glm::vec4 v = i < bodies.velocities.size() ? bodies.velocities[i] : glm::vec4(0.0F);
    spots.push_back({glm::vec3(bodies.positions[i]), glm::length(glm::vec3(v)) / fastest});
  }
  return spots;
}

// All boxes faint, the neighbours of one of them less so, and that one bright.
std::vector<Spot> spots_of(const core::Particles& particles, std::uint32_t home, float low,
                           float high) {
  constexpr float kFar = 0.10F;
  constexpr float kNear = 0.45F;
  std::vector<float> lights(particles.lattice.boxes(), kFar);
  for (const std::uint32_t box : particles.lattice.neighbours(home)) {
    lights[box] = box == home ? 1.0F : kNear;
  }
  const float scale = high > low ? 1.0F / (high - low) : 0.0F;
  const glm::vec3 centre = lattice_centre(particles.lattice);
  std::vector<Spot> spots;
  spots.reserve(particles.positions.size());
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    spots.push_back({glm::vec3(particles.positions[i]) - centre,
                     (particles.potentials[i] - low) * scale, lights[i / particles.kept]});
  }
  return spots;
}

// A tenth of the way to the next particle, about.
float particle_radius(const core::Particles& particles) {
  return 0.12F / std::cbrt(static_cast<float>(particles.kept));
}

std::pair<float, float> finite_range(const std::vector<float>& values) {
  float low = std::numeric_limits<float>::infinity();
  float high = -low;
  for (const float value : values) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low <= high ? std::pair(low, high) : std::pair(0.0F, 1.0F);
}

float start_radius(StartRadius& start, const BodiesShot& shot) {
  if (start.workload != shot.workload || !same_problem(start.problem, shot.problem)) {
    start = {shot.workload, shot.problem, bounding_radius(shot.workload, shot.problem)};
  }
  return start.radius;
}

BodiesPainting painting_of(const BodiesShot& shot, StartRadius& start) {
  BodiesPainting painting;
  std::vector<Spot> spots;
  float body = 0.0F;
  if (shot.particles) {
    // A corner that is near reaches farther than the sphere around all of them seems to.
    painting.radius = 1.15F * glm::length(lattice_centre(shot.particles->lattice));
    std::tie(painting.low, painting.high) = finite_range(shot.particles->potentials);
    spots = spots_of(*shot.particles, shot.home, painting.low, painting.high);
    body = particle_radius(*shot.particles);
  } else {
    painting.radius = start_radius(start, shot);
    painting.high = fastest_speed(shot.bodies->velocities);
    spots = spots_of(*shot.bodies, painting.high);
    body = body_radius(painting.radius, spots.size());
  }
  painting.camera = {.yaw = shot.yaw,
                     .pitch = shot.pitch,
                     .distance = shot.distance * painting.radius,
                     .width = shot.width,
                     .height = shot.height};
  painting.image = splat(spots, painting.camera,
                         {.background = shot.background, .dark = shot.dark, .body_radius = body});
  return painting;
}

}  // namespace

glm::vec3 lattice_centre(const core::Lattice& lattice) {
  return glm::vec3(0.5F * static_cast<float>(lattice.side));
}

bool BodiesShot::operator==(const BodiesShot& o) const {
  return bodies == o.bodies && particles == o.particles && home == o.home &&
         workload == o.workload && yaw == o.yaw && pitch == o.pitch && distance == o.distance &&
         width == o.width && height == o.height && dark == o.dark &&
         same_problem(problem, o.problem);
}

std::shared_ptr<const BodiesPainting> BodiesPainter::paint(const BodiesShot& shot, bool wait) {
  return painting.newest(shot, wait,
                         [this](const BodiesShot& wanted) { return painting_of(wanted, start); });
}

}  // namespace ui
