// The lab of the kernel beside: it and the window's own share one device in turn.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "core/catalogue/catalogue.h"
#include "lab/live/lab.h"
#include "ui/model.h"

namespace studio {

class BesideLab {
 public:
  /// `first` must outlive it; `make` makes another lab, and may be empty: then there is none.
  BesideLab(lab::Lab& first, const std::function<std::unique_ptr<lab::Lab>()>& make)
      : first_(first), make_(make) {}

  /// What a frame has asked for.
  void follow(const ui::Requests& requests);
  /// One lab launches at a time: the second once the first has its time and verdict, until it has
  /// its own; from then on both in alternation. Neither while nobody can see the window.
  void take_turns(bool hidden, const core::Catalogue& catalogue);
  /// The newest that it found; null: it is not there, or was not asked yet.
  [[nodiscard]] std::shared_ptr<const core::Result> latest() const {
    return lab_ ? lab_->latest() : nullptr;
  }
  /// `result` is of what is wanted now, launched as `first` is.
  [[nodiscard]] bool is_wanted(const core::Result& result, const core::Result& first) const;

 private:
  [[nodiscard]] bool settled(const core::Result& first);
  [[nodiscard]] bool has_turn(const core::Result& first);
  void open();
  void leave();

  using Clock = std::chrono::steady_clock;
  lab::Lab& first_;
  const std::function<std::unique_ptr<lab::Lab>()>& make_;
  std::unique_ptr<lab::Lab> lab_;
  std::future<void> leaving_;  ///< one that is no longer wanted and ends once its launch has
  std::optional<core::Experiment> wanted_, asked_;
  std::shared_ptr<const core::Result> like_;  ///< the first kernel, when the second was asked for
  Clock::time_point since_;
  bool second_ = false;              ///< has the turn, of two that alternate
  Clock::time_point turn_since_;     ///< the turn began
  std::uint64_t turn_launches_ = 0;  ///< of the one that has it, by then
};

}  // namespace studio
