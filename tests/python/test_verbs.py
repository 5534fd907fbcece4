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
