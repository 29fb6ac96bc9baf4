// What every maker of random kernels does alike: it draws, writes lines, nests blocks and loops.
// What is accessed, and how, is the maker's own.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace test {

class RandomMaker {
 public:
  virtual ~RandomMaker() = default;
  RandomMaker(const RandomMaker&) = delete;
  RandomMaker& operator=(const RandomMaker&) = delete;

 protected:
  /// Of 100 statements so many are of a kind; the rest are loops.
  struct Odds {
    std::uint32_t accesses = 55;
    std::uint32_t barriers = 20;  ///< accesses where not all invocations come
    std::uint32_t together = 7;   ///< blocks that all invocations go into, or none
    std::uint32_t apart = 8;      ///< blocks that each goes into by itself
    int deepest = 4;              ///< below, there are accesses alone
    std::uint32_t most = 3;       ///< statements of a block
  };

  RandomMaker(std::uint64_t seed, const Odds& odds) : odds_(odds), seed_(seed) {}

  virtual void access() = 0;
  virtual void barrier() = 0;
  /// Of a block: that all invocations agree on, or not.
  virtual std::string condition(bool uniform) = 0;
  /// `uniform`: all invocations of a workgroup come here.
  virtual void loop(bool uniform, std::uint32_t budget) = 0;

  std::uint32_t draw(std::uint32_t below);
  bool chance(std::uint32_t percent) { return draw(100) < percent; }
  std::string one_of(std::initializer_list<std::string> choices);
  void line(const std::string& text);

  void statements(bool uniform, std::uint32_t count, std::uint32_t budget);
  void block(const std::string& head, bool uniform, std::uint32_t budget);
  /// Lines within a block. Counters that are named in it are forgotten behind it.
  void nested(const std::function<void()>& body);
  /// As many statements as a block has.
  std::uint32_t some(std::uint32_t budget);
  /// A name for a loop's counter that no other has.
  std::string new_counter();
  /// One of those that can be named here; there must be some.
  const std::string& any_counter();

  std::string text_;
  std::vector<std::string> counters_;  ///< that can be named here

 private:
  void statement(bool uniform, std::uint32_t budget);

  Odds odds_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  int depth_ = 0;
  int loops_ = 0;
};

}  // namespace test
