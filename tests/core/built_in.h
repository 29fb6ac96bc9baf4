// A workload that is written in C++, for tests of it.
#pragma once

#include <string>

#include "core/catalogue/workload.h"

namespace core {

inline const Workload* built_in(const std::string& name) {
  return workload_named(built_in_workloads(), name).get();  // never destroyed
}

}  // namespace core
