"""Pictures of graphs: what `cupel picture` draws."""

import pathlib

import numpy as np
import pytest

import cupel

NAME = "csbm:nodes=120,classes=3"
QUICK = {"epochs": 8, "dimension": 16, "iterations": 60, "intervals": 6}
SET = [text for name, value in QUICK.items() for text in ("--set", f"{name}={value}")]


@pytest.fixture
def store(protocol):
    return cupel.run(protocol, store="small.sqlite", name="small", progress=False).store


def test_a_picture_is_that_of_the_program(store, program):
    told = cupel.picture(NAME, "ours", labels=["classes", f"{store}:mlp"], learning_rate=150.0,
                         threads=1, progress=False, **QUICK)
    assert told["files"] == ["ours.svg", "ours.json"] and told["nodes"] == 120
    theirs = program.json("picture", NAME, "--out", "theirs", "--labels", "classes", "--labels",
                          f"{store}:mlp", "--set", "learning-rate=150.0", *SET)
    assert {**theirs, "files": told["files"]} == told
    for end in ("svg", "json"):
        assert pathlib.Path(f"ours.{end}").read_bytes() == \
            pathlib.Path(f"theirs.{end}").read_bytes()


def test_a_picture_of_a_graph_in_memory(program):
    rng = np.random.default_rng(3)
    mine = cupel.Graph.from_numpy(rng.integers(0, 90, (2, 300)), rng.random((90, 5)),
                                  rng.integers(0, 2, 90), name="mine")
    told = cupel.picture(mine, perplexity=10, progress=False, **QUICK)
    assert told["files"] == ["mine.svg", "mine.json"]
    mine.save("saved.npz")
    program("picture", "./saved.npz", "--out", "saved", "--set", "perplexity=10", *SET)
    ours, saved = (pathlib.Path(f"{name}.json").read_text() for name in ("mine", "saved"))
    assert ours.replace('"mine"', '"saved"') == saved


def test_runs_on_a_graph_in_memory_colour_it(graph, protocol):
    mine = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="mine")
    cupel.run(protocol, models="mlp", datasets=[mine], splits=1, store="mine.sqlite", name="small",
              progress=False)
    told = cupel.picture(mine, "mine.svg", labels="mine.sqlite:mlp", progress=False, **QUICK)
    assert told["nodes"] == 120
    assert "predictions of mlp" in pathlib.Path("mine.svg").read_text()


def test_a_process_that_goes_elsewhere_finds_its_files(tmp_path, monkeypatch):
    cupel.generate("csbm", nodes=120, classes=3).save("mine.npz")
    pathlib.Path("mine.svg").symlink_to("mine.npz")
    loaded = cupel.load("./mine.npz")
    pathlib.Path("there").mkdir()

    def away(*state):
        monkeypatch.chdir(tmp_path / "there")

    told = cupel.picture(loaded, "drawn.svg", progress=away, epochs=400, iterations=400)
    assert told["files"] == ["drawn.svg"] and pathlib.Path.cwd().name == "there"
    assert (tmp_path / "drawn.svg").exists(), "where it was when the picture was asked for"
    with pytest.raises(cupel.Error, match="mine.svg.*write to another"):
        cupel.picture(loaded, "../mine.svg", progress=False, **QUICK)


def test_a_picture_can_be_given_up():
    class Enough(Exception):
        pass

    def enough(*state):
        raise Enough

    with pytest.raises(Enough):
        cupel.picture(NAME, "x.svg", progress=enough, epochs=1_000_000)
    assert not pathlib.Path("x.svg").exists()


def test_bad_input_of_pictures(program):
    for name, ours, theirs in (
            (NAME, {"interval": 3}, ("--set", "interval=3")),
            (NAME, {"overlap": 2}, ("--set", "overlap=2")),
            (NAME, {"perplexity": 500}, ("--set", "perplexity=500")),
            (NAME, {"out": "x.png"}, ("--out", "x.png")),
            (NAME, {"out": "none/x.svg"}, ("--out", "none/x.svg")),
            (NAME, {"labels": "mlp"}, ("--labels", "mlp")),
            (NAME, {"labels": "none.sqlite:mlp"}, ("--labels", "none.sqlite:mlp")),
            ("syn-degree:graphs=80", {}, ()),
            ("no-such-data", {}, ())):
        with pytest.raises(cupel.Error) as told:
            cupel.picture(name, progress=False, **ours)
        assert str(told.value) == program.error("picture", name, *theirs)
    facts = cupel.Facts.from_numpy([0, 1], [1, 0], [1, 2], name="when")
    for wrong, part in ((facts, "when: is facts over time, and a picture is of one graph"),
                        (3, "a int is no data set")):
        with pytest.raises(cupel.Error, match=part):
            cupel.picture(wrong, progress=False)
    with pytest.raises(cupel.Error, match="threads: 0 is no whole number"):
        cupel.picture(NAME, threads=0)
    assert list(pathlib.Path().iterdir()) == []
