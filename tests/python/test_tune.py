"""Searches for settings: what the program's `tune` does, and of functions as well."""

import pathlib

import numpy as np
import pytest

import cupel
from conftest import small_protocol
from test_model import ridge, ridge_scores
from test_run import write

GRID = {"mlp": {"hidden": [2, 8], "lr": [0.1, 0.01]}}
DATA = "csbm:nodes=120,classes=3"


def searching(**tune):
    return small_protocol(tune={"splits": 2, "grid": GRID, **tune})


def test_the_program_finds_the_same(program):
    found = cupel.tune(searching(), store="ours.sqlite", name="mine", jobs=1)
    assert found.summary["done"] == 8 and found.store == "ours.sqlite"
    path = write(searching())
    theirs = program.json("tune", "./" + path, "--store", "theirs.sqlite", "--jobs", 1,
                          "--out", "best.toml")
    assert found.result == theirs
    mine = cupel.tune("./" + path, store="theirs.sqlite")
    assert mine.summary["done"] == 0 and mine.result == theirs and mine.toml == found.toml
    mine.save("ours.toml")
    assert pathlib.Path("ours.toml").read_text() == pathlib.Path("best.toml").read_text()
    with pytest.raises(cupel.Error, match="ours.toml: is there already"):
        mine.save("ours.toml")
    again = cupel.tune(searching(), store="theirs.sqlite", name="mine")
    assert again.summary["done"] == 0 and again.result == theirs
    best = max(found.trials("mlp"), key=lambda trial: trial["score"])
    assert found.best == {"mlp": best["settings"]}


def by_hand(c, data=DATA, first=3, splits=2):
    """The mean validation accuracy of ridge regression on the splits after those of the tables."""
    graph = cupel.prepare(cupel.load(data), ["symmetrise", "drop-self-loops"])
    scores = []
    for split in list(cupel.splits(graph, "per-class", n=first + splits, train=5,
                                   valid=5))[first:]:
        given = ridge_scores(graph.x.astype(float), split.train, graph.y[split.train], 3, c)
        scores.append(np.mean(given[split.valid].argmax(axis=1) == graph.y[split.valid]))
    return np.mean(scores)


def test_functions_are_searched_like_all_rows():
    values = [0.1, 1.0, 100.0]
    found = cupel.tune(searching(), models=[ridge, "mlp"], search={"grid": {"ridge": {"c": values}}})
    assert set(found.best) == {"ridge", "mlp"}
    trials = {trial["settings"]["c"]: trial for trial in found.trials("ridge")}
    assert set(trials) == set(values)
    for c, trial in trials.items():
        assert trial["score"] == pytest.approx(by_hand(c)), c
        assert trial["runs"] == trial["expected_runs"] == 2
    assert found.best["ridge"]["c"] == max(found.trials("ridge"), key=lambda t: t["score"])[
        "settings"]["c"]
    # What was found is a row of a protocol.
    chosen = small_protocol(models={"ridge": {"function": ridge, **found.best["ridge"]}})
    assert cupel.run(chosen, store="chosen.sqlite").summary["ok"] == 6


TWO = ["csbm:nodes=120,classes=3", "csbm:nodes=120,classes=3,seed=5"]


@pytest.mark.parametrize("by_dataset", [False, True])
def test_what_was_found_is_run(by_dataset):
    protocol = small_protocol(data={"datasets": TWO})
    found = cupel.tune(protocol, models=[ridge, "mlp"], by_dataset=by_dataset,
                       search={"grid": {"mlp": GRID["mlp"], ridge: {"c": [0.01, 1.0, 100.0]}},
                               "splits": 2})
    own = found.best_by_dataset
    for row in ("ridge", "mlp"):
        for place, name in enumerate(TWO):
            best = max(found.trials(row), key=lambda trial: trial["by_dataset"][place])
            assert own[row][name] == best["settings"]
    done = cupel.run(found.protocol("chosen"), models=[ridge, "mlp"], store="chosen.sqlite", splits=1,
                     inits=1)
    assert done.summary["ok"] == 4
    # The same rows with these settings by hand are the same runs.
    for place, name in enumerate(TWO):
        wanted = {row: own[row][name] if by_dataset else found.best[row] for row in own}
        by_hand = small_protocol(data={"datasets": [name]}, models={
            "mlp": {**protocol["models"]["mlp"], **wanted["mlp"]},
            "ridge": {"function": ridge, **wanted["ridge"]}})
        again = cupel.run(by_hand, store="chosen.sqlite", splits=1, inits=1)
        assert again.summary["done"] == 0 and again.summary["stored"] == 2
    with pytest.raises(cupel.Error, match="is no file"):
        found.save("chosen.toml")


def test_a_function_is_a_row_of_what_is_saved():
    path = write(small_protocol())
    cupel.tune("./" + path, search={"grid": {ridge: {"c": [1.0, 2.0]}}}, splits=1).save("found.toml")
    done = cupel.run("found.toml", models=[ridge], store="found.sqlite", splits=1)
    assert done.summary["ok"] == 2 or done.summary["ok"] == 1


def test_nothing_is_found_of_what_failed():
    @cupel.model(version="1", deterministic=True)
    def broken(task, *, c=1.0):
        raise ValueError("no")

    with pytest.warns(cupel.RunsFailed):
        found = cupel.tune(small_protocol(), search={"grid": {broken: {"c": [1.0]}}})
    with pytest.raises(cupel.Error, match="no trial of any row is complete"):
        found.protocol()


def test_a_row_of_the_protocol_may_be_a_function():
    protocol = searching(grid={"own": {"c": [1.0]}})
    protocol["models"]["own"] = {"function": ridge}
    assert cupel.tune(protocol).trials("own")[0]["score"] == pytest.approx(by_hand(1.0))


def test_a_search_sees_no_test_node():
    seen = []

    @cupel.model(version="1")
    def looking(task, *, depth=1):
        seen.append(len(task.idx_test))
        assert not any("test" in name and len(value) for name, value in task.arrays.items())
        return np.zeros((task.nodes, task.classes))

    found = cupel.tune(small_protocol(), search={"grid": {looking: {"depth": [1, 2]}}, "splits": 2})
    assert found.summary["failed"] == 0 and seen == [0] * 4


def test_ranges_are_drawn_and_a_larger_budget_goes_on():
    space = {"random": {ridge: {"c": {"log": [1e-3, 1e3]}}}, "splits": 1}
    few = cupel.tune(small_protocol(), search=space, budget=3)
    more = cupel.tune(small_protocol(), search=space, budget=5)
    assert few.result["method"] == "random" and few.summary["done"] == 3
    assert more.summary["done"] == 2 and more.trials("ridge")[:3] == few.trials("ridge")
    drawn = [trial["settings"]["c"] for trial in more.trials("ridge")]
    assert len(set(drawn)) == 5 and all(1e-3 <= c <= 1e3 for c in drawn)


def test_what_is_given_replaces_what_the_protocol_says():
    protocol = searching(grid={**GRID, "gcn": {"lr": [0.01]}}, budget=3)
    found = cupel.tune(protocol, search={"grid": {"mlp": {"hidden": [4]}}, "splits": 1})
    assert [trial["settings"] for trial in found.trials("mlp")] == [{"hidden": 4}]
    assert [trial["settings"] for trial in found.trials("gcn")] == [{"lr": 0.01}]
    assert (found.result["splits"], found.result["budget"]) == (1, 3)
    assert cupel.tune(protocol, splits=1, inits=2, models="gcn").trials("gcn")[0]["runs"] == 2


def test_a_row_is_one_however_it_is_spelled():
    found = cupel.tune(searching(), search={"grid": {"MLP": {"hidden": [16, 32]}}}, splits=1)
    assert sorted(trial["settings"]["hidden"] for trial in found.trials("mlp")) == [16, 32]
    assert found.toml.count("[models.mlp]") == 1
    # The scores are those of these settings.
    alone = cupel.tune(searching(grid={"mlp": {"hidden": [16, 32]}}), splits=1, store="alone.sqlite")
    assert found.trials("mlp") == alone.trials("mlp")


def test_a_graph_in_memory_is_searched_on(graph):
    mine = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="mine")
    here = cupel.tune(small_protocol(), search={"grid": {ridge: {"c": [1.0]}}, "splits": 2},
                      datasets=[mine])
    assert here.result["datasets"] == ["mine"]
    assert here.trials("ridge")[0]["score"] == pytest.approx(by_hand(1.0))


def test_a_trial_that_fails_is_not_chosen():
    @cupel.model(version="1", deterministic=True)
    def fragile(task, *, c=1.0):
        if c > 1:
            raise ValueError("too much")
        return ridge_scores(task.x.astype(float), task.idx_train, task.y_train, task.classes, c)

    with pytest.warns(cupel.RunsFailed, match="too much"):
        found = cupel.tune(small_protocol(), search={"grid": {fragile: {"c": [1.0, 2.0]}}})
    assert found.best == {"fragile": {"c": 1.0}} and found.summary["failed"] == 5
    assert {trial["settings"]["c"]: trial["score"] is None
            for trial in found.trials("fragile")} == {1.0: False, 2.0: True}
    with pytest.warns(cupel.RunsFailed):
        none = cupel.tune(small_protocol(), search={"grid": {fragile: {"c": [3.0]}}})
    assert none.best == {} and "no trial is complete" in repr(none)


@pytest.mark.parametrize("call, told", [
    (lambda p: cupel.tune(small_protocol()), "[tune]"),
    (lambda p: cupel.tune(p, budget=0), "budget"),
    (lambda p: cupel.tune(p, splits=1.5), "splits"),
    (lambda p: cupel.tune(p, jobs=-1), "jobs"),
    (lambda p: cupel.tune(p, by_dataset=1), "by_dataset"),
    (lambda p: cupel.tune(p, method="guess"), "guess"),
    (lambda p: cupel.tune(p, models="gcn"), "tune.grid.gcn"),
    (lambda p: cupel.tune(p, models=[ridge]), "tune.grid.ridge"),
    (lambda p: cupel.tune(p, datasets="corra"), "cora"),
    (lambda p: cupel.tune(p, search={"gird": {"mlp": {"lr": [1]}}}), "grid"),
    (lambda p: cupel.tune(p, search={"grid": {"mpl": {"lr": [0.1]}}}), "mlp"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"lr": 0.1}}}), "list"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"lr": {"log": [0.1, 1]}}}}), "range"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"lr": [float("nan")]}}}), "NaN"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"lr": [None]}}}), "None"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"layrs": [2]}}}), "layrs"),
    (lambda p: cupel.tune(p, search={"grid": {ridge: {"d": [2]}}}), "'d'"),
    (lambda p: cupel.tune(p, search={"first_split": 0}), "first_split"),
    (lambda p: cupel.tune(p, search={"grid": {"mlp": {"lr": [1]}, "MLP": {"lr": [2]}}}),
     "a table here already"),
    (lambda p: cupel.tune(p, store=":memory:"), ":memory:: is no file"),
    (lambda p: cupel.tune("quickstart", search={"grid": 3}), "grid"),
])
def test_bad_input(call, told):
    with pytest.raises(cupel.Error) as error:
        call(searching())
    assert told in str(error.value) and "bug" not in str(error.value)


def test_no_such_row():
    found = cupel.tune(searching())
    with pytest.raises(KeyError, match="mlp"):
        found.trials("gcn")
