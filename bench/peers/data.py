"""The gnn-benchmark graphs, standardised and split as "Pitfalls of GNN Evaluation" does.

Shchur et al. 2018, https://github.com/shchur/gnn-benchmark. NumPy and SciPy only, and never timed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

TRAIN_PER_CLASS = 20
VALID_PER_CLASS = 30

# name: (file stem, nodes, undirected edges, features, classes) after standardisation (Table 3).
CATALOG = {
    "cora": ("cora", 2485, 5069, 1433, 7),
    "citeseer": ("citeseer", 2110, 3668, 3703, 6),
    "pubmed": ("pubmed", 19717, 44324, 500, 3),
    "cora-full": ("cora_full", 18703, 62421, 8710, 67),
    "coauthor-cs": ("ms_academic_cs", 18333, 81894, 6805, 15),
    "coauthor-physics": ("ms_academic_phy", 34493, 247962, 8415, 5),
    "amazon-computers": ("amazon_electronics_computers", 13381, 245778, 767, 10),
    "amazon-photo": ("amazon_electronics_photo", 7487, 119043, 745, 8),
}


@dataclass(frozen=True)
class Dataset:
    """A standardised graph: symmetric, connected, no self-loops, binary features."""

    name: str
    adjacency: sp.csr_matrix  # [nodes, nodes], all ones
    features: sp.csr_matrix  # [nodes, features], all ones
    labels: np.ndarray  # [nodes], 0 .. classes - 1

    @property
    def num_nodes(self) -> int:
        return self.features.shape[0]

    @property
    def num_classes(self) -> int:
        return int(self.labels.max()) + 1


@dataclass(frozen=True)
class Split:
    train: np.ndarray
    valid: np.ndarray
    test: np.ndarray


def load(name: str, folder: Path) -> Dataset:
    """Reads `<folder>/<name>/<stem>.npz` or `<folder>/<stem>.npz`, checks the published counts."""
    stem, *expected = CATALOG[name]
    places = [folder / name / f"{stem}.npz", folder / f"{stem}.npz"]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise SystemExit(
            f"data set {name}: no such file: {' or '.join(map(str, places))}; give --data DIR"
        )
    adjacency, features, labels = _read(path)
    adjacency, keep = _largest_component(adjacency, np.arange(len(labels)))
    if name == "cora-full":
        common = np.bincount(labels[keep])[labels[keep]] > TRAIN_PER_CLASS + VALID_PER_CLASS
        adjacency, keep = _largest_component(adjacency[common][:, common], keep[common])
    _, labels = np.unique(labels[keep], return_inverse=True)
    features = sp.csr_matrix(features[keep])
    features.sort_indices()
    features.data[:] = 1
    dataset = Dataset(name, adjacency, features, labels.astype(np.int64))
    found = [dataset.num_nodes, adjacency.nnz // 2, features.shape[1], dataset.num_classes]
    if found != expected:
        raise SystemExit(
            f"{path}: nodes, edges, features, classes are {found}, expected {expected}"
        )
    return dataset


def make_splits(dataset: Dataset, count: int, base_seed: int = 2018) -> list[Split]:
    """The first `count` splits of the paper's released code (legacy NumPy generator)."""
    seeds = np.random.RandomState(base_seed).randint(0, 1_000_000, count)
    return [_sample(dataset, _effective_seed(int(seed))) for seed in seeds]


def _read(path: Path) -> tuple[sp.csr_matrix, sp.csr_matrix, np.ndarray]:
    with np.load(path) as file:

        def matrix(key: str) -> sp.csr_matrix:
            if f"{key}_matrix" in file:
                return sp.csr_matrix(file[f"{key}_matrix"])
            parts = tuple(file[f"{key}_{part}"] for part in ("data", "indices", "indptr"))
            return sp.csr_matrix(parts, shape=file[f"{key}_shape"])

        if "labels" in file:
            labels = file["labels"].astype(np.int64)
        else:
            labels = matrix("labels").argmax(axis=1).A1
        adjacency = matrix("adj")
        features = matrix("attr")
    adjacency.data[:] = 1
    adjacency = adjacency + adjacency.T
    adjacency.setdiag(0)
    adjacency.eliminate_zeros()
    adjacency.data[:] = 1
    return sp.csr_matrix(adjacency, dtype=np.float32), features, labels


def _largest_component(
    adjacency: sp.csr_matrix, keep: np.ndarray
) -> tuple[sp.csr_matrix, np.ndarray]:
    _, component = connected_components(adjacency)
    inside = component == np.bincount(component).argmax()
    return sp.csr_matrix(adjacency[inside][:, inside]), keep[inside]


def _effective_seed(config_seed: int) -> int:
    """The seed that sacred 0.7 hands the function that draws the split: its seventh."""
    draws = np.random.RandomState(config_seed).randint(1, 10**9, 7)
    return int(np.random.RandomState(draws[-1]).randint(1, 10**9))


def _sample(dataset: Dataset, seed: int) -> Split:
    random = np.random.RandomState(seed)
    taken = np.zeros(dataset.num_nodes, dtype=bool)

    def draw(per_class: int) -> np.ndarray:
        chosen = []
        for label in range(dataset.num_classes):
            pool = np.flatnonzero((dataset.labels == label) & ~taken)
            chosen.append(random.choice(pool, per_class, replace=False))
        nodes = np.concatenate(chosen)
        taken[nodes] = True
        return nodes

    return Split(
        train=draw(TRAIN_PER_CLASS), valid=draw(VALID_PER_CLASS), test=np.flatnonzero(~taken)
    )
