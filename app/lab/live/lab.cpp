#include "lab/live/lab.h"

#include <algorithm>
#include <exception>
#include <new>

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "core/base/files.h"
#include "gpu/process_limits.h"
#include "lab/live/worker.h"
#include "lab/plan/kernel_module.h"
#include "lab/probe/check.h"
#include "lab/ready/catalogue_files.h"
#include "lab/ready/launched_like.h"
#include "lab/run/measure.h"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kFileCheck = std::chrono::milliseconds(500);  // look at the kernel's file so often

// The window's drawing comes first where both need the processor: a Vulkan driver that plays a GPU
// makes its threads from this one, and they inherit its priority (on Linux it is a thread's own).
void step_back() {
  constexpr int kNice = 10;
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
}

std::filesystem::file_time_type modified(const core::Variant& variant) {
  std::error_code ignored;
  return std::filesystem::last_write_time(variant.file, ignored);
}

// The newest of all files that the kernels were compiled from.
std::filesystem::file_time_type modified(const Setup& setup) {
  std::error_code ignored;
  auto newest = modified(setup.variant);
  const auto take = [&](const SetupKernel& kernel) {
    for (const core::SourceFile& source : kernel.module->sources) {
      newest = std::max(newest, std::filesystem::last_write_time(source.path, ignored));
    }
  };
  std::ranges::for_each(setup.kernels, [&](const auto& kernel) { take(*kernel); });
  return newest;
}

// The kernel of that name with its text, broken or not; with no text where there is none.
core::Variant named(const core::Catalogue& catalogue, const std::string& id) {
  const auto all = catalogue.all();
  const auto known = std::ranges::find(all, id, &core::Variant::id);
  if (known != all.end()) {
    return *known;
  }
  return read_kernel(id);
}

// The same but for edits of barriers.
bool differ_by_barriers(const core::Experiment& a, core::Experiment b) {
  const bool differ = a.barriers != b.barriers;
  b.barriers = a.barriers;
  return differ && a == b;
}

}  // namespace

Lab::Worker::Worker(core::Catalogue catalogue, LabOptions options)
    : catalogue_(catalogue),
      options_(std::move(options)),
      known_(std::move(catalogue)),
      latest_(std::make_shared<core::Result>()),
      probation_(options_.probation, options_.validation,
                 [this] {
                   tried_ = true;
                   wake_.notify_all();
                 }),
      beside_(options_.probation, options_.validation, [this] { wake_.notify_all(); }) {
  if (!catalogue_.all().empty()) {
    shaders_ = catalogue_.all().front().file.parent_path().parent_path();
  }
  for (const core::Variant& variant : catalogue_.all()) {
    ours_[variant.id()] = core::fingerprint(variant.source);
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

void Lab::Worker::request(const core::Experiment& experiment,
                          std::shared_ptr<const core::Result> like) {
  {
    const std::scoped_lock lock(mutex_);
    pending_ = experiment;
    pending_like_ = std::move(like);
    pending_flag_ = true;
    paused_ = paused_ && by_reader_;
    core::Result now =
        latest_->variant.id() == experiment.variant
            ? *latest_
            : core::not_set_up(*latest_, named(known_, experiment.variant), experiment);
    now.stage = core::Stage::compiling;
    latest_ = std::make_shared<const core::Result>(std::move(now));
  }
  wake_.notify_all();
}

void Lab::Worker::edit(const std::string& variant, std::optional<std::string> text) {
  {
    const std::scoped_lock lock(mutex_);
    pending_edits_[variant] = std::move(text);
    pending_flag_ = true;
  }
  wake_.notify_all();
}

void Lab::Worker::set_paused(bool paused) {
  {
    const std::scoped_lock lock(mutex_);
    paused_ = by_reader_ = paused;
    unseen_ = unseen_ && !paused;
  }
  wake_.notify_all();
}

void Lab::Worker::edit_included(const std::string& path, std::optional<std::string> text) {
  {
    const std::scoped_lock lock(mutex_);
    pending_included_[path] = std::move(text);
    pending_flag_ = true;
  }
  wake_.notify_all();
}

void Lab::Worker::hold(bool held) {
  if (held_.exchange(held) != held) {
    wake_.notify_all();
  }
}

void Lab::Worker::offer(core::Catalogue catalogue) {
  {
    const std::scoped_lock lock(mutex_);
    known_ = catalogue;
    pending_catalogue_ = std::move(catalogue);
    pending_flag_ = true;
  }
  wake_.notify_all();
}

void Lab::Worker::cancel() {
  bool stopped = compare_.exchange(false);
  stopped |= try_barriers_.exchange(false);
  stopped |= stream_.exchange(false);
  if (stopped) {
    wake_.notify_all();
    return;
  }
  cancelled_ = true;
  set_paused(true);
  by_reader_ = false;  // another one that is asked for runs
}

void Lab::Worker::restart() {
  restart_ = true;
  wake_.notify_all();
}

void Lab::Worker::stream(bool on) {
  stream_ = on;
  wake_.notify_all();
}

void Lab::Worker::compare() {
  compare_ = true;
  wake_.notify_all();
}

void Lab::Worker::try_barriers() {
  try_barriers_ = true;
  wake_.notify_all();
}

void Lab::Worker::trace(std::optional<std::uint64_t> workgroup) {
  const std::int64_t wanted = workgroup ? static_cast<std::int64_t>(*workgroup) : -1;
  if (looked_into_.exchange(wanted) != wanted) {
    wake_.notify_all();
  }
}

void Lab::Worker::show(std::size_t launch) {
  if (shown_.exchange(launch) != launch) {
    wake_.notify_all();
  }
}

std::shared_ptr<const core::Result> Lab::Worker::latest() const {
  const std::scoped_lock lock(mutex_);
  return latest_;
}

// While a request waits, what is found out about the one before is not shown any more.
void Lab::Worker::publish() {
  auto snapshot = std::make_shared<const core::Result>(result_);
  const std::scoped_lock lock(mutex_);
  if (!pending_) {
    latest_ = std::move(snapshot);
  }
  last_publish_ = Clock::now();
}

void Lab::Worker::fail(const core::Error& error) {
  if (checking_) {
    failed_while_checking_ = error;
    return;
  }
  spdlog::debug("lab: " + error.message);
  unseen_ = false;
  result_.error = error;
  if (!setup_) {
    result_.stage = core::Stage::failed;
    result_.comparing = compare_ = false;
    kept_data_.reset();
  }
  if (error.device_lost) {
    lose_device();
  }
  publish();
}

// Made again at the next turn, for the last that has answered: what lost it may do so each time.
void Lab::Worker::lose_device() {
  constexpr int kMostLosses = 3;
  const Candidate lost{result_.variant, result_.experiment};
  simulation_.reset();
  maker_.reset();
  setup_.reset();
  kept_data_.reset();
  meter_.reset();
  bench_.reset();
  driver_.reset();
  const bool again = ++losses_ <= kMostLosses && !lost.experiment.variant.empty();
  result_.stage = again ? core::Stage::starting : core::Stage::failed;
  if (again) {
    revived_ = good_ ? good_ : lost;
  }
}

void Lab::Worker::revive() {
  const Candidate again = *std::exchange(revived_, std::nullopt);
  const auto error = result_.error;
  if (!open_workbench(again.experiment.device, is_robust_for(again.variant))) {
    return;
  }
  set_up(again.variant, again.experiment);
  if (setup_ && error) {
    result_.error = error;
    publish();
  }
}

SliceObserver Lab::Worker::observer() {
  return [this](std::uint64_t groups_done) {
    result_.groups_done = groups_done;
    result_.progress =
        static_cast<double>(groups_done) / static_cast<double>(result_.group_count());
    if (Clock::now() - last_publish_ > publish_interval && groups_done < result_.group_count()) {
      publish();
    }
    return !superseded();
  };
}

// What nobody caught, memory that there is not for one, ends neither the thread nor the window:
// what is half made goes, as with a lost device.
void Lab::Worker::work() {
  step_back();
  while (!stopping_) {
    wait_for_work();
    if (stopping_) {
      break;
    }
    std::string why;
    try {
      turn();
    } catch (const std::bad_alloc&) {
      why = "not enough memory";
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (!why.empty()) {
      checking_ = false;
      failed_while_checking_.reset();
      fail({.fault = core::Fault::device, .message = why, .line = 0, .device_lost = true});
    }
  }
}

void Lab::Worker::turn() {
  cancelled_ = false;
  if (!take_request()) {
    reload_if_changed();
  }
  if (tried_.exchange(false)) {
    end_probation();
  }
  if (revived_) {
    revive();
  }
  if (restart_.exchange(false) && setup_) {
    if (auto ok = bench_->reset(*setup_); !ok) {
      fail(ok.error());
    } else {
      begin(std::move(setup_));
    }
  }
  if (launch_due()) {
    change_launch();
  }
  if (trace_due()) {
    trace_workgroup();
  }
  if (stream_due()) {
    stream_once();
  } else if (comparison_due()) {
    compare_next_rung();
  } else if (trials_due()) {
    next_trial();
  } else if (!at_rest()) {
    result_.refused() ? climb() : live();
  } else {
    let_go_of_ceilings();
  }
}

// Half measured they would keep memory for as long as nothing runs, or from what is set up.
void Lab::Worker::let_go_of_ceilings() {
  if (meter_) {
    meter_->let_go();
  }
}

void Lab::Worker::wait_for_work() {
  std::unique_lock lock(mutex_);
  const auto ready = [this] {
    return pending_flag_ || stopping_ || tried_ || revived_ || restart_ || launch_due() ||
           trace_due() || comparison_due() || trials_due() || stream_due();
  };
  if (!setup_ && !driver_) {
    wake_.wait_for(lock, kFileCheck, ready);
  } else if (at_rest()) {
    if (paused_ && setup_ && result_.stage != core::Stage::paused) {
      result_.stage = core::Stage::paused;
      latest_ = pending_ ? latest_ : std::make_shared<const core::Result>(result_);
    }
    wake_.wait_for(lock, kFileCheck, [&] { return ready() || !at_rest(); });
  } else {
    wake_.wait_until(lock, last_publish_ + publish_interval, ready);
  }
}

bool Lab::Worker::take_request() {
  std::optional<core::Experiment> wanted;
  std::shared_ptr<const core::Result> like;
  {
    const std::scoped_lock lock(mutex_);
    wanted.swap(pending_);
    like = std::move(pending_like_);
    pending_flag_ = false;
  }
  take_catalogue();
  const bool included = take_included();
  const bool edited = take_edits() || included;
  if (!wanted) {
    return edited;
  }
  losses_ = 0;
  revived_.reset();
  const auto before = std::exchange(like_, std::move(like));
  if (keeps_launch(*wanted, before.get())) {
    outputs_due_ = true;
    publish();
  } else {
    ask(*wanted);
  }
  return true;
}

core::Expected<core::Variant> Lab::Worker::as_edited(const std::string& id) const {
  auto variant = find_kernel(catalogue_, id);
  if (!variant) {
    return variant;
  }
  if (const auto edit = edited_.find(id); edit != edited_.end()) {
    variant->source = edit->second;
  }
  for (const auto& [launched, text] : edited_) {
    if (variant->launches_kernel(launched)) {
      variant->texts[launched.substr(variant->workload.size() + 1)] = text;
    }
  }
  return variant;
}

bool Lab::Worker::keeps_launch(const core::Experiment& wanted, const core::Result* before) const {
  const core::Result* const now = like_.get();
  if (before == nullptr || now == nullptr || !setup_ || simulation_ || asked_ != wanted ||
      result_.error) {
    return false;
  }
  core::Experiment same = before->experiment;
  same.barriers = now->experiment.barriers;
  const bool own_launch = setup_->variant.work != nullptr;  // whatever the text of the other is
  return same == now->experiment && (own_launch || before->variant.source == now->variant.source);
}

void Lab::Worker::ask(const core::Experiment& wanted) {
  asked_ = wanted;
  const auto variant = as_edited(wanted.variant);
  if (result_.text_only || result_.variant.id() != wanted.variant) {
    change_kernel(variant ? *variant : named(catalogue_, wanted.variant), wanted);
  }
  if (!variant) {
    return fail(variant.error());
  }
  if (!setup_) {
    file_time_ = modified(*variant);
  }
  consider(*variant, wanted);
}

// The inputs stay for the next kernel, which may do the same work.
void Lab::Worker::change_kernel(const core::Variant& next, const core::Experiment& wanted) {
  forget_probes();
  if (setup_) {
    kept_data_ = setup_->data;
    kept_moved_ = simulation_ != nullptr;
  }
  simulation_.reset();
  maker_.reset();
  setup_.reset();
  good_.reset();
  try_barriers_ = stream_ = false;
  result_ = core::not_set_up(result_, next, wanted);
  if (result_.ladder.empty()) {
    ladder_of_.clear();
  }
  publish();
}

// What is edited stays so in another catalogue.
void Lab::Worker::take_catalogue() {
  std::optional<core::Catalogue> fresh;
  {
    const std::scoped_lock lock(mutex_);
    fresh.swap(pending_catalogue_);
  }
  if (!fresh) {
    return;
  }
  catalogue_ = std::move(*fresh);
  for (const auto& [id, text] : edited_) {
    if (const auto known = catalogue_.find(id); known && known->work) {
      put_into_catalogue(read_variant(known->file, known->work, text));
    }
  }
  ladder_of_.clear();
  if (setup_) {
    plan_new_ladder();
    publish();
  }
}

// Any kernel may include them: the one on the bench is made again, and finds out.
bool Lab::Worker::take_included() {
  std::map<std::string, std::optional<std::string>> texts;
  {
    const std::scoped_lock lock(mutex_);
    texts.swap(pending_included_);
  }
  for (auto& [path, text] : texts) {
    included_.erase(path);
    if (text) {
      included_[path] = std::move(*text);
    }
  }
  if (texts.empty() || (!setup_ && !asked_)) {
    return false;
  }
  setup_ ? consider(setup_->variant, setup_->experiment, true) : ask(core::Experiment(*asked_));
  return true;
}

core::Variant Lab::Worker::with_included(core::Variant variant) const {
  std::erase_if(variant.texts, [](const auto& text) { return is_included(text.first); });
  for (const auto& [path, text] : included_) {
    variant.texts[included_key(path)] = text;
  }
  return variant;
}

// True: the kernel on the bench was among them.
bool Lab::Worker::take_edits() {
  std::map<std::string, std::optional<std::string>> edits;
  {
    const std::scoped_lock lock(mutex_);
    edits.swap(pending_edits_);
  }
  bool here = false;
  for (auto& [id, text] : edits) {
    edited_.erase(id);
    if (setup_ && setup_->variant.launches_kernel(id)) {
      here = true;
      take_launched_edit(id, text);
      continue;
    }
    const auto known = find_kernel(catalogue_, id);
    if (!known) {
      continue;
    }
    core::Variant fresh = *known;
    if (known->work) {
      fresh = read_variant(known->file, known->work, text);
    } else if (text) {
      fresh.source = *text;
    }
    if (text) {
      edited_[id] = *text;
    }
    const Candidate* const tried = probation_.candidate();
    const bool on_trial = tried != nullptr && tried->variant.id() == id;
    const bool asked = !setup_ && asked_ && asked_->variant == id;
    if (!on_trial && !asked && (!setup_ || setup_->variant.id() != id)) {
      if (known->work) {
        put_into_catalogue(fresh);
      }
      continue;
    }
    here = true;
    const core::Experiment experiment = on_trial ? tried->experiment
                                        : asked  ? *asked_
                                                 : setup_->experiment;
    fresh.broken ? fail(*fresh.broken) : consider(fresh, experiment);
  }
  return here;
}

// Of a kernel that only the variant on the bench launches.
void Lab::Worker::take_launched_edit(const std::string& id,
                                     const std::optional<std::string>& text) {
  core::Variant fresh = setup_->variant;
  const std::string name = id.substr(fresh.workload.size() + 1);
  fresh.texts.erase(name);
  if (text) {
    fresh.texts[name] = edited_[id] = *text;
  }
  consider(fresh, setup_->experiment);
}

bool Lab::Worker::is_ours(const core::Variant& variant) const {
  const auto ours = ours_.find(variant.id());
  return variant.work && variant.texts.empty() && ours != ours_.end() &&
         variant.file.parent_path().parent_path() == shaders_ &&
         ours->second == core::fingerprint(variant.source);
}

bool Lab::Worker::is_robust_for(const core::Variant& variant) const {
  return !is_ours(variant) || (like_ && !is_ours(like_->variant));
}

void Lab::Worker::consider(const core::Variant& plain, const core::Experiment& experiment,
                           bool changed) {
  const core::Variant variant = with_included(plain);
  probation_.stop();
  beside_.stop();
  verdicts_beside_.clear();
  tried_ = false;
  if (result_.text_only) {
    result_.variant = plain;
    result_.error.reset();
  }
  const auto device = pick(experiment.device);
  if (!device) {
    return;
  }
  Candidate candidate{variant, experiment};
  const auto verdict =
      is_ours(variant) && !changed ? Verdict{} : probation_.known(candidate, *device);
  if (verdict) {
    return decide(candidate, *verdict);
  }
  result_.stage = core::Stage::compiling;
  publish();
  probation_.begin(std::move(candidate), *device);
}

void Lab::Worker::decide(const Candidate& candidate, const Verdict& verdict) {
  if (!verdict.passed()) {
    result_.stage = setup_ ? core::Stage::running : core::Stage::failed;
    return fail({core::Fault::device, verdict.sentence});
  }
  if (candidate.variant.work) {
    const auto known = catalogue_.find(candidate.variant.id());
    if (!known || known->source != candidate.variant.source) {
      put_into_catalogue(candidate.variant);
    }
  }
  // What does not compile leaves the bench as it is.
  if (const auto module = load_module(candidate.variant, candidate.experiment.choices);
      !module && setup_) {
    result_.stage = core::Stage::running;
    return fail(module.error());
  }
  const bool had = setup_ != nullptr;
  if (open_workbench(candidate.experiment.device, is_robust_for(candidate.variant))) {
    set_up(candidate.variant, candidate.experiment);
  }
  if (had && !setup_ && result_.error && good_) {
    revived_ = good_;
  }
}

void Lab::Worker::end_probation() {
  const auto tried = probation_.take();
  if (!tried) {
    return;
  }
  const auto& [candidate, verdict] = *tried;
  // What it includes was changed meanwhile: that is another kernel.
  if (verdict.passed() && !as_they_were(verdict.from)) {
    return consider(candidate.variant, candidate.experiment, true);
  }
  decide(candidate, verdict);
}

void Lab::Worker::put_into_catalogue(const core::Variant& fresh) {
  std::vector<core::Variant> variants(catalogue_.all().begin(), catalogue_.all().end());
  std::vector<core::WorkloadPtr> workloads(catalogue_.workloads().begin(),
                                           catalogue_.workloads().end());
  std::ranges::replace_if(
      variants, [&](const core::Variant& v) { return v.id() == fresh.id(); }, fresh);
  catalogue_ = core::Catalogue(std::move(variants), std::move(workloads));
  ladder_of_.clear();
}

std::optional<core::DeviceInfo> Lab::Worker::pick(const std::string& device) {
  if (!driver_) {
    auto opened = gpu::Driver::open({.validation = options_.validation});
    if (!opened) {
      fail(opened.error());
      return {};
    }
    driver_ = std::move(*opened);
  }
  auto info = driver_->pick(device);
  if (!info) {
    fail(info.error());
    return {};
  }
  return *info;
}

// What is not ours may index anything: on a device that lets nothing outside of a buffer be
// reached, as the commands have it, and ours on one without what that costs.
bool Lab::Worker::open_workbench(const std::string& device, bool robust) {
  const auto info = pick(device);
  if (!info) {
    return false;
  }
  if (bench_ && bench_->info().index == info->index && robust_ == robust) {
    return true;
  }
  auto opened = Workbench::open(driver_, std::to_string(info->index),
                                {.robust = robust, .contained = !options_.probation.empty()});
  if (!opened) {
    fail(opened.error());
    return false;
  }
  simulation_.reset();
  maker_.reset();
  setup_.reset();
  kept_data_.reset();
  meter_.reset();
  ceilings_.reset();
  bench_ = std::move(*opened);
  robust_ = robust;
  if (options_.tuned) {
    std::string warning;
    bench_->use(Tunings::read(tunings_file(), warning));
    if (!warning.empty()) {
      spdlog::warn(warning);
    }
  }
  return true;
}

void Lab::Worker::set_up(const core::Variant& variant, const core::Experiment& experiment) {
  result_.stage = core::Stage::compiling;
  publish();
  let_go_of_ceilings();
  // A chained run has moved on from the inputs that the bench would take over.
  const bool moved = simulation_ != nullptr || kept_moved_;
  const auto like = like_ ? bench_->set_up(like_->variant, like_->experiment, live_slice_ms)
                          : core::Expected<std::unique_ptr<Setup>>();
  auto setup = bench_->set_up(variant, experiment, live_slice_ms, like ? like->get() : nullptr);
  kept_data_.reset();
  kept_moved_ = false;
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
  const bool comparing = result_.comparing;
  const auto trials = result_.trials;
  const bool trying = result_.trying;
  const auto stream = std::move(result_.stream);
  const bool switched = setup_ && differ_by_barriers(result_.experiment, setup->experiment) &&
                        result_.variant.source == setup->variant.source &&
                        result_.variant.texts == setup->variant.texts;
  const bool races_first = switched || !setup->experiment.barriers.empty();
  simulation_.reset();
  forget_probes();
  maker_.reset();
  setup_ = std::move(setup);
  gpu::return_memory();
  if (const auto ok =
          look_at_barriers(bench_->device(), setup_->turns(),
                           {.seed = setup_->experiment.seed, .slice_ms = live_slice_ms});
      !ok) {
    return fail(ok.error());
  }
  result_ = describe(*setup_, bench_->info(), shown_);
  if (!ceilings_ && !meter_) {
    meter_ = std::make_shared<CeilingsMeter>(bench_->device(), shaders_);
  }
  maker_ = std::make_unique<StepMaker>(*bench_, Shelf{catalogue_, shaders_}, *setup_,
                                       step_options(), result_);
  outputs_due_ = like_ != nullptr;
  if (like_) {
    result_.like = std::make_shared<const core::LaunchedLike>(
        core::LaunchedLike{.experiment = like_->experiment, .source = like_->variant.source});
  }
  result_.ladder = ladder;
  result_.comparing = comparing;
  result_.ceilings = ceilings_;
  keep_stream(stream);
  plan_new_ladder();
  keep_trials(trials, trying);
  note_file_time();
  unseen_ = paused_.load();
  if (result_.refused()) {
    result_.stage = core::Stage::done;
    return publish();
  }
  result_.stage = core::Stage::verifying;
  publish();
  // Of a barrier that is not as written, races are what is waited for.
  if (races_first) {
    check_races();
    if (!setup_ || superseded()) {
      return;
    }
  }
  answer();
}

// Its first launch, whose answer is compared.
void Lab::Worker::answer() {
  if (!advance(core::Step::verify, observer())) {
    if (setup_ && !setup_->launcher) {  // there is no room for it
      maker_.reset();
      setup_.reset();
      result_.stage = core::Stage::failed;
      publish();
    }
    return;
  }
  ++result_.timing.warm_up;
  ++result_.timing.launches;
  good_ = Candidate{setup_->variant, setup_->experiment};
  if (superseded() || !advance(core::Step::fields, observer())) {
    return;
  }
  if (outputs_due_) {
    compare_outputs();
    if (!setup_ || superseded()) {
      return;
    }
  }
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

void Lab::Worker::compare_outputs() {
  core::LaunchedLike now{.experiment = like_->experiment, .source = like_->variant.source};
  const auto first = bench_->set_up(like_->variant, like_->experiment, live_slice_ms);
  if (!first) {
    now.error = first.error();
  } else if (result_.refused() || !(*first)->divergent().empty()) {
    now.error =
        core::Error{.fault = core::Fault::usage, .message = "one of the kernels was not run"};
  } else {
    auto outputs = compare_setups(*bench_, **first, *setup_, observer());
    if (!outputs && outputs.error().device_lost) {
      return fail(outputs.error());
    }
    if (superseded()) {
      return;
    }
    if (outputs) {
      now.outputs = std::move(*outputs);
    } else {
      now.error = outputs.error();
    }
  }
  outputs_due_ = false;
  result_.like = std::make_shared<const core::LaunchedLike>(std::move(now));
  publish();
}

void Lab::Worker::plan_new_ladder() {
  const core::Problem& p = result_.problem;
  const std::string whose = result_.work ? result_.variant.workload : "";
  std::string key = result_.device.name + " " + (whose.empty() ? result_.variant.id() : whose) +
                    " " + core::to_string(p.sizes) + " " + std::to_string(p.seed);
  for (const auto& [name, value] : result_.experiment.settings) {
    key += " " + name + "=" + value;
  }
  if (key != ladder_of_) {
    result_.ladder = plan_ladder(catalogue_, result_.variant, result_.experiment.choices.reference);
    result_.comparing = false;
    compare_ = false;
    ladder_of_ = key;
  }
  add_own_rung(result_.ladder, result_.variant, result_.experiment.tile);
}

// A file that was saved while its earlier text was set up is read again, once for each time of the
// file.
void Lab::Worker::note_file_time() {
  file_time_ = modified(*setup_);
  const core::Variant& variant = setup_->variant;
  if (edited_.contains(variant.id()) || reread_ == file_time_) {
    return;
  }
  if (core::read_file(variant.file).value_or(variant.source) != variant.source) {
    reread_ = file_time_;
    file_time_ = {};
  }
}

void Lab::Worker::reload_if_changed() {
  const auto now = Clock::now();
  if (now - last_file_check_ < kFileCheck) {
    return;
  }
  last_file_check_ = now;
  if (!setup_) {
    return reload_asked();
  }
  if (edited_.contains(setup_->variant.id())) {
    return;
  }
  const auto time = modified(*setup_);
  if (time == file_time_) {
    return;
  }
  file_time_ = time;
  if (!setup_->variant.work) {
    const core::Variant fresh = read_kernel(setup_->variant.file);
    return fresh.broken ? fail(*fresh.broken) : consider(fresh, setup_->experiment, true);
  }
  core::Variant fresh = read_variant(setup_->variant.file, setup_->variant.work);
  fresh.texts = setup_->variant.texts;
  if (fresh.broken) {
    put_into_catalogue(fresh);
    return fail(*fresh.broken);
  }
  consider(fresh, setup_->experiment, true);
}

// What was asked for when nothing came of it, and has been mended since.
void Lab::Worker::reload_asked() {
  if (!asked_ || probation_.candidate() != nullptr || edited_.contains(asked_->variant)) {
    return;
  }
  const auto known = find_kernel(catalogue_, asked_->variant);
  if (!known || modified(*known) == file_time_) {
    return;
  }
  if (known->work) {
    put_into_catalogue(read_variant(known->file, known->work));
  }
  ask(core::Experiment(*asked_));
}

Lab::Lab(core::Catalogue catalogue, LabOptions options)
    : worker_(std::make_unique<Worker>(std::move(catalogue), options)) {}
Lab::~Lab() = default;
void Lab::request(const core::Experiment& experiment, std::shared_ptr<const core::Result> like) {
  worker_->request(experiment, std::move(like));
}
void Lab::edit(const std::string& variant, std::optional<std::string> text) {
  worker_->edit(variant, std::move(text));
}
void Lab::edit_included(const std::string& path, std::optional<std::string> text) {
  worker_->edit_included(path, std::move(text));
}
void Lab::hold(bool held) {
  worker_->hold(held);
}
void Lab::offer(core::Catalogue catalogue) {
  worker_->offer(std::move(catalogue));
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
void Lab::compare() {
  worker_->compare();
}
void Lab::try_barriers() {
  worker_->try_barriers();
}

void Lab::stream(bool on) {
  worker_->stream(on);
}
void Lab::show(std::size_t launch) {
  worker_->show(launch);
}
void Lab::trace(std::optional<std::uint64_t> workgroup) {
  worker_->trace(workgroup);
}
std::shared_ptr<const core::Result> Lab::latest() const {
  return worker_->latest();
}

}  // namespace lab
