# Finds what the distribution's packages provide (see third_party/packages.txt) and gives each one
# target. What differs between Debian 12, Debian 13 and Ubuntu 24.04 is dealt with here and in
# app/ui/canvas/imgui_compat.h.
find_package(Threads REQUIRED)
find_package(Vulkan REQUIRED)
find_package(glm REQUIRED)
find_package(glfw3 3.3 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(PkgConfig)
find_package(Freetype REQUIRED)

# What has no package files of CMake's is asked of pkg-config, and looked for where there is none.
function(find_plain name header library)
  add_library(tilescope_${name} INTERFACE)
  add_library(tilescope::${name} ALIAS tilescope_${name})
  if(PkgConfig_FOUND)
    pkg_check_modules(${name} IMPORTED_TARGET ${name})
  endif()
  if(${name}_FOUND)
    target_link_libraries(tilescope_${name} INTERFACE PkgConfig::${name})
    return()
  endif()
  find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${name} spirv_cross REQUIRED)
  find_library(${name}_LIBRARY ${library} REQUIRED)
  target_include_directories(tilescope_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
  target_link_libraries(tilescope_${name} INTERFACE ${${name}_LIBRARY})
endfunction()
find_plain(imgui imgui.h imgui)
target_link_libraries(tilescope_imgui INTERFACE Freetype::Freetype)
find_plain(stb stb_image.h stb)
find_plain(libwebpmux webp/mux.h webpmux)
find_plain(libwebp webp/encode.h webp)
find_plain(libwebpdemux webp/demux.h webpdemux)
find_plain(cairo cairo.h cairo)
target_link_libraries(tilescope_cairo INTERFACE Freetype::Freetype)
find_package(GIF REQUIRED)
find_plain(xcb xcb/xcb.h xcb)

# SPIRV-Tools' own CMake files name targets differently from release to release; the libraries' names
# have stayed the same.
find_library(SPIRV_TOOLS_LIBRARY SPIRV-Tools REQUIRED)
find_library(SPIRV_TOOLS_OPT_LIBRARY SPIRV-Tools-opt REQUIRED)
find_path(SPIRV_TOOLS_INCLUDE_DIR spirv-tools/optimizer.hpp REQUIRED)
add_library(tilescope_spirv_tools INTERFACE)
target_include_directories(tilescope_spirv_tools SYSTEM INTERFACE ${SPIRV_TOOLS_INCLUDE_DIR})
target_link_libraries(tilescope_spirv_tools
  INTERFACE ${SPIRV_TOOLS_OPT_LIBRARY} ${SPIRV_TOOLS_LIBRARY})
add_library(tilescope::spirv_tools ALIAS tilescope_spirv_tools)

# Debian 12's libshaderc.so leaves glslang's symbols undefined, and its pkg-config file does not say so.
# Its static library with glslang's works everywhere; which libraries glslang is split into differs.
find_path(SHADERC_INCLUDE_DIR shaderc/shaderc.hpp REQUIRED)
find_library(SHADERC_LIBRARY libshaderc_combined.a REQUIRED)
add_library(tilescope_shaderc INTERFACE)
target_include_directories(tilescope_shaderc SYSTEM INTERFACE ${SHADERC_INCLUDE_DIR})
target_link_libraries(tilescope_shaderc INTERFACE ${SHADERC_LIBRARY})
foreach(part SPIRV HLSL glslang MachineIndependent GenericCodeGen OGLCompiler OSDependent
    glslang-default-resource-limits)
  find_library(GLSLANG_${part}_LIBRARY lib${part}.a)
  if(GLSLANG_${part}_LIBRARY)
    # Each names what it uses: a linker that goes through libraries once needs that behind it.
    add_library(tilescope_glslang_${part} UNKNOWN IMPORTED)
    set_target_properties(tilescope_glslang_${part} PROPERTIES
      IMPORTED_LOCATION ${GLSLANG_${part}_LIBRARY} INTERFACE_LINK_LIBRARIES tilescope_spirv_tools)
    target_link_libraries(tilescope_shaderc INTERFACE tilescope_glslang_${part})
  endif()
endforeach()
target_link_libraries(tilescope_shaderc INTERFACE tilescope_spirv_tools Threads::Threads)
add_library(tilescope::shaderc ALIAS tilescope_shaderc)

find_plain(spirv-cross-c-shared spirv_cross_c.h spirv-cross-c-shared)

find_path(SPIRV_HEADERS_INCLUDE_DIR spirv/unified1/spirv.hpp11 REQUIRED)
add_library(tilescope_spirv_headers INTERFACE)
target_include_directories(tilescope_spirv_headers SYSTEM INTERFACE ${SPIRV_HEADERS_INCLUDE_DIR})
add_library(tilescope::spirv_headers ALIAS tilescope_spirv_headers)

# Every target of ours is built with these.
add_library(tilescope_options INTERFACE)
target_compile_options(tilescope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
  -Wold-style-cast -Wunused -Wimplicit-fallthrough -Wno-missing-field-initializers
  -Werror
  # What another file keeps to itself is not shadowed: clang-tidy looks at each alone.
  $<$<NOT:$<BOOL:${TILESCOPE_FAST_BUILD}>>:-Wshadow>
  # g++ 12 sees overlapping copies inside std::string where there are none (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Clang warns of what libstdc++ deprecates and uses itself in std::stable_sort.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(TILESCOPE_SANITIZE)
  target_compile_options(tilescope_options INTERFACE
    -fsanitize=${TILESCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # With the sanitizers' code in between g++ 12 takes std::regex for uninitialized.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(tilescope_options INTERFACE -fsanitize=${TILESCOPE_SANITIZE})
endif()
add_library(tilescope::options ALIAS tilescope_options)

find_program(CCACHE ccache)
if(CCACHE)
  # What ccache asks for where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  target_compile_options(tilescope_options INTERFACE 
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
