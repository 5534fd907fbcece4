// The memory that LIBSVM takes, so that a training that is left by an exception leaves none behind.
#pragma once

namespace cupel {

// LIBSVM is C with a few destructors: an exception that passes through it (svm.cpp) skips most of
// its calls of free(). The build hands it other names for malloc and its kin (cmake/libsvm.cmake),
// which remember, in the thread at work, what was taken since this object began.
//
// One at a time in a thread.
class SvmMemory {
 public:
  SvmMemory();
  // Frees what was taken since and not freed by LIBSVM, unless it is kept.
  ~SvmMemory();
  SvmMemory(const SvmMemory&) = delete;
  SvmMemory& operator=(const SvmMemory&) = delete;

  // What is left belongs to a model, which svm_free_and_destroy_model() frees, in any thread.
  void keep();
};

}  // namespace cupel
