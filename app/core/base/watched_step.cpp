#include "core/base/watched_step.h"

#include <mutex>
#include <utility>

#include <unistd.h>

#include "core/base/child.h"

namespace core {
namespace {

struct Teller {
  std::mutex mutex;
  int descriptor = -1;
  std::string told;
  Doing doing;
};

Teller& teller() {
  static Teller one;
  return one;
}

// "60 compiling it\n". The same step again and again, as launches are, is told once.
void tell(std::string_view doing, double seconds) {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  if (to.doing.share < 0.0 && !doing.empty()) {
    to.doing.what = doing;  // launches are steps of what is counted
  }
  if (to.descriptor < 0) {
    return;
  }
  const std::string line = std::to_string(seconds) + " " + std::string(doing) + "\n";
  if (line != to.told) {
    to.told = line;
    static_cast<void>(!::write(to.descriptor, line.data(), line.size()));
  }
}

}  // namespace

WatchedStep::WatchedStep(std::string_view doing, double seconds) : seconds_(seconds) {
  tell(doing, seconds);
}

WatchedStep::~WatchedStep() {
  if (seconds_ > 0.0) {
    tell("", 0.0);
  }
}

// "~0.4300 checking it\n": told a hundred times at most.
void tell_progress(std::string_view doing, double share) {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  const bool ended = share >= 1.0;
  const bool told = to.doing.share >= 0.0 && to.doing.what == doing && share >= to.doing.share &&
                    share < to.doing.share + 0.01;
  if (told && !ended) {
    return;
  }
  to.doing = {std::string(doing), ended ? -1.0 : share};
  if (to.descriptor >= 0) {
    const std::string line = "~" + std::to_string(to.doing.share) + " " + to.doing.what + "\n";
    static_cast<void>(!::write(to.descriptor, line.data(), line.size()));
  }
}

// "=1073741824\n"
MemoryLimit::MemoryLimit(std::uint64_t bytes) {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  if (to.descriptor >= 0) {
    const std::string line = "=" + std::to_string(bytes) + "\n";
    static_cast<void>(!::write(to.descriptor, line.data(), line.size()));
  }
}

MemoryLimit::~MemoryLimit() {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  if (to.descriptor >= 0) {
    static_cast<void>(!::write(to.descriptor, "=0\n", 3));
  }
}

Doing doing_now() {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  return to.doing;
}

void set_doing(Doing doing) {
  Teller& to = teller();
  const std::scoped_lock lock(to.mutex);
  to.doing = std::move(doing);
}

void tell_steps_to(int descriptor) {
  teller().descriptor = descriptor;
}

}  // namespace core
