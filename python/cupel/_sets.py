"""Sets of graphs, and facts over time. Arrays only read."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _core
from ._data import Graph, Held, WithArcs, there
from ._numpy import np


class Member(NamedTuple):
    """One graph of a set: its nodes are numbered from 0."""

    num_nodes: int
    edge_index: np.ndarray
    x: np.ndarray
    y: Any  # None where it is not told


class Members(Sequence[Member]):
    """The graphs of a set, made one by one from the arrays of all. `whole` has them as
    `cupel.GraphSet` has, graph i the nodes starts[i] to starts[i + 1], and answers[i] is its y."""

    def __init__(self, whole: Any, starts: np.ndarray, answers: Optional[np.ndarray] = None):
        self._whole = whole
        self._starts = starts
        self._answers = answers

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} graphs, and no {index}")
        index = int(index) % len(self)
        whole = self._whole
        first, end = int(self._starts[index]), int(self._starts[index + 1])
        arcs = slice(int(whole.indptr[first]), int(whole.indptr[end]))
        pairs = np.stack([whole.sources[arcs], whole.targets[arcs]]).astype(np.int64) - first
        return Member(end - first, pairs, whole.x[first:end],
                      None if self._answers is None else self._answers[index])


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

    @cached_property
    def _members(self) -> Members:
        return Members(self, self.starts, self.y)

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, index: Any) -> Any:
        """One of the graphs: its nodes are numbered from 0."""
        return self._members[index]

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
