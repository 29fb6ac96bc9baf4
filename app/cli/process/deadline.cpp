#include "cli/process/deadline.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/process/guard.h"

namespace cli {

Deadline::Deadline(const Common& common, const std::vector<std::string>& kernels)
    : seconds_(common.timeout_given || in_child() || std::ranges::any_of(kernels, is_strangers)
                   ? static_cast<double>(common.timeout)
                   : 0.0) {}

bool Deadline::is_over() const {
  return is_set() && seconds_since_call() > seconds_ - to_tell();
}

std::string Deadline::sentence() const {
  return fmt::format("stopped after {:.1f} s, the limit of --timeout", seconds_since_call());
}

double Deadline::slice_ms(double usual) const {
  return is_set() ? std::min(usual, to_tell() / 4 * 1e3) : usual;
}

lab::SliceObserver Deadline::observer() const {
  return [this](std::uint64_t) { return !is_over(); };
}

// A tenth of the time, but a second where there are two: a loaded machine's last piece.
double Deadline::to_tell() const {
  return std::max(0.1 * seconds_, std::min(1.0, 0.5 * seconds_));
}

}  // namespace cli
