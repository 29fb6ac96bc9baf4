#include "cli/process/streams.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/process/progress.h"

namespace cli {

void own_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      // The lowest free one is this; for reading alone, so that what is written to it fails.
      static_cast<void>(::open("/dev/null", O_RDONLY));
    }
  }
}

void complain(const std::string& sentence) noexcept {
  clear_progress();
  static_cast<void>(std::fputs("tilescope: ", stderr));
  static_cast<void>(std::fputs(sentence.c_str(), stderr));
  static_cast<void>(std::fputs("\n", stderr));
}

int finish_streams(int status) noexcept {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return status;
  }
  if (status == usage || status == unavailable) {
    return status;  // what went wrong has been said
  }
  complain(std::string("cannot write to the standard output: ") +
           std::strerror(errno != 0 ? errno : EIO));  // NOLINT(concurrency-mt-unsafe)
  return unavailable;
}

}  // namespace cli
