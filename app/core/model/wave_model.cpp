#include "core/model/wave_model.h"

#include <algorithm>
#include <cstdio>

#include "core/base/ceil_div.h"

namespace core {
namespace {

// Where only the last wave's tiles are shared, the kernel was measured slower in all of them; why
// is not known. At 8192³ on an NVIDIA H200 a wave of 128×256 takes 1.49 ms instead of 1.37, at
// 3072³ the launch 8 % more than modelled without this.
constexpr double kShares = 1.07;
constexpr std::uint32_t kMeetTwice = 16;  // workgroups of a tile: more meet in groups first

// A problem as the model sees it.
struct Shape {
  glm::uvec3 extent{1};
  std::uint32_t depth = 1;  // rounds
  std::uint32_t multiprocessors = 1;
};

double rate(const WaveOffer& offer, std::uint64_t together) {
  return std::min(offer.full, offer.alone * static_cast<double>(together));
}

// Of a multiprocessor that gets so many workgroups of so many multiply-adds each.
double busy(const WaveOffer& offer, std::uint64_t workgroups, double each) {
  const std::uint64_t full = workgroups / offer.holds;
  const std::uint64_t rest = workgroups % offer.holds;
  double cost = static_cast<double>(full * offer.holds) * each / offer.full;
  if (rest > 0) {
    cost += static_cast<double>(rest) * each / rate(offer, rest);
  }
  return cost;
}

struct Sharing {
  std::uint64_t whole = 0;
  std::uint32_t slices = 1;
};

WavePlan plan(const WaveOffers& model, const WaveOffer& offer, const Shape& shape,
              const Sharing& sharing) {
  WavePlan p{.tile = offer.tile,
             .settings = offer.settings,
             .whole = sharing.whole,
             .slices = sharing.slices,
             .multiprocessors = shape.multiprocessors,
             .holds = offer.holds};
  double items = 1.0;
  double inside = 1.0;
  p.tiles = 1;
  for (int d = 0; d < 3; ++d) {
    const std::uint64_t along = ceil_div(shape.extent[d], offer.covers[d]);
    p.tiles *= along;
    items *= offer.covers[d];
    inside *= shape.extent[d];
  }
  p.useful = inside / (items * static_cast<double>(p.tiles));
  const std::uint64_t sliced = (p.tiles - p.whole) * (p.slices > 1 ? p.slices : 0U);
  p.whole = p.slices > 1 ? p.whole : p.tiles;
  p.workgroups = p.whole + sliced;
  const std::uint64_t steps = ceil_div(shape.depth, model.step);
  const double rounds = static_cast<double>(steps * model.step);
  const double part = static_cast<double>(ceil_div(steps, p.slices) * model.step);
  const double alone = items * (rounds + offer.start);
  const double shared = items * (part + offer.start + model.word);
  const std::uint64_t each_whole = ceil_div(p.whole, shape.multiprocessors);
  const std::uint64_t each_shared = ceil_div(sliced, shape.multiprocessors);
  p.cost = busy(offer, each_whole, alone) + busy(offer, each_shared, shared) +
           (sliced > 0 ? model.meeting * (p.slices > kMeetTwice ? 2.0 : 1.0) : 0.0);
  p.cost *= sliced > 0 && p.whole > 0 ? kShares : 1.0;
  const double work = static_cast<double>(p.whole) * alone + static_cast<double>(sliced) * shared;
  const double most =
      static_cast<double>(each_whole) * alone + static_cast<double>(each_shared) * shared;
  p.filled = work / (shape.multiprocessors * most);
  const std::uint64_t places = std::uint64_t{shape.multiprocessors} * offer.holds;
  p.waves = ceil_div(p.whole, places) + ceil_div(sliced, places);
  return p;
}

void set(Settings& settings, const std::string& constant, std::uint64_t value) {
  if (!constant.empty()) {
    settings[constant] = std::to_string(value);
  }
}

// All tiles shared, or only those of the last wave.
std::vector<Sharing> sharings(const WaveOffers& model, const WaveOffer& offer, const Shape& shape) {
  std::vector<Sharing> all{{}};
  if (model.slices.empty()) {
    return all;
  }
  std::uint64_t tiles = 1;
  for (int d = 0; d < 3; ++d) {
    tiles *= ceil_div(shape.extent[d], offer.covers[d]);
  }
  const std::uint64_t steps = ceil_div(shape.depth, model.step);
  const std::uint64_t places = std::uint64_t{shape.multiprocessors} * offer.holds;
  const std::uint64_t in_full_waves = tiles / places * places;
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(model.most, steps));
  for (std::uint32_t slices = 2; slices <= most; ++slices) {
    all.push_back({0, slices});
    if (!model.whole.empty() && in_full_waves > 0 && in_full_waves < tiles) {
      all.push_back({in_full_waves, slices});
    }
  }
  return all;
}

std::optional<Shape> shape_of(const Variant& variant, const Workload& workload, const Sizes& sizes,
                              const DeviceInfo& device) {
  const auto names = workload.size_names();
  if (variant.model.offers.empty() || device.multiprocessors == 0 || sizes.size() != names.size()) {
    return std::nullopt;
  }
  Shape shape{.extent = workload.extent(sizes), .multiprocessors = device.multiprocessors};
  const auto depth = std::ranges::find(names, variant.model.depth);
  if (depth != names.end()) {
    shape.depth = sizes[static_cast<std::size_t>(depth - names.begin())];
  }
  return shape;
}

bool applies(const WaveOffer& offer, const std::map<std::string, std::uint32_t>& facts) {
  return std::ranges::all_of(offer.facts, [&](const auto& wanted) {
    const auto fact = facts.find(wanted.first);
    return fact != facts.end() && fact->second == wanted.second;
  });
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return count == 1 ? std::string("one ") + one : std::to_string(count) + " " + many;
}

}  // namespace

std::vector<WavePlan> plan_waves(const Variant& variant, const Workload& workload,
                                 const Sizes& sizes, const DeviceInfo& device) {
  std::vector<WavePlan> plans;
  const auto shape = shape_of(variant, workload, sizes, device);
  if (!shape) {
    return plans;
  }
  const WaveOffers& model = variant.model;
  const auto facts = workload.facts(sizes);
  for (const WaveOffer& offer : model.offers) {
    if (!applies(offer, facts)) {
      continue;
    }
    for (const Sharing& sharing : sharings(model, offer, *shape)) {
      WavePlan p = plan(model, offer, *shape, sharing);
      set(p.settings, model.slices, p.slices);
      set(p.settings, model.whole, p.slices > 1 ? p.whole : 0);
      plans.push_back(std::move(p));
    }
  }
  std::ranges::stable_sort(plans, {}, &WavePlan::cost);
  return plans;
}

bool agrees(const WavePlan& plan, const Variant& variant, const Experiment& given) {
  if (given.tile != 0 && plan.tile != given.tile) {
    return false;
  }
  return std::ranges::all_of(given.settings, [&](const auto& setting) {
    const auto found = plan.settings.find(setting.first);
    if (setting.first == variant.tile.constant) {
      return setting.second == std::to_string(plan.tile);
    }
    return found == plan.settings.end() || found->second == setting.second;
  });
}

std::vector<WavePlan> best_of_each(const std::vector<WavePlan>& plans, const Variant& variant) {
  const auto without_sharing = [&variant](const WavePlan& plan) {
    Settings settings = plan.settings;
    settings.erase(variant.model.slices);
    settings.erase(variant.model.whole);
    return settings;
  };
  std::vector<WavePlan> best;
  for (const WavePlan& plan : plans) {
    const bool known = std::ranges::any_of(best, [&](const WavePlan& other) {
      return other.tile == plan.tile && without_sharing(other) == without_sharing(plan);
    });
    if (!known) {
      best.push_back(plan);
    }
  }
  return best;
}

std::string sentence(const WavePlan& plan) {
  std::string text = counted(plan.tiles, "tile", "tiles");
  if (plan.slices > 1) {
    const std::uint64_t shared = plan.tiles - plan.whole;
    const std::string by = std::to_string(plan.slices) + " workgroups";
    text = plan.whole > 0 ? counted(plan.whole, "tile", "tiles") + " and " +
                                std::to_string(shared) + " more computed by " + by + " each"
                          : text + (plan.tiles > 1 ? ", each computed by " : " computed by ") + by;
  }
  text += " on " + counted(plan.multiprocessors, "multiprocessor", "multiprocessors");
  if (plan.holds > 1) {
    text += ", " + std::to_string(plan.holds) + " workgroups at a time on each";
  }
  char share[16];
  std::snprintf(share, sizeof share, "%.0f", 100.0 * plan.filled);
  return text + ": " + counted(plan.waves, "wave", "waves") + ", " + share + " % filled";
}

std::string choice_words(const WavePlan& plan) {
  std::string text = plan.tile > 0 ? "tile " + std::to_string(plan.tile) : std::string();
  for (const auto& [name, value] : plan.settings) {
    text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text;
}

std::string to_string(ChosenBy by) {
  switch (by) {
    case ChosenBy::user:
      return "user";
    case ChosenBy::tuner:
      return "tuner";
    case ChosenBy::model:
      return "model";
    default:
      return "preset";
  }
}

}  // namespace core
