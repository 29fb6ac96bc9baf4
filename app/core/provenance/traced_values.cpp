#include "core/provenance/traced_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <glm/gtc/packing.hpp>

namespace core {
namespace {

std::string digits(double value, const char* form) {
  if (std::isnan(value)) {
    return "nan";
  }
  std::array<char, 400> text{};
  (void)std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

}  // namespace

double number_of(std::uint64_t bits, ScalarKind kind, std::uint32_t bytes) {
  switch (kind) {
    case ScalarKind::boolean:
      return bits != 0 ? 1.0 : 0.0;
    case ScalarKind::unsigned_integer:
      return static_cast<double>(bits);
    case ScalarKind::signed_integer: {
      const std::uint32_t unused = 64U - 8U * std::clamp(bytes, 1U, 8U);
      return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    case ScalarKind::floating:
      break;
  }
  switch (bytes) {
    case 2:
      return static_cast<double>(glm::unpackHalf1x16(static_cast<std::uint16_t>(bits)));
    case 4:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case 8:
      return std::bit_cast<double>(bits);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string value_text(std::uint64_t bits, ScalarKind kind, std::uint32_t bytes) {
  const double value = number_of(bits, kind, bytes);
  return kind == ScalarKind::boolean    ? (bits != 0 ? "true" : "false")
         : kind == ScalarKind::floating ? digits(value, "%.4g")
                                        : digits(value, "%.0f");
}

std::uint64_t element_count(const TracedVariable& variable) {
  std::uint64_t count = 1;
  for (const std::uint32_t length : variable.dimensions) {
    count *= std::max(length, 1U);
  }
  return count;
}

std::string element_name(const TracedVariable& variable, std::uint64_t element) {
  std::string index;
  for (auto d = variable.dimensions.rbegin(); d != variable.dimensions.rend(); ++d) {
    const std::uint64_t length = std::max(*d, 1U);
    index.insert(0, "[" + std::to_string(element % length) + "]");
    element /= length;
  }
  return variable.name + index;
}

std::array<std::uint32_t, 3> invocation_at(const Trace& trace, std::uint32_t number) {
  const auto& size = trace.local_size;
  return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
}

double touched_bytes(const Trace& trace, std::uint64_t workgroups) {
  std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
  std::vector<double> own(trace.variables.size(), 0.0);
  for (const TracedAccess& access : trace.accesses) {
    const TracedSite& site = trace.sites[access.site];
    if (trace.variables[site.variable].memory == MemoryKind::global &&
        seen.insert({site.variable, access.offset}).second) {
      own[site.variable] += site.stored_bytes != 0 ? site.stored_bytes : site.scalar_bytes;
    }
  }
  double total = 0.0;
  for (std::size_t v = 0; v < own.size(); ++v) {
    total += std::min(own[v] * static_cast<double>(workgroups),
                      static_cast<double>(trace.variables[v].bytes));
  }
  return total;
}

}  // namespace core
