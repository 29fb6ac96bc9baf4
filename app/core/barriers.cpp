#include "core/barriers.h"

#include <charconv>

namespace core {

std::optional<BarrierKind> barrier_kind(const std::string& name) {
  for (const BarrierKind kind :
       {BarrierKind::off, BarrierKind::all, BarrierKind::global, BarrierKind::shared}) {
    if (to_string(kind) == name) {
      return kind;
    }
  }
  return std::nullopt;
}

std::string to_string(BarrierKind kind) {
  switch (kind) {
    case BarrierKind::off:
      return "off";
    case BarrierKind::global:
      return "global";
    case BarrierKind::shared:
      return "shared";
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
    return usage_error("--barrier takes K=off, all, global or shared, K counted from 1; not \"" +
                       text + "\"");
  }
  return std::pair(number, *kind);
}

}  // namespace core
