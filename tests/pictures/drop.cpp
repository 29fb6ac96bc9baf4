#include "tests/pictures/drop.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include <xcb/xcb.h>

namespace tests {
namespace {

class Dragged {
 public:
  Dragged(const std::string& display, std::uint32_t window, std::string uris)
      : x_(xcb_connect(display.c_str(), nullptr)), target_(window), uris_(std::move(uris)) {
    screen_ = xcb_setup_roots_iterator(xcb_get_setup(x_)).data;
    own_ = xcb_generate_id(x_);
    xcb_create_window(x_, XCB_COPY_FROM_PARENT, own_, screen_->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
  }
  Dragged(const Dragged&) = delete;
  Dragged& operator=(const Dragged&) = delete;
  ~Dragged() { xcb_disconnect(x_); }

  bool drop() {
    const xcb_atom_t selection = atom("XdndSelection");
    xcb_set_selection_owner(x_, own_, selection, XCB_CURRENT_TIME);
    send("XdndEnter", {own_, 5U << 24U, atom("text/uri-list"), 0, 0});
    send("XdndPosition", {own_, 0, 300U << 16U | 300U, XCB_CURRENT_TIME, atom("XdndActionCopy")});
    const bool accepted = (wait_for("XdndStatus") & 1U) != 0;
    send("XdndDrop", {own_, 0, XCB_CURRENT_TIME, 0, 0});
    // GLFW says how many bytes it took, not whether.
    return accepted && wait_for("XdndFinished") != 0;
  }

 private:
  using Words = std::array<std::uint32_t, 5>;
  template <class T>
  using Owned = std::unique_ptr<T, decltype(&std::free)>;

  xcb_atom_t atom(const std::string& name) {
    const auto asked = xcb_intern_atom(x_, 0, static_cast<std::uint16_t>(name.size()), name.data());
    const Owned<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(x_, asked, nullptr),
                                               &std::free);
    return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  }
  void send(const std::string& type, const Words& words) {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = target_;
    event.type = atom(type);
    std::copy(words.begin(), words.end(), event.data.data32);
    xcb_send_event(x_, 0, target_, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&event));
    xcb_flush(x_);
  }
  // The flags of a message that the window sends back; whoever asks for the names gets them. 0:
  // none came.
  std::uint32_t wait_for(const std::string& type) {
    const xcb_atom_t wanted = atom(type);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      const Owned<xcb_generic_event_t> event(xcb_poll_for_event(x_), &std::free);
      const int kind = event ? event->response_type & 0x7F : 0;
      if (kind == XCB_SELECTION_REQUEST) {
        answer(reinterpret_cast<const xcb_selection_request_event_t&>(*event));
      } else if (kind == XCB_CLIENT_MESSAGE) {
        const auto& message = reinterpret_cast<const xcb_client_message_event_t&>(*event);
        if (message.type == wanted) {
          return message.data.data32[1];
        }
      } else if (!event) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
    return 0;
  }
  void answer(const xcb_selection_request_event_t& asked) {
    xcb_change_property(x_, XCB_PROP_MODE_REPLACE, asked.requestor, asked.property, asked.target, 8,
                        static_cast<std::uint32_t>(uris_.size()), uris_.data());
    xcb_selection_notify_event_t told{};
    told.response_type = XCB_SELECTION_NOTIFY;
    told.requestor = asked.requestor;
    told.selection = asked.selection;
    told.target = asked.target;
    told.property = asked.property;
    told.time = asked.time;
    xcb_send_event(x_, 0, asked.requestor, XCB_EVENT_MASK_NO_EVENT,
                   reinterpret_cast<const char*>(&told));
    xcb_flush(x_);
  }

  xcb_connection_t* x_;
  xcb_screen_t* screen_ = nullptr;
  xcb_window_t own_ = 0, target_;
  std::string uris_;
};

}  // namespace

void set_minimised(const std::string& display, std::uint32_t window, bool minimised) {
  xcb_connection_t* x = xcb_connect(display.c_str(), nullptr);
  const std::string name = "WM_STATE";
  auto* atom = xcb_intern_atom_reply(
      x, xcb_intern_atom(x, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr);
  if (atom != nullptr) {
    constexpr std::uint32_t kNormal = 1, kIconic = 3;
    const std::array<std::uint32_t, 2> state{minimised ? kIconic : kNormal, XCB_WINDOW_NONE};
    xcb_change_property(x, XCB_PROP_MODE_REPLACE, window, atom->atom, atom->atom, 32, 2,
                        state.data());
    std::free(xcb_get_input_focus_reply(x, xcb_get_input_focus(x), nullptr));  // it is there
  }
  std::free(atom);
  xcb_disconnect(x);
}

bool drop(const std::string& display, std::uint32_t window, const std::filesystem::path& file) {
  return Dragged(display, window, "file://" + file.string() + "\r\n").drop();
}

}  // namespace tests
