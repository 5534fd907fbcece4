"""Stores that are verified and signed, submissions, leaderboards: as the program has them."""

import pathlib
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest

import cupel

NAME = "csbm:nodes=120,classes=3"


@pytest.fixture
def store(protocol):
    return cupel.run(protocol, store="small.sqlite", name="small", progress=False).store


@pytest.fixture
def key():
    if not shutil.which("ssh-keygen"):
        pytest.skip("ssh-keygen is not installed")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "key"], check=True)
    return pathlib.Path("key")


def edit(store, sql):
    with sqlite3.connect(store) as database:
        database.execute(sql)
    database.close()


def test_a_store_is_verified_as_the_program_does(store, program):
    found = cupel.verify(store, progress=False)
    assert found.pop("all") is True
    assert found == program.json("verify", store)
    again = cupel.verify(store, rerun=2, seed="x", jobs=1, memory="2G", progress=False)
    assert again.pop("all") is True
    assert again == program.json("verify", store, "--rerun", "2", "--seed", "x")
    assert len(again["rerun"]["runs"]) == 2 and all(run["same"] for run in again["rerun"]["runs"])
    assert again["rerun"]["stopped"] is False


def test_a_seed_of_a_draw_is_another_each_time(store):
    seeds = {cupel.verify(store, rerun=1, progress=False)["rerun"]["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_an_edit_of_a_store_is_found(store):
    edit(store, "UPDATE runs SET test_score = 0.99 WHERE test_score IS NOT NULL")
    found = cupel.verify(store, rerun=3, progress=False)
    assert not found["holds"] and not found["all"]
    assert found["verdict"] == "It does not hold." and found["problems"]
    assert "rerun" not in found, "what is wrong already is not worth doing again"


def test_runs_on_data_of_another_folder_are_done_again(protocol, graph):
    graph.save("mine.npz")
    protocol["data"]["datasets"] = ["./mine.npz"]
    store = cupel.run(protocol, models="mlp", splits=1, store="mine.sqlite", progress=False).store
    found = cupel.verify(store, rerun=1, data=".", progress=False)
    assert found["holds"] and len(found["rerun"]["runs"]) == 1, found


def test_a_verification_can_be_given_up(store):
    class Enough(Exception):
        pass

    def enough(*state):
        raise Enough

    with pytest.raises(Enough):
        cupel.verify(store, rerun=1000, progress=enough)
    assert cupel.verify(store, progress=False)["holds"]


def test_a_store_is_signed_as_the_program_does(store, key, program):
    theirs = program.json("sign", store, "--key", "key", "--as", "ada")
    pathlib.Path(theirs["signature"]).unlink()
    done = cupel.sign(store, key, name="ada")
    assert done == theirs
    pathlib.Path("signers").write_text(done["signers_line"] + "\n")
    found = cupel.verify(store, signers="signers", progress=False)
    assert found["signature"]["state"] == "signed" and found["signature"]["signer"] == "ada"
    assert found["all"]
    pathlib.Path("nobody").write_text("")
    other = cupel.verify(store, signers="nobody", progress=False)
    assert other["holds"] and not other["all"] and other["signature"]["state"] == "unknown"
    with sqlite3.connect(store) as database:
        database.execute("DELETE FROM runs WHERE id = (SELECT min(id) FROM runs)")
    database.close()
    tampered = cupel.verify(store, progress=False)
    assert not tampered["holds"] and tampered["signature"]["state"] == "tampered"


def test_what_is_not_whole_is_not_signed(store, key, program):
    edit(store, "UPDATE runs SET test_score = 0.99 WHERE test_score IS NOT NULL")
    with pytest.raises(cupel.Error, match="is not as it was kept") as told:
        cupel.sign(store, key)
    assert str(told.value) == program.error("sign", store, "--key", "key")
    assert not pathlib.Path(f"{store}.sig").exists()


@pytest.fixture
def submission(protocol):
    """What a function of Python predicted in a run of its own, and the results of that run."""
    @cupel.model(version="1")
    def own(task):
        scores = np.zeros((task.nodes, task.classes), dtype=np.float32)
        scores[np.arange(task.nodes), (np.arange(task.nodes) + task.init) % task.classes] = 1
        folder = pathlib.Path("sub", f"split-{task.split}", f"init-{task.init}")
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / "scores.npy", scores[task.idx_test])
        return scores

    protocol["models"] = {"mlp": {"hidden": 8}}
    done = cupel.run(protocol, models=[own], store="own.sqlite", name="small", progress=False)
    pathlib.Path("small.toml").write_text(cupel.load_protocol(protocol, "small").text)
    pathlib.Path("sub", "submission.toml").write_text(
        f'protocol = "../small.toml"\ndataset = "{NAME}"\nmodel = "counting"\ncitation = "Nobody."\n')
    return done.table()


def test_a_submission_is_scored_as_the_run_that_made_it(submission, program):
    told = cupel.submit_check("sub", progress=False)
    assert told == program.json("submit", "check", "sub")
    assert told["suitable"] and told["faults"] == [] and told["scored"] == submission["n"][0] == 6
    assert told["mean"] == pytest.approx(submission["mean"][0], abs=1e-9)


def test_what_a_submission_lacks_is_named(submission):
    pathlib.Path("sub/split-1/init-0/scores.npy").unlink()
    pathlib.Path("sub/split-2/init-1/scores.npy").write_text("no array")
    told = cupel.submit_check("sub", progress=False)
    assert not told["suitable"] and told["scored"] == 4
    assert [(fault["split"], fault["init"]) for fault in told["faults"]] == [(1, 0), (2, 1)]


def test_tasks_of_a_submission_are_those_of_the_program(submission, program):
    with pytest.warns(UserWarning, match='version = "'):
        assert cupel.submit_tasks("sub", progress=False) == 3
    ours = {path: path.read_bytes() for path in pathlib.Path("sub").rglob("task.*")}
    assert len(ours) == 6
    for path in ours:
        path.unlink()
    program("submit", "tasks", "sub")
    assert {path: path.read_bytes() for path in pathlib.Path("sub").rglob("task.*")} == ours


def test_a_leaderboard_is_that_of_the_program(store, submission, program):
    pathlib.Path("all").mkdir()
    shutil.copy(store, "all/first.sqlite")
    shutil.copytree("sub", "all/sub")
    shutil.copy("small.toml", "all")
    told = cupel.leaderboard("all", "site", rerun=1, seed="x", progress=False)
    assert told.pop("holds") is True, told
    pages = {path.name: path.read_bytes() for path in pathlib.Path("site").iterdir()}
    assert "index.html" in pages
    theirs = program.json("leaderboard", "build", "all", "--out", "site", "--rerun", "1", "--seed", "x")
    assert told == theirs
    assert {path.name for path in pathlib.Path("site").iterdir()} == set(pages)
    assert {source["kind"] for source in told["sources"]} == {"store", "submission"}
    edit("all/first.sqlite", "UPDATE runs SET test_score = 0.99 WHERE test_score IS NOT NULL")
    assert cupel.leaderboard("all", "site", progress=False)["holds"] is False


def test_bad_input_of_stores(store, program):
    for call, theirs in (
            (lambda: cupel.verify("none.sqlite"), ("verify", "none.sqlite")),
            (lambda: cupel.verify(store, seed="x"), ("verify", store, "--seed", "x")),
            (lambda: cupel.verify(store, data="."), ("verify", store, "--data", ".")),
            (lambda: cupel.verify(store, rerun=1, memory="much"),
             ("verify", store, "--rerun", "1", "--memory", "much")),
            (lambda: cupel.verify(store, signers="none"), ("verify", store, "--signers", "none")),
            (lambda: cupel.sign(store, "none"), ("sign", store, "--key", "none")),
            (lambda: cupel.sign(store, "none", name="a b"),
             ("sign", store, "--key", "none", "--as", "a b")),
            (lambda: cupel.submit_check("none"), ("submit", "check", "none")),
            (lambda: cupel.submit_tasks("none"), ("submit", "tasks", "none")),
            (lambda: cupel.leaderboard("none", "site"), ("leaderboard", "build", "none", "--out", "site")),
            (lambda: cupel.leaderboard(".", "site", jobs=2),
             ("leaderboard", "build", ".", "--out", "site", "--jobs", "2"))):
        with pytest.raises(cupel.Error) as told:
            call()
        assert str(told.value) == program.error(*theirs)
    for call, part in (
            (lambda: cupel.verify(3), "store: 3"),
            (lambda: cupel.verify(store, rerun=1.5), "rerun: 1.5 is no whole number"),
            (lambda: cupel.verify(store, rerun=True), "rerun: True"),
            (lambda: cupel.verify(store, rerun=1, seed=3), "seed: 3 is no text"),
            (lambda: cupel.verify(store, rerun=1, data="no-such-folder"), "no-such-folder"),
            (lambda: cupel.sign(store, ""), "key: the path is empty"),
            (lambda: cupel.sign(store, "none", name=3), "name: 3 is no text"),
            (lambda: cupel.leaderboard(".", ""), "out: the path is empty")):
        with pytest.raises(cupel.Error, match=part):
            call()
    assert not pathlib.Path("site").exists()
