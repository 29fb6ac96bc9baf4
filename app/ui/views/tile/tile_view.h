// The parts of the tile view, which draw_tile() in tile_view.cpp puts together: the inside of one
// workgroup, as its trace tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/report/banks.h"
#include "ui/panels/panels.h"
#include "ui/views/tile/tile_cache.h"
#include "ui/views/tile/tile_layout.h"
#include "ui/views/tile/tile_race.h"
#include "ui/views/tile/tile_state.h"
#include "ui/views/tile/trace_story.h"

namespace ui {

/// Why there is nothing to draw yet; empty when there is.
[[nodiscard]] std::string no_tile_yet(const Frame& frame);
void draw_tile(const Frame& frame, const Canvas& canvas, const Rect& area);

/// The focus of the picture: one invocation, one cell, a race, the provenance of an element, or
/// nothing in particular.
struct TileFocus {
  enum class What { all, invocation, cell, race, element };
  What what = What::all;
  std::uint32_t invocation = 0;
  std::uint32_t variable = 0;  ///< of the cell, the race or the element
  std::uint64_t element = 0;
  const RacingPair* race = nullptr;
  bool example = false;  ///< picked by the view, not by its reader
};

/// Words in a line that may be longer than they are.
struct PlacedWords {
  Rect line;
  std::string text;
  Pen pen;
};
/// What stands in one line, from left to right.
using WordLine = std::vector<PlacedWords>;

/// An arrow, piece by piece, each a bit wider than it is.
using Stroke = std::vector<Rect>;
/// From a cell or an invocation to all that belongs to it in one block: an arrow each, or one.
struct Beams {
  Rect from;
  std::vector<Rect> areas;
  bool towards_areas = false;  ///< where data go
  bool in_figure = true;       ///< else to a map of a buffer
  Colour colour = 0;
};

/// What the parts of one frame of the tile view share.
struct TileScene {
  const Frame& frame;
  const Canvas& canvas;
  TraceStory& story;
  const Moment& moment;
  Rect head, figure, global, details, legend, scrubber;
  std::vector<CellBlock> blocks;    ///< placed in `figure`, zoomed
  std::vector<GlobalPlate> plates;  ///< placed in `global`
  std::size_t left_out = 0;         ///< buffers that have no room there
  Rect left_out_at;                 ///< where that is said
  TileFocus focus;
  std::vector<WordLine> words;              ///< captions and notes of the blocks
  std::vector<Beams> beams;                 ///< of the focus
  std::optional<RaceFigure> race;           ///< that is drawn
  std::vector<Touch> own;                   ///< touches of the moment that the focus is about
  std::vector<const RacingPair*> races;     ///< of the phase
  std::shared_ptr<const Why> why;           ///< of the chosen element; null: none is chosen
  const core::Finding* finding = nullptr;   ///< that the focus is about, if it is no race
  std::optional<FindingPlace> found;        ///< where that is in the trace
  std::optional<TileFocus> pointed;         ///< what the mouse points at
  std::optional<TileFocus> named;           ///< the same while a click is asked for
  const core::LaneReport* banks = nullptr;  ///< where cells are coloured by bank
  std::optional<std::uint32_t> conflict;    ///< the instruction that is pointed out there

  [[nodiscard]] const core::Trace& trace() const { return story.trace(); }
  [[nodiscard]] const Theme& theme() const { return frame.theme; }
  [[nodiscard]] const CellBlock& invocations() const;
  /// Null for buffers.
  [[nodiscard]] const CellBlock* array(std::uint32_t variable) const;
  [[nodiscard]] bool shared(std::uint32_t variable) const;
  [[nodiscard]] TileState& state() const { return frame.state.of<TileState>(); }
  [[nodiscard]] bool by_bank() const { return state().by_bank; }
  /// It is, unless something else was chosen.
  [[nodiscard]] bool shows_conflict() const;
  /// Of links and words: the memory's colour, strong enough for a thin line.
  [[nodiscard]] Colour colour_of(const Touch& touch) const;
};

/// The phase that is shown, from 0.
[[nodiscard]] std::size_t shown_phase(const TileState& state, const TraceStory& story);
/// Goes to another moment (by = ±1): of the phase, or of the next one. False: there is none.
bool step_moment(TileState& state, TraceStory& story, int by);
/// Goes to another phase.
void step_phase(TileState& state, const TraceStory& story, int by);

/// The race on a cell in the phase; null: there is none.
[[nodiscard]] const RacingPair* race_at(const TileScene& scene, std::uint32_t variable,
                                        std::uint64_t element);
/// Returns the provenance of the selected element. Shows the phase of its write, unless the user
/// selected another phase.
[[nodiscard]] std::shared_ptr<const Why> find_why(const Frame& frame, const TraceStory& story);
/// Accesses, cells and invocations that led to the element.
void draw_why(const TileScene& scene);
/// The chosen finding, where it is no race and the focus is on its invocation.
void find_finding(TileScene& scene);
/// What the view is about when nothing is pointed at.
[[nodiscard]] TileFocus chosen_focus(const TileScene& scene);
[[nodiscard]] std::vector<Touch> touches_of(const TileScene& scene, const TileFocus& focus);

/// Where no invocation ever comes: padding.
[[nodiscard]] std::vector<CellRun> untouched_runs(const TileScene& scene, const CellBlock& block);
/// Shared arrays and invocations.
void draw_blocks(const TileScene& scene);
/// A caption above each block and a note below it, as far as they are in the figure.
void place_words(TileScene& scene);
/// What is covered by the words of a line.
[[nodiscard]] Rect rect_of(const TileScene& scene, const WordLine& line);
/// Between two texts in a line.
[[nodiscard]] float between_words(const TileScene& scene);
/// Words that an arrow would strike through stand to its left or to its right, where there is room;
/// not while something is pointed at.
void step_aside(TileScene& scene, const std::vector<Stroke>& strokes);
/// Above the links.
void draw_block_words(const TileScene& scene);
/// A line of text on its own ground, so that links behind it don't cross it out.
void put_words(const TileScene& scene, const Rect& line, std::string_view text, const Pen& pen);
/// What the focus touches, or who touches it. Words step aside.
void place_beams(TileScene& scene);
/// The arrows of the race that the focus is about. Words step aside.
void place_race(TileScene& scene);
void draw_race(const TileScene& scene);
/// Who touches what: links of the focus strongly, the others faintly.
void draw_links(const TileScene& scene);
/// The instruction that the colouring by bank points out.
void find_conflict(TileScene& scene);
void draw_conflict(const TileScene& scene);
[[nodiscard]] std::string conflict_sentence(const TileScene& scene);
/// Small maps of the buffers.
void place_plates(TileScene& scene);
void draw_plates(const TileScene& scene);
/// The focus in words.
void draw_details(const TileScene& scene);
void draw_tile_tooltip(const TileScene& scene);
void draw_tile_legend(const TileScene& scene);
void draw_scrubber(const TileScene& scene);

/// What happens to the cells of a block, in a few words, the longest wording first.
[[nodiscard]] Wordings notes_of(const TileScene& scene, const CellBlock& block);
/// "RAW race: invocation (0, 0) writes tile_a[0][0] (line 28), ...", as far as there is room: all,
/// without the word "invocation", or without the lines too, which the source marks.
enum class RaceWords : std::uint8_t { all, few, fewest };
[[nodiscard]] std::string race_sentence(const TileScene& scene, const RacingPair& race,
                                        RaceWords words = RaceWords::all);
/// The sentence of the finding, and how its index came about.
[[nodiscard]] std::string finding_sentence(const TileScene& scene);
/// "reads", "writes", "adds to": of one touch.
[[nodiscard]] const char* verb_of(const core::Trace& trace, const Touch& touch);
[[nodiscard]] std::string value_of(const core::Trace& trace, const Touch& touch);

}  // namespace ui
