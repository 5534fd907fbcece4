"""Steps of RE-Net's training: Cupel beside PyTorch, with the same sizes on the same facts.

    python re_net.py --program build/release/bench/bench_re_net --data FOLDER [--forms example,same]
        [--batches 6] [--turns 2] [--width 200]

FOLDER has RE-Net's files. A step is 1024 facts, each asked from both ends: forward, backward, Adam with
the gradient's norm cut at 1. Steps are spread evenly over training, taken in turn with Cupel's, on one
thread, by processor time; the first of each turn, the last of training, does not count. An epoch is a mean step times the
steps of an epoch. The peer's batches are put together outside of the time, Cupel's inside.

Forms:
  example  RENet of PyTorch Geometric as its example has it: a mean over the entities met at each of the
           last 10 steps, a GRU for each end, no relations' blocks, no second layer, no global state, no
           relations foretold
  same     what Cupel computes: two layers of 2 x 2 blocks over the graph of each step, recurrences with
           and without the relation, a given global state, entities and relations foretold
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch_geometric.data import Batch, Data
from torch_geometric.nn.models.re_net import RENet

LENGTH, FACTS, DROPOUT = 10, 1024, 0.5


class Facts:
    """Training as columns, and the graph of each step."""

    def __init__(self, folder: Path):
        rows = np.loadtxt(folder / "train.txt", dtype=np.int64, usecols=(0, 1, 2, 3))
        self.facts = rows[np.argsort(rows[:, 3], kind="stable")]
        sizes = (folder / "stat.txt").read_text().split()
        self.entities, self.relations = int(sizes[0]), int(sizes[1])
        self.around: dict[int, dict[int, list[tuple[int, int]]]] = {}  # step, entity: (who, kind)
        self.steps: list[dict[int, list[int]]] = [{}, {}]  # by end, entity
        for s, r, o, t in np.unique(self.facts[:, [0, 1, 2, 3]], axis=0)[:, :]:
            graph = self.around.setdefault(int(t), {})
            graph.setdefault(int(o), []).append((int(s), int(r)))
            graph.setdefault(int(s), []).append((int(o), int(r) + self.relations))
        for t in sorted(self.around):
            now = self.facts[self.facts[:, 3] == t]
            for end, column in enumerate((0, 2)):
                for entity in np.unique(now[:, column]):
                    self.steps[end].setdefault(int(entity), []).append(t)

    def history(self, end: int, entity: int, time: int) -> list[int]:
        return [t for t in self.steps[end].get(entity, []) if t < time][-LENGTH:]

    def begins(self, batches: int) -> list[int]:
        full = len(self.facts) // FACTS
        return [(full - 1) * FACTS] + [
            (2 * i + 1) * full // (2 * batches) * FACTS for i in range(min(batches, full))
        ]


class Example(nn.Module):
    def __init__(self, facts: Facts, width: int):
        super().__init__()
        self.facts = facts
        self.model = RENet(facts.entities, facts.relations, width, LENGTH, dropout=DROPOUT)

    def batch(self, begin: int) -> Batch:
        items = []
        for s, r, o, t in self.facts.facts[begin : begin + FACTS].tolist():
            item = Data(sub=torch.tensor([s]), rel=torch.tensor([r]), obj=torch.tensor([o]))
            for end, (name, entity) in enumerate((("sub", s), ("obj", o))):
                met, at = [], []
                for k, u in enumerate(self.facts.history(end, entity, t)):
                    others = {v for v, _ in self.facts.around[u][entity]}
                    met += others
                    at += [k] * len(others)
                item[f"h_{name}"] = torch.tensor(met, dtype=torch.long)
                item[f"h_{name}_t"] = torch.tensor(at, dtype=torch.long)
            items.append(item)
        return Batch.from_data_list(items, follow_batch=["h_sub", "h_obj"])

    def loss(self, batch: Batch) -> Tensor:
        objects, subjects = self.model(batch)
        return F.nll_loss(objects, batch.obj) + F.nll_loss(subjects, batch.sub)


class Same(nn.Module):
    def __init__(self, facts: Facts, width: int):
        super().__init__()
        self.facts, self.width = facts, width
        d, n, r = width, facts.entities, facts.relations
        xavier = lambda *shape: nn.Parameter(nn.init.xavier_uniform_(torch.empty(*shape), 2**0.5))
        self.entities, self.kinds = xavier(n, d), xavier(2 * r, d)
        self.blocks = nn.ParameterList([xavier(2 * r, 2 * d) for _ in range(2)])
        self.own = nn.ParameterList([xavier(d, d) for _ in range(2)])
        self.gru = nn.GRU(4 * d, d, batch_first=True)
        self.relation_gru = nn.GRU(3 * d, d, batch_first=True)
        self.answer, self.relation = nn.Linear(3 * d, n), nn.Linear(2 * d, r)
        self.dropout = nn.Dropout(DROPOUT)

    def batch(self, begin: int) -> list[dict]:
        """For each end: receivers and nodes with their messages, and steps of queries, longest first."""
        out = []
        rows = self.facts.facts[begin : begin + FACTS].tolist()
        relations = self.facts.relations
        for end in range(2):
            nodes: dict[tuple[int, int], int] = {}
            receivers: dict[tuple[int, int], int] = {}
            node_from, node_kind, node_to = [], [], []
            from_, kind_, to_ = [], [], []
            turn = lambda k: (k + relations) % (2 * relations) if end else k

            def node(v: int, u: int) -> int:
                number = nodes.setdefault((v, u), len(nodes))
                if number == len(nodes) - 1 and (not node_to or node_to[-1] < number):
                    for w, k in self.facts.around[u][v]:
                        node_from.append(w), node_kind.append(turn(k)), node_to.append(number)
                return number

            histories = []
            for s, r, o, t in rows:
                given, answer = (o, s) if end else (s, o)
                places = []
                for u in self.facts.history(end, given, t):
                    number = receivers.setdefault((given, u), len(receivers))
                    if number == len(receivers) - 1 and (not to_ or to_[-1] < number):
                        for v, k in self.facts.around[u][given]:
                            from_.append(node(v, u)), kind_.append(turn(k)), to_.append(number)
                    places.append(number)
                histories.append((places, given, r + end * relations, answer))
            histories.sort(key=lambda h: -len(h[0]))
            own = [node(*key) for key in receivers]
            place = np.zeros((FACTS, LENGTH), dtype=np.int64)
            for i, (places, *_) in enumerate(histories):
                place[i, : len(places)] = places
            long = lambda x: torch.as_tensor(np.asarray(x, dtype=np.int64))
            lengths = [len(h[0]) for h in histories]
            out.append(
                {
                    "node": long([v for v, _ in nodes]),
                    "first": (long(node_from), long(node_kind), long(node_to)),
                    "second": (long(from_), long(kind_), long(to_)),
                    "own": long(own),
                    "place": long(place),
                    "lengths": long([n for n in lengths if n > 0]),
                    "given": long([h[1] for h in histories]),
                    "kind": long([h[2] for h in histories]),
                    "answer": long([h[3] for h in histories]),
                    "state": torch.randn(len(receivers), self.width),
                }
            )
        return out

    def messages(self, layer: int, h: Tensor, arcs: tuple[Tensor, ...], rows: int) -> Tensor:
        sender, kind, receiver = arcs
        x, y = h[sender].chunk(2, 1)
        p, q, s, t = self.blocks[layer][kind].chunk(4, 1)
        sent = torch.cat([p * x + q * y, s * x + t * y], 1)
        count = torch.bincount(receiver, minlength=rows).clamp(min=1)
        return torch.zeros(rows, self.width).index_add(0, receiver, sent) / count[:, None]

    def loss(self, batch: list[dict]) -> Tensor:
        total = torch.zeros(())
        for b in batch:
            rows = len(b["node"])
            own = self.dropout(self.entities[b["node"]] @ self.own[0])
            h = torch.relu(self.messages(0, self.entities, b["first"], rows) + own)
            own = self.dropout(h[b["own"]] @ self.own[1])
            h = self.messages(1, h, b["second"], len(b["own"])) + own
            some = len(b["lengths"])
            e, w = self.entities[b["given"]], self.kinds[b["kind"]]
            spread = lambda v: v[:some, None].expand(-1, LENGTH, -1)
            seen, state = h[b["place"][:some]], b["state"][b["place"][:some]]
            pack = lambda *parts: pack_padded_sequence(
                self.dropout(torch.cat(parts, 2)), b["lengths"], batch_first=True
            )
            _, g = self.gru(pack(seen, spread(e), spread(w), state))
            _, q = self.relation_gru(pack(seen, spread(e), state))
            none = torch.zeros(FACTS - some, self.width)
            g, q = torch.cat([g[0], none]), torch.cat([q[0], none])
            total = total + F.cross_entropy(self.answer(self.dropout(torch.cat([e, g, w], 1))), b["answer"])
            logits = self.relation(self.dropout(torch.cat([e, q], 1)))
            total = total + 0.1 * F.cross_entropy(logits, b["kind"] % self.facts.relations)
        return total


def step(model: nn.Module, adam: torch.optim.Adam, batch) -> float:
    before = time.process_time()
    adam.zero_grad()
    model.loss(batch).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    adam.step()
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--forms", default="example,same")
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--width", type=int, default=200)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    facts = Facts(args.data)
    peers = {}
    for form in args.forms.split(","):
        model = {"example": Example, "same": Same}[form](facts, args.width)
        adam = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
        peers[form] = (model, adam, [model.batch(b) for b in facts.begins(args.batches)])
    seconds: dict[str, list[float]] = {form: [] for form in (*peers, "cupel")}
    for _ in range(args.turns):
        for form, (model, adam, batches) in peers.items():
            seconds[form] += [step(model, adam, batch) for batch in batches][1:]
        if not args.program:
            continue
        command = [args.program, args.data, "--width", args.width, "--batches", args.batches]
        lines = subprocess.run(
            [str(x) for x in (*command, "--global-epochs", 0)], check=True, capture_output=True, text=True
        ).stdout.splitlines()
        steps = [x["cpu_seconds"] for x in map(json.loads, lines) if x["what"] == "batch"]
        seconds["cupel"] += steps[1:]
    for form, times in seconds.items():
        if not times:
            continue
        mean = statistics.mean(times)
        epoch = mean * (len(facts.facts) // FACTS)
        print(f"{form:8} step {mean:.3f} s (best {min(times):.3f}), epoch {epoch:.0f} s")
    if seconds["cupel"]:
        for form in peers:
            ratio = statistics.mean(seconds[form]) / statistics.mean(seconds["cupel"])
            print(f"{form:8} takes {ratio:.2f} times as long")


if __name__ == "__main__":
    main()
