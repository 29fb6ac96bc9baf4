#include "ui/film.h"

#include <algorithm>

#include "ui/views.h"

namespace ui {

std::vector<std::string> films() {
  std::vector<std::string> names;
  for (const CentreView& view : centre_views()) {
    if (view.film.name != nullptr && std::ranges::find(names, view.film.name) == names.end()) {
      names.emplace_back(view.film.name);
    }
  }
  return names;
}

std::string view_of_film(const std::string& film, const std::string& wanted) {
  std::string found;
  for (const CentreView& view : centre_views()) {
    if (view.film.name != nullptr && view.film.name == film &&
        (found.empty() || view.name == wanted)) {
      found = view.name;
    }
  }
  return found;
}

Film film_of(const std::string& view) {
  const auto row = std::ranges::find_if(centre_views(), [&](const CentreView& candidate) {
    return candidate.name == view && candidate.film.name != nullptr;
  });
  return row == centre_views().end() ? Film{} : row->film;
}

}  // namespace ui
