#include "core/lessons/lesson_scene.h"

#include <algorithm>
#include <memory>

namespace core {
namespace {

void seal(std::shared_ptr<const KernelFacts>& facts) {
  if (!facts || facts->divergent.empty()) {
    return;
  }
  auto sealed = std::make_shared<KernelFacts>(*facts);
  sealed->divergent.clear();
  facts = std::move(sealed);
}

// A step without a view of its own leaves the one before.
LessonScene scene_after(const Lesson& lesson, std::size_t step) {
  const LessonStep& of = lesson.steps[step];
  LessonScene scene{
      .experiment = of.experiment, .view = of.view, .look = of.look, .workgroup = of.workgroup};
  for (std::size_t i = step; scene.view.empty() && i > 0; --i) {
    scene.view = lesson.steps[i - 1].view;
  }
  return scene;
}

}  // namespace

LessonScene lesson_scene(const Lesson& lesson, std::size_t step, bool open) {
  const LessonStep& now = lesson.steps[step];
  LessonScene scene = scene_after(lesson, step);
  if (open || !now.asks() || now.mend) {
    return scene;
  }
  if (now.sealed.value_or(false)) {
    scene.sealed = true;
    return scene;
  }
  if (step == 0) {
    scene.experiment.barriers.clear();
    scene.look.clear();
    return scene;
  }
  const Experiment& before = lesson.steps[step - 1].experiment;
  if (now.by() == AnswerBy::click) {
    const auto phase = now.look.find("phase");
    scene.experiment = before;
    scene.look = lesson.steps[step - 1].look;
    if (phase != now.look.end()) {  // it is asked about that: what else is looked at answers
      scene.look.insert_or_assign(phase->first, phase->second);
    }
  } else if (const bool same_text = before.variant == scene.experiment.variant &&
                                    before.barriers == scene.experiment.barriers;
             same_text || now.sealed) {
    return scene_after(lesson, step - 1);
  } else {
    scene.sealed = true;
  }
  return scene;
}

Result sealed_result(const Result& result) {
  Result sealed;
  sealed.experiment = result.experiment;
  sealed.problem = result.problem;
  sealed.variant = result.variant;
  sealed.work = result.work;
  sealed.device = result.device;
  sealed.buffers = result.buffers;
  sealed.stage = result.stage == Stage::failed ? Stage::running : result.stage;
  sealed.text_only = result.text_only;
  sealed.chosen = result.chosen;
  sealed.launches = result.launches;
  sealed.launch = result.launch;
  sealed.tiles = result.tiles;
  sealed.groups_done = result.groups_done;
  sealed.facts = result.facts;
  seal(sealed.facts);
  for (Launch& launch : sealed.launches) {
    seal(launch.facts);
  }
  return sealed;
}

}  // namespace core
