# Whether the headers that most files of a target include are read once a target. It only saves time:
# every file includes what it uses and builds alone, as -DTILESCOPE_FAST_BUILD=OFF and clang-tidy see to.
option(TILESCOPE_FAST_BUILD "Compile with precompiled headers" ON)

# build_fast(TARGET HEADER...): with those headers precompiled too; build_fast(TARGET AS OTHER) takes what
# was read for another target that is compiled alike.
function(build_fast target)
  if(NOT TILESCOPE_FAST_BUILD)
    return()
  endif()
  if(ARGV1 STREQUAL AS)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <expected>
      <filesystem> <functional> <map> <memory> <optional> <ranges> <span> <string> <utility> <vector>
      <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp> ${ARGN})
  endif()
  # g++ 12 forgets which of the precompiled headers are the system's, and warns of std::string.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endfunction()

# add_layer(NAME [LAYERS ...] [LIBRARIES ...] [PRECOMPILE ...]): a static library of all sources in
# app/NAME.
#
# Headers are included as "layer/header.h". Each layer's include folder is a link farm of the layers it
# may see, so that only those resolve; libraries stay private unless a layer's headers need them.
function(add_layer name)
  cmake_parse_arguments(LAYER "" "" "LAYERS;LIBRARIES;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/app/${name}/*.cpp)
  add_library(${name} STATIC ${sources})

  set(farm ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${farm})
  foreach(layer ${name} ${LAYER_LAYERS})
    file(CREATE_LINK ${CMAKE_SOURCE_DIR}/app/${layer} ${farm}/${layer} SYMBOLIC)
  endforeach()
  target_include_directories(${name} PRIVATE ${farm})

  target_link_libraries(${name} PRIVATE tilescope::options ${LAYER_LIBRARIES})
  foreach(layer ${LAYER_LAYERS})
    target_link_libraries(${name} PRIVATE ${layer})
  endforeach()
  # glm is part of core's vocabulary, and so of every layer's.
  target_link_libraries(${name} PUBLIC glm::glm)
  build_fast(${name} ${LAYER_PRECOMPILE})
endfunction()
