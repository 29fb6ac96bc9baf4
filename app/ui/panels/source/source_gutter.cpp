#include "ui/panels/source/source_gutter.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/report/advice.h"
#include "ui/editor/editor.h"
#include "ui/edits.h"
#include "ui/panels/top_bar.h"
#include "ui/widgets/names.h"
#include "ui/widgets/phase_colour.h"

namespace ui {
namespace {

constexpr const char* kMenu = "barrier menu";

const char* kind_text(std::optional<core::BarrierKind> kind) {
  if (!kind) {
    return "orders no memory";
  }
  switch (*kind) {
    case core::BarrierKind::off:
      return "off";
    case core::BarrierKind::all:
      return "orders all memory";
    case core::BarrierKind::global:
      return "orders global memory only";
    case core::BarrierKind::shared:
      return "orders shared memory only";
    case core::BarrierKind::fence_all:
      return "orders all memory, no wait";
    case core::BarrierKind::fence_global:
      return "orders global memory only, no wait";
    case core::BarrierKind::fence_shared:
      break;
  }
  return "orders shared memory only, no wait";
}

void note_finding(const ShownKernel& kernel, const core::Finding& finding,
                  const std::array<std::uint32_t, 3>& local_size, bool chosen, SourceNotes& notes) {
  if (!finding.kernel.empty() && finding.kernel != kernel.id) {
    return;
  }
  const auto mark = [&](std::uint32_t line, const std::string& file, const std::string& tag) {
    if (line == 0 || !kernel.shows(file)) {
      return;
    }
    LineNotes& at = notes[line];
    at.mark = std::max(at.mark, chosen ? LineMark::chosen : LineMark::finding);
    if (chosen && at.tag.find(tag) == std::string::npos) {  // one condition may part many barriers
      at.tag += (at.tag.empty() ? "" : ", ") + tag;
    }
  };
  if (finding.kind == core::FindingKind::race) {
    for (const core::RaceSide* side : {&finding.first, &finding.second}) {
      mark(side->line, side->file,
           fmt::format("{} by {}", core::to_string(side->access),
                       invocation_name(side->invocation, local_size)));
    }
    return;
  }
  const bool divergent = finding.kind == core::FindingKind::divergent_barrier;
  mark(finding.line, finding.file, divergent ? "barrier" : core::to_string(finding.kind));
  if (divergent) {
    mark(finding.condition_line, finding.first.file, "condition");
  }
}

void note_advice(const ShownKernel& kernel, const core::Advice& advice, SourceNotes& notes) {
  for (const core::ArrayAdvice& array : advice.arrays) {
    for (const core::ArrayRead& read : array.reads) {
      if (read.at.line != 0 && kernel.shows(read.at.file)) {
        std::string& at = notes[read.at.line].advice;
        at += (at.empty() ? "" : ", ") + core::tag(array, read);
      }
    }
  }
}

// That a line declares so that launches can choose it; empty: none.
std::string_view chosen_constant(std::string_view line) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const std::size_t at = line.find("constant_id");
  const std::size_t close = at == std::string_view::npos ? at : line.find(')', at);
  const std::size_t equals = close == std::string_view::npos ? close : line.find('=', close);
  if (equals == std::string_view::npos || line.find("//") < at) {
    return {};
  }
  std::size_t last = equals;
  while (last > close && !is_word(line[last - 1])) {
    --last;
  }
  std::size_t first = last;
  while (first > close && is_word(line[first - 1])) {
    --first;
  }
  return line.substr(first, last - first);
}

void note_constants(const ShownKernel& kernel, SourceNotes& notes) {
  const auto& chosen = kernel.facts->chosen;
  std::string_view rest = kernel.runs;
  for (std::uint32_t line = 1; !rest.empty() && !chosen.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const auto found = chosen.find(std::string(chosen_constant(rest.substr(0, end))));
    if (found != chosen.end()) {
      notes[line].value = fmt::format("{} = {} here", found->first, found->second);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void draw_finding_mark(const Canvas& canvas, const Gutter& gutter, const Rect& strip,
                       LineMark mark) {
  const Theme& theme = canvas.theme();
  const bool chosen = mark == LineMark::chosen;
  canvas.fill(strip, fade(theme.colours.race, chosen ? 0.24F : 0.10F));
  // On both sides, hatched.
  for (const float left : {strip.low.x, strip.high.x - gutter.marks}) {
    const Rect bar{{left, strip.low.y}, {left + gutter.marks, strip.high.y}};
    canvas.fill(bar, fade(theme.colours.race, chosen ? 0.55F : 0.25F));
    canvas.stripes(bar, theme.colours.race);
  }
}

// Filled: it makes wait; hollow: nobody waits; hollow and struck out, beside its number: it is off.
// The letter beside tells what it was turned into.
void draw_dot(const Frame& frame, const Canvas& canvas, const Rect& box, std::uint32_t k,
              bool hovered) {
  const Theme& theme = frame.theme;
  const Palette& c = theme.colours;
  const auto edit = barrier_edit(frame.state.wanted, k);
  const bool off = edit == core::BarrierKind::off;
  const float thin = 0.75F * theme.gap.thin;
  const float r = 0.5F * std::min(0.7F * canvas.line_height(), box.height() - thin);
  const glm::vec2 m{box.low.x + r + thin, box.centre().y};
  if (hovered || frame.state.barrier == k) {
    canvas.list().AddCircle(im(m), r + thin, c.accent, 0, thin);
  }
  const bool hollow = off || (edit && !core::waits(*edit));
  if (hollow) {
    canvas.list().AddCircle(im(m), r, c.barrier_text, 0, thin);
  } else {
    canvas.dot(m, r, c.barrier);
    canvas.list().AddCircle(im(m), r, c.barrier_text, 0, 1.0F);
  }
  canvas.write({m - r, m + r}, std::to_string(k), pen::mono.in(hollow ? c.text : rgb(0x1B1F26)),
               Align::centre);
  if (off) {
    for (const float side : {-1.0F, 1.0F}) {
      const glm::vec2 d = side * glm::vec2(r, -r);
      canvas.list().AddLine(im(m + 0.62F * d), im(m + 0.95F * d), c.barrier_text, thin);
    }
  } else if (edit) {
    canvas.write({{m.x + r + thin, box.low.y}, box.high}, core::to_string(*edit).substr(0, 1),
                 pen::mono.in(&Palette::barrier_text));
  }
}

void draw_barrier(const Frame& frame, const Canvas& canvas, const Rect& box, std::uint32_t k) {
  const ShownKernel kernel = frame.kernel();
  const core::KernelBarrier& barrier = kernel.facts->barriers[k - kernel.barriers_before - 1];
  const Hit mouse = hit(fmt::format("barrier {}", k).c_str(), box);
  draw_dot(frame, canvas, box, k, mouse.hovered);
  if (mouse.clicked) {
    frame.state.barrier = k;
    frame.actions().want(toggled_barrier(frame.state.wanted, k));
  }
  if (mouse.hovered && ImGui::IsMouseClicked(1)) {
    frame.state.barrier = k;
    frame.state.open_barrier_menu = true;
  }
  if (mouse.hovered) {
    const bool edited = barrier_edit(frame.state.wanted, k).has_value();
    ImGui::SetTooltip("barrier %u: %s%s\nclick, or %u: %s\nright click, or B: choose its kind", k,
                      kind_text(barrier.now), edited ? " (edited)" : "", k,
                      edited ? "restore it" : "switch it off");
  }
  if (frame.state.open_barrier_menu && frame.state.barrier == k) {
    frame.state.barrier_menu_at = {box.high.x, box.low.y};
  }
}

void draw_bands(const Frame& frame, const Canvas& canvas, const Rect& column, std::uint32_t bits) {
  const ShownKernel kernel = frame.kernel();
  const Theme& theme = frame.theme;
  const auto banded = banded_phases(kernel);
  for (std::size_t i = 0; i < banded.size(); ++i) {
    const float left = column.low.x + static_cast<float>(i + 1) * theme.gap.medium;
    const Rect band{{left, column.low.y}, {left + theme.gap.small, column.high.y}};
    if ((bits >> i & 1U) != 0) {
      const core::KernelPhase& phase = kernel.facts->phases[banded[i]];
      canvas.fill(band, phase_colour(theme.colours, phase));
      if (ImGui::IsWindowHovered() &&
          band.inset(-1.0F, 0.0F).contains(vec(ImGui::GetIO().MousePos))) {
        const std::string from =
            phase.opened_by == 0
                ? std::string("from the start of the kernel")
                : fmt::format("starts at barrier {}", kernel.barriers_before + phase.opened_by);
        ImGui::SetTooltip("phase %zu: %s, %s", banded[i] + 1, phase.name().c_str(), from.c_str());
      }
    }
  }
}

// The margin of what did not run is greyed, as idle lanes are.
void draw_unreached(const Canvas& canvas, const Rect& margin) {
  const Palette& c = canvas.theme().colours;
  canvas.fill(margin, fade(c.idle, 0.25F));
  canvas.stripes(margin, fade(c.idle, 0.9F));
  if (ImGui::IsWindowHovered() && margin.contains(vec(ImGui::GetIO().MousePos))) {
    tell("no invocation executed this line in the checked launch");
  }
}

// Of a barrier's dot with the letter of its kind.
float dot_width(const Canvas& canvas) {
  return 0.7F * canvas.line_height() + 6.0F * canvas.theme().gap.thin +
         std::ceil(canvas.width("s", pen::mono));
}

// The lines of the shown file.
std::span<const std::uint32_t> lines_of(const core::KernelPhase& phase, const ShownKernel& kernel) {
  if (kernel.file == 0) {
    return phase.lines;
  }
  const auto included = phase.included.find(kernel.path());
  return included == phase.included.end() ? std::span<const std::uint32_t>() : included->second;
}

// Of the text that runs, by its own lines.
SourceNotes running_notes(const core::Result& result, State& state) {
  SourceNotes notes;
  const ShownKernel kernel = shown_kernel(state, result);
  if (kernel.facts == nullptr) {
    return notes;
  }
  const core::KernelFacts& facts = *kernel.facts;
  for (std::size_t i = 0; i < facts.barriers.size(); ++i) {
    const core::SourcePlace& at = facts.barriers[i].at;
    if (at.line != 0 && kernel.shows(at.file)) {
      notes[at.line].barriers.push_back(kernel.barriers_before + static_cast<std::uint32_t>(i + 1));
    }
  }
  const auto banded = banded_phases(kernel);
  for (std::size_t i = 0; i < banded.size(); ++i) {
    for (const std::uint32_t line : lines_of(facts.phases[banded[i]], kernel)) {
      notes[line].phases |= 1U << i;
    }
  }
  note_constants(kernel, notes);
  if (result.advice && current_view(state.view, result) == "advice") {
    note_advice(kernel, *result.advice, notes);
  }
  if (result.races) {
    const core::Finding* chosen = chosen_finding(state.view, result);
    const glm::uvec3 local = result.tiles.local_size;
    for (const core::Finding& finding : result.races->findings) {
      // A refused kernel has little else to show, and a view tells of the only race by itself.
      const bool only =
          chosen == nullptr && (result.refused() || result.races->findings.size() == 1);
      note_finding(kernel, finding, {local.x, local.y, local.z}, &finding == chosen || only, notes);
    }
    for (const core::UnreachedLine& line : result.races->unreached) {
      if ((line.kernel.empty() || line.kernel == kernel.id) && kernel.shows(line.file)) {
        notes[line.line].unreached = true;
      }
    }
  }
  return notes;
}

}  // namespace

SourceNotes source_notes(const core::Result& result, State& state) {
  SourceNotes notes = running_notes(result, state);
  const ShownKernel kernel = shown_kernel(state, result);
  const std::string& runs = kernel.runs;
  if (kernel.source == runs) {
    return notes;
  }
  SourceNotes moved;  // to where their lines are now; changed lines have none
  const auto before = lines_before(runs, kernel.source);
  for (std::size_t line = 0; line < before.size(); ++line) {
    if (const auto found = notes.find(before[line]); found != notes.end()) {
      moved.emplace(static_cast<std::uint32_t>(line + 1), std::move(found->second));
    }
  }
  return moved;
}

std::vector<std::size_t> banded_phases(const ShownKernel& kernel) {
  const std::size_t count = kernel.facts != nullptr ? kernel.facts->phases.size() : 0;
  if (count < 2 || kernel.keeps_phases_back) {
    return {};
  }
  std::vector<std::size_t> banded(count);
  std::iota(banded.begin(), banded.end(), std::size_t{0});
  std::ranges::stable_sort(banded, std::greater<>(), [&kernel](std::size_t i) {
    return lines_of(kernel.facts->phases[i], kernel).size();
  });
  banded.resize(std::min(count, most_phases));
  std::ranges::sort(banded);
  return banded;
}

Gutter measure_gutter(const Canvas& canvas, const ShownKernel& kernel, const SourceNotes& notes) {
  const Gaps& gap = canvas.theme().gap;
  std::size_t most = 0;
  for (const auto& [line, note] : notes) {
    most = std::max(most, std::min<std::size_t>(note.barriers.size(), 3));
  }
  return {.marks = gap.small,
          .barriers = static_cast<float>(most) * dot_width(canvas),
          .numbers = canvas.width("0000", pen::mono) + gap.thin,
          .bands = gap.large + static_cast<float>(banded_phases(kernel).size()) * gap.medium};
}

void draw_gutter(const Frame& frame, const Canvas& canvas, const Gutter& gutter, const Rect& strip,
                 std::uint32_t number, const LineNotes& notes) {
  const Theme& theme = frame.theme;
  if (notes.mark != LineMark::none) {
    draw_finding_mark(canvas, gutter, strip, notes.mark);
  }
  Rect rest = strip;
  if (notes.unreached) {
    draw_unreached(canvas,
                   {strip.low, {strip.low.x + gutter.width() - theme.gap.medium, strip.high.y}});
  }
  rest.cut_left(gutter.marks);
  Rect dots = rest.cut_left(gutter.barriers);
  const Rect told = rest.cut_left(gutter.numbers);
  if (number != 0) {
    for (const std::uint32_t k : notes.barriers) {
      draw_barrier(frame, canvas, dots.cut_left(dot_width(canvas)).inset(theme.gap.thin, 0.0F), k);
    }
    canvas.write(told, std::to_string(number), pen::mono_dim, Align::right);
  }
  draw_bands(frame, canvas, rest.cut_left(gutter.bands), notes.phases);
}

void draw_barrier_menu(const Frame& frame) {
  State& state = frame.state;
  if (std::exchange(state.open_barrier_menu, false)) {
    ImGui::OpenPopup(kMenu);
  }
  if (!ImGui::IsPopupOpen(kMenu)) {
    return;
  }
  std::vector<Choice> choices;
  const auto add = [&](std::string name, std::optional<core::BarrierKind> kind) {
    choices.push_back({std::move(name), "", barrier_edit(state.wanted, state.barrier) == kind,
                       [&frame, &state, kind] {
                         frame.actions().want(with_barrier(state.wanted, state.barrier, kind));
                       }});
  };
  add("unchanged", std::nullopt);
  add("off", core::BarrierKind::off);
  for (const core::BarrierKind kind : core::barrier_kinds().subspan(1)) {
    add(fmt::format("{}: {}", core::to_string(kind), kind_text(kind)), kind);
  }
  ImGui::SetNextWindowPos(im(state.barrier_menu_at), ImGuiCond_Appearing, {0.0F, 1.0F});
  draw_choices(frame, kMenu, fmt::format("barrier {} (G: next kind)", state.barrier), choices);
}

}  // namespace ui
