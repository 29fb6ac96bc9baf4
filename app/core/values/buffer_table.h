// The values of a buffer as a table: rows and columns that are named as the kernel names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/catalogue/workload.h"
#include "core/values/typed_values.h"

namespace core {

/// The words of a buffer after the first launch, as HostBuffers hold them, and their types.
struct BufferContent {
  std::shared_ptr<const std::vector<float>> words;  ///< null: too large to be kept, or no buffer
  BlockLayout layout;                               ///< empty: by the BufferSpec
};

/// A cell of a table.
struct TablePlace {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  bool operator==(const TablePlace&) const = default;
};

enum class ValueState { plain, unwritten, not_finite, wrong };

/// A value that is looked for.
struct ValueQuery {
  enum class Kind { place, unwritten, not_finite, wrong, number } kind = Kind::place;
  std::string place;    ///< "[18][3]", "n"
  double number = 0.0;  ///< equal to it
};

/// Reads "C[18][3]", "18,3", "18", "n"; "nan", "unwritten", "wrong"; "= 2.5".
[[nodiscard]] Expected<ValueQuery> parse_value_query(std::string_view text);

/// A matrix has its rows and columns. A buffer of one row or column has eight elements in each row
/// of the table. A block has a row for each scalar before its runtime array, then a row for each
/// element of the array, with a column for each scalar.
class BufferTable {
 public:
  /// `wanted`: the reference's value of each word, NaN where there is none; may be empty. A value
  /// is wrong if it differs by more than `tolerated`.
  BufferTable(const BufferSpec& spec, const BufferContent& content, std::span<const float> wanted,
              double tolerated);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] std::string row_name(std::uint64_t row) const;
  [[nodiscard]] std::string column_name(std::uint64_t column) const;
  /// The element of a cell as the kernel names it: "C[18][3]", "parts[2].x"; empty: no such cell.
  [[nodiscard]] std::string name(TablePlace at) const;
  /// The value as text; empty: no such cell.
  [[nodiscard]] std::string text(TablePlace at) const;
  [[nodiscard]] ValueState state(TablePlace at) const;
  /// The reference's value; nothing if it has none.
  [[nodiscard]] std::optional<double> wanted(TablePlace at) const;
  [[nodiscard]] double number(TablePlace at) const;

  /// Returns the next cell that fits, after `from` and then from the start; `from` itself if it is
  /// the only one. Nothing if there is none.
  [[nodiscard]] std::optional<TablePlace> find(const ValueQuery& query, TablePlace from) const;

 private:
  struct Scalar {
    std::uint64_t offset;  // bytes
    const ScalarPlace* type;
  };
  [[nodiscard]] std::optional<Scalar> scalar(TablePlace at) const;
  [[nodiscard]] std::optional<TablePlace> place_named(const std::string& name) const;
  [[nodiscard]] bool fits(const ValueQuery& query, TablePlace at) const;

  BufferSpec spec_;
  BufferContent content_;
  BufferBytes bytes_;
  std::span<const float> wanted_;
  ScalarPlace word_;    // the type of a word of a buffer without a layout
  bool strip_ = false;  // eight elements in a row
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  double tolerated_ = 0.0;
};

}  // namespace core
