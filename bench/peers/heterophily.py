"""A training step of the heterophily paper's baselines in PyTorch, beside Cupel's.

    python heterophily.py --program build/bench/bench_step --data DIR [--models residual-sage,...]
        [--datasets tokolers,...] [--layers 1,3,5] [--threads 1,2] [--variants pyg,tuned-needed]

For every case: bench_step writes its parameters, and what they give; every variant of the peer loads them and must
reach the same logits, loss, gradients and losses of five steps. Only then both are timed, in turn. A step is forward
with dropout, loss, backward, Adam; an evaluation is the forward pass and the score of the validation nodes.

Variants, FORM-ROWS. Forms:
  pyg     PyTorch Geometric's own: torch_sparse sums, attention by gather and scatter, F.dropout
  heads   torch_sparse sums, also for each head of attention
  csr     PyTorch's sparse CSR products (MKL); attention as heads
  tuned   autograd functions of our own over vectorised kernels (sparse.py, attention.py), 16-bit dropout masks
Rows: all (the full batch, as the paper's code), or needed (cut by hand to what the loss reads).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

MODELS = ("residual-sage", "residual-gat-sep", "residual-gcn", "residual-gt-sep")
DATASETS = ("tolokers", "minesweeper")
VARIANTS = ("pyg-all", "heads-all", "csr-all", "tuned-all", "heads-needed", "tuned-needed")
FORMS = {"pyg": "torch-sparse", "heads": "torch-sparse", "csr": "sparse-csr", "tuned": "tuned"}
HEADS, CHECKED_STEPS, TOLERANCE = 8, 5, 1e-4
# Large tensors are kept by the allocator and lie on huge pages: a tenth faster for the peer.
PEER_ENVIRONMENT = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "8589934592",
    "THP_MEM_ALLOC_ENABLE": "1",
}


def median(values) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def peer(options) -> dict:
    """Checks and times one variant in this process."""
    import numpy as np
    import scipy.sparse as sp
    import torch
    import torch.nn.functional as F

    import attention
    import sparse

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    form_name, rows = options.variant.rsplit("-", 1)
    form = FORMS[form_name]

    with np.load(Path(options.data) / options.dataset / f"{options.dataset}.npz") as file:
        features = torch.from_numpy(file["node_features"].astype(np.float32))
        labels = torch.from_numpy(file["node_labels"].astype(np.float32))
        edges = file["edges"]
        masks = {name: file[f"{name}_masks"][0] for name in ("train", "val")}
    nodes = len(labels)
    graph = sp.csr_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(nodes, nodes))
    graph = sp.csr_matrix(((graph + graph.T) != 0).astype(np.float32))
    loops = sp.csr_matrix(graph + sp.identity(nodes, dtype=np.float32))
    degree = np.asarray(loops.sum(1)).ravel() ** -0.5
    mean = sp.csr_matrix(sp.diags(1 / np.maximum(np.asarray(graph.sum(1)).ravel(), 1)) @ graph)
    operator = {
        "residual-sage": mean,
        "residual-gcn": sp.csr_matrix(sp.diags(degree) @ loops @ sp.diags(degree)),
    }.get(options.model, graph)

    class Arcs:
        """One layer's arcs, from the rows `below` to the rows `above`."""

        def __init__(self, above, below):
            whole = len(above) == len(below) == nodes
            self.own = None if len(above) == len(below) else np.searchsorted(below, above)
            self.own = None if self.own is None else torch.from_numpy(self.own)
            matrix = operator if whole else sp.csr_matrix(operator[above][:, below])
            matrix.sort_indices()
            self.pattern = matrix
            self.rowptr = torch.from_numpy(matrix.indptr.astype(np.int64))
            self.col = torch.from_numpy(matrix.indices.astype(np.int64))
            self.row = torch.repeat_interleave(torch.arange(len(above)), self.rowptr.diff())
            self.cached = {}

        def own_rows(self, x):
            return x if self.own is None else x.index_select(0, self.own)

        def get(self, key, make):
            if key not in self.cached:
                self.cached[key] = make()
            return self.cached[key]

        def propagate(self, x):
            return self.get("matrix", lambda: sparse.make_matrix(form, self.pattern)).matmul(x)

        def blocks(self, heads):
            from graph import Blocks

            return self.get("blocks", lambda: Blocks(form, self.pattern, heads))

    def softmax(scores, arcs):
        from torch_geometric.utils import softmax

        return softmax(scores, ptr=arcs.rowptr)

    def weighted(weights, values, arcs):
        """Sums over arcs of a weight for each head: by gather and scatter, or head by head."""
        if form_name == "pyg":
            from torch_geometric.utils import scatter

            sent = values.index_select(0, arcs.col).view(len(arcs.col), HEADS, -1)
            sent = (sent * weights.unsqueeze(-1)).flatten(1)
            return scatter(sent, arcs.row, dim=0, dim_size=len(arcs.rowptr) - 1, reduce="sum")
        template = arcs.get("template", lambda: sparse.TorchSparse(arcs.pattern))
        parts = values.view(len(values), HEADS, -1).unbind(1)
        columns = weights.t().contiguous().unbind(0)
        sums = [
            template.with_values(w).matmul(part.contiguous()) for w, part in zip(columns, parts)
        ]
        return torch.cat(sums, dim=1)

    def additive(receive, send, values, arcs):
        if form == "tuned":
            return attention.attend(form, arcs, HEADS, receive, send, values, None)
        scores = receive.index_select(0, arcs.row) + send.index_select(0, arcs.col)
        return weighted(softmax(F.leaky_relu(scores, 0.2), arcs), values, arcs)

    class ScaledDot(torch.autograd.Function):
        """Softmax of the products of both ends of every arc, head by head, without messages."""

        @staticmethod
        def forward(context, receive, send, blocks):
            pattern = blocks.matrix
            weights = pattern.sampled(
                receive.reshape(pattern.shape[0], -1), send.reshape(pattern.shape[1], -1)
            )
            weights = weights.sub_(weights.max()).exp_()
            weights /= attention._row_sums(blocks, weights).index_select(0, blocks.row)
            context.save_for_backward(weights, receive, send)
            context.blocks = blocks
            return weights

        @staticmethod
        def backward(context, gradient):
            weights, receive, send = context.saved_tensors
            blocks = context.blocks
            gradient = gradient * weights
            sums = attention._row_sums(blocks, gradient)
            gradient -= weights * sums.index_select(0, blocks.row)
            matrix = blocks.matrix.with_values(gradient)
            rows, cols = matrix.shape
            to_receive = matrix.product(send.reshape(cols, -1)).view_as(receive)
            to_send = matrix.t_product(receive.reshape(rows, -1)).view_as(send)
            return to_receive, to_send, None

    def dot(receive, send, values, arcs):
        """`receive`: already scaled."""
        if form == "tuned":
            blocks = arcs.blocks(HEADS)
            weights = ScaledDot.apply(receive.contiguous(), send.contiguous(), blocks)
            return attention._BlockSum.apply(weights, values, blocks)
        left = receive.index_select(0, arcs.row).view(len(arcs.row), HEADS, -1)
        right = send.index_select(0, arcs.col).view(len(arcs.col), HEADS, -1)
        return weighted(softmax((left * right).sum(-1), arcs), values, arcs)

    # The parameters by Cupel's names; a linear map of parts side by side has a matrix for each part there, and is
    # one product of the concatenation here, as in the paper's code, or one for each where that is faster.
    start = np.load(options.start)
    weights = {
        key.removeprefix("value "): torch.nn.Parameter(torch.from_numpy(start[key].copy()))
        for key in start.files
        if key.startswith("value ")
    }

    class Model:
        training, p = False, 0.0

        def drop(self, x):
            return sparse.dropout(form, x, self.p) if self.training and self.p > 0 else x

        def linear(self, parts, name):
            bias = weights[f"{name}.b"].view(-1)
            if len(parts) == 1:
                return torch.addmm(bias, parts[0], weights[f"{name}.w"])
            out = torch.addmm(bias, parts[0], weights[f"{name}.w1"])
            for number, part in enumerate(parts[1:], 2):
                w = weights[f"{name}.w{number}"]
                out = torch.addmm(out, part, w)
            return out

        def norm(self, x, name):
            gain, shift = weights[f"{name}.gain"].view(-1), weights[f"{name}.shift"].view(-1)
            return F.layer_norm(x, gain.shape, gain, shift, 1e-5)

        def feed_forward(self, parts, name):
            hidden = F.gelu(self.drop(self.linear(parts, f"{name}.in")))
            return self.drop(self.linear([hidden], f"{name}.out"))

        def layer(self, x, arcs, name):
            y, own = self.norm(x, name), arcs.own_rows
            if options.model == "residual-sage":
                return own(x) + self.feed_forward([own(y), arcs.propagate(y)], name)
            if options.model == "residual-gcn":
                return own(x) + self.feed_forward([arcs.propagate(y)], name)
            if options.model == "residual-gat-sep":
                z = self.linear([y], f"{name}.z")
                receive = own(z) @ weights[f"{name}.receiver.w"]
                send = self.linear([z], f"{name}.sender")
                return own(x) + self.feed_forward([own(z), additive(receive, send, z, arcs)], name)
            key = self.linear([own(y)], f"{name}.key")
            query, value = (self.linear([y], f"{name}.{part}") for part in ("query", "value"))
            scale = (y.shape[1] / HEADS) ** -0.5
            attended = dot(key * scale, query, value, arcs)
            x = own(x) + self.drop(self.linear([own(y), attended], f"{name}.attended"))
            return x + self.feed_forward([self.norm(x, f"{name}.mlp")], f"{name}.mlp")

        def __call__(self, inputs):
            x, layers, targets = inputs
            x = F.gelu(self.drop(self.linear([x], "input")))
            for number, arcs in enumerate(layers, 1):
                x = self.layer(x, arcs, f"layer{number}")
            logits = self.linear([self.norm(x, "output")], "output").squeeze(1)
            return logits if targets is None else logits.index_select(0, targets)

    whole = Arcs(np.arange(nodes), np.arange(nodes)) if rows == "all" else None

    def inputs_for(wanted):
        if rows == "all":
            return features, [whole] * options.layers, torch.from_numpy(wanted)
        sets = [wanted]
        for _ in range(options.layers):
            reached = np.union1d(sets[-1], graph[sets[-1]].indices)
            sets.append(reached)
        layers = [Arcs(above, below) for above, below in zip(sets[-2::-1], sets[:0:-1])]
        return features[torch.from_numpy(sets[-1])].contiguous(), layers, None

    train, valid = (np.flatnonzero(masks[name]) for name in ("train", "val"))
    train_inputs, valid_inputs = inputs_for(train), inputs_for(valid)
    train_labels, valid_labels = labels[train], labels[valid]
    model = Model()
    optimizer = torch.optim.Adam(weights.values(), lr=3e-5, fused=True)

    def train_step():
        model.training = True
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(train_inputs), train_labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    def evaluate():
        model.training = False
        with torch.no_grad():
            logits = model(valid_inputs)
            F.binary_cross_entropy_with_logits(logits, valid_labels).item()
            return logits, roc_auc(logits.numpy(), valid_labels.numpy())

    def roc_auc(scores, truth):
        order = np.argsort(scores, kind="stable")
        _, inverse, counts = np.unique(scores[order], return_inverse=True, return_counts=True)
        rank = np.empty(len(scores))
        rank[order] = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
        positive = truth > 0.5
        ones = positive.sum()
        area = rank[positive].sum() - ones * (ones + 1) / 2
        return area / (ones * (len(truth) - ones))

    # The same first.
    def difference(found, expected):
        found, expected = np.asarray(found).ravel(), np.asarray(expected).ravel()
        if found.shape != expected.shape or not np.isfinite(found).all():
            return float("inf")
        return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-30))

    differences = {}
    model.training = True
    logits = model(train_inputs)
    differences["train logits"] = difference(logits.detach(), start["train logits"])
    loss = F.binary_cross_entropy_with_logits(logits, train_labels)
    loss.backward()
    for name, parameter in weights.items():
        expected = start[f"gradient {name}"]
        # What cancels out but for rounding: a bias that shifts all the scores of a softmax.
        if np.abs(expected).max() < 1e-8 and parameter.grad.abs().max() < 1e-8:
            continue
        differences[f"gradient {name}"] = difference(parameter.grad, expected)
    differences["valid logits"] = difference(evaluate()[0], start["valid logits"])
    # Of Cupel's logits: rounding decides the order of nodes that are alike, as many of a grid are.
    area = roc_auc(start["valid logits"].ravel(), valid_labels.numpy())
    differences["valid score"] = difference([area], start["valid score"])
    losses = [train_step() for _ in range(CHECKED_STEPS)]
    differences["losses"] = difference(losses, start["losses"])
    worst = max(differences, key=differences.get)
    if not differences[worst] <= TOLERANCE:
        sys.exit(f"{options.variant}: {worst} differs by {differences[worst]:.2g}; not timed")

    model.p = 0.2
    clock = time.perf_counter
    if options.clock == "processor":
        clock = lambda: time.process_time() / options.threads  # noqa: E731
    steps, evaluations = [], []
    for number in range(options.steps + 1):
        times = [clock()]
        train_step()
        times.append(clock())
        evaluate()
        times.append(clock())
        if number > 0:
            steps.append(1e3 * (times[1] - times[0]))
            evaluations.append(1e3 * (times[2] - times[1]))
    return {
        "difference": differences[worst],
        "of": worst,
        "step": {"ms": median(steps), "ms_min": min(steps)},
        "evaluation": {"ms": median(evaluations), "ms_min": min(evaluations)},
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def compare(options) -> None:
    print(
        "case, threads | ours: step, evaluation ms, share of product peak, MiB | peer: step, evaluation ms, MiB | "
        "peer / ours: step, evaluation, both | largest difference",
        flush=True,
    )
    results = []
    for dataset in options.datasets.split(","):
        for model in options.models.split(","):
            for layers in options.layers.split(","):
                for threads in options.threads.split(","):
                    results += case(options, dataset, model, layers, threads)
                    if options.out:
                        Path(options.out).write_text(json.dumps(results, indent=1))


def case(options, dataset, model, layers, threads) -> list[dict]:
    ours = [options.program, model, dataset, "--data", options.data, "--layers", layers]
    ours += ["--threads", threads]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        start = f"{folder}/start.npz"
        check = ["--dropout", "0", "--steps", str(CHECKED_STEPS), "--dump", start]
        subprocess.run([*ours, *check], check=True)
        timed = [*ours, "--steps", str(options.steps), "--clock", options.clock, "--json"]
        for variant in options.variants.split(","):
            if variant.startswith("csr") and model in ("residual-gat-sep", "residual-gt-sep"):
                continue  # attention is that of heads
            if variant.startswith("pyg") and model in ("residual-sage", "residual-gcn"):
                if "heads" + variant[3:] in options.variants.split(","):
                    continue  # sums are those of heads
            peer_command = [sys.executable, __file__, "--peer", "--variant", variant]
            peer_command += ["--start", start, "--data", options.data, "--datasets", dataset]
            peer_command += ["--models", model, "--layers", layers, "--threads", threads]
            peer_command += ["--steps", str(options.steps), "--clock", options.clock]
            rounds = []
            for _ in range(options.rounds):
                pair = [run(timed, threads), run(peer_command, threads, PEER_ENVIRONMENT)]
                if None in pair:
                    break
                rounds.append(pair)
            if not rounds:
                continue
            ratios = [ratio(*pair) for pair in rounds]
            a, b = rounds[0]
            step, evaluation, both = (median(r[i] for r in ratios) for i in range(3))
            print(
                f"{dataset} {model} x{layers} {variant}, {threads} | "
                f"{a['step']['ms']:.0f}, {a['evaluation']['ms']:.0f} ms, "
                f"{100 * a['step']['share_of_product_peak']:.0f} %, {a['peak_rss_mib']:.0f} MiB | "
                f"{b['step']['ms']:.0f}, {b['evaluation']['ms']:.0f} ms, {b['peak_rss_mib']:.0f} MiB | "
                f"{step:.2f}, {evaluation:.2f}, {both:.2f} | {b['difference']:.1g}",
                flush=True,
            )
            results.append(
                {"case": [dataset, model, layers, threads, variant], "rounds": rounds}
                | {"ratios": {"step": step, "evaluation": evaluation, "both": both}}
            )
    return results


def ratio(ours, theirs) -> tuple[float, float, float]:
    step, evaluation = (theirs[part]["ms"] / ours[part]["ms"] for part in ("step", "evaluation"))
    totals = [side["step"]["ms"] + side["evaluation"]["ms"] for side in (theirs, ours)]
    return step, evaluation, totals[0] / totals[1]


def run(command, threads, more=None) -> dict | None:
    environment = os.environ | {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
    environment |= more or {}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{' '.join(command)}: exit code {done.returncode}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default="build/release/bench/bench_step")
    parser.add_argument("--data", required=True, help="folder of data sets, as for cupel --data")
    parser.add_argument("--models", default=",".join(MODELS[:2]))
    parser.add_argument("--datasets", default=",".join(DATASETS))
    parser.add_argument("--layers", default="1,2,3,4,5")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--variants", default=",".join(VARIANTS))
    parser.add_argument("--steps", type=int, default=10, help="timed steps of every process")
    parser.add_argument("--rounds", type=int, default=1, help="of ours and the peer in turn")
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    parser.add_argument("--out", help="a JSON file for everything measured")
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--variant", help=argparse.SUPPRESS)
    parser.add_argument("--start", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.peer:
        compare(options)
        return
    options.model, options.dataset = options.models, options.datasets
    options.layers, options.threads = int(options.layers), int(options.threads)
    print(json.dumps(peer(options)))


if __name__ == "__main__":
    main()
