"""What is wrong is an Error of one sentence that names the argument, the value and the way out."""

import functools

import numpy as np
import pytest

import cupel
import cupel.engines
from conftest import small_protocol

EDGES = [[0, 1], [1, 0]]
X = np.eye(2, dtype=np.float32)
Y = [0, 1]


def graph(edge_index=EDGES, x=X, y=Y, **more):
    return cupel.Graph.from_numpy(edge_index, x, y, **more)


FACTS = cupel.Facts.from_numpy([0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4])


class Called:
    def __call__(self, task):
        return None

    def scores(self, task):
        return None


def flags(*ids, of=2):
    return np.isin(np.arange(of), ids)


def broken_matrix(part, place, value, features=False):
    """SciPy reads elsewhere, and may end the process."""
    sparse = pytest.importorskip("scipy.sparse")
    one, other = sparse.csr_array(np.eye(2)), sparse.csr_array(np.eye(2))
    getattr(one, part)[place] = value
    return cupel.Graph.from_scipy(other if features else one, one if features else X, Y)


@pytest.mark.parametrize("make, told", [
    (lambda: graph([[0, 2], [1, 0]]), "2"),
    (lambda: graph([[0, -1], [1, 0]]), "-1"),
    (lambda: graph([[0.5, 1], [1, 0]]), "edge_index"),
    (lambda: graph([[0, 1]]), "transpose"),
    (lambda: graph([[0, 1, 2], [1, 0]]), "edge_index"),
    (lambda: graph([["a", "b"], ["b", "a"]]), "edge_index"),
    (lambda: graph(np.zeros((3, 2), dtype=np.int64)), "transpose"),
    (lambda: graph(x=[[1, np.nan], [0, 1]]), "x"),
    (lambda: graph(x=[[1, np.inf], [0, 1]]), "x"),
    (lambda: graph(x=np.eye(3)), "3"),
    (lambda: graph(x=[1.0, 2.0]), "x"),
    (lambda: graph(x=np.zeros((2, 2), dtype=complex)), "complex"),
    (lambda: graph(x=np.array([[object(), 1], [1, 1]])), "object"),
    (lambda: graph(y=[1, 0.5]), "y: entry 1 is 0.5"),
    (lambda: graph(y=[0, -2]), "-2"),
    (lambda: graph(y=[-1, -1]), "y"),
    (lambda: graph(y=[0, 1, 1]), "3"),
    (lambda: graph(y=[np.nan, 1.0]), "y: entry 0 is nan"),
    (lambda: graph(y=[[1, 2], [3]]), "y"),
    (lambda: graph(y=[b"\xe9", b"a"]), "\\xe9"),
    (lambda: graph(y=[1e300, 2]), "1e+300"),
    (lambda: graph(y=[2**70, 2]), str(2**70)),
    (lambda: graph(y=np.array(["a", None], dtype=object)), "entry 1 is a NoneType"),
    (lambda: graph(y=["a", np.nan]), "y: entry 1 is a float"),
    (lambda: graph(y=["a", -1]), "y: entry 1 is a int"),
    (lambda: graph(y=(1, "a")), "y: entry 1 is a str"),
    (lambda: graph(y=np.ma.array([0, 1], mask=[False, True])), "y: 1 of its entries are masked"),
    (lambda: graph(x=np.ma.array(X, mask=X > 0)), "x: 2 of its entries are masked"),
    (lambda: graph(edge_weight=[1.0]), "edge_weight"),
    (lambda: graph(edge_weight=[1.0, np.nan]), "edge_weight"),
    (lambda: graph(num_nodes=3), "3"),
    (lambda: graph(splits=5), "splits: is 5"),
    (lambda: graph(splits=[5]), "split 0 is 5"),
    (lambda: graph(splits=[([0], [1])]), "2 parts"),
    (lambda: graph(splits=[([0], [1], [5])]), "5"),
    (lambda: graph(splits=[([0], [0], [1])]), "split"),
    (lambda: graph(splits=[([0], [1], [])]), "split"),
    (lambda: graph(splits=[(flags(0, of=3), flags(1), flags(1))]), "3 flags"),
    (lambda: graph(np.array(EDGES, dtype=bool)), "bool"),
    (lambda: graph(name=3), "name"),
    (lambda: graph(name="\udc80"), "name"),
    (lambda: cupel.Graph.from_scipy(EDGES, X, Y), "list"),
    (lambda: broken_matrix("indptr", 1, 10**6), "adjacency"),
    (lambda: broken_matrix("indptr", 1, -5), "adjacency"),
    (lambda: broken_matrix("indices", 0, 7), "adjacency"),
    (lambda: broken_matrix("indices", 0, -7, features=True), "x: the sparse"),
    (lambda: cupel.metrics.roc_auc([1e300, 1e301], [1, 0]), "1e+300"),
    (lambda: cupel.Graph.from_numpy(EDGES), "num_nodes"),
    (lambda: cupel.Graph.from_numpy(EDGES, num_nodes=0), "nodes"),
    (lambda: cupel.Graph.from_numpy(EDGES, num_nodes=2**31), "nodes"),
    (lambda: cupel.Graph.from_numpy(EDGES, num_nodes=4.0), "num_nodes: 4.0"),
    (lambda: graph(splits=[{"train": [0], "valid": [1]}]), "split 0 is a dict"),
    (lambda: cupel.Graph.from_networkx([1, 2]), "a list is no graph of NetworkX"),
    (lambda: cupel.splits(cupel.Graph.from_numpy(EDGES, X), "per-class")[0], "no labels; give y"),
    (lambda: cupel.splits(graph(), "random")["a"], "'a' is no number of a split"),
    (lambda: cupel.model(dict), "dict: what it takes cannot be read"),
    (lambda: cupel.model(functools.partial(graph), name="p", version="1"), "a partial is no function"),
    (lambda: cupel.model(Called(), name="c", version="1"), "a Called is no function"),
    (lambda: cupel.model(Called().scores), "scores: what it is bound to is in no file"),
])
def test_arrays(make, told):
    with pytest.raises(cupel.Error) as error:
        make()
    sentence = str(error.value)
    assert told in sentence and "\n" not in sentence and "bug" not in sentence


@pytest.mark.parametrize("change, told", [
    ({"modles": {}}, "modles"),
    ({"split": {"scheme": "per-class", "trian": 5}}, "trian"),
    ({"models": {"gcn": {"hiden": 8}}}, "hiden"),
    ({"train": {"patience": None}}, "patience"),
    ({"train": {"patience": "x"}}, "patience"),
    ({"train": {"patience": float("nan")}}, "NaN"),
    ({"train": {"patience": 2**70}}, "patience"),
    ({"train": {"patience": object()}}, "object"),
    ({"train": {"patience": np.arange(3)}}, "patience"),
    ({"models": {"a\0b": {"model": "mlp"}}}, "zero byte"),
    ({"title": "caf\udce9"}, "no Unicode"),
    ({"models": {"caf\udce9": {"model": "mlp"}}}, "no Unicode"),
])
def test_protocols(change, told):
    with pytest.raises(cupel.Error) as error:
        cupel.run(small_protocol(**change), store="none.sqlite", name="mine")
    assert told in str(error.value)
    import os
    assert not os.path.exists("none.sqlite")


def test_a_protocol_that_holds_itself():
    rows = {"mlp": {}}
    rows["mlp"]["self"] = rows
    with pytest.raises(cupel.Error, match="holds itself") as error:
        cupel.load_protocol({"models": rows})
    assert "NaN" not in str(error.value)


def test_a_protocol_too_deep():
    deep = {}
    for _ in range(50):
        deep = {"a": deep}
    with pytest.raises(cupel.Error, match="deeply"):
        cupel.load_protocol({"data": deep})


@pytest.mark.parametrize("call, told", [
    (lambda p: cupel.run(p, splits=0), "splits"),
    (lambda p: cupel.run(p, splits=2.5), "splits"),
    (lambda p: cupel.run(p, splits=99), "99"),
    (lambda p: cupel.run(p, inits=-1), "inits"),
    (lambda p: cupel.run(p, jobs=-1), "jobs"),
    (lambda p: cupel.run(p, models="gnc"), "gcn"),
    (lambda p: cupel.run(p, datasets="corra"), "cora"),
    (lambda p: cupel.run(p, datasets=[3]), "int"),
    (lambda p: cupel.run(p, datasets=3), "int"),
    (lambda p: cupel.run(p, models=3), "models"),
    (lambda p: cupel.run(p, models=[3]), "models"),
    (lambda p: cupel.run(p, models=len), "models"),
    (lambda p: cupel.run(p, tables=3), "tables"),
    (lambda p: cupel.run(p, choices=3), "choices"),
    (lambda p: cupel.run(p, splits=True), "splits"),
    (lambda p: cupel.run(p, jobs=True), "jobs"),
    (lambda p: cupel.run(p, timeout=-1), "timeout"),
    (lambda p: cupel.run(p, timeout=0), "timeout"),
    (lambda p: cupel.run(p, timeout=float("nan")), "timeout"),
    (lambda p: cupel.run(p, timeout="1h"), "timeout"),
    (lambda p: cupel.run(p, memory=5), "memory"),
    (lambda p: cupel.run(p, shard=3), "shard"),
    (lambda p: cupel.run(p, until=3), "until"),
    (lambda p: cupel.run(p, delta="x"), "delta"),
    (lambda p: cupel.run(p, name=None), "name"),
    (lambda p: cupel.run(p, name="\udce9"), "name: '\\udce9' is no text"),
    (lambda p: cupel.run(p, models="\udce9"), "models: "),
    (lambda p: cupel.run(p, tables=["\udce9"]), "tables: '\\udce9' is no text"),
    (lambda p: cupel.run(p, store=3), "store"),
    (lambda p: cupel.run(p, data=3), "data"),
    (lambda p: cupel.run(p, retry_failed="no"), "retry_failed"),
    (lambda p: cupel.run(None), "protocol"),
    (lambda p: cupel.tune(p, method=3), "method"),
    (lambda p: cupel.estimate(p, pilot=3), "pilot"),
    (lambda p: cupel.load(None), "None"),
    (lambda p: cupel.load("a\0b"), "zero byte"),
    (lambda p: cupel.generate("csbm").save(None), "None"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "per-class", train=None), "train"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "per-class", train=[1]), "train"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "per-class", n=1.5), "count"),
    (lambda p: cupel.splits(graph(), "random", n=3, count=2), "n is 3 and count is 2"),
    (lambda p: graph().save(""), "save: the path is empty"),
    (lambda p: cupel.build("wiki-cs", "nothing", ""), "out: the path is empty"),
    (lambda p: cupel.run(p, shard="5/4"), "5/4"),
    (lambda p: cupel.run(p, memory="much"), "much"),
    (lambda p: cupel.run(p, until="soon"), "soon"),
    (lambda p: cupel.run("quikstart"), "quickstart"),
    (lambda p: cupel.run("./nothing.toml"), "nothing.toml"),
    (lambda p: cupel.run(p, data="no-such-folder"), "no-such-folder"),
    (lambda p: cupel.results("nothing.sqlite"), "nothing.sqlite"),
    (lambda p: cupel.load("corra"), "cora"),
    (lambda p: cupel.load("./nothing.npz"), "nothing.npz"),
    (lambda p: cupel.load("csbm:nods=3"), "nodes"),
    (lambda p: cupel.generate("csbmm"), "csbm"),
    (lambda p: cupel.generate("csbm", nods=3), "nodes"),
    (lambda p: cupel.fetch("corra"), "cora"),
    (lambda p: cupel.fetch("cora", offline=True), "cora"),
    (lambda p: cupel.build("amazon", "nothing", "out.npz"), "amazon"),
    (lambda p: cupel.audit(3), "int"),
    (lambda p: cupel.audit("csbm", rule="some"), "some"),
    (lambda p: cupel.audit("csbm", hits="10"), "split"),
    (lambda p: cupel.stats("csbm", drop_outliers=True), "one graph"),
    (lambda p: cupel.prepare(cupel.generate("csbm"), ["symetrise"]), "symmetrise"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "per-clas"), "per-class"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "per-class", trian=3), "train"),
    (lambda p: cupel.splits(cupel.generate("csbm", nodes=30), "per-class")[0], "class"),
    (lambda p: cupel.splits(cupel.generate("csbm"), "stored")[0], "stored"),
    (lambda p: cupel.generate("csbm").save("no/such/folder/x.npz"), "no/such"),
    (lambda p: cupel.generate("csbm").save("x.npz", format="excel"), "excel"),
])
def test_verbs(call, told, protocol):
    with pytest.raises(cupel.Error) as error:
        call(protocol)
    assert told in str(error.value) and "bug" not in str(error.value)


def constant(task):
    return np.ones((task.nodes, task.classes))


@pytest.mark.parametrize("call, told", [
    (lambda p: cupel.model(3), "int is no function"),
    (lambda p: cupel.model(constant, name=3), "name: 3 is no text"),
    (lambda p: cupel.model(constant, version=3), "version: 3 is no text"),
    (lambda p: cupel.model(constant, deterministic="yes"), "deterministic: 'yes'"),
    (lambda p: cupel.model(constant, settings=3), "settings: a int"),
    (lambda p: cupel.model(constant, packages=3), "packages: a int"),
    (lambda p: cupel.run(p, jobs=1 << 70), "jobs: "),
    (lambda p: cupel.run(p, splits=1 << 70), "splits: "),
    (lambda p: cupel.run(p, models=[]), "models: the list is empty"),
    (lambda p: cupel.run(p, datasets=[]), "datasets: the list is empty"),
    (lambda p: cupel.run(p, tables=[]), "tables: the list is empty"),
    (lambda p: cupel.tune(p, search=3), "search: a int"),
    (lambda p: cupel.splits(graph(), 3), "scheme: 3 is no text"),
    (lambda p: cupel.prepare(graph(), 3), "steps: a int"),
    (lambda p: graph().save("x.npz", format=3), "format: 3 is no text"),
    (lambda p: cupel.stats(graph(), split="1,2,3"), "--split is about facts over time"),
    (lambda p: cupel.stats(graph(), seconds=-3), "seconds: -3"),
    (lambda p: cupel.stats(graph(), seconds=float("nan")), "seconds: nan"),
    (lambda p: cupel.stats(graph(), threads=-3), "threads: -3"),
    (lambda p: cupel.stats(graph(), threads=1.5), "threads: 1.5"),
    (lambda p: cupel.stats(graph(), seed=-3), "seed: -3"),
    (lambda p: cupel.stats(graph(), seed=2**64), f"seed: {2**64}"),
    (lambda p: cupel.stats(graph(), drop_outliers="no"), "drop_outliers: 'no'"),
    (lambda p: cupel.stats(FACTS, split=(2, 3, 5)), "split: (2, 3, 5) is no text"),
    (lambda p: cupel.stats(FACTS, split="2,3,4", splits=-1), "splits: -1"),
    (lambda p: cupel.stats(FACTS, published=3), "published: 3 is no text"),
    (lambda p: cupel.audit(graph(), members=-1), "members: -1"),
    (lambda p: cupel.audit(graph(), hits=5), "hits: 5 is no text"),
    (lambda p: cupel.audit(graph(), negatives=5), "negatives: 5 is no text"),
    (lambda p: cupel.audit(graph(), prepare=5), "prepare: 5 is no text"),
    (lambda p: cupel.audit(graph(), rule=5), "rule: 5 is no text"),
    (lambda p: cupel.audit(graph(), split=5), "split: 5"),
    (lambda p: cupel.audit(graph(), directed=5), "directed: 5"),
    (lambda p: cupel.generate(5), "kind: 5 is no text"),
    (lambda p: cupel.fetch(5), "names: 5 is no text"),
    (lambda p: cupel.fetch("cora", offline="yes"), "offline: 'yes'"),
    (lambda p: cupel.build(5, "nothing", "out.npz"), "recipe: 5 is no text"),
    (lambda p: cupel.build("wiki-cs", 5, "out.npz"), "sources: a int"),
    (lambda p: cupel.results("s.sqlite", protocol=5), "protocol: 5 is no text"),
    (lambda p: cupel.engines.plan(p, jobs="x"), "jobs: 'x'"),
    (lambda p: cupel.engines.plan(p, store=3), "store: 3"),
])
def test_wrong_types(call, told, protocol):
    with pytest.raises(cupel.Error) as caught:
        call(protocol)
    assert told in str(caught.value)


def test_wrong_types_of_results(protocol):
    done = cupel.run(protocol, models=["majority"], store="s.sqlite", splits=np.int64(1), progress=False)
    with pytest.raises(cupel.Error, match="report: the path is empty"):
        done.report("")
    for call in (lambda: done.report("x", 3), lambda: done.compare(1, 2), lambda: done.to_text(3)):
        with pytest.raises(cupel.Error, match="is no text"):
            call()


def test_half_a_surrogate_pair_in_an_exception_is_told(protocol):
    @cupel.model(version="1")
    def broken(task):
        raise ValueError("boo\ud800")

    with pytest.warns(cupel.RunsFailed):
        done = cupel.run(protocol, models=[broken], store="s.sqlite", progress=False)
    assert "ValueError: boo\\ud800" in done.summary["failures"][0]


def test_the_sentence_is_that_of_the_program(program):
    with pytest.raises(cupel.Error) as error:
        cupel.load("corra")
    assert program.error("stats", "corra") == str(error.value)


def test_an_error_is_cupels():
    assert cupel.Error.__module__ == "cupel" and issubclass(cupel.Error, Exception)


def test_flags_are_node_numbers_too():
    one = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.eye(4), [0, 1, 0, 1], splits=[
        (flags(0, 3, of=4), flags(1, of=4), [2])])
    assert [part.tolist() for part in one.splits[0][:3]] == [[0, 3], [1], [2]]


def test_a_graph_without_edges():
    for none in ([[], []], [], np.zeros((0, 2), dtype=np.int64)):
        assert graph(none).edge_index.shape == (2, 0)


def test_models_that_are_told_once_are_the_only_ones(protocol):
    done = cupel.run(protocol, models=(name for name in ["majority"]), store="s")
    assert set(done.table()["model"]) == {"majority"}


def test_a_name_tells_a_terminal_nothing():
    assert "\x1b" not in repr(graph(name="a\x1b[31mb")) + graph(name="a\x1b[31mb")._repr_html_()


def test_functions_that_nothing_tells_apart():
    """The runs of one would stand in the row of the other."""
    pair = [cupel.model(lambda task, level=level: level, name=f"level-{level}", version="1")
            for level in (1, 2)]
    with pytest.raises(cupel.Error, match="level-1 and level-2.*version"):
        cupel.run(small_protocol(), models=pair, store="s")
