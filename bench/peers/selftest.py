"""What must hold before any time is taken: data, splits, and all forms computing the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import data
import sparse
from graph import Graph, Inputs
from models import MODELS, Model

CORA_CLASS_SIZES = [285, 406, 726, 379, 214, 131, 344]
CORA_FIRST_TRAIN = [759, 79, 463, 321, 465]  # of split 0, by an independent implementation


def run(folder: Path) -> None:
    dataset = data.load("cora", folder)  # nodes, edges, features and classes are checked there
    expect(np.bincount(dataset.labels).tolist() == CORA_CLASS_SIZES, "class sizes of Cora")
    expect((dataset.adjacency != dataset.adjacency.T).nnz == 0, "symmetric adjacency")
    expect(not dataset.adjacency.diagonal().any(), "no self-loops")
    expect(dataset.features.nnz == 45487, "non-zero features of Cora")
    for split in data.make_splits(dataset, 3):
        sizes = [len(split.train), len(split.valid), len(split.test)]
        expect(sizes == [140, 210, 2135], f"split sizes {sizes}")
        together = np.concatenate([split.train, split.valid, split.test])
        expect(len(np.unique(together)) == dataset.num_nodes, "split is a partition")
    split = data.make_splits(dataset, 1)[0]
    expect(split.train[:5].tolist() == CORA_FIRST_TRAIN, "first split of the paper's code")

    forms = [form for form in sparse.FORMS if form != "torch-sparse" or sparse.SparseTensor]
    for name, kind in MODELS.items():
        reference = gradients(kind, dataset, split, "sparse-coo", "all")
        for form in forms:
            for rows in kind.rows:
                found = gradients(kind, dataset, split, form, rows)
                same = all(
                    torch.allclose(a, b, rtol=1e-3, atol=1e-6) for a, b in zip(found, reference)
                )
                expect(same, f"loss and gradients of {name}, form {form}, rows {rows}")
    for form in forms:
        kept = sparse.dropout(form, torch.ones(1000, 1000), 0.8)
        expect(abs(kept.mean().item() - 1) < 0.01, f"mean under dropout, form {form}")
        expect(abs((kept > 0).float().mean().item() - 0.2) < 0.002, f"dropout rate, form {form}")
    print("ok")


def gradients(kind: type[Model], dataset, split, form: str, rows: str) -> list[torch.Tensor]:
    """Loss and gradients without dropout, at one fixed start."""
    torch.manual_seed(1)
    model = kind(form, dataset.features.shape[1], dataset.num_classes).eval()
    inputs: Inputs = getattr(Graph(dataset, form, kind.hops), f"{rows}_rows")(np.sort(split.train))
    loss = F.cross_entropy(model(inputs), inputs.labels)
    loss.backward()
    return [loss.detach()] + [parameter.grad for parameter in model.parameters()]


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(f"selftest failed: {what}")
