// What takes longer than a frame may: made on another thread, while the last one is still shown.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>

namespace ui {

/// The newest of what is wanted, one after the other; what is wanted meanwhile is made next.
template <class Wanted, class Made>
class Background {
 public:
  /// The newest, which may be of an earlier wish; null before the first. `make` is called, on the
  /// other thread, where `wanted` is another one than before. With `wait` it is of `wanted`.
  template <class Make>
  [[nodiscard]] std::shared_ptr<const Made> newest(const Wanted& wanted, bool wait, Make make) {
    take(wait);
    if (!coming_.valid() && asked_ != wanted) {
      asked_ = wanted;
      coming_ = std::async(std::launch::async,
                           [wanted, make] { return std::make_shared<const Made>(make(wanted)); });
      take(wait);
    }
    return newest_;
  }
  /// Another one for each.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] bool busy() const { return coming_.valid(); }

 private:
  void take(bool wait) {
    if (coming_.valid() &&
        (wait || coming_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)) {
      newest_ = coming_.get();
      ++version_;
    }
  }

  std::optional<Wanted> asked_;
  std::shared_ptr<const Made> newest_;
  std::uint64_t version_ = 0;
  std::future<std::shared_ptr<const Made>> coming_;  // last: what it runs may use all of the above
};

}  // namespace ui
