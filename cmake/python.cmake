# The Python module cupel._core, in one file for all Pythons from 3.10 on (nanobind's split mode: the
# package nanobind-backend has the part that is of one Python). `pip install .` installs it, and the
# program beside it.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
if(NOT nanobind_ROOT AND NOT SKBUILD)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
                  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT)
endif()
find_package(nanobind 3.1 CONFIG REQUIRED)

file(GLOB module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cpp)
nanobind_add_module(_core BACKEND_MODULE nanobind_backend STABLE_ABI NB_SUPPRESS_WARNINGS
                    PROTECT_STACK ${module_sources})
target_link_libraries(_core PRIVATE cupel_api)
target_compile_definitions(_core PRIVATE _GLIBCXX_ASSERTIONS CUPEL_VERSION="${PROJECT_VERSION}")
# Beside the package's other files, once scripts/check has put them there.
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/cupel)
install(TARGETS _core LIBRARY DESTINATION cupel COMPONENT python)
if(SKBUILD)
  install(TARGETS cupel RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
