#include "core/report/advice.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace core {
namespace {

// Elements that few others read again are not worth a copy: halos and a row's ends.
constexpr double kWorthwhile = 1.5;
constexpr std::uint64_t kShort = 128;  // bytes: a line of the first cache on today's GPUs
// Of what a site reads, so much must reach shared memory for it to be staging.
constexpr double kMostly = 0.9;

using Places = std::vector<std::uint64_t>;                             // of Trace::accesses
using Writers = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // invocation and value

// What each invocation writes to shared memory, at any time, sorted: a kernel that fetches ahead
// writes it a phase later.
Writers shared_writes(const Trace& trace) {
  Writers written;
  for (const TracedAccess& a : trace.accesses) {
    const TracedSite& site = trace.sites[a.site];
    if (site.writes && trace.variables[site.variable].memory == MemoryKind::shared) {
      written.emplace_back(a.invocation, a.value);
    }
  }
  std::ranges::sort(written);
  written.erase(std::unique(written.begin(), written.end()), written.end());
  return written;
}

// The invocation with its coordinate along the dimension set to 0: the same for all that differ
// in that alone.
std::uint64_t line_of(std::uint32_t invocation, const std::array<std::uint32_t, 3>& size, int d) {
  const std::uint64_t stride = d == 0 ? 1 : d == 1 ? size[0] : std::uint64_t{size[0]} * size[1];
  return invocation - invocation / stride % size[static_cast<std::size_t>(d)] * stride;
}

// Do invocations that differ along the dimension alone read the same place, each time, and are
// there ever two of them?
bool is_invariant(const Trace& trace, const Places& places, int d) {
  if (trace.local_size[static_cast<std::size_t>(d)] < 2) {
    return false;
  }
  struct Read {
    std::uint32_t site, turn, scalar;
    std::uint64_t line, offset;
    [[nodiscard]] auto together() const { return std::tie(site, turn, scalar, line); }
  };
  std::vector<Read> reads;
  reads.reserve(places.size());
  for (const std::uint64_t place : places) {
    const TracedAccess& a = trace.accesses[place];
    reads.push_back(
        {a.site, a.turn, a.scalar, line_of(a.invocation, trace.local_size, d), a.offset});
  }
  std::ranges::sort(reads, {},
                    [](const Read& r) { return std::tie(r.site, r.turn, r.scalar, r.line); });
  bool together = false;
  for (std::size_t i = 1; i < reads.size(); ++i) {
    if (reads[i].together() == reads[i - 1].together()) {
      if (reads[i].offset != reads[i - 1].offset) {
        return false;
      }
      together = true;
    }
  }
  return together;
}

bool is_staged(const Trace& trace, const Places& places, const Writers& written) {
  const auto kept = std::ranges::count_if(places, [&](std::uint64_t place) {
    const TracedAccess& a = trace.accesses[place];
    return std::ranges::binary_search(written, std::pair(a.invocation, a.value));
  });
  return static_cast<double>(kept) >= kMostly * static_cast<double>(places.size());
}

// Places of the reads of each array, by place in the text; atomics are no reads that a copy could
// serve.
using ReadsOf = std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, Places>;

std::map<std::uint32_t, ReadsOf> reads_by_array(const Trace& trace) {
  std::map<std::uint32_t, ReadsOf> reads;
  for (std::uint64_t n = 0; n < trace.accesses.size(); ++n) {
    const TracedSite& site = trace.sites[trace.accesses[n].site];
    if (site.access == Access::read &&
        trace.variables[site.variable].memory == MemoryKind::global) {
      reads[site.variable][{site.at.file, site.at.line, site.at.column}].push_back(n);
    }
  }
  return reads;
}

// Bytes asked for and distinct bytes, and which invocations read an element.
void count(const Trace& trace, const ReadsOf& reads, ArrayAdvice& array) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs;  // offset and invocation
  std::uint64_t element = 0;
  for (const auto& [at, places] : reads) {
    for (const std::uint64_t place : places) {
      const TracedAccess& a = trace.accesses[place];
      element = trace.sites[a.site].scalar_bytes;
      array.asked += element;
      pairs.emplace_back(a.offset, a.invocation);
    }
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::uint64_t elements = 0;
  std::span<const std::pair<std::uint64_t, std::uint32_t>> most;
  for (std::size_t first = 0, last = 0; first < pairs.size(); first = last, ++elements) {
    while (last < pairs.size() && pairs[last].first == pairs[first].first) {
      ++last;
    }
    if (last - first > most.size()) {
      most = std::span(pairs).subspan(first, last - first);
    }
  }
  std::ranges::transform(most, std::back_inserter(array.most_read_by),
                         [](const auto& pair) { return pair.second; });
  array.distinct = elements * element;
  array.readers = static_cast<double>(pairs.size()) / static_cast<double>(elements);
}

bool is_written(const Trace& trace, std::uint32_t variable) {
  return std::ranges::any_of(trace.accesses, [&](const TracedAccess& a) {
    return trace.sites[a.site].variable == variable && trace.sites[a.site].writes;
  });
}

bool read_by_all_together(const ArrayRead& read, const std::array<std::uint32_t, 3>& local_size) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (local_size[d] > 1 && !read.invariant[d]) {
      return false;
    }
  }
  return true;
}

Tiling judge(const ArrayAdvice& array) {
  if (array.written || array.is_short) {
    return Tiling::nothing;
  }
  const bool again = array.times() >= kWorthwhile;
  if (again && std::ranges::any_of(array.reads, [](const ArrayRead& read) {
        return !read.staged && read.is_streamed();
      })) {
    return Tiling::worth;
  }
  if (std::ranges::any_of(array.reads, &ArrayRead::staged)) {
    return Tiling::staged;
  }
  const bool neighbours = std::ranges::any_of(
      array.reads, [](const ArrayRead& read) { return dimensions_text(read.invariant).empty(); });
  return again && neighbours && array.readers >= kWorthwhile ? Tiling::worth : Tiling::nothing;
}

ArrayAdvice judge(const Trace& trace, std::uint32_t variable, const ReadsOf& reads,
                  const Writers& written) {
  ArrayAdvice array{.variable = variable, .name = trace.variables[variable].name};
  for (const auto& [at, places] : reads) {
    ArrayRead read{.at = trace.sites[trace.accesses[places.front()].site].at};
    for (int d = 0; d < 3; ++d) {
      read.invariant[static_cast<std::size_t>(d)] = is_invariant(trace, places, d);
    }
    for (const std::uint64_t place : places) {
      read.turns = std::max(read.turns, trace.accesses[place].turn + 1);
    }
    read.staged = is_staged(trace, places, written);
    array.reads.push_back(read);
  }
  count(trace, reads, array);
  array.written = is_written(trace, variable);
  array.is_short =
      array.distinct <= kShort && std::ranges::all_of(array.reads, [&trace](const ArrayRead& read) {
        return read_by_all_together(read, trace.local_size);
      });
  array.tiling = judge(array);
  return array;
}

// Three significant digits: "16", "1.25".
std::string short_number(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 3)
                       .ptr;
  return {digits.data(), end};
}

std::string times_text(double times) {
  return times < 1.005 ? "once" : short_number(times) + " times";
}

std::string why_worth(const ArrayAdvice& array, const Advice& advice) {
  const std::array<bool, 3> invariant = array.invariant();
  const std::string dimensions = dimensions_text(invariant);
  return dimensions.empty() ? "neighbouring invocations read the same elements: each is read " +
                                  times_text(array.times()) +
                                  ". Use a tile that also holds the elements around it."
                            : readers_text(invariant, advice.local_size) +
                                  " read the same element at once (the index does not depend on " +
                                  dimensions + "). Each is read " + times_text(array.times()) +
                                  "; once per workgroup is enough.";
}

std::string why_nothing(const ArrayAdvice& array) {
  if (array.written) {
    return "the workgroup also writes to it, so a copy could become out of date.";
  }
  if (array.is_short) {
    return "all invocations read the same " + std::to_string(array.distinct) +
           " bytes, few enough for one cache line.";
  }
  if (array.times() < kWorthwhile) {
    return "each element is read " + times_text(array.times()) + ", so a copy would not help.";
  }
  return array.for_registers()
             ? "each invocation reads only its own elements, " + times_text(array.times()) +
                   " each: keep them in registers."
             : "each invocation reads it once, outside loops, so a copy would not help.";
}

// Why nothing more is to be staged where something is already: what is not staged is named, it may
// be read as often as it likes.
std::string nothing_more(const Advice& advice) {
  std::string staged;
  const ArrayAdvice* other = nullptr;
  std::size_t others = 0;
  for (const ArrayAdvice& array : advice.arrays) {
    if (array.tiling == Tiling::staged) {
      staged += (staged.empty() ? "" : " and ") + array.name;
    } else {
      other = &array;
      ++others;
    }
  }
  const std::string begin = "Nothing more to copy: ";
  if (others == 0) {
    return begin + "everything that is read already goes through shared memory";
  }
  const std::string goes = begin + staged +
                           (others + 1 < advice.arrays.size() ? " already go" : " already goes") +
                           " through shared memory; ";
  if (others > 1) {
    return goes + "copies of the other arrays would not help";
  }
  if (other->written) {
    return goes + "a copy of " + other->name + " could become out of date";
  }
  if (other->is_short) {
    return goes + "one load of " + other->name + " serves a whole subgroup";
  }
  return other->times() < kWorthwhile
             ? goes + other->name + " is read " + times_text(other->times())
             : goes + "a copy of " + other->name + " would not help";
}

}  // namespace

bool ArrayRead::is_streamed() const {
  return turns > 1 && (invariant[0] || invariant[1] || invariant[2]);
}

double ArrayAdvice::times() const {
  return distinct == 0 ? 0.0 : static_cast<double>(asked) / static_cast<double>(distinct);
}

bool ArrayAdvice::for_registers() const {
  return tiling == Tiling::nothing && !written && !is_short && times() >= kWorthwhile &&
         readers < kWorthwhile;
}

std::array<bool, 3> ArrayAdvice::invariant() const {
  std::array<bool, 3> any{};
  for (const ArrayRead& read : reads) {
    for (std::size_t d = 0; d < 3 && !read.staged; ++d) {
      any[d] = any[d] || (read.is_streamed() && read.invariant[d]);
    }
  }
  return any;
}

Advice advice_of(const Trace& trace, std::uint64_t workgroups) {
  Advice advice{.arrays = {},
                .workgroup = trace.workgroup,
                .local_size = trace.local_size,
                .workgroups = workgroups,
                .lost = trace.lost,
                .incomplete = trace.incomplete};
  const Writers written = shared_writes(trace);
  for (const auto& [variable, reads] : reads_by_array(trace)) {
    advice.arrays.push_back(judge(trace, variable, reads, written));
  }
  std::ranges::stable_sort(advice.arrays, std::greater(), [](const ArrayAdvice& array) {
    return std::pair(array.tiling == Tiling::worth, array.saved());
  });
  return advice;
}

std::string to_string(Tiling tiling) {
  return tiling == Tiling::worth ? "tiling" : tiling == Tiling::staged ? "staged" : "nothing";
}

std::string dimensions_text(const std::array<bool, 3>& dimensions) {
  std::string text;
  for (std::size_t d = 0; d < 3; ++d) {
    if (dimensions[d]) {
      text += (text.empty() ? "" : " and ") + std::string(1, "xyz"[d]);
    }
  }
  return text;
}

std::string readers_text(const std::array<bool, 3>& invariant,
                         const std::array<std::uint32_t, 3>& local_size) {
  std::uint64_t together = 1;
  std::uint64_t all = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    all *= local_size[d];
    together *= invariant[d] ? local_size[d] : 1;
  }
  return together == all ? "all " + std::to_string(all) + " invocations"
                         : "the " + std::to_string(together) + " invocations along " +
                               dimensions_text(invariant);
}

bool advises(const Advice& advice) {
  return std::ranges::any_of(advice.arrays, [](const ArrayAdvice& array) {
    return array.tiling == Tiling::worth || array.for_registers();
  });
}

std::string headline(const Advice& advice) {
  std::string names;
  std::uint64_t asked = 0;
  std::uint64_t distinct = 0;
  for (const ArrayAdvice& array : advice.arrays) {
    if (array.tiling == Tiling::worth) {
      names += (names.empty() ? "" : " and ") + array.name;
      asked += array.asked;
      distinct += array.distinct;
    }
  }
  if (!names.empty()) {
    return "Copy " + names + " to shared memory: " +
           short_number(static_cast<double>(asked) / static_cast<double>(distinct)) +
           " times fewer global reads";
  }
  const auto own = std::ranges::find_if(advice.arrays, &ArrayAdvice::for_registers);
  if (own != advice.arrays.end()) {
    return "Keep " + own->name + " in registers: each invocation reads only its own elements, " +
           times_text(own->times());
  }
  if (advice.arrays.empty()) {
    return "Nothing to copy: this workgroup reads nothing from global memory";
  }
  return std::ranges::any_of(advice.arrays,
                             [](const auto& array) { return array.tiling == Tiling::staged; })
             ? nothing_more(advice)
             : "Nothing to copy: no array is read often enough within a workgroup";
}

std::string sentence(const ArrayAdvice& array, const Advice& advice) {
  switch (array.tiling) {
    case Tiling::worth:
      return why_worth(array, advice);
    case Tiling::staged:
      return "already copied to shared memory: each element is read " + times_text(array.times()) +
             " from global memory.";
    case Tiling::nothing:
      break;
  }
  return why_nothing(array);
}

std::string tag(const ArrayAdvice& array, const ArrayRead& read) {
  const std::string dimensions = dimensions_text(read.invariant);
  return array.name + (read.staged ? ": copied"
                       : dimensions.empty() && array.reads.size() > 1
                           ? ": one element per invocation"
                       : dimensions.empty() ? ": read " + times_text(array.times())
                                            : ": same for all " + dimensions);
}

}  // namespace core
