#include "cli/process/each.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "cli/process/guard.h"
#include "cli/process/progress.h"
#include "core/base/watched_step.h"

namespace cli {

std::vector<std::string> arguments_without(const std::vector<std::string>& all,
                                           const std::vector<std::string>& names,
                                           const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const bool option = std::ranges::find(options, all[n]) != options.end();
    const bool joined = std::ranges::any_of(options, [&](const std::string& o) {
      return all[n].starts_with(o + "=") ||
             (o.size() == 2 && all[n].starts_with(o) && all[n].size() > 2);
    });
    if (option) {
      ++n;
    } else if (!joined && all[n] != "--json" && all[n] != "--" &&
               std::ranges::find(names, all[n]) == names.end()) {
      kept.push_back(all[n]);
    }
  }
  return kept;
}

void call_each(
    const EachCall& call, std::size_t count,
    const std::function<void(std::size_t, const core::Expected<core::ChildEnd>&)>& done) {
  const std::vector<std::string> common =
      call.base.empty() ? arguments_without(call_arguments(), call.names, call.without) : call.base;
  const core::ChildLimits limits = core::stranger_limits(call.seconds);
  std::vector<std::optional<core::Expected<core::ChildEnd>>> ends(count);
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t next = 0;
  const auto work = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::scoped_lock lock(mutex);
        if (next == count) {
          return;
        }
        mine = next++;
      }
      core::ChildCall one{.arguments = common, .environment = {}, .keep_output = true};
      for (std::string& argument : call.arguments(mine)) {
        one.arguments.push_back(std::move(argument));
      }
      auto end = core::run_child(one, limits);
      const std::scoped_lock lock(mutex);
      ends[mine].emplace(std::move(end));
      ended.notify_all();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t n = 0; n < std::min<std::size_t>(std::max(call.jobs, 1U), count); ++n) {
    threads.emplace_back(work);
  }
  for (std::size_t n = 0; n < count; ++n) {
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return ends[n].has_value(); });
    const auto end = std::move(*ends[n]);
    lock.unlock();
    done(n, end);
    show_output();
    core::tell_progress("checking kernels",
                        static_cast<double>(n + 1) / static_cast<double>(count));
  }
}

std::string last_line_of(std::string err) {
  while (err.ends_with('\n')) {
    err.pop_back();
  }
  err.erase(0, err.rfind('\n') + 1);
  constexpr std::string_view prefix = "tilescope: ";
  return err.starts_with(prefix) ? err.substr(prefix.size()) : err;
}

}  // namespace cli
