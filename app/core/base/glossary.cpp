#include "core/base/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace core {
namespace {

constexpr std::array kTerms{
    Term{"kernel", "A program that the device runs many times at once. Each run is an invocation.",
         "kernel", "the function of parallel_for_each", Subject::word},
    Term{"workload",
         "A task with its sizes, inputs and right answer, such as matrix multiplication. Each "
         "kernel that does it is a variant.",
         "", "", Subject::word},
    Term{"variant",
         "One kernel of a workload, such as matmul/tiled. All variants of a workload compute the "
         "same output in different ways.",
         "", "", Subject::word},
    Term{"ladder",
         "The list of the variants of a workload with their times, the simplest variant first. "
         "The window shows it on the left, and the command bench prints it.",
         "", "", Subject::word},
    Term{"catalogue",
         "The workloads and variants that come with Tilescope. The command list prints them.", "",
         "", Subject::word},
    Term{"standalone kernel",
         "A kernel file that does not belong to a workload. Tilescope chooses its sizes and "
         "buffers unless flags give them.",
         "", "", Subject::word},
    Term{"launch",
         "One start of a kernel with all its workgroups, for given sizes, constants and buffers. "
         "A variant can consist of several launches in a fixed order.",
         "kernel launch", "parallel_for_each", Subject::word},
    Term{"host",
         "The program on the CPU that starts the launches. If a launch needs the results of "
         "another one, the host puts a barrier between them that orders all workgroups.",
         "host", "", Subject::word},
    Term{"workgroup",
         "Invocations that share memory and can wait for each other at barriers. In most kernels "
         "each workgroup computes one part of the output, a tile.",
         "block", "tile"},
    Term{"tile",
         "The part of the output that one workgroup computes, or a part of an input that it "
         "copies into shared memory. The tile size is its width in elements.",
         "tile", "", Subject::word},
    Term{"invocation",
         "One run of the kernel's main() with its own id. The invocations of a workgroup run "
         "concurrently, in no fixed order.",
         "thread", "thread"},
    Term{"subgroup",
         "Invocations that the device runs together, 32 or 64 on most GPUs. If only some of them "
         "take a branch, all of them spend the time for it.",
         "warp", ""},
    Term{"lane",
         "The place of an invocation in its subgroup, counted from 0. The lanes of a subgroup "
         "usually execute the same instruction at the same time.",
         "lane", "", Subject::word},
    Term{"multiprocessor",
         "A part of a GPU that runs workgroups and has its own shared memory and registers. An "
         "NVIDIA H200 has 132 of them.",
         "streaming multiprocessor (SM)", "", Subject::word},
    Term{"shared memory",
         "Memory on the chip that belongs to one workgroup and exists as long as the workgroup "
         "runs. It is many times faster than global memory, but small.",
         "__shared__", "tile_static"},
    Term{"global memory",
         "The device's large memory, which holds buffers and images. Reading it costs hundreds "
         "of cycles, so kernels copy tiles of it into shared memory.",
         "global memory", "array, array_view"},
    Term{"cell",
         "One element of an array in memory, drawn as a square. In the grid view, a square may "
         "stand for several elements.",
         "", "", Subject::word},
    Term{"barrier",
         "A point in the kernel at which each invocation of a workgroup waits until all have "
         "reached it. Reads after the barrier see what was written to shared memory before it.",
         "__syncthreads()", "tile_barrier::wait"},
    Term{
        "fence",
        "An instruction that orders memory: an invocation's writes before the fence become visible "
        "to others before its writes after the fence. No invocation waits at a fence.",
        "__threadfence()", "tile_static_memory_fence and others", Subject::word},
    Term{"atomic",
         "A memory operation that no other access can interrupt, such as atomicAdd. Two atomics on "
         "the same element do not race.",
         "atomic function", "atomic_fetch_add and others", Subject::word},
    Term{"order",
         "Two accesses are ordered if one of them is certain to happen before the other. Barriers "
         "order accesses within a workgroup, atomics with fences also accesses of two workgroups.",
         "", "", Subject::word},
    Term{"phase",
         "The part of a run between two barriers, before the first one or after the last one. "
         "Within a phase nothing orders accesses of different invocations, so none may touch what "
         "another one writes.",
         "", "the part between two waits"},
    Term{"race",
         "Two invocations touch the same memory, at least one writes, they are not both atomic, "
         "and nothing orders them. The result depends on chance: it may be right a thousand "
         "times and then wrong.",
         "race (compute-sanitizer racecheck)", "race", Subject::term,
         "In shared memory, put a barrier between the two accesses. In a buffer or an image, "
         "barrier() alone is not enough: add memoryBarrierBuffer() or memoryBarrierImage(). "
         "No barrier orders two workgroups: give each its own elements, use an atomic, or start "
         "another launch between the two accesses. If all invocations write the same value, the "
         "finding is a note."},
    Term{"hazard",
         "The kind of a race, named by the order in which the two accesses should happen. The "
         "kinds are RAW, WAR and WAW.",
         "hazard", "", Subject::word},
    Term{
        "RAW",
        "Read after write: an invocation reads what another one writes, and nothing makes the read "
        "wait for the write. It may read the old value.",
        "RAW hazard", ""},
    Term{"WAR",
         "Write after read: an invocation overwrites what another one still has to read, and "
         "nothing "
         "makes the write wait for the read. The reader may get the new value too early.",
         "WAR hazard", ""},
    Term{"WAW",
         "Write after write: two invocations write the same element, and nothing decides which one "
         "writes last. Which value remains depends on chance.",
         "WAW hazard", ""},
    Term{"sanitizer",
         "The checks that look for races, divergent barriers, bad indices and uninitialized "
         "reads in a launch. The command check prints their report.",
         "compute-sanitizer", "", Subject::word},
    Term{"finding",
         "One problem that the sanitizer reports, with its kind, line and invocation. Its severity "
         "is error, warning, assumed or note.",
         "", "", Subject::word},
    Term{
        "verdict",
        "The sanitizer's result for one launch: clean, racy, divergent, faulty or incomplete. Only "
        "findings with the severity error affect it.",
        "", "", Subject::word},
    Term{"measured",
         "Timed with the device's clock, on the kernel as it is, with no code added. The value "
         "is the median of many launches, with its spread.",
         "cudaEventElapsedTime", ""},
    Term{"instrumented",
         "Recorded by a copy of the kernel with extra code. Its findings are also true of the "
         "original kernel, but its times are those of the copy.",
         "as under compute-sanitizer", ""},
    Term{"modelled",
         "Computed from the kernel and the device's published limits, without a measurement. "
         "Such a value is only as accurate as the model, and is never mixed with measured values.",
         "what the occupancy calculator gives", ""},
    Term{"emulated",
         "Run by Mesa's CPU driver lavapipe instead of a GPU. Times are then those of the CPU, "
         "and say nothing about a GPU.",
         "", "", Subject::word},
    Term{"probe",
         "Code that Tilescope adds to a copy of the kernel to record what it does. The kernel "
         "that is timed contains no probe.",
         "", "", Subject::word},
    Term{"trace",
         "A record of all memory accesses of one workgroup: invocation, element, value and "
         "phase. The tile, banks and advice views show it.",
         "", "", Subject::word},
    Term{"bank",
         "One of the parts of shared memory, each of which serves one word at a time. NVIDIA's "
         "GPUs have 32 banks, and neighbouring words are in neighbouring banks.",
         "bank", "", Subject::word},
    Term{"ways",
         "How many different words a subgroup needs from one bank at once, or how many of its "
         "atomics use one word. The bank serves them one by one; 1 way means that there is no "
         "conflict.",
         "bank conflict of n ways", ""},
    Term{"sectors",
         "Global memory is transferred in sectors of 32 bytes. The fewer sectors an instruction "
         "of a subgroup touches, the fewer unused bytes are transferred.",
         "sectors per request (coalescing)", ""},
    Term{"coalesced",
         "An access to global memory is coalesced if the lanes of a subgroup use neighbouring "
         "elements. It then touches few sectors and transfers few unused bytes.",
         "coalesced", "", Subject::word},
    Term{"halo",
         "The elements around those that a workgroup computes, which the workgroup also reads. "
         "Stencils need a halo, because each output depends on several neighbouring inputs.",
         "halo", "", Subject::word},
    Term{"waves",
         "How many times the device must be filled with workgroups until all of them have run. A "
         "last wave that is nearly empty leaves most multiprocessors idle.",
         "waves (tail effect)", ""},
    Term{"tail",
         "The part at the end of a launch in which no workgroup waits to start, so places of the "
         "device stay free. The fewer waves a launch has, the larger is the share of its tail.",
         "", "", Subject::word},
    Term{"occupancy",
         "The share of a multiprocessor's subgroup slots that are in use at the same time. The "
         "more are in use, the more subgroups can work while others wait for memory.",
         "occupancy", ""},
    Term{"registers",
         "The fastest memory, which holds an invocation's variables. The more registers each "
         "invocation needs, the fewer workgroups fit on a multiprocessor.",
         "registers", ""},
    Term{"speed-up",
         "How many times as fast a variant is as the first variant of its ladder. A value above "
         "1 means faster, in every view.",
         "speed-up", ""},
    Term{"useful",
         "Invocations that compute a part of the output. If the size is not a multiple of the "
         "tile size, the other invocations lie beyond the edge and are idle.",
         "threads inside the bounds", "all but those that tiled_extent::pad adds"},
    Term{"proven",
         "An access that is known to be correct before the run, from the kernel's code and the "
         "sizes of this launch. It needs no check during the run.",
         "", ""},
    Term{"checked",
         "An access that could not be proven correct, so the probe observes it during the run. "
         "Without a finding, it was correct in this run.",
         "", "", Subject::word},
    Term{"p5",
         "Of a hundred launches, five take less time than p5, and five take more time than p95. "
         "A wide range between the two often means that something else used the device.",
         "", ""},
    Term{"p95",
         "The time that five of a hundred launches exceed, just as five take less than p5. "
         "Whiskers in the views reach from p5 to p95.",
         "", "", Subject::word},
    Term{"scene",
         "A file that describes a picture of the window: kernel, sizes, view and settings. The "
         "same scene gives the same picture again.",
         "", "", Subject::word},
    Term{"saved launch",
         "A folder with all that a launch needs: compiled kernel, sources, constants and contents "
         "of buffers. Every command that takes a kernel also takes such a folder.",
         "", "", Subject::word},
    Term{
        "module",
        "A compiled kernel in the language SPIR-V, which Vulkan drivers accept. Tilescope compiles "
        "GLSL and HLSL to it, and takes modules from captured programs.",
        "PTX module", "", Subject::word},
    Term{"binding",
         "The number by which a kernel names a buffer or an image, within a numbered set. In "
         "reports, set and binding are two numbers with a dot between them.",
         "", "", Subject::word},
    Term{"push constants",
         "A small block of values that a launch passes to all invocations, such as sizes. The "
         "kernel can read them but not change them.",
         "kernel parameters", "captured variables", Subject::word},
    Term{"specialization constant",
         "A constant of a kernel that gets its value when a launch is prepared, such as a tile "
         "size. From then on the driver compiles it as a fixed number.",
         "template parameter", "template parameter", Subject::word},
    Term{"poison",
         "The pattern that Tilescope writes to outputs before a run. Elements that still hold it "
         "after the run were not written.",
         "", "", Subject::word},
    Term{"reference",
         "The output that a kernel's output is compared with. A workload has its own, and for a "
         "standalone kernel the flag --reference names a kernel that computes it.",
         "", "", Subject::word},
    Term{"ceiling",
         "The highest rate of arithmetic or memory that Tilescope measured on this device. The "
         "roofline view draws each ceiling as a line.",
         "", "", Subject::word},
    Term{
        "divergent-barrier",
        "Some invocations of a workgroup can miss a barrier that others reach. Those that reach it "
        "may wait there forever.",
        "divergent __syncthreads (synccheck)", "error C3561", Subject::finding,
        "Move the barrier out of the branch, or let the other invocations do nothing instead of "
        "returning early. The report names the barrier's line and the condition's line."},
    Term{"out-of-bounds",
         "An index is outside its array, buffer or image. The access would touch other memory.",
         "out of bounds (memcheck)", "", Subject::finding,
         "Compare the index with the length before the access, or clamp it. If Tilescope chose the "
         "length, pass the real one with --buffer."},
    Term{"unfinished-loop",
         "The sanitizer or the driver ended a loop after too many iterations. Nothing is known "
         "about the code after the loop; findings in other code are reported.",
         "", "", Subject::finding,
         "Check the loop's condition and the values that it waits for. Mesa's CPU driver lavapipe "
         "ends the loops of an invocation after 65,535 iterations in total, so a longer loop "
         "may be right on a GPU. Check it with fewer iterations, or on a GPU."},
    Term{"uninitialized",
         "Shared memory or a local variable is read before anything wrote it. The read may return "
         "any value.",
         "uninitialized (initcheck)", "", Subject::finding,
         "Write the element first, and put a barrier between the writes of other invocations and "
         "this read."},
    Term{"inactive-lane",
         "A shuffle or a broadcast reads a lane that is not active: its invocation returned, took "
         "another path, or does not exist. The kernel uses the undefined value.",
         "", "", Subject::finding,
         "Let all invocations of the subgroup execute the operation: replace an early return by "
         "a neutral value, such as 0 for a sum. Or use the value only if the lane is active."},
    Term{"misaligned",
         "The address of a buffer reference is not a multiple of the alignment that its type "
         "declares. A type that declares none has 16 bytes.",
         "misaligned address (memcheck)", "", Subject::finding,
         "Declare the alignment that the addresses have with buffer_reference_align, or round the "
         "address."},
    Term{"arithmetic",
         "A NaN or infinity is stored in a buffer, an integer is divided by zero, or a shift "
         "exceeds the width. The result is not useful, and later code may use it.",
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
         "No error was found in the code that ran. The verdict is about this launch alone, with "
         "these sizes, on this device.",
         "", "", Subject::verdict},
    Term{"racy",
         "At least one data race with the severity error was found. A race that is a note or "
         "assumed does not count.",
         "", "", Subject::verdict},
    Term{
        "divergent",
        "In this launch, some invocations of a workgroup can miss a barrier that others reach. See "
        "divergent-barrier.",
        "", "", Subject::verdict},
    Term{"faulty",
         "An index is out of bounds, or memory is read before it is written. What the kernel does "
         "after such a fault is undefined.",
         "", "", Subject::verdict},
    Term{"incomplete",
         "Part of the launch could not be checked, such as the code after a loop that was ended "
         "early, and no race, divergent barrier or fault was found. The report lists each part "
         "with its reason.",
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
         "The code is unusual, but may be intended. With --notes-ok it does not change the exit "
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
      "# Glossary\n\nTerms used in the window, the tables, the lessons and this manual. In the "
      "window, terms with a\ndotted underline show their definition when you point at them. "
      "`tilescope explain WORD` prints the\ndefinition.\n";
  for (const Term& term : kTerms) {
    if (term.subject != Subject::term && term.subject != Subject::word) {
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
  add_section(
      page, "Findings",
      "`check --only races,bounds,init,sync,arithmetic` chooses the checks. The "
      "report\nnames the checks that were left out. A comment accepts a finding at its line:\n"
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
