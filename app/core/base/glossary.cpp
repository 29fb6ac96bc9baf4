#include "core/base/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace core {
namespace {

constexpr std::array kTerms{
    Term{"workgroup",
         "A team of invocations that share memory and can wait for one another. The grid of all "
         "workgroups covers the answer, a tile each.",
         "block", "tile"},
    Term{"invocation",
         "One run of the kernel's main() with an id of its own. Those of a workgroup run at the "
         "same time, as far as anybody can tell.",
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
         "The device's large memory, in which buffers lie. Reading it costs hundreds of cycles, "
         "which is what tiles are for.",
         "global memory", "array, array_view"},
    Term{"barrier",
         "A line at which each invocation of a workgroup waits until all have come. Writes to "
         "shared memory before it are seen by reads behind it.",
         "__syncthreads()", "tile_barrier::wait"},
    Term{"phase",
         "What lies between two barriers. Within a phase nothing says which of two invocations is "
         "first, so what one writes no other may touch.",
         "", "what lies between two waits"},
    Term{"race",
         "Two invocations touch the same place in the same phase, and one of them writes. The "
         "result depends on which was first, so it may be right a thousand times and then wrong.",
         "race (compute-sanitizer racecheck)", "race"},
    Term{"RAW",
         "Read after write: one invocation reads what another writes, with no barrier between. It "
         "may get the value from before the write.",
         "RAW hazard", ""},
    Term{"WAR",
         "Write after read: one invocation overwrites what another still has to read, with no "
         "barrier between. The reader may get the new value too early.",
         "WAR hazard", ""},
    Term{"WAW",
         "Write after write: two invocations write one place, with no barrier between. Which of "
         "the values stays depends on chance.",
         "WAW hazard", ""},
    Term{"measured",
         "Taken from the device's clock around the plain kernel, with nothing added to it. The "
         "median of many launches is shown, and how far they spread.",
         "cudaEventElapsedTime", ""},
    Term{"instrumented",
         "Seen by a second copy of the kernel that writes down what it does. What it says of the "
         "kernel holds; its own time would mean nothing and is not shown.",
         "as under compute-sanitizer", ""},
    Term{"modelled",
         "Worked out from the kernel's text and published limits, without running anything. It is "
         "as good as the model, and never mixed with what was measured.",
         "as the occupancy calculator does", ""},
    Term{"ways",
         "How many cells of one bank a subgroup wants at once, or how many atomics it makes on one "
         "cell; they are served one after the other. 1 way is free of conflicts, 32 ways take 32 "
         "times as long.",
         "bank conflict of n ways", ""},
    Term{"sectors",
         "Global memory comes in pieces of 32 bytes. The fewer of them a subgroup touches for what "
         "it reads, the less is carried in vain.",
         "sectors per request (coalescing)", ""},
    Term{"waves",
         "How often the device is filled until all workgroups have run. A last wave that is nearly "
         "empty leaves most multiprocessors idle.",
         "waves (tail effect)", ""},
    Term{"occupancy",
         "The share of a multiprocessor's places for subgroups that are taken at once. While some "
         "wait for memory others can work; more than enough of them gains nothing.",
         "occupancy", ""},
    Term{"registers",
         "An invocation's own memory, the fastest there is. The more each takes, the fewer "
         "workgroups fit on a multiprocessor.",
         "registers", ""},
    Term{"speed-up",
         "How many times as fast as the first of the ladder. Above 1 is faster, in every view.",
         "speed-up", ""},
    Term{"useful",
         "Invocations that have a part of the answer to compute. Where tiles don't divide the size "
         "the others stand idle at the edge.",
         "threads inside the bounds", "what tiled_extent::pad adds, left out"},
    Term{"proven",
         "Shown from the kernel's text to be free of races, for all inputs of this size. Such an "
         "access needs no check while it runs.",
         "", ""},
    Term{"p5",
         "Of a hundred launches, five are faster than p5 and five slower than p95. A wide gap "
         "means that something else used the device.",
         "", ""},
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

std::string elsewhere(const Term& term) {
  std::string text;
  if (!term.cuda.empty()) {
    text += "CUDA: " + std::string(term.cuda);
  }
  if (!term.amp.empty()) {
    text += (text.empty() ? "C++ AMP: " : " · C++ AMP: ") + std::string(term.amp);
  }
  return text;
}

std::string title(const Term& term) {
  std::string word(term.word);
  word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
  return word;
}

}  // namespace

std::span<const Term> glossary() {
  return kTerms;
}

const Term* term_in(std::string_view words) {
  const Term* best = nullptr;
  for (const Term& term : kTerms) {
    if ((best == nullptr || term.word.size() > best->word.size()) &&
        find_word(words, term.word) != std::string_view::npos) {
      best = &term;
    }
  }
  return best;
}

std::string explained(const Term& term) {
  const std::string other = elsewhere(term);
  return title(term) + ": " + std::string(term.says) + (other.empty() ? "" : "\n" + other);
}

std::string glossary_chapter() {
  std::string text =
      "# Words\n\nThe terms that the window, the tables and the lessons use. Rest the pointer on "
      "one "
      "that is underlined with dots,\nand the window says the same.\n";
  for (const Term& term : kTerms) {
    std::string other = elsewhere(term);
    for (std::size_t at = 0; (at = other.find("__", at)) != std::string::npos; at += 4) {
      other.replace(at, 2, "\\_\\_");  // no emphasis
    }
    text += "\n**" + title(term) + ".** " + std::string(term.says);
    text += other.empty() ? "\n" : " *" + other + ".*\n";
  }
  return text;
}

}  // namespace core
