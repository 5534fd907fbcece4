// The one exception type of the library's boundary.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cupel {

// Bad input or a failed request of the user. The message is one clear sentence: it names the file
// or field, the offending value and the way out. Programs end with exit code 2 on it. Our own bugs
// are never an Error: they are assertions or std::logic_error.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// fail("cora.npz: member '{}' is missing; ...", name) throws Error with the formatted message.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

// The known name nearest to a misspelt one ("did you mean ...?"), or "" if none is near.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& known);

}  // namespace cupel
