"""Sets of graphs, and facts over time. Arrays only read."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Union

from . import _core
from ._data import Graph, Held, WithArcs, there
from ._numpy import np


class _Member(NamedTuple):
    num_nodes: int
    edge_index: np.ndarray
    x: np.ndarray
    y: Any


class GraphSet(WithArcs):
    """A set of graphs with a class, or answers to several tasks, for each. Arrays are those of the
    union of all graphs, one after the other."""

    @cached_property
    def starts(self) -> np.ndarray:
        """Graph i has the nodes starts[i] to starts[i + 1]."""
        return there(self._core.graph_starts())

    @property
    def node_attributes(self) -> np.ndarray:
        return there(self._core.node_attributes())

    @property
    def arc_attributes(self) -> np.ndarray:
        return there(self._core.arc_attributes())

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> _Member:
        """One of the graphs: its nodes are numbered from 0."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} graphs, and no {index}")
        index %= len(self)
        first, end = int(self.starts[index]), int(self.starts[index + 1])
        arcs = slice(int(self.indptr[first]), int(self.indptr[end]))
        pairs = np.stack([self.sources[arcs], self.targets[arcs]]).astype(np.int64) - first
        return _Member(end - first, pairs, self.x[first:end],
                       None if self.y is None else self.y[index])

    def to_pyg(self) -> list:
        """A list of torch_geometric.data.Data."""
        import torch
        from torch_geometric.data import Data

        return [Data(x=torch.tensor(one.x), edge_index=torch.tensor(one.edge_index),
                     y=torch.tensor(np.atleast_1d(one.y)), num_nodes=one.num_nodes)
                for one in (self[i] for i in range(len(self)))]


class Facts(Held):
    """Facts over time: who stood in which relation to whom, and when. In the order of time."""

    _told = ("facts", "nodes", "relations")

    @property
    def num_nodes(self) -> int:
        return self._core.num_nodes

    @property
    def relation_names(self) -> list[str]:
        return self._core.relation_names

    @property
    def counts(self) -> dict[str, int]:
        return {"facts": len(self), "nodes": self.num_nodes, "relations": len(self.relation_names)}

    @property
    def sources(self) -> np.ndarray:
        return self._core.fact_sources()

    @property
    def relations(self) -> np.ndarray:
        return self._core.fact_relations()

    @property
    def targets(self) -> np.ndarray:
        return self._core.fact_targets()

    @property
    def times(self) -> np.ndarray:
        return self._core.fact_times()

    def __len__(self) -> int:
        return self._core.num_examples


AnyData = Union[Graph, GraphSet, Facts]


def wrapped(core: _core.Data) -> Any:
    return {"graph": Graph, "graphs": GraphSet, "facts": Facts}[core.kind](core)
