"""Kernel matrices of sets of graphs: Cupel beside GraKeL, on the same files.

    python graph_kernels.py --program build/release/bench/bench_graph_kernels --data DIR MUTAG NCI1

Needs numpy and grakel. Every entry of both matrices must be equal before a time is printed; all
are whole numbers, so equal means equal. One thread each (set OMP_NUM_THREADS=1). Seconds are those
of the processor unless --clock wall: on a busy machine only these are worth reading. Reading files
and building GraKeL's graphs is in nobody's time.

GraKeL's subgraph matching kernel goes through pairs of graphs. It is run on the first --sm-graphs
graphs, compared there, and its time for all pairs is put down as that for a pair times their
number; 0 leaves it out. A pair of MUTAG takes 10 ms, one of larger graphs minutes.
"""

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from grakel import Graph
from grakel.kernels import ShortestPath, SubgraphMatching, VertexHistogram, WeisfeilerLehman


def read_graphs(folder: Path, labelled: bool) -> list[Graph]:
    """The simple undirected graphs of a data set in TUDataset's text files."""
    prefix = str(folder / folder.name)
    arcs = np.loadtxt(prefix + "_A.txt", delimiter=",", dtype=int) - 1
    graph_of = np.loadtxt(prefix + "_graph_indicator.txt", dtype=int) - 1
    labels = np.zeros(len(graph_of), int)
    if labelled:
        labels = np.loadtxt(prefix + "_node_labels.txt", delimiter=",", dtype=int)
    first = np.searchsorted(graph_of, np.arange(graph_of[-1] + 2))
    neighbours = [{} for _ in graph_of]
    for u, v in arcs[arcs[:, 0] != arcs[:, 1]]:
        base = first[graph_of[u]]
        neighbours[u][int(v - base)] = 1.0
        neighbours[v][int(u - base)] = 1.0
    out = []
    for begin, end in zip(first[:-1], first[1:]):
        edges = {i: neighbours[begin + i] for i in range(end - begin)}
        node_labels = {i: int(labels[begin + i]) for i in range(end - begin)}
        out.append(Graph(edges, node_labels, {(i, j): 0 for i in edges for j in edges[i]}))
    return out


def kernels(labelled: bool):
    equal = (lambda a, b: float(a == b)) if labelled else None
    return {
        "wl": lambda: WeisfeilerLehman(n_iter=5, base_graph_kernel=VertexHistogram),
        "sp": lambda: ShortestPath(normalize=False, with_labels=labelled),
        "sm": lambda: SubgraphMatching(k=5, kv=equal, ke=None),  # all edges alike
    }


def compare(args, name: str, labelled: bool) -> list[dict]:
    folder = Path(args.data) / name
    clock = time.perf_counter if args.clock == "wall" else time.process_time
    lines = []
    with tempfile.TemporaryDirectory() as out:
        command = [args.program, str(folder), "--out", out] + ["--labels"] * labelled
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for ours in map(json.loads, text.splitlines()):
            if ours["kernel"] == "sm" and args.sm_graphs == 0:
                continue
            # GraKeL changes the graphs that it is given.
            graphs = read_graphs(folder, labelled)
            total = len(graphs)
            if ours["kernel"] == "sm":
                graphs = graphs[: args.sm_graphs]
            start = clock()
            matrix = kernels(labelled)[ours["kernel"]]().fit_transform(graphs)
            seconds = clock() - start
            own = np.fromfile(f"{out}/{ours['kernel']}.bin").reshape(total, total)
            size = len(graphs)
            if not np.array_equal(own[:size, :size], matrix):
                raise SystemExit(f"{name}, {ours['kernel']}: the matrices differ; nothing is timed")
            seconds *= total * (total + 1) / (size * (size + 1))
            mine = ours["wall" if args.clock == "wall" else "cpu"]
            lines.append({"data": name, "kernel": ours["kernel"], "labels": labelled,
                          "cupel": mine, "grakel": seconds, "ratio": seconds / mine,
                          "extrapolated": size < total})
            print("{data:12} {kernel} {labelled:9} cupel {cupel:9.4f} s   grakel {grakel:9.2f} s{mark}"
                  "   ratio {ratio:.0f}".format(labelled="labels" if labelled else "constant",
                                                mark="*" if size < total else " ", **lines[-1]),
                  flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+", help="data sets, folders of DIR")
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--clock", choices=["wall", "processor"], default="processor")
    parser.add_argument("--sm-graphs", type=int, default=12)
    parser.add_argument("--out", help="write all lines as JSON")
    args = parser.parse_args()
    warnings.filterwarnings("ignore", message="changing format")
    lines = []
    for name in args.names:
        for labelled in (False, True):
            lines += compare(args, name, labelled)
    if any(line["extrapolated"] for line in lines):
        print("* from the time for a pair of graphs")
    if args.out:
        Path(args.out).write_text(json.dumps(lines, indent=1))


if __name__ == "__main__":
    main()
