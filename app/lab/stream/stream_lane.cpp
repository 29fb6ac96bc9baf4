#include "lab/stream/stream_lane.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/base/ceil_div.h"
#include "core/workloads/workloads.h"
#include "gpu/compiler.h"
#include "lab/plan/kernel_module.h"
#include "lab/plan/plan.h"

namespace lab {
namespace {

using gpu::Stream;
using Clock = std::chrono::steady_clock;

constexpr std::size_t number(Stream stream) {
  return static_cast<std::size_t>(stream);
}

core::StreamStage stage_of(Stream stream) {
  return static_cast<core::StreamStage>(stream);
}

std::uint32_t groups(std::uint32_t items, std::uint32_t covers) {
  return core::ceil_div(items, covers);
}

std::int64_t nanoseconds(Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

constexpr std::uint64_t kScratchBytes = 256;

std::size_t variant_scratch(const core::Catalogue& catalogue, const std::string& id) {
  const auto variant = catalogue.find(id);
  return variant ? variant->scratch.size() : 0;
}

std::uint64_t covered(const Plan& plan) {
  const glm::uvec3 all = plan.tiles.groups() * plan.tiles.covers;
  return std::uint64_t{all.x} * all.y;
}

// A kernel for tiles of a share's size, ready to be made. Of its own tiles the one whose workgroups
// reach over the edges least; the preset, where it is as good.
core::Expected<Plan> plan_lane(const core::Catalogue& catalogue, const core::StreamKernel& kernel,
                               const core::Sizes& size, const core::DeviceInfo& device) {
  const auto variant = TRY(catalogue.find(kernel.variant));
  if (kernel.gpus_alone && device.emulated()) {
    return core::device_error("this kernel is only for GPUs");
  }
  std::vector<std::uint32_t> tiles{variant.tile.preset};
  if (!kernel.preset_tile) {
    tiles.insert(tiles.end(), variant.tile.values.begin(), variant.tile.values.end());
  }
  core::Expected<Plan> best = core::device_error("");
  for (const std::uint32_t tile : tiles) {
    const core::Experiment experiment{
        .variant = kernel.variant, .size = size, .tile = tile, .settings = kernel.settings};
    auto planned = plan_variant(variant, experiment, {.sizes = size, .options = {}});
    if (!planned) {
      return std::unexpected(planned.error());
    }
    core::Expected<Plan> plan = std::move(planned->front().plan);
    if (const auto fits = check_plan(*plan, tile, device); !fits) {
      best = best ? std::move(best) : std::unexpected(fits.error());
    } else if (!best || covered(*plan) < covered(*best)) {
      best = std::move(plan);
    }
  }
  return best;
}

}  // namespace

glm::uvec2 stream_tile(const core::Catalogue& catalogue, const core::DeviceInfo& device) {
  constexpr std::uint32_t kLarge = 4096;  // a multiple of every tile
  for (const core::StreamKernel& kernel : core::stream_kernels()) {
    const auto plan = plan_lane(catalogue, kernel, {kLarge, kLarge, kLarge}, device);
    if (plan) {
      return {plan->tiles.covers.x, plan->tiles.covers.y};
    }
  }
  return glm::uvec2(0);
}

core::Expected<std::unique_ptr<StreamLane>> StreamLane::open(std::shared_ptr<gpu::Driver> driver,
                                                             const core::DeviceInfo& info,
                                                             const core::Catalogue& catalogue,
                                                             const core::StreamShare& share,
                                                             std::uint32_t padded_w,
                                                             Threads threads) {
  auto device = TRY(gpu::Device::open(std::move(driver), info, {.streams = true}));
  std::unique_ptr<StreamLane> lane(new StreamLane(share, padded_w));
  lane->device_ = std::move(device);
  TRY(lane->make_kernel(catalogue));
  TRY(lane->make_slots());
  TRY(lane->make_staging(threads));
  lane->streams_ =
      TRY(gpu::Streams::open(*lane->device_, {lane->pieces_.uploads().size(), share.jobs.size(),
                                              lane->pieces_.downloads().size()}));
  return lane;
}

StreamLane::~StreamLane() {
  stop();
  threads_.clear();
}

StreamLane::Failed StreamLane::make_kernel(const core::Catalogue& catalogue) {
  const core::Sizes size{share_.strip_rows, core::padded_columns(share_.width), padded_w_};
  core::Error why;
  for (const core::StreamKernel& multiplying : core::stream_kernels()) {
    const auto plan = plan_lane(catalogue, multiplying, size, device_->info());
    if (!plan) {
      why = plan.error();
      continue;
    }
    const auto plain = plain_kernel(plan->dispatch);
    auto kernel = TRY(plain ? device_->kernel(plain->spec()) : std::unexpected(plain.error()));
    kernel_ = std::move(kernel);
    kernel_name_ = multiplying.variant;
    // What workgroups would share: never touched, but bound.
    for (std::size_t i = 0; i < variant_scratch(catalogue, kernel_name_); ++i) {
      auto buffer = TRY(device_->buffer(kScratchBytes, "scratch memory of a stream kernel"));
      scratch_.push_back(std::move(buffer));
    }
    covers_ = {plan->tiles.covers.x, plan->tiles.covers.y};
    return {};
  }
  return std::unexpected(why);
}

StreamLane::Failed StreamLane::make_slots() {
  const std::uint64_t a = std::uint64_t{4} * share_.strip_rows * padded_w_;
  const std::uint64_t b = std::uint64_t{4} * core::padded_columns(share_.width) * padded_w_;
  const std::uint64_t c = std::uint64_t{4} * core::padded_columns(share_.width) * share_.strip_rows;
  const auto make = [&](std::vector<gpu::Buffer>& slots, std::uint32_t count, std::uint64_t bytes,
                        const char* name) -> Failed {
    for (std::uint32_t i = 0; i < count; ++i) {
      auto slot = TRY(device_->buffer(bytes, name));
      slots.push_back(std::move(slot));
    }
    return {};
  };
  auto made = make(a_, share_.a_slots, a, "a strip of A");
  made = made ? make(b_, share_.b_slots, b, "a panel of B") : made;
  return made ? make(c_, share_.c_slots, c, "a tile of C") : made;
}

StreamLane::Failed StreamLane::make_staging(Threads threads) {
  const auto make = [this](Staging& staging, std::uint64_t bytes, const char* name) -> Failed {
    auto buffer = TRY(device_->host_buffer(bytes, name));
    staging.buffer = std::move(buffer);
    // The first touch of a page takes long: not while the stream is timed.
    std::memset(staging.buffer.host().data(), 0, bytes);
    return {};
  };
  const std::uint64_t up = pieces_.upload_bytes();
  const std::uint64_t down = pieces_.download_bytes();
  feeding_.resize(std::min(threads.upload, pieces_.uploads().size()));
  fetching_.resize(std::min(threads.download, pieces_.downloads().size()));
  pieces_home_.resize(share_.jobs.size(), 0);
  for (auto& pair : feeding_) {
    for (Staging& staging : pair) {
      if (auto ok = make(staging, up, "a piece of A or B"); !ok) {
        return ok;
      }
    }
  }
  for (Staging& staging : fetching_) {
    if (auto ok = make(staging, down, "a piece of C"); !ok) {
      return ok;
    }
  }
  return {};
}

void StreamLane::start(StreamMatrices& matrices, Clock::time_point zero) {
  matrices_ = &matrices;
  zero_ = zero;
  for (auto& pair : feeding_) {
    threads_.emplace_back([this, &pair] { feed(pair); });
  }
  threads_.emplace_back([this] { work(); });
  for (Staging& staging : fetching_) {
    threads_.emplace_back([this, &staging] { fetch(staging); });
  }
}

void StreamLane::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  moved_.notify_all();
}

void StreamLane::keep(const Failed& failed) {
  if (!failed) {
    {
      const std::scoped_lock lock(mutex_);
      error_ = error_.value_or(failed.error());
    }
    stop();
  }
}

bool StreamLane::wait_until_submitted(Stream stream, std::uint64_t count) {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, [&] { return stopping_ || submitted_[number(stream)].size() >= count; });
  return !stopping_;
}

// One at a time, so that submissions are counted as they are noted.
core::Expected<std::uint64_t> StreamLane::submit(Stream stream, std::uint64_t what,
                                                 const gpu::Commands& commands,
                                                 std::span<const gpu::Reached> after) {
  std::unique_lock lock(mutex_);
  const auto count = streams_->submit(stream, commands, after);
  if (count) {
    submitted_[number(stream)].push_back(what);
    lock.unlock();
    moved_.notify_all();
  }
  return count;
}

// While one of the two staging buffers is copied from, the other is filled.
void StreamLane::feed(std::array<Staging, 2>& staging) {
  for (std::size_t turn = 0; !stopping_; turn = 1 - turn) {
    const std::uint64_t next = next_upload_++;
    if (next >= pieces_.uploads().size()) {
      return;
    }
    keep(upload(next, staging[turn]));
  }
}

StreamLane::Failed StreamLane::upload(std::uint64_t which, Staging& staging) {
  if (auto ok = streams_->wait({Stream::upload, staging.used}); !ok) {
    return ok;
  }
  const StreamPiece& piece = pieces_.uploads()[which];
  pieces_.pack(piece, *matrices_, staging.buffer.host());
  // Pieces of a load may overtake each other where a thread is held up, but none a piece of the
  // load before: submissions are counted. And streams may share a queue: nothing may wait there for
  // what is submitted later.
  const core::StreamLoad& load = share_.loads[piece.of];
  if (!wait_until_submitted(Stream::upload,
                            piece.of == 0 ? 0 : pieces_.uploads_until(piece.of - 1)) ||
      !wait_until_submitted(Stream::compute, load.after)) {
    return {};
  }
  const auto& slots = load.of == core::StreamLoad::Of::a ? a_ : b_;
  const std::uint64_t row = pieces_.load_row_bytes(piece.of);
  gpu::Commands commands;
  commands.copy(staging.buffer, slots[load.slot], {0, piece.first_row * row, piece.rows * row});
  const gpu::Reached free{Stream::compute, load.after};
  staging.used = TRY(submit(Stream::upload, which, commands, {&free, 1}));
  return {};
}

void StreamLane::work() {
  for (std::uint32_t job = 0; job < share_.jobs.size() && !stopping_; ++job) {
    keep(compute(job));
  }
}

StreamLane::Failed StreamLane::compute(std::uint32_t job) {
  const core::StreamJob& j = share_.jobs[job];
  const gpu::Reached loaded{Stream::upload, pieces_.uploads_until(j.loads - 1)};
  const gpu::Reached free{Stream::download,
                          job < share_.c_slots ? 0 : pieces_.downloads_until(job - share_.c_slots)};
  if (!wait_until_submitted(loaded.stream, loaded.count) ||
      !wait_until_submitted(free.stream, free.count)) {
    return {};
  }
  const std::uint32_t rows = share_.strips[j.strip].count;
  const std::uint32_t columns = core::padded_columns(share_.panels[j.panel].count);
  std::vector<const gpu::Buffer*> buffers{&a_[j.a_slot], &b_[j.b_slot], &c_[j.c_slot]};
  for (const gpu::Buffer& buffer : scratch_) {
    buffers.push_back(&buffer);
  }
  gpu::Commands commands;
  commands.dispatch(kernel_, buffers, {rows, columns, padded_w_}, glm::uvec3(0),
                    {groups(columns, covers_.x), groups(rows, covers_.y), 1});
  const auto count = submit(Stream::compute, job, commands, std::array{loaded, free});
  return count ? Failed() : std::unexpected(count.error());
}

void StreamLane::fetch(Staging& staging) {
  while (!stopping_) {
    const std::uint64_t next = next_download_++;
    if (next >= pieces_.downloads().size()) {
      return;
    }
    keep(download(next, staging));
  }
}

StreamLane::Failed StreamLane::download(std::uint64_t which, Staging& staging) {
  const StreamPiece& piece = pieces_.downloads()[which];
  const gpu::Reached computed{Stream::compute, piece.of + std::uint64_t{1}};
  if (!wait_until_submitted(Stream::download, which) ||
      !wait_until_submitted(computed.stream, computed.count)) {
    return {};
  }
  const std::uint64_t row = pieces_.job_row_bytes(piece.of);
  gpu::Commands commands;
  commands.copy(c_[share_.jobs[piece.of].c_slot], staging.buffer,
                {piece.first_row * row, 0, piece.rows * row});
  const auto count = TRY(submit(Stream::download, which, commands, {&computed, 1}));
  if (auto ok = streams_->wait({Stream::download, count}); !ok) {
    return ok;
  }
  pieces_.spread(piece, staging.buffer.host(), *matrices_);
  const std::scoped_lock lock(mutex_);
  if (++pieces_home_[piece.of] == pieces_.downloads_of(piece.of)) {
    finished_at_ = Clock::now();
    ++home_;
  }
  return {};
}

Clock::time_point StreamLane::finished_at() const {
  const std::scoped_lock lock(mutex_);
  return finished_at_;
}

core::StreamLane StreamLane::describe() const {
  const core::DeviceInfo& info = device_->info();
  return {.device = info.name,
          .index = info.index,
          .emulated = info.emulated(),
          .queues = streams_->in_words(),
          .kernel = kernel_name_};
}

StreamLane::Failed StreamLane::read_clocks() {
  const auto reading = TRY(streams_->read_clocks());
  last_ = reading;
  if (first_.host_ns == 0) {
    first_ = reading;
  }
  return {};
}

// Between two readings the device's clock may have drifted against the host's.
double StreamLane::ms_of(std::uint64_t ticks) const {
  constexpr std::int64_t kLongEnough = 100'000'000;  // for the readings' uncertainty not to matter
  double ns_a_tick = device_->info().timestamp_period_ns;
  if (last_.host_ns - first_.host_ns > kLongEnough) {
    ns_a_tick = static_cast<double>(last_.host_ns - first_.host_ns) /
                static_cast<double>(last_.ticks - first_.ticks);
  }
  const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - first_.ticks));
  return (static_cast<double>(first_.host_ns - nanoseconds(zero_)) + since * ns_a_tick) * 1e-6;
}

StreamLane::Failed StreamLane::take_spans(core::StreamLane& lane, Stream stream) {
  const auto done = TRY(streams_->done(stream));
  std::uint64_t& seen = seen_[number(stream)];
  const auto ran = TRY(streams_->ran(stream, seen, done));
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const std::uint64_t what = submitted_[number(stream)][seen + i];
    core::StreamSpan span{.stage = stage_of(stream), .part = static_cast<std::uint32_t>(what)};
    span.start_ms = ms_of(ran[i].start);
    span.end_ms = ms_of(ran[i].end);
    if (stream == Stream::upload) {
      const StreamPiece& piece = pieces_.uploads()[what];
      span.part = piece.of;
      span.bytes = piece.rows * pieces_.load_row_bytes(piece.of);
    } else if (stream == Stream::download) {
      const StreamPiece& piece = pieces_.downloads()[what];
      span.part = piece.of;
      span.bytes = piece.rows * pieces_.job_row_bytes(piece.of);
    }
    lane.spans.push_back(span);
  }
  seen = done;
  return {};
}

core::Expected<void> StreamLane::look(core::StreamLane& lane) {
  if (streams_->calibrated() || first_.host_ns == 0) {
    if (auto ok = read_clocks(); !ok) {
      return ok;
    }
  }
  lane.jobs_home = home_;
  for (const Stream stream : {Stream::upload, Stream::compute, Stream::download}) {
    if (auto ok = take_spans(lane, stream); !ok) {
      return ok;
    }
  }
  lane.jobs_done = static_cast<std::uint32_t>(seen_[number(Stream::compute)]);
  const std::scoped_lock lock(mutex_);
  return error_ ? Failed(std::unexpected(*error_)) : Failed();
}

}  // namespace lab
