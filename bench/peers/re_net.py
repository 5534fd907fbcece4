"""Steps of RE-Net's training: Cupel beside PyTorch, with the same sizes on the same facts.

    python re_net.py --program build/release/bench/bench_re_net --data FOLDER [--forms example,same]
        [--batches 6] [--turns 2] [--width 200] [--drawn-order] [--own-masks] [--agree FILE]

FOLDER has RE-Net's files. A step is 1024 facts, each asked from both ends: forward, backward, Adam.
Steps are spread evenly over training, or with --drawn-order each takes facts from all over it; they are
taken in turn with Cupel's, on one thread, by processor time; the first of each turn does not count, which
in the order of time is the last of training. An epoch is a mean step times the steps of an epoch. The
peer's batches are put together outside of the time, Cupel's inside.

Forms:
  example  RENet of PyTorch Geometric as its example has it, with histories by its own pre_transform: a
           mean over whom an entity met by the relation at each of the last 10 steps, a GRU for each
           end, no relations' blocks, no second layer, no global state, no relations predicted. Beside
           Cupel's `re-net-pyg`
  same     what Cupel's `re-net` computes: two layers of 2 x 2 blocks over the graph of each step,
           recurrences with and without the relation, a given global state, entities and relations
           predicted; the gradient's norm is cut at 1. Beside `re-net`

--agree FILE measures nothing: it takes the parameters of `re-net-pyg`, which FILE is written for, and a
batch without dropout, and compares the loss and every gradient with those of the example.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
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

    def batches(self, count: int, drawn: bool) -> list[np.ndarray]:
        """Numbers of facts: those of a batch that warms up, and then so many."""
        full = len(self.facts) // FACTS
        if full == 0:
            sys.exit(f"training has {len(self.facts)} facts, less than a batch of {FACTS}; take more facts")
        count = min(count, full - 1 if drawn else full)
        if drawn:
            return [i + np.arange(FACTS) * full for i in range(count + 1)]
        begins = [full - 1] + [(2 * i + 1) * full // (2 * count) for i in range(count)]
        return [begin * FACTS + np.arange(FACTS) for begin in begins]


class Example(nn.Module):
    command, clip = ["--pyg"], 0.0

    def __init__(self, facts: Facts, width: int, dropout: float = DROPOUT):
        super().__init__()
        self.facts = facts
        self.model = RENet(facts.entities, facts.relations, width, LENGTH, dropout=dropout)

    def batches(self, numbers: list[np.ndarray]) -> list[Batch]:
        transform = RENet.pre_transform(LENGTH)
        for name in ("sub_hist", "obj_hist"):  # it makes room for 5000 entities more at a time
            while len(getattr(transform, name)) < self.facts.entities:
                setattr(transform, name, transform.increase_hist_node_size(getattr(transform, name)))
        wanted, kept = set(np.concatenate(numbers).tolist()), {}
        begin = int(self.facts.facts[0, 3])
        for i, (s, r, o, t) in enumerate(self.facts.facts.tolist()):
            item = transform(Data(sub=s, rel=r, obj=o, t=t - begin))
            if i in wanted:
                kept[i] = item
        follow = ["h_sub", "h_obj"]
        return [Batch.from_data_list([kept[i] for i in n.tolist()], follow_batch=follow) for n in numbers]

    def loss(self, batch: Batch) -> Tensor:
        objects, subjects = self.model(batch)
        return F.nll_loss(objects, batch.obj) + F.nll_loss(subjects, batch.sub)

    def places(self) -> dict[str, tuple[Tensor, slice, bool]]:
        """Where each of Cupel's parameters lies: in which of the model's, which columns, and whether
        transposed."""
        d, all_ = self.model.hidden_channels, slice(None)
        part = lambda k: slice(k * d, (k + 1) * d)
        out = {"entities": (self.model.ent, all_, False), "relations": (self.model.rel, all_, False)}
        for name, gru, linear in (
            ("source.", self.model.sub_gru, self.model.sub_lin),
            ("target.", self.model.obj_gru, self.model.obj_lin),
        ):
            for k, of in enumerate(("entity", "received", "kind")):
                out[name + "gru." + of] = (gru.weight_ih_l0, part(k), True)
            out[name + "gru.bias"] = (gru.bias_ih_l0, all_, False)
            out[name + "gru.state"] = (gru.weight_hh_l0, all_, True)
            out[name + "gru.state_bias"] = (gru.bias_hh_l0, all_, False)
            for k, of in enumerate(("entity", "state", "kind")):
                out[name + "answer." + of] = (linear.weight, part(k), False)
            out[name + "answer.bias"] = (linear.bias, all_, False)
        return out


class Same(nn.Module):
    command, clip = ["--global-epochs", "0"], 1.0

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

    def batches(self, numbers: list[np.ndarray]) -> list[list[dict]]:
        return [self.batch(n) for n in numbers]

    def batch(self, numbers: np.ndarray) -> list[dict]:
        """For each end: receivers and nodes with their messages, and steps of queries, longest first."""
        out = []
        rows = self.facts.facts[numbers].tolist()
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
    if model.clip > 0:
        nn.utils.clip_grad_norm_(model.parameters(), model.clip)
    adam.step()
    return time.process_time() - before


def lines_of(*command) -> list[dict]:
    done = subprocess.run([str(x) for x in command], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def agree(args: argparse.Namespace, facts: Facts, options: list[str]) -> None:
    """Exits with 1 if a loss or a gradient differs by more than rounding."""
    (told,) = lines_of(args.program, args.data, "--pyg", "--agree", args.agree, *options)
    numbers = np.fromfile(args.agree, dtype=np.float32)
    model = Example(facts, args.width, dropout=0)
    places, gradients, begin = model.places(), {}, 0
    assert sorted(places) == sorted(name for name, _, _ in told["parameters"])
    for name, rows, cols in told["parameters"]:
        value, gradient = (
            torch.from_numpy(numbers[at : at + rows * cols].reshape(rows, cols))
            for at in (begin, begin + rows * cols)
        )
        begin += 2 * rows * cols
        parameter, columns, turned = places[name]
        gradients[name] = gradient
        with torch.no_grad():
            of = parameter[..., columns]
            of.copy_((value.T if turned else value).reshape(of.shape))
    loss = model.loss(model.batches(facts.batches(args.batches, args.drawn_order)[:1])[0])
    loss.backward()
    print(f"loss {told['loss']:.6f}, of the example {loss.item():.6f}")
    aparts = [abs(told["loss"] - loss.item()) / loss.item()]
    for name, (parameter, columns, turned) in places.items():
        expected = parameter.grad[..., columns]
        got = (gradients[name].T if turned else gradients[name]).reshape(expected.shape)
        aparts.append(((got - expected).norm() / expected.norm()).item())
        print(f"{name:24} gradient of norm {expected.norm().item():.3e}, apart by {aparts[-1]:.1e} of it")
    sys.exit(0 if all(apart < 1e-4 for apart in aparts) else 1)  # none is below it that is no number


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--forms", default="example,same")
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--width", type=int, default=200)
    parser.add_argument("--drawn-order", action="store_true")
    parser.add_argument("--own-masks", action="store_true", help="of Cupel; PyTorch always has them")
    parser.add_argument("--agree", type=Path)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    facts = Facts(args.data)
    options = ["--width", args.width, "--batches", args.batches]
    options += ["--drawn-order"] * args.drawn_order + ["--own-masks"] * args.own_masks
    if args.agree:
        agree(args, facts, options)
    peers = {}
    for form in args.forms.split(","):
        model = {"example": Example, "same": Same}[form](facts, args.width)
        adam = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
        peers[form] = (model, adam, model.batches(facts.batches(args.batches, args.drawn_order)))
    theirs: dict[str, list[float]] = {form: [] for form in peers}
    ours: dict[str, list[float]] = {form: [] for form in peers}
    for _ in range(args.turns):
        for form, (model, adam, batches) in peers.items():
            theirs[form] += [step(model, adam, batch) for batch in batches][1:]
            if args.program:
                lines = lines_of(args.program, args.data, *model.command, *options)
                ours[form] += [x["cpu_seconds"] for x in lines if x["what"] == "batch"][1:]
    for form in peers:
        for name, times in ((form, theirs[form]), ("cupel", ours[form])):
            if times:
                mean = statistics.mean(times)
                epoch = mean * (len(facts.facts) // FACTS)
                print(f"{name:8} step {mean:.3f} s (best {min(times):.3f}), epoch {epoch:.0f} s")
        if ours[form]:
            ratio = statistics.mean(theirs[form]) / statistics.mean(ours[form])
            print(f"{form:8} takes {ratio:.2f} times as long as Cupel")


if __name__ == "__main__":
    main()
