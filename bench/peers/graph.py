"""What a model reads of a data set, as tensors: all rows, or only those that targets need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from data import Dataset
from sparse import make_matrix


class Adjacency:
    """The whole graph with self-loops, as SciPy matrices."""

    def __init__(self, dataset: Dataset):
        loops = sp.identity(dataset.num_nodes, dtype=np.float32)
        self.looped = sp.csr_matrix(dataset.adjacency + loops)
        self.degrees = np.diff(self.looped.indptr).astype(np.float64)

    @cached_property
    def symmetric(self) -> sp.csr_matrix:
        """D^-1/2 (A + I) D^-1/2"""
        scale = sp.diags(self.degrees**-0.5)
        return sp.csr_matrix(scale @ self.looped @ scale)

    @cached_property
    def mean(self) -> sp.csr_matrix:
        """D^-1 (A + I)"""
        return sp.csr_matrix(sp.diags(1 / self.degrees) @ self.looped)


class Blocks:
    """A pattern in which every entry is a diagonal of one value per head: kron(matrix, I).

    Maps [columns, heads * width] to [rows, heads * width]; values are ordered as `row` and `col`.
    """

    def __init__(self, form: str, matrix: sp.csr_matrix, heads: int):
        blocks = sp.csr_matrix(sp.kron(matrix, sp.identity(heads), format="csr"))
        blocks.sort_indices()
        self.heads = heads
        self.num_rows = matrix.shape[0]
        self.matrix = make_matrix(form, blocks)
        self.row = torch.from_numpy(np.repeat(np.arange(blocks.shape[0]), np.diff(blocks.indptr)))
        self.col = torch.from_numpy(blocks.indices.astype(np.int64))

    def matmul(self, values: Tensor, dense: Tensor) -> Tensor:
        narrow = dense.reshape(dense.shape[0] * self.heads, -1)
        return self.matrix.with_values(values).matmul(narrow).reshape(self.num_rows, -1)


class Features:
    def __init__(self, form: str, matrix: sp.csr_matrix):
        self._form, self._matrix, self._blocks = form, matrix, {}
        self.sparse = make_matrix(form, matrix)

    def blocks(self, heads: int) -> Blocks:
        if heads not in self._blocks:
            self._blocks[heads] = Blocks(self._form, self._matrix, heads)
        return self._blocks[heads]


class Layer:
    """One step of propagation, from the nodes of the layer below to those of this layer.

    `rows` and `cols` are the node ids of both, ascending; None: all nodes.
    """

    def __init__(self, form: str, adjacency: Adjacency, rows=None, cols=None):
        self._form, self._adjacency, self._rows, self._cols = form, adjacency, rows, cols
        self._blocks = {}
        # Where the layer's own nodes stand among those below.
        self._own = None if rows is None else torch.from_numpy(np.searchsorted(cols, rows))

    def own_rows(self, x: Tensor) -> Tensor:
        return x if self._own is None else x.index_select(0, self._own)

    @cached_property
    def symmetric(self):
        return make_matrix(self._form, self._cut(self._adjacency.symmetric))

    @cached_property
    def mean(self):
        return make_matrix(self._form, self._cut(self._adjacency.mean))

    @cached_property
    def pattern(self) -> sp.csr_matrix:
        return self._cut(self._adjacency.looped)

    @cached_property
    def rowptr(self) -> Tensor:
        return torch.from_numpy(self.pattern.indptr.astype(np.int64))

    @cached_property
    def col(self) -> Tensor:
        return torch.from_numpy(self.pattern.indices.astype(np.int64))

    @cached_property
    def row(self) -> Tensor:
        """Receiving row of every edge, ascending."""
        return torch.repeat_interleave(torch.arange(len(self.rowptr) - 1), self.rowptr.diff())

    @cached_property
    def pseudo(self) -> Tensor:
        """[edges, 2]: degree^-1/2 of the receiving and of the sending node."""
        inverse = self._adjacency.degrees**-0.5
        receiving = inverse if self._rows is None else inverse[self._rows]
        sending = inverse if self._cols is None else inverse[self._cols]
        pairs = np.stack([receiving[self.row.numpy()], sending[self.col.numpy()]], axis=1)
        return torch.from_numpy(pairs.astype(np.float32))

    def blocks(self, heads: int) -> Blocks:
        if heads not in self._blocks:
            self._blocks[heads] = Blocks(self._form, self.pattern, heads)
        return self._blocks[heads]

    def _cut(self, matrix: sp.csr_matrix) -> sp.csr_matrix:
        if self._rows is not None:
            matrix = sp.csr_matrix(matrix[self._rows][:, self._cols])
        matrix.sort_indices()
        return matrix


@dataclass
class Inputs:
    """Features, and the layers from the one nearest to them upwards."""

    features: Features
    layers: list[Layer]
    targets: Tensor | None  # rows of the last layer; None: all of them
    labels: Tensor  # of the targets

    def select(self, logits: Tensor) -> Tensor:
        return logits if self.targets is None else logits.index_select(0, self.targets)


class Graph:
    """Makes inputs for a model of `hops` layers of propagation."""

    def __init__(self, dataset: Dataset, form: str, hops: int):
        self._dataset, self._form, self._hops = dataset, form, hops
        self._adjacency = Adjacency(dataset)
        self._features = Features(form, dataset.features)
        self._layer = Layer(form, self._adjacency)

    def all_rows(self, nodes: np.ndarray) -> Inputs:
        """Shares one set of matrices between all calls."""
        layers = [self._layer] * self._hops
        return Inputs(self._features, layers, torch.from_numpy(nodes), self._labels(nodes))

    def needed_rows(self, nodes: np.ndarray) -> Inputs:
        """Only the rows that the logits of `nodes` depend on: the same logits for less work."""
        sets = [np.sort(nodes)]
        for _ in range(self._hops):
            sets.append(np.unique(self._adjacency.looped[sets[-1]].indices))
        layers = [
            Layer(self._form, self._adjacency, rows, cols)
            for rows, cols in zip(reversed(sets[:-1]), reversed(sets[1:]), strict=True)
        ]
        features = Features(self._form, sp.csr_matrix(self._dataset.features[sets[-1]]))
        return Inputs(features, layers, None, self._labels(sets[0]))

    def _labels(self, nodes: np.ndarray) -> Tensor:
        return torch.from_numpy(self._dataset.labels[nodes])
