# LIBSVM::svm: the archive of LIBSVM, in which malloc and its kin have other names, so that what a
# training had taken can be given back when an exception ends it. The names are defined in
# src/cupel/learn/graph_kernels/svm_memory.cpp, which whoever trains links.
find_path(LIBSVM_INCLUDE libsvm/svm.h REQUIRED)
find_library(LIBSVM_ARCHIVE NAMES libsvm.a REQUIRED)

set(watched ${PROJECT_BINARY_DIR}/libsvm_watched.a)
set(names "")
foreach(pair malloc=malloc calloc=calloc realloc=realloc free=free strdup=strdup
        _Znwm=new _Znam=new_array _ZdlPvm=delete _ZdaPv=delete_array)
  string(REPLACE "=" "=cupel_svm_" name ${pair})
  list(APPEND names --redefine-sym ${name})
endforeach()
add_custom_command(OUTPUT ${watched} DEPENDS ${LIBSVM_ARCHIVE}
                   COMMAND ${CMAKE_OBJCOPY} ${names} ${LIBSVM_ARCHIVE} ${watched} VERBATIM)
add_custom_target(libsvm_watched DEPENDS ${watched})

add_library(LIBSVM::svm STATIC IMPORTED)
set_target_properties(LIBSVM::svm PROPERTIES IMPORTED_LOCATION ${watched}
                      INTERFACE_INCLUDE_DIRECTORIES ${LIBSVM_INCLUDE})
add_dependencies(LIBSVM::svm libsvm_watched)
