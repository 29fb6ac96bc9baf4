#include "core/catalogue/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace core {
namespace {

constexpr int kDeepest = 100;

bool is_whole(Number n) {
  return std::holds_alternative<std::int64_t>(n);
}

bool is_true(Number n) {
  return to_double(n) != 0.0;
}

Number truth(bool value) {
  return std::int64_t{value ? 1 : 0};
}

// Whole where both are and the result fits, else in double.
template <class Whole, class Real>
Number combine(Number a, Number b, Whole whole, Real real) {
  std::int64_t result = 0;
  if (is_whole(a) && is_whole(b) && !whole(std::get<0>(a), std::get<0>(b), &result)) {
    return result;
  }
  return real(to_double(a), to_double(b));
}

Expected<Number> divide(Number a, Number b, bool remainder) {
  if (to_double(b) == 0.0) {
    return usage_error("divides by zero");
  }
  if (is_whole(a) && is_whole(b) && std::get<0>(b) != -1) {
    return Number(remainder ? std::get<0>(a) % std::get<0>(b) : std::get<0>(a) / std::get<0>(b));
  }
  if (remainder) {
    return Number(std::fmod(to_double(a), to_double(b)));
  }
  return Number(to_double(a) / to_double(b));
}

Expected<Number> arithmetic(char op, Number a, Number b) {
  switch (op) {
    case '+':
      return combine(
          a, b, [](auto x, auto y, auto* r) { return __builtin_add_overflow(x, y, r); },
          [](double x, double y) { return Number(x + y); });
    case '-':
      return combine(
          a, b, [](auto x, auto y, auto* r) { return __builtin_sub_overflow(x, y, r); },
          [](double x, double y) { return Number(x - y); });
    case '*':
      return combine(
          a, b, [](auto x, auto y, auto* r) { return __builtin_mul_overflow(x, y, r); },
          [](double x, double y) { return Number(x * y); });
    default:
      return divide(a, b, op == '%');
  }
}

Number compare(const std::string& op, Number a, Number b) {
  const auto order = is_whole(a) && is_whole(b)
                         ? std::partial_ordering(std::get<0>(a) <=> std::get<0>(b))
                         : to_double(a) <=> to_double(b);
  if (op == "==") {
    return truth(order == 0);
  }
  if (op == "!=") {
    return truth(order != 0);
  }
  if (op == "<") {
    return truth(order < 0);
  }
  if (op == "<=") {
    return truth(order <= 0);
  }
  return truth(op == ">" ? order > 0 : order >= 0);
}

Expected<Number> rounded_up(Number a, Number b, bool times) {
  if (!is_whole(a) || !is_whole(b) || std::get<0>(a) < 0 || std::get<0>(b) < 1) {
    return usage_error(
        "rounds up a number that is not a whole number of at least 0, or with a divisor that is "
        "not a whole number of at least 1");
  }
  const std::int64_t divisor = std::get<0>(b);
  const std::int64_t quotient = std::get<0>(a) / divisor + (std::get<0>(a) % divisor != 0 ? 1 : 0);
  return times ? arithmetic('*', quotient, divisor) : Expected<Number>(quotient);
}

Expected<Number> power_of_two(Number a, bool divides) {
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (!is_whole(a) || std::get<0>(a) < 0 || std::get<0>(a) > kMost) {
    return usage_error(
        "takes the power of two of a number that is not a whole number from 0 to 2^62");
  }
  const auto whole = static_cast<std::uint64_t>(std::get<0>(a));
  const std::uint64_t power =
      divides ? (whole == 0 ? 1 : whole & (~whole + 1)) : std::bit_ceil(whole);
  return Number(static_cast<std::int64_t>(power));
}

Expected<Number> real_function(const std::string& name, double x) {
  const bool log = name == "log2";
  if (log ? x <= 0.0 : x < 0.0) {
    return usage_error(name + " of a negative number" + (log ? " or of 0" : "") +
                       " is not defined");
  }
  return Number(log ? std::log2(x) : std::sqrt(x));
}

struct Function {
  const char* name;
  std::size_t least, most;  // operands
};

constexpr std::array kFunctions{Function{"min", 1, 16},     Function{"max", 1, 16},
                                Function{"ceil_div", 2, 2}, Function{"round_up", 2, 2},
                                Function{"pow2", 1, 1},     Function{"pow2_in", 1, 1},
                                Function{"log2", 1, 1},     Function{"sqrt", 1, 1}};

Expected<Number> call(const std::string& name, std::span<const Number> of) {
  if (name == "min" || name == "max") {
    Number best = of.front();
    for (const Number& next : of.subspan(1)) {
      best = is_true(compare(name == "min" ? "<" : ">", next, best)) ? next : best;
    }
    return best;
  }
  if (name == "ceil_div" || name == "round_up") {
    return rounded_up(of[0], of[1], name == "round_up");
  }
  if (name == "pow2" || name == "pow2_in") {
    return power_of_two(of[0], name == "pow2_in");
  }
  return real_function(name, to_double(of[0]));
}

Expected<Number> operate(const std::string& op, std::span<const Number> of) {
  if (std::isalpha(static_cast<unsigned char>(op[0])) != 0) {
    return call(op, of);
  }
  if (of.size() == 1) {
    return op == "!" ? truth(!is_true(of[0])) : arithmetic('-', std::int64_t{0}, of[0]);
  }
  return std::strchr("+-*/%", op[0]) != nullptr ? arithmetic(op[0], of[0], of[1])
                                                : compare(op, of[0], of[1]);
}

}  // namespace

double to_double(Number number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

// Recursive descent; each rule gives the index of its node.
class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, std::span<const std::string> names)
      : names_(names), rest_(text) {
    out_.text_ = text;
    out_.nodes_.clear();
  }

  Expected<Expression> all() {
    out_.root_ = choice(0);
    skip();
    if (wrong_.empty() && !rest_.empty()) {
      fail("\"" + std::string(rest_) +
           "\" follows a complete expression; add an operator or remove it");
    }
    if (!wrong_.empty()) {
      return usage_error("\"" + out_.text_ + "\": " + wrong_);
    }
    return std::move(out_);
  }

 private:
  using Kind = Expression::Node::Kind;

  std::size_t add(Expression::Node node) {
    out_.nodes_.push_back(std::move(node));
    return out_.nodes_.size() - 1;
  }
  std::size_t add(std::string operation, std::vector<std::size_t> of) {
    return add({Kind::operation, {}, 0, std::move(operation), std::move(of)});
  }
  std::size_t fail(std::string why) {
    if (wrong_.empty()) {
      wrong_ = std::move(why);
    }
    rest_ = {};
    return 0;
  }
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
      rest_.remove_prefix(1);
    }
  }
  bool take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) {
      return false;
    }
    rest_.remove_prefix(token.size());
    return true;
  }

  std::size_t choice(int depth) {
    if (depth > kDeepest) {
      return fail("it is nested too deeply; split it");
    }
    const std::size_t condition = binary(0, depth);
    if (!take("?")) {
      return condition;
    }
    const std::size_t yes = choice(depth + 1);
    if (!take(":")) {
      return fail("\"?\" needs a \":\"");
    }
    return add("?:", {condition, yes, choice(depth + 1)});
  }

  std::size_t binary(std::size_t level, int depth) {
    // Longer ones first where one begins another.
    static const std::array<std::vector<std::string>, 6> operators{
        {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};
    if (level == operators.size()) {
      return unary(depth);
    }
    std::size_t left = binary(level + 1, depth);
    for (;;) {
      const auto found =
          std::ranges::find_if(operators[level], [&](const std::string& op) { return take(op); });
      if (found == operators[level].end()) {
        return left;
      }
      left = add(*found, {left, binary(level + 1, depth)});
    }
  }

  std::size_t unary(int depth) {
    if (depth > kDeepest) {
      return fail("it is nested too deeply; split it");
    }
    for (const char* op : {"-", "!"}) {
      if (take(op)) {
        return add(op, {unary(depth + 1)});
      }
    }
    return primary(depth);
  }

  std::size_t primary(int depth) {
    if (take("(")) {
      const std::size_t inner = choice(depth + 1);
      return take(")") ? inner : fail("\"(\" needs a \")\"");
    }
    skip();
    if (rest_.empty()) {
      return fail("a value is missing at the end");
    }
    const auto first = static_cast<unsigned char>(rest_.front());
    if (std::isdigit(first) != 0 || first == '.') {
      return number();
    }
    if (std::isalpha(first) != 0 || first == '_') {
      return name(depth);
    }
    return fail("\"" + std::string(rest_) + "\" is not a value");
  }

  std::size_t number() {
    std::int64_t whole = 0;
    double real = 0.0;
    const char* begin = rest_.data();
    const char* end = begin + rest_.size();
    const auto as_whole = std::from_chars(begin, end, whole);
    const auto as_real = std::from_chars(begin, end, real);
    if (as_real.ec != std::errc{}) {
      return fail("\"" + std::string(rest_) + "\" is not a number");
    }
    const bool exact = as_whole.ec == std::errc{} && as_whole.ptr == as_real.ptr;
    rest_.remove_prefix(static_cast<std::size_t>(as_real.ptr - begin));
    return add({Kind::number, exact ? Number(whole) : Number(real), 0, {}, {}});
  }

  std::size_t name(int depth) {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '_')) {
      ++length;
    }
    const std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (take("(")) {
      return arguments(word, depth);
    }
    const auto found = std::ranges::find(names_, word);
    if (found == names_.end()) {
      return fail("unknown name \"" + word + "\"" + known());
    }
    return add({Kind::name, {}, static_cast<std::size_t>(found - names_.begin()), {}, {}});
  }

  std::size_t arguments(const std::string& word, int depth) {
    const auto* const function =
        std::ranges::find(kFunctions, word, [](const Function& f) { return f.name; });
    if (function == kFunctions.end()) {
      return fail("unknown function \"" + word + "\"");
    }
    std::vector<std::size_t> of;
    do {
      of.push_back(choice(depth + 1));
    } while (take(","));
    if (!take(")")) {
      return fail("\"" + word + "(\" needs a \")\"");
    }
    if (of.size() < function->least || of.size() > function->most) {
      return fail(word + " takes " + std::to_string(function->least) +
                  (function->least == function->most ? "" : " or more") +
                  (function->most == 1 ? " value" : " values") + ", not " +
                  std::to_string(of.size()));
    }
    return add(word, std::move(of));
  }

  [[nodiscard]] std::string known() const {
    std::string all;
    for (const std::string& name : names_) {
      all += (all.empty() ? "; choose from " : ", ") + name;
    }
    return all;
  }

  std::span<const std::string> names_;
  std::string_view rest_;
  std::string wrong_;
  Expression out_;
};

Expected<Expression> Expression::parse(const std::string& text,
                                       std::span<const std::string> names) {
  return ExpressionParser(text, names).all();
}

Expected<Number> Expression::value_of(std::size_t index, std::span<const Number> values) const {
  const Node& node = nodes_[index];
  if (node.kind != Node::Kind::operation) {
    return node.kind == Node::Kind::number ? node.number : values[node.place];
  }
  std::vector<Number> of;
  for (const std::size_t operand : node.of) {
    auto value = value_of(operand, values);
    if (!value) {
      return value;
    }
    if (of.empty() && node.operation == "?:") {
      return value_of(node.of[is_true(*value) ? 1 : 2], values);
    }
    if (node.operation == "&&" || node.operation == "||") {
      const bool decides = is_true(*value) == (node.operation == "||");
      if (decides || !of.empty()) {
        return truth(is_true(*value));
      }
    }
    of.push_back(*value);
  }
  return operate(node.operation, of);
}

Expected<Number> Expression::evaluate(std::span<const Number> values) const {
  auto value = value_of(root_, values);
  if (!value) {
    value.error().message = "\"" + text_ + "\" " + value.error().message;
  }
  return value;
}

Expected<std::uint32_t> Expression::count(std::span<const Number> values,
                                          std::uint32_t most) const {
  const auto value = TRY(evaluate(values));
  const double number = to_double(value);
  if (!(number >= 0.0 && number <= static_cast<double>(most)) || number != std::floor(number)) {
    std::string shown =
        is_whole(value) ? std::to_string(std::get<0>(value)) : std::to_string(number);
    return usage_error("\"" + text_ + "\" is " + shown +
                       ", but it must be a whole number from 0 to " + std::to_string(most));
  }
  return static_cast<std::uint32_t>(number);
}

}  // namespace core
