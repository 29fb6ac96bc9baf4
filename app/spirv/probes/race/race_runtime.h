// The functions that the race check adds to a kernel: notes on accesses, comparisons at barriers,
// reports at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spirv/module/emitter.h"
#include "spirv/probes/race/shadow.h"

namespace spirv {

struct RaceRuntimeOptions {
  bool shadow_in_buffer = false;
  bool subgroups = false;  ///< the kernel has subgroup barriers
  std::uint32_t set = 0;
  std::uint32_t findings_binding = 0;
  std::uint32_t shadow_binding = 0;
  std::uint32_t invocations = 1;  ///< a workgroup
  bool tries_loops = false;       ///< RaceProbeOptions::tries_loops
  bool compact = false;           ///< RaceProbeOptions::compact
  bool all_branches = false;      ///< RaceProbeOptions::all_branches
};

class RaceRuntime {
 public:
  RaceRuntime(Emitter& emitter, const Sites& sites, const std::vector<SitePair>& open,
              const ShadowLayout& shadow, const FindingsLayout& findings,
              RaceRuntimeOptions options);

  // Functions without a result, to be called from the kernel.
  [[nodiscard]] Id touch() const { return touch_; }  ///< (word, who)
  /// (first word, who), for a few words at once.
  [[nodiscard]] Id touch_few(std::uint32_t words);
  [[nodiscard]] Id touch_many() const { return touch_many_; }  ///< (first word, words, who)
  /// (first word, words, who); only where no other invocation touches the words in the phase
  [[nodiscard]] Id touch_own() const { return touch_own_; }
  [[nodiscard]] Id touch_value() const { return touch_value_; }  ///< (word, hash of the value, who)
  [[nodiscard]] Id touch_lane() const { return touch_lane_; }    ///< (word, who)
  /// (pair, other site's lane word, cell, who, whether the other comes first, own value word,
  /// other's value word); no_values twice where the pair is not of two writes
  [[nodiscard]] Id meet_lane() const { return meet_lane_; }
  /// Sites of one variable that may have been noted since the last barrier, ascending. A phase has
  /// few of them, where a kernel has many: what is written for a phase knows of no others.
  using Noted = std::vector<std::uint32_t>;
  /// Compares and clears all cells in the columns of tracked sites.
  [[nodiscard]] Id scan(const Noted& sites);
  /// To be called behind the barrier that follows a scan: sites whose pairs have all been found in
  /// this workgroup are not noted any more.
  [[nodiscard]] Id settle(const Noted& sites);
  /// Writes begin() and end(); `last` is what may be noted at the kernel's end, a list a variable.
  void finish(const std::vector<Noted>& last);
  /// (value, number of the branch): compares the values that the workgroup's invocations came with;
  /// 0 where nothing is voted on. See race_votes.cpp.
  [[nodiscard]] Id agree() const { return agree_; }
  /// A function in the place of a barrier and the code behind it, `through`, which uses no values
  /// of the kernel's function. `barrier` is its number among those that votes are about.
  [[nodiscard]] Id pass(std::uint32_t barrier, const std::vector<Instruction>& through);
  /// (number of the branch): where all ways from a branch that is voted on have met again.
  [[nodiscard]] Id rejoin() const { return rejoin_; }
  /// A word of marks, 32 blocks that ran.
  [[nodiscard]] Id marks(std::uint32_t word) const { return marks_[word]; }
  [[nodiscard]] Id begin() const { return begin_; }
  [[nodiscard]] Id end() const { return end_; }

  [[nodiscard]] Id findings() const { return findings_; }
  /// Words that an invocation keeps to itself; 0 is what they start as.
  /// Its name in the shadow words at a tracked site; no_invocation once the site is settled.
  [[nodiscard]] Id who(std::uint32_t site) const { return who_at_[site]; }
  [[nodiscard]] Id phase() const { return lane_phase_; }  ///< subgroup barriers in this phase
  /// By what is told of (FindingsLayout::tell); reported where it is not 0 at the end. Of compact
  /// code they are elements of one array.
  [[nodiscard]] const std::vector<Id>& told() const { return told_; }
  [[nodiscard]] Id told_array() const { return told_array_; }

  /// Operands of the OpControlBarrier that the shadow needs.
  [[nodiscard]] std::vector<Operand> barrier();

 private:
  [[nodiscard]] Id word_pointer(Code& code, Id index);
  [[nodiscard]] Id findings_pointer(Code& code, Id index);
  [[nodiscard]] Id vote_pointer(Code& code, Id index);
  Id load_shared(Code& code, Id pointer);
  void store_shared(Code& code, Id pointer, Id value);
  Id load_word(Code& code, Id index);
  void store_word(Code& code, Id index, Id value);
  Id exchange(Code& code, Id pointer, Id expected, Id desired);
  Id atomic(Code& code, spv::Op op, Id pointer, Id value, bool in_findings);
  Id load_built_in(Code& code, spv::BuiltIn built_in);
  Id group_position(Code& code);
  [[nodiscard]] Id same_subgroup(Code& code, Id a, Id b);
  [[nodiscard]] Id joined(Code& code, Id word, Id who, Id& already);

  [[nodiscard]] Id values_differ(Code& code, Id a, Id b);

  void write_enter();
  void write_touch();
  void write_touch_many();
  void write_touch_own();
  void write_touch_value();
  void write_touch_value_compact();
  void write_touch_lane();
  void write_record();
  void write_meet_lane();
  [[nodiscard]] Id write_scan(const Noted& sites, const std::string& name);
  [[nodiscard]] Id write_settle(const Noted& sites, const std::string& name);
  [[nodiscard]] std::vector<std::uint32_t> pairs_among(const Noted& sites) const;
  // Of compact code.
  /// The constant of a table that stands at an index.
  [[nodiscard]] Id pick(Code& code, Id index, const std::vector<std::uint32_t>& table);
  /// body(0), body(1) and so on, in a loop where there are several.
  void each(Code& code, std::size_t count, const std::function<void(Id)>& body);
  /// Booleans: two different invocations came, by the word of one site, or by those of two.
  [[nodiscard]] Id met_itself(Code& code, Id word);
  [[nodiscard]] Id met_another(Code& code, Id a, Id b);
  void scan_pairs(Code& code, const Noted& sites, Id cell);
  void clear_columns(Code& code, const Noted& sites, Id cell);
  [[nodiscard]] Id write_settle_compact(const Noted& sites, const std::string& name);
  void settle_all(Code& code, const Noted& sites);
  [[nodiscard]] std::vector<std::uint32_t> pairs_with_any(const Noted& sites) const;
  void unless_settled(Code& code, Id who, const std::function<void()>& body);
  void compare(Code& code, std::uint32_t pair, Id cell, const std::map<std::uint32_t, Id>& words);
  void write_agree();
  void write_rendezvous();
  void write_leave();
  void write_rejoin();
  void report_own(Code& code);
  void flush_marks(Code& code);
  void when_loops_turn(Code& code, const std::function<void()>& body);
  void write_begin();
  void write_end(const std::vector<Noted>& last);
  void report_told(Code& code);
  void report_told_compact(Code& code);
  void tell_examples(Code& code, Id base, Id word);
  void tell(Code& code, Id base, Id word, Id group);
  void report_pair(Code& code, Id pair, Id tally);

  Emitter& e_;
  const Sites& sites_;
  const std::vector<SitePair>& open_;
  const ShadowLayout& shadow_;
  FindingsLayout findings_layout_;
  RaceRuntimeOptions options_;
  Id words_ = 0;
  Id findings_ = 0;
  Id base_ = 0;
  Id who_ = 0;
  std::vector<Id> who_at_;  // by site; 0: not tracked
  Id lane_phase_ = 0;
  Id lane_shift_ = 0;
  std::vector<Id> told_;
  Id told_array_ = 0;
  Id bad_loop_ = 0;
  Id touch_ = 0;
  Id enter_ = 0;                           // (word, who)
  std::map<std::uint32_t, Id> touch_few_;  // by words
  Id touch_many_ = 0;
  Id touch_own_ = 0;
  Id touch_value_ = 0;
  Id touch_lane_ = 0;
  Id meet_lane_ = 0;
  Id record_ = 0;
  Id votes_ = 0;      // shared words: smallest and largest of three votes in turn, and one more
  Id vote_turn_ = 0;  // which of the three is next
  Id parted_ = 0;     // 1 + number of the branch at which the workgroup parted; 0: it is together
  Id beyond_ = 0;     // beyond_name
  Id agree_ = 0;
  Id leave_ = 0;
  Id rendezvous_ = 0;
  Id arrivals_ = 0;  // that a rendezvous waits for
  Id rejoin_ = 0;
  std::vector<Id> marks_;
  std::vector<Id> marked_;  // what others had marked when the invocation began
  Id begin_ = 0;
  Id end_ = 0;
  std::map<Noted, Id> scan_;
  std::map<Noted, Id> settle_;
};

}  // namespace spirv
