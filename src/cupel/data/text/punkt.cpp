#include "cupel/data/text/punkt.h"

#include <cstring>

#include "cupel/data/text/characters.h"
#include "cupel/data/text/pieces.h"
#include "cupel/data/text/punkt_decision.h"

namespace cupel {
namespace {

bool may_end_sentence(char c) { return c == '.' || c == '?' || c == '!'; }

// The first such mark at or behind `at`, or the size. Eight bytes at once.
std::size_t next_mark(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x80 * kOnes;
  const auto zeros = [](std::uint64_t eight) { return (eight - kOnes) & ~eight & kTops; };
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data() + at, 8);
    if (zeros(eight ^ '.' * kOnes) | zeros(eight ^ '?' * kOnes) | zeros(eight ^ '!' * kOnes)) break;
  }
  while (at < text.size() && !may_end_sentence(text[at])) ++at;
  return at;
}

std::size_t run_start(std::string_view text, std::size_t at, std::size_t least) {
  while (at > least &&
         ((text[at - 1] > ' ' && is_ascii(text[at - 1])) || space_before(text, at) == 0))
    --at;
  return at;
}

std::size_t run_end(std::string_view text, std::size_t at) {
  while ((at = next_not_plain(text, at)) < text.size() && space_at(text, at) == 0) ++at;
  return at;
}

std::size_t spaces_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::size_t size = space_at(text, at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

struct Span {
  std::size_t start, stop;
};

// Hands sentences out, each after the closing marks at the head of the next one were given to it.
class Realigner {
 public:
  Realigner(std::string_view text, std::vector<std::string_view>& out) : text_(text), out_(out) {}

  void add(Span next) {
    if (!any_) {
      held_ = next;
      any_ = true;
      return;
    }
    Span span{held_.start + moved_, held_.stop};
    const auto [marks, moved] = closing_marks(next);
    if (moved > 0) {
      put({span.start, next.start + marks});
    } else if (span.start < span.stop) {
      put(span);
    }
    moved_ = moved;
    held_ = next;
  }
  void finish() {
    if (any_ && held_.start + moved_ < held_.stop) put({held_.start + moved_, held_.stop});
  }

 private:
  // Closing marks that spaces, "--", or the end of a line or of the sentence follow; and where the
  // sentence begins then. Zeros if there are none.
  std::pair<std::size_t, std::size_t> closing_marks(Span span) const {
    const std::string_view text = text_.substr(span.start, span.stop - span.start);
    std::size_t marks = 0;
    while (marks < text.size() && std::string_view("\"')]}").find(text[marks]) != text.npos)
      ++marks;
    if (marks == 0) return {0, 0};
    if (const std::size_t spaces = spaces_end(text, marks); spaces > marks || marks == text.size())
      return {marks, spaces};
    if (text.substr(marks).starts_with("--")) return {marks, marks};
    return {0, 0};
  }
  void put(Span span) { out_.push_back(text_.substr(span.start, span.stop - span.start)); }

  std::string_view text_;
  std::vector<std::string_view>& out_;
  Span held_{0, 0};
  std::size_t moved_ = 0;
  bool any_ = false;
};

}  // namespace

void split_sentences(std::string_view text, const PunktModel& model,
                     std::vector<std::string_view>& out) {
  PunktDecision decision(model);
  Realigner sentences(text, out);
  std::size_t sentence = 0, seen = 0;
  // Each run of characters without white space has one place at most where a sentence may end: the
  // last such mark that a mark outside of words or another run follows.
  for (std::size_t at = 0; at < text.size(); at = seen) {
    at = next_mark(text, at);
    if (at == text.size()) break;
    const std::size_t start = run_start(text, at, seen), end = run_end(text, at);
    seen = end;
    const std::size_t next = spaces_end(text, end);
    std::size_t mark = end;
    for (std::size_t k = end; k-- > at;) {
      if (!may_end_sentence(text[k])) continue;
      const bool possible = k + 1 < end ? is_outside_of_words(text[k + 1]) : next < text.size();
      if (!possible) continue;
      mark = k;
      break;
    }
    if (mark == end) continue;
    const bool inside = mark + 1 < end;
    const std::size_t context = mark + 1 + (inside ? 1 : 0);
    const std::string_view following =
        inside ? std::string_view() : text.substr(next, run_end(text, next) - next);
    if (!decision.breaks(text.substr(start, context - start), following)) continue;
    sentences.add({sentence, mark + 1});
    sentence = inside ? mark + 1 : next;
  }
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t size = space_before(text, end);
    if (size == 0) break;
    end -= size;
  }
  sentences.add({sentence, end});
  sentences.finish();
}

}  // namespace cupel
