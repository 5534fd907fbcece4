// The single replacements of treebank.h, each as if by a regular expression's sub().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cupel::treebank {

// A text that is copied with replacements, from front to back.
class Edit {
 public:
  Edit(std::string_view in, std::string& out) : in(in), out_(out) { out_.clear(); }
  // Puts `text` in place of in[from, to). Requires from >= done().
  void replace(std::size_t from, std::size_t to, std::string_view text) {
    out_.append(in, done_, from - done_).append(text);
    done_ = to;
    changed_ = true;
  }
  void pad(std::size_t from, std::size_t to) {
    replace(from, from, " ");
    out_.append(in, from, to - from) += ' ';
    done_ = to;
  }
  std::size_t done() const { return done_; }  // up to here `in` belongs to what was replaced
  // Whether anything was replaced; the output is whole only then.
  bool finish() {
    if (changed_) out_.append(in, done_);
    return changed_;
  }

  const std::string_view in;

 private:
  std::string& out_;
  std::size_t done_ = 0;
  bool changed_ = false;
};

// What a sentence has, so that passes without work are left out.
enum Found : std::uint32_t {
  kOpening = 1,      // lead bytes of opening quotation marks, and `
  kDoubleQuote = 2,  // "
  kQuote = 4,        // '
  kColon = 8,        // : ,
  kPeriod = 16,
  kSymbol = 32,  // ; @ # $ % &
  kQuery = 64,   // ? !
  kBracket = 128,
  kDash = 256,
  kClosing = 512  // lead bytes of closing quotation marks
};
inline constexpr int kContractions = 10;    // "cannot" and its like, in the order of their passes
inline constexpr int kContractionBit = 16;  // the bit of the first one, if letters of it were found
[[nodiscard]] unsigned look_for(std::string_view text);

void pad_openings(Edit& edit);
void pad_backtick_pairs(Edit& edit);
void open_quotes(Edit& edit);
void split_before_letter(Edit& edit);
void split_final_period(Edit& edit, bool beyond_ascii);
void pad_colons(Edit& edit);
void pad_final_colon(Edit& edit);
void pad_ellipses(Edit& edit);
void pad_each(Edit& edit, Found what);  // kSymbol, kQuery, kBracket
void split_spaced_quotes(Edit& edit);
void pad_dashes(Edit& edit);
void pad_closings(Edit& edit);
void close_double_quotes(Edit& edit);
void split_quote_pairs(Edit& edit);
void split_short_clitics(Edit& edit);  // 's 'm 'd '
void split_long_clitics(Edit& edit);   // 'll 're 've n't

void split_contraction(Edit& edit, int which);

}  // namespace cupel::treebank
