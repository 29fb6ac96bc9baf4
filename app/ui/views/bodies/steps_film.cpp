// Bodies from step to step.
#include "ui/film.h"

namespace ui {
namespace {

constexpr double kSeconds = 1.0 / 15.0;  // that each is seen

std::vector<Still> stills(const FilmOf& of) {
  std::vector<Still> all;
  for (const auto& bodies : of.moments) {
    all.push_back(
        {kSeconds, [bodies](ViewStates&, core::Result& result) { result.bodies = bodies; }});
  }
  return all;
}

}  // namespace

Film steps_film() {
  return {.name = "steps", .needs = {core::Step::simulate}, .stills = stills};
}

}  // namespace ui
