#include "lab/stream/stream.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/json/answer.h"
#include "cli/json/stream_json.h"
#include "cli/output.h"
#include "core/base/bytes.h"
#include "core/stream/stream_plan.h"

namespace cli {
namespace {

using Clock = std::chrono::steady_clock;

struct StreamFlags {
  Common common;
  std::string size;
  core::StreamRequest request;
  std::optional<Arguments> arguments;

  [[nodiscard]] bool zero(const char* flag, std::uint64_t value) const {
    return arguments->given(flag) && value == 0;
  }
};

core::Expected<core::StreamRequest> request_of(const StreamFlags& flags) {
  core::StreamRequest request = flags.request;
  auto size = TRY(parse_sizes(flags.size));
  if (size.size() != 3) {
    return core::usage_error("--size takes M,N,W: A is M×W, B is W×N");
  }
  for (const std::uint32_t one : size) {
    if (one > core::kMostStreamSize) {
      return core::usage_error(
          fmt::format("--size takes numbers up to {}, not {}", core::kMostStreamSize, one));
    }
  }
  request.size = std::move(size);
  if (flags.zero("--stream-width", request.width)) {
    return core::usage_error("--stream-width 0: it must be at least 1");
  }
  if (flags.zero("--emulate", request.emulate)) {
    return core::usage_error("--emulate 0: it must be at least 1");
  }
  if (flags.zero("--memory", request.memory)) {
    return core::device_error("--memory 0: it must be at least 1 byte");
  }
  return request;
}

std::string rate(double gflops) {
  return gflops < 1000.0 ? fmt::format("{:.2f} GFLOP/s", gflops)
                         : fmt::format("{:.2f} TFLOP/s", gflops * 1e-3);
}

std::string count(std::size_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// Ctrl-C, and a request to end, let the stream end what is under way and clean up.
std::atomic<std::int64_t> interrupted_at = 0;  // ms; 0: not yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal's handler uses it");

// A second one ends it at once; what comes in the same moment is the first once more, as `timeout`
// sends it to the process and to its group.
void on_signal(int signal) {
  constexpr std::int64_t kSameMoment = 100;  // ms
  const auto since_start = Clock::now().time_since_epoch();
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
  std::int64_t first = 0;
  if (!interrupted_at.compare_exchange_strong(first, now) && now - first > kSameMoment) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

const char* words_of(core::StreamPhase phase) {
  switch (phase) {
    case core::StreamPhase::preparing:
      return "generating the inputs";
    case core::StreamPhase::verifying:
      return "verifying";
    case core::StreamPhase::writing:
      return "writing";
    default:
      return "";
  }
}

// Lines on stderr: on a terminal one that changes, elsewhere one a second.
class Progress {
 public:
  void show(const core::StreamReport& r) {
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const auto now = Clock::now();
    const auto pause = terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(1000);
    if (r.phase == core::StreamPhase::done) {
      return end();
    }
    if (r.phase == phase_ && now - last_ < pause) {
      return;
    }
    last_ = now;
    phase_ = r.phase;
    std::string line = words_of(r.phase);
    if (r.phase == core::StreamPhase::streaming) {
      line = fmt::format("{:3.0f}%, {}, {}", 100.0 * r.progress, rate(r.figures.gflops),
                         r.left_ms ? fmt::format("{:.1f} s left", *r.left_ms * 1e-3)
                                   : std::string("remaining time not known yet"));
    }
    fmt::print(stderr, "{}tilescope: {}{}", terminal ? "\r\x1b[K" : "", line, terminal ? "" : "\n");
    open_ = terminal;
  }
  void end() {
    if (open_) {
      fmt::print(stderr, "\r\x1b[K");
    }
    open_ = false;
  }

 private:
  Clock::time_point last_;
  core::StreamPhase phase_ = core::StreamPhase::done;
  bool open_ = false;
};

std::string share_in_words(const std::optional<double>& hidden) {
  return hidden ? fmt::format("{:.1f}% of their time overlaps with computation", 100.0 * *hidden)
                : "overlap with computation not reported by this device";
}

void print_lane(const core::StreamLane& lane, const core::StreamShare& share) {
  if (share.jobs.empty()) {
    fmt::print("  {} {}: no rows\n", lane.index, lane.device);
    return;
  }
  const core::StreamFigures& f = lane.figures;
  fmt::print("  {} {}{}: {}, {}; {} of {}\n", lane.index, lane.device,
             lane.emulated ? " (emulated)" : "", lane.kernel, lane.queues,
             core::bytes_in_words(share.bytes), core::bytes_in_words(lane.budget));
  fmt::print("    rows {} to {} in {}: {} of up to {}, {} of up to {}\n", share.rows.first,
             share.rows.first + share.rows.count - 1, count(share.chunks.size(), "chunk"),
             count(share.strips.size(), "strip"), count(share.strip_rows, "row"),
             count(share.panels.size(), "panel"), count(share.width, "column"));
  if (lane.spans.empty()) {
    fmt::print("    upload, compute and download times: not reported by this device\n");
    return;
  }
  fmt::print("    upload {:.1f} ms, compute {:.1f} ms ({:.1f}% of the time), download {:.1f} ms\n",
             f.upload_ms, f.compute_ms, 100.0 * f.compute_ms / f.ms, f.download_ms);
}

void print_text(const core::StreamReport& r) {
  const core::StreamFigures& f = r.figures;
  fmt::print("stream {}, on {}\n", core::to_string(r.request.size),
             count(r.lanes.size(), "accelerator"));
  fmt::print("  measured: {:.1f} ms, including all copies from and to host memory, {}\n", f.ms,
             rate(f.gflops));
  fmt::print("  copies: {} to the devices, {} back; {}\n", core::bytes_in_words(f.uploaded),
             core::bytes_in_words(f.downloaded), share_in_words(f.hidden()));
  for (std::size_t i = 0; i < r.lanes.size(); ++i) {
    print_lane(r.lanes[i], r.plan->shares[i]);
  }
  const core::Check& c = r.check;
  fmt::print(
      "  {}: max error {:.3g} of {}; tolerance {:.3g}, which is 4·(√{} + 4) rounding errors; {}\n",
      c.correct ? "correct" : "WRONG", c.max_error, c.scale, c.tolerance, r.request.size[2],
      c.method);
  if (!c.correct) {
    fmt::print("  worst: {}\n", c.worst);
  }
  fmt::print("  clock: {}\n", r.clock);
  if (!r.request.output.empty()) {
    fmt::print("  {}\n", c.correct ? "C was written to " + r.request.output.string()
                                   : std::string("C is wrong and was not written"));
  }
}

Outcome stream(const StreamFlags& flags) {
  const auto request = TRY(request_of(flags));
  const auto writable = check_output(request.output, {request.a.string(), request.b.string()});
  const auto library = open_library();
  if (!writable || !library) {
    return std::unexpected(writable ? library.error() : writable.error());
  }
  const auto driver = TRY(open_driver(flags.common));
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  Progress progress;
  const auto report =
      lab::stream(driver, library->catalogue, request, [&](const core::StreamReport& now) {
        if (now.plan) {
          progress.show(now);
        }
        return interrupted_at == 0;
      });
  progress.end();
  if (!report) {
    return std::unexpected(report.error());
  }
  flags.common.json ? print(to_json(*report)) : print_text(*report);
  return report->check.correct && driver->validation_messages().empty() ? ok : findings;
}

}  // namespace

void add_stream(CLI::App& app) {
  auto flags = std::make_shared<StreamFlags>();
  auto common = std::shared_ptr<Common>(flags, &flags->common);
  const Arguments arguments = add_command(
      app, "stream", "Multiply matrices that are larger than a device's memory, on several devices",
      common, [flags] { return stream(*flags); }, {.own_progress = true});
  flags->arguments = arguments;
  core::StreamRequest& r = flags->request;
  arguments
      .option("--size M,N,W", flags->size, "Multiply A of M × W elements by B of W × N elements")
      .required();
  arguments.option("--stream-width N", r.width,
                   "Cut B into panels of N columns (default: as wide as memory allows)");
  arguments
      .option("--devices DEVICE,...", r.devices,
              "Use these devices, by index or by a part of the name (default: all except CPU "
              "devices)")
      .with_commas();
  arguments.option("--emulate K", r.emulate,
                   "Use one device as if it were K devices (default: each device once)");
  arguments
      .option("--memory BYTES", r.memory,
              "Use at most BYTES of a device's memory, such as 512MiB (default: most of it)")
      .bytes();
  arguments.option("--seed N", r.seed, "Generate the random inputs from the seed N (default: 1)");
  arguments.option("--a FILE", r.a,
                   "Read A from FILE: little-endian float32, row-major (default: random)");
  arguments.option("--b FILE", r.b, "Read B from FILE, in the same format (default: random)");
  arguments.option("-o,--output FILE", r.output,
                   "Write C to FILE, in the same format (default: C is only verified)");
}

}  // namespace cli
