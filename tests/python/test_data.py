"""Arrays: views that only read, right by SciPy and NetworkX, and alive as long as they are used."""

import collections
import gc
import os
import pathlib
import sys
import types

import numpy as np
import pytest

import cupel


def test_arrays_are_views_that_only_read(graph):
    dense = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y)
    for held in (graph, dense):
        for name in ("indptr", "indices", "y", "x", "sources", "edge_index"):
            array = getattr(held, name)
            assert not array.flags.writeable, name
            with pytest.raises(ValueError):
                array[0] = 0
        again = cupel._sets.wrapped(held._core)  # what is no view would be made again
        for name in ("indptr", "indices", "y"):
            assert np.shares_memory(getattr(held, name), getattr(again, name)), name
    assert np.shares_memory(dense.x, cupel._sets.wrapped(dense._core).x)
    assert np.shares_memory(graph.features.indices, graph.features.indices)


def test_arrays_outlive_their_graph():
    indices = cupel.generate("csbm", nodes=200, seed=7).indices
    again = cupel.generate("csbm", nodes=200, seed=7)
    gc.collect()
    _filler = [np.zeros(100_000) for _ in range(50)]
    assert np.array_equal(indices, again.indices)


def test_shapes_and_counts(graph):
    assert graph.x.shape == (120, graph.num_features) and graph.x.dtype == np.float32
    assert graph.y.shape == (120,) and set(graph.y) == {0, 1, 2}
    assert graph.edge_index.shape == (2, graph.num_arcs) and graph.edge_index.dtype == np.int64
    assert graph.counts["nodes"] == graph.num_nodes == 120
    assert len(graph.class_names) == graph.num_classes == 3


def test_adjacency_is_that_of_scipy(graph):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    by_hand = scipy_sparse.coo_array(
        (np.ones(graph.num_arcs), (graph.sources, graph.targets)), shape=(120, 120)).toarray()
    assert np.array_equal(graph.adjacency.toarray(), by_hand)
    assert np.shares_memory(graph.adjacency.indices, graph.indices)
    assert graph.to_scipy().nnz == graph.num_arcs


def test_from_numpy_gives_the_same_content(graph):
    again = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y)
    assert np.array_equal(again.indices, graph.indices)
    assert np.array_equal(again.x, graph.x) and np.array_equal(again.y, graph.y)
    saved = again.save("again.npz")
    assert cupel.load("./again.npz").hash == again.hash or saved


def test_save_and_load_keep_the_content(graph):
    lost = graph.save("graph.npz")
    back = cupel.load("./graph.npz")
    assert (back.hash == graph.hash) or lost
    assert np.array_equal(back.indices, graph.indices) and np.array_equal(back.y, graph.y)


def test_arrays_are_copied(graph):
    edges = graph.edge_index.copy()
    made = cupel.Graph.from_numpy(edges, graph.x, graph.y)
    before = made.hash, made.indices.copy()
    edges[:] = 0
    assert np.array_equal(made.indices, before[1])
    assert cupel._sets.wrapped(made._core).hash == before[0]


def test_words_are_classes():
    made = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(2), ["red", "blue"])
    assert made.class_names == ["blue", "red"] and made.y.tolist() == [1, 0]


def test_words_that_came_as_objects_are_classes():
    # As pandas gives them.
    for y in (np.array(["red", "blue"], dtype=object), [b"red", b"blue"]):
        made = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(2), y)
        assert made.class_names == ["blue", "red"] and made.y.tolist() == [1, 0]
    numbers = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(2), np.array([1, 0], dtype=object))
    assert numbers.y.tolist() == [1, 0]


def test_weights_and_repeats():
    made = cupel.Graph.from_numpy([[0, 0, 1], [1, 1, 0]], np.eye(2), [0, 1],
                                  edge_weight=[2.0, 3.0, 1.5])
    assert made.indices.tolist() == [1, 0] and made.weights.tolist() == [5.0, 1.5]


def test_a_graph_without_labels_and_features():
    made = cupel.Graph.from_numpy([[0, 1], [1, 2]], num_nodes=4)
    assert made.y is None and made.num_nodes == 4 and made.x.shape == (4, 0)
    assert cupel.stats(made)["edges"] == 2


def test_splits_are_stored():
    made = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(3), [0, 1, 0],
                                  splits=[([0], [1], [2]), ([2], [0], [1])])
    assert [s.test.tolist() for s in made.splits] == [[2], [1]]
    assert made.splits[0].hash != made.splits[1].hash
    assert len(cupel.splits(made, "stored")) == 2


def test_from_scipy_and_back(graph):
    pytest.importorskip("scipy")
    made = cupel.Graph.from_scipy(graph.adjacency, graph.features, graph.y)
    assert np.array_equal(made.indices, graph.indices) and made.weights is None
    sparse = pytest.importorskip("scipy.sparse")
    for values in (graph.x, np.abs(graph.x) > 1):
        kept = cupel.Graph.from_scipy(graph.adjacency, sparse.coo_array(values), graph.y)
        assert sparse.issparse(kept.features) and np.array_equal(kept.x, values.astype(np.float32))
        again = cupel.Graph.from_numpy(kept.edge_index, kept.features, kept.y)
        assert again.hash == kept.hash
    wide = cupel.Graph.from_scipy(sparse.eye_array(3000), sparse.eye_array(3000, 20_000))
    assert wide.features.shape == (3000, 20_000)
    weighted = cupel.Graph.from_scipy(graph.adjacency * 2.5, graph.x, graph.y)
    assert set(weighted.weights) == {2.5}


def test_stored_entries_of_scipy_are_arcs_but_for_false():
    sparse = pytest.importorskip("scipy.sparse")
    for kind, arcs in ((bool, [1, 0]), (float, [0, 1, 0, 1])):
        matrix = sparse.csr_array(np.ones((2, 2), dtype=kind))
        matrix.setdiag(kind(0))
        made = cupel.Graph.from_scipy(matrix, np.eye(2), [0, 1], name="made")
        assert made.indices.tolist() == arcs and made.name == "made"
    assert made.weights.tolist() == [0, 1, 1, 0]
    with pytest.raises(TypeError, match="from_scipy.* 'num_nodes'"):
        cupel.Graph.from_scipy(matrix, num_nodes=2)


def test_networkx_there_and_back(graph):
    networkx = pytest.importorskip("networkx")
    there = cupel.prepare(graph, ["symmetrise"]).to_networkx()
    assert not there.is_directed() and there.number_of_nodes() == 120
    back = cupel.Graph.from_networkx(there)
    assert np.array_equal(back.edge_index, cupel.prepare(graph, ["symmetrise"]).edge_index)
    assert np.array_equal(back.y, graph.y)
    one_way = cupel.Graph.from_numpy([[0, 1], [1, 2]], np.eye(3), [0, 1, 1]).to_networkx()
    assert one_way.is_directed() and set(one_way.edges) == {(0, 1), (1, 2)}
    assert networkx.is_isomorphic(
        networkx.karate_club_graph(),
        cupel.Graph.from_networkx(networkx.karate_club_graph(), y="club").to_networkx())


def test_weights_of_networkx_there_and_back():
    pytest.importorskip("networkx")
    made = cupel.Graph.from_numpy([[0, 1, 1, 2], [1, 0, 2, 1]], y=[0, 1, 1],
                                  edge_weight=[2.5, 2.5, 4, 4])
    there = made.to_networkx()
    assert cupel.Graph.from_networkx(there).weights is None
    assert np.array_equal(cupel.Graph.from_networkx(there, weight="weight").weights, made.weights)


PACKAGES = {
    "scipy.sparse": ["adjacency", "to_scipy"],
    "networkx": ["to_networkx"],
    "torch": ["to_pyg"],
    "torch_geometric.data": ["to_pyg"],
}
KINDS = {
    "graph": lambda: cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(2), [0, 1]),
    "graphs": lambda: cupel.GraphSet.from_numpy([[[0], [1]]], y=[0]),
    "facts": lambda: cupel.Facts.from_numpy([0], [1], [2]),
}


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("module", list(PACKAGES))
def test_what_needs_a_package_says_so(kind, module, monkeypatch):
    data = KINDS[kind]()
    if module == "torch_geometric.data":
        monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    monkeypatch.setitem(sys.modules, module, None)  # as where it is not installed
    package = module.split(".")[0]
    for name in PACKAGES[module]:
        if hasattr(type(data), name):
            with pytest.raises(cupel.Error, match=f"^{package} is needed for .*; `pip install "
                                                  f"{package}`, or take [a-z]"):
                value = getattr(data, name)
                value()


def test_a_package_that_lacks_another_is_not_missing(monkeypatch, tmp_path):
    (tmp_path / "networkx.py").write_text("import no_such_module\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "networkx", raising=False)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        KINDS["graph"]().to_networkx()


@pytest.mark.parametrize("given, words", [
    ({"x": np.eye(3)}, "x: a ndarray is no name of an attribute"),
    ({"y": [0, 1, 1]}, "y: a list is no name"),
    ({"weight": [1.0, 2.0]}, "weight: a list is no name"),
    ({"x": "xx"}, "xx: 0 of 3 nodes have this attribute"),
    ({"weight": "wieght"}, "weight: no edge has the attribute 'wieght'"),
])
def test_attributes_of_networkx_are_named(given, words):
    networkx = pytest.importorskip("networkx")
    with pytest.raises(cupel.Error, match=words):
        cupel.Graph.from_networkx(networkx.path_graph(3), **given)


@pytest.mark.parametrize("given, words", [
    ({"x": np.eye(3)}, "x: a ndarray is no name of an attribute"),
    ({"edge_attr": np.ones(2)}, "edge_attr: a ndarray is no name of an attribute"),
    ({"edge_attr": [[1.0, 2.0]]}, "edge_attr: a list is no name"),
])
def test_attributes_of_sets_of_networkx_are_named(given, words):
    networkx = pytest.importorskip("networkx")
    with pytest.raises(cupel.Error, match=words):
        cupel.GraphSet.from_networkx([networkx.path_graph(3)], y=[0], **given)


@pytest.mark.parametrize("steps, edges", [
    (["both-directions"], {(0, 1): 2, (1, 2): 1, (2, 2): 2}),
    ([], {(0, 1): 1, (1, 0): 1, (1, 2): 1, (2, 2): 1}),
])
def test_parallel_arcs_of_networkx_there_and_back(steps, edges):
    networkx = pytest.importorskip("networkx")
    made = cupel.prepare(cupel.Graph.from_numpy([[0, 1, 1, 2], [1, 0, 2, 2]], y=[0, 1, 1]), steps)
    there = made.to_networkx()
    assert (there.is_multigraph(), there.is_directed()) == (bool(steps), not steps)
    assert collections.Counter(list(there.edges())) == edges
    # They become one that counts them.
    back = cupel.Graph.from_networkx(there)
    assert np.array_equal(networkx.to_numpy_array(there), back.adjacency.toarray())
    assert np.array_equal(made.adjacency.toarray(), back.adjacency.toarray())


def test_statistics_of_karate_are_those_of_networkx():
    networkx = pytest.importorskip("networkx")
    club = networkx.karate_club_graph()
    found = cupel.stats(cupel.Graph.from_networkx(club, y="club"))
    assert found["edges"] == club.number_of_edges() == 78
    assert found["triangles"] == sum(networkx.triangles(club).values()) // 3
    assert found["global_clustering"] == pytest.approx(networkx.transitivity(club))
    assert found["diameter"] == networkx.diameter(club)
    assert found["average_shortest_path"]["value"] == pytest.approx(
        networkx.average_shortest_path_length(club))


def test_pyg_there_and_back(graph):
    pytest.importorskip("torch_geometric")
    made = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y,
                                  splits=list(cupel.splits(graph, "random", 2)))
    data = made.to_pyg()
    assert data.num_nodes == 120 and tuple(data.train_mask.shape) == (120, 2)
    back = cupel.Graph.from_pyg(data)
    assert back.hash == made.hash
    data.x += 1  # of its own
    assert cupel.Graph.from_numpy(made.edge_index, made.x, made.y).hash is not None


def test_pyg_weights_of_edges_are_kept_or_refused():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    arcs = torch.tensor([[0, 1], [1, 0]])

    def made(**more):
        return cupel.Graph.from_pyg(data.Data(edge_index=arcs, y=torch.tensor([0, 1]), **more))
    half = torch.tensor([[1.0, 0.5], [0.25, 2.0]], dtype=torch.bfloat16)
    for x in (half, half.float().to_sparse(), half.float().to_sparse_csr()):
        assert np.array_equal(made(x=x).x, half.float().numpy())
    for attributes in (torch.tensor([2.0, 3.0]), torch.tensor([[2.0], [3.0]])):
        assert made(x=torch.eye(2), edge_attr=attributes).weights.tolist() == [2, 3]
    alone = data.Data(edge_index=arcs, y=torch.tensor([0, 1, 1]))
    assert cupel.Graph.from_pyg(alone).num_nodes == 3, "the last has no edge, and a class"
    with pytest.raises(cupel.Error, match="edge_attr has the shape"):
        made(x=torch.eye(2), edge_attr=torch.ones(2, 3))
    with pytest.raises(cupel.Error, match="edge_weight and edge_attr"):
        made(x=torch.eye(2), edge_attr=torch.ones(2), edge_weight=torch.ones(2))


def test_pyg_keeps_which_nodes_stop_training():
    pytest.importorskip("torch_geometric")
    made = cupel.Graph.from_numpy([[0, 1, 2, 3], [1, 0, 3, 2]], np.eye(4), [0, 1, 0, 1],
                                  splits=[([0], [1], [2], [3])])
    back = cupel.Graph.from_pyg(made.to_pyg())
    assert back.splits[0].stopping.tolist() == [3] and back.hash == made.hash


def test_sets_of_pyg_are_sets():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    made = cupel.generate("syn-degree", graphs=30)
    back = cupel.GraphSet.from_pyg(made.to_pyg(), name="back")
    for name in ("starts", "edge_index", "x", "y"):
        assert np.array_equal(getattr(back, name), getattr(made, name)), name
    assert cupel.stats(back)["average_nodes"] == cupel.stats(made)["average_nodes"]

    def one(classes=(1,), edges=((0, 1), (1, 0)), x=None, **more):
        return data.Data(edge_index=torch.tensor(edges), x=x, num_nodes=2,
                         y=torch.tensor(classes), **more)
    bare = cupel.GraphSet.from_pyg([one((7,)), one((3,)), one((7,))])
    assert bare.y.tolist() == [1, 0, 1] and bare.class_names == ["3", "7"] and len(bare) == 3
    for graphs, told in [
            ([], "empty"), (3, "a int"), ([data.Data(edge_index=torch.tensor([[0], [1]]))], "no class"),
            ([one((1, 2))], "task 1 of graph 0 is 2"), ([one((0, 1)), one()], "graph 1 has answers"),
            ([one((-1,))], "a class"), ([one((0.5,))], "entry 0 is 0.5"),
            ([one(), one(edges=((1, 2), (2, 1)))], "graph 1 has 2 nodes.* names node 2"),
            ([one(edges=((0, -1), (-1, 0)))], "names node -1"),
            ([one(edges=((0,), (1,), (1,)))], r"shape \(3, 1\)"),
            ([one(x=torch.eye(2)), one()], "1 of 2 graphs"),
            ([one(x=torch.eye(2)), one(x=torch.ones(2, 3))], "graph 1 has features"),
            ([one(edge_attr=torch.ones(2)), one()], "1 of 2 graphs have edge_attr"),
            ([one(edge_attr=torch.ones(3))], "3 rows for 2 edges"),
            ([one(edge_attr=torch.tensor([1, torch.nan]))], "edge_attr"),
            ([one(edge_weight=torch.ones(2))], "give it as edge_attr")]:
        with pytest.raises(cupel.Error, match=told):
            cupel.GraphSet.from_pyg(graphs)


def test_sets_come_from_arrays_of_each_graph():
    made = cupel.generate("syn-degree", graphs=30)
    members = list(made)
    back = cupel.GraphSet.from_numpy([one.edge_index for one in members],
                                     [one.x for one in members] if made.num_features else None,
                                     made.y, num_nodes=[one.num_nodes for one in members])
    for name in ("starts", "edge_index", "x", "y"):
        assert np.array_equal(getattr(back, name), getattr(made, name)), name
    # Words; attributes of edges, one of which stands for both directions; numbers that edges tell.
    words = cupel.GraphSet.from_numpy([[[0, 1], [1, 2]], [[0], [1]], []], y=["tea", "milk", "tea"],
                                      edge_attr=[[5, 6], [7], None], num_nodes=[None, 3, 1])
    assert words.class_names == ["milk", "tea"] and words.y.tolist() == [1, 0, 1]
    assert words.starts.tolist() == [0, 3, 6, 7]
    assert words.edge_index.tolist() == [[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]]
    assert words.arc_attributes.tolist() == [[5], [5], [6], [6], [7], [7]]
    tasks = cupel.GraphSet.from_numpy([[[0], [1]]] * 2, [np.eye(2)] * 2, [[0, 1], [1, np.nan]])
    assert np.array_equal(tasks.y, [[0, 1], [1, np.nan]], equal_nan=True)
    assert tasks.x.tolist() == [[1, 0], [0, 1]] * 2


EDGE = [[0], [1]]


@pytest.mark.parametrize("given, told", [
    (dict(edge_index=[], y=[]), "the list is empty"),
    (dict(edge_index=3, y=[]), "edge_index: a int is no list"),
    (dict(edge_index=[EDGE], y=[0], num_nodes=2), "num_nodes: a int is no list; give one with an"),
    (dict(edge_index=[EDGE], y=None), "graph 0 has no class"),
    (dict(edge_index=[EDGE], y=[0, 1]), "y: has 2 entries for 1 graphs"),
    (dict(edge_index=[EDGE], y=np.ma.masked_array([1], [True])), "y: 1 of its entries are masked"),
    (dict(edge_index=[[0, 1]], y=[0]), r"graph 0: edge_index has the shape \(2,\)"),
    (dict(edge_index=[EDGE, [[0.5], [1]]], y=[0, 1]), "graph 1: edge_index: holds float64"),
    (dict(edge_index=[EDGE], y=[0], x=[np.eye(3)], num_nodes=[2]), "x has 3 rows for 2 nodes"),
    (dict(edge_index=[EDGE], y=[0], x=[np.eye(1)]), "graph 0 has 1 node.* names node 1"),
    (dict(edge_index=[EDGE], y=[0], x=[[1, 2]]), r"x has the shape \(2,\)"),
    (dict(edge_index=[EDGE], y=[0], x=[np.eye(2)] * 2), "x: has 2 entries for 1 graphs"),
    (dict(edge_index=[EDGE], y=[0], x=[[[np.nan], [1]]]), "nan"),
    (dict(edge_index=[EDGE], y=[0], num_nodes=[-1]), "num_nodes is -1"),
    (dict(edge_index=[EDGE], y=[0], num_nodes=[2.0]), "num_nodes is 2.0"),
    (dict(edge_index=[EDGE, EDGE], y=[0, 1], num_nodes=[2, 2**63]), "graph 1: num_nodes is 9223372"),
    (dict(edge_index=[np.array([[0], [2**64 - 1]], np.uint64)], y=[0]),
     "graph 0: edge_index names node 18446744073709551615"),
    (dict(edge_index=[np.array([[0], [2**64 - 1]], np.uint64)], y=[0], x=[np.eye(2)]),
     "graph 0: edge_index names node 18446744073709551615"),
    (dict(edge_index=[EDGE], y=[0], name=3), "name"),
])
def test_sets_of_wrong_arrays_are_refused(given, told):
    with pytest.raises(cupel.Error, match=told):
        cupel.GraphSet.from_numpy(**given)


def test_sets_of_scipy():
    sparse = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    path = sparse.coo_array(([1, 1], ([0, 1], [1, 2])), shape=(4, 4))  # one way, and a node alone
    ring = sparse.csr_matrix(np.ones((3, 3)) - np.eye(3))
    made = cupel.GraphSet.from_scipy([path, ring], [np.eye(4, 2), np.eye(3, 2)], ["tea", "milk"],
                                     name="made")
    by_hand = cupel.GraphSet.from_numpy(
        [[[0, 1, 1, 2], [1, 0, 2, 1]], [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]]],
        [np.eye(4, 2), np.eye(3, 2)], ["tea", "milk"], num_nodes=[4, 3])
    assert made.hash == by_hand.hash and made.arc_attributes.shape == (10, 0)
    assert (made.name, made.class_names, len(made[0].x)) == ("made", ["milk", "tea"], 4)
    weighted = cupel.GraphSet.from_scipy([path, 2.5 * ring], y=[0, 1])
    assert weighted.arc_attributes.ravel().tolist() == [1] * 4 + [2.5] * 6
    for given, words in (([path, path[:, :2]], "graphs: adjacency of graph 1: has the shape .4, 2."),
                         ([path, np.eye(3)], "graph 1: a ndarray is no sparse matrix"),
                         (3, "adjacencies: a int is no list"), ([], "the list is empty")):
        with pytest.raises(cupel.Error, match=words):
            cupel.GraphSet.from_scipy(given, y=[0, 1])


def test_sets_of_networkx_there_and_back():
    networkx = pytest.importorskip("networkx", reason="NetworkX is not installed")
    ring, star = networkx.cycle_graph(5), networkx.star_graph(3)
    star.add_node(4)
    for graph, y in ((ring, 0), (star, 1)):
        graph.graph["y"] = y
        for number, ends in enumerate(graph.edges):
            graph.edges[ends]["length"] = [number, 0.5]
    made = cupel.GraphSet.from_networkx([ring, star], edge_attr="length")
    there = made.to_networkx()
    for ours, given in zip(there, (ring, star)):
        assert type(ours) is networkx.Graph and ours.graph["y"] == given.graph["y"]
        assert networkx.utils.graphs_equal(
            networkx.Graph(given.edges), networkx.Graph(ours.edges)) and len(ours) == len(given)
        for ends in given.edges:
            assert ours.edges[ends] == {"edge_attr": given.edges[ends]["length"]}
    assert cupel.GraphSet.from_networkx(there, edge_attr="edge_attr").hash == made.hash
    bare = cupel.GraphSet.from_numpy([[[0], [1]], []], y=[[0, 1], [1, np.nan]], num_nodes=[2, 1])
    two, one = bare.to_networkx()
    assert list(two.edges(data=True)) == [(0, 1, {})] and len(one) == 1
    assert two.graph["y"] == [0, 1] and np.isnan(one.graph["y"][1])


def test_sets_of_networkx_are_sets():
    networkx = pytest.importorskip("networkx")
    ring, path = networkx.cycle_graph(4), networkx.DiGraph([("b", "a"), ("b", "c")])
    ring.graph["y"], path.graph["y"] = "ring", "path"
    for graph in (ring, path):
        for number, node in enumerate(graph):
            graph.nodes[node]["x"] = [number, 1.0]
        for a, b in graph.edges:
            graph.edges[a, b]["length"] = 3 if graph is ring else 4
    made = cupel.GraphSet.from_networkx([ring, path], edge_attr="length")
    assert made.class_names == ["path", "ring"] and made.y.tolist() == [1, 0]
    assert [one.num_nodes for one in made] == [4, 3]
    assert made.x.tolist() == [[0, 1], [1, 1], [2, 1], [3, 1], [0, 1], [1, 1], [2, 1]]
    assert set(map(tuple, made[0].edge_index.T.tolist())) == \
        {(a, (a + step) % 4) for a in range(4) for step in (1, 3)}
    # b is the first node of the second, and each of its edges stands for both directions.
    assert made[1].edge_index.tolist() == [[0, 0, 1, 2], [1, 2, 0, 0]]
    assert made.arc_attributes.ravel().tolist() == [3] * 8 + [4] * 4
    assert cupel.GraphSet.from_networkx([ring, path], y=[0, 1]).y.tolist() == [0, 1]
    del path.edges["b", "c"]["length"], path.nodes["a"]["x"]
    for more, told in [({}, "graph 1: x: 2 of 3 nodes"), ({"x": None, "edge_attr": "length"},
                       "graph 1: length: 1 of 2 arcs"), ({"x": None, "y": "kind"}, "no class")]:
        with pytest.raises(cupel.Error, match=told):
            cupel.GraphSet.from_networkx([ring, path], **more)
    with pytest.raises(cupel.Error, match="graph 1: a int is no graph of NetworkX"):
        cupel.GraphSet.from_networkx([ring, 3])


def test_facts_come_from_arrays(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text("7 3 20\n3 900 -5\n7 900 20\n")
    made = cupel.Facts.from_numpy([7, 3, 7], [3.0, 900.0, 900.0], [20, -5, 20], name="made")
    assert made.hash == cupel.load(path).hash and made.name == "made"
    assert made.times.tolist() == [-5, 20, 20] and made.sources.tolist() == [0, 1, 1]
    # As a csv is read, whose entities are numbered in another order.
    path = tmp_path / "words.csv"
    path.write_text("source,target,time,relation\n"
                    "a,b,2019-01-31,knows\nb,c,2019-02-01,asks\nb,c,2019-02-02,asks\n")
    days = np.array(["2019-01-31", "2019-02-01", "2019-02-02"], dtype="datetime64[D]")
    words = cupel.Facts.from_numpy(["a", "b", "b"], ["b", "c", "c"], days, ["knows", "asks", "asks"])
    read = cupel.load(path)
    assert words.times.tolist() == read.times.tolist() and words.num_nodes == read.num_nodes == 3
    assert words.relation_names == ["asks", "knows"] and words.relations.tolist() == [1, 0, 0]
    # They are known to be days, so that cuts may be days.
    parts = cupel.splits(words, "time", cuts="2019-01-31,2019-02-01,2019-02-02")[0]
    assert [part.tolist() for part in parts[:3]] == [[0], [1], [2]]
    seconds = cupel.Facts.from_numpy(
        [0], [1], np.array(["2014-05-01T01:02:03"], dtype="datetime64[ns]"))
    assert seconds.times.tolist() == [1398906123]
    assert cupel.Facts.from_numpy([0, 1], [1, 2], [1, 2], [70, 7]).relation_names == ["7", "70"]


@pytest.mark.parametrize("given, told", [
    (([], [], []), "facts: 0 facts are not possible"),
    (([0], [1, 2], [3]), "targets: has 2 entries where there are 1 facts"),
    (([[0]], [1], [3]), "sources: has 2 axes"),
    (([-1], [1], [3]), r"sources\[0\] is -1"),
    (([0.5], [1], [3]), "sources: entry 0 is 0.5, where whole"),
    (([0], [2**31], [3]), r"targets\[0\] is 2147483648"),
    (([0], [1], [3.5]), "times: entry 0 is 3.5"),
    (([0], [1], [np.nan]), "times: entry 0 is nan"),
    (([0], [1], ["noon"]), "times: holds <U4, where numbers"),
    ((["a"], ["b"], np.ma.array(["2014"], dtype="datetime64[D]", mask=[True])),
     "times: 1 of its entries are masked"),
    (([0], [1], np.array(["NaT"], dtype="datetime64[s]")), "entry 0 is NaT"),
    (([0], [1], np.array(["2014-05-01T01:02:03.5"], dtype="datetime64[ms]")), "no whole second"),
    (([["a"]], ["b"], [3]), "sources: has 2 axes"),
    ((["a"], [1], [3]), "targets: holds numbers, where sources and targets"),
    (([0], [1], [3], [0, 1]), "relations: has 2 entries"),
    (([0], [1], [3], [None]), "relations: entry 0 is a NoneType"),
])
def test_wrong_facts_are_refused(given, told):
    with pytest.raises(cupel.Error, match=told):
        cupel.Facts.from_numpy(*given)


def test_temporal_data_of_pyg_are_facts():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    made = cupel.Facts.from_numpy([5, 1, 1], [2, 5, 2], [9, 3, 4], ["b", "a", "b"])
    there = made.to_pyg()
    assert there.src.tolist() == [0, 0, 2] and there.t.tolist() == [3, 4, 9]
    assert cupel.Facts.from_pyg(there).hash == made.hash
    plain = cupel.Facts.from_pyg(data.TemporalData(src=torch.tensor([0]), dst=torch.tensor([1]),
                                                   t=torch.tensor([7]), msg=torch.zeros(1, 2)))
    assert plain.relation_names == ["edge"] and "edge_type" not in plain.to_pyg()
    with pytest.raises(cupel.Error, match="a Data without src, dst and t"):
        cupel.Facts.from_pyg(data.Data(edge_index=torch.tensor([[0], [1]])))


def test_graphs_without_features_come_back_from_pyg():
    pytest.importorskip("torch_geometric")
    made = cupel.Graph.from_numpy([[0, 1, 2], [1, 0, 0]], y=[0, 1, 1])
    assert cupel.Graph.from_pyg(made.to_pyg()).hash == made.hash


def test_attributes_of_edges_and_several_tasks_come_from_pyg():
    torch = pytest.importorskip("torch")
    Data = pytest.importorskip("torch_geometric.data").Data
    nan = float("nan")
    # Two directions with attributes of their own; one direction for both, beside a loop; no edge.
    given = [Data(edge_index=torch.tensor([[1, 0], [0, 1]]), y=torch.tensor([[0.0, nan]]),
                  edge_attr=torch.tensor([[5.0, 6.0], [7.0, 8.0]]), num_nodes=2),
             Data(edge_index=torch.tensor([[2, 1], [1, 1]]), y=torch.tensor([[nan, 1.0]]),
                  edge_attr=torch.tensor([[1.0, 2.0], [9.0, 9.0]]), num_nodes=3),
             Data(edge_index=torch.zeros(2, 0, dtype=torch.long), y=torch.tensor([[1.0, 0.0]]),
                  num_nodes=1)]
    made = cupel.GraphSet.from_pyg(given)
    assert made.edge_index.tolist() == [[0, 1, 3, 4], [1, 0, 4, 3]]
    assert made.arc_attributes.tolist() == [[7, 8], [5, 6], [1, 2], [1, 2]]
    assert np.array_equal(made.y, [[0, nan], [nan, 1], [1, 0]], equal_nan=True)
    assert cupel.GraphSet.from_pyg(made.to_pyg()).hash == made.hash
    one = cupel.GraphSet.from_pyg([Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2,
                                        y=torch.tensor(answer)) for answer in ([1.0], [nan])])
    assert np.array_equal(one.y, [[1], [nan]], equal_nan=True)


def test_sets_of_graphs():
    sets = [name for name in cupel.generators()
            if isinstance(cupel.generate(name), cupel.GraphSet)]
    assert sets
    some = cupel.generate(sets[0])
    assert len(some) == len(some.y) and some.starts[-1] == some.num_nodes
    total = sum(some[i].edge_index.shape[1] for i in range(len(some)))
    assert total == some.num_arcs
    one = some[3]
    assert one.edge_index.size == 0 or one.edge_index.max() < one.num_nodes
    with pytest.raises(IndexError):
        some[len(some)]


def test_places_of_graphs_are_whole_numbers():
    some = cupel.generate("syn-degree", graphs=4)
    assert np.array_equal(some[np.int64(-1)].x, some[3].x)
    for place in (0.7, "a", True):
        with pytest.raises(cupel.Error, match="is no number of a graph"):
            some[place]


def test_facts_over_time():
    folder = pathlib.Path("facts")
    folder.mkdir()
    (folder / "stat.txt").write_text("3\t2\n")
    for part, lines in (("train", "0\t0\t1\t1\n1\t1\t2\t1\n"), ("valid", "0\t0\t2\t2\n"),
                        ("test", "2\t1\t0\t3\n")):
        (folder / f"{part}.txt").write_text(lines)
    facts = cupel.load(folder)
    assert isinstance(facts, cupel.Facts) and len(facts) == 4 and facts.num_nodes == 3
    assert facts.sources.tolist() == [0, 1, 0, 2] and facts.targets.tolist() == [1, 2, 2, 0]
    assert facts.relations.tolist() == [0, 1, 0, 1] and facts.times.tolist() == [1, 1, 2, 3]
    assert not facts.times.flags.writeable and facts.hash
    assert "4 facts" in repr(facts) and "findings" in cupel.audit(facts)
    assert cupel.stats(facts)["splits"]
    for what, told in ((lambda: cupel.stats(facts, seconds=5), "--seconds is about graphs"),
                       (lambda: cupel.stats(facts, seed=5), "--seed is about graphs"),
                       (lambda: cupel.audit(facts, negatives="random"), "--negatives is of graphs"),
                       (lambda: cupel.audit(facts, rule="wikipedia"), "--rule is of graphs")):
        with pytest.raises(cupel.Error, match=told):
            what()


def test_what_facts_take_of_memory_is_told_beforehand(program):
    pathlib.Path("papers.csv").write_text("id,year,title,authors\n" + "".join(
        f"{k},{2010 + k % 5},fair,Ann Lee;Bob Ray\n" for k in range(50)))
    with pytest.raises(cupel.Error) as refused:
        cupel.build("expert", "records=papers.csv", "wrote", memory="1M", progress=False)
    assert str(refused.value) == program.error("build", "expert", "--from", "records=papers.csv",
                                               "--out", "wrote", "--memory", "1M")
    assert not pathlib.Path("wrote").exists()
    with pytest.warns(UserWarning, match="records in 1 file will take some .* 16 MB are allowed") as told:
        cupel.build("expert", "records=papers.csv", "wrote", memory="16M", progress=False)
    assert told[0].filename == __file__
    for verb in (cupel.load, cupel.stats, cupel.audit):
        with pytest.raises(cupel.Error, match="wrote: about .* and --memory allows 1.0 MB"):
            verb("wrote", memory="1M")
        with pytest.warns(UserWarning, match="wrote: about .* of memory; 8.0 MB are allowed") as told:
            verb("wrote", memory="8M")
        assert [one.filename for one in told] == [__file__]
        with pytest.raises(cupel.Error, match="memory: .*much"):
            verb("wrote", memory="much")
        with pytest.raises(cupel.Error, match="csbm: memory is about facts over time"):
            verb("csbm", memory="1G")
    with pytest.raises(cupel.Error, match="wrote: about .* allows 1.0 MB"):
        cupel.audit(cupel.load("wrote"), memory="1M")  # it is read once more
    with pytest.raises(cupel.Error, match="wiki-cs makes none; leave it out"):
        cupel.build("wiki-cs", "papers.csv", "wiki", memory="1G", progress=False)


def test_facts_from_here_are_run_and_told_as_by_the_program(program):
    pathlib.Path("met.txt").write_text("".join(f"{k % 5} {k % 3} {k}\n" for k in range(60)))
    facts = cupel.load("met.txt")
    assert facts.card == program.json("show", "./met.txt")
    protocol = {"task": "events", "metric": "mrr", "title": "Who meets whom",
                "data": {"datasets": ["yago"]}, "split": {"scheme": "time"},
                "models": {"popularity": {}}}
    results = cupel.run(protocol, datasets=facts, store="met.sqlite", progress=False)
    assert len(results.runs()) == 1
    # Other cuts, as --split takes them: these ask about 30 facts instead of the last 15 %.
    cut = cupel.run(protocol, datasets=facts, store="met.sqlite", progress=False, split="19,29,59")
    assert cut.summary["done"] == 1 and cut.runs()["id"] != results.runs()["id"]
    assert cupel.estimate(protocol, datasets=facts, store="met.sqlite", split="19,29,59")["stored"] == 1
    assert cupel.estimate(protocol, datasets=facts, store="met.sqlite", split="0.5,0.6")["stored"] == 0
    with pytest.raises(cupel.Error, match="split: '0.9,0.5' are not two ascending shares"):
        cupel.run(protocol, datasets=facts, split="0.9,0.5", progress=False)
    with pytest.raises(cupel.Error, match="cuts facts over time, and protocol 'quickstart' is about"):
        cupel.run("quickstart", split="1,2,3", progress=False)


def test_facts_of_the_catalog_are_checked(tmp_path):
    place = tmp_path / "college-msg"
    place.mkdir()
    (place / "CollegeMsg.txt").write_text("1 2 3\n2 1 4\n")
    with pytest.raises(cupel.Error, match="it is not the data set that published numbers"):
        cupel.load("college-msg", data=tmp_path)


def test_words_about_a_graph(graph):
    assert repr(graph).startswith("<cupel.Graph csbm")
    assert graph.hash[:12] in graph._repr_html_()
    odd = cupel.Graph.from_numpy([[0], [1]], np.eye(2), [0, 1], name="<script>alert(1)</script>")
    assert "<script>" not in odd._repr_html_()
    assert odd.card["found"]["raw"]["nodes"] == 2


def facts_file(path, count):
    lines = [f"{k % 5},knows,{(k + 1) % 5},{k}" for k in range(count)]
    pathlib.Path(path).write_text("\n".join(["head,relation,tail,time", *lines]) + "\n")


def test_what_was_loaded_is_known_by_its_place_wherever_python_goes(monkeypatch):
    """Data of the same name lie in the folder that it went to."""
    for folder, count in (("here", 20), ("there", 30)):
        os.mkdir(folder)
        facts_file(f"{folder}/said.csv", count)
    cupel.generate("csbm", nodes=60).save("here/g.npz")
    monkeypatch.chdir("here")
    facts, graph = cupel.load("said.csv"), cupel.load("g.npz")
    monkeypatch.chdir("../there")
    audited = cupel.audit(facts)
    assert audited["content_hash"] == facts.hash and audited["facts"]["facts"] == 20
    assert cupel.stats(facts)["facts"] == facts.card["found"]["raw"]["facts"] == 20
    graph.save("again.npz")
    assert cupel.load("again.npz").hash == graph.hash
    os.remove("../here/said.csv")
    with pytest.raises(cupel.Error, match="here/said.csv"):
        cupel.audit(facts)
