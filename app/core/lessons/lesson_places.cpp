// Facts of a run that are places: what a click is compared with.
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <sstream>

#include "core/lessons/lesson.h"
#include "core/model/instructions.h"
#include "core/report/banks.h"
#include "core/report/trace_races.h"

namespace core {
namespace {

using What = ClickedOn::What;
using Places = std::optional<std::vector<std::uint64_t>>;

struct Asked {
  std::string array;                       ///< empty: of no array
  std::vector<std::uint32_t> coordinates;  ///< of an invocation, an element, a result
};

struct PlaceFact {
  const char* name;
  What what;
  bool coordinates;  ///< it needs some
  bool array;
  Places (*of)(const Result& result, const Asked& asked);
  bool about_cell = false;  ///< the coordinate is an element of the array
};

std::optional<std::uint32_t> array_named(const Trace& trace, const std::string& name) {
  const auto found = std::ranges::find_if(trace.variables, [&](const TracedVariable& v) {
    return v.memory == MemoryKind::shared && v.name == name;
  });
  return found == trace.variables.end()
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(found - trace.variables.begin()));
}

std::uint64_t element_count(const TracedVariable& v) {
  return v.bytes / element_bytes(v);
}

std::uint64_t local_index(const Trace& trace, const std::vector<std::uint32_t>& at) {
  std::uint64_t index = 0;
  std::uint64_t stride = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    index += stride * (d < at.size() ? at[d] : 0);
    stride *= trace.local_size[d];
  }
  return index;
}

void sort_once(std::vector<std::uint64_t>& places) {
  std::ranges::sort(places);
  const auto [first, last] = std::ranges::unique(places);
  places.erase(first, last);
}

// What `place` makes of the accesses to the array that are wanted.
Places of_accesses(const Result& result, const std::string& name,
                   const std::function<bool(const TracedAccess&, const TracedSite&)>& wanted,
                   const std::function<std::uint64_t(const TracedAccess&)>& place) {
  const Trace& trace = *result.trace;
  const auto array = array_named(trace, name);
  if (!array) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> places;
  for (const TracedAccess& access : trace.accesses) {
    const TracedSite& site = trace.sites[access.site];
    if (site.variable == *array && wanted(access, site)) {
      places.push_back(place(access));
    }
  }
  sort_once(places);
  return places;
}

Places cells_of(const Result& result, const Asked& asked, bool writes) {
  const Trace& trace = *result.trace;
  const auto array = array_named(trace, asked.array);
  if (!array) {
    return std::nullopt;
  }
  const std::uint64_t bytes = element_bytes(trace.variables[*array]);
  const std::uint64_t invocation = local_index(trace, asked.coordinates);
  return of_accesses(
      result, asked.array,
      [&](const TracedAccess& access, const TracedSite& site) {
        return access.invocation == invocation &&
               (writes ? site.writes : site.access != Access::write);
      },
      [&](const TracedAccess& access) { return access.offset / bytes; });
}

Places read_by(const Result& result, const Asked& asked) {
  return cells_of(result, asked, false);
}

Places written_by(const Result& result, const Asked& asked) {
  return cells_of(result, asked, true);
}

Places invocations_at(const Result& result, const Asked& asked, bool writes) {
  const Trace& trace = *result.trace;
  const auto array = array_named(trace, asked.array);
  if (!array) {
    return std::nullopt;
  }
  const std::uint64_t bytes = element_bytes(trace.variables[*array]);
  return of_accesses(
      result, asked.array,
      [&](const TracedAccess& access, const TracedSite& site) {
        return access.offset / bytes == asked.coordinates.front() &&
               (writes ? site.writes : site.access != Access::write);
      },
      [](const TracedAccess& access) { return std::uint64_t{access.invocation}; });
}

Places readers_of(const Result& result, const Asked& asked) {
  return invocations_at(result, asked, false);
}

Places writers_of(const Result& result, const Asked& asked) {
  return invocations_at(result, asked, true);
}

Places racing(const Result& result, const Asked& asked) {
  const Trace& trace = *result.trace;
  const auto array = array_named(trace, asked.array);
  if (!array) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> places;
  for (const RacingCell& cell : racing_cells(trace)) {
    if (cell.variable == *array) {
      places.push_back(cell.offset / element_bytes(trace.variables[*array]));
    }
  }
  sort_once(places);
  return places;
}

Places bank_of_element(const Result& result, const Asked& asked) {
  const Trace& trace = *result.trace;
  const auto array = array_named(trace, asked.array);
  if (!array) {
    return std::nullopt;
  }
  const TracedVariable& v = trace.variables[*array];
  const auto bank = [&](std::uint64_t element) {
    return bank_of(v.address + element * element_bytes(v));
  };
  const std::uint64_t asked_for = asked.coordinates.front();
  std::vector<std::uint64_t> places;
  for (std::uint64_t element = 0; element < element_count(v); ++element) {
    if (element != asked_for && bank(element) == bank(asked_for)) {
      places.push_back(element);
    }
  }
  return places;
}

constexpr std::uint64_t kMostTiles = 65536;

Places idle_tiles(const Result& result, const Asked& /*asked*/) {
  const TileMap& tiles = result.tiles;
  const glm::uvec3 size = tiles.local_size;
  const std::uint64_t all = std::uint64_t{size.x} * size.y * size.z;
  if (tiles.group_count() > kMostTiles) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = 0; i < tiles.group_count(); ++i) {
    if (tiles.useful_invocations(tiles.group_at(i)) < all) {
      places.push_back(i);
    }
  }
  return places;
}

Places tile_of(const Result& result, const Asked& asked) {
  const TileMap& tiles = result.tiles;
  if (asked.coordinates.size() < 2 || tiles.group_count() > kMostTiles) {
    return std::nullopt;
  }
  const glm::uvec3 item{asked.coordinates[1], asked.coordinates[0], 0};
  std::vector<std::uint64_t> places;
  for (std::uint64_t i = 0; i < tiles.group_count(); ++i) {
    if (tiles.items(tiles.group_at(i)).contains(item)) {
      places.push_back(i);
    }
  }
  return places;
}

constexpr std::array kPlaces{
    PlaceFact{"racing", What::cells, false, true, racing},
    PlaceFact{"read-by", What::cells, true, true, read_by},
    PlaceFact{"written-by", What::cells, true, true, written_by},
    PlaceFact{"bank-of", What::cells, true, true, bank_of_element, true},
    PlaceFact{"readers-of", What::invocations, true, true, readers_of, true},
    PlaceFact{"writers-of", What::invocations, true, true, writers_of, true},
    PlaceFact{"idle-tiles", What::tiles, false, false, idle_tiles},
    PlaceFact{"tile-of", What::tiles, true, false, tile_of},
};

// "10,5,0"; empty where it is none.
std::vector<std::uint32_t> coordinates_in(const std::string& text) {
  std::vector<std::uint32_t> all;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::uint32_t value = 0;
    const auto [next, failed] = std::from_chars(at, end, value);
    if (failed != std::errc() || (next < end && *next != ',')) {
      return {};
    }
    all.push_back(value);
    at = next < end ? next + 1 : end;
  }
  return all;
}

// Null: the text is none.
std::pair<const PlaceFact*, Asked> read(const std::string& text) {
  std::istringstream words(text);
  std::string name;
  words >> name;
  const auto* const found =
      std::ranges::find_if(kPlaces, [&](const PlaceFact& fact) { return name == fact.name; });
  if (found == kPlaces.end()) {
    return {nullptr, {}};
  }
  Asked asked;
  std::string word;
  if (found->coordinates && words >> word) {
    asked.coordinates = coordinates_in(word);
  }
  if (found->array) {
    words >> asked.array;
  }
  const bool whole = (!found->coordinates || !asked.coordinates.empty()) &&
                     (!found->array || !asked.array.empty()) && !(words >> word);
  return {whole ? &*found : nullptr, asked};
}

std::string index_words(const std::vector<std::uint32_t>& dimensions, std::uint64_t element) {
  std::vector<std::uint64_t> index;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    const std::uint64_t length = std::max(dimensions[d], 1U);
    index.push_back(d == 0 ? element : element % length);
    element /= length;
  }
  std::string words;
  std::ranges::reverse(index);
  for (const std::uint64_t at : index) {
    words += "[" + std::to_string(at) + "]";
  }
  return words;
}

std::string tuple(std::uint64_t x, std::uint64_t y, bool plane) {
  return plane ? "(" + std::to_string(x) + ", " + std::to_string(y) + ")" : std::to_string(x);
}

}  // namespace

std::optional<ClickedOn> clicked_on(const std::string& fact) {
  const auto [found, asked] = read(fact);
  if (found == nullptr) {
    return std::nullopt;
  }
  ClickedOn on{.what = found->what, .array = asked.array, .about = {}, .by = {}};
  if (found->about_cell) {
    on.about = asked.coordinates.front();
  } else if (found->what == What::cells) {
    on.by = asked.coordinates;
  }
  return on;
}

std::optional<std::vector<std::uint64_t>> lesson_places(const std::string& fact,
                                                        const Result& result) {
  const auto [found, asked] = read(fact);
  const bool traced = found != nullptr && found->what != What::tiles;
  const Trace* trace = result.trace.get();
  const bool whole = trace != nullptr && trace->lost == 0 && trace->incomplete.empty();
  return found == nullptr || (traced && !whole) ? std::nullopt : found->of(result, asked);
}

std::string place_words(const ClickedOn& on, std::uint64_t place, const Result& result) {
  if (on.what == What::tiles) {
    const glm::uvec3 groups = result.tiles.groups();
    const glm::uvec3 at = result.tiles.group_at(place);
    return "workgroup " + tuple(at.x, at.y, groups.y > 1);
  }
  const Trace* trace = result.trace.get();
  if (trace == nullptr) {
    return on.array + " " + std::to_string(place);
  }
  if (on.what == What::invocations) {
    const std::uint64_t across = std::max(trace->local_size[0], 1U);
    return "invocation " + tuple(place % across, place / across, trace->local_size[1] > 1);
  }
  const auto array = array_named(*trace, on.array);
  return on.array +
         (array ? index_words(trace->variables[*array].dimensions, place) : std::string());
}

}  // namespace core
