# `cmake --install` and `cpack`: the program finds its kernels in ../share/tilescope beside itself, so the
# prefix may be anywhere.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the program alone; no test is installed
set(data ${CMAKE_SOURCE_DIR}/assets/install)
set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS tilescope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Beside the program as well: `tilescope capture` looks for the layer in ../lib/tilescope.
install(TARGETS capture_layer LIBRARY DESTINATION lib/tilescope)
install(FILES ${CMAKE_SOURCE_DIR}/app/capture/VkLayer_tilescope_capture.json DESTINATION lib/tilescope)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/shaders DESTINATION ${share}/tilescope)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/assets/lessons DESTINATION ${share}/tilescope/assets)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/assets/manual DESTINATION ${CMAKE_INSTALL_DOCDIR}/assets)
file(GLOB pictures CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/*.png ${CMAKE_SOURCE_DIR}/assets/*.webp)
install(FILES ${pictures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/assets)
install(FILES ${data}/tilescope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${data}/tilescope.desktop DESTINATION ${share}/applications)
install(FILES ${data}/tilescope.svg DESTINATION ${share}/icons/hicolor/scalable/apps)
install(FILES ${data}/tilescope-scene.xml DESTINATION ${share}/mime/packages)
install(FILES ${data}/tilescope.bash DESTINATION ${share}/bash-completion/completions RENAME tilescope)
# Debian's zsh looks for those of packages in a folder of its own.
foreach(folder site-functions vendor-completions)
  install(FILES ${data}/tilescope.zsh DESTINATION ${share}/zsh/${folder} RENAME _tilescope)
endforeach()
install(FILES ${data}/tilescope.fish DESTINATION ${share}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Tilescope <tilescope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sanitizer and visualizer for compute shaders")
set(CPACK_PACKAGE_DESCRIPTION
  "Runs tiled compute kernels on a Vulkan device and shows what happened inside:\n races, divergent barriers, bank conflicts, timelines and timings.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # asks dpkg-shlibdeps, which is in dpkg-dev
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd, fonts-inter, fonts-jetbrains-mono")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "vulkan-validationlayers")
include(CPack)
