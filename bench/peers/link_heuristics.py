"""Heuristics of links: Cupel beside NetworkX, plain Python and SciPy, on the same pairs.

    python link_heuristics.py --program build/release/bench/bench_link_heuristics --data DIR cora pubmed

Needs numpy, scipy and networkx. A sample of the scores must be equal (to 1e-5 of the larger) before a time
is printed. One thread each; processor seconds, so that a busy machine matters less. Cupel scores all
pairs, the peers a sample of them, spread over the list; what is compared is pairs a second. For
PageRank it is columns a second: NetworkX solves for one node at a time, twice for a pair, and pairs
that share a node share its column on both sides. For Katz a pair needs one column, its smaller
node's: plain Python sums the series, SciPy solves by a sparse LU that is made beforehand, as are
the sets and the rows of features with a norm of 1.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

BETA = 0.005  # of Katz


def katz_column(sets: dict[int, set[int]], source: int) -> dict[int, float]:
    """The sum of BETA^l times the walks of length l from `source`, until no term counts."""
    total: dict[int, float] = {}
    walks = {source: 1.0}
    while max(walks.values(), default=0) > 1e-25:
        longer: dict[int, float] = {}
        for node, value in walks.items():
            for other in sets[node]:
                longer[other] = longer.get(other, 0) + BETA * value
        walks = longer
        for node, value in walks.items():
            total[node] = total.get(node, 0) + value
    return total


def katz_peers(sets: dict[int, set[int]], edges: np.ndarray, columns: dict) -> dict:
    """Each puts the columns that it makes into `columns`."""
    size = len(sets)
    both = np.concatenate([edges, edges[:, ::-1]])
    arcs = sparse.csc_matrix((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(size, size))
    factors = splu(sparse.identity(size, format="csc") - BETA * arcs,
                   permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})

    def plain(i: int, j: int) -> float:
        if i not in columns:
            columns[i] = katz_column(sets, i)
        return columns[i].get(j, 0)

    def solved(pairs: list) -> np.ndarray:
        nodes = sorted({i for i, _ in pairs})
        starts = np.zeros((size, len(nodes)))
        starts[nodes, range(len(nodes))] = 1
        solution = factors.solve(starts)
        columns.update({node: solution[:, k] for k, node in enumerate(nodes)})
        return np.array([columns[i][j] for i, j in pairs])

    return {"sets": lambda pairs: [plain(min(p), max(p)) for p in pairs], "scipy": solved}


def cosine_peers(features: sparse.csr_matrix) -> dict:
    lengths = np.sqrt(np.asarray(features.multiply(features).sum(axis=1)).ravel())
    unit = (sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ features).tocsr()
    rows = [dict(zip(row.indices.tolist(), row.data.tolist())) for row in unit]

    def plain(i: int, j: int) -> float:
        short, long = sorted((rows[i], rows[j]), key=len)
        return sum(value * long[f] for f, value in short.items() if f in long)

    def together(pairs: list) -> np.ndarray:
        ends = np.array(pairs)
        return np.asarray(unit[ends[:, 0]].multiply(unit[ends[:, 1]]).sum(axis=1)).ravel()

    return {"sets": lambda pairs: [plain(i, j) for i, j in pairs], "scipy": together}


def peers(graph: nx.Graph, ranks: dict[int, dict[int, float]]) -> dict:
    """Functions from a list of pairs to their scores: by NetworkX, and by sets."""
    sets = {i: set(graph[i]) for i in graph}
    inverse_log = {i: 1 / math.log(len(n)) if len(n) > 1 else 0 for i, n in sets.items()}
    inverse = {i: 1 / len(n) if n else 0 for i, n in sets.items()}

    def rank(i: int) -> dict[int, float]:
        if i not in ranks:
            ranks[i] = nx.pagerank(graph, 0.85, {i: 1}, max_iter=1000, tol=1e-12 / len(graph))
        return ranks[i]

    def distance(i: int, j: int) -> float:
        try:
            return 1 / nx.shortest_path_length(graph, i, j)
        except nx.NetworkXNoPath:
            return 0

    def third(function):
        return lambda pairs: [score for _, _, score in function(graph, pairs)]

    def each(function):
        return lambda pairs: [function(i, j) for i, j in pairs]

    return {
        "common-neighbours": {
            "networkx": each(lambda i, j: len(list(nx.common_neighbors(graph, i, j)))),
            "sets": each(lambda i, j: len(sets[i] & sets[j])),
        },
        "jaccard": {
            "networkx": third(nx.jaccard_coefficient),
            "sets": each(lambda i, j: len(sets[i] & sets[j]) / max(1, len(sets[i] | sets[j]))),
        },
        "adamic-adar": {
            "networkx": third(nx.adamic_adar_index),
            "sets": each(lambda i, j: sum(inverse_log[k] for k in sets[i] & sets[j])),
        },
        "resource-allocation": {
            "networkx": third(nx.resource_allocation_index),
            "sets": each(lambda i, j: sum(inverse[k] for k in sets[i] & sets[j])),
        },
        "preferential-attachment": {
            "networkx": third(nx.preferential_attachment),
            "sets": each(lambda i, j: len(sets[i]) * len(sets[j])),
        },
        "shortest-path": {"networkx": each(distance)},
        "personalised-pagerank": {"networkx": each(lambda i, j: rank(i)[j] + rank(j)[i])},
    }


def sample_of(name: str, count: int, arguments: argparse.Namespace) -> np.ndarray:
    size = {"shortest-path": arguments.sample // 20, "personalised-pagerank": 10, "katz": 20}
    return np.linspace(0, count - 1, min(count, size.get(name, arguments.sample))).astype(int)


def compare(name: str, arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.program, name, "--data", arguments.data, "--out", folder,
                   "--pairs", str(arguments.pairs), "--columns", str(arguments.columns)]
        command += ["--scattered"] if arguments.scattered else []
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        read = lambda what: np.fromfile(Path(folder) / f"{what}.bin", np.int32).reshape(-1, 2)
        graph = nx.Graph()
        edges, pairs, few = read("edges"), read("pairs"), read("pairs-of-columns")
        graph.add_nodes_from(range(int(max(edges.max(), pairs.max())) + 1))
        graph.add_edges_from(edges.tolist())
        print(f"{name}: {len(graph)} nodes, {len(edges)} edges", flush=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        columns: dict = {}  # filled by peers that make columns
        ways = peers(graph, columns)
        places = np.fromfile(Path(folder) / "feature-entries.bin", np.int32).reshape(-1, 2)
        values = np.fromfile(Path(folder) / "feature-values.bin", np.float32).astype(float)
        width = int(places[:, 1].max()) + 1
        ways["feature-cosine"] = cosine_peers(
            sparse.csr_matrix((values, (places[:, 0], places[:, 1])), shape=(len(graph), width)))
        ways["katz"] = katz_peers({i: set(graph[i]) for i in graph}, edges, columns)
        for line in lines:
            what = line["heuristic"]
            ours = line["pairs"] / line["cpu"]
            unit = "pairs"
            if what in ("katz", "personalised-pagerank"):
                ours, unit = line["columns"] / line["cpu"], "columns"
            text = f"  {what:24} cupel {ours:10.3g} {unit}/s {line['gb_per_second']:6.2f} GB/s"
            scores = np.fromfile(Path(folder) / f"{what}.bin", np.float32)
            asked = few if line["columns"] else pairs
            places = sample_of(what, len(asked), arguments)
            chosen = [tuple(pair) for pair in asked[places].tolist()]
            for peer, function in ways.get(what, {}).items():
                columns.clear()
                start = time.process_time()
                found = np.array(function(chosen), float)
                done_of = len(columns) if unit == "columns" else len(chosen)
                rate = done_of / (time.process_time() - start)
                wanted = scores[places]
                # Katz's scores of far pairs are small, and still scores.
                if not np.allclose(wanted, found, rtol=1e-5, atol=1e-15 if what == "katz" else 1e-9):
                    sys.exit(f"{what}: {peer} has other scores")
                text += f"   {peer} {rate:9.3g}, ratio {ours / rate:.1f}"
            print(text, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/bench/bench_link_heuristics")
    parser.add_argument("--data", required=True)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--columns", type=int, default=512)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("--scattered", action="store_true")
    parser.add_argument("datasets", nargs="+")
    arguments = parser.parse_args()
    for name in arguments.datasets:
        compare(name, arguments)


if __name__ == "__main__":
    main()
