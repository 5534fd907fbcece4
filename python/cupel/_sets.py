"""Sets of graphs, and facts over time. Arrays only read."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _arrays, _core
from ._core import Error
from ._data import Graph, Held, WithArcs, arrays_of_pyg, there
from ._numpy import np
from ._options import several, text_of


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

    @classmethod
    def from_pyg(cls, graphs: Any, name: str = "graphs") -> "GraphSet":
        """From a list of torch_geometric.data.Data, or a data set of PyTorch Geometric: a class `y`
        for each graph, and features `x` of all nodes or of none."""
        classes: list[Any] = []
        starts, edges = [0], []
        x: list[np.ndarray] = []
        for place, data in enumerate(several(graphs, "graphs")):
            where = f"{name}: graph {place}"
            part = arrays_of_pyg(data, where)
            arcs = _arrays.edges(part.edges)
            if part.edge_weight is not None:
                raise Error(f"{where} has weights of edges, and graphs of a set have none; take "
                            "them out (data.edge_attr = None)")
            if part.y is None or part.y.size != 1:
                raise Error(f"{where} has {0 if part.y is None else part.y.size} classes; give "
                            "each graph one, data.y")
            if arcs.size and not 0 <= arcs.min() <= arcs.max() < part.nodes:
                raise Error(f"{where} has {part.nodes} nodes, numbered from 0, and edges name nodes "
                            f"from {arcs.min()} to {arcs.max()}")
            if part.x is not None and x and part.x.shape[1:] != x[0].shape[1:]:
                raise Error(f"{where} has features of the shape {part.x.shape[1:]} a node, and the "
                            f"first has {x[0].shape[1:]}; give all the same")
            classes.append(part.y.reshape(-1)[0])
            edges.append(arcs + starts[-1])
            starts.append(starts[-1] + part.nodes)
            x += [] if part.x is None else [part.x]
        if not edges:
            raise Error(f"{name}: the list is empty; give at least one graph")
        if x and len(x) != len(edges):
            raise Error(f"{name}: {len(x)} of {len(edges)} graphs have features; give them to all, "
                        "or to none")
        codes, names = _arrays.labels_and_names(classes)
        return cls(_core.make_set(text_of(name, "name"), np.concatenate(edges, axis=1),
                                  _arrays.numbers(np.concatenate(x), "x") if x else None, starts,
                                  there(codes).tolist(), names))

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
