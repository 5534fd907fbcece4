#include "cupel/data/text/treebank.h"

#include "cupel/data/text/characters.h"
#include "cupel/data/text/treebank_passes.h"

namespace cupel {
namespace {

void split_at_spaces(std::string_view text, TokenList& out) {
  std::size_t from = 0;
  const auto end_token = [&](std::size_t at) {
    if (at > from) out.push_back(text.substr(from, at - from));
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte > ' ' && byte < 0x80) {
      ++at;
      continue;
    }
    const Character c = character_at(text, at);
    if (is_space(c.code)) {
      end_token(at);
      from = at + c.size;
    }
    at += c.size;
  }
  end_token(text.size());
}

}  // namespace

void TreebankTokenizer::tokenize(std::string_view sentence, TokenList& out) {
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
  if (found & (quotes | kClosing | kContraction)) {
    next_.assign(" ").append(text_) += ' ';
    text_.swap(next_);
    if (found & kClosing) pass(pad_closings);
    pass(close_double_quotes);
    pass(split_quote_pairs);
    pass(split_short_clitics);
    pass(split_long_clitics);
    for (int which = 0; (found & kContraction) && which < kContractions; ++which)
      pass(split_contraction, which);
  }
  split_at_spaces(text_, out);
}

}  // namespace cupel
