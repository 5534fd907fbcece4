"""Sets of graphs, and facts over time. Arrays only read."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _arrays, _core
from ._core import Error
from ._data import (Graph, Held, WithArcs, arcs_of_networkx, array_of_pyg, arrays_of_pyg,
                    attribute_of_networkx, check_attribute_name, networkx_of, there, torch_and_pyg)
from ._numpy import np
from ._options import MOST, is_whole, several, text_of


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
        if not is_whole(index):
            raise Error(f"graphs: {index!r} is no number of a graph")
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} graphs, and no {index}")
        index = int(index) % len(self)
        whole = self._whole
        first, end = int(self._starts[index]), int(self._starts[index + 1])
        arcs = slice(int(whole.indptr[first]), int(whole.indptr[end]))
        pairs = np.stack([whole.sources[arcs], whole.targets[arcs]]).astype(np.int64) - first
        return Member(end - first, pairs, whole.x[first:end],
                      None if self._answers is None else self._answers[index])


def _listed(given: Any, option: str) -> list:
    return several(given, option, "is no list; give one with an entry for each graph")


class _Given(NamedTuple):
    """The arrays of a graph of a set that is made."""

    edges: np.ndarray
    x: Optional[np.ndarray]
    edge_attr: Optional[np.ndarray]
    nodes: int


def _given(edges: Any, x: Any, edge_attr: Any, nodes: Optional[int], where: str) -> _Given:
    edges = _arrays.edges(edges, f"{where}: edge_index")
    if edges.ndim != 2 or edges.shape[0] != 2:
        raise Error(f"{where}: edge_index has the shape {edges.shape} where (2, edges) is needed")
    if edges.size and edges.max() >= MOST:
        raise Error(f"{where}: edge_index names node {edges.max()}, where numbers below {MOST} are "
                    "possible; correct it")
    x = _arrays.optional_numbers(x, f"{where}: x")
    if x is not None and x.ndim != 2:
        raise Error(f"{where}: x has the shape {x.shape} where (nodes, features) is needed")
    if nodes is None:
        nodes = len(x) if x is not None else int(edges.max()) + 1 if edges.size else 0
    if not is_whole(nodes) or not 0 <= nodes <= MOST:
        raise Error(f"{where}: num_nodes is {nodes!r}, which is no number of nodes")
    if x is not None and len(x) != nodes:
        raise Error(f"{where}: x has {len(x)} rows for {nodes} nodes; give one for each")
    edge_attr = _arrays.optional_numbers(edge_attr, f"{where}: edge_attr")
    if edge_attr is not None and not edge_attr.size:
        edge_attr = None
    if edge_attr is not None:
        edge_attr = edge_attr.reshape(len(edge_attr), -1)
        if len(edge_attr) != edges.shape[1]:
            raise Error(f"{where}: edge_attr has {len(edge_attr)} rows for {edges.shape[1]} edges; "
                        "give one for each")
    return _Given(edges.astype(np.int64), x if x is not None and x.shape[1] else None, edge_attr,
                  int(nodes))


def _for_each(given: Any, option: str, graphs: int) -> list:
    """A list with an entry for each graph; of nothing where it is left out."""
    if given is None:
        return [None] * graphs
    out = _listed(given, option)
    if len(out) != graphs:
        raise Error(f"{option}: has {len(out)} entries for {graphs} graphs; give one for each")
    return out


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
    def from_numpy(cls, edge_index: Any, x: Any = None, y: Any = None, *, edge_attr: Any = None,
                   num_nodes: Any = None, name: str = "graphs") -> "GraphSet":
        """From lists with the arrays of each graph, which are copied.

        edge_index: of each 2 x edges, whose nodes are numbered from 0. An edge stands for both its
        directions; of two that say different things of one direction, the first counts.
        x, edge_attr: nodes x features and edges x attributes, of all graphs or of none.
        y: a class for each graph, all numbers or all words, or rows of answers to several tasks: 0,
        1, NaN where it is not known.
        num_nodes: of each graph; else what x has, or as many as edges name.
        """
        name = text_of(name, "name")
        edges = _listed(edge_index, "edge_index")
        count = len(edges)
        if not count:
            raise Error(f"{name}: the list is empty; give at least one graph")
        parts = [_given(*arrays, f"{name}: graph {place}") for place, arrays in enumerate(zip(
            edges, _for_each(x, "x", count), _for_each(edge_attr, "edge_attr", count),
            _for_each(num_nodes, "num_nodes", count)))]
        _arrays.check_unmasked(y, "y")
        answers = [np.asarray([] if one is None else one).reshape(-1)
                   for one in _for_each(y, "y", count)]
        for place, one in enumerate(answers):
            if not one.size:
                raise Error(f"{name}: graph {place} has no class; give y")
        of_tasks = any(one.size > 1 or (one.dtype.kind == "f" and np.isnan(one).any())
                       for one in answers)
        codes, names = (None, []) if of_tasks else \
            _arrays.labels_and_names([one[0] for one in answers])
        table = [one[None] for one in answers] if of_tasks else []
        starts = [0, *accumulate(part.nodes for part in parts)]
        attributes = {place: part.edge_attr for place, part in enumerate(parts) if part.edges.size}
        return cls(_core.make_set(
            name, starts, [0, *accumulate(part.edges.shape[1] for part in parts)],
            np.concatenate([part.edges + start for part, start in zip(parts, starts)], axis=1),
            _rows_of_all(dict(enumerate(part.x for part in parts)), name, "features", "a node"),
            _rows_of_all(attributes, name, "edge_attr", "an edge"),
            [] if codes is None else codes.tolist(), names,
            _rows_of_all(dict(enumerate(table)), name, "answers", "a graph")))

    @classmethod
    def from_scipy(cls, adjacencies: Any, x: Any = None, y: Any = None, *,
                   name: str = "graphs") -> "GraphSet":
        """From a list of sparse matrices, whose stored entries are arcs as those of
        Graph.from_scipy. Where one is not 1, the entries of all are edge_attr. The rest is as in
        from_numpy."""
        parts = [_arrays.arcs_of_scipy(matrix, f"{name}: adjacency of graph {place}")
                 for place, matrix in enumerate(_listed(adjacencies, "adjacencies"))]
        valued = any(np.any(values != 1) for _, values, _ in parts)
        return cls.from_numpy([arcs for arcs, _, _ in parts], x, y,
                              edge_attr=[values for _, values, _ in parts] if valued else None,
                              num_nodes=[nodes for _, _, nodes in parts], name=name)

    @classmethod
    def from_networkx(cls, graphs: Any, x: Optional[str] = "x", y: Any = "y",
                      edge_attr: Optional[str] = None, name: str = "graphs") -> "GraphSet":
        """From a list of graphs of NetworkX, nodes in the order of each. `x` and `edge_attr` are
        names of attributes of nodes and edges; `y` is that of graphs (graph.graph["y"]), or a list
        as from_numpy takes it."""
        given = _listed(graphs, "graphs")
        check_attribute_name(edge_attr, "edge_attr")
        edges: list = []
        features: list = []
        attributes: list = []
        classes: list = []
        for place, graph in enumerate(given):
            where = f"{name}: graph {place}"
            ends, arcs = arcs_of_networkx(graph, where)
            edges.append(ends)
            features.append(attribute_of_networkx(graph, x, "x", f"{where}: "))
            if edge_attr is not None:
                lacking = sum(edge_attr not in data for data in arcs)
                if lacking:
                    raise Error(f"{where}: {edge_attr}: {lacking} of {len(arcs)} arcs lack this "
                                "attribute; give it to all, or leave it out")
                attributes.append([data[edge_attr] for data in arcs])
            if isinstance(y, str):
                if y not in graph.graph:
                    raise Error(f"{where} has no class; give graph.graph[{y!r}], or y= as a list")
                classes.append(graph.graph[y])
        return cls.from_numpy(edges, features, classes if isinstance(y, str) else y,
                              edge_attr=None if edge_attr is None else attributes,
                              num_nodes=[len(graph) for graph in given], name=name)

    @classmethod
    def from_pyg(cls, graphs: Any, name: str = "graphs") -> "GraphSet":
        """From a list of torch_geometric.data.Data, or a data set of PyTorch Geometric, whose
        arrays are as those of from_numpy."""
        parts = []
        for place, data in enumerate(_listed(graphs, "graphs")):
            parts.append(arrays_of_pyg(data, f"{name}: graph {place}"))
            if parts[-1].edge_weight is not None:
                raise Error(f"{name}: graph {place} has edge_weight, and a graph of a set has "
                            "attributes of edges; give it as edge_attr")
            if parts[-1].y is None:
                raise Error(f"{name}: graph {place} has no class; give data.y")
        return cls.from_numpy(
            [part.edges for part in parts], [part.x for part in parts],
            [part.y for part in parts], edge_attr=[part.edge_attr for part in parts],
            num_nodes=[part.nodes for part in parts], name=name)

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

    def to_networkx(self) -> list:
        """A list of graphs of NetworkX, each of the kind that Graph.to_networkx() gives. `y` of
        graphs, and `edge_attr` of edges where there are some, a list each, which
        from_networkx(..., edge_attr="edge_attr") takes; no features."""
        out = []
        attributes, first = self.arc_attributes, 0
        for one in self._members:
            end = first + one.edge_index.shape[1]
            out.append(networkx_of(one.edge_index, one.num_nodes, "edge_attr",
                                   attributes[first:end] if attributes.shape[1] else None))
            first = end
            out[-1].graph["y"] = one.y.tolist()
        return out

    def to_pyg(self) -> list:
        """A list of torch_geometric.data.Data."""
        torch, pyg = torch_and_pyg("edge_index, x and y of each")
        out = []
        attributes, first = self.arc_attributes, 0
        for one in self._members:
            y = np.atleast_1d(one.y)
            out.append(pyg.Data(x=torch.tensor(one.x), edge_index=torch.tensor(one.edge_index),
                                y=torch.tensor(y if y.size == 1 else y[None]), num_nodes=one.num_nodes))
            if attributes.shape[1]:
                end = first + one.edge_index.shape[1]
                out[-1].edge_attr = torch.tensor(attributes[first:end])
                first = end
        return out


def _coded(given: dict[str, Any]) -> tuple[list[np.ndarray], list[str]]:
    """Whole numbers as they are; words as numbers in the order of the alphabet, and the words."""
    held = {where: _arrays.words_or_numbers(array, where) for where, array in given.items()}
    for where, array in held.items():
        if array.ndim != 1:
            raise Error(f"{where}: has {array.ndim} axes where one is needed; give an entry for each "
                        "fact")
    arrays = list(held.values())
    if all(array.dtype.kind != "U" for array in arrays):
        return arrays, []
    for where, array in held.items():
        if array.dtype.kind != "U":
            raise Error(f"{where}: holds numbers, where {' and '.join(held)} are to be words, or "
                        "numbers, together")
    names, codes = np.unique(np.concatenate(arrays), return_inverse=True)
    return np.split(codes.astype(np.int64), list(accumulate(map(len, arrays)))[:-1]), \
        [str(one) for one in names]


def _numbered(coded: tuple[list[np.ndarray], list[str]]) -> tuple[np.ndarray, list[str]]:
    """Places in the names of those that occur, which are numbers where there were no words."""
    (codes,), names = coded
    if names:
        return codes, names
    values, places = np.unique(codes, return_inverse=True)
    return places.astype(np.int64), [str(one) for one in values]


def _points_in_time(times: Any) -> tuple[np.ndarray, str]:
    """Whole numbers, and of what unit."""
    _arrays.check_unmasked(times, "times")
    array = np.asarray(times)
    if array.dtype.kind != "M":
        return _arrays.whole_numbers(array, "times"), ""
    unit = "day" if np.datetime_data(array.dtype)[0] in "YMWD" else "second"
    whole = array.astype(f"datetime64[{unit[0].upper() if unit == 'day' else 's'}]")
    wrong = np.flatnonzero(np.isnat(array) | (whole != array))
    if wrong.size:
        raise Error(f"times: entry {wrong[0]} is {array.flat[wrong[0]]}, which is no whole {unit}; "
                    "round it, or leave the fact out")
    return whole.astype(np.int64), unit


class Facts(Held):
    """Facts over time: who stood in which relation to whom, and when. In the order of time."""

    _told = ("facts", "nodes", "relations")

    @classmethod
    def from_numpy(cls, sources: Any, targets: Any, times: Any, relations: Any = None, *,
                   name: str = "facts") -> "Facts":
        """From arrays with an entry for each fact, in any order; they are copied.

        sources, targets: numbers from 0, or words. Entities are those that occur, in their order.
        times: whole numbers of any unit, or dates (datetime64), which become days or seconds since
        1970. relations: numbers or words; None: all facts are alike.
        """
        (source, target), entities = _coded({"sources": sources, "targets": targets})
        kinds, kind_names = (None, ["edge"]) if relations is None else \
            _numbered(_coded({"relations": relations}))
        points, unit = _points_in_time(times)
        return cls(_core.make_facts(text_of(name, "name"), source, target, points, kinds,
                                    kind_names, entities, unit))

    @classmethod
    def from_pyg(cls, data: Any, name: str = "facts") -> "Facts":
        """From torch_geometric.data.TemporalData: src, dst, t, and edge_type where there is one."""
        arrays = [array_of_pyg(data, key) for key in ("src", "dst", "t", "edge_type")]
        if any(array is None for array in arrays[:3]):
            raise Error(f"{name}: a {type(data).__name__} without src, dst and t is no temporal "
                        "graph of PyTorch Geometric")
        return cls.from_numpy(*arrays, name=name)

    def to_pyg(self) -> Any:
        """torch_geometric.data.TemporalData; `edge_type` where there are several relations."""
        torch, pyg = torch_and_pyg("sources, targets and times")
        ends = {"src": self.sources, "dst": self.targets, "t": self.times}
        if len(self.relation_names) > 1:
            ends["edge_type"] = self.relations
        return pyg.TemporalData(**{key: torch.tensor(array.astype(np.int64))
                                   for key, array in ends.items()})

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
