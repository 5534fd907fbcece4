"""A graph, and what data sets have in common. Arrays only read."""

from __future__ import annotations

import html
import json
import os
import warnings
from functools import cached_property
from typing import Any, Iterator, NamedTuple, Optional, Sequence, Union

from . import _arrays, _core
from ._core import Error
from ._numpy import np
from ._options import check_count, check_text, is_whole, path_of, text_of
from ._packages import needed


def there(value: Any) -> Any:
    """What this kind of data set always has."""
    assert value is not None
    return value


def _inert(name: str) -> str:
    """A name that tells a terminal nothing."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in name)


class Split(NamedTuple):
    """Numbers of examples (nodes, graphs, or links of `Splits.links`), by what they are for."""

    train: np.ndarray
    valid: np.ndarray
    test: np.ndarray
    stopping: np.ndarray  # where training is stopped by others than `valid`; else empty
    hash: str


class Splits(Sequence[Split]):
    """The splits of a scheme, drawn when they are asked for."""

    def __init__(self, data: "Held", scheme: str, settings: dict):
        self._made = data, scheme, settings
        self._core = _core.draw_splits(data._core, scheme, settings)

    def __reduce__(self) -> tuple:
        return Splits, self._made

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not is_whole(index):
            raise Error(f"splits: {index!r} is no number of a split")
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} splits, and no {index}")
        return Split(*self._core.member(int(index) % len(self)))

    def __iter__(self) -> Iterator[Split]:
        return (self[i] for i in range(len(self)))

    @property
    def unit(self) -> str:
        """What ids are of: "node", "graph", "pair" or "fact"."""
        return self._core.unit

    @cached_property
    def links(self) -> Optional[np.ndarray]:
        """Where pairs are split: all links, (number, 2), whose places are the ids of splits."""
        return self._core.link_pairs()

    def __repr__(self) -> str:
        return f"<cupel.Splits: {self._core.words}>"


def _unpacked(kind: Any, held: np.ndarray, source: str, folder: str, place: str) -> Any:
    return kind(_core.unpacked(held, source, folder, place))


class Held:
    """What graphs, sets of graphs and facts have in common."""

    def __init__(self, core: _core.Data):
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @cached_property
    def hash(self) -> str:
        """SHA-256 of what results depend on: edges, features, labels, stored splits."""
        return self._core.hash()

    @cached_property
    def card(self) -> dict:
        """What is known of it, as `cupel show NAME --json` prints it."""
        return json.loads(_core.card(self._core))

    @property
    def counts(self) -> dict[str, int]:
        return self._core.counts()

    def save(self, path: Union[str, os.PathLike], format: str = "") -> list[str]:
        """Writes it as `cupel convert` does; returns what is lost."""
        check_text("format", format)
        told = _core.memory_for_save(self._core)
        if told:
            warnings.warn(told, stacklevel=2)
        return _core.save(self._core, path_of(path, "save"), format)[1]

    def _line(self) -> str:
        return ", ".join(f"{value:,} {name}" for name, value in self.counts.items()
                         if value and name in self._told)

    _told: tuple[str, ...] = ("nodes", "edges", "features", "classes", "splits", "graphs", "tasks")

    def __reduce__(self) -> tuple:
        """Pickled and copied deeply by what it holds; it stays that of the name or path that it was loaded by."""
        core = self._core
        return _unpacked, (type(self), core.packed(), core.source, core.folder, core.place)

    def __repr__(self) -> str:
        return f"<cupel.{type(self).__name__} {_inert(self.name)}: {self._line()}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(name)}</td><td style='text-align:right'>"
                       f"{value:,}</td></tr>" for name, value in self.counts.items() if value)
        return (f"<table><caption>{html.escape(_inert(self.name))} "
                f"<code>{self.hash[:12]}</code></caption>{rows}</table>")


class Arcs:
    """Arcs and features, stored as compressed rows. Needs a `_core` that has them."""

    _core: Any

    @cached_property
    def _adjacency(self) -> tuple:
        return self._core.adjacency()

    @property
    def indptr(self) -> np.ndarray:
        """Node i has the arcs indptr[i] to indptr[i + 1]."""
        return self._adjacency[0]

    @property
    def indices(self) -> np.ndarray:
        """Where each arc leads to; arcs are in the order of where they start."""
        return self._adjacency[1]

    @property
    def weights(self) -> Optional[np.ndarray]:
        """A value for each arc; None where all are 1."""
        return self._adjacency[2]

    @property
    def adjacency(self) -> Any:
        """The same as a sparse array of SciPy."""
        return _arrays.scipy_csr(self._adjacency)

    to_scipy = adjacency.fget  # type: ignore[attr-defined]

    @cached_property
    def sources(self) -> np.ndarray:
        """Where each arc starts."""
        return self._core.arc_sources()

    @property
    def targets(self) -> np.ndarray:
        return self.indices

    @cached_property
    def edge_index(self) -> np.ndarray:
        """Sources above targets, 64-bit, as PyTorch Geometric has them."""
        return _arrays.frozen(np.stack([self.sources, self.targets]).astype(np.int64))

    @property
    def features(self) -> Any:
        """Nodes x features as they are stored: an array, or a sparse array of SciPy."""
        dense = self._core.dense_features()
        return dense if dense is not None else _arrays.scipy_csr(
            there(self._core.sparse_features()))

    @cached_property
    def x(self) -> np.ndarray:
        """Nodes x features as a dense array; made where they are stored sparse."""
        dense = self._core.dense_features()
        if dense is not None:
            return dense
        return _arrays.frozen(_arrays.dense_of(there(self._core.sparse_features())))


class WithArcs(Held, Arcs):
    """Nodes, arcs, features and labels, stored as compressed rows."""

    @property
    def num_nodes(self) -> int:
        return self._core.num_nodes

    @property
    def num_arcs(self) -> int:
        """Stored entries of the adjacency: an edge in both directions is two."""
        return self._core.num_arcs

    @property
    def num_features(self) -> int:
        return self._core.num_features

    @property
    def num_classes(self) -> int:
        return self._core.num_classes

    @property
    def class_names(self) -> list[str]:
        return self._core.class_names

    @cached_property
    def y(self) -> Optional[np.ndarray]:
        """A class for each node (of a set: for each graph), -1 where it is not known; answers
        where several tasks are asked; None where nothing is."""
        answers = self._core.answers()
        return answers if answers is not None else self._core.labels()

    @property
    def splits(self) -> list[Split]:
        """The splits that are stored with the data."""
        return [Split(*self._core.stored_split(i)) for i in range(self._core.num_splits)]

    @property
    def prepared(self) -> list[str]:
        """The preparation steps that made it, in their order."""
        return self._core.history


_MASKS = ("train_mask", "val_mask", "test_mask", "stopping_mask")  # of PyTorch Geometric, WikiCS


class PygArrays(NamedTuple):
    edges: np.ndarray
    edge_weight: Optional[np.ndarray]
    edge_attr: Optional[np.ndarray]
    x: Optional[np.ndarray]
    y: Optional[np.ndarray]
    nodes: int


def array_of_pyg(data: Any, key: str) -> Optional[np.ndarray]:
    value = getattr(data, key, None)
    if value is None:
        return None
    if getattr(value, "layout", None) is not None and "strided" not in str(value.layout):
        value = value.to_dense()
    if "bfloat16" in str(value.dtype):
        value = value.float()
    return value.detach().cpu().numpy()


def arrays_of_pyg(data: Any, where: str) -> PygArrays:
    """What torch_geometric.data.Data holds, as far as it is read here."""
    edges = array_of_pyg(data, "edge_index")
    if edges is None:
        raise Error(f"{where}: has no edge_index")
    x, attributes = array_of_pyg(data, "x"), array_of_pyg(data, "edge_attr")
    if x is not None and x.shape[1:] == (0,):  # as `to_pyg` has it where there are none
        x = None
    if attributes is not None and not attributes.size:
        attributes = None
    return PygArrays(edges, array_of_pyg(data, "edge_weight"), attributes, x, array_of_pyg(data, "y"),
                     data.num_nodes)


def _one_weight(part: PygArrays, where: str) -> Optional[np.ndarray]:
    """The weight of each edge, which may stand in edge_attr."""
    if part.edge_attr is None:
        return part.edge_weight
    if part.edge_attr.ndim > 1 and part.edge_attr.shape[1:] != (1,):
        raise Error(f"{where}: edge_attr has the shape {part.edge_attr.shape}, and an edge has one "
                    "weight here; take it out (data.edge_attr = None), or give edge_weight")
    if part.edge_weight is not None:
        raise Error(f"{where}: has edge_weight and edge_attr, and an edge has one weight here; "
                    "take one out (data.edge_attr = None)")
    return part.edge_attr.reshape(-1)


def arcs_of_networkx(graph: Any, where: str) -> tuple[np.ndarray, list[dict]]:
    """Both directions of each edge of an undirected graph; nodes by their places. And what each
    arc has."""
    if not hasattr(graph, "edges") or not hasattr(graph, "is_directed"):
        raise Error(f"{where}: a {type(graph).__name__} is no graph of NetworkX")
    place = {node: number for number, node in enumerate(graph)}
    arcs = [(place[a], place[b], data) for a, b, data in graph.edges(data=True)]
    if not graph.is_directed():
        arcs += [(b, a, data) for a, b, data in arcs if a != b]
    ends = np.array([(a, b) for a, b, _ in arcs], dtype=np.int64).reshape(-1, 2).T
    return ends, [data for _, _, data in arcs]


def networkx_of(pairs: np.ndarray, nodes: int, key: str, values: Optional[np.ndarray]) -> Any:
    """A Graph of NetworkX where every arc has its reverse with the same value, else a DiGraph; a
    MultiGraph or a MultiDiGraph where arcs are parallel. Arcs are in the order of their ends; `values`
    are theirs, or rows of theirs, under the name `key`."""
    networkx = needed("networkx", "to_networkx", "edge_index, x and y")
    order = np.lexsort((pairs[0], pairs[1]))
    parallel = (pairs[:, order[1:]] == pairs[:, order[:-1]]).all(axis=0).any()
    symmetric = np.array_equal(pairs[::-1, order], pairs) and \
        (values is None or np.array_equal(values[order], values))
    if symmetric:  # both directions of an edge are one
        once = pairs[0] <= pairs[1]
        pairs = pairs[:, once]
        values = None if values is None else values[once]
    kind = ("Multi" if parallel else "") + ("Graph" if symmetric else "DiGraph")
    out = getattr(networkx, kind)()
    out.add_nodes_from(range(nodes))
    if values is None:
        out.add_edges_from(pairs.T.tolist())
    else:
        out.add_edges_from((a, b, {key: value})
                           for (a, b), value in zip(pairs.T.tolist(), values.tolist()))
    return out


def torch_and_pyg(instead: str) -> tuple[Any, Any]:
    """PyTorch, and torch_geometric.data. instead: what else can be taken."""
    return needed("torch", "to_pyg", instead), needed("torch_geometric.data", "to_pyg", instead)


def check_attribute_name(key: Any, argument: str) -> None:
    if key is not None and not isinstance(key, str):
        raise Error(f"{argument}: a {type(key).__name__} is no name of an attribute; put it into the "
                    f"graph under a name, or give arrays to from_numpy")


def attribute_of_networkx(graph: Any, key: Any, argument: str, where: str = "") -> Optional[list]:
    """Of all nodes; None where no node has it and it was not asked for by another name than that of
    the argument."""
    check_attribute_name(key, argument)
    if key is None:
        return None
    held = [data[key] for _, data in graph.nodes(data=True) if key in data]
    if not held and (key == argument or not len(graph)):
        return None
    if len(held) != len(graph):
        raise Error(f"{where}{key}: {len(held)} of {len(graph)} nodes have this attribute; give it "
                    "to all, or to none")
    return held


class Graph(WithArcs):
    """A graph with node features, classes of nodes, and stored splits."""

    @classmethod
    def from_numpy(cls, edge_index: Any, x: Any = None, y: Any = None, *, edge_weight: Any = None,
                   num_nodes: Optional[int] = None, splits: Optional[Sequence[Any]] = None,
                   name: str = "graph") -> "Graph":
        """From arrays, which are copied.

        edge_index: 2 x edges, node numbers from 0; an edge of an undirected graph stands twice.
        Parallel arcs become one, whose weight is their sum: without weights, their number.
        x: nodes x features, an array or a sparse matrix of SciPy. y: a class for each node, all
        numbers (-1: not known) or all words.
        splits: of each the node numbers of training, validation and test, or flags for all nodes.
        """
        check_count("num_nodes", num_nodes)
        codes, names = _arrays.labels_and_names(y)
        edges = _arrays.edges(edge_index)
        sparse = _arrays.csr_parts(x, "x") if hasattr(x, "tocsr") else None
        features = _arrays.optional_numbers(None if sparse else x, "x")
        known = num_nodes if num_nodes is not None else \
            len(codes) if codes is not None and codes.ndim else \
            len(features) if features is not None and features.ndim else \
            int(sparse[0][0]) if sparse else 0
        return cls(_core.make_graph(
            text_of(name, "name"), edges, _arrays.optional_numbers(edge_weight, "edge_weight"), features, codes,
            _arrays.masks_of(splits, known), num_nodes, names, sparse))

    @classmethod
    def from_scipy(cls, adjacency: Any, x: Any = None, y: Any = None, *,
                   splits: Optional[Sequence[Any]] = None, name: str = "graph") -> "Graph":
        """From a sparse matrix; a stored entry (i, j) is an arc from i to j, also one of 0, but
        none of False. The rest is as in from_numpy."""
        edges, values, nodes = _arrays.arcs_of_scipy(adjacency, "adjacency")
        return cls.from_numpy(edges, x, y, edge_weight=None if np.all(values == 1) else values,
                              num_nodes=nodes, splits=splits, name=name)

    @classmethod
    def from_networkx(cls, graph: Any, x: Optional[str] = "x", y: Optional[str] = "y",
                      weight: Optional[str] = None, *, splits: Optional[Sequence[Any]] = None,
                      name: Optional[str] = None) -> "Graph":
        """From a graph of NetworkX, nodes in its order; `x`, `y` and `weight` are names of
        attributes. Weights are taken where `weight` names them; an edge without it has 1. Parallel
        edges are as in from_numpy. name: where there is none, that of the graph."""
        edges, arcs = arcs_of_networkx(graph, "graph")
        check_attribute_name(weight, "weight")
        values = None if weight is None else [data.get(weight, 1.0) for data in arcs]
        if arcs and values is not None and not any(weight in data for data in arcs):
            raise Error(f"weight: no edge has the attribute {weight!r}; name one that they have")
        return cls.from_numpy(edges, attribute_of_networkx(graph, x, "x"),
                              attribute_of_networkx(graph, y, "y"), edge_weight=values,
                              num_nodes=len(graph), splits=splits,
                              name=(graph.name or "graph") if name is None else name)

    @classmethod
    def from_pyg(cls, data: Any, name: str = "graph") -> "Graph":
        """From torch_geometric.data.Data, its masks as stored splits."""
        part = arrays_of_pyg(data, name)
        masks = [array_of_pyg(data, key) for key in _MASKS]
        return cls(_core.make_graph(
            text_of(name, "name"), _arrays.edges(part.edges),
            _arrays.optional_numbers(_one_weight(part, name), "edge_weight"),
            _arrays.optional_numbers(part.x, "x"), _arrays.optional_numbers(part.y, "y"),
            [None if mask is None else _arrays.numbers(mask, "masks") for mask in masks],
            None if part.x is None and part.y is not None else part.nodes, []))

    def to_pyg(self) -> Any:
        """torch_geometric.data.Data with copies of the arrays; stored splits are its masks."""
        torch, pyg = torch_and_pyg("edge_index, x and y")
        out = pyg.Data(x=torch.tensor(self.x), edge_index=torch.tensor(self.edge_index),
                       num_nodes=self.num_nodes)
        if self.y is not None:
            out.y = torch.tensor(self.y.astype(np.int64) if self.y.ndim == 1 else self.y)
        if self.weights is not None:
            out.edge_weight = torch.tensor(self.weights)
        splits = self.splits
        if splits:
            masks = _arrays.masks_of(splits, self.num_nodes)
            for key, mask in zip(_MASKS, masks):
                if mask is not None:
                    setattr(out, key, torch.tensor(mask[:, 0] if len(splits) == 1 else mask))
        return out

    def to_networkx(self) -> Any:
        """A Graph of NetworkX where every arc has its reverse, else a DiGraph; a MultiGraph or a
        MultiDiGraph where arcs are parallel. `y` of nodes and `weight` of edges where there are
        some, which from_networkx(..., weight="weight") takes; no features."""
        out = networkx_of(self.edge_index, self.num_nodes, "weight", self.weights)
        out.graph["name"] = self.name
        if self.y is not None and self.y.ndim == 1:
            for node, y in enumerate(self.y.tolist()):
                out.nodes[node]["y"] = y
        return out
