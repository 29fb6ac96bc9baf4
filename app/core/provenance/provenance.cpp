#include "core/provenance/provenance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/model/instructions.h"
#include "core/provenance/traced_values.h"

namespace core {
namespace {

constexpr std::size_t kDeepest = 12;       // levels of the tree
constexpr std::size_t kMostGroups = 4096;  // in the tree

bool is_strange(const Trace& trace, std::size_t access) {
  const TracedAccess& a = trace.accesses[access];
  const TracedSite& site = trace.sites[a.site];
  return site.scalar == ScalarKind::floating &&
         !std::isfinite(number_of(a.value, site.scalar, site.scalar_bytes));
}

class Follower {
 public:
  explicit Follower(const Trace& trace) : trace_(trace) {
    for (std::size_t i = 0; i < trace.accesses.size(); ++i) {
      const TracedAccess& a = trace.accesses[i];
      const TracedSite& site = trace.sites[a.site];
      if (site.writes) {
        writes_[{site.variable, a.offset}].push_back(i);
      }
      by_site_[{a.invocation, a.site}].push_back(i);
    }
  }

  std::optional<Provenance> follow(std::uint32_t variable, std::uint64_t offset) {
    const auto last = writes_.find({variable, offset});
    if (last == writes_.end()) {
      return std::nullopt;
    }
    static_cast<void>(number_of_write(last->second.back()));
    for (std::size_t n = 0; n < out_.writes.size(); ++n) {
      std::vector<ValueRead> reads;
      for (const std::size_t read : inputs_of(out_.writes[n].access)) {
        const auto write = write_before(read);
        reads.push_back({read, write ? number_of_write(*write) : std::nullopt});
      }
      out_.writes[n].reads = std::move(reads);
    }
    find_strange();
    return std::move(out_);
  }

 private:
  // The place of a write in the result; nothing if there are too many.
  std::optional<std::size_t> number_of_write(std::size_t access) {
    const auto known = numbers_.find(access);
    if (known != numbers_.end()) {
      return known->second;
    }
    if (out_.writes.size() == Provenance::most_writes) {
      out_.cut = true;
      return std::nullopt;
    }
    numbers_[access] = out_.writes.size();
    out_.writes.push_back({access, {}});
    return out_.writes.size() - 1;
  }

  // The reads that a written value was computed from, in the order of the invocation.
  [[nodiscard]] std::vector<std::size_t> inputs_of(std::size_t write) const {
    const TracedAccess& w = trace_.accesses[write];
    std::vector<std::size_t> inputs;
    for (const TracedFeed& feed : trace_.sites[w.site].fed_by) {
      const auto own = by_site_.find({w.invocation, feed.site});
      if (own == by_site_.end()) {
        continue;
      }
      const auto& all = own->second;
      const auto end = std::ranges::find_if(
          all, [&](std::size_t i) { return trace_.accesses[i].moment > w.moment; });
      const auto before = static_cast<std::size_t>(end - all.begin());
      for (std::size_t k = 0; k < before; ++k) {
        const bool newest =
            trace_.accesses[all[k]].moment == trace_.accesses[all[before - 1]].moment;
        if ((feed.carried || newest) && all[k] != write) {
          inputs.push_back(all[k]);
        }
      }
    }
    std::ranges::sort(inputs, {}, [this](std::size_t i) {
      return std::tuple(trace_.accesses[i].moment, trace_.accesses[i].scalar);
    });
    return inputs;
  }

  // The write whose value a read saw: the last one of the same invocation, else one of an earlier
  // phase, else one of the same phase that wrote the same value.
  [[nodiscard]] std::optional<std::size_t> write_before(std::size_t read) const {
    const TracedAccess& r = trace_.accesses[read];
    const auto all = writes_.find({trace_.sites[r.site].variable, r.offset});
    std::optional<std::size_t> best;
    auto best_rank = std::tuple(0, 0U, 0U);
    for (std::size_t k = 0; all != writes_.end() && k < all->second.size(); ++k) {
      const std::size_t i = all->second[k];
      const TracedAccess& w = trace_.accesses[i];
      const bool own = w.invocation == r.invocation;
      if (i == read || w.phase > r.phase || (own && w.moment >= r.moment)) {
        continue;
      }
      const bool ordered = own || w.phase < r.phase;
      if (!ordered && w.value != r.value) {
        continue;
      }
      const auto rank = std::tuple(ordered ? 1 : 0, w.phase, w.moment);
      if (!best || rank >= best_rank) {
        best = i;
        best_rank = rank;
      }
    }
    return best;
  }

  void find_strange() {
    std::set<std::size_t> seen;
    for (std::size_t n = 0; is_strange(trace_, out_.writes[n].access) && seen.insert(n).second;) {
      const auto& reads = out_.writes[n].reads;
      const auto read = std::ranges::find_if(
          reads, [this](const ValueRead& r) { return is_strange(trace_, r.access); });
      if (read == reads.end()) {
        out_.strange = {out_.writes[n].access, true};
        return;
      }
      out_.strange = {read->access, false};
      if (!read->write || !is_strange(trace_, out_.writes[*read->write].access)) {
        return;
      }
      n = *read->write;
    }
  }

  const Trace& trace_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::size_t>> writes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_site_;
  std::map<std::size_t, std::size_t> numbers_;
  Provenance out_;
};

// Makes a tree of sets of accesses, each of one place in the text and one phase.
class Grouper {
 public:
  Grouper(const Trace& trace, const Provenance& provenance)
      : trace_(trace), provenance_(provenance) {}

  ProvenanceGroup of_writes(const std::set<std::size_t>& numbers, std::size_t depth) {
    ProvenanceGroup group{.writes = true};
    std::map<std::size_t, std::set<std::size_t>> reads;  // accesses, and the writes before them
    for (const std::size_t n : numbers) {
      group.accesses.push_back(provenance_.writes[n].access);
      for (const ValueRead& read : provenance_.writes[n].reads) {
        auto& before = reads[read.access];
        if (read.write) {
          before.insert(*read.write);
        }
      }
    }
    sort(group.accesses);
    // Reads of a variable at one line are one group, in all phases that a loop has.
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<std::size_t>> sites;
    for (const auto& [access, before] : reads) {
      const TracedSite& site = trace_.sites[trace_.accesses[access].site];
      sites[{site.at.file, site.at.line, site.variable}].push_back(access);
    }
    for (auto& [place, accesses] : sites) {
      ProvenanceGroup part{.accesses = accesses};
      std::map<std::uint32_t, std::set<std::size_t>> writers;
      for (const std::size_t access : accesses) {
        for (const std::size_t n : reads.at(access)) {
          writers[trace_.accesses[provenance_.writes[n].access].site].insert(n);
        }
      }
      for (const auto& [writer, all] : writers) {
        if (depth < kDeepest && groups_left_ > 0) {
          --groups_left_;
          part.from.push_back(of_writes(without_cycles(all, numbers), depth + 1));
        }
      }
      std::erase_if(part.from, [](const ProvenanceGroup& g) { return g.accesses.empty(); });
      sort(part.accesses);
      group.from.push_back(std::move(part));
    }
    return group;
  }

 private:
  static std::set<std::size_t> without_cycles(std::set<std::size_t> all,
                                              const std::set<std::size_t>& numbers) {
    std::erase_if(all, [&](std::size_t n) { return numbers.contains(n); });
    return all;
  }
  void sort(std::vector<std::size_t>& accesses) const {
    std::ranges::sort(accesses, {}, [this](std::size_t i) {
      const TracedAccess& a = trace_.accesses[i];
      return std::tuple(a.offset, a.phase, a.invocation);
    });
  }

  const Trace& trace_;
  const Provenance& provenance_;
  std::size_t groups_left_ = kMostGroups;  // two buffers that feed each other make 2^depth of them
};

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

std::string element_of(const Trace& trace, std::size_t access) {
  const TracedAccess& a = trace.accesses[access];
  const TracedVariable& v = trace.variables[trace.sites[a.site].variable];
  return element_name(v, a.offset / element_bytes(v));
}

std::string value_of(const Trace& trace, std::size_t access) {
  const TracedSite& site = trace.sites[trace.accesses[access].site];
  return value_text(trace.accesses[access].value, site.scalar, site.scalar_bytes);
}

std::string line_text(const SourcePlace& at) {
  return at.line > 0 ? "line " + std::to_string(at.line) : std::string("unknown line");
}

// "c[3] = 4", or "16 values (tile_a[2][0] to tile_a[2][15])".
std::string elements_text(const Trace& trace, const std::vector<std::size_t>& accesses) {
  std::set<std::uint64_t> offsets;
  for (const std::size_t access : accesses) {
    offsets.insert(trace.accesses[access].offset);
  }
  const std::string first = element_of(trace, accesses.front());
  return offsets.size() == 1 ? first + " = " + value_of(trace, accesses.back())
                             : std::to_string(offsets.size()) + " values (" + first + " to " +
                                   element_of(trace, accesses.back()) + ")";
}

std::string invocations_text(const Trace& trace, const std::vector<std::size_t>& accesses) {
  std::set<std::uint32_t> all;
  for (const std::size_t access : accesses) {
    all.insert(trace.accesses[access].invocation);
  }
  const std::string first = triple(invocation_at(trace, *all.begin()));
  return all.size() == 1 ? "invocation " + first
                         : std::to_string(all.size()) + " invocations from " + first + " to " +
                               triple(invocation_at(trace, *all.rbegin()));
}

std::string phases_text(const Trace& trace, const std::vector<std::size_t>& accesses) {
  const auto [first, last] =
      std::ranges::minmax(accesses, {}, [&](std::size_t i) { return trace.accesses[i].phase; });
  const std::uint32_t low = trace.accesses[first].phase + 1;
  const std::uint32_t high = trace.accesses[last].phase + 1;
  return low == high ? "phase " + std::to_string(low)
                     : "phases " + std::to_string(low) + " to " + std::to_string(high);
}

void add_lines(const Trace& trace, const ProvenanceGroup& group, std::size_t depth,
               std::vector<ProvenanceLine>& lines) {
  const TracedSite& site = trace.sites[trace.accesses[group.accesses.front()].site];
  const TracedVariable& v = trace.variables[site.variable];
  std::string text = group.writes
                         ? line_text(site.at) + ": " + invocations_text(trace, group.accesses) +
                               " wrote " + elements_text(trace, group.accesses) + " in " +
                               phases_text(trace, group.accesses)
                         : line_text(site.at) + ": read " + elements_text(trace, group.accesses) +
                               " from " + (v.memory == MemoryKind::shared ? "shared" : "global") +
                               " memory in " + phases_text(trace, group.accesses);
  if (depth == 0) {
    text += " of workgroup " + triple(trace.workgroup);
  }
  if (group.writes && group.from.empty()) {
    text += site.access == Access::atomic ? "" : "; computed without reading memory";
  }
  lines.push_back({depth, std::move(text), site.at, group.accesses});
  for (const ProvenanceGroup& from : group.from) {
    add_lines(trace, from, depth + 1, lines);
  }
}

}  // namespace

std::optional<Provenance> provenance_of(const Trace& trace, std::uint32_t variable,
                                        std::uint64_t offset) {
  return Follower(trace).follow(variable, offset);
}

ProvenanceGroup grouped(const Trace& trace, const Provenance& provenance) {
  return Grouper(trace, provenance).of_writes({0}, 0);
}

std::vector<ProvenanceLine> in_words(const Trace& trace, const Provenance& provenance) {
  std::vector<ProvenanceLine> lines;
  add_lines(trace, grouped(trace, provenance), 0, lines);
  return lines;
}

std::string strange_words(const Trace& trace, const Provenance& provenance) {
  if (!provenance.strange) {
    return {};
  }
  const std::size_t access = provenance.strange->access;
  const TracedSite& site = trace.sites[trace.accesses[access].site];
  // The word is about the element; the value that it comes from may be another one.
  const TracedAccess& own = trace.accesses[provenance.writes.front().access];
  const TracedSite& written = trace.sites[own.site];
  const bool nan = std::isnan(number_of(own.value, written.scalar, written.scalar_bytes));
  const std::string what = nan ? "NaN" : "infinity";
  const std::string element = element_of(trace, access) + " = " + value_of(trace, access);
  return provenance.strange->computed
             ? "the first " + what + " is at " + line_text(site.at) + ": invocation " +
                   triple(invocation_at(trace, trace.accesses[access].invocation)) + " computed " +
                   element + " from finite values"
             : "the first " + what + " was read from memory at " + line_text(site.at) + ": " +
                   element;
}

}  // namespace core
