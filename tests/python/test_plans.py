"""Plans for many machines, how far they are, and stores that become one: as the program has them."""

import json
import os
import pathlib

import pytest

import cupel
from conftest import small_protocol


def written(protocol, name="mine"):
    pathlib.Path(f"{name}.toml").write_text(cupel.load_protocol(protocol, name).text)
    return f"./{name}.toml"


def test_a_plan_is_that_of_the_program_to_the_byte(protocol, program):
    part = {"models": ["mlp", "gcn"], "splits": 2, "inits": 1}
    words = ("--models", "mlp,gcn", "--splits", 2, "--inits", 1, "--pilot", "none")
    path = written(protocol)
    for more, cut in (({"shards": 3}, ("--shards", 3)), ({"target": "0.01s"}, ("--target", "0.01s")),
                      ({}, ())):
        said = program("plan", path, *words, *cut, "--out", "theirs.plan").stdout
        told = cupel.plan(path, **part, **more, pilot="none", out="ours.plan", progress=False)
        assert pathlib.Path("ours.plan").read_bytes() == pathlib.Path("theirs.plan").read_bytes()
        assert said == f"theirs.plan: {told['words']}\n"
    whole = json.loads(pathlib.Path("ours.plan").read_text())
    assert (told["file"], told["plan"], told["protocol"]) == ("ours.plan", whole["hash"], "mine")
    assert (told["runs"], told["shards"], told["later"]) == (4, whole["shards"], whole["later"])
    assert told["folder"] == "ours.shards" and told["store"] == "mine.sqlite"
    # A dict needs no file, and a plan of it names none.
    told = cupel.plan(protocol, **part, pilot="none", name="said", progress=False)
    assert told["file"] == "said.plan" and not os.path.exists("said.toml")
    assert [run[:5] for run in json.loads(pathlib.Path("said.plan").read_text())["runs"]] == \
        [run[:5] for run in whole["runs"]]


def test_where_nothing_is_left_there_is_no_plan(protocol, program):
    cupel.run(protocol, store="all.sqlite", name="mine", progress=False)
    told = cupel.plan(protocol, store="all.sqlite", name="mine", progress=False)
    assert told["file"] is None and told["plan"] is None and told["runs"] == told["shards"] == 0
    said = program("plan", written(protocol), "--store", "all.sqlite").stderr
    assert said == f"cupel: {told['words']}\n" and "nothing to share out" in said
    assert not os.path.exists("mine.plan")


def test_a_plan_is_made_of_what_is_asked(protocol):
    with pytest.raises(cupel.Error, match="shards: 0 is no whole number"):
        cupel.plan(protocol, shards=0)
    with pytest.raises(cupel.Error, match="--target: '-3m'"):
        cupel.plan(protocol, target="-3m", pilot="none", progress=False)
    pathlib.Path("mine.txt").write_text("for today")
    with pytest.raises(cupel.Error, match="mine.txt: is no plan, and is not written over"):
        cupel.plan(protocol, out="mine.txt")
    assert pathlib.Path("mine.txt").read_text() == "for today"
    with pytest.raises(cupel.Error, match="split: cuts facts over time"):
        cupel.plan(protocol, split="0.7,0.85")
    many = cupel.plan(protocol, models="majority", shards=100, pilot="none", progress=False)
    assert many["shards"] == many["runs"] == 3
    assert many["note"].startswith("3 runs make 3 shards at most")


def test_how_far_a_plan_is(protocol, program):
    told = cupel.plan(protocol, shards=2, name="mine", pilot="none", progress=False)
    assert cupel.status(told["file"])["missing"] == [1, 2]
    program("work", "mine.plan", "--shard", "1/2")
    status = cupel.status("mine.plan")
    assert status.pop("missing") == [2] and status.pop("notes") == []
    assert status == json.loads(program("status", "mine.plan", "--json", code=1).stdout)
    assert [shard["state"] for shard in status["shards"]] == ["done", "missing"]
    other = cupel.status("mine.plan", out="elsewhere", store="x.sqlite")
    assert (other["folder"], other["store"]) == ("elsewhere", "x.sqlite")
    assert other["missing"] == [1, 2]
    store, = pathlib.Path("mine.shards").glob("*.sqlite")
    store.write_text("rubbish")
    status = cupel.status("mine.plan")
    assert status["missing"] == [1, 2] and status["shards"][0]["state"] == "damaged"
    assert len(status["notes"]) == 1 and status["notes"][0].startswith(f"{store}: is damaged")
    with pytest.raises(cupel.Error, match="nobody.plan"):
        cupel.status("nobody.plan")


def test_shards_are_merged_as_the_program_merges_them(protocol, program):
    cupel.plan(protocol, shards=2, name="mine", pilot="none", progress=False)
    for shard in ("1/2", "2/2"):
        program("work", "mine.plan", "--shard", shard)
    ours = cupel.merge("mine.shards", "ours.sqlite")
    theirs = json.loads(program("merge", "theirs.sqlite", "mine.shards", "--json").stdout)
    assert ours["holds"] is True and ours["conflicts"] == [] and ours["notes"] == []
    assert ours["runs"] == theirs["runs"] == 15 and ours["merged"] == theirs["merged"]
    assert ours["store"] == "ours.sqlite"
    cupel.run(protocol, store="serial.sqlite", name="mine", progress=False)
    scores = [sorted((row["id"], row["test_score"])
                     for row in cupel.results(f"{name}.sqlite", protocol="mine").runs().rows())
              for name in ("ours", "theirs", "serial")]
    assert scores[0] == scores[1] == scores[2] and len(scores[0]) == 15


_SIGN = [1.0]  # nothing that an identity has


@cupel.model(version="1", deterministic=True)
def fickle(task):
    return _SIGN[0] * task.x[:, :task.classes]


def test_contradictions_are_a_part_of_what_a_merge_gives(protocol, program):
    scores = {}
    for store, sign in (("one.sqlite", 1.0), ("two.sqlite", -1.0)):
        _SIGN[0] = sign
        done = cupel.run(protocol, models=[fickle], store=store, name="mine", splits=1,
                         progress=False)
        scores[store], = done.runs()["test_score"]
    assert scores["one.sqlite"] != scores["two.sqlite"]
    told = cupel.merge(list(scores), "ours.sqlite")
    said = program("merge", "theirs.sqlite", *scores, "--json", code=3)
    theirs = json.loads(said.stdout)
    assert told["holds"] is False and len(told["conflicts"]) == 1 and told["runs"] == 0
    assert told["conflicts"] == theirs["conflicts"] and told["merged"] == theirs["merged"]
    assert {side["stores"][0]: side["test_score"] for side in told["conflicts"][0]["sides"]} == scores
    assert told["conflicts"][0]["id"] in said.stderr


def test_stores_are_held_against_each_other_as_the_program_does(protocol, program):
    for store, sign in (("one.sqlite", 1.0), ("two.sqlite", -1.0)):
        _SIGN[0] = sign
        protocol["models"]["mlp"]["hidden"] = 8 if sign > 0 else 4
        cupel.run(protocol, models=[fickle, "mlp", "majority"], store=store, name="mine", splits=1,
                  inits=1, progress=False)
    told = cupel.diff("one.sqlite", "two.sqlite")
    assert told == json.loads(program("diff", "one.sqlite", "two.sqlite", "--json", code=3).stdout)
    assert told["holds"] is False and told["equal"] == 1
    assert [run["model"] for run in told["different"]] == ["fickle"]
    group, = told["only_a"]
    assert group["fields"] == [{"field": "family.model.settings.hidden", "a": 8, "b": 4}]
    cupel.merge(["one.sqlite", "two.sqlite"], to="both.sqlite")
    run, = group["runs"]
    runs = cupel.diff(run["id"], run["nearest"], store="both.sqlite")
    assert runs["identity"] == group["fields"]
    assert cupel.diff("one.sqlite", "one.sqlite")["holds"] is True
    with pytest.raises(cupel.Error, match="none.sqlite"):
        cupel.diff("one.sqlite", "none.sqlite")
    with pytest.raises(cupel.Error, match="are one run"):
        cupel.diff(run["id"], run["id"], store="both.sqlite")


def test_cells_of_other_data_are_a_part_of_it_as_well(program):
    other = small_protocol(data={"datasets": ["mine"], "mine": {"path": "mine.npz"}})
    for seed in (1, 2):
        cupel.generate("csbm", nodes=120, classes=3, seed=seed).save("mine.npz")
        cupel.run(other, models="majority", store=f"{seed}.sqlite", name="p", progress=False)
    told = cupel.merge(["1.sqlite", "2.sqlite"], "ours.sqlite")
    said = program("merge", "theirs.sqlite", "1.sqlite", "2.sqlite", "--json", code=3)
    assert told["merged"] == json.loads(said.stdout)["merged"]
    assert told["holds"] is False and told["conflicts"] == []
    assert not told["merged"][0]["cells_not_taken"] and told["merged"][1]["cells_not_taken"]


def test_notes_of_a_merge_are_those_of_the_program(protocol, program):
    """One version under two names."""
    for name in ("ann", "bob"):
        cupel.run(protocol, models="majority", store=f"{name}.sqlite", name=name, progress=False)
    told = cupel.merge(["bob.sqlite", "ann.sqlite"], "out.sqlite")
    os.remove("out.sqlite")
    said = program("merge", "out.sqlite", "bob.sqlite", "ann.sqlite").stderr
    assert told["holds"] is True and told["notes"]
    assert said == "".join(f"cupel: {note}\n" for note in told["notes"])


def test_what_cannot_be_merged_leaves_no_store(protocol):
    cupel.run(protocol, models="majority", store="one.sqlite", name="mine", progress=False)
    pathlib.Path("bad.sqlite").write_text("rubbish")
    for stores, to, why in ((["one.sqlite", "bad.sqlite"], "out", "bad.sqlite: "),
                            ("absent.sqlite", "out", "absent.sqlite"),
                            ([], "out", "stores: the list is empty"), (3, "out", "stores: "),
                            ("one.sqlite", "", "to: the path is empty"),
                            ("one.sqlite", "one.sqlite", "is both the result and a source"),
                            ("one.sqlite", ":memory:", "is no file")):
        with pytest.raises(cupel.Error, match=why):
            cupel.merge(stores, to)
    assert not os.path.exists("out") and len(cupel.results("one.sqlite").runs()) == 3
