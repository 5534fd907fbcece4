// A few epochs of what has never run here, so that estimates are told from the clock.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cupel/lab/run/scheduler.h"

namespace cupel {

struct PilotOptions {
  double seconds = 10;  // of the clock, for all together, about; 0: no pilot
  double most = 3;      // for one family
};

// What a run of a family takes, by one run of it that was begun. Empty: nothing is known.
class Pilot {
 public:
  // Seconds; nothing for a family that was not tried or did not finish an epoch. A run that ended
  // in time is taken as it is. Of one that was cut short, what its epochs took is multiplied by how
  // many there are likely to be: all, where nothing stops early; else as many as the finished runs
  // of its row on other data sets had, or five times the patience of its rule. Where a run tells
  // what share of its training is done, and no epochs, what it took is divided by that. What was
  // prepared for the inits of a split together is shared among them, and the start of a worker
  // among all runs of its family.
  [[nodiscard]] std::optional<double> seconds_of(const Family& family) const;

 private:
  friend Pilot run_pilot(const Pending&, const Store&, const Executor&, const ExecuteOptions&,
                         const PilotOptions&);

  struct Try {
    double prepared = 0;  // seconds, for all inits of a split
    double seconds = 0;   // of the run alone
    int epochs = 0;
    double share = 0;  // of the training, where the run told it
    int inits = 1;     // of a split
    double start = 0;  // seconds, of a worker
    int runs = 1;      // of the family
    bool finished = false;
    std::string row, rule;  // the latter: what decides when a run stops
  };
  [[nodiscard]] double likely_epochs(const Family& family, const Try& own) const;

  std::map<std::string, Try> tries_;  // by id of the family
};

// Begins one run of each family of `pending` of which `store` has none; of a worker's two, one
// after the other, as the first waits for the worker to start. What comes of it is not kept, and
// failures are not told: the run itself will tell them.
[[nodiscard]] Pilot run_pilot(const Pending& pending, const Store& store, const Executor& executor,
                              const ExecuteOptions& options, const PilotOptions& pilot);

}  // namespace cupel
