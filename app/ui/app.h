// The whole interface. Between ImGui::NewFrame() and ImGui::Render(), draw() shows a Model and
// returns what its reader asked for; it never waits for anything and never touches the lab.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/work/scene.h"
#include "ui/canvas/textures.h"
#include "ui/canvas/theme.h"
#include "ui/keys.h"
#include "ui/model.h"

struct ImFontAtlas;

namespace ui {

struct Cache;
struct Frame;
struct TextTrace;

class App {
 public:
  /// `textures` must outlive the app. `first` says how to start: what is wanted and how it is seen.
  App(const core::Scene& first, Textures& textures);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Before ImGui::NewFrame(): brings the fonts to the scale. True: they were built anew, and the
  /// atlas must be uploaded again.
  [[nodiscard]] bool prepare(ImFontAtlas& atlas);

  /// A key went down. While a text input has the keyboard, only Esc-free typing happens there and
  /// nothing here.
  void press(const KeyPress& key);

  /// One frame over the whole display.
  [[nodiscard]] Requests draw(const Model& model);

  [[nodiscard]] const core::View& view() const { return state_.view; }
  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  /// What is wanted and how it is looked at now, at the given size in pixels.
  [[nodiscard]] core::Scene scene(const Model& model);
  /// Shows a sentence for a few seconds.
  void tell(std::string sentence);
  /// What was typed at a kernel before and not saved: it is edited on, and runs once it is shown.
  void offer_draft(const KernelText& draft);
  /// Another scene is run from now on; where it says how it is looked at, it is seen so, in the
  /// window's own theme, scale and sizes of panels.
  void show(const core::Scene& scene, bool as_it_says);
  /// It is in a file now: nothing of it would be lost. `copy`: the variant that it is from now on.
  void saved(const KernelText& kernel, const std::string& copy = {});
  /// The text of a file that is edited, as it is now; names as in Editor::sheets. True: it is to
  /// run again.
  [[nodiscard]] bool file_is(const std::string& name, const std::string& text);
  /// Something is on its way that needs another frame soon.
  [[nodiscard]] bool busy() const;

  /// Another display, of so many times the pixels an inch.
  void rescale(float times) { state_.view.scale = clamped_scale(times * state_.view.scale); }

  /// For pictures: each frame waits for background work, so that it is complete.
  void settle(bool on) { settle_ = on; }
  /// For tests: where text is put, from the next frame on; null for none.
  void trace(TextTrace* trace) { trace_ = trace; }
  [[nodiscard]] State& state() { return state_; }

 private:
  [[nodiscard]] static float clamped_scale(float scale);
  [[nodiscard]] float wanted_scale() const;
  void act_on_keys(const Frame& frame);
  void take_choice(const core::Result& result);

  Textures& textures_;
  State state_;
  Fonts fonts_;
  float fonts_scale_ = 0.0F;
  std::vector<KeyPress> pressed_;
  std::unique_ptr<Cache> cache_;
  bool settle_ = false;
  TextTrace* trace_ = nullptr;
};

}  // namespace ui
