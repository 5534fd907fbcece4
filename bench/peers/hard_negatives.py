"""Hard negatives of HeaRT: Cupel beside SciPy, on the same links.

    python hard_negatives.py --program build/release/bench/bench_hard_negatives --data DIR pubmed

Needs numpy and scipy. SciPy draws for a sample of the test links, spread over the list, from the
definition: personalised PageRank by a sparse LU that is made beforehand, cosines by a product of
sparse rows, ranks by sorting, all in double and compared as float32. Scores that are equal but for
rounding may be parted there, so that a few negatives may differ; their share is printed, and more
than one in a thousand are an error. One thread each; processor seconds, links a second.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

RESTART = 0.15


class Measures:
    """Scores of all nodes for one: each a float32 array."""

    def __init__(self, pairs: np.ndarray, features: sparse.csr_matrix):
        size = features.shape[0]
        both = np.concatenate([pairs, pairs[:, ::-1]])
        self.arcs = sparse.csr_matrix((np.ones(len(both)), (both[:, 0], both[:, 1])), (size, size))
        degree = np.asarray(self.arcs.sum(axis=1)).ravel()
        inverse = np.divide(1, degree, out=np.zeros(size), where=degree > 0)
        self.shared = (sparse.diags(inverse) @ self.arcs).tocsr()
        steps = self.arcs @ sparse.diags(inverse)
        self.factors = splu((sparse.identity(size) - (1 - RESTART) * steps).tocsc(),
                            permc_spec="MMD_AT_PLUS_A")
        lengths = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
        scale = np.divide(1, lengths, out=np.zeros(size), where=lengths > 0)
        self.unit = (sparse.diags(scale) @ features).tocsr()
        self.across = self.unit.T.tocsr()

    def of(self, node: int) -> list[np.ndarray]:
        start = np.zeros(len(self.arcs.indptr) - 1)
        start[node] = RESTART
        found = [(self.arcs[node] @ self.shared).toarray().ravel(), self.factors.solve(start),
                 (self.unit[node] @ self.across).toarray().ravel()]
        return [scores.astype(np.float32) for scores in found]


def ranks(scores: np.ndarray) -> np.ndarray:
    """Nodes that score as high, less those that share the best score, plus one; 0 is last."""
    scored = np.sort(scores[scores > 0])
    if len(scored) == 0:
        return np.ones(len(scores), int)
    best = len(scored) - np.searchsorted(scored, scored[-1])
    return len(scored) - np.searchsorted(scored, scores) - best + 1 + (scores <= 0)


def half(scores: list[np.ndarray], left_out: list[int], count: int) -> np.ndarray:
    place = np.full(len(scores[0]), np.iinfo(int).max)
    for of_measure in scores:
        allowed = of_measure.copy()
        allowed[left_out] = 0
        place = np.minimum(place, ranks(allowed))
    place[left_out] = np.iinfo(int).max
    return np.argsort(place, kind="stable")[:count]


def compare(name: str, arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.program, name, "--data", arguments.data, "--out", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        lines = {line["part"]: line for line in map(json.loads, done.stdout.splitlines())}
        read = lambda what, kind: np.fromfile(Path(folder) / f"{what}.bin", kind)
        pairs = lambda what: read(what, np.int32).reshape(-1, 2)
        train, valid, test = pairs("train"), pairs("validation-positives"), pairs("test-positives")
        places, values = pairs("feature-entries"), read("feature-values", np.float32)
        candidates, start = pairs("test-candidates"), read("test-start", np.int64)
    size = int(max(part.max() for part in (train, valid, test, places[:, :1]))) + 1
    features = sparse.csr_matrix((values.astype(float), (places[:, 0], places[:, 1])),
                                 (size, int(places[:, 1].max()) + 1))
    measures = Measures(train, features)
    known: list[set[int]] = [{node} for node in range(size)]
    for i, j in np.concatenate([train, valid]).tolist():
        known[i].add(j)
        known[j].add(i)
    sample = np.linspace(0, len(test) - 1, min(len(test), arguments.sample)).astype(int)
    others = asked = 0
    begin = time.process_time()
    for q in sample.tolist():
        wanted = {tuple(pair) for pair in candidates[start[q]:start[q + 1]].tolist()}
        found = set()
        for kept, replaced in (test[q].tolist(), test[q][::-1].tolist()):
            picks = half(measures.of(kept), sorted(known[kept] | {replaced}), len(wanted) // 2)
            found |= {(min(kept, node), max(kept, node)) for node in picks.tolist()}
        others += len(found - wanted)
        asked += len(wanted)
    peer = len(sample) / (time.process_time() - begin)
    line = lines["test"]
    ours = line["positives"] / line["cpu"]
    print(f"{name}: validation {lines['validation']['cpu']:.2f} s, test {line['cpu']:.2f} s; "
          f"cupel {ours:.4g} test links/s, scipy {peer:.4g}, ratio {ours / peer:.1f}; "
          f"{others} of {asked} negatives are others", flush=True)
    if others * 1000 > asked:
        sys.exit(f"{name}: SciPy has other negatives")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/bench/bench_hard_negatives")
    parser.add_argument("--data", required=True)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("datasets", nargs="+")
    arguments = parser.parse_args()
    for name in arguments.datasets:
        compare(name, arguments)


if __name__ == "__main__":
    main()
