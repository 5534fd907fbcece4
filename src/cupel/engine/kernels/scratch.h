// Working memory of a kernel that needs some: one buffer per thread, kept between calls.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel::kernels {

// Room for `size` floats in a buffer that only grows. Contents are unspecified.
inline float* room_in(AlignedVector<float>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = AlignedVector<float>(size);
  return buffer.data();
}

// Room for `size` floats, aligned; valid until this thread asks again. Contents are unspecified.
inline float* scratch(std::size_t size) {
  thread_local AlignedVector<float> buffer;
  return room_in(buffer, size);
}

}  // namespace cupel::kernels
