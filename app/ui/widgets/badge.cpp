#include "ui/widgets/badge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/findings/finding_kinds.h"
#include "ui/canvas/format.h"

namespace ui {
namespace {

std::string counted(std::ptrdiff_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string tiles_text(const core::CheckReport& r) {
  return fmt::format("{}/{}", count_text(r.workgroups_checked), count_text(r.workgroups));
}

// A verdict by itself, then with the tiles, then with the accesses too.
std::vector<std::string> forms(const std::string& verdict, const core::Result& result) {
  const core::CheckReport& r = *result.races;
  const std::string tiles = verdict + " · " + tiles_text(r);
  const std::string counted = tiles + " " + workgroups_word(result);
  return {counted + " · " + accesses_text(r), counted, tiles, verdict};
}

Badge refused(const core::Result& result) {
  const core::Finding& first = result.facts->divergent.front();
  return {BadgeKind::found,
          {fmt::format("refused: divergent barrier, line {}", first.line),
           "refused: divergent barrier", "refused"},
          "Not all invocations of a workgroup reach this barrier, so nothing was run.\n"
          "Click or press C to show its lines.",
          0.0};
}

// Of a kernel that is compiled, or can't be, no verdict is known.
Badge no_verdict(const core::Result& result) {
  return result.stage == core::Stage::compiling
             ? Badge{BadgeKind::waiting,
                     {"compiling"},
                     "The check runs after the first launches.",
                     0.0}
             : Badge{
                   BadgeKind::waiting, {"not run"}, "The kernel does not run; see its error.", 0.0};
}

Badge not_yet(const core::Result& result) {
  if (result.races_progress > 0.0) {
    const int percent = static_cast<int>(100.0 * result.races_progress);
    return {BadgeKind::checking,
            {fmt::format("checking {} %", percent)},
            "The kernel runs again with added code that looks for races.",
            result.races_progress};
  }
  return {BadgeKind::waiting,
          {"not checked yet"},
          "The check for races runs after the first launches.",
          0.0};
}

Badge incomplete(const core::CheckReport& r) {
  const std::string why = r.incomplete.empty() ? std::string("unknown") : r.incomplete.front();
  constexpr std::size_t kBadgeLength = 40;
  std::vector<std::string> texts{"not fully checked: " + why, "not fully checked"};
  if (why.size() > kBadgeLength) {
    texts.erase(texts.begin());
  }
  std::string tooltip = "Not fully checked for races:";
  for (const std::string& reason : r.incomplete) {
    tooltip += "\n" + reason;
  }
  return {BadgeKind::incomplete, texts, tooltip, 0.0};
}

// Half the mark's height.
float radius_of(const Canvas& canvas) {
  return 0.3F * canvas.line_height();
}

void draw_warning(const Canvas& canvas, glm::vec2 m) {
  const float r = 1.1F * radius_of(canvas);
  canvas.list().AddTriangleFilled({m.x, m.y - r}, {m.x + r, m.y + 0.8F * r},
                                  {m.x - r, m.y + 0.8F * r}, canvas.theme().colours.race);
  // Hatched, as the tiles are.
  for (const float at : {-0.35F, 0.05F, 0.45F}) {
    const glm::vec2 low{m.x + at * r, m.y + 0.7F * r};
    canvas.list().AddLine(im(low), {low.x + 0.35F * r, low.y - 0.55F * r}, rgb(0xFFFFFF),
                          canvas.theme().scale);
  }
}

void draw_progress(const Canvas& canvas, glm::vec2 m, double progress) {
  const Theme& theme = canvas.theme();
  const float r = radius_of(canvas);
  canvas.list().AddCircle(im(m), r, theme.colours.line, 0, theme.gap.thin);
  const float start = -0.5F * std::numbers::pi_v<float>;
  const float turn = 2.0F * std::numbers::pi_v<float> * static_cast<float>(progress);
  canvas.list().PathArcTo(im(m), r, start, start + turn, 24);
  canvas.list().PathStroke(theme.colours.accent, 0, theme.gap.thin);
}

}  // namespace

const char* workgroups_word(const core::Result& result) {
  return result.variant.has_tile() ? "tiles" : "workgroups";
}

std::string found_text(const core::CheckReport& report) {
  std::string text;
  const auto add = [&](auto count, const char* one, const char* many) {
    if (count > 0) {
      text += (text.empty() ? "" : ", ") + counted(count, one, many);
    }
  };
  const auto errors = [&](core::FindingKind kind) {
    return std::ranges::count_if(report.findings, [&](const core::Finding& f) {
      return f.kind == kind && f.severity() == core::Severity::error;
    });
  };
  const auto others = [&](core::Severity severity) {
    return std::ranges::count(report.findings, severity, &core::Finding::severity);
  };
  for (const core::FindingRow& row : core::finding_kinds()) {
    add(errors(row.kind), row.one, row.many);
  }
  add(others(core::Severity::warning), "warning", "warnings");
  add(others(core::Severity::assumed), "assumed finding", "assumed findings");
  add(others(core::Severity::note), "note", "notes");
  return text;
}

std::string accesses_text(const core::CheckReport& r) {
  return r.accesses == 0
             ? std::string("no shared memory")
             : fmt::format("{}/{} accesses", r.accesses_proven + r.accesses_checked, r.accesses);
}

Badge badge_of(const core::Result& result) {
  if (result.text_only || result.stage == core::Stage::compiling) {
    return no_verdict(result);
  }
  if (result.refused()) {
    return refused(result);
  }
  if (!result.races) {
    return not_yet(result);
  }
  const core::CheckReport& r = *result.races;
  if (r.verdict == core::Verdict::clean && r.findings.empty()) {
    return {
        BadgeKind::clean, forms("race-free", result),
        fmt::format("{} of {} workgroups checked; {} accesses to shared memory: {} proven free of "
                    "races before the run, {} checked during the run (instrumented).",
                    count_text(r.workgroups_checked), count_text(r.workgroups), r.accesses,
                    r.accesses_proven, r.accesses_checked),
        0.0};
  }
  if (!r.findings.empty()) {
    return {BadgeKind::found, forms(found_text(r), result),
            "Click or press C to show the next finding with its tile and lines.", 0.0};
  }
  return incomplete(r);
}

void draw_badge_mark(const Canvas& canvas, const Rect& area, const Badge& badge) {
  const Palette& c = canvas.theme().colours;
  const float thin = canvas.theme().gap.thin;
  const float r = 0.8F * radius_of(canvas);
  const glm::vec2 m = area.centre() - glm::vec2(thin, 0.0F);
  switch (badge.kind) {
    case BadgeKind::found:
      return draw_warning(canvas, m);
    case BadgeKind::checking:
      return draw_progress(canvas, m, badge.progress);
    case BadgeKind::clean: {
      const std::array<glm::vec2, 3> tick{
          {{m.x - r, m.y}, {m.x - 0.3F * r, m.y + 0.7F * r}, {m.x + r, m.y - 0.8F * r}}};
      return canvas.polyline(tick, c.shared_text, thin);
    }
    case BadgeKind::incomplete:
      canvas.list().AddCircle(im(m), radius_of(canvas), c.barrier_text, 0, 0.75F * thin);
      canvas.fill({{m.x - 0.5F * thin, m.y - 0.6F * r}, {m.x + 0.5F * thin, m.y + 0.2F * r}},
                  c.barrier_text);
      return canvas.dot({m.x, m.y + 0.6F * r}, 0.6F * thin, c.barrier_text);
    case BadgeKind::waiting:
      return canvas.dot(m, 0.4F * radius_of(canvas), c.dim);
  }
}

}  // namespace ui
