#include "studio/display.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <unistd.h>

namespace studio {
namespace {

constexpr float kOutside = -1e6F;  // where ImGui takes the mouse to be away

std::string& last_message() {
  static std::string message;
  return message;
}

void on_error(int, const char* message) {
  last_message() = message;
}

// Xlib never returns from a lost connection: it ends the process once its handler is done. The
// lab's threads are not asked, so nothing of C++ may run any more.
int on_display_lost(void*) {
  constexpr char sentence[] = "tilescope: the connection to the display was lost\n";
  static_cast<void>(!write(STDERR_FILENO, sentence, sizeof(sentence) - 1));
  _exit(3);
}

// GLFW has loaded libX11 when it uses it; on Wayland there is nothing to do.
void handle_display_loss() {
  void* x11 = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (x11 == nullptr) {
    return;
  }
  using Handler = int (*)(void*);
  using SetHandler = Handler (*)(Handler);
  if (const auto set = reinterpret_cast<SetHandler>(dlsym(x11, "XSetIOErrorHandler"))) {
    set(on_display_lost);
  }
}

std::optional<ui::Key> named_key(int key) {
  switch (key) {
    case GLFW_KEY_TAB:
      return ui::Key::tab;
    case GLFW_KEY_ESCAPE:
      return ui::Key::escape;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      return ui::Key::enter;
    case GLFW_KEY_SPACE:
      return ui::Key::space;
    case GLFW_KEY_LEFT:
      return ui::Key::left;
    case GLFW_KEY_RIGHT:
      return ui::Key::right;
    case GLFW_KEY_UP:
      return ui::Key::up;
    case GLFW_KEY_DOWN:
      return ui::Key::down;
    case GLFW_KEY_PAGE_UP:
      return ui::Key::page_up;
    case GLFW_KEY_PAGE_DOWN:
      return ui::Key::page_down;
    case GLFW_KEY_HOME:
      return ui::Key::home;
    case GLFW_KEY_END:
      return ui::Key::end;
    case GLFW_KEY_BACKSPACE:
      return ui::Key::backspace;
    case GLFW_KEY_DELETE:
      return ui::Key::erase;
    case GLFW_KEY_F1:
      return ui::Key::f1;
    case GLFW_KEY_F5:
      return ui::Key::f5;
    case GLFW_KEY_F6:
      return ui::Key::f6;
    case GLFW_KEY_F7:
      return ui::Key::f7;
    case GLFW_KEY_F8:
      return ui::Key::f8;
    case GLFW_KEY_F9:
      return ui::Key::f9;
    case GLFW_KEY_F11:
      return ui::Key::f11;
    default:
      return std::nullopt;
  }
}

Display* self(GLFWwindow* window) {
  return static_cast<Display*>(glfwGetWindowUserPointer(window));
}

core::Error no_display(const std::string& what) {
  const std::string why = last_message().empty() ? "" : " (" + last_message() + ")";
  return {core::Fault::device,
          what + why + "; use `tilescope shot` to draw pictures without a display"};
}

}  // namespace

core::Expected<std::unique_ptr<Display>> Display::open(std::uint32_t width, std::uint32_t height,
                                                       bool dense) {
  last_message().clear();
  glfwSetErrorCallback(on_error);
  if (glfwInit() != GLFW_TRUE) {
    return std::unexpected(no_display("no display found to open a window on"));
  }
  std::unique_ptr<Display> display(new Display());
  handle_display_loss();
  if (glfwVulkanSupported() != GLFW_TRUE) {
    return std::unexpected(no_display("no Vulkan driver can draw on this display"));
  }
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, dense ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "tilescope");
  display->window_ = glfwCreateWindow(static_cast<int>(width), static_cast<int>(height),
                                      "Tilescope", nullptr, nullptr);
  if (display->window_ == nullptr) {
    return std::unexpected(no_display("cannot open the window"));
  }
  glfwSetWindowSizeLimits(display->window_, 320, 200, GLFW_DONT_CARE, GLFW_DONT_CARE);
  display->install_callbacks();
  return display;
}

void Display::install_callbacks() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, on_key);
  glfwSetCharCallback(window_, on_character);
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    self(w)->events_ = true;
    self(w)->mouse_.push_back({self(w)->pixel_at(x, y)});
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int) {
    self(w)->events_ = true;
    double x = 0.0;
    double y = 0.0;
    glfwGetCursorPos(w, &x, &y);
    const auto& moves = self(w)->mouse_;
    const glm::vec2 at = moves.empty() ? self(w)->pixel_at(x, y) : moves.back().at;
    if (button < 3) {
      self(w)->mouse_.push_back({at, button, action == GLFW_PRESS});
    }
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    self(w)->events_ = true;
    self(w)->dropped_.insert(self(w)->dropped_.end(), paths, paths + count);
  });
  glfwSetWindowContentScaleCallback(window_,
                                    [](GLFWwindow* w, float, float) { self(w)->events_ = true; });
  glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { self(w)->events_ = true; });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double) { self(w)->events_ = true; });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w)->events_ = true; });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w)->events_ = true; });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
    self(w)->events_ = true;
    if (entered == GLFW_FALSE) {
      self(w)->mouse_.push_back({glm::vec2(kOutside)});
    }
  });
}

Display::~Display() {
  if (window_ != nullptr) {
    glfwDestroyWindow(window_);
  }
  glfwTerminate();
}

std::vector<const char*> Display::instance_extensions() const {
  std::uint32_t count = 0;
  const char** names = glfwGetRequiredInstanceExtensions(&count);
  return {names, names + count};
}

glm::uvec2 Display::pixels() const {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return {static_cast<unsigned>(width), static_cast<unsigned>(height)};
}

float Display::density() const {
  float x = 1.0F;
  float y = 1.0F;
  glfwGetWindowContentScale(window_, &x, &y);
  const float most = std::max(x, y);
  return most > 0.0F ? most : 1.0F;
}

// Some window systems count in larger units than pixels.
glm::vec2 Display::pixel_at(double x, double y) const {
  int width = 0;
  int height = 0;
  glfwGetWindowSize(window_, &width, &height);
  const glm::vec2 size(pixels());
  const glm::vec2 units(std::max(width, 1), std::max(height, 1));
  return glm::vec2(x, y) * size / units;
}

namespace {

// The one that shows most of the window; null where none is told.
GLFWmonitor* monitor_of(GLFWwindow* window) {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int most = 0;
  for (int i = 0; i < count; ++i) {
    int left = 0;
    int top = 0;
    glfwGetMonitorPos(monitors[i], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
    const int across =
        std::min(x + width, left + (mode != nullptr ? mode->width : 0)) - std::max(x, left);
    const int down =
        std::min(y + height, top + (mode != nullptr ? mode->height : 0)) - std::max(y, top);
    if (across > 0 && down > 0 && across * down > most) {
      most = across * down;
      best = monitors[i];
    }
  }
  return best;
}

}  // namespace

void Display::fill_screen(bool on) {
  if (on == full_screen_) {
    return;
  }
  full_screen_ = on;
  events_ = true;
  if (!on) {
    glfwSetWindowMonitor(window_, nullptr, place_.x, place_.y, size_.x, size_.y, GLFW_DONT_CARE);
    return;
  }
  glfwGetWindowPos(window_, &place_.x, &place_.y);
  glfwGetWindowSize(window_, &size_.x, &size_.y);
  GLFWmonitor* monitor = monitor_of(window_);
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode != nullptr) {
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }
}

bool Display::closed() const {
  return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

bool Display::wait(double seconds) {
  events_ = false;
  if (seconds > 0.0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
  return events_;
}

std::vector<ui::KeyPress> Display::take_keys() {
  return std::exchange(keys_, {});
}

std::vector<std::string> Display::take_dropped() {
  return std::exchange(dropped_, {});
}

bool Display::minimized() const {
  return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE;
}

std::optional<lab::WindowPlace> Display::place() const {
  lab::WindowPlace place;
  last_message().clear();
  glfwGetWindowPos(window_, &place.x, &place.y);
  place.maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) == GLFW_TRUE;
  return last_message().empty() ? std::optional(place) : std::nullopt;  // Wayland tells nobody
}

void Display::move_to(const lab::WindowPlace& place) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  constexpr int kSeen = 64;  // pixels of its corner
  for (GLFWmonitor* monitor : std::span(monitors, static_cast<std::size_t>(count))) {
    glm::ivec2 low{0};
    glm::ivec2 size{0};
    glfwGetMonitorWorkarea(monitor, &low.x, &low.y, &size.x, &size.y);
    if (place.x >= low.x - kSeen && place.x < low.x + size.x - kSeen && place.y >= low.y &&
        place.y < low.y + size.y - kSeen) {
      glfwSetWindowPos(window_, place.x, place.y);
      break;
    }
  }
  if (place.maximized) {
    glfwMaximizeWindow(window_);
  }
}

void Display::hide() {
  glfwHideWindow(window_);
}

void Display::stay() {
  glfwSetWindowShouldClose(window_, GLFW_FALSE);
}

std::vector<MouseEvent> Display::take_mouse() {
  auto end = std::ranges::find_if(mouse_, [](const MouseEvent& e) { return e.button >= 0; });
  end += end != mouse_.end() ? 1 : 0;
  const std::vector<MouseEvent> taken(mouse_.begin(), end);
  mouse_.erase(mouse_.begin(), end);
  return taken;
}

void Display::on_key(GLFWwindow* window, int key, int, int action, int mods) {
  self(window)->events_ = true;
  const auto named = named_key(key);
  const bool shift = (mods & GLFW_MOD_SHIFT) != 0;
  const bool ctrl = (mods & GLFW_MOD_CONTROL) != 0;
  if (action == GLFW_RELEASE) {
    return;
  }
  if (named) {
    self(window)->keys_.push_back({*named, 0, shift, ctrl});
  } else if (const char* name = ctrl ? glfwGetKeyName(key, 0) : nullptr;
             name != nullptr && name[0] != '\0' && name[1] == '\0') {
    // As the keyboard's layout has it; such a key makes no character.
    self(window)->keys_.push_back(
        {ui::Key::character, static_cast<char32_t>(name[0]), shift, true});
  }
}

void Display::on_character(GLFWwindow* window, unsigned int character) {
  self(window)->events_ = true;
  if (character != U' ') {
    self(window)->keys_.push_back(ui::letter(static_cast<char32_t>(character)));
  }
}

}  // namespace studio
