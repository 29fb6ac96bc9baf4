#include "core/report/happens_before.h"

#include <gtest/gtest.h>

namespace {

using core::HappensBefore;
using core::MemoryClass;
using core::MemoryScope;
using core::SyncEvent;

constexpr std::uint32_t shared_bit = 1;
constexpr std::uint32_t buffer_bit = 2;

// A run of events, begun in the order in which they are added.
class History {
 public:
  SyncEvent& add(std::uint32_t invocation, std::uint32_t number) {
    SyncEvent e;
    e.invocation = invocation;
    e.number = number;
    e.location = 7;
    e.begun = static_cast<std::uint32_t>(events_.size());
    e.seen = e.begun + 1;
    events_.push_back(e);
    return events_.back();
  }
  void store(std::uint32_t invocation, std::uint32_t number, std::uint32_t value,
             std::uint32_t releases, MemoryScope scope = MemoryScope::device) {
    SyncEvent& e = add(invocation, number);
    e.writes = true;
    e.value_written = value;
    e.releases = releases;
    e.scope = scope;
  }
  void load(std::uint32_t invocation, std::uint32_t number, std::uint32_t value,
            std::uint32_t acquires, MemoryScope scope = MemoryScope::device) {
    SyncEvent& e = add(invocation, number);
    e.reads = true;
    e.value_read = value;
    e.acquires = acquires;
    e.scope = scope;
  }
  void count(std::uint32_t invocation, std::uint32_t number, std::uint32_t from,
             std::uint32_t both) {
    SyncEvent& e = add(invocation, number);
    e.reads = e.writes = true;
    e.value_read = from;
    e.value_written = from + 1;
    e.acquires = e.releases = both;
  }
  void fence(std::uint32_t invocation, std::uint32_t number, std::uint32_t acquires,
             std::uint32_t releases, std::uint32_t phase = 0) {
    SyncEvent& e = add(invocation, number);
    e.fence = true;
    e.acquires = acquires;
    e.releases = releases;
    e.phase = {phase, 0};
  }
  SyncEvent& last() { return events_.back(); }
  [[nodiscard]] bool before(core::SyncPoint a, core::SyncPoint b,
                            MemoryClass memory = MemoryClass::buffer) const {
    return HappensBefore(events_, 4).before(a, b, memory);
  }

 private:
  std::vector<SyncEvent> events_;
};

// Invocation, phase, events before.
constexpr core::SyncPoint at(std::uint32_t invocation, std::uint32_t number,
                             std::uint32_t phase = 0) {
  return {invocation, phase, number, false};
}

TEST(HappensBefore, BarriersOrderAWorkgroupAlone) {
  const History run;
  EXPECT_TRUE(run.before(at(0, 0, 0), at(1, 0, 1)));
  EXPECT_FALSE(run.before(at(0, 0, 1), at(1, 0, 1)));
  EXPECT_FALSE(run.before(at(0, 0, 0), at(4, 0, 1)));
}

TEST(HappensBefore, AReleaseThatIsAcquiredHandsOn) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.load(5, 0, 1, buffer_bit);
  EXPECT_TRUE(run.before(at(0, 0), at(5, 1)));
  EXPECT_FALSE(run.before(at(0, 1), at(5, 1))) << "what comes behind the release";
  EXPECT_FALSE(run.before(at(0, 0), at(5, 0))) << "what comes before the acquire";
  EXPECT_FALSE(run.before(at(0, 0), at(5, 1), MemoryClass::shared)) << "another memory";
  EXPECT_FALSE(run.before(at(1, 0), at(5, 1))) << "somebody else";
}

TEST(HappensBefore, RelaxedAtomicsHandNothingOn) {
  History run;
  run.store(0, 0, 1, 0);
  run.load(5, 0, 1, buffer_bit);
  run.store(1, 0, 2, buffer_bit);
  run.load(6, 0, 2, 0);
  EXPECT_FALSE(run.before(at(0, 0), at(5, 1)));
  EXPECT_FALSE(run.before(at(1, 0), at(6, 1)));
}

TEST(HappensBefore, AnotherValueWasNotRead) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.load(5, 0, 0, buffer_bit);
  EXPECT_FALSE(run.before(at(0, 0), at(5, 1)));
}

TEST(HappensBefore, AScopeMustHaveTheOther) {
  History run;
  run.store(0, 0, 1, buffer_bit, MemoryScope::workgroup);
  run.load(1, 0, 1, buffer_bit, MemoryScope::workgroup);
  run.load(5, 0, 1, buffer_bit, MemoryScope::device);
  EXPECT_TRUE(run.before(at(0, 0), at(1, 1)));
  EXPECT_FALSE(run.before(at(0, 0), at(5, 1)));
}

TEST(HappensBefore, ACounterHandsOnFromAllThatCounted) {
  History run;
  run.count(0, 0, 0, buffer_bit);
  run.count(4, 0, 1, buffer_bit);
  run.count(8, 0, 2, buffer_bit);
  EXPECT_TRUE(run.before(at(0, 0), at(8, 1)));
  EXPECT_TRUE(run.before(at(4, 0), at(8, 1)));
  EXPECT_TRUE(run.before(at(0, 0), at(4, 1)));
  EXPECT_FALSE(run.before(at(8, 0), at(4, 1))) << "who counted before reads nothing of it";
}

TEST(HappensBefore, AStoreEndsAReleaseSequence) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.store(4, 0, 2, 0);
  run.load(8, 0, 2, buffer_bit);
  EXPECT_FALSE(run.before(at(0, 0), at(8, 1)));
}

TEST(HappensBefore, FencesMakeRelaxedAtomicsHandOn) {
  History run;
  run.fence(0, 0, 0, buffer_bit);
  run.store(0, 1, 1, 0);
  run.load(5, 0, 1, 0);
  run.fence(5, 1, buffer_bit, 0);
  EXPECT_TRUE(run.before(at(0, 0), at(5, 2)));
  EXPECT_FALSE(run.before(at(0, 1), at(5, 2))) << "behind the fence";
  EXPECT_FALSE(run.before(at(0, 0), at(5, 1))) << "before the fence";
}

TEST(HappensBefore, OrdersGoOnThroughOthersAndThroughBarriers) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.load(4, 0, 1, buffer_bit);
  run.add(4, 1);
  run.last().location = 9;
  run.last().writes = true;
  run.last().value_written = 5;
  run.last().releases = buffer_bit;
  run.last().phase = {0, 1};
  run.add(8, 0);
  run.last().location = 9;
  run.last().reads = true;
  run.last().value_read = 5;
  run.last().acquires = buffer_bit;
  EXPECT_TRUE(run.before(at(0, 0), at(8, 1)));
  EXPECT_TRUE(run.before(at(6, 0, 0), at(8, 1))) << "before the barrier of who released";
  EXPECT_FALSE(run.before(at(6, 0, 1), at(8, 1)));
  EXPECT_TRUE(run.before(at(0, 0), at(9, 0, 0)) == false);
}

TEST(HappensBefore, AFenceBehindABarrierAcquiresForItsWorkgroup) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.load(4, 0, 1, 0);
  run.fence(5, 0, buffer_bit, 0, 1);
  EXPECT_TRUE(run.before(at(0, 0), at(5, 1)));
  EXPECT_FALSE(run.before(at(0, 0), at(6, 0, 0))) << "who has no fence";
}

TEST(HappensBefore, FencesOnBothSidesOfABarrier) {
  History run;
  run.fence(0, 0, 0, buffer_bit, 0);
  run.fence(1, 0, buffer_bit, 0, 1);
  EXPECT_TRUE(run.before(at(0, 0), at(1, 1)));
  EXPECT_FALSE(run.before(at(2, 0), at(1, 1)));
}

TEST(HappensBefore, OfSeveralThatWroteTheValueAllThatHadBegunCount) {
  History run;
  run.store(0, 0, 1, buffer_bit);
  run.store(1, 0, 1, buffer_bit);
  run.load(5, 0, 1, buffer_bit);
  run.store(2, 0, 1, buffer_bit);
  EXPECT_TRUE(run.before(at(0, 0), at(5, 1)));
  EXPECT_TRUE(run.before(at(1, 0), at(5, 1)));
  EXPECT_FALSE(run.before(at(2, 0), at(5, 1)));
}

TEST(HappensBefore, ALongChainEnds) {
  History run;
  constexpr std::uint32_t many = 20000;
  for (std::uint32_t n = 0; n < many; ++n) {
    run.count(4 * n, 0, n, shared_bit | buffer_bit);
  }
  EXPECT_TRUE(run.before(at(0, 0), at(4 * (many - 1), 1)));
  EXPECT_FALSE(run.before(at(4 * (many - 1), 0), at(0, 1)));
}

}  // namespace
