// A plan of made-up runs that many may do.
#pragma once

#include <algorithm>

#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/shards/frozen_plan.h"
#include "lab/fake.h"

namespace cupel::made {

inline Protocol small_protocol() { return parse_protocol("small", "small.toml", kSmallProtocol); }

// The whole of the small protocol; the i-th group's runs take `seconds(i)`.
inline FrozenPlan frozen_small(const std::function<double(std::size_t)>& seconds) {
  const Protocol protocol = small_protocol();
  const Plan plan = make_plan(protocol, {}, fake_sources());
  const Pending pending = pending_runs(plan, Store(":memory:"));
  std::vector<double> expected;
  for (std::size_t i = 0; i < pending.groups.size(); ++i) expected.push_back(seconds(i));
  FrozenPlan out;
  out.protocol = protocol.name;
  out.text = protocol.text;
  set_runs(out, plan, pending, expected);
  (void)frozen_text(out);  // for its hash
  return out;
}

// What a machine does that is given a shard.
inline int do_shard(const FrozenPlan& frozen, int index, int count, Store& store,
                    const Executor& executor) {
  const std::vector<FrozenRuns> mine = runs_of_shard(frozen, index, count);
  if (mine.empty()) return 0;
  const Plan plan = make_plan(protocol_of(frozen), selection_of(frozen, mine), fake_sources());
  store.register_plan(plan);
  return execute(pending_of(frozen, mine, plan, store, false), store, executor, {}).done;
}

}  // namespace cupel::made
