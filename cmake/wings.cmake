# The standard headers that most files include. Wings and test programs precompile them, and share the
# result where they are compiled alike.
set(CUPEL_COMMON_HEADERS <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span>
  <sstream> <string> <utility> <vector> <fmt/format.h> <fmt/ranges.h>)

# cupel_batches(TARGET): compiles its sources in batches where that was asked for (cmake/batches.py),
# but those with the property CUPEL_ALONE. A batch names its sources as they lie below src or tests, so
# that a compiler cache finds in one clone what another has compiled; batches of CMake's own name them
# by their whole paths.
define_property(SOURCE PROPERTY CUPEL_ALONE)
if(CUPEL_BATCHES)
  find_package(Python3 COMPONENTS Interpreter)
  file(GLOB_RECURSE headers ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/tests/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/batches.py ${headers})
endif()
function(cupel_batches target)
  if(NOT CUPEL_BATCHES OR NOT Python3_FOUND)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  # A name that is new in a file, or in a header of it, may part it from others.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  foreach(source ${sources})
    get_source_file_property(alone ${source} CUPEL_ALONE)
    if(alone)
      list(REMOVE_ITEM sources ${source})
    endif()
  endforeach()
  set(roots ${PROJECT_SOURCE_DIR}/src:${PROJECT_SOURCE_DIR}/tests)
  set(folder ${PROJECT_BINARY_DIR}/batches/${target})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/batches.py ${roots} ${folder} ${sources}
                  OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  set(batches "")
  foreach(line ${lines})
    string(REGEX MATCH "^(batch[0-9]+) (.*)$" line "${line}")
    list(APPEND batches ${folder}/${CMAKE_MATCH_1}.cpp)
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES batches)
  target_sources(${target} PRIVATE ${batches})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# cupel_built_quickly(TARGET LEVEL): compiled in two thirds of the time. -Og is for what nobody waits
# for, -O1 for loops that are as fast with it: those that follow pointers, read text and count.
function(cupel_built_quickly target level)
  if(NOT CUPEL_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  endif()
endfunction()

# cupel_wing(NAME [HEADERS_OF WING] LINKS ...): a static library from everything below src/cupel/NAME.
# HEADERS_OF reuses the precompiled headers of WING, a wing below it that is compiled at the same level.
function(cupel_wing name)
  cmake_parse_arguments(arg "" "HEADERS_OF" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cupel/${name}/*.cpp)
  add_library(cupel_${name} STATIC ${sources})
  target_include_directories(cupel_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(cupel_${name} PUBLIC ${arg_LINKS})
  if(arg_HEADERS_OF)
    target_precompile_headers(cupel_${name} REUSE_FROM cupel_${arg_HEADERS_OF})
  else()
    target_precompile_headers(cupel_${name} PRIVATE ${CUPEL_COMMON_HEADERS})
  endif()
  # Containers check their bounds, but in the kernels, whose loops are checked once outside.
  if(NOT name STREQUAL engine)
    target_compile_definitions(cupel_${name} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
  cupel_batches(cupel_${name})
endfunction()

# cupel_registry(TARGET TYPE KIND FOLDER): generates KIND_registry.inc, which declares the entry
# `extern const TYPE KIND_stem` of every .cpp file of src/cupel/FOLDER and gives their addresses, in
# the order of their stems, as KIND_registry(). One source includes it, in the namespace of TYPE
# (base/registry.h). FOLDER/* stands for the folders in it, no two of which may share a stem.
function(cupel_registry target type kind folder)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cupel/${folder}/*.cpp)
  set(stems "")
  foreach(file ${files})
    get_filename_component(stem ${file} NAME_WE)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "src/cupel/${folder}: two files are called ${stem}.cpp, and both would "
                          "define ${kind}_${stem}; rename one")
    endif()
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(text "// Generated from the files of src/cupel/${folder}.\n")
  set(entries "")
  foreach(stem ${stems})
    string(APPEND text "extern const ${type} ${kind}_${stem};\n")
    string(APPEND entries "      &${kind}_${stem},\n")
  endforeach()
  string(APPEND text "static std::vector<const ${type}*> ${kind}_registry() {\n"
                     "  return {\n${entries}  };\n}\n")
  set(out ${PROJECT_BINARY_DIR}/generated/${kind}_registry.inc)
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()

# cupel_embed(WING NAME PATTERNS...): makes the files part of the program.
# cupel::embedded::NAME() returns them as {file name, content} pairs, sorted by name.
function(cupel_embed wing name)
  set(patterns "")
  foreach(pattern ${ARGN})
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/${pattern})
  endforeach()
  file(GLOB files CONFIGURE_DEPENDS ${patterns})
  list(SORT files)
  set(out ${PROJECT_BINARY_DIR}/generated/${name}_embedded.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DOUT=${out} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(cupel_${wing} PRIVATE ${out})
endfunction()

# cupel_documented_model(TARGET): the model that docs/models.md shows in full, and the test that it shows,
# become a source of TARGET. No registry has this model, so the test gets the entry where it asks for the name;
# both have names of their own, so that whoever saves them as the page says can still build.
function(cupel_documented_model target)
  set(page ${PROJECT_SOURCE_DIR}/docs/models.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} rest)
  set(source "// Generated from docs/models.md.\n")
  foreach(first "// MixHop." "#include \"learn/models/dense_oracle.h\"")
    string(FIND "${rest}" "```cpp\n${first}" begin)
    if(begin EQUAL -1)
      message(FATAL_ERROR "docs/models.md: no block of C++ begins with ${first}")
    endif()
    math(EXPR begin "${begin} + 7")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}" "```" end)
    string(SUBSTRING "${rest}" 0 ${end} block)
    string(APPEND source "${block}")
  endforeach()
  string(REPLACE "*find_model(\"mixhop\")" "documented_model" source "${source}")
  string(REPLACE "model_mixhop" "documented_model" source "${source}")
  string(REPLACE "TEST(MixHop" "TEST(DocumentedModel" source "${source}")
  set(out ${PROJECT_BINARY_DIR}/generated/documented_model_test.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT "${source}" @ONLY)
  set_source_files_properties(${out} PROPERTIES CUPEL_ALONE ON)
  target_sources(${target} PRIVATE ${out})
endfunction()

# cupel_test_headers(): the precompiled headers of all test programs, made once. The target is a program,
# because programs are compiled with -fPIE and libraries with -fPIC, and headers fit only one of them.
function(cupel_test_headers)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp CONTENT "")
  add_executable(test_headers ${PROJECT_BINARY_DIR}/generated/test_headers.cpp)
  target_link_libraries(test_headers PRIVATE fmt::fmt GTest::gtest_main)
  target_precompile_headers(test_headers PRIVATE ${CUPEL_COMMON_HEADERS} <gtest/gtest.h>)
  cupel_built_quickly(test_headers -Og)
endfunction()

# cupel_tests(WING): one test program from everything below tests/WING named *_test.cpp.
function(cupel_tests wing)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${wing}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${wing} ${sources})
  if(wing STREQUAL cli)
    target_link_libraries(test_cli PRIVATE cupel_api GTest::gtest_main)
    add_dependencies(test_cli cupel)
  else()
    target_link_libraries(test_${wing} PRIVATE cupel_${wing} GTest::gtest_main)
  endif()
  target_precompile_headers(test_${wing} REUSE_FROM test_headers)
  # Tests are built more often than they are waited for; what they test is optimised.
  cupel_built_quickly(test_${wing} -Og)
  # Paths stand in a header, so that a compiler cache serves clones in other folders.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/build_paths.h CONTENT
    "#define CUPEL_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\"\n#define CUPEL_PROGRAM \"${PROJECT_BINARY_DIR}/cupel\"\n")
  target_include_directories(test_${wing} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_BINARY_DIR}/generated)
  if(wing STREQUAL learn)
    cupel_documented_model(test_learn)
  endif()
  cupel_batches(test_${wing})
  gtest_discover_tests(test_${wing} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
endfunction()
