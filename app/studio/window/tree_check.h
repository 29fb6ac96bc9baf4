// The kernels of a folder or project, checked one after the other on a thread of its own.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "studio/studio.h"
#include "ui/open/open_state.h"

namespace studio {

class TreeCheck {
 public:
  /// `check` may be empty: then no kernel gets a verdict.
  explicit TreeCheck(CheckKernel check) : check_(std::move(check)) {}

  /// Lists and checks the kernels of a folder, in place of those of an earlier one. A kernel whose
  /// file changes later is checked again.
  void start(const std::string& folder);
  /// Puts the news into the tree. False if there are none.
  bool take(ui::KernelTree& tree);

 private:
  void run(const std::stop_token& stopped, const std::string& folder);
  void list(const std::stop_token& stopped, const std::string& folder);

  CheckKernel check_;
  std::mutex mutex_;  // guards the next two
  ui::KernelTree tree_;
  bool news_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace studio
