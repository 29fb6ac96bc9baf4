#include "studio/window/beside_lab.h"

namespace studio {
namespace {

constexpr auto kTurn = std::chrono::milliseconds(400);

bool is_settled(const core::Result& result) {
  constexpr std::size_t kEnough = 40;
  const bool timed = result.timing.samples_ms.size() >= (result.sliced ? 3 : kEnough);
  return result.error || result.refused() || result.stage == core::Stage::paused ||
         (timed && result.races);
}

// But for its barriers, which change nothing about how it is launched.
bool same_launch(core::Experiment a, const core::Experiment& b) {
  a.barriers = b.barriers;
  return a == b;
}

bool same_kernel(const core::Result& a, const core::Result& b) {
  return a.experiment == b.experiment && a.variant.source == b.variant.source &&
         a.variant.texts == b.variant.texts;
}

}  // namespace

// Not beside one that is still ending: who changes their mind fast makes no crowd of them.
void BesideLab::open() {
  const bool ends =
      leaving_.valid() && leaving_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  if (!lab_ && wanted_ && !ends) {
    lab_ = make_();
    lab_->hold(true);
  }
}

// A lab ends with the launch that it waits for, which a driver may compile for minutes: no frame
// waits for that.
void BesideLab::leave() {
  if (lab_) {
    leaving_ = std::async(std::launch::async, [lab = std::move(lab_)]() mutable { lab.reset(); });
  }
}

void BesideLab::take_turns(bool hidden, const core::Catalogue& catalogue) {
  open();
  const auto first = first_.latest();
  const bool turn = has_turn(*first);
  first_.hold(hidden || turn);
  if (!lab_) {
    return;
  }
  lab_->hold(hidden || !turn);
  if (turn && (asked_ != wanted_ || !like_ || !same_kernel(*like_, *first))) {
    asked_ = wanted_;
    like_ = first;
    since_ = Clock::now();
    lab_->offer(catalogue);
    lab_->request(*asked_, like_);
  }
}

bool BesideLab::has_turn(const core::Result& first) {
  if (!lab_ || !wanted_ || first.text_only || !is_settled(first)) {
    second_ = false;
    return false;
  }
  if (!settled(first)) {
    second_ = true;
    return true;
  }
  const auto second = lab_->latest();
  if (first.stage == core::Stage::paused || second->error || second->refused()) {
    second_ = false;
    return false;
  }
  // In alternation: at least one launch each.
  const auto now = Clock::now();
  const std::uint64_t launches = second_ ? second->timing.launches : first.timing.launches;
  if (now - turn_since_ >= kTurn && launches != turn_launches_) {
    second_ = !second_;
    turn_since_ = now;
    turn_launches_ = second_ ? second->timing.launches : first.timing.launches;
  }
  return second_;
}

bool BesideLab::settled(const core::Result& first) {
  if (asked_ != wanted_ || !like_ || !same_kernel(*like_, first)) {
    return false;
  }
  constexpr auto kTimeline = std::chrono::seconds(5);  // what else its views show
  const auto result = lab_->latest();
  if (!is_wanted(*result, first)) {
    return result->error && Clock::now() - since_ > kTimeline;
  }
  if (!is_settled(*result)) {
    since_ = Clock::now();
    return false;
  }
  const bool compared = result->like && (result->like->outputs.done || result->like->error);
  return result->error || (result->timeline && compared) || Clock::now() - since_ > kTimeline;
}

bool BesideLab::is_wanted(const core::Result& result, const core::Result& first) const {
  return wanted_ && result.experiment.variant == wanted_->variant &&
         (result.text_only ||
          (result.like && same_launch(result.like->experiment, first.experiment)));
}

void BesideLab::follow(const ui::Requests& requests) {
  if (!requests.beside || !make_) {
    leave();
    wanted_.reset();
    asked_.reset();
    like_.reset();
    return;
  }
  wanted_ = requests.beside;
  open();
  if (lab_) {
    lab_->show(requests.launch);
    lab_->trace(requests.beside_trace);
  }
}

}  // namespace studio
