# install.cmake: what `make install` puts below a prefix, and `make deb` into a package: the command,
# its manual, and below lib/simt what programs are compiled against and linked with (parts.h). The
# component `simt` is all that the kit installs.
#
# CPack: a package should run on every machine of its kind, so tools/run configures it without
# SCANLAB_ARCH, and on x86 with SCANLAB_ENGINES: further copies of the engine, of which `simt cc`
# takes the one for the processor at hand.
set(here ${CMAKE_CURRENT_SOURCE_DIR})
install(TARGETS simt RUNTIME DESTINATION bin COMPONENT simt)
install(FILES $<TARGET_OBJECTS:scanlab_program> $<TARGET_FILE:scanlab_watch>
  $<TARGET_FILE:scanlab_cudart> $<TARGET_FILE:scanlab_simt> $<TARGET_FILE:scanlab_base>
  DESTINATION lib/simt COMPONENT simt)
foreach(level ${SCANLAB_ENGINES})
  add_dependencies(simt scanlab_simt_${level})
  install(FILES $<TARGET_FILE:scanlab_simt_${level}> DESTINATION lib/simt/${level} COMPONENT simt)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/common/cudart/device.flags
  ${PROJECT_SOURCE_DIR}/common/cudart/host.flags DESTINATION lib/simt/cudart COMPONENT simt)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/common/cudart/include DESTINATION lib/simt/cudart
  COMPONENT simt)
install(FILES ${here}/simt.1 DESTINATION share/man/man1 COMPONENT simt)
install(FILES ${here}/completion.bash DESTINATION share/bash-completion/completions RENAME simt
  COMPONENT simt)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/simt RENAME copyright
  COMPONENT simt)
# as in the clone, so that their links to each other lead somewhere
install(FILES ${PROJECT_SOURCE_DIR}/docs/simt.md DESTINATION share/doc/simt/docs COMPONENT simt)
install(FILES ${PROJECT_SOURCE_DIR}/common/cudart/README.md
  DESTINATION share/doc/simt/common/cudart COMPONENT simt)
install(FILES ${here}/github-workflow.yml DESTINATION share/doc/simt/examples COMPONENT simt)
if(SCANLAB_TESTS)
  install(FILES ${here}/test/race.cu DESTINATION share/doc/simt/examples COMPONENT simt)
endif()

# ---- a package for Debian and Ubuntu -------------------------------------------------------------

execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET)
string(REGEX REPLACE "[^0-9]*([0-9.]+).*" "\\1" libc "${libc}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME simt)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "Scan Lab")
set(CPACK_PACKAGE_CONTACT "Scan Lab authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs CUDA programs without a GPU and finds their mistakes")
set(CPACK_PACKAGE_DESCRIPTION "simt compiles CUDA C++ with clang and runs it on the CPU, on a \
GPU in software that checks every access: races, accesses out of bounds, values that were never \
set, barriers that are not met, deadlocks. It needs no GPU and no CUDA Toolkit.")
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};simt;simt;/")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# clang brings the C and C++ libraries to compile against; binutils has the linker, and addr2line,
# which names the line of a launch
set(CPACK_DEBIAN_PACKAGE_DEPENDS 
  "libc6 (>= ${libc}), clang (>= 1:14) | clang-19 | clang-16 | clang-14, binutils, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcub-dev, libthrust-dev")
include(CPack)
