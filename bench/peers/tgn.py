"""Epochs of a temporal graph network in PyTorch Geometric, as one JSON line each.

    python tgn.py CollegeMsg.txt [--epochs 5] [--rate 1e-4] [--seed 0]

The library's own parts as its example puts them together: memory, encoding of times and embeddings
100 wide, batches of 200 in the order of time, the 10 last neighbours, two heads, dropout 0.1. Facts
are cut at 70 and 85 percent of the times. Wrong targets are drawn from the targets of training.
Average precision is the mean over batches. "cpu_seconds" is the processor time of a training epoch.
`bench_events FACTS --net tgn --pyg --trained-times` prints the same of ours.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.nn import TransformerConv
from torch_geometric.nn.models.tgn import (
    IdentityMessage,
    LastAggregator,
    LastNeighborLoader,
    TGNMemory,
)

WIDTH, BATCH, NEIGHBOURS, HEADS, DROPOUT = 100, 200, 10, 2, 0.1


def average_precision(right: np.ndarray, wrong: np.ndarray) -> float:
    scores = np.concatenate([right, wrong])
    true = np.concatenate([np.ones(len(right)), np.zeros(len(wrong))])
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    found = np.cumsum(true[order])[ends]
    return float((np.diff(found, prepend=0) * found / (ends + 1)).sum() / len(right))


class Facts:
    def __init__(self, path: str):
        rows = np.loadtxt(path, dtype=np.int64)
        rows = rows[np.argsort(rows[:, 2], kind="stable")]
        names, ends = np.unique(rows[:, :2], return_inverse=True)
        ends = ends.reshape(-1, 2)
        self.entities = len(names)
        self.source, self.target = (torch.from_numpy(ends[:, i].copy()) for i in range(2))
        self.time = torch.from_numpy(rows[:, 2] - rows[0, 2])
        cuts = np.quantile(self.time.numpy(), [0.7, 0.85])
        train, valid = (int((self.time.numpy() <= cut).sum()) for cut in cuts)
        self.parts = {"train": (0, train), "valid": (train, valid), "test": (valid, len(rows))}
        self.targets = torch.unique(self.target[:train])


class Tgn:
    def __init__(self, facts: Facts, rate: float):
        self.facts = facts
        self.memory = TGNMemory(facts.entities, 1, WIDTH, WIDTH,
                                message_module=IdentityMessage(1, WIDTH, WIDTH),
                                aggregator_module=LastAggregator())
        self.attention = TransformerConv(WIDTH, WIDTH // HEADS, heads=HEADS, dropout=DROPOUT,
                                         edge_dim=1 + WIDTH)
        self.source, self.target = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.neighbours = LastNeighborLoader(facts.entities, size=NEIGHBOURS)
        self.place = torch.empty(facts.entities, dtype=torch.long)
        self.features = torch.zeros(len(facts.time), 1)
        self.modules = [self.memory, self.attention, self.source, self.target, self.out]
        parameters = {id(p): p for m in self.modules for p in m.parameters()}
        self.optimiser = torch.optim.Adam(parameters.values(), lr=rate)

    def logits(self, begin: int, end: int) -> tuple[Tensor, Tensor]:
        source, target = self.facts.source[begin:end], self.facts.target[begin:end]
        others = self.facts.targets[torch.randint(len(self.facts.targets), (end - begin,))]
        nodes, arcs, ids = self.neighbours(torch.cat([source, target, others]).unique())
        self.place[nodes] = torch.arange(len(nodes))
        state, updated = self.memory(nodes)
        elapsed = (updated[arcs[0]] - self.facts.time[ids]).to(state.dtype)
        of_arcs = torch.cat([self.memory.time_enc(elapsed), self.features[ids]], dim=-1)
        z = self.attention(state, arcs, of_arcs)
        pair = lambda to: self.out((self.source(z[self.place[source]])
                                    + self.target(z[self.place[to]])).relu())
        return pair(target), pair(others)

    def known(self, begin: int, end: int) -> None:
        part = slice(begin, end)
        self.memory.update_state(self.facts.source[part], self.facts.target[part],
                                 self.facts.time[part], self.features[part])
        self.neighbours.insert(self.facts.source[part], self.facts.target[part])

    def batches(self, part: str):
        first, last = self.facts.parts[part]
        return ((begin, min(begin + BATCH, last)) for begin in range(first, last, BATCH))

    def train(self) -> float:
        for module in self.modules:
            module.train()
        self.memory.reset_state()
        self.neighbours.reset_state()
        loss_of, total = nn.BCEWithLogitsLoss(), 0.0
        for begin, end in self.batches("train"):
            self.optimiser.zero_grad()
            right, wrong = self.logits(begin, end)
            loss = loss_of(right, torch.ones_like(right)) + loss_of(wrong, torch.zeros_like(wrong))
            self.known(begin, end)
            loss.backward()
            self.optimiser.step()
            self.memory.detach()
            total += loss.item() * (end - begin)
        return total / self.facts.parts["train"][1]

    @torch.no_grad()
    def precision(self, part: str) -> float:
        for module in self.modules:
            module.eval()
        scores = []
        for begin, end in self.batches(part):
            right, wrong = self.logits(begin, end)
            scores.append(average_precision(right.numpy().ravel(), wrong.numpy().ravel()))
            self.known(begin, end)
        return float(np.mean(scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("facts")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    model = Tgn(Facts(args.facts), args.rate)
    for epoch in range(args.epochs):
        before = time.process_time()
        loss = model.train()
        seconds = time.process_time() - before
        print(json.dumps({"model": "pyg-tgn", "epoch": epoch, "cpu_seconds": round(seconds, 3),
                          "loss": round(loss, 4), "valid": round(model.precision("valid"), 4),
                          "test": round(model.precision("test"), 4)}), flush=True)


if __name__ == "__main__":
    main()
