// `bench --against FILE.csv`: what was measured now beside what was measured before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/report/measurement_comparison.h"

namespace cli {

struct AgainstFlags {
  std::string file;           ///< none: nothing is compared
  float fail_slower = -1.0F;  ///< percent; below 0: nothing fails

  void add_to(const Arguments& arguments);
};

/// An earlier table, read before anything is measured.
class Against {
 public:
  /// None where no file was asked for; an error for one that can't be read.
  [[nodiscard]] static core::Expected<std::optional<Against>> open(const AgainstFlags& flags);

  /// An error where none of `planned` (a table's text) is in the file: nothing would be compared.
  [[nodiscard]] core::Expected<void> expects(const std::string& planned) const;

  /// `now` is a table's text.
  struct Comparison {
    nlohmann::ordered_json json;
    std::string text;
    bool fails = false;
  };
  [[nodiscard]] core::Expected<Comparison> compare(const std::string& now) const;

 private:
  std::string file_;
  double fail_slower_ = -1.0;
  std::vector<core::MeasuredKernel> before_;
};

/// `bench NOW.csv --against BEFORE.csv`: two tables, and nothing is measured.
[[nodiscard]] Outcome compare_tables(const std::string& now, const Against& against, bool json);

}  // namespace cli
