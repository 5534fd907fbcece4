"""Shards mapped over engines: the store is that of the run on one machine, to the bit.

pip install ray 'dask[distributed]' submitit
"""

import importlib
import json
import os
import pathlib
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

import cupel
from cupel import engines
from conftest import REAL_DATA, small_protocol, without_cost

ENGINES = {"ray": "ray", "dask": "distributed", "submitit": "submitit"}


@pytest.fixture(autouse=True)
def installed(program, monkeypatch, elsewhere):
    """Machines of a cluster find the program on their PATH."""
    if "CUPEL_PROGRAM" in os.environ:
        folder = os.path.dirname(os.path.abspath(os.environ["CUPEL_PROGRAM"]))
        monkeypatch.setenv("PATH", folder + os.pathsep + os.environ["PATH"])


@pytest.fixture(params=sorted(ENGINES))
def engine(request, monkeypatch):
    package = pytest.importorskip(ENGINES[request.param],
                                  reason=f"{ENGINES[request.param]} is not installed")
    module = importlib.import_module("cupel.engines." + request.param)
    if request.param == "ray":  # a cluster of this test's own, with this test's environment
        package.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    how = {}
    if request.param == "submitit":
        how["executor"] = package.LocalExecutor(folder="jobs")
    if request.param == "dask":
        how["client"] = package.Client(n_workers=2, threads_per_worker=1, dashboard_address=None)
    yield lambda *arguments, **more: module.run(*arguments, **how, **more)
    if request.param == "ray":
        package.shutdown()
    if request.param == "dask":
        how["client"].close()


def results_of(store):
    """All that a store says of its runs, but for what depends on the clock."""
    columns = ("id", "status", "test_score", "valid_score", "epochs")
    return sorted(tuple(row[name] for name in columns) + (row["model"], row["split"], row["init"])
                  for row in cupel.results(store).runs().rows())


@pytest.mark.parametrize("text, why", [
    ('{"cupel_plan":2}', "another version"), ('{"cupel_plan":1,"shards":2', "cut short")])
def test_a_plan_of_another_version_is_told(text, why):
    pathlib.Path("bad.plan").write_text(text)
    with pytest.raises(cupel.Error, match=f"bad.plan: .*{why}"):
        engines.plan("bad.plan")


def test_the_store_is_the_serial_one(engine, protocol, program):
    done = engine(protocol, shards=3, store="all.sqlite", name="mine", pilot="none")
    serial = cupel.run(protocol, store="serial.sqlite", name="mine", progress=False)
    assert results_of("all.sqlite") == results_of("serial.sqlite")
    assert without_cost(done.table().to_csv()) == without_cost(serial.table().to_csv())
    assert done.table().to_csv() == program("report", "all.sqlite", "--format", "csv").stdout
    assert program("report", "all.sqlite").stdout == program("report", "serial.sqlite").stdout
    assert done.protocol == "mine" and done.summary["shards"] == 3
    assert done.summary["done"] == done.summary["planned"] == serial.summary["done"]
    again = engine(protocol, shards=3, store="all.sqlite", name="mine", pilot="none")
    assert again.summary["done"] == 0 and results_of("all.sqlite") == results_of("serial.sqlite")


def test_a_plan_that_is_there(engine, protocol, program):
    pathlib.Path("mine.toml").write_text(cupel.load_protocol(protocol, "mine").text)
    program("plan", "mine.toml", "--shards", 2, "--pilot", "none")
    program("work", "mine.plan", "--shard", "1/2")  # somebody did a part
    done = engine("mine.plan")
    assert os.path.abspath(done.store) == os.path.abspath("mine.sqlite")
    serial = cupel.run("./mine.toml", store="serial.sqlite", progress=False)
    assert without_cost(done.table().to_csv()) == without_cost(serial.table().to_csv())
    assert results_of("mine.sqlite") == results_of("serial.sqlite")


# A program that notes each run as it begins it, in a file that is none of its arguments: those are its identity.
LOGGED = """import json, sys, time
import numpy as np
folder = sys.argv[1]
task = json.load(open(folder + "/task.json"))
with open({log!r}, "a") as file:
    print(task["split"], task["init"], file=file)
time.sleep(0.2)
random = np.random.default_rng(task["seed"])
for part, name in (("valid", "valid_scores"), ("test", "scores")):
    rows = len(np.load(folder + "/task.npz")["idx_" + part])
    np.save(f"{{folder}}/{{name}}.npy", random.random((rows, task["classes"])))
"""


def logged_protocol(log):
    pathlib.Path("logged.py").write_text(LOGGED.format(log=os.path.abspath(log)))
    command = [sys.executable, os.path.abspath("logged.py"), "{task}"]
    return small_protocol(split={"scheme": "per-class", "train": 5, "valid": 5, "count": 10},
                          models={"own": {"command": command, "isolation": "none"}})


def lines_of(log):
    return pathlib.Path(log).read_text().splitlines() if os.path.exists(log) else []


def workers_at(plan):
    """Processes whose child does a shard of the plan: those of the engine."""
    parents = {}  # of the program, and of what it forks
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            status = (folder / "status").read_text()
        except OSError:
            continue
        if os.fsencode(os.path.abspath(plan)) in words and b"work" in words:
            parents[int(folder.name)] = int(re.search(r"^PPid:\s+(\d+)", status, re.M)[1])
    return set(parents.values()) - set(parents)


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert condition()


def test_a_worker_that_is_killed_costs_the_run_that_it_is_at():
    """Ray begins the shard again on another worker; nothing that was done is done there."""
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    killed = []

    def kill():
        until(lambda: len(lines_of("log")) >= 4)
        killed.extend(workers_at("mine.plan") - {1, os.getpid()})
        for worker in killed:
            os.kill(worker, signal.SIGKILL)

    protocol = logged_protocol("log")
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        done = importlib.import_module("cupel.engines.ray").run(
            protocol, shards=1, store="all.sqlite", name="mine", pilot="none")
    finally:
        killer.join()
        ray.shutdown()
    assert len(killed) == 1
    assert done.summary["done"] == done.summary["planned"] == 20
    begun = lines_of("log")
    assert len(set(begun)) == 20 and len(begun) <= 21, begun
    with pytest.warns(cupel.RunsFailed, match="not isolated: own"):
        cupel.run(protocol, store="serial.sqlite", name="mine", progress=False)
    assert results_of("all.sqlite") == results_of("serial.sqlite")


# The following ask no engine.

def test_a_shard_ends_with_the_process_that_does_it():
    settled = engines.plan(logged_protocol("log"), shards=1, name="mine", pilot="none")
    pathlib.Path("worker.py").write_text("import pickle, sys\npickle.load(open(sys.argv[1], 'rb'))()\n")
    pathlib.Path("shard").write_bytes(pickle.dumps(settled.shards[0]))
    worker = subprocess.Popen([sys.executable, "worker.py", "shard"])
    until(lambda: len(lines_of("log")) >= 4)
    assert workers_at("mine.plan") == {worker.pid}
    worker.kill()
    worker.wait()
    until(lambda: not workers_at("mine.plan"), seconds=20)
    first = lines_of("log")
    assert len(first) < 20
    assert settled.shards[0]() == 0  # by a second call
    begun = lines_of("log")
    assert len(set(begun)) == 20 and len(begun) <= 21, begun
    assert len(settled.merged().runs()) == 20


def test_shards_are_pickled_whole(protocol):
    os.mkdir("here")
    settled = engines.plan(protocol, shards=2, name="mine", pilot="none", data="here")
    one, two = pickle.loads(pickle.dumps(settled.shards))
    assert (one.index, one.count, two.index) == (1, 2, 2) and os.path.isabs(one.plan)
    assert one.options == ("--jobs", "1", "--data", os.path.abspath("here"))
    assert engines.do(one) == engines.do(two) == 0
    assert engines.do(one) == 0  # nothing is done twice
    assert len(settled.merged().runs()) == settled.merged().summary["planned"]


def test_a_part_of_a_protocol_is_planned_and_done_as_it_is_run(protocol):
    protocol = {**protocol, "models": {**protocol["models"],
                                       "wide": {"model": "mlp", "choices": {"hidden": [4, 8]}}}}
    cupel.generate("csbm", nodes=90, classes=3).save("a,b.npz")
    part = {"datasets": ["csbm:nodes=120,classes=3", "./a,b.npz"], "models": ["mlp", "wide"],
            "choices": "hidden=4", "splits": 2, "inits": 1}
    settled = engines.plan(protocol, **part, shards=2, name="mine", pilot="none", jobs=2,
                           memory="1G", timeout=60.0, publish="1m")
    for shard in settled.shards:
        assert shard.options == ("--jobs", "2", "--memory", "1G", "--timeout", "60.0",
                                 "--publish", "1m")
        assert shard() == 0
    done = settled.merged()
    serial = cupel.run(protocol, **part, store="serial.sqlite", name="mine", progress=False)
    assert results_of(settled.store) == results_of("serial.sqlite") and len(done.runs()) == 8
    assert {row["model"] for row in done.runs().rows()} == {"mlp", "wide"}
    tables = {**protocol, "table": [{"id": "one"}, {"id": "two", "models": ["majority"]}]}
    other = engines.plan(tables, tables="two", shards=1, name="other", pilot="none")
    assert other.shards[0]() == 0
    assert {row["model"] for row in other.merged().runs().rows()} == {"majority"}


def test_shards_have_the_limits_that_were_asked_for():
    slow = small_protocol(models={"slow": {"command": ["sleep", "20"]}})
    settled = engines.plan(slow, splits=1, inits=1, shards=1, name="slow", pilot="none",
                           timeout=0.3)
    assert settled.shards[0]() == 1
    with pytest.warns(cupel.RunsFailed):
        assert [row["status"] for row in settled.merged().runs().rows()] == ["timeout"]


def test_what_is_at_hand_is_planned(protocol):
    protocol["data"]["datasets"] += ["cora", "citeseer"]
    with pytest.raises(cupel.Error, match="2 data sets are not there .*`cupel fetch cora citeseer`"):
        engines.plan(protocol, name="mine", pilot="none")
    with pytest.warns(cupel.LeftOut, match="left out: cora, citeseer; run `cupel fetch cora cit"):
        settled = engines.plan(protocol, available=True, shards=1, name="mine", pilot="none")
    assert settled.shards[0]() == 0
    assert set(settled.merged().table()["dataset"]) == {"csbm:nodes=120,classes=3"}


def test_what_is_in_this_process_alone_is_no_shard(protocol, graph):
    @cupel.model(version="1")
    def mine(task):
        return task.x

    with pytest.raises(cupel.Error, match="mine is a function of this process, which shards"):
        engines.plan(protocol, models=[mine], name="p", pilot="none")
    here = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="here")
    with pytest.raises(cupel.Error, match="datasets: here is in this process's memory"):
        engines.plan(protocol, datasets=[here], name="p", pilot="none")
    # In a row it is refused, unless others are asked for.
    protocol["models"]["mine"] = mine
    with pytest.raises(cupel.Error) as refused:
        engines.plan(protocol, name="p", pilot="none")
    assert re.fullmatch(r"p:\d+: \[models\.mine\]: is the function 'mine', which is not in "
                        r"this process; hand it to cupel\.run of Python \(models=\), or leave the "
                        r"row out", str(refused.value)), refused.value
    assert not os.path.exists("p.plan")
    settled = engines.plan(protocol, models="majority", shards=1, name="p", pilot="none")
    assert settled.shards[0]() == 0


def test_a_plan_that_is_there_has_its_part(protocol):
    settled = engines.plan(protocol, shards=1, name="mine", pilot="none")
    for option, value in (("datasets", ["cora"]), ("models", "mlp"), ("tables", "1"),
                          ("choices", "a=1"), ("splits", 1), ("inits", 1), ("available", True)):
        with pytest.raises(cupel.Error, match=f"{option}: .* is a plan, which is settled"):
            engines.plan(settled.path, **{option: value})
    for option, value, why in (("splits", 0, "no whole number"), ("timeout", -1, "is no time"),
                               ("memory", 3, "is no text"), ("publish", None, "is no text"),
                               ("available", "yes", "neither True nor False")):
        with pytest.raises(cupel.Error, match=f"{option}: .*{why}"):
            engines.plan(protocol, name="other", **{option: value})


def test_failed_runs_are_told_and_kept():
    broken = small_protocol(models={"broken": {"command": ["false"]}, "mlp": {"hidden": 4}})
    settled = engines.plan(broken, shards=2, name="mine", pilot="none")
    assert max(shard() for shard in settled.shards) == 1
    with pytest.warns(cupel.RunsFailed, match="have no score"):
        done = settled.merged()
    status = [row["status"] for row in done.runs().rows() if row["model"] == "broken"]
    assert status and set(status) == {"failed"} and done.summary["failed"] == len(status)


def test_protocols_that_were_loaded_are_planned_where_they_are(protocol):
    cupel.generate("csbm", nodes=90, classes=3).save("outside.npz")
    os.mkdir("pl")
    os.rename("outside.npz", "pl/mine.npz")
    text = cupel.load_protocol({**protocol, "data": {"datasets": ["mine"],
                                                     "mine": {"path": "mine.npz"}}}).text
    pathlib.Path("pl/rel.toml").write_text(text)
    loaded = cupel.load_protocol("pl/rel.toml")
    serial = cupel.run(loaded, store="serial.sqlite", progress=False)
    for again in range(3):  # with its file, without it, with another in its place
        settled = engines.plan(loaded, shards=1, pilot="none", store=f"{again}.sqlite", out=f"{again}.plan")
        assert settled.protocol == "rel" and settled.shards[0]() == 0
        assert without_cost(settled.merged().table().to_csv()) == without_cost(serial.table().to_csv())
        if again == 0:
            pathlib.Path("pl/rel.toml").unlink()
        else:
            pathlib.Path("pl/rel.toml").write_text("")


def test_protocols_of_the_program_are_planned_with_what_was_published():
    if not os.path.exists(os.path.join(REAL_DATA, "cora", "cora.npz")):
        pytest.skip("Cora is not there; set CUPEL_DATA")
    loaded = cupel.load_protocol("quickstart")
    settled = engines.plan(loaded, shards=2, pilot="none", data=REAL_DATA)
    whole = json.loads(pathlib.Path(settled.path).read_text())
    assert whole["protocol"] == "quickstart" and whole["published"] == loaded.published_text
    assert loaded.published_text


def test_the_store_of_a_plan_lies_beside_it(protocol, program):
    os.mkdir("pl")
    made = engines.plan(protocol, shards=2, name="mine", pilot="none", out="pl/p.plan")
    os.symlink("pl/p.plan", "link.plan")
    for path in ("pl/p.plan", "link.plan"):
        again = engines.plan(path)
        assert os.path.realpath(again.store) == os.path.realpath("pl/p.sqlite")
        told = program("status", path, "--resubmit", "--engine", "commands").stderr
        assert "pl/p.sqlite" in told
    assert len(made.shards) == 2


def test_bad_input_is_one_sentence(protocol):
    with pytest.raises(cupel.Error, match="shards: 0 is no whole number"):
        engines.plan(protocol, shards=0, name="mine")
    with pytest.raises(cupel.Error, match="nobody"):
        engines.plan("nobody")
    settled = engines.plan(protocol, shards=2, name="mine", pilot="none")
    text = json.loads(pathlib.Path(settled.path).read_text())
    text["splits"] = 7
    pathlib.Path(settled.path).write_text(json.dumps(text, separators=(",", ":")))
    with pytest.raises(cupel.Error):
        settled.shards[0]()


def test_a_shard_that_is_stopped_publishes_and_goes_on(program):
    slow = small_protocol(split={"scheme": "per-class", "train": 5, "valid": 5, "count": 400},
                          train={"patience": 400, "max_epochs": 400, "inits": 3},
                          models={"mlp": {"hidden": 32}})
    settled = engines.plan(slow, shards=1, name="slow", pilot="none")
    shard = settled.shards[0]
    outcome = []

    def work():
        try:
            shard()
        except engines.Stopped as error:
            outcome.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    deadline = time.monotonic() + 20
    while not pathlib.Path("slow.shards").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.5)  # so that some runs are done
    engines.stop()
    thread.join()
    assert len(outcome) == 1 and "shard 1/1" in outcome[0]
    status = program("status", "slow.plan", "--json", code=1).stdout
    done = json.loads(status)["shards"][0]["done"]
    assert 0 < done < 1200
    assert shard() == 0 and len(settled.merged().runs()) == 1200


def test_merged_stores_are_sound(protocol, program):
    settled = engines.plan(protocol, shards=2, name="mine", pilot="none")
    for shard in settled.shards:
        shard()
    settled.merged()
    program("verify", settled.store)
    with sqlite3.connect(settled.store) as store:
        assert store.execute("pragma integrity_check").fetchone() == ("ok",)
