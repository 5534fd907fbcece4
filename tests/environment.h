// Variables of the environment, for tests of what goes by them.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

namespace cupel::made {

// A variable of the environment for as long as it lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    const char* before = std::getenv(name_.c_str());
    had_ = before != nullptr;
    if (had_) before_ = before;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (had_) {
      ::setenv(name_.c_str(), before_.c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_, before_;
  bool had_ = false;
};

}  // namespace cupel::made
