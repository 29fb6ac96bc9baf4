#include "core/report/measurement_table.h"

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <utility>

namespace core {

struct MeasurementTable::Row {
  const char* record;
  std::string variant;
  std::string sizes;
  std::uint32_t tile = 0;
  std::string parameters;
  std::string sample;  ///< its number, from 1
  std::string ms;
  const Spread* spread = nullptr;
  std::string warm_up;
  double flops = 0.0;
  double bytes = 0.0;
  double speedup = 0.0;
  std::string error;
};

namespace {

constexpr std::array kColumns{
    "record", "date",       "device",  "driver", "emulated", "clock",     "variant",     "sizes",
    "tile",   "parameters", "sample",  "ms",     "samples",  "median_ms", "p5_ms",       "p95_ms",
    "min_ms", "max_ms",     "warm_up", "gflops", "gbps",     "speedup",   "not_measured"};

// The shortest digits that read back as the same number; a decimal point wherever it runs.
std::string exact_number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    return cell;
  }
  std::string text = "\"";
  for (const char c : cell) {
    text += c == '"' ? "\"\"" : std::string(1, c);
  }
  return text + '"';
}

std::string number_of(std::uint64_t tile) {
  return tile > 0 ? std::to_string(tile) : "";
}

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const std::uint32_t size : sizes) {
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  return text;
}

std::string parameters_of(const Settings& settings, const Problem& problem,
                          const BarrierEdits& barriers) {
  Settings all = settings;
  all.insert(problem.options.begin(), problem.options.end());
  std::string text;
  for (const auto& [name, value] : all) {
    text += name + "=" + value + " ";
  }
  for (const auto& [k, kind] : barriers) {
    text += "barrier " + std::to_string(k) + "=" + to_string(kind) + " ";
  }
  return text + "seed=" + std::to_string(problem.seed);
}

std::string rate(double work, const Spread* spread) {
  return work > 0.0 && spread != nullptr && spread->median > 0.0
             ? exact_number(work / spread->median * 1e-6)
             : "";
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), size};
}

MeasurementTable::MeasurementTable(DeviceInfo device, std::string date)
    : device_(std::move(device)), date_(std::move(date)) {
  for (const char* column : kColumns) {
    text_ += (text_.empty() ? "" : ",") + std::string(column);
  }
  text_ += "\r\n";
}

void MeasurementTable::add(const Row& row) {
  const Spread* s = row.spread != nullptr && row.spread->count > 0 ? row.spread : nullptr;
  const auto of_spread = [s](double Spread::* part) { return s ? exact_number(s->*part) : ""; };
  const std::array<std::string, kColumns.size()> cells{
      row.record,
      date_,
      device_.name,
      device_.driver,
      device_.emulated() ? "yes" : "no",
      "device timestamps",
      row.variant,
      row.sizes,
      number_of(row.tile),
      row.parameters,
      row.sample,
      row.ms,
      s ? std::to_string(s->count) : "",
      of_spread(&Spread::median),
      of_spread(&Spread::p5),
      of_spread(&Spread::p95),
      of_spread(&Spread::low),
      of_spread(&Spread::high),
      row.warm_up,
      rate(row.flops, s),
      rate(row.bytes, s),
      row.speedup > 0.0 ? exact_number(row.speedup) : "",
      row.error};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text_ += (i > 0 ? "," : "") + quoted(cells[i]);
  }
  text_ += "\r\n";
}

void MeasurementTable::add_kernel(const Result& result) {
  const Experiment& e = result.experiment;
  Row row{.record = "kernel",
          .variant = e.variant,
          .sizes = sizes_text(result.problem.sizes),
          .tile = e.tile,
          .parameters = parameters_of(e.settings, result.problem, e.barriers),
          .spread = &result.timing.spread,
          .warm_up = std::to_string(result.timing.warm_up),
          .flops = result.flops,
          .bytes = result.bytes};
  if (result.refused()) {
    row.error = result.facts->divergent.front().sentence();
  }
  add(row);
  row.record = "sample";
  row.spread = nullptr;
  row.warm_up.clear();
  for (std::size_t i = 0; i < result.timing.samples_ms.size(); ++i) {
    row.sample = std::to_string(i + 1);
    row.ms = exact_number(result.timing.samples_ms[i]);
    add(row);
  }
}

void MeasurementTable::add_ladder(const Workload& workload, const Problem& problem,
                                  const Settings& settings, std::span<const Rung> ladder) {
  for (const Rung& rung : ladder) {
    Row row{.record = "rung",
            .variant = rung.variant,
            .sizes = sizes_text(problem.sizes),
            .tile = rung.tile,
            .parameters = parameters_of(settings, problem, {}),
            .spread = rung.measured ? &rung.spread : nullptr,
            .flops = workload.flops(problem.sizes),
            .bytes = rung.bytes,
            .speedup = rung.speedup};
    if (rung.measured) {
      row.warm_up = std::to_string(rung.warm_up);
    }
    row.error = rung.error ? rung.error->message : rung.measured ? "" : "not measured yet";
    add(row);
  }
}

}  // namespace core
