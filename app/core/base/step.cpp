#include "core/base/step.h"

#include <mutex>

#include <unistd.h>

namespace core {
namespace {

struct Teller {
  std::mutex mutex;
  int descriptor = -1;
  std::string told;
};

Teller& teller() {
  static Teller one;
  return one;
}

// "60 compiling it\n". The same step again and again, as launches are, is told once.
void tell(std::string_view doing, double seconds) {
  Teller& to = teller();
  if (to.descriptor < 0) {
    return;
  }
  const std::scoped_lock lock(to.mutex);
  const std::string line = std::to_string(seconds) + " " + std::string(doing) + "\n";
  if (line != to.told) {
    to.told = line;
    static_cast<void>(!::write(to.descriptor, line.data(), line.size()));
  }
}

}  // namespace

Step::Step(std::string_view doing, double seconds) : seconds_(seconds) {
  tell(doing, seconds);
}

Step::~Step() {
  if (seconds_ > 0.0) {
    tell("", 0.0);
  }
}

void tell_steps_to(int descriptor) {
  teller().descriptor = descriptor;
}

}  // namespace core
