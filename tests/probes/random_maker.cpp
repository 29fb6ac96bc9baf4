#include "probes/random_maker.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/random.h"

namespace test {

std::uint32_t RandomMaker::draw(std::uint32_t below) {
  return static_cast<std::uint32_t>(core::mix(core::mix(seed_) + drawn_++) % below);
}

std::string RandomMaker::one_of(std::initializer_list<std::string> choices) {
  return choices.begin()[draw(static_cast<std::uint32_t>(choices.size()))];
}

void RandomMaker::line(const std::string& text) {
  text_ += std::string(static_cast<std::size_t>(depth_) * 2, ' ') + text + "\n";
}

void RandomMaker::nested(const std::function<void()>& body) {
  const std::size_t known = counters_.size();
  ++depth_;
  body();
  --depth_;
  counters_.resize(known);
}

std::uint32_t RandomMaker::some(std::uint32_t budget) {
  return 1 + draw(std::min(budget, odds_.most));
}

std::string RandomMaker::new_counter() {
  return fmt::format("k{}", loops_++);
}

const std::string& RandomMaker::any_counter() {
  return counters_[draw(static_cast<std::uint32_t>(counters_.size()))];
}

void RandomMaker::statements(bool uniform, std::uint32_t count, std::uint32_t budget) {
  for (std::uint32_t n = 0; n < count; ++n) {
    statement(uniform, budget);
  }
}

void RandomMaker::statement(bool uniform, std::uint32_t budget) {
  std::uint32_t choice = draw(100);
  const auto is = [&choice](std::uint32_t share) {
    const bool chosen = choice < share;
    choice -= chosen ? 0 : share;
    return chosen;
  };
  if (is(odds_.accesses) || depth_ > odds_.deepest) {
    access();
  } else if (is(odds_.barriers)) {
    uniform ? barrier() : access();
  } else if (is(odds_.together)) {
    block(fmt::format("if ({})", condition(true)), uniform, budget);
  } else if (is(odds_.apart)) {
    block(fmt::format("if ({})", condition(false)), false, budget);
  } else {
    loop(uniform, budget);
  }
}

void RandomMaker::block(const std::string& head, bool uniform, std::uint32_t budget) {
  line(head + " {");
  const std::uint32_t count = some(budget);
  nested([&] { statements(uniform, count, count); });
  if (chance(30)) {
    line("} else {");
    const std::uint32_t other = some(2);
    nested([&] { statements(uniform, other, other); });
  }
  line("}");
}

}  // namespace test
