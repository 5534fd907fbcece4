#include "cupel/base/error.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace cupel {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other, no
// place touched twice.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

// Case aside.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& known) {
  const std::string typed = lower(wrong);
  // Two slips in four letters make another word.
  const std::size_t most = typed.size() <= 4 ? 1 : std::max<std::size_t>(2, typed.size() / 3);
  std::string best;
  // Of equals one that begins alike, then the first.
  std::pair<std::size_t, bool> best_rank(most + 1, false);
  for (const std::string& name : known) {
    const std::string candidate = lower(name);
    const std::pair<std::size_t, bool> rank(
        edit_distance(typed, candidate),
        typed.empty() || candidate.empty() || typed.front() != candidate.front());
    if (rank < best_rank) {
      best = name;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace cupel
