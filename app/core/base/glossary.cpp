#include "core/base/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace core {
namespace {

constexpr std::array kTerms{
    Term{"workgroup",
         "Invocations that share memory and can wait for each other at barriers. The grid of all "
         "workgroups covers the output, one tile each.",
         "block", "tile"},
    Term{"invocation",
         "One run of the kernel's main() with its own id. The invocations of a workgroup run at "
         "the same time, in no fixed order.",
         "thread", "thread"},
    Term{"subgroup",
         "Invocations that the device runs in step, 32 or 64 on most GPUs. A branch that some of "
         "them take costs all of them.",
         "warp", ""},
    Term{"shared memory",
         "Memory on the chip that belongs to one workgroup and ends with it. It is many times "
         "faster than global memory, and small.",
         "__shared__", "tile_static"},
    Term{"global memory",
         "The device's large memory, which holds buffers and images. Reading it costs hundreds of "
         "cycles, so kernels copy tiles of it into shared memory.",
         "global memory", "array, array_view"},
    Term{"barrier",
         "A line at which each invocation of a workgroup waits until all have reached it. Reads "
         "after it see the writes to shared memory before it.",
         "__syncthreads()", "tile_barrier::wait"},
    Term{"phase",
         "The stretch between two barriers. Within a phase nothing orders two invocations, so no "
         "invocation may touch what another one writes.",
         "", "the stretch between two waits"},
    Term{"race",
         "Two invocations touch the same memory, at least one writes, and nothing orders them. The "
         "result depends on chance: it may be right a thousand times and then wrong.",
         "race (compute-sanitizer racecheck)", "race", Subject::term,
         "In shared memory, put a barrier between the two accesses. In a buffer or an image, "
         "barrier() alone is not enough: add memoryBarrierBuffer() or memoryBarrierImage(). "
         "No barrier orders two workgroups: give each its own elements, use an atomic, or start "
         "another launch between the two accesses. If all invocations write the same value, the "
         "finding is a note."},
    Term{"RAW",
         "Read after write: an invocation reads what another one writes, and nothing orders the "
         "two. It may read the value from before the write.",
         "RAW hazard", ""},
    Term{"WAR",
         "Write after read: an invocation overwrites what another one still has to read, and "
         "nothing orders the two. The reader may get the new value too early.",
         "WAR hazard", ""},
    Term{"WAW",
         "Write after write: two invocations write the same element, and nothing orders the two. "
         "Which value remains depends on chance.",
         "WAW hazard", ""},
    Term{"measured",
         "Taken from the device's clock around the plain kernel, with nothing added to it. The "
         "value is the median of many launches, with its spread.",
         "cudaEventElapsedTime", ""},
    Term{"instrumented",
         "Recorded by a second copy of the kernel with extra code. The findings hold for the "
         "kernel; the copy's own time has no meaning and is not shown.",
         "as under compute-sanitizer", ""},
    Term{"modelled",
         "Computed from the kernel's text and published limits, without running anything. It is "
         "as good as the model and never mixed with measured values.",
         "as the occupancy calculator does", ""},
    Term{"ways",
         "The number of words of one bank that a subgroup needs at once, or its atomics on one "
         "element; they are served one by one. 1 way has no conflict, 32 ways take 32 times as "
         "long.",
         "bank conflict of n ways", ""},
    Term{"sectors",
         "Global memory comes in pieces of 32 bytes. The fewer of them a subgroup touches for its "
         "accesses, the fewer unused bytes are fetched.",
         "sectors per request (coalescing)", ""},
    Term{"waves",
         "The number of times the device is filled until all workgroups have run. A last wave that "
         "is nearly empty leaves most multiprocessors idle.",
         "waves (tail effect)", ""},
    Term{"occupancy",
         "The share of a multiprocessor's slots for subgroups that are in use at once. While some "
         "subgroups wait for memory, others can work.",
         "occupancy", ""},
    Term{"registers",
         "An invocation's own memory, the fastest there is. The more each invocation needs, the "
         "fewer workgroups fit on a multiprocessor.",
         "registers", ""},
    Term{"speed-up",
         "How many times as fast as the first variant of the ladder. Above 1 is faster, in every "
         "view.",
         "speed-up", ""},
    Term{"useful",
         "Invocations that compute a part of the output. If tiles don't divide the size, the other "
         "invocations are idle at the edge.",
         "threads inside the bounds", "all but those that tiled_extent::pad adds"},
    Term{"proven",
         "Decided from the kernel's text before the run, for this launch's sizes. Such an access "
         "needs no check during the run.",
         "", ""},
    Term{"p5",
         "Of a hundred launches, five are faster than p5 and five slower than p95. A wide range "
         "means that something else used the device.",
         "", ""},
    Term{"divergent-barrier",
         "Part of a workgroup can miss a barrier. The other invocations may wait for it forever.",
         "divergent __syncthreads (synccheck)", "error C3561", Subject::finding,
         "Move the barrier out of the branch, or let the other invocations do nothing instead of "
         "returning early. The report names the barrier's line and the condition's line."},
    Term{"out-of-bounds",
         "An index is outside its array, buffer or image. The access would touch other memory.",
         "out of bounds (memcheck)", "", Subject::finding,
         "Compare the index with the length before the access, or clamp it. If Tilescope chose the "
         "length, pass the real one with --buffer."},
    Term{"unfinished-loop",
         "A loop was cut after too many iterations. Nothing is known about the code after it; what "
         "was found elsewhere is reported.",
         "", "", Subject::finding,
         "Check the loop's condition and the values that it waits for. Mesa's CPU driver lavapipe "
         "ends the loops of an invocation after 65,535 iterations in total, so that a longer loop "
         "may be right on a GPU. Check it with fewer iterations, or on a GPU."},
    Term{"uninitialized",
         "Shared memory or a private array is read before anything wrote it. The read may return "
         "any value.",
         "uninitialized (initcheck)", "", Subject::finding,
         "Write the element first, and put a barrier between the writes of other invocations and "
         "this read."},
    Term{"arithmetic",
         "A NaN or infinity is stored in a buffer, an integer is divided by zero, or a shift "
         "exceeds the width. The result is not useful, and later code may carry it on.",
         "", "", Subject::finding,
         "Handle the special case before the operation. If the value is intended, accept the note "
         "with a comment or with --notes-ok."},
    Term{"wrong-answer",
         "An output differs from the reference kernel's output. The difference is larger than the "
         "tolerance.",
         "", "", Subject::finding,
         "Compare the sizes and values of both kernels first. The report names the first element "
         "that differs."},
    Term{"clean",
         "Nothing was found in what ran, and at least one access of each kind ran. It holds for "
         "this launch, with these sizes, on this device.",
         "", "", Subject::verdict},
    Term{"racy", "The report has at least one data race that is an error. See race.", "", "",
         Subject::verdict},
    Term{"divergent",
         "In this launch part of a workgroup can miss a barrier. See divergent-barrier.", "", "",
         Subject::verdict},
    Term{"faulty",
         "An index is outside its memory, or memory is read before it is written. The code after "
         "such a fault is undefined.",
         "", "", Subject::verdict},
    Term{"incomplete",
         "Part of the launch could not be checked, for example the code after a loop that was cut, "
         "and nothing worse was found. The report lists each part with its reason.",
         "", "", Subject::verdict},
    Term{"error", "The kernel is wrong in this launch. The verdict is computed from errors alone.",
         "", "", Subject::severity},
    Term{"warning",
         "The kernel is right in this launch and may be wrong in others. A barrier that diverges "
         "at other sizes is an example.",
         "", "", Subject::severity},
    Term{"assumed",
         "The finding depends on a launch value that Tilescope chose. Pass your application's "
         "value to confirm it or to make it disappear.",
         "", "", Subject::severity},
    Term{"note",
         "The finding is unusual, but may be intended. With --notes-ok it does not change the exit "
         "status.",
         "", "", Subject::severity},
};

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t find_word(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (auto from = text.begin(); from != text.end();) {
    const auto found = std::search(from, text.end(), word.begin(), word.end(), same);
    if (found == text.end()) {
      break;
    }
    auto after = found + static_cast<std::ptrdiff_t>(word.size());
    after += after != text.end() && *after == 's' ? 1 : 0;  // of several
    if ((found == text.begin() || !is_letter(*(found - 1))) &&
        (after == text.end() || !is_letter(*after))) {
      return static_cast<std::size_t>(found - text.begin());
    }
    from = found + 1;
  }
  return std::string_view::npos;
}

bool same_letter(char a, char b) {
  const auto plain = [](char c) {
    return c == ' ' || c == '_' ? '-' : std::tolower(static_cast<unsigned char>(c));
  };
  return plain(a) == plain(b);
}

std::string title(const Term& term) {
  std::string word(term.word);
  word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
  return word;
}

std::string without_emphasis(std::string text) {
  for (std::size_t at = 0; (at = text.find("__", at)) != std::string::npos; at += 4) {
    text.replace(at, 2, "\\_\\_");
  }
  return text;
}

void add_section(std::string& page, const char* heading, const char* text, Subject subject) {
  page += std::string("\n## ") + heading + "\n\n" + text + "\n";
  for (const Term& term : kTerms) {
    const bool here = subject == Subject::finding ? !term.remedy.empty() : term.subject == subject;
    if (!here) {
      continue;
    }
    page += "\n### " + std::string(term.word) + "\n\n" + std::string(term.says) + "\n";
    if (!term.remedy.empty()) {
      page += "\n" + std::string(term.remedy) + "\n";
    }
    if (const std::string other = names_elsewhere(term); !other.empty()) {
      page += "\n*" + without_emphasis(other) + ".*\n";
    }
  }
}

}  // namespace

std::span<const Term> glossary() {
  return kTerms;
}

const Term* term_in(std::string_view words) {
  const Term* best = nullptr;
  for (const Term& term : kTerms) {
    if (term.subject == Subject::term &&
        (best == nullptr || term.word.size() > best->word.size()) &&
        find_word(words, term.word) != std::string_view::npos) {
      best = &term;
    }
  }
  return best;
}

const Term* find_term(std::string_view word) {
  const auto* found = std::ranges::find_if(
      kTerms, [&](const Term& term) { return std::ranges::equal(term.word, word, same_letter); });
  return found == kTerms.end() ? nullptr : found;
}

std::string names_elsewhere(const Term& term) {
  std::string text;
  if (!term.cuda.empty()) {
    text += "CUDA: " + std::string(term.cuda);
  }
  if (!term.amp.empty()) {
    text += (text.empty() ? "C++ AMP: " : " · C++ AMP: ") + std::string(term.amp);
  }
  return text;
}

std::string explained(const Term& term) {
  const std::string other = names_elsewhere(term);
  return title(term) + ": " + std::string(term.says) + (other.empty() ? "" : "\n" + other);
}

std::string glossary_page() {
  std::string text =
      "# Glossary\n\nThe terms of the window, the tables and the lessons. In the window, terms "
      "with "
      "dots below them\nshow the same text when you point at them. `tilescope explain WORD` prints "
      "it.\n";
  for (const Term& term : kTerms) {
    if (term.subject != Subject::term) {
      continue;
    }
    const std::string other = names_elsewhere(term);
    text += "\n**" + title(term) + ".** " + std::string(term.says);
    text += other.empty() ? "\n" : " *" + without_emphasis(other) + ".*\n";
  }
  return text;
}

std::string findings_page() {
  std::string page =
      "# Findings, verdicts and severities\n\n`tilescope explain KIND` prints the same texts. What "
      "each check covers is in\n[limitations.md](../explanation/limitations.md).\n";
  add_section(page, "Findings",
              "`check --only races,bounds,init,sync,arithmetic` chooses what is looked for. The "
              "report\nnames checks that were left out. A comment accepts a finding at its line:\n"
              "`// tilescope: allow race on flag, all write the same value`.",
              Subject::finding);
  add_section(
      page, "Verdicts",
      "The verdict is the worst of `divergent`, `racy`, `faulty`, `incomplete` and `clean`.",
      Subject::verdict);
  add_section(page, "Severities",
              "The exit status is 1 for an error, and for any other finding unless `--notes-ok` is "
              "given.",
              Subject::severity);
  return page;
}

}  // namespace core
