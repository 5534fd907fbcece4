"""Sets of graphs, and facts over time. Arrays only read."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _arrays, _core
from ._core import Error
from ._data import Graph, Held, PygArrays, WithArcs, arrays_of_pyg, there
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


def _member_of_pyg(data: Any, where: str) -> PygArrays:
    part = arrays_of_pyg(data, where)
    edges = _arrays.edges(part.edges)
    if edges.ndim != 2 or edges.shape[0] != 2:
        raise Error(f"{where}: edge_index has the shape {edges.shape} where (2, edges) is needed")
    if part.edge_weight is not None:
        raise Error(f"{where} has edge_weight, and a graph of a set has attributes of edges; give "
                    "it as edge_attr")
    if part.y is None or not part.y.size:
        raise Error(f"{where} has no class; give data.y")
    attributes = part.edge_attr
    if attributes is not None:
        attributes = attributes.reshape(len(attributes), -1)
        if len(attributes) != edges.shape[1]:
            raise Error(f"{where}: edge_attr has {len(attributes)} rows for {edges.shape[1]} edges; "
                        "give one for each")
    return part._replace(edges=edges, edge_attr=attributes)


def _rows_of_all(arrays: dict[int, Any], name: str, told: str, each: str) -> Optional[np.ndarray]:
    """Rows of the graphs by their places, with as many columns everywhere, or None everywhere."""
    given = {place: array for place, array in arrays.items() if array is not None}
    if not given:
        return None
    if len(given) != len(arrays):
        raise Error(f"{name}: {len(given)} of {len(arrays)} graphs have {told}; give them to all, "
                    "or to none")
    first = next(iter(given.values())).shape[1:]
    for place, array in given.items():
        if array.shape[1:] != first:
            raise Error(f"{name}: graph {place} has {told} of the shape {array.shape[1:]} {each}, "
                        f"and the first has {first}; give all the same")
    return _arrays.numbers(np.concatenate(list(given.values())), told)


class GraphSet(WithArcs):
    """A set of graphs with a class, or answers to several tasks, for each. Arrays are those of the
    union of all graphs, one after the other."""

    @classmethod
    def from_pyg(cls, graphs: Any, name: str = "graphs") -> "GraphSet":
        """From a list of torch_geometric.data.Data, or a data set of PyTorch Geometric.

        y: a class for each graph, or answers to several tasks: 0, 1, NaN where it is not known.
        x, edge_attr: of all graphs or of none. An edge stands for both its directions; of two that
        say different things of one direction, the first counts.
        """
        parts = [_member_of_pyg(data, f"{name}: graph {place}")
                 for place, data in enumerate(several(graphs, "graphs"))]
        if not parts:
            raise Error(f"{name}: the list is empty; give at least one graph")
        answers = [there(part.y).reshape(-1) for part in parts]
        of_tasks = any(y.size > 1 or (y.dtype.kind == "f" and np.isnan(y).any()) for y in answers)
        codes, names = (None, []) if of_tasks else \
            _arrays.labels_and_names([y[0] for y in answers])
        table = [y[None] for y in answers] if of_tasks else []
        starts = [0, *accumulate(part.nodes for part in parts)]
        edges = [part.edges.astype(np.int64) + start for part, start in zip(parts, starts)]
        attributes = {place: part.edge_attr for place, part in enumerate(parts) if part.edges.size}
        return cls(_core.make_set(
            text_of(name, "name"), starts, [0, *accumulate(rows.shape[1] for rows in edges)],
            np.concatenate(edges, axis=1),
            _rows_of_all(dict(enumerate(part.x for part in parts)), name, "features", "a node"),
            _rows_of_all(attributes, name, "edge_attr", "an edge"),
            [] if codes is None else codes.tolist(), names,
            _rows_of_all(dict(enumerate(table)), name, "answers", "a graph")))

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

        out = []
        attributes, first = self.arc_attributes, 0
        for one in self._members:
            y = np.atleast_1d(one.y)
            out.append(Data(x=torch.tensor(one.x), edge_index=torch.tensor(one.edge_index),
                            y=torch.tensor(y if y.size == 1 else y[None]), num_nodes=one.num_nodes))
            if attributes.shape[1]:
                end = first + one.edge_index.shape[1]
                out[-1].edge_attr = torch.tensor(attributes[first:end])
                first = end
        return out


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
