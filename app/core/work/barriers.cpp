#include "core/work/barriers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {

std::span<const BarrierKind> barrier_kinds() {
  using enum BarrierKind;
  static constexpr std::array kinds{off,       all,          global,      shared,
                                    fence_all, fence_global, fence_shared};
  return kinds;
}

std::optional<BarrierKind> barrier_kind(const std::string& name) {
  const auto found = std::ranges::find_if(
      barrier_kinds(), [&name](BarrierKind kind) { return to_string(kind) == name; });
  return found == barrier_kinds().end() ? std::nullopt : std::optional(*found);
}

std::string to_string(BarrierKind kind) {
  switch (kind) {
    case BarrierKind::off:
      return "off";
    case BarrierKind::global:
      return "global";
    case BarrierKind::shared:
      return "shared";
    case BarrierKind::fence_all:
      return "fence-all";
    case BarrierKind::fence_global:
      return "fence-global";
    case BarrierKind::fence_shared:
      return "fence-shared";
    case BarrierKind::all:
      break;
  }
  return "all";
}

Expected<std::pair<std::uint32_t, BarrierKind>> parse_barrier_edit(const std::string& text) {
  const auto equals = text.find('=');
  std::uint32_t number = 0;
  const char* const end = text.data() + std::min(equals, text.size());
  const auto [rest, status] = std::from_chars(text.data(), end, number);
  const auto kind =
      equals == std::string::npos ? std::nullopt : barrier_kind(text.substr(equals + 1));
  if (status != std::errc{} || rest != end || number == 0 || !kind) {
    return usage_error(
        "--barrier takes K=KIND, with K counted from 1 and KIND one of off, all, global, shared, "
        "fence-all, fence-global and fence-shared, not \"" +
        text + "\"");
  }
  return std::pair(number, *kind);
}

}  // namespace core
