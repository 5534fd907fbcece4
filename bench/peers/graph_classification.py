#!/usr/bin/env python3
"""Training GIN on sets of small graphs: Cupel and PyTorch Geometric, the same splits and rule, in turn.

    graph_classification.py --program build/release/cupel --data DIR [--datasets MUTAG,NCI1]
                            [--hidden 64,300,300,64] [--folds 2] [--epochs 20] [--accuracy-epochs 60]

Both train GIN as in Errica et al. 2020 (batches of 128 from a DataLoader, Adam, all epochs, validation after
each) on the same stratified folds, written to a file that both read. First the mean test accuracy of the best
validation epochs must agree within two combined standard errors; then seconds per epoch (training and
validation) are compared on the same cores, of one run at a time (with as many
threads as there are) and of two runs at once (two jobs; two processes of one thread). Reading the data is left
out of both; Cupel's seconds include what it prepares for a run and the test scores. Graphs are collated by
PyTorch Geometric's DataLoader in every epoch, as its examples do.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
import numpy as np
import torch
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, global_mean_pool

BATCH = 128


def read_tu(folder: Path, name: str) -> tuple[list[Data], np.ndarray]:
    """Graphs with one-hot node labels, simple and undirected, those without edges left out."""

    def column(part: str) -> np.ndarray:
        return np.loadtxt(folder / f"{name}_{part}.txt", delimiter=",", dtype=np.int64)

    graph_of = column("graph_indicator") - 1
    labels = np.unique(column("graph_labels"), return_inverse=True)[1]
    kinds = np.unique(column("node_labels"), return_inverse=True)[1]
    arcs = column("A") - 1
    arcs = arcs[arcs[:, 0] != arcs[:, 1]]
    arcs = np.unique(np.concatenate([arcs, arcs[:, ::-1]]), axis=0)
    x = np.eye(kinds.max() + 1, dtype=np.float32)[kinds]
    first = np.searchsorted(graph_of, np.arange(len(labels) + 1))
    arc_first = np.searchsorted(graph_of[arcs[:, 0]], np.arange(len(labels) + 1))
    graphs, kept = [], []
    for g, label in enumerate(labels):
        own = arcs[arc_first[g] : arc_first[g + 1]] - first[g]
        if len(own) == 0:
            continue
        kept.append(label)
        graphs.append(Data(x=torch.from_numpy(x[first[g] : first[g + 1]]),
                           edge_index=torch.from_numpy(own.T.copy()), y=torch.tensor([label])))
    return graphs, np.array(kept)


def folds_of(labels: np.ndarray, count: int, seed: int = 0) -> list[dict[str, list[int]]]:
    """Ten stratified folds; a tenth of the rest of each is for validation. The first `count`."""
    random = np.random.default_rng(seed)
    fold_of = np.empty(len(labels), dtype=int)
    for label in np.unique(labels):
        members = random.permutation(np.flatnonzero(labels == label))
        fold_of[members] = (np.arange(len(members)) + random.integers(10)) % 10
    splits = []
    for fold in range(count):
        rest = random.permutation(np.flatnonzero(fold_of != fold))
        valid = math.ceil(len(rest) / 10)
        splits.append({"train": sorted(map(int, rest[valid:])), "valid": sorted(map(int, rest[:valid])),
                       "test": list(map(int, np.flatnonzero(fold_of == fold)))})
    return splits


def perceptron(wide: int, out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(wide, out), nn.BatchNorm1d(out), nn.ReLU(),
                         nn.Linear(out, out), nn.BatchNorm1d(out), nn.ReLU())


class Gin(nn.Module):
    def __init__(self, features: int, hidden: list[int], classes: int):
        super().__init__()
        widths = [hidden[0], *hidden]
        self.first = perceptron(features, widths[0])
        self.convs = nn.ModuleList(GINConv(perceptron(a, b)) for a, b in zip(widths, widths[1:]))
        self.reads = nn.ModuleList(nn.Linear(width, classes) for width in widths)

    def forward(self, data: Data) -> torch.Tensor:
        x = self.first(data.x)
        drop = lambda h: nn.functional.dropout(h, 0.5, self.training)
        out = drop(global_mean_pool(self.reads[0](x), data.batch))
        for conv, read in zip(self.convs, self.reads[1:]):
            x = conv(x, data.edge_index)
            out = out + drop(read(global_mean_pool(x, data.batch)))
        return out


def peer_run(graphs: list[Data], split: dict, hidden: list[int], classes: int, epochs: int,
             seed: int) -> tuple[float, float]:
    """Test accuracy at the last of the best validation epochs, and seconds per epoch."""
    torch.manual_seed(seed)
    model = Gin(graphs[0].x.shape[1], hidden, classes)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)
    part = {name: [graphs[i] for i in ids] for name, ids in split.items()}
    train = DataLoader(part["train"], batch_size=BATCH, shuffle=True)
    valid, test = (DataLoader(part[name], batch_size=BATCH) for name in ("valid", "test"))

    @torch.no_grad()
    def accuracy(loader: DataLoader) -> float:
        model.eval()
        hits = sum(int((model(batch).argmax(1) == batch.y).sum()) for batch in loader)
        return hits / len(loader.dataset)

    best, at_best, seconds = -1.0, 0.0, 0.0
    for _ in range(epochs):
        start = time.perf_counter()
        model.train()
        for batch in train:
            adam.zero_grad()
            nn.functional.cross_entropy(model(batch), batch.y).backward()
            adam.step()
        score = accuracy(valid)
        seconds += time.perf_counter() - start
        if score >= best:
            best, at_best = score, accuracy(test)
    return at_best, seconds / epochs


def timed_peer(data: Path, dataset: str, split: dict, hidden: list[int], epochs: int, threads: int) -> float:
    """Seconds per epoch, after one that is not counted."""
    torch.set_num_threads(threads)
    graphs, labels = read_tu(data / dataset, dataset)
    classes = int(labels.max()) + 1
    peer_run(graphs, split, hidden, classes, 1, 0)
    return peer_run(graphs, split, hidden, classes, epochs, 0)[1]


def cupel_runs(program: Path, data: Path, dataset: str, splits: Path, hidden: list[int], epochs: int,
               inits: int, jobs: int = 1) -> tuple[list[float], float]:
    """Test accuracies, and seconds per epoch of all runs together: one run may use all jobs."""
    protocol = f"""
task = "graph-classification"
[data]
datasets = ["{dataset}"]
prepare = ["drop-edgeless-graphs"]
[split]
scheme = "file"
file = "{splits}"
[train]
optimizer = "adam-torch"
batch_size = {BATCH}
max_epochs = {epochs}
patience = 0
stop_on = "valid-score"
inits = {inits}
[models.gin]
hidden = "{','.join(map(str, hidden))}"
lr = 1e-3
"""
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "peer.toml", Path(folder) / "peer.sqlite"
        file.write_text(protocol)
        subprocess.run([program, "run", file, "--data", data, "--store", store, "--no-report",
                        "--jobs", str(jobs)], check=True, capture_output=True)
        with sqlite3.connect(store) as db:
            runs = db.execute("SELECT test_score, epochs, seconds FROM runs").fetchall()
    scores, epochs_run, seconds = zip(*runs)
    return list(scores), sum(seconds) / min(jobs, len(runs)) / sum(epochs_run)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return statistics.mean(values), spread / math.sqrt(len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--datasets", default="MUTAG,PROTEINS,NCI1,ENZYMES")
    parser.add_argument("--hidden", default="64,300,300,64")
    parser.add_argument("--folds", type=int, default=2)
    parser.add_argument("--inits", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=20, help="of the timed runs")
    parser.add_argument("--accuracy-epochs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    hidden = [int(width) for width in arguments.hidden.split(",")]
    data = arguments.data.resolve()
    for dataset in arguments.datasets.split(","):
        graphs, labels = read_tu(data / dataset, dataset)
        splits = folds_of(labels, arguments.folds)
        classes = int(labels.max()) + 1
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "splits.json"
            file.write_text(json.dumps(splits))
            one = Path(folder) / "one.json"
            one.write_text(json.dumps(splits[:1]))
            ours, _ = cupel_runs(arguments.program, data, dataset, file, hidden, arguments.accuracy_epochs,
                                 arguments.inits)
            theirs = [peer_run(graphs, split, hidden, classes, arguments.accuracy_epochs, seed)[0]
                      for split in splits for seed in range(arguments.inits)]
            (a, da), (b, db) = mean_and_error(ours), mean_and_error(theirs)
            alike = abs(a - b) <= 2 * math.hypot(da, db) + 1e-9
            row = {"dataset": dataset, "hidden": arguments.hidden, "accuracy": round(100 * a, 1),
                   "peer_accuracy": round(100 * b, 1), "within_two_errors": alike}
            if alike:
                one_run, two_runs = [], []
                timed = (data, dataset, splits[0], hidden, arguments.epochs)
                for _ in range(arguments.rounds):
                    times = [cupel_runs(arguments.program, data, dataset, one, hidden, arguments.epochs, runs,
                                        max(runs, arguments.threads))[1] for runs in (1, 2)]
                    with multiprocessing.get_context("spawn").Pool(2) as pool:
                        alone = pool.apply(timed_peer, (*timed, arguments.threads))
                        pair = pool.starmap(timed_peer, [(*timed, 1)] * 2, chunksize=1)
                    one_run.append((times[0], alone))
                    two_runs.append((times[1], statistics.mean(pair) / 2))
                for name, times in (("one_run", one_run), ("two_runs", two_runs)):
                    row[name] = {"ms": round(1000 * statistics.median(own for own, _ in times), 2),
                                 "peer_ms": round(1000 * statistics.median(peer for _, peer in times), 2),
                                 "ratio": round(statistics.median(peer / own for own, peer in times), 1)}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
