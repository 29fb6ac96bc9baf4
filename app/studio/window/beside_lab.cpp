#include "studio/window/beside_lab.h"

namespace studio {
namespace {

bool is_settled(const core::Result& result) {
  constexpr std::size_t kEnough = 40;
  const bool timed = result.timing.samples_ms.size() >= (result.sliced ? 3 : kEnough);
  return result.error || result.refused() || result.stage == core::Stage::paused ||
         (timed && result.races);
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
  const bool turn = lab_ && wanted_ && is_settled(*first_.latest()) && !settled();
  first_.hold(hidden || turn);
  if (!lab_) {
    return;
  }
  lab_->hold(hidden || !turn);
  if (turn && asked_ != wanted_) {
    asked_ = wanted_;
    since_ = Clock::now();
    lab_->offer(catalogue);
    lab_->request(*asked_);
  }
}

bool BesideLab::settled() {
  if (asked_ != wanted_) {
    return false;
  }
  constexpr auto kTimeline = std::chrono::seconds(5);  // what else its views show
  const auto result = lab_->latest();
  if (!is_wanted(*result)) {
    return result->error && Clock::now() - since_ > kTimeline;
  }
  if (!is_settled(*result)) {
    since_ = Clock::now();
    return false;
  }
  return result->error || result->timeline || Clock::now() - since_ > kTimeline;
}

bool BesideLab::is_wanted(const core::Result& result) const {
  return wanted_ && result.experiment.variant == wanted_->variant &&
         result.experiment.barriers == wanted_->barriers &&
         (wanted_->size.empty() || result.experiment.size == wanted_->size);
}

void BesideLab::follow(const ui::Requests& requests) {
  if (!requests.beside || !make_) {
    leave();
    wanted_.reset();
    asked_.reset();
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
