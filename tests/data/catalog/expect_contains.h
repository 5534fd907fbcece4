// Whether a message says what it should.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace cupel {

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace cupel
