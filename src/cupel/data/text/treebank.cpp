#include "cupel/data/text/treebank.h"

#include "cupel/data/text/treebank_passes.h"

namespace cupel {

std::string_view TreebankTokenizer::spaced(std::string_view sentence) {
  using namespace treebank;
  const unsigned found = look_for(sentence);
  text_.assign(sentence);
  const auto pass = [&](auto function, auto... arguments) {
    Edit edit(text_, next_);
    function(edit, arguments...);
    if (edit.finish()) text_.swap(next_);
  };
  const unsigned quotes = kQuote | kDoubleQuote;

  if (found & kOpening) pass(pad_openings);
  if (text_.starts_with('"')) text_.replace(0, 1, "``");
  if (found & (kOpening | kDoubleQuote)) pass(pad_backtick_pairs);
  if (found & quotes) pass(open_quotes);
  if (found & kQuote) pass(split_before_letter);

  if (found & kPeriod) pass(split_final_period, true);
  if (found & kColon) {
    pass(pad_colons);
    pass(pad_final_colon);
  }
  if (found & kPeriod) pass(pad_ellipses);
  if (found & kSymbol) pass(pad_each, kSymbol);
  if (found & kPeriod) pass(split_final_period, false);
  if (found & kQuery) pass(pad_each, kQuery);
  if (found & kQuote) pass(split_spaced_quotes);
  if (found & kBracket) pass(pad_each, kBracket);
  if (found & kDash) pass(pad_dashes);

  // What follows looks for a blank before and behind.
  if (found & (quotes | kClosing) || found >> kContractionBit) {
    next_.assign(" ").append(text_) += ' ';
    text_.swap(next_);
    if (found & kClosing) pass(pad_closings);
    pass(close_double_quotes);
    pass(split_quote_pairs);
    pass(split_short_clitics);
    pass(split_long_clitics);
    for (int which = 0; found >> kContractionBit && which < kContractions; ++which)
      if (found >> (kContractionBit + which) & 1) pass(split_contraction, which);
  }
  return text_;
}

}  // namespace cupel
