// What an action complains of.
#pragma once

#include <functional>
#include <string>

#include "cupel/base/error.h"

namespace cupel {

// "no error" where it does not throw one.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace cupel
