# build_together(TARGET SOURCE...): a folder's sources as one.
function(build_together target)
  if(NOT TILESCOPE_FAST_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/app)
    string(REPLACE "/" "_" folder ${folder})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endforeach()
endfunction()

# precompile(TARGET OWN [HEADER...]): precompiles the standard headers that most files include, GLM's
# vectors and the given headers. precompile(TARGET FROM OTHER): reuses those of a target that is compiled
# with the same options.
function(precompile target kind)
  if(NOT TILESCOPE_FAST_BUILD)
    return()
  endif()
  if(kind STREQUAL FROM)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <charconv> <chrono> <cmath>
      <cstdint> <expected> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional>
      <ranges> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map> <utility>
      <variant> <vector> <glm/vec2.hpp> <glm/vec3.hpp> <glm/vec4.hpp> <glm/common.hpp> ${ARGN})
  endif()
  # g++ 12 treats precompiled system headers as ours and warns about std::string.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endfunction()

# build_tests_fast(TARGET): compiles seven test files at a time.
function(build_tests_fast target)
  if(TILESCOPE_FAST_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)
  endif()
endfunction()

# add_layer(NAME [LAYERS ...] [LIBRARIES ...]): a static library of all sources in
# app/NAME.
#
# Headers are included as "layer/header.h". Each layer's include folder is a link farm of the layers it
# may see, so that only those resolve; libraries stay private unless a layer's headers need them.
function(add_layer name)
  cmake_parse_arguments(LAYER "" "" "LAYERS;LIBRARIES" ${ARGN})
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
  build_together(${name} ${sources})
endfunction()
