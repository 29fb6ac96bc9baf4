#include "ui/bodies_painter.h"

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include <glm/geometric.hpp>

namespace ui {
namespace {

bool same_problem(const core::Problem& a, const core::Problem& b) {
  return a.sizes == b.sizes && a.options == b.options && a.seed == b.seed;
}

float bounding_radius(const std::string& name, const core::Problem& problem) {
  const core::Workload* workload = core::find_workload(name);
  if (workload == nullptr) {
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

// The more bodies, the smaller each: 1.2% of the sphere for 4096.
float body_radius(float sphere, std::size_t count) {
  return 0.012F * sphere *
         std::pow(4096.0F / static_cast<float>(std::max<std::size_t>(count, 1)), 1.0F / 5.0F);
}

}  // namespace

bool BodiesShot::same_as(const BodiesShot& o) const {
  return bodies == o.bodies && workload == o.workload && yaw == o.yaw && pitch == o.pitch &&
         distance == o.distance && width == o.width && height == o.height && dark == o.dark &&
         same_problem(problem, o.problem);
}

class BodiesPainter::Worker {
 public:
  Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  std::shared_ptr<const BodiesPainting> paint(const BodiesShot& shot, bool wait) {
    std::unique_lock lock(mutex_);
    if (!asked_ || !asked_->same_as(shot)) {
      asked_ = shot;
      pending_ = true;
      wake_.notify_all();
    }
    if (wait) {
      done_.wait(lock, [this] { return !pending_ && !painting_; });
    }
    return newest_;
  }

  bool busy() const {
    const std::scoped_lock lock(mutex_);
    return pending_ || painting_;
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return pending_; })) {
      const BodiesShot shot = *asked_;
      pending_ = false;
      painting_ = true;
      lock.unlock();
      auto finished = std::make_shared<BodiesPainting>(make(shot));
      lock.lock();
      finished->version = ++version_;
      newest_ = std::move(finished);
      painting_ = false;
      done_.notify_all();
    }
  }

  BodiesPainting make(const BodiesShot& shot) {
    if (radius_of_ != shot.workload || !same_problem(problem_, shot.problem)) {
      radius_of_ = shot.workload;
      problem_ = shot.problem;
      radius_ = bounding_radius(shot.workload, shot.problem);
    }
    BodiesPainting painting;
    painting.radius = radius_;
    painting.fastest = fastest_speed(shot.bodies->velocities);
    painting.camera = {.yaw = shot.yaw,
                       .pitch = shot.pitch,
                       .distance = shot.distance * radius_,
                       .width = shot.width,
                       .height = shot.height};
    painting.image = splat(shot.bodies->positions, shot.bodies->velocities, painting.camera,
                           {.background = shot.background,
                            .dark = shot.dark,
                            .fastest = painting.fastest,
                            .body_radius = body_radius(radius_, shot.bodies->positions.size())});
    return painting;
  }

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  std::optional<BodiesShot> asked_;
  bool pending_ = false;
  bool painting_ = false;
  std::shared_ptr<const BodiesPainting> newest_;
  std::uint64_t version_ = 0;

  std::string radius_of_;
  core::Problem problem_;
  float radius_ = 1.0F;
  std::jthread thread_;  // last: it uses all of the above
};

BodiesPainter::BodiesPainter() : worker_(std::make_unique<Worker>()) {}
BodiesPainter::~BodiesPainter() = default;

std::shared_ptr<const BodiesPainting> BodiesPainter::paint(const BodiesShot& shot, bool wait) {
  return worker_->paint(shot, wait);
}

bool BodiesPainter::busy() const {
  return worker_->busy();
}

}  // namespace ui
