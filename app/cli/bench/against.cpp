#include "cli/bench/against.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/json/answer.h"
#include "core/base/files.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

core::Expected<std::vector<core::MeasuredKernel>> read_table(const std::string& file) {
  const auto text = TRY(core::read_file(file));
  auto kernels = core::read_measurements(text);
  if (!kernels) {
    return core::usage_error(fmt::format("{}: {}", file, kernels.error().message));
  }
  return kernels;
}

std::string words(const core::MeasurementChange& change) {
  const double percent = (change.ratio - 1.0) * 100.0;
  switch (change.change) {
    case core::Change::slower:
      return fmt::format("slower by {:.1f}%", percent);
    case core::Change::faster:
      return fmt::format("faster by {:.1f}%", -percent);
    case core::Change::alike:
      return std::min(change.before.spread.count, change.now.spread.count) < core::kLeastSamples
                 ? "too few samples to compare"
                 : "no change larger than the spread";
    case core::Change::lost:
      return "measured earlier but not now: " + change.now.error;
    case core::Change::added:
      return "new: not in the earlier table";
    case core::Change::absent:
      return "not selected in this run";
  }
  return {};
}

std::string time_of(const core::Spread& s) {
  return s.count == 0 ? "-" : fmt::format("{:.4f} ({:.4f}–{:.4f})", s.median, s.p5, s.p95);
}

// Who measured, when: of the first row, all are of one run.
std::string origin(const std::vector<core::MeasuredKernel>& kernels) {
  return kernels.empty() ? "nothing"
                         : fmt::format("{}, driver {}, {}", kernels.front().device,
                                       kernels.front().driver, kernels.front().date);
}

Json origin_json(const std::vector<core::MeasuredKernel>& kernels) {
  if (kernels.empty()) {
    return {};
  }
  const core::MeasuredKernel& first = kernels.front();
  return {{"device", first.device}, {"driver", first.driver}, {"date", first.date}};
}

std::string row_text(const core::MeasurementChange& change) {
  const core::MeasuredKernel& kernel = change.now;
  std::string name = kernel.variant;
  if (kernel.tile > 0) {
    name += fmt::format(" {}", kernel.tile);
  }
  const bool both = change.ratio > 0.0;
  const bool now = both || change.change == core::Change::added;
  return fmt::format("  {:<28}{:<18}{:>26}{:>26}{:>8}  {}\n", name, kernel.sizes,
                     change.change == core::Change::added ? "-" : time_of(change.before.spread),
                     now ? time_of(kernel.spread) : "-",
                     both ? fmt::format("{:.2f}", change.ratio) : "-", words(change));
}

Json row_json(const core::MeasurementChange& change) {
  const bool both = change.ratio > 0.0;
  const bool before = change.change != core::Change::added;
  const bool now = both || change.change == core::Change::added;
  return {{"variant", change.now.variant},
          {"sizes", change.now.sizes},
          {"tile", change.now.tile},
          {"parameters", change.now.parameters},
          {"before_ms", before ? Json(change.before.spread.median) : Json()},
          {"now_ms", now ? Json(change.now.spread.median) : Json()},
          {"ratio", both ? Json(change.ratio) : Json()},
          {"change", core::to_string(change.change)}};
}

std::size_t count(const std::vector<core::MeasurementChange>& changes, core::Change what) {
  return static_cast<std::size_t>(
      std::ranges::count(changes, what, &core::MeasurementChange::change));
}

const char* kind_words(core::Change what) {
  switch (what) {
    case core::Change::alike:
      return "without a change";
    case core::Change::lost:
      return "not measured now";
    case core::Change::absent:
      return "not selected";
    default:
      return core::to_string(what);
  }
}

std::string summary(const std::vector<core::MeasurementChange>& changes) {
  std::string text;
  for (const auto what : {core::Change::slower, core::Change::faster, core::Change::alike,
                          core::Change::lost, core::Change::added, core::Change::absent}) {
    if (const std::size_t n = count(changes, what); n > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "  " : ", ", n, kind_words(what));
    }
  }
  return text + "\n";
}

}  // namespace

void AgainstFlags::add_to(const Arguments& arguments) {
  arguments.option("--against FILE", file,
                   "Compare with FILE, a table that --csv wrote in an earlier run, and mark "
                   "changes larger than the spread (default: no comparison)");
  arguments
      .option("--fail-slower PERCENT", fail_slower,
              "Exit with 1 if a variant is more than PERCENT slower than in the file of --against "
              "(default: never)")
      .within(0.0, 1e6);
}

core::Expected<std::optional<Against>> Against::open(const AgainstFlags& flags) {
  if (flags.file.empty()) {
    if (flags.fail_slower >= 0.0F) {
      return core::usage_error(
          "--fail-slower needs a table to compare with; add --against FILE.csv");
    }
    return std::nullopt;
  }
  auto before = TRY(read_table(flags.file));
  Against against;
  against.file_ = flags.file;
  against.fail_slower_ = static_cast<double>(flags.fail_slower);
  against.before_ = std::move(before);
  return against;
}

core::Expected<void> Against::expects(const std::string& planned) const {
  const auto asked = core::read_measurements(planned);
  const auto known = [&](const core::MeasuredKernel& kernel) {
    return std::ranges::any_of(before_, [&](const auto& b) { return b.same_work(kernel); });
  };
  if (!asked || !std::ranges::any_of(*asked, known)) {
    return core::usage_error(
        fmt::format("{} has no measurements of these kernels at these sizes; choose other kernels, "
                    "sizes or another file",
                    file_));
  }
  return {};
}

core::Expected<Against::Comparison> Against::compare(const std::string& now) const {
  const auto measured = TRY(core::read_measurements(now));
  const auto changes = core::compare_measurements(before_, measured);
  Comparison out;
  out.json = {{"file", file_},
              {"before", origin_json(before_)},
              {"now", origin_json(measured)},
              {"rows", Json::array()}};
  out.text = fmt::format("\nbefore: {}\nnow:    {}\n  {:<28}{:<18}{:>26}{:>26}{:>8}\n",
                         origin(before_), origin(measured), "variant, tile", "sizes",
                         "before ms (p5–p95)", "now ms (p5–p95)", "× time");
  for (const core::MeasurementChange& change : changes) {
    out.json["rows"].push_back(row_json(change));
    out.fails = out.fails || (fail_slower_ >= 0.0 && change.worse_than(fail_slower_));
    if (change.change != core::Change::absent) {
      out.text += row_text(change);
    }
  }
  out.text += summary(changes);
  out.json["fails"] = fail_slower_ >= 0.0 ? Json(out.fails) : Json();
  return out;
}

Outcome compare_tables(const std::string& now, const Against& against, bool json) {
  const auto text = TRY(core::read_file(now));
  TRY(read_table(now));
  TRY(against.expects(text));
  const auto comparison = TRY(against.compare(text));
  if (json) {
    print({{"against", comparison.json}});
  } else {
    fmt::print("{}", comparison.text);
  }
  return comparison.fails ? findings : ok;
}

}  // namespace cli
