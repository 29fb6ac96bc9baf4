// Arithmetic on names, as a workload's description writes it: "ceil_div(N, 4)", "2.0 * M * N * W",
// "N % 4 == 0". Parsed once, evaluated often.
//
//   numbers      12, 0.5, 1e6; whole numbers stay whole (64 bits) until a fraction comes in, or
//                until they no longer fit; / of two whole numbers is rounded towards zero
//   operators    ?:  ||  &&  == !=  < <= > >=  + -  * / %  - ! before a value; C's precedence.
//                Comparisons and logic give 1 or 0; what ?: && || do not choose is not evaluated
//   functions    min(a, ...)  max(a, ...)  ceil_div(a, b)  round_up(a, multiple)
//                pow2(a): the smallest power of two that is not below a
//                pow2_in(a): the largest power of two that divides a (1 of 0)
//                log2(a)  sqrt(a)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace core {

using Number = std::variant<std::int64_t, double>;

[[nodiscard]] double to_double(Number number);

class Expression {
 public:
  Expression() = default;  ///< 0

  /// `names` are what may be used; their places are those of the values later. The error says what
  /// is wrong with which part, and quotes the text.
  [[nodiscard]] static Expected<Expression> parse(const std::string& text,
                                                  std::span<const std::string> names);
  /// Fails on a division by zero, and on % or a power of two of what is not whole.
  [[nodiscard]] Expected<Number> evaluate(std::span<const Number> values) const;
  /// The same where only a whole number from 0 to `most` will do.
  [[nodiscard]] Expected<std::uint32_t> count(std::span<const Number> values,
                                              std::uint32_t most = UINT32_MAX) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  struct Node {
    enum class Kind { number, name, operation } kind = Kind::number;
    Number number;                ///< of a number
    std::size_t place = 0;        ///< of a name: into the values
    std::string operation;        ///< "+", "ceil_div", "?:"
    std::vector<std::size_t> of;  ///< operands: indices of nodes
  };
  [[nodiscard]] Expected<Number> value_of(std::size_t node, std::span<const Number> values) const;

  std::string text_ = "0";
  std::vector<Node> nodes_{{}};
  std::size_t root_ = 0;
};

}  // namespace core
