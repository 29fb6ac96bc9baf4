#include "core/values/buffer_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/base/numbers.h"

namespace core {
namespace {

constexpr std::uint64_t kStrip = 8;

std::string component_name(const BufferSpec& spec, std::uint64_t component) {
  return spec.components > 1 ? std::string(".") + "xyzw"[component % 4] : std::string();
}

std::string without_spaces(std::string_view text) {
  std::string plain;
  std::ranges::copy_if(text, std::back_inserter(plain),
                       [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  return plain;
}

// "18,3" and "(18,3)" as "[18][3]".
std::string in_brackets(const std::string& numbers) {
  std::string text = "[";
  for (const char c : numbers) {
    text += c == ',' ? "][" : std::string(1, c);
  }
  return text + "]";
}

}  // namespace

Expected<ValueQuery> parse_value_query(std::string_view given) {
  const std::string text = without_spaces(given);
  using Kind = ValueQuery::Kind;
  for (const auto& [word, kind] : {std::pair("nan", Kind::not_finite),
                                   {"inf", Kind::not_finite},
                                   {"unwritten", Kind::unwritten},
                                   {"wrong", Kind::wrong}}) {
    if (text == word) {
      return ValueQuery{.kind = kind, .place = {}, .number = 0.0};
    }
  }
  if (text.starts_with('=')) {
    if (const auto number = real_number(std::string_view(text).substr(1))) {
      return ValueQuery{.kind = Kind::number, .place = {}, .number = *number};
    }
    return usage_error("\"" + text.substr(1) + "\" is not a number");
  }
  const bool numbers = !text.empty() && std::ranges::all_of(text, [](char c) {
    return c == ',' || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  if (text.empty()) {
    return usage_error("type an element such as 18,3, or nan, unwritten, wrong or = 2.5");
  }
  return ValueQuery{
      .kind = Kind::place, .place = numbers ? in_brackets(text) : text, .number = 0.0};
}

BufferTable::BufferTable(const BufferSpec& spec, const BufferContent& content,
                         std::span<const float> wanted, double tolerated)
    : spec_(spec), content_(content), wanted_(wanted), tolerated_(tolerated) {
  if (!content_.words) {
    return;
  }
  bytes_ = std::as_bytes(std::span(*content_.words));
  const BlockLayout& layout = content_.layout;
  if (!layout.empty()) {
    const std::uint64_t array =
        bytes_.size() > layout.array_offset ? bytes_.size() - layout.array_offset : 0;
    rows_ = layout.fixed.size() + (layout.stride == 0 ? 0 : array / layout.stride);
    columns_ = std::max<std::uint64_t>(layout.element.size(), 1);
  } else {
    word_.number = !spec_.whole      ? NumberKind::floating
                   : spec_.is_signed ? NumberKind::signed_whole
                                     : NumberKind::whole;
    strip_ = (spec_.rows <= 1 || spec_.columns <= 1) && spec_.components == 1;
    rows_ = strip_                                  ? (spec_.elements() + kStrip - 1) / kStrip
            : spec_.columns == 1 || spec_.rows == 1 ? spec_.elements()
                                                    : spec_.rows;
    columns_ = strip_ ? std::min(kStrip, spec_.elements())
               : spec_.columns == 1 || spec_.rows == 1
                   ? spec_.components
                   : std::uint64_t{spec_.columns} * spec_.components;
  }
}

std::optional<BufferTable::Scalar> BufferTable::scalar(TablePlace at) const {
  if (at.row >= rows_ || at.column >= columns_) {
    return std::nullopt;
  }
  const BlockLayout& layout = content_.layout;
  Scalar found{0, &word_};
  if (layout.empty()) {
    found.offset = 4 * (at.row * columns_ + at.column);
  } else if (at.row < layout.fixed.size()) {
    if (at.column > 0) {
      return std::nullopt;
    }
    found = {layout.fixed[at.row].offset, &layout.fixed[at.row]};
  } else {
    const ScalarPlace& type = layout.element[at.column];
    found = {layout.array_offset + (at.row - layout.fixed.size()) * layout.stride + type.offset,
             &type};
  }
  const std::uint64_t end = (found.offset + found.type->bits / 8 + 3) / 4 * 4;
  return end <= bytes_.size() ? std::optional(found) : std::nullopt;
}

std::string BufferTable::row_name(std::uint64_t row) const {
  const auto& fixed = content_.layout.fixed;
  return row < fixed.size() ? fixed[row].name
                            : std::to_string(strip_ ? row * kStrip : row - fixed.size());
}

std::string BufferTable::column_name(std::uint64_t column) const {
  const BlockLayout& layout = content_.layout;
  if (!layout.empty()) {
    const std::string member = layout.element.empty() ? "" : layout.element[column].name;
    return member.empty() ? "value" : member.starts_with('.') ? member.substr(1) : member;
  }
  if (strip_) {
    return "+" + std::to_string(column);
  }
  if (spec_.rows <= 1 || spec_.columns <= 1) {
    return component_name(spec_, column).substr(1);
  }
  return std::to_string(column / spec_.components) + component_name(spec_, column);
}

std::string BufferTable::name(TablePlace at) const {
  if (!scalar(at)) {
    return "";
  }
  const BlockLayout& layout = content_.layout;
  if (at.row < layout.fixed.size()) {
    return layout.fixed[at.row].name.empty() ? spec_.name : layout.fixed[at.row].name;
  }
  const auto bracket = [](std::uint64_t index) { return "[" + std::to_string(index) + "]"; };
  if (!layout.empty()) {
    return (layout.array.empty() ? spec_.name : layout.array) +
           bracket(at.row - layout.fixed.size()) + layout.element[at.column].name;
  }
  if (strip_) {
    return spec_.name + bracket(at.row * kStrip + at.column);
  }
  const std::string component = component_name(spec_, at.column);
  return spec_.rows <= 1 || spec_.columns <= 1
             ? spec_.name + bracket(at.row) + component
             : spec_.name + bracket(at.row) + bracket(at.column / spec_.components) + component;
}

std::string BufferTable::text(TablePlace at) const {
  const auto found = scalar(at);
  return found ? value_text(bytes_, found->offset, *found->type) : std::string();
}

double BufferTable::number(TablePlace at) const {
  const auto found = scalar(at);
  return found ? number_of(bits_at(bytes_, found->offset, found->type->bits), *found->type)
               : std::nan("");
}

std::optional<double> BufferTable::wanted(TablePlace at) const {
  const auto found = scalar(at);
  const std::uint64_t word = found ? found->offset / 4 : wanted_.size();
  return word < wanted_.size() && !std::isnan(wanted_[word])
             ? std::optional(static_cast<double>(wanted_[word]))
             : std::nullopt;
}

ValueState BufferTable::state(TablePlace at) const {
  const auto found = scalar(at);
  if (!found) {
    return ValueState::plain;
  }
  if (!is_written(bytes_, found->offset, found->type->bits)) {
    return ValueState::unwritten;
  }
  const double value = number(at);
  const auto reference = wanted(at);
  if (reference && !(std::abs(value - *reference) <= tolerated_) && value != *reference) {
    return ValueState::wrong;
  }
  return std::isfinite(value) ? ValueState::plain : ValueState::not_finite;
}

std::optional<TablePlace> BufferTable::place_named(const std::string& name) const {
  const BlockLayout& layout = content_.layout;
  const auto fixed = std::ranges::find(layout.fixed, name, &ScalarPlace::name);
  if (fixed != layout.fixed.end()) {
    return TablePlace{static_cast<std::uint64_t>(fixed - layout.fixed.begin()), 0};
  }
  std::vector<std::uint64_t> numbers;
  std::string_view rest = std::string_view(name).substr(std::min(name.find('['), name.size()));
  while (rest.starts_with('[') && rest.contains(']')) {
    const auto number = whole_number<std::uint64_t>(rest.substr(1, rest.find(']') - 1));
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
    rest.remove_prefix(rest.find(']') + 1);
  }
  if (numbers.empty() || numbers.size() > 2) {
    return std::nullopt;
  }
  std::uint64_t column = 0;
  if (!layout.empty()) {
    const auto member = std::ranges::find(layout.element, rest, &ScalarPlace::name);
    column = member == layout.element.end()
                 ? 0
                 : static_cast<std::uint64_t>(member - layout.element.begin());
  } else if (rest.size() == 2 && rest.front() == '.') {
    column = std::string_view("xyzw").find(rest.back());
  }
  TablePlace at{numbers[0], column};
  if (strip_) {
    at = {numbers.back() / kStrip, numbers.back() % kStrip};
  } else if (!layout.empty()) {
    at.row += layout.fixed.size();
  } else if (numbers.size() == 2) {
    at.column += numbers[1] * spec_.components;
  } else if (spec_.rows > 1 && spec_.columns > 1) {  // an element by its number
    at = {numbers[0] / spec_.columns, numbers[0] % spec_.columns * spec_.components + column};
  }
  return scalar(at) ? std::optional(at) : std::nullopt;
}

bool BufferTable::fits(const ValueQuery& query, TablePlace at) const {
  switch (query.kind) {
    case ValueQuery::Kind::unwritten:
      return state(at) == ValueState::unwritten;
    case ValueQuery::Kind::not_finite:
      return !std::isfinite(number(at)) && state(at) != ValueState::unwritten && scalar(at);
    case ValueQuery::Kind::wrong:
      return state(at) == ValueState::wrong;
    case ValueQuery::Kind::number:
      return number(at) == query.number && state(at) != ValueState::unwritten;
    case ValueQuery::Kind::place:
      break;
  }
  return false;
}

std::optional<TablePlace> BufferTable::find(const ValueQuery& query, TablePlace from) const {
  if (query.kind == ValueQuery::Kind::place) {
    return place_named(query.place);
  }
  const std::uint64_t count = rows_ * columns_;
  const std::uint64_t start = from.row * columns_ + from.column;
  for (std::uint64_t step = 1; step <= count; ++step) {
    const std::uint64_t cell = (start + step) % count;
    const TablePlace at{cell / columns_, cell % columns_};
    if (fits(query, at)) {
      return at;
    }
  }
  return std::nullopt;
}

}  // namespace core
