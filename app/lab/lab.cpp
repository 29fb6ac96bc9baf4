#include "lab/lab.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "lab/catalogue_files.h"
#include "lab/measure.h"
#include "lab/simulation.h"
#include "lab/trace.h"
#include "lab/workbench.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kFrame = milliseconds(33);       // publish about so often
constexpr auto kFileCheck = milliseconds(500);  // look at the kernel's file so often
constexpr double kSliceMs = 25.0;               // a dispatch in the window, at most
constexpr double kWorkMs = 12.0;                // launches between two publications
constexpr std::size_t kLiveSamples = 480;
constexpr std::size_t kSamplesBeforeLadder = 12;

// The window's drawing comes first where both need the processor: a Vulkan driver that plays a GPU
// makes its threads from this one, and they inherit its priority (on Linux it is a thread's own).
void step_back() {
  constexpr int kNice = 10;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
}

std::filesystem::file_time_type modified(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::last_write_time(file, ignored);
}

}  // namespace

// Owns the thread and the state that callers and the thread share.
class Lab::Worker {
 public:
  Worker(core::Catalogue catalogue, LabOptions options);
  ~Worker();

  void request(const core::Experiment& experiment);
  void set_paused(bool paused);
  void cancel();
  void restart();
  void trace(std::optional<std::uint64_t> workgroup);
  std::shared_ptr<const core::Result> latest() const;

 private:
  void work();
  void wait_for_work();
  bool take_request();
  bool open_workbench(const std::string& device);
  void set_up(const core::Variant& variant, const core::Experiment& experiment);
  void begin(std::unique_ptr<Setup> setup);
  void reload_if_changed();
  void live();
  void step_bodies();
  void repeat_launch();
  bool trace_due() const;
  void trace_workgroup();
  void measure_next_rung();
  void plan_new_ladder();
  void add_samples(const std::vector<double>& ms);
  void fail(const core::Error& error);
  void publish();
  bool superseded() const { return pending_flag_ || stopping_ || cancelled_; }
  SliceObserver observer();

  core::Catalogue catalogue_;
  LabOptions options_;
  std::filesystem::path shaders_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<core::Experiment> pending_;     // guarded
  std::shared_ptr<const core::Result> latest_;  // guarded
  std::atomic<bool> pending_flag_ = false;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> paused_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> restart_ = false;
  std::atomic<std::int64_t> looked_into_ = -1;  // workgroup to be traced

  // The thread's own.
  std::shared_ptr<gpu::Driver> driver_;
  std::string device_;
  std::unique_ptr<Workbench> bench_;
  std::unique_ptr<Setup> setup_;
  std::unique_ptr<Simulation> simulation_;
  core::Result result_;
  std::string ladder_of_;
  std::int64_t traced_ = -1;  // workgroup that result_.trace is of, or was to be
  Clock::time_point last_publish_;
  Clock::time_point last_file_check_;
  std::filesystem::file_time_type file_time_;
  std::jthread thread_;  // last: it uses all of the above
};

Lab::Worker::Worker(core::Catalogue catalogue, LabOptions options)
    : catalogue_(std::move(catalogue)),
      options_(options),
      latest_(std::make_shared<core::Result>()) {
  if (!catalogue_.all().empty()) {
    shaders_ = catalogue_.all().front().file.parent_path().parent_path();
  }
  thread_ = std::jthread([this] { work(); });
}

Lab::Worker::~Worker() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

void Lab::Worker::request(const core::Experiment& experiment) {
  {
    const std::scoped_lock lock(mutex_);
    pending_ = experiment;
    pending_flag_ = true;
    paused_ = false;
  }
  wake_.notify_all();
}

void Lab::Worker::set_paused(bool paused) {
  {
    const std::scoped_lock lock(mutex_);
    paused_ = paused;
  }
  wake_.notify_all();
}

void Lab::Worker::cancel() {
  cancelled_ = true;
  set_paused(true);
}

void Lab::Worker::restart() {
  restart_ = true;
  wake_.notify_all();
}

void Lab::Worker::trace(std::optional<std::uint64_t> workgroup) {
  const std::int64_t wanted = workgroup ? static_cast<std::int64_t>(*workgroup) : -1;
  if (looked_into_.exchange(wanted) != wanted) {
    const std::scoped_lock lock(mutex_);
    wake_.notify_all();
  }
}

std::shared_ptr<const core::Result> Lab::Worker::latest() const {
  const std::scoped_lock lock(mutex_);
  return latest_;
}

void Lab::Worker::publish() {
  auto snapshot = std::make_shared<const core::Result>(result_);
  const std::scoped_lock lock(mutex_);
  latest_ = std::move(snapshot);
  last_publish_ = Clock::now();
}

void Lab::Worker::fail(const core::Error& error) {
  spdlog::debug("lab: {}", error.message);
  result_.error = error;
  if (!setup_) {
    result_.stage = core::Stage::failed;
  }
  if (error.device_lost) {
    // Made again at the next turn; the experiment that is on the bench is asked for once more.
    const core::Experiment again = result_.experiment;
    simulation_.reset();
    setup_.reset();
    bench_.reset();
    driver_.reset();
    result_.stage = core::Stage::starting;
    const std::scoped_lock lock(mutex_);
    if (!pending_) {
      pending_ = again;
      pending_flag_ = true;
    }
  }
  publish();
}

SliceObserver Lab::Worker::observer() {
  return [this](std::uint64_t groups_done) {
    result_.groups_done = groups_done;
    result_.progress =
        static_cast<double>(groups_done) / static_cast<double>(result_.tiles.group_count());
    if (Clock::now() - last_publish_ > kFrame && groups_done < result_.tiles.group_count()) {
      publish();
    }
    return !superseded();
  };
}

void Lab::Worker::work() {
  step_back();
  while (!stopping_) {
    wait_for_work();
    if (stopping_) {
      break;
    }
    cancelled_ = false;
    if (!take_request()) {
      reload_if_changed();
    }
    if (restart_.exchange(false) && setup_) {
      if (auto ok = bench_->reset(*setup_); !ok) {
        fail(ok.error());
      } else {
        begin(std::move(setup_));
      }
    }
    if (trace_due()) {
      trace_workgroup();
    }
    if (setup_ && !paused_ && !result_.refused()) {
      live();
    }
  }
}

void Lab::Worker::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return pending_flag_ || stopping_ || restart_ || trace_due(); };
  if (!setup_ && !driver_) {
    wake_.wait_for(lock, kFileCheck, ready);
  } else if (paused_ || !setup_) {
    if (result_.stage != core::Stage::paused && setup_) {
      result_.stage = core::Stage::paused;
      latest_ = std::make_shared<const core::Result>(result_);
    }
    wake_.wait_for(lock, kFileCheck, [&] { return ready() || (!paused_ && setup_); });
  } else {
    wake_.wait_until(lock, last_publish_ + kFrame, ready);
  }
}

bool Lab::Worker::take_request() {
  std::optional<core::Experiment> wanted;
  {
    const std::scoped_lock lock(mutex_);
    wanted.swap(pending_);
    pending_flag_ = false;
  }
  if (!wanted) {
    return false;
  }
  const auto variant = catalogue_.find(wanted->variant);
  if (!variant) {
    fail(variant.error());
  } else if (open_workbench(wanted->device)) {
    set_up(*variant, *wanted);
  }
  return true;
}

bool Lab::Worker::open_workbench(const std::string& device) {
  if (!driver_) {
    auto opened = gpu::Driver::open({.validation = options_.validation});
    if (!opened) {
      fail(opened.error());
      return false;
    }
    driver_ = std::move(*opened);
  }
  const auto info = driver_->pick(device);
  if (!info) {
    fail(info.error());
    return false;
  }
  if (bench_ && bench_->info().index == info->index) {
    return true;
  }
  auto opened = Workbench::open(driver_, std::to_string(info->index));
  if (!opened) {
    fail(opened.error());
    return false;
  }
  simulation_.reset();
  setup_.reset();
  bench_ = std::move(*opened);
  return true;
}

void Lab::Worker::set_up(const core::Variant& variant, const core::Experiment& experiment) {
  result_.stage = core::Stage::compiling;
  publish();
  // A chained run has moved on from the inputs that the bench would take over.
  const bool moved = simulation_ != nullptr;
  auto setup = bench_->set_up(variant, experiment, kSliceMs);
  if (setup && moved) {
    if (auto ok = bench_->reset(**setup); !ok) {
      return fail(ok.error());
    }
  }
  if (!setup) {
    result_.stage = setup_ ? core::Stage::running : core::Stage::failed;
    return fail(setup.error());
  }
  begin(std::move(*setup));
}

void Lab::Worker::begin(std::unique_ptr<Setup> setup) {
  const auto ladder = std::move(result_.ladder);
  simulation_.reset();
  setup_ = std::move(setup);
  traced_ = -1;
  result_ = describe(*setup_, bench_->info());
  result_.ladder = ladder;
  plan_new_ladder();
  file_time_ = modified(setup_->variant.file);
  if (result_.refused()) {
    result_.stage = core::Stage::done;
    return publish();
  }
  result_.stage = core::Stage::verifying;
  publish();

  auto check = bench_->verify(*setup_, observer());
  if (!check) {
    return fail(check.error());
  }
  result_.check = std::move(*check);
  ++result_.timing.warm_up;
  ++result_.timing.launches;
  if (superseded()) {
    return;
  }
  auto fields = read_fields(*bench_, *setup_);
  if (!fields) {
    return fail(fields.error());
  }
  result_.fields = std::move(*fields);
  result_.groups_done = result_.tiles.group_count();
  if (!setup_->data->workload->chain().empty()) {
    auto simulation = Simulation::start(*bench_, *setup_, shaders_);
    if (!simulation) {
      return fail(simulation.error());
    }
    simulation_ = std::move(*simulation);
  }
  result_.stage = core::Stage::running;
  publish();
}

void Lab::Worker::plan_new_ladder() {
  const core::Problem& p = result_.problem;
  std::string key = result_.device.name + " " + result_.variant.workload + " " +
                    core::to_string(p.sizes) + " " + std::to_string(p.seed);
  for (const auto& [name, value] : result_.experiment.settings) {
    key += " " + name + "=" + value;
  }
  if (key != ladder_of_) {
    result_.ladder = plan_ladder(catalogue_, result_.variant.workload);
    ladder_of_ = key;
  }
}

void Lab::Worker::reload_if_changed() {
  const auto now = Clock::now();
  if (!setup_ || now - last_file_check_ < kFileCheck) {
    return;
  }
  last_file_check_ = now;
  const auto time = modified(setup_->variant.file);
  if (time == file_time_) {
    return;
  }
  file_time_ = time;
  std::vector<core::Variant> variants(catalogue_.all().begin(), catalogue_.all().end());
  const core::Variant fresh = read_variant(setup_->variant.file);
  std::ranges::replace_if(
      variants, [&](const core::Variant& v) { return v.id() == fresh.id(); }, fresh);
  catalogue_ = core::Catalogue(std::move(variants));
  ladder_of_.clear();
  if (fresh.broken) {
    return fail(*fresh.broken);
  }
  set_up(fresh, setup_->experiment);
}

void Lab::Worker::live() {
  result_.stage = core::Stage::running;
  if (simulation_) {
    step_bodies();
  } else {
    repeat_launch();
  }
  if (setup_ && !superseded()) {
    publish();
    measure_next_rung();
  }
}

void Lab::Worker::add_samples(const std::vector<double>& ms) {
  core::Timing& timing = result_.timing;
  timing.launches += ms.size();
  timing.samples_ms.insert(timing.samples_ms.end(), ms.begin(), ms.end());
  if (timing.samples_ms.size() > kLiveSamples) {
    const auto surplus = timing.samples_ms.size() - kLiveSamples;
    timing.samples_ms.erase(timing.samples_ms.begin(),
                            timing.samples_ms.begin() + static_cast<std::ptrdiff_t>(surplus));
  }
  timing.spread = core::spread_of(timing.samples_ms);
  result_.groups_done = result_.tiles.group_count();
  result_.progress = 1.0;
}

void Lab::Worker::repeat_launch() {
  Launcher& launcher = *setup_->launcher;
  if (launcher.fits_budget()) {
    const double fit = kWorkMs / std::max(launcher.expected_ms(), 1e-3);
    const auto count = static_cast<std::uint32_t>(std::clamp(fit, 1.0, 32.0));
    const auto ms = launcher.launch_many(setup_->buffers(), count);
    if (!ms) {
      return fail(ms.error());
    }
    result_.sliced = false;
    result_.timing.slices = 1;
    return add_samples(*ms);
  }
  result_.sliced = true;
  const auto time = launcher.launch(setup_->buffers(), observer());
  if (!time) {
    return fail(time.error());
  }
  if (time->finished) {
    result_.timing.slices = time->slices;
    add_samples({time->ms});
  }
}

void Lab::Worker::step_bodies() {
  std::vector<double> ms;
  double spent = 0.0;
  while (spent < kWorkMs && !superseded()) {
    const auto time = simulation_->step(observer());
    if (!time) {
      return fail(time.error());
    }
    if (!time->finished) {
      break;
    }
    result_.sliced = time->slices > 1;
    result_.timing.slices = time->slices;
    ms.push_back(time->ms);
    spent += std::max(time->ms, 0.05);
  }
  if (ms.empty()) {
    return;
  }
  add_samples(ms);
  if (auto ok = simulation_->weigh(); !ok) {
    return fail(ok.error());
  }
  auto bodies = simulation_->snapshot();
  if (!bodies) {
    return fail(bodies.error());
  }
  result_.bodies = std::move(*bodies);
}

bool Lab::Worker::trace_due() const {
  const std::int64_t wanted = looked_into_;
  return setup_ && wanted >= 0 && wanted != traced_ && !result_.refused() &&
         wanted < static_cast<std::int64_t>(result_.tiles.group_count());
}

void Lab::Worker::trace_workgroup() {
  traced_ = looked_into_;
  const glm::uvec3 group = result_.tiles.group_at(static_cast<std::uint64_t>(traced_));
  auto trace = lab::trace_workgroup(*bench_, *setup_, group);
  if (!trace && trace.error().device_lost) {
    return fail(trace.error());
  }
  if (!trace) {  // its reason is shown where the trace would be
    core::Trace nothing;
    nothing.workgroup = {group.x, group.y, group.z};
    nothing.incomplete.push_back(trace.error().message);
    trace = std::move(nothing);
  }
  result_.trace = std::make_shared<const core::Trace>(std::move(*trace));
  publish();
}

// A rung at a time, so that the live view goes on in between.
void Lab::Worker::measure_next_rung() {
  if (!options_.ladder || result_.timing.samples_ms.size() < kSamplesBeforeLadder) {
    return;
  }
  // At odd steps the live bodies are where a plain launch would write.
  if (simulation_ && simulation_->steps() % 2 == 1) {
    return;
  }
  const auto next = std::ranges::find_if(
      result_.ladder, [](const core::Rung& rung) { return !rung.measured && !rung.error; });
  if (next == result_.ladder.end()) {
    return;
  }
  const RungOptions brief{{.repeat = 0, .warm_up_ms = 5.0, .time_ms = 100.0}, false};
  core::Rung rung = *next;
  measure_rung(
      *bench_, catalogue_, result_.experiment, brief,
      [this](std::uint64_t) { return !superseded(); }, rung);
  if (rung.error && rung.error->device_lost) {
    return fail(*rung.error);
  }
  if (!superseded()) {
    *next = rung;
    compare_rungs(result_.ladder);
    publish();
  }
}

Lab::Lab(core::Catalogue catalogue, LabOptions options)
    : worker_(std::make_unique<Worker>(std::move(catalogue), options)) {}
Lab::~Lab() = default;
void Lab::request(const core::Experiment& experiment) {
  worker_->request(experiment);
}
void Lab::set_paused(bool paused) {
  worker_->set_paused(paused);
}
void Lab::cancel() {
  worker_->cancel();
}
void Lab::restart() {
  worker_->restart();
}
void Lab::trace(std::optional<std::uint64_t> workgroup) {
  worker_->trace(workgroup);
}
std::shared_ptr<const core::Result> Lab::latest() const {
  return worker_->latest();
}

}  // namespace lab
