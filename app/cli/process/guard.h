// Kernels from strangers run in a process of their own: what crashes or stalls there is a sentence
// and status 3 here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace cli {

/// Remembers how the program was called.
void set_call(int argc, char** argv);
/// Without the program's name.
[[nodiscard]] const std::vector<std::string>& call_arguments();

/// Since the program was called.
[[nodiscard]] double seconds_since_call();

/// Something that is not of the catalogue: a kernel's file or a scene by its name's ending
/// ("a.comp", "a.toml"), or a folder.
[[nodiscard]] bool is_strangers(const std::string& name);

/// Makes the same call again in a child process and returns its exit status. What it prints is
/// printed; a crash, or more than it may take, is Fault::device with what it was doing last, and
/// leaves what makes it again in the cache folder (crashes/). `seconds`: the most that it may take;
/// 0: no end.
[[nodiscard]] Outcome call_in_child(const std::string& what, double seconds);

/// True in such a child: calls are made where they are.
[[nodiscard]] bool in_child();
void set_in_child(bool child);

}  // namespace cli
