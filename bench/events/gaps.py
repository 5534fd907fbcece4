#!/usr/bin/env python3
"""What the time since a target's last meeting alone says of the next one, without any model.

    bench/events/gaps.py CollegeMsg.txt

Average precision of test events (the last 15 %) against as many random targets, mean over batches of
200, ties grouped, by how long a gap the score can tell: longer ones count as that long. Known is what was
strictly before the asked time; "batch": what was before its batch; "leak": the asked time as well.
"""
import bisect
import sys
from collections import defaultdict

import numpy as np

HOUR = 3600
LIMITS = {"1 hour": HOUR, "6 hours": 6 * HOUR, "17 hours": 17 * HOUR, "1 day": 24 * HOUR, "1 week": 168 * HOUR,
          "1 month": 730 * HOUR, "any": np.inf}
BATCH, DRAWS, NEVER = 200, 5, 1e12


def average_precision(positive, negative):
    scores = np.concatenate([positive, negative])
    truth = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    hits = np.cumsum(truth[order])[ends]
    return float(np.sum(np.diff(hits, prepend=0) * hits / (ends + 1)) / len(positive))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    events = np.loadtxt(sys.argv[1], dtype=np.int64)
    events = events[np.argsort(events[:, 2], kind="stable")]
    times = defaultdict(list)  # of each entity's meetings
    for source, target, time in events:
        times[source].append(time)
        times[target].append(time)
    targets = np.unique(events[:, 1])
    test = events[events[:, 2] > np.quantile(events[:, 2], 0.85)]

    starts = np.repeat(test[::BATCH, 2], BATCH)[:len(test)]

    def gaps(of, find, known):
        out = []
        for entity, time, until in zip(of, test[:, 2], known):
            met = find(times[entity], until)
            out.append(time - times[entity][met - 1] if met > 0 else NEVER)
        return np.array(out, dtype=float)

    def score(limit=np.inf, find=bisect.bisect_left, known=test[:, 2]):
        found = []
        positive = gaps(test[:, 1], find, known)
        for draw in range(DRAWS):
            negative = gaps(np.random.default_rng(draw).choice(targets, len(test)), find, known)
            for at in range(0, len(test), BATCH):
                some = slice(at, at + BATCH)
                found.append(average_precision(-np.minimum(positive[some], limit), -np.minimum(negative[some], limit)))
        return 100 * np.mean(found)

    for name, limit in LIMITS.items():
        print(f"{name:9}{score(limit):6.1f}")
    print(f"{'batch':9}{score(known=starts):6.1f}")
    print(f"{'leak':9}{score(find=bisect.bisect_right):6.1f}")


if __name__ == "__main__":
    main()
