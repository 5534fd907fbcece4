"""Statistics, audits, cards, splits and data sets that are made: what the program prints."""

import json
import pathlib

import numpy as np
import pytest

import cupel

NAME = "csbm:nodes=120,classes=3"


def test_statistics_are_those_of_the_program(program):
    assert cupel.stats(NAME) == program.json("stats", NAME)
    assert cupel.stats(cupel.load(NAME)) == cupel.stats(NAME)


def test_audits_are_those_of_the_program(program):
    found = cupel.audit(NAME)
    assert found == program.json("audit", NAME)
    assert {"findings", "notes", "content_hash"} <= set(found)
    links = cupel.audit(NAME, split="links", hits="10")
    assert links == program.json("audit", NAME, "--split", "links", "--hits", "10")


def test_a_process_that_goes_elsewhere_has_what_it_loaded(monkeypatch):
    pathlib.Path("when.txt").write_text("".join(f"{i % 7} {i * 3 % 5} {i}\n" for i in range(50)))
    facts = cupel.load("./when.txt")
    before = cupel.audit(facts), cupel.stats(facts, split="20,30,49"), facts.card
    pathlib.Path("there").mkdir()
    monkeypatch.chdir("there")
    del facts.card  # it was kept
    assert (cupel.audit(facts), cupel.stats(facts, split="20,30,49"), facts.card) == before


def test_cards_are_those_of_the_program(graph, program):
    assert cupel.load(NAME).card == program.json("show", NAME)
    graph.save("graph.npz")
    assert cupel.load("./graph.npz").card["found"] == program.json("show", "./graph.npz")["found"]


def test_an_audit_finds_what_is_wrong(graph):
    x = graph.x.copy()
    x[1:60] = x[0]
    twins = cupel.Graph.from_numpy(graph.edge_index, x, graph.y, name="twins")
    before = {f["id"] for f in cupel.audit(graph)["findings"]}
    after = {f["id"] for f in cupel.audit(twins)["findings"]}
    assert after - before


def test_splits(graph, program):
    family = cupel.splits(graph, "per-class", n=4, train=5, valid=5)
    assert len(family) == 4 and family.unit == "node" and family.links is None
    for split in family:
        parts = [set(split.train), set(split.valid), set(split.test)]
        assert sum(map(len, parts)) == len(set.union(*parts)) == 120
        for c in range(3):
            assert np.sum(graph.y[split.train] == c) == 5
    assert len({split.hash for split in family}) == 4
    assert family[1].hash == list(family)[1].hash == family[-3].hash
    program("convert", NAME, "--scheme", "per-class", "--set", "train=5,valid=5,count=4",
            "--splits", "splits.json")
    theirs = json.loads(pathlib.Path("splits.json").read_text())
    theirs = theirs["splits"] if isinstance(theirs, dict) else theirs
    for ours, other in zip(family, theirs):
        assert ours.train.tolist() == other["train"] and ours.test.tolist() == other["test"]


def test_splits_of_links(graph):
    family = cupel.splits(graph, "links", n=2, train=80, valid=10, test=10)
    assert family.unit == "pair" and family.links.shape[1] == 2
    split = family[0]
    ids = np.concatenate([split.train, split.valid, split.test])
    assert len(set(ids)) == len(ids) == len(family.links)
    with pytest.raises(IndexError):
        family[2]


def test_preparation(graph):
    one_way = cupel.Graph.from_numpy([[0, 1, 2], [1, 2, 2]], np.eye(4), [0, 1, 0, 1])
    both = cupel.prepare(one_way, ["symmetrise", "drop-self-loops"])
    assert both.edge_index.T.tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert both.prepared == ["symmetrise", "drop-self-loops"]
    assert one_way.num_arcs == 3  # as it was
    assert cupel.prepare(graph).num_nodes == 120


@pytest.fixture
def loops(graph):
    """A graph with two self-loops and some labels."""
    arcs = np.concatenate([graph.edge_index, [[5, 9], [5, 9]]], axis=1)
    return cupel.Graph.from_numpy(arcs, graph.x, graph.y, name="loops")


def test_a_cleaned_graph_is_that_of_the_program(loops, program):
    loops.save("loops.npz")
    program("audit", "./loops.npz", "--fix=self-loops", "--out", "theirs.npz")
    theirs = json.loads(pathlib.Path("theirs.npz.provenance.json").read_text())
    cleaned, account = cupel.clean("./loops.npz", "self-loops")
    assert cleaned.hash == cupel.load("./theirs.npz").hash == account["result"]["content_hash"]
    assert account["operations"] == theirs["operations"] and account["tool"] == theirs["tool"]
    assert account["operations"][0]["count"] == 2
    assert cleaned.edge_index.tolist() == cupel.load("./theirs.npz").edge_index.tolist()
    assert "self-loops" not in {finding["id"] for finding in cupel.audit(cleaned)["findings"]}
    assert not set(pathlib.Path().iterdir()) - {pathlib.Path(name) for name in (
        "loops.npz", "theirs.npz", "theirs.npz.provenance.json")}
    # The same, written.
    written = cupel.clean("./loops.npz", ["self-loops"], out="ours.npz")
    assert written.data.hash == cleaned.hash and written.account["result"]["file"] == "ours.npz"
    assert pathlib.Path("ours.npz").read_bytes() == pathlib.Path("theirs.npz").read_bytes()
    ours = json.loads(pathlib.Path("ours.npz.provenance.json").read_text())
    assert ours == written.account and ours["result"]["labels"] == theirs["result"]["labels"]


def test_what_is_safe_is_cleaned_unless_fixes_are_named(loops, protocol):
    cleaned = cupel.clean(loops)
    assert cleaned.account["source"] == {"name": "loops", "content_hash": loops.hash}
    assert "self-loops" not in {one["id"] for one in cleaned.account["operations"]}, "that is no safe one"
    assert loops.num_arcs == cupel.clean(loops, "self-loops").data.num_arcs + 2, "as it was"
    done = cupel.run(protocol, datasets=[cleaned.data], models="mlp", splits=1, progress=False)
    assert set(done.table()["dataset"]) == {"loops"}


def test_a_set_of_graphs_is_cleaned_to_a_folder(program):
    some = cupel.generate("syn-degree", graphs=30)
    some.save("some", "tu")
    program("audit", "./some", "--fix", "--out", "theirs")
    ours = cupel.clean("./some", out="ours")
    assert isinstance(ours.data, cupel.GraphSet)
    assert ours.data.hash == cupel.load("./theirs").hash == cupel.load("./ours").hash


def test_what_cannot_be_cleaned(loops, program, monkeypatch):
    loops.save("loops.npz")
    before = pathlib.Path("loops.npz").read_bytes()
    for call, theirs in (
            (lambda: cupel.clean("./loops.npz", "loops"), ("--fix=loops", "--out", "x.npz")),
            (lambda: cupel.clean("./loops.npz", out="loops.npz"), ("--fix", "--out", "loops.npz")),
            (lambda: cupel.clean("./loops.npz", out="none/x.npz"), ("--fix", "--out", "none/x.npz")),
            (lambda: cupel.clean("./loops.npz", rule="x"), ("--fix", "--out", "x.npz", "--rule", "x"))):
        with pytest.raises(cupel.Error) as told:
            call()
        assert str(told.value) == program.error("audit", "./loops.npz", *theirs)
    loaded = cupel.load("loops.npz")
    pathlib.Path("there").mkdir()
    monkeypatch.chdir("there")
    with pytest.raises(cupel.Error, match="write to another"):
        cupel.clean(loaded, out="../loops.npz")
    assert pathlib.Path("../loops.npz").read_bytes() == before
    with pytest.raises(cupel.Error, match="--fix"):
        cupel.clean(cupel.Facts.from_numpy([0, 1], [1, 0], [1, 2]))
    with pytest.raises(cupel.Error, match="the list is empty"):
        cupel.clean(loaded, [])
    with pytest.raises(cupel.Error, match="is no data set"):
        cupel.clean(3)


def test_generated_data_are_those_of_the_program(program):
    program("generate", "csbm", "--set", "nodes=90", "--seed", 4, "--out", "theirs.npz")
    ours = cupel.generate("csbm", nodes=90, seed=4)
    assert cupel.load("./theirs.npz").hash == ours.hash
    assert ours.hash == cupel.load("csbm:nodes=90,seed=4").hash


def test_lists():
    assert "cora" in cupel.datasets() and "gcn" in cupel.models() and "csbm" in cupel.generators()


def test_edge_lists():
    pathlib.Path("edges.txt").write_text("0 1\n1 2\n")
    assert cupel.load("./edges.txt").counts["edges"] == 2
