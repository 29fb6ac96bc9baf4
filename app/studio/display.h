// The window system: a GLFW window, and its events as the interface's key presses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/error.h"
#include "lab/files/window_state.h"
#include "ui/keys.h"

struct GLFWwindow;

namespace studio {

/// The mouse at one moment; with a button, also what became of it.
struct MouseEvent {
  glm::vec2 at{0.0F};
  int button = -1;  ///< none
  bool down = false;
};

class Display {
 public:
  /// Opens a window of that size in pixels; `dense`: at 96 pixels an inch, and in proportion. An
  /// error of Fault::device when there is no display, or none that Vulkan can draw on.
  [[nodiscard]] static core::Expected<std::unique_ptr<Display>> open(std::uint32_t width,
                                                                     std::uint32_t height,
                                                                     bool dense = false);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  [[nodiscard]] GLFWwindow* window() const { return window_; }
  [[nodiscard]] std::vector<const char*> instance_extensions() const;
  [[nodiscard]] glm::uvec2 pixels() const;
  /// Pixels to an inch, over 96, of the display that it is on, as the desktop says.
  [[nodiscard]] float density() const;
  [[nodiscard]] bool closed() const;
  /// Over all of the screen that it is on; back to its place and size.
  void fill_screen(bool on);

  /// Waits for events, at most so long. True: there were some.
  bool wait(double seconds);
  /// The keys that went down since the last call.
  [[nodiscard]] std::vector<ui::KeyPress> take_keys();
  /// The mouse up to the next change of a button, in the order of events.
  [[nodiscard]] std::vector<MouseEvent> take_mouse();
  /// Files and folders that were dropped on the window since the last call.
  [[nodiscard]] std::vector<std::string> take_dropped();
  [[nodiscard]] bool minimized() const;
  /// Where it stands, where the window system tells; a place that no display shows is not taken.
  [[nodiscard]] std::optional<lab::WindowPlace> place() const;
  void move_to(const lab::WindowPlace& place);
  /// Its reader wants to close it; `stay`: it is not to be closed.
  void stay();
  /// Nobody sees it any more: what still ends behind it may take its time.
  void hide();
  [[nodiscard]] bool mouse_waits() const { return !mouse_.empty(); }

 private:
  Display() = default;
  [[nodiscard]] glm::vec2 pixel_at(double x, double y) const;
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void on_character(GLFWwindow* window, unsigned int character);
  void install_callbacks();

  GLFWwindow* window_ = nullptr;
  std::vector<ui::KeyPress> keys_;
  std::vector<MouseEvent> mouse_;
  std::vector<std::string> dropped_;
  bool events_ = false;
  bool full_screen_ = false;
  glm::ivec2 place_{0}, size_{0};  // of the window before
};

}  // namespace studio
