"""EdgeBank on a temporal edge list: Cupel beside TGB's class, in turn, one thread.

    python edge_bank.py --tgb FOLDER --bench build/release/bench/bench_events --cupel build/release/cupel
        --data CollegeMsg.txt [--negatives 20] [--turns 5]

FOLDER is a checkout of github.com/shenyangHuang/TGB, whose `modules/edgebank_predictor.py` needs NumPy alone.
--data is `source target time` a line. Both learn the first 70 % of time, with unlimited memory. Two works:

  score     a million pairs of entities drawn at random, in one call, which is the quickest way to ask either;
            by processor time. The share of known pairs has to be the same but for chance.
  evaluate  the last 15 % of time: each target is ranked among so many drawn ones, fact by fact, as the example
            of TGB's EdgeBank does it, but with memory brought up to date after each step of time and not after
            each 200 facts. Ours is the whole of `cupel run`, by the seconds that it reports: it learns, asks,
            and counts by group and staleness. MRR has to be the same to a point.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SCORES = 1_000_000
PROTOCOL = """title = "EdgeBank"
task = "events"
metric = "mrr"
[data]
datasets = ["{data}"]
[split]
scheme = "time"
quantiles = "0.7,0.85"
[events]
question = "which"
setting = "single-step"
filter = "raw"
ends = "target"
sampled = {negatives}
[models.edge-bank]
"""


class Peer:
    def __init__(self, kind: type, path: Path):
        rows = np.loadtxt(path, dtype=np.int64, usecols=(0, 1, 2))
        rows = rows[np.argsort(rows[:, 2], kind="stable")]
        _, ends = np.unique(rows[:, :2], return_inverse=True)
        self.kind, self.time = kind, rows[:, 2]
        self.source, self.target = ends.reshape(-1, 2).T
        self.entities = int(ends.max()) + 1
        self.cuts = [int((self.time <= cut).sum()) for cut in np.quantile(self.time, [0.7, 0.85])]

    def model(self, known: int):
        return self.kind(self.source[:known], self.target[:known], self.time[:known], memory_mode="unlimited")

    def score(self, rng: np.random.Generator) -> tuple[float, float]:
        """Scores a second, and the mean score."""
        asked = rng.integers(self.entities, size=(SCORES, 2))
        model = self.model(self.cuts[0])
        before = time.process_time()
        out = model.predict_link(asked[:, 0], asked[:, 1])
        return SCORES / (time.process_time() - before), float(out.mean())

    def evaluate(self, rng: np.random.Generator, negatives: int) -> tuple[float, float]:
        """Scores a second, and MRR in percent."""
        first, last = self.cuts[1], len(self.time)
        drawn = rng.integers(self.entities, size=(last - first, negatives))
        ranks = []
        model = self.model(first)
        before = time.process_time()
        steps = [first, *(np.flatnonzero(np.diff(self.time[first:])) + first + 1), last]
        for begin, end in zip(steps, steps[1:]):
            for fact in range(begin, end):
                source = np.full(negatives + 1, self.source[fact])
                target = np.concatenate([self.target[fact : fact + 1], drawn[fact - first]])
                out = model.predict_link(source, target)
                ranks.append(1 + ((out[1:] > out[0]).sum() + (out[1:] >= out[0]).sum()) / 2)
            model.update_memory(self.source[begin:end], self.target[begin:end], self.time[begin:end])
        seconds = time.process_time() - before
        return (last - first) * (negatives + 1) / seconds, 100 * float(np.mean(1 / np.array(ranks)))


def our_scores(bench: str, path: Path) -> tuple[float, float]:
    said = subprocess.run([bench, path, "--scores", str(10 * SCORES)], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    found = next(line for line in lines if line["model"] == "edge-bank" and line["what"] == "score")
    return found["per_second"], found["mean"]


def our_evaluation(cupel: str, path: Path, negatives: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        protocol = Path(folder) / "edge-bank.toml"
        protocol.write_text(PROTOCOL.format(data=path, negatives=negatives))
        store = ["--store", f"{folder}/store"]
        subprocess.run([cupel, "run", protocol, "--jobs", "1", *store], capture_output=True, check=True)
        said = subprocess.run([cupel, "report", protocol, "--format", "json", *store],
                              capture_output=True, text=True, check=True)
        table = json.loads(said.stdout)["tables"][0]
        seconds = table["cells"][0]["seconds_per_run"]
        asked = next(row["n"] for row in table["event_scores"] if row["metric"] == "mrr" and row["group"] == "all")
        return asked * (negatives + 1) / seconds, table["cells"][0]["mean"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--tgb", "--bench", "--cupel"):
        parser.add_argument(name, required=True)
    parser.add_argument("--data", required=True, type=lambda text: Path(text).resolve())
    parser.add_argument("--negatives", type=int, default=20)
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    sys.path.insert(0, args.tgb)
    from modules.edgebank_predictor import EdgeBankPredictor

    peer = Peer(EdgeBankPredictor, args.data)
    works = {
        "score": (lambda rng: our_scores(args.bench, args.data), peer.score),
        "evaluate": (lambda rng: our_evaluation(args.cupel, args.data, args.negatives),
                     lambda rng: peer.evaluate(rng, args.negatives)),
    }
    for what, sides in works.items():
        turns = [[side(np.random.default_rng(turn)) for side in sides] for turn in range(args.turns)]
        ours, theirs = (statistics.fmean(turn[side][1] for turn in turns) for side in (0, 1))
        near = 1 if what == "evaluate" else 5 * math.sqrt(ours / SCORES / args.turns)
        if abs(ours - theirs) > near:
            sys.exit(f"{what}: {ours:.5f} is ours and {theirs:.5f} theirs, which is not the same work")
        a, b = ([turn[side][0] for turn in turns] for side in (0, 1))
        print(json.dumps({"what": what, "ours_per_second": round(statistics.median(a)),
                          "tgb_per_second": round(statistics.median(b)),
                          "ratio": round(statistics.median(x / y for x, y in zip(a, b)), 1),
                          "ours": round(ours, 5), "tgb": round(theirs, 5)}), flush=True)


if __name__ == "__main__":
    main()
