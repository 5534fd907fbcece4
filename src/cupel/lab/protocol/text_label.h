// What messages call a text, and the places of its lines.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cupel {

// Safe from any thread.
class TextLabel {
 public:
  // Of a file whose lines are its own.
  TextLabel(std::string file) : file_(std::move(file)) {}
  TextLabel(const char* file) : file_(file) {}
  // Of a text that was put together: `places` says where each of its lines stood, "base.toml:3".
  TextLabel(std::string file, std::vector<std::string> places)
      : file_(std::move(file)),
        places_(std::make_shared<const std::vector<std::string>>(std::move(places))) {}

  [[nodiscard]] const std::string& file() const { return file_; }
  // "my.toml:12" of line 12. Lines count from 1; 0 is that of what no line says, and is the file.
  [[nodiscard]] std::string at(std::size_t line) const {
    if (line == 0) return file_;
    if (!places_) return fmt::format("{}:{}", file_, line);
    return line <= places_->size() ? (*places_)[line - 1] : file_;
  }

 private:
  std::string file_;
  std::shared_ptr<const std::vector<std::string>> places_;
};

}  // namespace cupel
