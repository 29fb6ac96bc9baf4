// An app with a finished run, to press keys at.
#pragma once

#include <gtest/gtest.h>

#include "ui/fixture.h"

namespace tests {

class Keys : public testing::Test {
 protected:
  Keys() : result_(result_of("matmul/tiled", {64, 64, 64}, 8)), stage_(scene()) {
    stage_.draw(result_);
    stage_.draw(result_);
  }
  core::Scene scene() const {
    core::Scene scene;
    scene.experiment = result_.experiment;
    return scene;
  }
  ui::Requests press(const ui::KeyPress& key) {
    stage_.app().press(key);
    return stage_.draw(result_);
  }

  core::Result result_;
  Stage stage_;
};

}  // namespace tests
