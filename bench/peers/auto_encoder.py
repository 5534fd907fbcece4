"""Epochs of a graph auto-encoder: Cupel beside PyTorch, on the same splits and the same negatives.

    python auto_encoder.py --program build/release/cupel --data DIR [--dataset cora-planetoid]
        [--losses sampled-means,all-pairs] [--forms example,sparse-csr,tuned] [--splits 5]

GAE of Kipf and Welling 2016 as in PyTorch Geometric's example: 32 and 16 wide, Adam 0.01, 200 epochs,
each a step and the evaluation of the validation pairs. Splits are 85 / 5 / 10 percent, with as many
pairs without a link. First both sides' test ROC AUC and average precision, means over the splits, must
agree within two combined standard errors; only then epochs are timed, in turn, on one thread, by
processor time. An epoch of Cupel is the difference of two whole runs of different length, over the
difference of their epochs; one of the peer is taken inside its process, after ten others.

Losses:
  sampled-means   GAE.recon_loss: links in both directions, and as many pairs as negative_sampling draws
  all-pairs       the paper's: all n^2 pairs, weighted; the peer holds three n x n matrices
Forms of the peer:
  example         GCNConv (cached) and dense features, InnerProductDecoder: the library's example
  single          the same with each link once, so with half the pairs, as its newest version has it
  torch-sparse, sparse-csr, tuned   sparse features and products by sparse.py; decoder as the example's
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor
from torch_geometric.nn import GCNConv, InnerProductDecoder
from torch_geometric.utils import negative_sampling

from sparse import make_matrix

HIDDEN, WIDTH, RATE, EPOCHS = 32, 16, 0.01, 200
SHORT, LONG, SKIPPED = 100, 600, 10
FORMS = ("example", "single", "torch-sparse", "sparse-csr", "tuned")


class Graph:
    """A data set as stored, symmetric and without loops, its features scaled to sums of 1 by row."""

    def __init__(self, name: str, folder: Path):
        with np.load(folder / name / f"{name.replace('-', '_')}.npz") as file:
            matrix = lambda key: sp.csr_matrix(
                tuple(file[f"{key}_{part}"] for part in ("data", "indices", "indptr")),
                shape=file[f"{key}_shape"],
            )
            adjacency, features = matrix("adj"), matrix("attr").astype(np.float64)
        links = sp.triu(adjacency + adjacency.T, 1).tocoo()
        self.nodes = adjacency.shape[0]
        self.links = np.stack([links.row, links.col], axis=1)
        sums = np.asarray(features.sum(axis=1)).ravel()
        scale = sp.diags(np.where(sums > 0, 1 / np.where(sums > 0, sums, 1), 0))
        self.features = sp.csr_matrix(scale @ features).astype(np.float32)


class Split:
    """Pairs of each part: [n, 2], smaller node first."""

    def __init__(self, graph: Graph, seed: int):
        random = np.random.default_rng(seed)
        order = graph.links[random.permutation(len(graph.links))]
        valid, test = len(order) * 5 // 100, len(order) * 10 // 100
        self.valid, self.test, self.train = np.split(order, [valid, valid + test])
        linked = set(map(tuple, graph.links.tolist()))
        none = []
        while len(none) < valid + test:
            pair = tuple(sorted(random.integers(0, graph.nodes, 2).tolist()))
            if pair[0] != pair[1] and pair not in linked:
                linked.add(pair)  # none twice
                none.append(pair)
        self.valid_none, self.test_none = np.split(np.array(none), [valid])


def scores_of(z: np.ndarray, links: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """ROC AUC and average precision, equal scores together."""
    scores = np.concatenate([(z[p[:, 0]] * z[p[:, 1]]).sum(1) for p in (links, others)])
    answers = np.repeat([1, 0], [len(links), len(others)])
    _, place, count = np.unique(-scores, return_inverse=True, return_counts=True)
    hits = np.bincount(place, answers)
    misses = count - hits
    before = np.cumsum(hits) - hits
    auc = float((misses * (before + hits / 2)).sum() / (len(links) * len(others)))
    precision = np.cumsum(hits) / np.cumsum(count)
    return auc, float((precision * hits).sum() / len(links))


class Encoder(torch.nn.Module):
    """S relu(S X W1) W2, S = D^-1/2 (A + I) D^-1/2 of the training links."""

    def __init__(self, graph: Graph, split: Split, form: str):
        super().__init__()
        both = np.concatenate([split.train, split.train[:, ::-1]])
        self.pattern = form in ("example", "single")
        if self.pattern:
            self.x = torch.from_numpy(graph.features.toarray())
            self.edges = torch.from_numpy(both.T.copy()).long()
            self.first = GCNConv(self.x.shape[1], HIDDEN, cached=True)
            self.second = GCNConv(HIDDEN, WIDTH, cached=True)
            return
        looped = sp.csr_matrix(
            (np.ones(len(both), np.float32), both.T), shape=(graph.nodes, graph.nodes)
        ) + sp.identity(graph.nodes, dtype=np.float32)
        scale = sp.diags(1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel()))
        self.s = make_matrix(form, sp.csr_matrix(scale @ looped @ scale).astype(np.float32))
        self.x = make_matrix(form, graph.features)
        self.w1 = torch.nn.Parameter(torch.empty(graph.features.shape[1], HIDDEN))
        self.w2 = torch.nn.Parameter(torch.empty(HIDDEN, WIDTH))
        for w in (self.w1, self.w2):
            torch.nn.init.xavier_uniform_(w)

    def forward(self) -> Tensor:
        if self.pattern:
            return self.second(self.first(self.x, self.edges).relu(), self.edges)
        hidden = self.s.matmul(self.x.matmul(self.w1)).relu()
        return self.s.matmul(hidden @ self.w2)


class Sampled:
    """GAE.recon_loss."""

    def __init__(self, graph: Graph, split: Split, form: str):
        both = [split.train] if form == "single" else [split.train, split.train[:, ::-1]]
        self.links = torch.from_numpy(np.concatenate(both).T.copy()).long()
        self.nodes, self.decoder = graph.nodes, InnerProductDecoder()

    def __call__(self, z: Tensor) -> Tensor:
        none = negative_sampling(self.links, self.nodes)
        return self.of(z, self.links, none)

    def of(self, z: Tensor, links: Tensor, none: Tensor) -> Tensor:
        return (
            -torch.log(self.decoder(z, links, sigmoid=True) + 1e-15).mean()
            - torch.log(1 - self.decoder(z, none, sigmoid=True) + 1e-15).mean()
        )


class AllPairs:
    """norm * the mean weighted cross-entropy of all pairs, as in the authors' code."""

    def __init__(self, graph: Graph, split: Split, form: str):
        n = graph.nodes
        self.targets = torch.eye(n)
        for i, j in ((0, 1), (1, 0)):
            self.targets[split.train[:, i], split.train[:, j]] = 1
        ones = 2 * len(split.train)
        self.weight = torch.tensor((n * n - ones) / ones)
        self.norm = n * n / (2 * (n * n - ones))

    def __call__(self, z: Tensor) -> Tensor:
        return self.norm * F.binary_cross_entropy_with_logits(
            z @ z.t(), self.targets, pos_weight=self.weight
        )


def train(graph: Graph, split: Split, form: str, loss: str, epochs: int, seed: int) -> dict:
    """The peer's run, on one thread."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    encoder = Encoder(graph, split, form)
    lossy = {"sampled-means": Sampled, "all-pairs": AllPairs}[loss](graph, split, form)
    asked = Sampled(graph, split, form)
    valid = [torch.from_numpy(p.T.copy()).long() for p in (split.valid, split.valid_none)]
    optimizer = torch.optim.Adam(encoder.parameters(), lr=RATE, fused=True)
    start = 0.0
    for epoch in range(epochs):
        if epoch == SKIPPED:
            start = time.process_time()
        optimizer.zero_grad()
        lossy(encoder()).backward()
        optimizer.step()
        with torch.no_grad():
            z = encoder()
            float(asked.of(z, *valid))
            scores_of(z.numpy(), split.valid, split.valid_none)
    seconds = time.process_time() - start
    with torch.no_grad():
        auc, precision = scores_of(encoder().numpy(), split.test, split.test_none)
    return {"ms": 1e3 * seconds / (epochs - SKIPPED), "auc": 100 * auc, "ap": 100 * precision,
            "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


PROTOCOL = """title = "GAE"
citation = "Kipf and Welling 2016"
task = "links"
metric = "roc-auc"
[data]
datasets = ["{dataset}"]
prepare = ["symmetrise", "drop-self-loops", "row-normalise-features"]
[split]
scheme = "file"
file = "split.json"
[links]
negatives = "file:valid={folder}/valid.csv;test={folder}/test.csv"
[train]
optimizer = "adam"
max_epochs = {epochs}
patience = 0
keep = "last"
inits = 1
[models.gae]
hidden = {hidden}
dimension = {width}
lr = {rate}
pair_loss = "{loss}"
[[table]]
id = "gae"
title = "GAE"
also = ["average-precision"]
"""


def run_cupel(arguments: argparse.Namespace, split: Split, loss: str, epochs: int) -> dict:
    """A whole run of one thread: processor seconds and scores."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        parts = {key: getattr(split, key).tolist() for key in ("train", "valid", "test")}
        (place / "split.json").write_text(json.dumps({"unit": "pair", "splits": [parts]}))
        for part in ("valid", "test"):
            rows = getattr(split, f"{part}_none").tolist()
            (place / f"{part}.csv").write_text(
                "source,target\n" + "".join(f"{i},{j}\n" for i, j in rows))
        (place / "gae.toml").write_text(PROTOCOL.format(
            dataset=arguments.dataset, folder=folder, epochs=epochs, hidden=HIDDEN, width=WIDTH,
            rate=RATE, loss=loss))
        command = [arguments.program, "run", str(place / "gae.toml"), "--data", arguments.data,
                   "--store", str(place / "s.sqlite"), "--jobs", "1", "--no-report"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            said = process.stdout.read().decode()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(said)
        report = subprocess.run(
            [arguments.program, "report", str(place / "s.sqlite"), "--format", "csv"],
            check=True, capture_output=True, text=True).stdout
        means = {row["metric"]: float(row["mean"]) for row in csv.DictReader(io.StringIO(report))}
        return {"seconds": used.ru_utime + used.ru_stime,
                "auc": means["roc-auc"], "ap": means["average-precision"]}


def run_peer(arguments: argparse.Namespace, seed: int, form: str, loss: str, epochs: int) -> dict:
    command = [sys.executable, __file__, "--data", arguments.data, "--dataset", arguments.dataset,
               "--peer", f"{form},{loss},{seed},{epochs}"]
    # Threads of numerical libraries would wait in loops; one is all that either side has.
    done = subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    return json.loads(done.stdout)


def agree(ours: list[dict], theirs: list[dict], form: str) -> None:
    for key in ("auc", "ap"):
        a, b = ([run[key] for run in runs] for runs in (ours, theirs))
        error = math.sqrt(sum(statistics.variance(x) / len(x) for x in (a, b)))
        gap = statistics.mean(a) - statistics.mean(b)
        print(f"  {form:13} {key} cupel {statistics.mean(a):.2f}, peer {statistics.mean(b):.2f}, "
              f"two standard errors {2 * error:.2f}", flush=True)
        if abs(gap) > 2 * error:
            sys.exit(f"{form}: {key} differs; nothing is timed")


def compare(arguments: argparse.Namespace) -> None:
    graph = Graph(arguments.dataset, Path(arguments.data))
    splits = [Split(graph, seed) for seed in range(arguments.splits)]
    for loss in arguments.losses.split(","):
        forms = [f for f in arguments.forms.split(",") if loss != "all-pairs" or f != "single"]
        print(f"{arguments.dataset}, {loss}: load {os.getloadavg()[0]:.1f}")
        ours = [run_cupel(arguments, split, loss, EPOCHS) for split in splits]
        for form in forms:
            theirs = [run_peer(arguments, seed, form, loss, EPOCHS) for seed in range(len(splits))]
            agree(ours, theirs, form)
        times = {form: [] for form in ("cupel", *forms)}
        memory = {}
        for _ in range(arguments.rounds):
            both = [run_cupel(arguments, splits[0], loss, n) for n in (SHORT, LONG)]
            times["cupel"].append(1e3 * (both[1]["seconds"] - both[0]["seconds"]) / (LONG - SHORT))
            for form in forms:
                run = run_peer(arguments, 0, form, loss, arguments.peer_epochs)
                times[form].append(run["ms"])
                memory[form] = run["mib"]
        for form, taken in times.items():
            ratios = [t / c for t, c in zip(taken, times["cupel"], strict=True)]
            # Cupel's peak, as a child's, would count what this process held when it was forked.
            held = f", {memory[form]:.0f} MiB" if form in memory else ""
            print(f"  {form:13} {statistics.median(taken):8.3f} ms an epoch, ratio "
                  f"{statistics.median(ratios):6.2f} ({min(ratios):.2f} to {max(ratios):.2f}){held}",
                  flush=True)
        print(f"  load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/cupel")
    parser.add_argument("--data", required=True)
    parser.add_argument("--dataset", default="cora-planetoid")
    parser.add_argument("--losses", default="sampled-means,all-pairs")
    parser.add_argument("--forms", default="example,single,sparse-csr,tuned")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-epochs", type=int, default=60)
    parser.add_argument("--peer", help="FORM,LOSS,SEED,EPOCHS: one run of the peer, as JSON")
    arguments = parser.parse_args()
    if arguments.peer is None:
        compare(arguments)
        return
    form, loss, seed, epochs = arguments.peer.split(",")
    graph = Graph(arguments.dataset, Path(arguments.data))
    print(json.dumps(train(graph, Split(graph, int(seed)), form, loss, int(epochs), int(seed))))


if __name__ == "__main__":
    main()
