#include "lab/probe/search.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/read/assumptions.h"
#include "lab/run/implied_lengths.h"
#include "spirv/reflection/value_sources.h"

namespace lab {
namespace {

using Kind = LaunchToTry::Kind;

constexpr std::uint64_t kLeastRange = 2;
constexpr double kWhole = 1e9;  // ms: launches go as one dispatch

class Search {
 public:
  Search(const spirv::Examination& x, const core::Dispatch& dispatch, const core::Experiment& given,
         const core::CheckReport& report)
      : x_(x),
        dispatch_(dispatch),
        given_(given),
        report_(report),
        origins_(x.program.module),
        local_(x.program.interface.local_size) {
    for (std::size_t d = 0; d < 3; ++d) {
      groups_.at(d) = dispatch.groups[static_cast<int>(d)];
      extent_.at(d) = groups_.at(d) * local_.at(d);
    }
  }

  std::vector<LaunchToTry> run() {
    const std::vector<core::Sizes> sizes = sizes_to_try();
    const bool open = leaves_contents_open();
    if (open) {
      find_deciding();
      add_contents(Kind::equal, "equal values in {}", "equal=1", "equal=1");
    }
    if (!sizes.empty()) {
      add_sizes(sizes.front());
    }
    if (open) {
      const std::uint64_t below = range();
      add_contents(Kind::random, fmt::format("random values from 0 to {} in {{}}", below - 1),
                   fmt::format("random={}", below), "random");
      add_contents(Kind::zero, "zeros in {}", "zero", "zero");
    }
    for (const core::Sizes& more :
         std::span(sizes).subspan(std::min<std::size_t>(1, sizes.size()))) {
      add_sizes(more);
    }
    if (open) {
      add_contents(Kind::range, "negative numbers in {}", "", "negative");
      add_contents(Kind::range, "large numbers in {}", "", "large");
    }
    return std::move(found_);
  }

 private:
  // Something is left to be looked at in a run, and may be different with other contents.
  [[nodiscard]] bool leaves_contents_open() const {
    return !dispatch_.chosen.contents.empty() &&
           (!report_.unexercised.empty() || report_.accesses_checked > 0 ||
            report_.buffers_proven < report_.buffer_accesses ||
            report_.images_proven < report_.image_accesses || report_.indices_checked > 0 ||
            !report_.reads_checked.empty() || !report_.converged.empty());
  }

  // Resources whose contents decide where or whether memory is accessed.
  void find_deciding() {
    std::vector<spirv::Id> values = spirv::index_values(x_.program.module);
    for (const spirv::Block& block : x_.program.function.blocks) {
      const spirv::Instruction& last = block.terminator();
      if (last.op == spv::Op::OpBranchConditional || last.op == spv::Op::OpSwitch) {
        values.push_back(last.word(0));
      }
    }
    const auto sources = origins_.of(std::move(values), spirv::ValueOrigins::Follow::choices);
    for (const spirv::Binding& b : x_.program.interface.bindings) {
      const bool read = sources.contents.contains(b.variable) ||
                        std::ranges::any_of(sources.members, [&](const auto& member) {
                          return member.first == b.variable;
                        });
      const bool lock = b.touches.plain.empty() && !b.touches.synchronized.empty();
      if (!read || lock || !dispatch_.chosen.contents.contains(b.binding) ||
          dispatch_.resources[b.binding].kind == core::ResourceKind::uniform_buffer ||
          dispatch_.resources[b.binding].kind == core::ResourceKind::sampler ||
          (b.runtime_stride == 0 && only_named_members(b))) {
        continue;
      }
      deciding_.insert(b.binding);
    }
  }

  // Blocks without an array: their members are chosen one by one.
  [[nodiscard]] static bool only_named_members(const spirv::Binding& b) {
    return !b.members.empty() && std::ranges::none_of(b.members, [](const auto& m) {
      return m.repeated || m.type.find('[') != std::string::npos;
    });
  }

  // Numbers that lead inside of all that they index, and of which there are many equal ones.
  [[nodiscard]] std::uint64_t range() const {
    std::uint64_t least = std::uint64_t{extent_[0]} * extent_[1] * extent_[2] / 2;
    const auto note = [&](spirv::Id index, std::uint64_t length) {
      const auto sources = origins_.of(index);
      const bool decides = std::ranges::any_of(sources.contents, [&](spirv::Id variable) {
        const auto& all = x_.program.interface.bindings;
        const auto b = std::ranges::find(all, variable, &spirv::Binding::variable);
        return b != all.end() && deciding_.contains(b->binding);
      });
      least = decides && length > 0 ? std::min(least, length) : least;
    };
    for (const spirv::Site& site : x_.sites.all()) {
      for (const auto& term : site.terms) {
        note(term.index, term.length);
      }
    }
    for (const spirv::BufferSite& site : x_.buffers.all()) {
      const std::size_t n = x_.buffers.memories()[site.memory].binding;
      for (const auto& term : site.terms) {
        const std::uint64_t bytes =
            n < dispatch_.resources.size() ? dispatch_.resources[n].bytes : 0;
        note(term.index,
             term.length != 0 ? term.length : bytes / std::max<std::uint64_t>(term.stride, 1));
      }
    }
    return std::max(least, kLeastRange);
  }

  // `whole` is for whole numbers, `floating` for floats; empty: they stay as they are.
  void add_contents(Kind kind, const std::string& what, const std::string& whole,
                    const std::string& floating) {
    LaunchToTry launch{.kind = kind};
    std::vector<std::string> names;
    for (const spirv::Binding& b : x_.program.interface.bindings) {
      if (!deciding_.contains(b.binding)) {
        continue;
      }
      for (std::size_t n = b.binding;
           n < dispatch_.resources.size() && dispatch_.resources[n].element == n - b.binding; ++n) {
        const core::Resource& resource = dispatch_.resources[n];
        const std::string& text = resource.words == core::Words::floating ? floating : whole;
        // Random floats are what the first launch has.
        const bool same = kind == Kind::random && resource.words == core::Words::floating &&
                          resource.content.fill == core::Fill::random;
        if (!text.empty() && !same) {
          launch.values.buffers[resource.place()] = text;
        }
      }
      if (!launch.values.buffers.empty() &&
          launch.values.buffers.contains(dispatch_.resources[b.binding].place())) {
        names.push_back(shown_name(b));
      }
    }
    if (!names.empty()) {
      launch.what = fmt::format(fmt::runtime(what), fmt::join(names, ", "));
      found_.push_back(std::move(launch));
    }
  }

  // A member that no value was given for, and that the kernel compares with ids.
  [[nodiscard]] std::set<std::uint32_t> chosen_directions() const {
    std::set<std::uint32_t> found;
    const auto note = [&](const std::vector<spirv::BlockMember>& members) {
      for (const spirv::BlockMember& member : members) {
        if (member.extent.of != spirv::LaunchExtent::Of::items ||
            !dispatch_.chosen.members.contains(member.name)) {
          continue;
        }
        const bool vector = member.type.starts_with("uvec") || member.type.starts_with("ivec");
        for (std::uint32_t k = 0; k < (vector ? member.bytes / 4 : 1); ++k) {
          found.insert(std::min(member.extent.direction + k, 2U));
        }
      }
    };
    note(x_.program.interface.push_constants);
    for (const spirv::Binding& b : x_.program.interface.bindings) {
      note(b.members);
    }
    return found;
  }

  // Numbers of items. The first launch has whole workgroups of them.
  [[nodiscard]] std::vector<core::Sizes> sizes_to_try() const {
    const core::Sizes whole(extent_.begin(), extent_.end());
    if (!given_.choices.items.empty()) {
      core::Sizes items = given_.choices.items;
      items.resize(3, 1);
      return {items};
    }
    const auto directions = chosen_directions();
    if (directions.empty()) {
      return {whole};
    }
    const bool groups_given = !dispatch_.chosen.groups;
    core::Sizes ragged = whole;
    core::Sizes one = whole;
    for (const std::uint32_t d : directions) {
      const std::uint32_t size = local_.at(d);
      const std::uint32_t groups =
          groups_given || groups_.at(d) < 3 ? groups_.at(d) : groups_.at(d) - 1;
      ragged[d] = (groups - 1) * size + (size < 3 ? 1 : size / 2 + 1);
      one[d] = 1;
    }
    return {ragged, one};
  }

  void add_sizes(const core::Sizes& items) {
    ItemsOfLaunch launch;
    for (std::size_t d = 0; d < 3; ++d) {
      launch.items.at(d) = items[d];
      launch.groups.at(d) =
          dispatch_.chosen.groups ? (items[d] - 1) / local_.at(d) + 1 : groups_.at(d);
    }
    LaunchToTry tried{.kind = Kind::sizes};
    std::vector<std::string> exact;
    for (const auto& [n, length] : implied_lengths(x_, dispatch_, launch)) {
      const std::string text = length.exact ? length_text(n, length.elements) : "";
      if (!text.empty()) {
        tried.values.buffers[dispatch_.resources[n].place()] = text;
        exact.push_back(shown_name(
            *std::ranges::find(x_.program.interface.bindings, n, &spirv::Binding::binding)));
      }
    }
    const bool same = std::ranges::equal(items, extent_) || chosen_directions().empty();
    if (same && exact.empty()) {
      return;
    }
    tried.values.items = items;
    const std::string count = items[2] > 1   ? fmt::format("{}", fmt::join(items, " × "))
                              : items[1] > 1 ? fmt::format("{} × {}", items[0], items[1])
                                             : std::to_string(items[0]);
    tried.what = fmt::format("{} item{}", count, count == "1" ? "" : "s");
    if (!exact.empty()) {
      tried.what += fmt::format(", {} exactly as long as needed", fmt::join(exact, ", "));
    }
    found_.push_back(std::move(tried));
  }

  // As --buffer has it; empty if the length was given, or is that already.
  [[nodiscard]] std::string length_text(std::size_t n,
                                        const std::array<std::uint64_t, 3>& lengths) const {
    const core::Resource& resource = dispatch_.resources[n];
    const auto& all = x_.program.interface.bindings;
    const auto b = std::ranges::find(all, n, &spirv::Binding::binding);
    if (!dispatch_.chosen.lengths.contains(n) || b == all.end() || b->descriptors != 1) {
      return {};
    }
    if (!resource.has_texels()) {
      const std::uint64_t bytes = b->bytes + lengths[0] * b->runtime_stride;
      return bytes == resource.bytes ? "" : std::to_string(bytes);
    }
    core::ImageShape image = resource.image;
    const bool simple = resource.kind == core::ResourceKind::storage_image && !image.arrayed &&
                        (image.dimensions == core::ImageDimensions::two ||
                         image.dimensions == core::ImageDimensions::one);
    const std::size_t count = image.dimensions == core::ImageDimensions::two ? 2 : 1;
    for (std::size_t k = 0; k < count; ++k) {
      if (lengths.at(k) == 0) {
        return {};
      }
      image.extent.at(k) = static_cast<std::uint32_t>(lengths.at(k));
    }
    if (!simple || image.extent == resource.image.extent) {
      return {};
    }
    return count == 2 ? fmt::format("{}x{}", image.extent[0], image.extent[1])
                      : std::to_string(image.extent[0]);
  }

  const spirv::Examination& x_;
  const core::Dispatch& dispatch_;
  const core::Experiment& given_;
  const core::CheckReport& report_;
  spirv::ValueOrigins origins_;
  const std::array<std::uint32_t, 3> local_;
  std::array<std::uint32_t, 3> groups_{};
  std::array<std::uint32_t, 3> extent_{};
  std::set<std::size_t> deciding_;
  std::vector<LaunchToTry> found_;
};

bool has_error(const core::CheckReport& report, core::FindingKind kind) {
  return std::ranges::any_of(report.findings, [kind](const core::Finding& f) {
    return f.kind == kind && f.severity() == core::Severity::error;
  });
}

std::string condition(const LaunchToTry& launch, const std::set<std::string>& placing) {
  if (launch.kind == Kind::sizes) {
    return "with " + launch.what;
  }
  const bool equal = launch.kind == Kind::equal || launch.kind == Kind::zero;
  return equal && !placing.empty()
             ? fmt::format("if {} contains equal values", fmt::join(placing, " or "))
             : "with " + launch.what;
}

bool is_contents(const LaunchToTry& launch) {
  return launch.kind != Kind::sizes;
}

// It depends on more than equal values: the kernel may not expect what was tried.
bool is_open(const LaunchToTry& launch, const core::Finding& f,
             const std::set<std::string>& placing) {
  const bool random = launch.kind == Kind::random || launch.kind == Kind::range;
  return f.severity() == core::Severity::assumed || (random && !placing.empty()) ||
         (is_contents(launch) && f.kind == core::FindingKind::out_of_bounds);
}

// A lock that equal values make several invocations of a subgroup wait for. Other loops may only be
// long with these contents.
bool is_deadlock(const LaunchToTry& launch, const core::Finding& f) {
  return launch.kind == Kind::equal && f.second.line != 0;
}

// All races on a variable are between two plain writes.
bool only_writes(const core::CheckReport& found, const std::string& variable) {
  return std::ranges::all_of(found.findings, [&](const core::Finding& f) {
    return f.kind != core::FindingKind::race || f.variable != variable ||
           (f.first.access == core::Access::write && f.second.access == core::Access::write);
  });
}

bool is_known(const core::CheckReport& report, const core::Finding& f) {
  return std::ranges::any_of(report.findings, [&](const core::Finding& other) {
    return !other.when.empty() && other.kind == f.kind && other.variable == f.variable &&
           other.line == f.line && other.first.line == f.first.line &&
           other.second.line == f.second.line && other.hazard == f.hazard;
  });
}

// `specimen` is of the launch that was tried. Writes to places that equal values choose are no
// error: the values may be meant to differ.
void add_tried(const LaunchToTry& launch, Specimen& specimen, std::vector<std::string> flags,
               const core::CheckReport& found, core::CheckReport& report) {
  core::TriedLaunch tried{.what = launch.what, .flags = std::move(flags)};
  const auto examination = specimen.bounded();
  if (!examination) {
    return;
  }
  const Assumptions assumptions(**examination, specimen.dispatch());
  std::vector<core::Finding> added;
  std::set<std::string> scattered;  // variables whose writers may expect different places
  const auto placing_of = [&](const core::Finding& f) {
    return f.kind == core::FindingKind::race ? assumptions.contents_placing(f)
                                             : std::set<std::string>();
  };
  const auto is_scattered = [&](const core::Finding& f) {
    return is_contents(launch) && !placing_of(f).empty() && only_writes(found, f.variable);
  };
  for (const core::Finding& f : found.findings) {
    if (is_scattered(f)) {
      scattered.insert(f.variable);
    }
  }
  for (core::Finding f : found.findings) {
    const bool skip = f.severity() == core::Severity::note ||
                      f.severity() == core::Severity::warning || has_error(report, f.kind) ||
                      (f.kind == core::FindingKind::unfinished_loop && !is_deadlock(launch, f));
    const auto placing = placing_of(f);
    const bool scatters = is_scattered(f);
    if (skip || is_known(report, f)) {
      continue;
    }
    const bool left = f.kind == core::FindingKind::uninitialized && scattered.contains(f.variable);
    if (is_open(launch, f, placing) || left) {
      tried.assumed.push_back(f.sentence());
      continue;
    }
    f.when = condition(launch, placing);
    f.flags = tried.flags;
    if (f.kind == core::FindingKind::unfinished_loop) {
      report.incomplete.push_back(f.sentence());
    }
    // The launch that was asked for may only have sizes that Tilescope did not try.
    f.other_sizes = f.kind == core::FindingKind::divergent_barrier;
    if (scatters) {
      f.chosen = {fmt::format("the contents of {}", fmt::join(placing, ", "))};
    } else if (!f.other_sizes) {
      ++tried.errors;
    }
    added.push_back(std::move(f));
  }
  for (const core::Finding& f : added) {
    std::erase_if(report.findings, [&](const core::Finding& warned) {
      const bool weaker = warned.other_sizes || (warned.severity() == core::Severity::assumed &&
                                                 f.severity() == core::Severity::error);
      return weaker && warned.kind == f.kind && warned.line == f.line && warned.file == f.file &&
             warned.variable == f.variable && warned.first.line == f.first.line &&
             warned.second.line == f.second.line;
    });
  }
  report.findings.insert(report.findings.end(), added.begin(), added.end());
  report.tried.push_back(std::move(tried));
}

}  // namespace

std::vector<LaunchToTry> launches_to_try(Specimen& first, const core::Experiment& given,
                                         const core::CheckReport& report) {
  const core::ChosenValues& chosen = first.dispatch().chosen;
  const bool error = std::ranges::any_of(report.findings, [](const core::Finding& f) {
    return f.severity() == core::Severity::error;
  });
  const auto examination = first.bounded();
  if (error || report.workgroups_checked == 0 || !examination ||
      (chosen.contents.empty() && chosen.lengths.empty() && chosen.members.empty())) {
    return {};
  }
  return Search(**examination, first.dispatch(), given, report).run();
}

void add_too_long(Specimen& specimen, core::CheckReport& report) {
  const auto examination = specimen.bounded();
  if (!examination) {
    return;
  }
  const core::Dispatch& dispatch = specimen.dispatch();
  const auto& bindings = (*examination)->program.interface.bindings;
  for (const auto& [n, length] :
       implied_lengths(**examination, dispatch, ItemsOfLaunch::of(**examination, dispatch))) {
    const auto b = std::ranges::find(bindings, n, &spirv::Binding::binding);
    const core::Resource& resource = dispatch.resources[n];
    const bool given = !dispatch.chosen.lengths.contains(n) && !dispatch.chosen.implied.contains(n);
    if (!given || b == bindings.end() || b->runtime_stride == 0 || resource.bytes < b->bytes) {
      continue;
    }
    const std::uint64_t elements = (resource.bytes - b->bytes) / b->runtime_stride;
    if (elements > length.elements[0]) {
      report.remarks.push_back(
          fmt::format("{} has {} elements, but the launch accesses only the first {}, so an index "
                      "after those is "
                      "not found; a length of {} bytes would find it",
                      shown_name(*b), elements, length.elements[0],
                      b->bytes + length.elements[0] * b->runtime_stride));
    }
  }
}

double search_budget(double first_ms) {
  return std::max(3.0 * first_ms, 5000.0);
}

core::Expected<void> try_launches(Workbench& bench, const core::Variant& variant,
                                  const core::Experiment& experiment, const CheckOptions& options,
                                  double budget_ms, const std::vector<LaunchToTry>& launches,
                                  core::CheckReport& report) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto ms = [start] {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  CheckOptions own = options;
  own.measure = false;
  own.observer = [&](std::uint64_t done) {
    return ms() < budget_ms && (!options.observer || options.observer(done));
  };
  double longest = 0.0;
  for (const LaunchToTry& launch : launches) {
    const double before = ms();
    if (before + longest > budget_ms || !own.observer(0)) {
      report.not_tried.push_back(launch.what);
      continue;
    }
    core::Experiment other = experiment;
    other.choices.tried = launch.values;
    const auto setup = bench.set_up(variant, other, kWhole);
    const auto found =
        setup ? check(bench.device(), (*setup)->turns(), own) : std::unexpected(setup.error());
    if (!found) {
      report.not_tried.push_back(launch.what + ": " + found.error().message);
      if (found.error().device_lost) {
        return std::unexpected(found.error());
      }
      continue;
    }
    if (found->workgroups_checked < found->workgroups) {
      report.not_tried.push_back(fmt::format("{}: {} of {} workgroups were checked", launch.what,
                                             found->workgroups_checked, found->workgroups));
    }
    add_tried(launch, *(*setup)->turns().front().specimen, (*setup)->chosen, *found, report);
    if (report.add_exercise(*found)) {
      report.remarks.push_back(fmt::format(
          "the first launch did not run all kinds of access; a launch with {} did", launch.what));
    }
    longest = std::max(longest, ms() - before);
  }
  report.sort_findings();
  report.judge();
  return {};
}

}  // namespace lab
