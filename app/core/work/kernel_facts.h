// What a kernel's text tells before it runs: its barriers, the phases between them, and its
// accesses to shared memory. Plain data for the source view, the badge and the tile view;
// spirv/analysis/values/facts.h works it out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/report/check_report.h"
#include "core/work/barriers.h"

namespace core {

enum class MemoryKind { shared, global };

/// A place in a kernel's source; the line is 0 where the module tells none.
struct SourcePlace {
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t column = 0;  ///< from 1; 0: not known
  std::string file;          ///< as the compiler was given it; includes have their own
  bool operator==(const SourcePlace&) const = default;
};

/// A workgroup barrier of the kernel; `--barrier K` is barriers[K - 1].
struct KernelBarrier {
  SourcePlace at;
  std::optional<BarrierKind> written;  ///< as the source has it; none: it orders no memory
  std::optional<BarrierKind> now;      ///< after the experiment's edits
  /// Does it close a phase for shared memory?
  [[nodiscard]] bool closes() const {
    return now == BarrierKind::all || now == BarrierKind::shared;
  }
};

/// A stretch between barriers that close: everything that is reached from its opening without
/// passing another one, on ways that pass over no loop. Lines may belong to several phases; a
/// loop's do.
struct KernelPhase {
  std::uint32_t opened_by = 0;       ///< the barrier's number K; 0: the start of the kernel
  std::vector<std::uint32_t> lines;  ///< of the kernel's own file that are reached, ascending
  /// The same of the files that it includes, by name.
  std::map<std::string, std::vector<std::uint32_t>> included;
  bool reads_shared = false;
  bool writes_shared = false;
  bool reads_global = false;
  bool writes_global = false;

  /// An access of it; `writes` is of atomics, too, all of which read.
  void note(MemoryKind memory, Access access, bool writes);
  /// "load": it fills shared memory from global memory; "compute": it reads shared memory; else
  /// what it touches, in a word or two. Of a workgroup's life and of the text the same.
  [[nodiscard]] std::string name() const;
};

/// A place in the text that accesses shared memory.
struct KernelAccess {
  SourcePlace at;
  std::string variable;
  Access access = Access::read;
  bool proven = false;  ///< free of races before anything runs
};

struct KernelFacts {
  std::string file;  ///< the kernel's own, as its entry point names it
  std::vector<KernelBarrier> barriers;
  std::vector<KernelPhase> phases;     ///< in the order of the barriers that open them
  std::vector<KernelAccess> accesses;  ///< in the order of the text
  std::vector<Finding> divergent;      ///< barriers that may not be reached by all: not to be run
  std::string not_examined;            ///< why nothing of this is known; empty: it is
  /// Constants that this launch has chosen otherwise than the text says: their values, by name.
  std::map<std::string, std::string> chosen;
};

}  // namespace core
