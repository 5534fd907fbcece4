// How far one number per pair answers the questions of links.
#pragma once

#include <functional>
#include <optional>

#include "cupel/data/audit/link_audit.h"

namespace cupel {

// From here on a shortcut is worth knowing, or is a warning. Published models score 0.9 to 0.97 on
// negatives drawn evenly: what reaches 0.9 without learning leaves them little to show, and at 0.8
// most of what they show is not theirs.
inline constexpr double kAreaNotable = 0.8, kAreaHigh = 0.9;
// About as many pairs as are scored for an audit.
inline constexpr Offset kMostPairs = 20'000'000;

// Mean area of the score over the test questions, or of its negative if that is larger; nothing
// without questions. Where they have more than `most` pairs, it is that of every n-th test link.
struct ShortcutArea {
  double area = 0.5;
  bool low_is_link = false;
  Offset every = 1;  // n
};
[[nodiscard]] std::optional<ShortcutArea> shortcut_area(const LinkSubject& subject,
                                                        const std::function<float(Pair)>& score,
                                                        Offset most = kMostPairs);

// The finding, or nothing if the area is below kAreaNotable. `what` is the score in words, such as
// "the product of the degrees"; `id` that of the finding.
void add_shortcut(const LinkSubject& subject, const std::optional<ShortcutArea>& area,
                  const char* id, const char* what, const char* advice,
                  std::vector<Finding>& findings);

}  // namespace cupel
