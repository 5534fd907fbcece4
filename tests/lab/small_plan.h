// The plan of the small protocol (lab/fake.h).
#pragma once

#include "lab/fake.h"

namespace cupel::made {

inline Protocol small() { return parse_protocol("small", "small.toml", kSmallProtocol); }
inline Plan plan_of(const Selection& selection = {}) {
  return make_plan(small(), selection, fake_sources());
}

}  // namespace cupel::made
