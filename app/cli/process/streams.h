// Standard output and error: there from the start, and known to have taken everything at the end.
#pragma once

#include <string>

namespace cli {

/// Opens what a caller left closed (`>&-`), so that no file of a driver's becomes descriptor 1 and
/// gets our output. Writing to it then fails, and is told of as a full disk is.
void own_streams();

/// "tilescope: SENTENCE" on stderr; where that can't be written to, nothing.
void complain(const std::string& sentence) noexcept;

/// The exit status: `status`, or that of what can't be done, with a sentence, where stdout has not
/// taken all that was printed.
[[nodiscard]] int finish_streams(int status) noexcept;

}  // namespace cli
