#include "core/base/device_info.h"
#include "core/catalogue/variant.h"
#include "core/work/experiment.h"

namespace core {

std::string to_string(DeviceType type) {
  switch (type) {
    case DeviceType::discrete:
      return "discrete GPU";
    case DeviceType::integrated:
      return "integrated GPU";
    case DeviceType::virtual_gpu:
      return "virtual GPU";
    case DeviceType::cpu:
      return "CPU";
    case DeviceType::other:
      break;
  }
  return "other";
}

std::string to_string(Expectation expectation) {
  switch (expectation) {
    case Expectation::races:
      return "races";
    case Expectation::diverges:
      return "diverges";
    case Expectation::correct:
      break;
  }
  return "correct";
}

std::string to_string(const Sizes& sizes) {
  std::string text;
  for (const std::uint32_t size : sizes) {
    text += (text.empty() ? "" : ",") + std::to_string(size);
  }
  return text;
}

}  // namespace core
