#include "core/report/measurement_comparison.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <sstream>

namespace core {
namespace {

using Cells = std::vector<std::string>;

// RFC 4180: cells may stand in quotes, in which quotes are doubled.
std::vector<Cells> rows_of(const std::string& csv) {
  std::vector<Cells> rows;
  Cells row;
  std::string cell;
  bool quoted = false;
  const auto end_row = [&] {
    if (!row.empty() || !cell.empty()) {
      row.push_back(std::move(cell));
      rows.push_back(std::move(row));
    }
    row = {};
    cell = {};
  };
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      cell += csv[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      row.push_back(std::move(cell));
      cell = {};
    } else if (!quoted && c == '\n') {
      end_row();
    } else if (quoted || c != '\r') {
      cell += c;
    }
  }
  end_row();
  return rows;
}

// Where the columns are that a comparison needs.
class Columns {
 public:
  static Expected<Columns> of(const Cells& names) {
    Columns columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns.places_[names[i]] = i;
    }
    columns.count_ = names.size();
    for (const char* needed : {"record", "variant", "sizes", "median_ms", "p5_ms", "p95_ms"}) {
      if (!columns.places_.contains(needed)) {
        return usage_error("it is not a table of measurements: its first row has no column \"" +
                           std::string(needed) + "\"");
      }
    }
    return columns;
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::string text(const Cells& row, const std::string& name) const {
    const auto place = places_.find(name);
    return place == places_.end() ? "" : row[place->second];
  }
  // An empty cell is 0.
  template <class T>
  [[nodiscard]] bool number(const Cells& row, const std::string& name, T& to) const {
    const std::string cell = text(row, name);
    if (cell.empty()) {
      return true;
    }
    const char* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, to);
    return error == std::errc() && stop == end && to >= T{} && static_cast<double>(to) <= 1e15;
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::size_t count_ = 0;
};

// "tile=8 seed=3" without the seed.
std::string without_seed(const std::string& parameters) {
  std::istringstream words(parameters);
  std::string all;
  for (std::string word; words >> word;) {
    if (!word.starts_with("seed=")) {
      all += word + " ";
    }
  }
  return all;
}

bool read_row(const Columns& columns, const Cells& row, MeasuredKernel& to) {
  to.date = columns.text(row, "date");
  to.device = columns.text(row, "device");
  to.driver = columns.text(row, "driver");
  to.variant = columns.text(row, "variant");
  to.sizes = columns.text(row, "sizes");
  to.parameters = columns.text(row, "parameters");
  to.error = columns.text(row, "not_measured");
  Spread& s = to.spread;
  return columns.number(row, "tile", to.tile) && columns.number(row, "samples", s.count) &&
         columns.number(row, "median_ms", s.median) && columns.number(row, "p5_ms", s.p5) &&
         columns.number(row, "p95_ms", s.p95) && columns.number(row, "min_ms", s.low) &&
         columns.number(row, "max_ms", s.high) && (s.count == 0 || s.median > 0.0);
}

Change change_of(const Spread& before, const Spread& now) {
  if (std::min(before.count, now.count) < kLeastSamples) {
    return Change::alike;
  }
  return now.p5 > before.p95   ? Change::slower
         : now.p95 < before.p5 ? Change::faster
                               : Change::alike;
}

}  // namespace

bool MeasuredKernel::same_work(const MeasuredKernel& other) const {
  return variant == other.variant && sizes == other.sizes && tile == other.tile &&
         without_seed(parameters) == without_seed(other.parameters);
}

Expected<std::vector<MeasuredKernel>> read_measurements(const std::string& csv) {
  const std::vector<Cells> rows = rows_of(csv);
  const auto columns = TRY(Columns::of(rows.empty() ? Cells{} : rows.front()));
  std::vector<MeasuredKernel> kernels;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    MeasuredKernel kernel;
    if (rows[i].size() != columns.count() || !read_row(columns, rows[i], kernel)) {
      return usage_error("row " + std::to_string(i + 1) + " is not a row of measurements");
    }
    if (columns.text(rows[i], "record") == "sample") {
      continue;
    }
    std::erase_if(kernels, [&](const MeasuredKernel& k) { return k.same_work(kernel); });
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

const char* to_string(Change change) {
  static constexpr std::array kNames{"alike", "faster", "slower", "lost", "new", "not run"};
  return kNames.at(static_cast<std::size_t>(change));
}

bool MeasurementChange::worse_than(double percent) const {
  return change == Change::lost || (change == Change::slower && (ratio - 1.0) * 100.0 > percent);
}

std::vector<MeasurementChange> compare_measurements(const std::vector<MeasuredKernel>& before,
                                                    const std::vector<MeasuredKernel>& now) {
  std::vector<MeasurementChange> changes;
  const auto same = [](const std::vector<MeasuredKernel>& among, const MeasuredKernel& kernel) {
    return std::ranges::find_if(among, [&](const auto& k) { return k.same_work(kernel); });
  };
  for (const MeasuredKernel& kernel : now) {
    const auto earlier = same(before, kernel);
    const bool was = earlier != before.end() && earlier->spread.count > 0;
    const bool is = kernel.spread.count > 0;
    if (!was && !is) {
      continue;
    }
    MeasurementChange change{.before = was ? *earlier : kernel, .now = kernel};
    change.change = !was  ? Change::added
                    : !is ? Change::lost
                          : change_of(earlier->spread, kernel.spread);
    if (was && is) {
      change.ratio = kernel.spread.median / earlier->spread.median;
    }
    changes.push_back(std::move(change));
  }
  for (const MeasuredKernel& kernel : before) {
    if (kernel.spread.count > 0 && same(now, kernel) == now.end()) {
      changes.push_back({.before = kernel, .now = kernel, .change = Change::absent});
    }
  }
  return changes;
}

}  // namespace core
