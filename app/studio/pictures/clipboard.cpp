// The owner of an X11 selection (ICCCM 2.0, section 2), on a connection and a thread of its own.
#include "studio/pictures/clipboard.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>

namespace studio {
namespace {

struct Freed {
  void operator()(void* memory) const { std::free(memory); }
};
template <class T>
using Reply = std::unique_ptr<T, Freed>;

}  // namespace

class Clipboard::Owner {
 public:
  explicit Owner(std::vector<std::byte> png)
      : png_(std::move(png)), x_(xcb_connect(nullptr, nullptr)), stop_(eventfd(0, EFD_CLOEXEC)) {}
  ~Owner() {
    if (thread_.joinable()) {
      const std::uint64_t one = 1;
      static_cast<void>(!write(stop_, &one, sizeof(one)));
      thread_.join();
    }
    close(stop_);
    xcb_disconnect(x_);
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  core::Expected<void> start() {
    if (xcb_connection_has_error(x_) != 0) {
      return core::device_error(
          "no X display found to copy the picture to; press S to save it as a file");
    }
    constexpr std::size_t kRequest = 64;  // bytes of a request beside its data
    if (png_.size() + kRequest > std::size_t{xcb_get_maximum_request_length(x_)} * 4) {
      return core::device_error("the picture is too large to copy; press S to save it as a file");
    }
    clipboard_ = atom("CLIPBOARD");
    targets_ = atom("TARGETS");
    image_ = atom("image/png");
    window_ = xcb_generate_id(x_);
    const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(x_)).data;
    xcb_create_window(x_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
    xcb_set_selection_owner(x_, window_, clipboard_, XCB_CURRENT_TIME);
    const Reply<xcb_get_selection_owner_reply_t> owner(
        xcb_get_selection_owner_reply(x_, xcb_get_selection_owner(x_, clipboard_), nullptr));
    if (!owner || owner->owner != window_) {
      return core::device_error(
          "the display does not allow access to the clipboard; press S to save the picture as a "
          "file");
    }
    thread_ = std::thread([this] { serve(); });
    return {};
  }

 private:
  xcb_atom_t atom(std::string_view name) {
    const Reply<xcb_intern_atom_reply_t> reply(xcb_intern_atom_reply(
        x_, xcb_intern_atom(x_, 0, static_cast<std::uint16_t>(name.size()), name.data()), nullptr));
    return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  }

  // Until it is told to stop, the display goes away, or another owns the clipboard.
  void serve() {
    std::array<pollfd, 2> wait{{{xcb_get_file_descriptor(x_), POLLIN, 0}, {stop_, POLLIN, 0}}};
    while (wait[1].revents == 0 && xcb_connection_has_error(x_) == 0) {
      while (const Reply<xcb_generic_event_t> event{xcb_poll_for_event(x_)}) {
        const int type = event->response_type & 0x7F;
        if (type == XCB_SELECTION_CLEAR) {
          return;
        }
        if (type == XCB_SELECTION_REQUEST) {
          answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
        }
      }
      poll(wait.data(), wait.size(), -1);
    }
  }

  void answer(const xcb_selection_request_event_t& asked) {
    const xcb_atom_t place = asked.property != XCB_ATOM_NONE ? asked.property : asked.target;
    xcb_selection_notify_event_t told{};
    told.response_type = XCB_SELECTION_NOTIFY;
    told.time = asked.time;
    told.requestor = asked.requestor;
    told.selection = asked.selection;
    told.target = asked.target;
    told.property = place;
    if (asked.target == targets_) {
      const std::array all{targets_, image_};
      xcb_change_property(x_, XCB_PROP_MODE_REPLACE, asked.requestor, place, XCB_ATOM_ATOM, 32,
                          static_cast<std::uint32_t>(all.size()), all.data());
    } else if (asked.target == image_) {
      xcb_change_property(x_, XCB_PROP_MODE_REPLACE, asked.requestor, place, image_, 8,
                          static_cast<std::uint32_t>(png_.size()), png_.data());
    } else {
      told.property = XCB_ATOM_NONE;
    }
    // The event is 32 bytes on the wire, the struct less.
    std::array<char, 32> bytes{};
    std::memcpy(bytes.data(), &told, sizeof(told));
    xcb_send_event(x_, 0, asked.requestor, XCB_EVENT_MASK_NO_EVENT, bytes.data());
    xcb_flush(x_);
  }

  std::vector<std::byte> png_;
  xcb_connection_t* x_;
  int stop_;
  xcb_window_t window_ = 0;
  xcb_atom_t clipboard_ = 0, targets_ = 0, image_ = 0;
  std::thread thread_;
};

Clipboard::Clipboard() = default;
Clipboard::~Clipboard() = default;

core::Expected<void> Clipboard::offer(std::vector<std::byte> png) {
  owner_.reset();
  auto owner = std::make_unique<Owner>(std::move(png));
  auto started = owner->start();
  if (started) {
    owner_ = std::move(owner);
  }
  return started;
}

}  // namespace studio
