"""Effectiveness, and whether it can be predicted: what the program tells and draws."""

import pathlib

import pytest

import cupel

PAIR = "gcn,mlp"


@pytest.fixture
def store(protocol):
    return cupel.run(protocol, store="small.sqlite", name="small", progress=False).store


def test_effectiveness_is_that_of_the_program(store, program):
    ours = cupel.effectiveness(store, attributes=PAIR)
    assert ours == program.json("effectiveness", store, "--attributes", PAIR)
    means = {row["model"]: row["mean"] / 100
             for row in cupel.results(store).table().rows()}
    assert ours["datasets"][0]["attributes"]["gap"] == \
        pytest.approx(means["gcn"] - means["mlp"], abs=1e-9)
    assert cupel.effectiveness(store, attributes=PAIR,
                               datasets=ours["datasets"][0]["dataset"]) == ours


def test_figures_of_effectiveness_are_those_of_the_program(store, program):
    bare = cupel.effectiveness(store, attributes="gcn+majority,mlp")
    assert "files" not in bare
    drawn = cupel.effectiveness(store, attributes="gcn+majority,mlp", figure="ours.svg",
                                figures="ours")
    files = drawn.pop("files")
    assert drawn == bare
    names = ("gaps", "effectiveness", "equation", "theorem")
    assert files == ["ours.svg", *(f"ours/{name}.{end}" for name in names
                                   for end in ("svg", "json"))]
    program("effectiveness", store, "--attributes", "gcn+majority,mlp", "--figure", "theirs.svg",
            "--figures", "theirs")
    for file in files:
        assert pathlib.Path(file).read_bytes() == \
            pathlib.Path(file.replace("ours", "theirs")).read_bytes()


def test_bad_input_of_effectiveness(store, program):
    for ours, theirs in (
            ({}, ()),
            ({"attributes": "gcn"}, ("--attributes", "gcn")),
            ({"attributes": "gcn,mpl"}, ("--attributes", "gcn,mpl")),
            ({"attributes": PAIR, "metric": "f1"}, ("--attributes", PAIR, "--metric", "f1")),
            ({"attributes": PAIR, "figure": "x.png"}, ("--attributes", PAIR, "--figure", "x.png")),
            ({"attributes": PAIR, "store": "y"}, ("--attributes", PAIR, "--store", "y"))):
        with pytest.raises(cupel.Error) as told:
            cupel.effectiveness(store, **ours)
        assert str(told.value) == program.error("effectiveness", store, *theirs)
    with pytest.raises(cupel.Error, match="'a,b'"):
        cupel.effectiveness(store, attributes=PAIR, datasets=["a,b"])
    with pytest.raises(cupel.Error, match="structure: 3 is no text"):
        cupel.effectiveness(store, structure=3)
    with pytest.raises(cupel.Error, match="none.sqlite"):
        cupel.effectiveness("none.sqlite", attributes=PAIR)


def test_predictions_are_those_of_the_program(program):
    protocol = {
        "task": "graph-classification",
        "data": {"datasets": [f"syn-degree:graphs={n}" for n in (40, 50, 60)]},
        "split": {"scheme": "stratified-kfold", "folds": 4, "valid": 10, "count": 4},
        "train": {"inits": 1},
        "models": {"sp-svm": {}, "size-svm": {}},
    }
    cupel.run(protocol, store="sets.sqlite", name="sets", progress=False)
    ours = cupel.predict("sets.sqlite", structure="sp-svm,size-svm", repeats=3)
    assert ours == program.json("predict", "sets.sqlite", "--structure", "sp-svm,size-svm",
                                "--repeats", 3)
    assert len(ours["samples"]) == 12 and len(ours["regressors"]) == 3
    with pytest.raises(cupel.Error, match="there must be 3"):
        cupel.predict("sets.sqlite", structure="sp-svm,size-svm",
                      datasets=["syn-degree:graphs=40", "syn-degree:graphs=50"])
    with pytest.raises(cupel.Error, match="repeats: 0 is no whole number"):
        cupel.predict("sets.sqlite", structure="sp-svm,size-svm", repeats=0)
    with pytest.raises(cupel.Error, match="^predict: 'sets.sqlite' is a store already"):
        cupel.predict("sets.sqlite", structure="sp-svm,size-svm", store="x.sqlite")
