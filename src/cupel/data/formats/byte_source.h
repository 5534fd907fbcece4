// Bytes that come in blocks, front to back.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next bytes, at least one, valid until the next call. False at the end. Throws Error naming
  // the source if it cannot be read or is damaged.
  virtual bool next(std::string_view& block) = 0;
  virtual const std::string& name() const = 0;  // for messages
};

}  // namespace cupel
