#include "cupel/base/error.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cupel/base/edit_distance.h"

namespace cupel {
namespace {

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
