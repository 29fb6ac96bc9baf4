// The launch played back, and then all of it.
#include "ui/film.h"
#include "ui/views/timeline/launch_state.h"

namespace ui {
namespace {

constexpr double kFilmSeconds = 8.0;  // of the launch, as it is seen
constexpr double kEnd = 1.5;

std::vector<Still> stills(const FilmOf& of) {
  std::vector<Still> all;
  const std::size_t moving = of.most > 1 ? of.most - 1 : 0;
  for (std::size_t i = 0; i < moving; ++i) {
    const float at = static_cast<float>(i) / static_cast<float>(moving);
    all.push_back(
        {kFilmSeconds / static_cast<double>(moving),
         [at](ViewStates& states, core::Result&) { states.of<LaunchState>().played = at; }});
  }
  all.push_back(
      {kEnd, [](ViewStates& states, core::Result&) { states.of<LaunchState>().played = -1.0F; }});
  return all;
}

}  // namespace

Film launch_film() {
  return {.name = "launch", .needs = {core::Step::timeline}, .stills = stills};
}

}  // namespace ui
