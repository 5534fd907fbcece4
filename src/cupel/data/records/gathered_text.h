// A text that comes in pieces, made plain on the way.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// White space (the no-break space and its kin among it) becomes single blanks, and none at the
// ends; unseen characters (base/visible.h) are taken out. A piece is UTF-8 and has whole
// characters. Linear. Not thread-safe.
class GatheredText {
 public:
  void append(std::string_view piece);
  // What follows is another word than what came.
  void gap() { blank_ = true; }
  void clear() {
    text_.clear();
    blank_ = mended_ = false;
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  // Whether something unseen was taken out.
  [[nodiscard]] bool mended() const { return mended_; }

 private:
  void put(std::string_view run);

  std::string text_;
  bool blank_ = false;  // white space came after the text
  bool mended_ = false;
};

}  // namespace cupel
