// An experiment: plain data that determines a run completely. An empty or zero field stands for the
// workload's or the variant's own choice; lab/ready/workbench.h resolves them, so that the
// experiment inside a Result has every field filled in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/work/barriers.h"

namespace core {

/// Sizes of a workload in the order of its size names, "M,N,W". Each is at least 1.
using Sizes = std::vector<std::uint32_t>;

/// `--set NAME=VALUE`: a specialization constant of the kernel, or an option of the workload
/// ("start=ball"). Which of the two a name is, the variant and the workload decide.
using Settings = std::map<std::string, std::string>;

/// Values of a launch that Tilescope tries where none were given: they say what the flags of the
/// same names say, and count as chosen.
struct TriedValues {
  Sizes items;  ///< work items in x, y, z; members that are compared with ids follow
  /// By "set.binding", as for --buffer. Lengths follow from the items.
  std::map<std::string, std::string> buffers;

  bool operator==(const TriedValues&) const = default;
};

/// How a kernel is compiled and what it is launched with, beside what a workload says of it.
struct KernelChoices {
  std::vector<std::string> defines;       ///< `-D`: "NAME" or "NAME=VALUE"
  std::vector<std::string> include_dirs;  ///< `-I`
  std::string prelude;                    ///< `--prelude`: a file whose text follows `#version`
  std::string language;                   ///< `--language`; empty: follows from the file's name
  std::vector<std::string> compilers;     ///< `--compiler`: "LANGUAGE=COMMAND"; never in a scene
  Sizes local_size;                       ///< `--local-size`, for a kernel that declares none
  std::string entry;                      ///< `--entry`; empty: the first
  Sizes groups;                           ///< `--groups`: workgroups in x, y, z
  Sizes items;  ///< `--items`: invocations in x, y, z, rounded up to whole workgroups
  std::vector<std::uint32_t> push;              ///< `--push`: the first 32-bit words
  std::map<std::uint32_t, std::uint32_t> spec;  ///< `--spec`: constants by SpecId
  std::map<std::string, std::string> buffers;   ///< `--buffer`: name or "set.binding" to content
  /// Bytes of buffers by "set.binding" that the first choice was too short for; Tilescope chose
  /// these too.
  std::map<std::string, std::uint64_t> longer;
  TriedValues tried;      ///< values for whatever the other members leave open
  std::string reference;  ///< a kernel whose answer is the right one

  bool operator==(const KernelChoices&) const = default;
  /// It says something about the launch that the workload would say.
  [[nodiscard]] bool of_launch() const {
    return !groups.empty() || !items.empty() || !push.empty() || !spec.empty() || !buffers.empty();
  }
};

struct Experiment {
  /// "workload/name", or the path of a kernel's file or of a saved dispatch's folder.
  std::string variant = "matmul/tiled";
  Sizes size;              ///< empty: the workload's default
  std::uint32_t tile = 0;  ///< 0: the variant's default
  Settings settings;
  BarrierEdits barriers;  ///< of the kernel, before anything else is done with it
  std::string device;     ///< index, or part of the name; empty: the first, real GPUs before CPUs
  std::uint64_t seed = 1;
  KernelChoices choices;

  bool operator==(const Experiment&) const = default;
  /// Empty for a kernel that belongs to none.
  [[nodiscard]] std::string workload() const;
};

/// The variant is named by a path: of a file that can be a kernel's, or of a saved dispatch.
[[nodiscard]] bool names_a_file(const std::string& variant);

/// "512,512,512"; the error names the part that is not a number of at least 1.
[[nodiscard]] std::string to_string(const Sizes& sizes);

}  // namespace core
