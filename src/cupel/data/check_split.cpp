#include "cupel/data/check_split.h"

#include "cupel/base/error.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

// Calls of_id(part, id) before it asks whether the id is taken already, and called(id) for
// messages.
template <class OfId, class Called>
void check(const Split& split, Unit unit, Index count, const std::string& where, const OfId& of_id,
           const Called& called) {
  const char* what = unit_name(unit);
  std::vector<char> owner(static_cast<std::size_t>(count), 0);  // 1 + part
  const auto parts = split.parts();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const char* name = kPartNames[p];
    if (p < kNeededParts && parts[p]->empty()) fail("{}: the {} part is empty", where, name);
    for (const Index id : *parts[p]) {
      if (id < 0 || id >= count)
        fail("{}: {} {} {} is outside the data set's {} {}s", where, name, what, id, count, what);
      of_id(name, id);
      char& owned = owner[static_cast<std::size_t>(id)];
      if (owned != 0) {
        fail("{}: {} {} is in the {} part and again in the {} part", where, what, called(id),
             kPartNames[owned - 1], name);
      }
      owned = static_cast<char>(p + 1);
    }
  }
}

}  // namespace

void check_parts(const Split& split, Unit unit, Index count, const std::string& where) {
  check(
      split, unit, count, where, [](const char*, Index) {}, [](Index id) { return id; });
}

void check_split(const Dataset& dataset, const Split& split, const std::string& where,
                 const std::function<std::string(Index)>& called) {
  const Unit unit = example_unit(dataset);
  const auto name = [&](Index id) { return called ? called(id) : std::to_string(id); };
  const auto is_asked = [&](const char* part, Index id) {
    const bool nothing_asked = !dataset.has_tasks() && dataset.labels().empty();
    if (nothing_asked || is_labelled(dataset, id)) return;
    fail("{}: {} {} {} has no label, so that it can be in no part; take it out of the split", where,
         part, unit_name(unit), name(id));
  };
  check(split, unit, dataset.examples(), where, is_asked, name);
}

}  // namespace cupel
