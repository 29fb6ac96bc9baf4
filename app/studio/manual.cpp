#include "studio/manual.h"

#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/files.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

// A session of its own: it outlives the window, and says nothing on our terminal.
core::Expected<pid_t> hand_to_desktop(const fs::path& file) {
  std::string program = "xdg-open";
  std::string target = file.string();
  const std::array<char*, 3> arguments{program.data(), target.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  ::posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t apart;
  ::posix_spawnattr_init(&apart);
  ::posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID);
  pid_t pid = 0;
  const int failed =
      ::posix_spawnp(&pid, program.c_str(), &quiet, &apart, arguments.data(), environ);
  ::posix_spawnattr_destroy(&apart);
  ::posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) {
    return core::device_error(
        fmt::format("cannot start xdg-open ({}); open the manual yourself: {}",
                    std::generic_category().message(failed), target));
  }
  return pid;
}

// Its file's name has nothing of the heading that a shell or a desktop could trip over.
std::string plain_name(const std::string& heading) {
  std::string name;
  for (const char c : heading) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool upper = c >= 'A' && c <= 'Z';
    name += kept ? c : upper ? static_cast<char>(c - 'A' + 'a') : '-';
  }
  return name + ".md";
}

core::Expected<fs::path> page_of_chapter(const fs::path& page, const std::string& heading) {
  const auto text = TRY(core::read_file(page));
  const std::string chapter = chapter_of(text, heading, page.parent_path());
  const fs::path file = core::cache_file(("manual/" + plain_name(heading)).c_str());
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (chapter.empty() || file.empty() ||
      !core::write_file(file, std::as_bytes(std::span(chapter)))) {
    return page;
  }
  return file;
}

}  // namespace

core::Expected<fs::path> find_manual() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place :
       {"../assets/manual", "../../assets/manual", "../share/doc/tilescope/assets/manual"}) {
    if (core::is_folder(here / place)) {
      return fs::weakly_canonical(here / place);
    }
  }
  return core::usage_error(fmt::format("manual not found near {}", here.string()));
}

std::string chapter_of(const std::string& page, const std::string& heading,
                       const fs::path& folder) {
  std::size_t level = 0;
  std::size_t first = std::string::npos;
  for (level = 2; level <= 4 && first == std::string::npos; ++level) {
    first = page.find("\n" + std::string(level, '#') + " " + heading + "\n");
  }
  if (first == std::string::npos) {
    return {};
  }
  --level;
  const std::size_t body = page.find('\n', first + 1) + 1;
  std::size_t end = page.size();
  for (std::size_t above = 1; above <= level; ++above) {
    end = std::min(end, page.find("\n" + std::string(above, '#') + " ", body - 1));
  }
  // Links lead from the page's own folder.
  static const std::regex link(R"(\]\((?![a-z]+:|#|/)([^)]*)\))");
  const std::string text =
      std::regex_replace(page.substr(body, end - body), link, "](" + folder.string() + "/$1)");
  return fmt::format("# {}\n\nA section of [the manual]({}).\n{}", heading,
                     (folder.parent_path() / "index.md").string(), text);
}

core::Expected<void> Manual::open(const ui::ManualPage& page) {
  const auto folder = TRY(find_manual());
  auto shown = TRY(page.chapter.empty() ? core::Expected<fs::path>(folder / page.file())
                                        : page_of_chapter(folder / page.file(), page.chapter));
  static_cast<void>(failure());  // one that has ended is gone
  const auto pid = TRY(hand_to_desktop(shown));
  shown_ = std::move(shown);
  opener_ = pid;
  return {};
}

std::optional<std::string> Manual::failure() {
  int status = 0;
  if (opener_ == 0 || ::waitpid(opener_, &status, WNOHANG) == 0) {
    return {};
  }
  opener_ = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return {};
  }
  return fmt::format("xdg-open could not show the manual; open it yourself: {}", shown_.string());
}

}  // namespace studio
