# Fuzz targets for the readers of files, with clang's libFuzzer: one program for each
# tests/data/formats/fuzz/NAME_fuzzer.cpp. scripts/fuzz configures, builds and runs them, and
# read_data, which reads real data sets under the same sanitizers.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  message(FATAL_ERROR "fuzz targets need clang: cmake -DCMAKE_CXX_COMPILER=clang++-14")
endif()

# Before the wings: what is fuzzed has to count where it goes.
add_compile_options(-O1 -fsanitize=fuzzer-no-link,address,undefined
                    -fno-sanitize-recover=undefined -fno-omit-frame-pointer -gline-tables-only)
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_link_options(-fsanitize=address,undefined)
# A source that is compiled in a batch of one target is a header to all others, and the readers are
# sources of two.
set(CUPEL_BATCHES OFF)

# cupel_fuzzers(): a program fuzz_NAME for each target, `fuzzers` for all of them, and read_data.
# They link what reading takes of the data wing, and are built in a third of the time that the
# whole wing takes.
function(cupel_fuzzers)
  set(data ${PROJECT_SOURCE_DIR}/src/cupel/data)
  file(GLOB readers CONFIGURE_DEPENDS ${data}/*.cpp ${data}/facts/*.cpp ${data}/facts/negatives/*.cpp
       ${data}/formats/*.cpp ${data}/graph/*.cpp ${data}/molecules/*.cpp ${data}/records/*.cpp
       ${data}/resolve/*.cpp ${data}/split/*.cpp ${data}/split/kinds/*.cpp ${data}/text/*.cpp
       ${data}/wiki/*.cpp ${data}/wiki/markup/*.cpp)
  add_library(cupel_readers STATIC EXCLUDE_FROM_ALL ${readers})
  target_include_directories(cupel_readers PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(cupel_readers PUBLIC cupel_base ZLIB::ZLIB BZip2::BZip2
                        EXPAT::EXPAT nlohmann_json::nlohmann_json $<LINK_ONLY:PkgConfig::HWY>)
  target_precompile_headers(cupel_readers PRIVATE ${CUPEL_COMMON_HEADERS})
  cupel_use_rdkit(cupel_readers)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/data/formats/fuzz/*_fuzzer.cpp)
  add_custom_target(fuzzers)
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    string(REGEX REPLACE "_fuzzer$" "" name ${stem})
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
    target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(fuzz_${name} PRIVATE cupel_readers)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers fuzz_${name})
  endforeach()
  add_executable(read_data EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/data/formats/fuzz/read_data.cpp)
  target_include_directories(read_data PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(read_data PRIVATE cupel_readers)
endfunction()
