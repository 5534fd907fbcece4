"""Statistics of a graph: Cupel beside igraph and NetworKit, on the same edges.

    python graph_statistics.py --make 22 60000000 graph.txt        # an R-MAT graph, seeded
    python graph_statistics.py --program build/release/cupel graph.txt tolokers.npz ...
    cupel generate rmat:scale=22 --out g && python graph_statistics.py --program build/release/cupel --peers networkit g

Needs numpy, igraph and networkit. Values must agree before a time is printed. Each peer is a process
of its own, so that its peak memory is its own; a statistic that takes longer than --limit seconds is
given up. Every part is given as wall seconds / processor seconds: on a busy machine only the second
is worth reading. Reading the file is in nobody's time, and peers get arrays, not text. A folder that
`cupel generate rmat` wrote is mapped, and peers get it a few million edges at a time.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def rmat(scale: int, count: int, seed: int) -> np.ndarray:
    """Edges of the recursive model with Graph500's shares, nodes in random order."""
    a, b, c = 0.57, 0.19, 0.19
    random = np.random.default_rng(seed)
    parts = []
    for start in range(0, count, 1 << 22):
        size = min(count - start, 1 << 22)
        source, target = np.zeros(size, np.int32), np.zeros(size, np.int32)
        for _ in range(scale):
            r = random.random(size, dtype=np.float32)
            source = source << 1 | (r >= a + b)
            target = target << 1 | (((r >= a) & (r < a + b)) | (r >= a + b + c))
        parts.append(np.stack([source, target], 1))
    return random.permutation(1 << scale).astype(np.int32)[np.concatenate(parts)]


def write_edges(edges: np.ndarray, path: Path) -> None:
    width = len(str(int(edges.max())))
    with open(path, "wb") as file:
        for start in range(0, len(edges), 1 << 22):
            part = edges[start : start + (1 << 22)].astype(np.int64)
            text = np.empty((len(part), 2 * width + 2), np.uint8)
            for column, end in enumerate(b" \n"):
                rest = part[:, column].copy()
                for digit in range(width):
                    text[:, column * (width + 1) + width - 1 - digit] = 48 + rest % 10
                    rest //= 10
                text[:, column * (width + 1) + width] = end
            file.write(text.tobytes())


def folder_edges(path: Path, rows_at_once: int = 1 << 18):
    """Sources and targets of a folder's edges, piece by piece; each is stored once, at its smaller node."""
    starts = np.load(path / "adj_indptr.npy", mmap_mode="r")
    columns = np.load(path / "adj_indices.npy", mmap_mode="r")
    for row in range(0, len(starts) - 1, rows_at_once):
        here = np.asarray(starts[row : row + rows_at_once + 1])
        source = np.repeat(np.arange(row, row + len(here) - 1), np.diff(here))
        target = columns[here[0] : here[-1]].astype(np.int64)
        assert (source < target).all()
        yield source, target


def simple_edges(path: Path) -> tuple[int, np.ndarray]:
    """Nodes and the edges u < v of the simple graph, each once; nodes of a list are those in it."""
    if path.suffix == ".npz":
        data = np.load(path)
        nodes, edges = len(data["node_labels"]), data["edges"]
    else:
        # Digits, one blank and one newline: what write_edges writes.
        edges = np.fromstring(path.read_bytes(), dtype=np.int64, sep=" ").reshape(-1, 2)
        present = np.zeros(int(edges.max()) + 1, bool)
        present[edges.ravel()] = True
        number = np.cumsum(present) - 1
        nodes, edges = int(present.sum()), number[edges]
    low, high = edges.min(1), edges.max(1)
    keys = np.unique((low * nodes + high)[low != high])
    return nodes, np.stack([keys // nodes, keys % nodes], 1)


class Lap:
    """Prints one JSON line for each part when it is done."""

    def __call__(self, part, work):
        wall, used = time.perf_counter(), time.process_time()
        value = work()
        line = {"part": part, "wall": time.perf_counter() - wall, "cpu": time.process_time() - used,
                "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
        if isinstance(value, (int, float)):
            line["value"] = value
        print(json.dumps(line), flush=True)
        return value


def igraph_parts(nodes: int, pieces: list) -> None:
    import igraph

    lap = Lap()
    edges = np.concatenate([np.stack(piece, 1) for piece in pieces])
    graph = lap("graph", lambda: igraph.Graph(n=nodes, edges=edges))
    lap("edges", graph.ecount)
    parts = lap("components", lambda: graph.connected_components())
    lap("components_count", lambda: len(parts))
    lap("global_clustering", lambda: graph.transitivity_undirected())
    lap("local_clustering", lambda: graph.transitivity_avglocal_undirected(mode="zero"))
    largest = parts.giant()
    lap("diameter", lambda: int(largest.diameter(directed=False)))


def networkit_parts(nodes: int, pieces: list) -> None:
    import networkit as nk

    lap = Lap()
    graph = nk.Graph(nodes)

    def add():
        for source, target in pieces:
            graph.addEdges((np.ascontiguousarray(source), np.ascontiguousarray(target)))

    lap("graph", add)
    del pieces
    lap("edges", graph.numberOfEdges)

    def components():
        finder = nk.components.ParallelConnectedComponents(graph)
        finder.run()
        return finder.numberOfComponents()

    def local():
        score = nk.centrality.LocalClusteringCoefficient(graph, True)
        score.run()
        return float(np.sum(score.scores()) / nodes)

    lap("components", components)
    lap("local_clustering", local)
    largest = nk.components.ConnectedComponents.extractLargestConnectedComponent(graph, True)

    def diameter():
        search = nk.distance.Diameter(largest, nk.distance.DiameterAlgo.EXACT)
        search.run()
        return int(search.getDiameter()[0])

    lap("diameter", diameter)
    lap("global_clustering", lambda: nk.globals.ClusteringCoefficient.exactGlobal(graph))


PEERS = {"igraph": igraph_parts, "networkit": networkit_parts}


def peer_lines(name: str, arrays: Path, limit: float) -> list[dict]:
    """The lines of a peer; where a part exceeds the limit it and all after it are missing."""
    process = subprocess.Popen([sys.executable, __file__, "--peer", name, str(arrays)],
                               stdout=subprocess.PIPE, text=True)
    lines = []
    import threading

    timer = threading.Timer(limit, process.kill)
    timer.start()
    for line in process.stdout:
        lines.append(json.loads(line))
        timer.cancel()
        timer = threading.Timer(limit, process.kill)
        timer.start()
    timer.cancel()
    process.wait()
    return lines


def cupel_parts(program: str, path: Path, seconds: float) -> tuple[dict, dict, float]:
    with tempfile.NamedTemporaryFile() as usage:
        command = ["/usr/bin/time", "-f", "%M", "-o", usage.name, program, "stats", str(path),
                   "--json", "--times", "--seconds", str(seconds)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        peak = int(Path(usage.name).read_text()) / 1024
    words = done.stderr.split("seconds:")[1].split()
    times = {words[k]: words[k + 1] for k in range(0, len(words) - 1, 2)}
    return json.loads(done.stdout), times, peak


def compare(program: str, path: Path, limit: float, seconds: float, peers: list[str]) -> None:
    values, times, peak = cupel_parts(program, path, seconds)
    nodes, count = values["nodes"], values["edges"]
    print(f"\n{path.name}: {nodes} nodes, {count} edges", flush=True)
    times["clustering"] = times.pop("triangles")
    print(f"  cupel      {times}  peak {peak:.0f} MiB "
          f"({peak * 2**20 / count:.0f} bytes an edge)", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        arrays = path
        if not path.is_dir():
            arrays = Path(folder) / "edges.npz"
            own_nodes, edges = simple_edges(path)
            assert (own_nodes, len(edges)) == (nodes, count), "not the same graph"
            np.savez(arrays, nodes=nodes, edges=edges)
            del edges
        for peer in peers:
            lines = peer_lines(peer, arrays, limit)
            for line in lines:
                key = {"components_count": "components"}.get(line["part"], line["part"])
                if "value" in line and values.get(key) is not None:
                    assert abs(line["value"] - values[key]) < 1e-9, (peer, line, values[key])
            shown = {line["part"]: f"{line['wall']:.3f}/{line['cpu']:.3f}" for line in lines}
            peaks = {line["part"]: round(line["peak_mib"] * 2**20 / count) for line in lines}
            print(f"  {peer:10} {shown}  peak so far, bytes an edge: {peaks}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", nargs=3, metavar=("SCALE", "EDGES", "FILE"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="build/release/cupel")
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--seconds", type=float, default=60, help="of Cupel, for distances")
    parser.add_argument("--peers", nargs="*", default=list(PEERS))
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("graphs", nargs="*", type=Path)
    arguments = parser.parse_args()
    if arguments.peer:
        name, path = arguments.peer
        if Path(path).is_dir():
            nodes = len(np.load(Path(path) / "adj_indptr.npy", mmap_mode="r")) - 1
            PEERS[name](nodes, folder_edges(Path(path)))
        else:
            data = np.load(path)
            edges = data["edges"]
            PEERS[name](int(data["nodes"]), [(edges[:, 0], edges[:, 1])])
        return
    if arguments.make:
        scale, edges, path = arguments.make
        write_edges(rmat(int(scale), int(edges), arguments.seed), Path(path))
    for path in arguments.graphs:
        compare(arguments.program, path, arguments.limit, arguments.seconds, arguments.peers)


if __name__ == "__main__":
    main()
