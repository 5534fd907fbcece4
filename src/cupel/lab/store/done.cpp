#include "cupel/lab/store/done.h"

#include "cupel/lab/store/store_rows.h"

namespace cupel {

DoneRuns::DoneRuns(const Store& store, const std::string& family_id,
                   const std::set<std::string>& strata, bool retry)
    : statuses_(store.statuses(family_id)),
      unsplit_(store.without_strata(family_id, strata)),
      retry_(retry) {}

DoneRuns::State DoneRuns::state(int split, int init) const {
  const auto found = statuses_.find({split, init});
  if (found == statuses_.end() || unsplit_.contains({split, init})) return State::kToDo;
  if (is_finished(found->second)) return State::kWell;
  return retry_ ? State::kToDo : State::kWrong;
}

}  // namespace cupel
