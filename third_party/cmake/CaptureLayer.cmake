# The Vulkan layer of `tilescope capture`. It is loaded into other programs: it brings its own C++ library,
# exports one function, and is never unloaded.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/app/capture/*.cpp)
add_library(capture_layer MODULE ${sources})
set(folder ${CMAKE_BINARY_DIR}/layer)
set_target_properties(capture_layer PROPERTIES OUTPUT_NAME VkLayer_tilescope_capture
  LIBRARY_OUTPUT_DIRECTORY ${folder} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
set(farm ${CMAKE_BINARY_DIR}/include/capture)
file(MAKE_DIRECTORY ${farm})
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/app/capture ${farm}/capture SYMBOLIC)
target_include_directories(capture_layer PRIVATE ${farm})
target_link_libraries(capture_layer PRIVATE Vulkan::Headers tilescope::spirv_headers Threads::Threads
  tilescope::options)
target_link_options(capture_layer PRIVATE -static-libstdc++ -static-libgcc LINKER:-z,nodelete
  LINKER:--version-script=${CMAKE_SOURCE_DIR}/app/capture/exports.map)
set_property(TARGET capture_layer APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/app/capture/exports.map)
build_together(capture_layer ${sources})
# The loader looks for the library beside the manifest.
configure_file(${CMAKE_SOURCE_DIR}/app/capture/VkLayer_tilescope_capture.json
  ${folder}/VkLayer_tilescope_capture.json COPYONLY)
