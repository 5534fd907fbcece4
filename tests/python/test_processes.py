"""Functions called by forked processes: the same scores, side by side, and a crash is one run's."""

import concurrent.futures
import errno
import multiprocessing.pool
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import cupel
from conftest import small_protocol
from test_graph_models import nearest, sets_of_graphs
from test_model import facts_protocol, popular, ridge


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No process of a function lives on."""
    before = children()
    yield
    deadline = time.monotonic() + 5
    while children() - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert children() == before


def children():
    """Processes whose parent is this one, or that were forked by one that is gone."""
    found = set()
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = (place / "stat").read_text().rsplit(")", 1)[1].split()
            command = (place / "cmdline").read_bytes()
        except OSError:
            continue
        own = pathlib.Path("/proc/self/cmdline").read_bytes()
        if command == own and int(place.name) != os.getpid():
            found.add((int(place.name), status[19]))  # when it started
    return found


def rows(done):
    return sorted((row["model"], row["dataset"], row["split"], row["init"], row["test_score"],
                   row["valid_score"], row["id"]) for row in done.runs().rows())


@cupel.model(version="1")
def drawn(task, *, scale=1.0):
    """Depends on seed, arcs, and both kinds of features."""
    x = np.asarray(task.features @ np.ones(task.features.shape[1])).ravel() + task.x.sum(axis=1)
    reached = np.zeros(task.nodes)
    np.add.at(reached, task.edge_index[1], x[task.edge_index[0]])
    noise = task.rng().normal(size=(task.nodes, task.classes))
    return scale * noise + (reached + task.adjacency @ x)[:, None] % 1


@pytest.mark.parametrize("model, protocol", [
    (ridge, small_protocol()),
    (drawn, small_protocol(data={"datasets": ["csbm:nodes=120,classes=3", "csbm:nodes=100"]})),
    (nearest, sets_of_graphs()),
])
def test_the_scores_are_those_of_this_process(model, protocol):
    pytest.importorskip("scipy")
    here = cupel.run(protocol, models=[model], store="here.sqlite")
    there = cupel.run(protocol, models=[model], store="there.sqlite", processes=3, jobs=4)
    assert here.summary["failures"] == there.summary["failures"] == []
    assert rows(here) == rows(there)
    again = cupel.run(protocol, models=[model], store="here.sqlite", processes=2)
    assert again.summary["done"] == 0


def test_links_are_asked_alike():
    @cupel.model(version="1", deterministic=True)
    def common(task):
        neighbours = np.zeros((task.nodes, task.nodes))
        neighbours[tuple(task.edge_index)] = 1
        shared = neighbours @ neighbours
        return tuple(shared[tuple(pairs.T)] for pairs in (task.pairs_valid, task.pairs_test))

    protocol = small_protocol(task="links", metric="roc-auc", links={"negatives": "uniform"})
    protocol["split"] = {"scheme": "links", "train": 80, "valid": 10, "test": 10, "count": 3}
    protocol["models"] = {"common": {"function": common}}
    here = cupel.run(protocol, store="here.sqlite")
    there = cupel.run(protocol, store="there.sqlite", processes=2)
    assert there.summary["failures"] == [] and rows(here) == rows(there)


@pytest.mark.parametrize("question", ["which", "whether"])
def test_facts_over_time_are_asked_step_by_step(question):
    here = cupel.run(facts_protocol(question, popular), models="mine", store="here.sqlite")
    there = cupel.run(facts_protocol(question, popular), models="mine", store="there.sqlite",
                      processes=1)
    assert there.summary["failures"] == [] and rows(here) == rows(there) and len(rows(here)) == 1


def test_a_step_that_is_skipped_is_a_failed_run():
    skipping = cupel.model(lambda task: list(task.steps()), name="mine", version="1")
    with pytest.warns(cupel.RunsFailed, match=r"went on from step 1 \(valid\)"):
        cupel.run(facts_protocol("which", skipping), models="mine", store="f.sqlite", processes=1)


def who(store="s.sqlite", protocol=None, body=None, **more):
    """Runs a function whose processes write their numbers down; the lines, and what was done."""
    @cupel.model(version="1")
    def noting(task):
        with open("who", "a") as file:
            file.write(f"{os.getpid()} {task.split} {task.init}\n")
        if body is not None:
            body(task)
        return np.zeros((task.nodes, task.classes))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cupel.RunsFailed)
        done = cupel.run(protocol or small_protocol(), models=[noting], store=store, **more)
    return [line.split() for line in pathlib.Path("who").read_text().splitlines()], done


def test_processes_are_kept_and_are_not_this_one():
    lines, done = who(processes=2, jobs=4)
    assert done.summary["ok"] == 6 and len(lines) == 6
    numbers = {int(line[0]) for line in lines}
    assert 1 <= len(numbers) <= 2 and os.getpid() not in numbers


def test_they_run_side_by_side():
    """Each waits until the other is there, which one after the other never ends."""
    def meet(task):
        pathlib.Path(f"here-{task.split}").touch()
        while not pathlib.Path(f"here-{1 - task.split}").exists():
            time.sleep(0.005)

    _, done = who(body=meet, processes=2, jobs=2, splits=2, inits=1, timeout=20)
    assert done.summary["ok"] == 2, done.summary["failures"]


ENDINGS = {
    "crash": (lambda: os.kill(os.getpid(), signal.SIGSEGV), "signal 11 (Segmentation fault)"),
    "killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), "signal 9 (Killed)"),
    "exit": (lambda: os._exit(7), "exit code 7"),
    "polite exit": (lambda: exit(3), "SystemExit"),
    "exception": (lambda: {}["key"], "KeyError: 'key' (test_processes.py, line"),
    "closed": (lambda: os.closerange(3, 200), "process"),  # as we see it first or it does
}


def test_arrays_only_read_as_in_this_process():
    def write(task):
        for array in (task.y_train, task.idx_test, task.x, task.edge_index):
            assert not array.flags.writeable

    _, done = who(body=write, processes=1, jobs=1, inits=1)
    assert done.summary["ok"] == 3, done.summary["failures"]


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_is_a_failed_run_and_the_next_gets_a_fresh_process(name):
    act, said = ENDINGS[name]
    lines, done = who(body=lambda task: act() if (task.split, task.init) == (0, 1) else None,
                      processes=1, jobs=1)
    assert done.summary["ok"] == 5 and done.summary["failed"] == 1, done.summary["failures"]
    assert said in done.summary["failures"][0]
    process = {(split, init): number for number, split, init in lines}
    order = [(split, init) for _, split, init in lines]
    at = order.index(("0", "1"))
    later = {process[place] for place in order[at + 1:]}
    assert process["0", "1"] not in later and len(later) == 1


# The second passes for the length of a message that never comes.
@pytest.mark.parametrize("rubbish", [b"\0\0\0\5trash", b"x" * 100, b"\0"])
def test_rubbish_is_a_failed_run(rubbish):
    def write(task):
        if task.split == 0:
            for number in map(int, os.listdir("/proc/self/fd")):
                try:
                    if stat.S_ISSOCK(os.fstat(number).st_mode):
                        os.write(number, rubbish)
                except OSError:
                    pass

    _, done = who(body=write, processes=1, jobs=1, inits=1)
    assert done.summary["ok"] == 2 and done.summary["failed"] == 1
    assert "wrote something else" in done.summary["failures"][0]


def test_a_late_one_is_ended():
    begin = time.monotonic()
    lines, done = who(body=lambda task: time.sleep(60 if task.split == 1 else 0), processes=1,
                      jobs=1, inits=1, timeout=0.5)
    assert time.monotonic() - begin < 20
    assert done.summary["timed_out"] == 1 and done.summary["ok"] == 2
    assert "was ended, as its time was up" in done.summary["failures"][0]
    assert len({line[0] for line in lines}) == 2


def test_waiting_for_a_process_is_no_part_of_the_time():
    _, done = who(body=lambda task: time.sleep(0.3), processes=1, jobs=4, inits=1, timeout=0.8,
                  protocol=small_protocol(split={"scheme": "per-class", "train": 5, "valid": 5,
                                                 "count": 4}))
    assert done.summary["ok"] == 4, done.summary["failures"]


def test_what_it_starts_ends_with_it():
    def fork(task):
        if os.fork() == 0:
            time.sleep(60)
        if task.split == 0:
            time.sleep(60)

    _, done = who(body=fork, processes=1, jobs=1, inits=1, splits=1, timeout=0.5)
    assert done.summary["timed_out"] == 1  # and see nothing_is_left


def leaving(daemon):
    def leave(task):
        if task.init == 0:
            threading.Thread(target=time.sleep, args=(60,), daemon=daemon).start()

    return leave


def test_a_thread_that_goes_on_ends_with_its_process():
    lines, done = who(body=leaving(daemon=True), processes=1, jobs=1, splits=1)
    assert done.summary["ok"] == 2 and len({line[0] for line in lines}) == 2


def test_a_thread_that_is_left_is_a_failure_and_the_next_run_has_a_fresh_process():
    lines, done = who(body=leaving(daemon=False), processes=1, jobs=1, splits=1)
    assert (done.summary["ok"], done.summary["failed"]) == (1, 1)
    assert "left the thread" in done.summary["failures"][0]
    assert len({line[0] for line in lines}) == 2


@pytest.mark.parametrize("depth", [1, 2])
def test_one_thread_that_is_left_in_this_process_is_a_failure(depth):
    """Also one that a thread of the function's started."""
    gate = threading.Event()

    def start(left):
        threading.Thread(target=start if left > 1 else gate.wait, args=(left - 1,) if left > 1 else (),
                         name=f"helper {left}").start()

    try:
        _, done = who(body=lambda task: start(depth) if (task.split, task.init) == (0, 1) else None,
                      jobs=1)
    finally:
        gate.set()
    assert (done.summary["ok"], done.summary["failed"]) == (5, 1)
    assert "left the thread 'helper 1' running; join it" in done.summary["failures"][0]


def test_threads_that_end_by_themselves_are_no_failure():
    _, done = who(body=lambda task: threading.Thread(target=time.sleep, args=(0.1,)).start(), jobs=1,
                  splits=1)
    assert done.summary["ok"] == 2


def test_threads_that_others_start_meanwhile_are_no_failure():
    """As a server in this process does for each question."""
    gate, asked = threading.Event(), threading.Event()

    def other():
        asked.wait()
        for _ in range(2):
            threading.Thread(target=gate.wait, daemon=False).start()

    beside = threading.Thread(target=other)
    beside.start()
    before = threading.active_count()

    def ask(task):
        asked.set()
        wait_until(lambda: threading.active_count() > before)

    try:
        _, done = who(body=ask, jobs=1, splits=1, inits=1)
    finally:
        gate.set()
        asked.set()
        beside.join()
    assert done.summary["ok"] == 1, done.summary["failures"]


@pytest.mark.parametrize("processes", [0, 1])
def test_pools_of_threads_are_no_failure(processes):
    """One that each run makes and ends, one that is kept, and one that is dropped."""
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    kept = concurrent.futures.ThreadPoolExecutor(2, "kept")

    def pools(task):
        list(kept.map(abs, range(8)))
        list(concurrent.futures.ThreadPoolExecutor(2).map(abs, range(8)))
        with multiprocessing.pool.ThreadPool(2) as pool:
            pool.map(abs, range(8))
        joblib.Parallel(2, prefer="threads")(joblib.delayed(abs)(i) for i in range(8))

    _, done = who(body=pools, jobs=1, processes=processes)
    kept.shutdown()
    assert done.summary["ok"] == 6, done.summary["failures"]


def test_daemons_that_every_run_leaves_in_this_process_are_a_failure():
    gate = threading.Event()

    def leave(task):
        if (task.split, task.init) != (0, 1):
            threading.Thread(target=gate.wait, name="my helper", daemon=True).start()

    try:
        _, done = who(body=leave, jobs=1)
    finally:
        gate.set()
    assert (done.summary["ok"], done.summary["failed"]) == (4, 2)  # the last two of six
    assert "left a thread running, this one 'my helper'" in done.summary["failures"][0]


def test_ctrl_c_is_heard_while_a_function_runs():
    def shown(text, done, total):  # as Ctrl-C raises it there
        if pathlib.Path("who").exists():
            raise KeyboardInterrupt

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        who(body=lambda task: time.sleep(60), processes=1, jobs=1, progress=shown)
    assert time.monotonic() - begin < 20
    _, done = who(processes=1, jobs=1)
    assert done.summary["ok"] == 6


def test_arrays_only_read_and_are_not_copied():
    @cupel.model(version="1")
    def writing(task):
        for array in (task.indptr, task.indices, task.sources, task.edge_index, task.x):
            assert not array.flags.writeable
        owner = task.indices
        while getattr(owner, "base", None) is not None:
            owner = owner.base
        assert "mmap" in type(getattr(owner, "obj", owner)).__name__, type(owner)
        task.indices[0] = 5
        return np.zeros((task.nodes, task.classes))

    with pytest.warns(cupel.RunsFailed, match="read-only"):
        cupel.run(small_protocol(), models=[writing], splits=1, inits=1, processes=1, store="s")


def test_what_is_printed_comes_out(capfd):
    print("before", end="")
    who(body=lambda task: print("said by the function"), processes=1, splits=1, inits=1)
    out = capfd.readouterr().out
    assert out.count("said by the function") == 1 and out.count("before") == 1


def test_a_search_uses_them():
    space = {"grid": {ridge: {"c": [0.1, 10.0]}}, "splits": 2}
    here = cupel.tune(small_protocol(), search=space, store="here.sqlite")
    there = cupel.tune(small_protocol(), search=space, store="there.sqlite", processes=2)
    assert here.result == there.result


@pytest.mark.parametrize("processes", [-1, 1.5, "many"])
def test_bad_numbers(processes, protocol):
    for act in (cupel.run, cupel.tune):
        with pytest.raises(cupel.Error, match="processes"):
            act(protocol, models=[ridge], processes=processes)


def test_a_process_that_ends_between_runs_is_no_fault_of_the_next(monkeypatch):
    give_back = cupel._processes.Processes._give_back

    def and_end_it(self, worker, good):
        give_back(self, worker, good)
        os.kill(worker._pid, signal.SIGKILL)
        wait_until(lambda: has_ended(str(worker._pid)))

    monkeypatch.setattr(cupel._processes.Processes, "_give_back", and_end_it)
    lines, done = who(processes=1, jobs=1)
    assert done.summary["ok"] == 6 and len({number for number, *_ in lines}) == 6


# The first fork is that of the process that forks the others.
@pytest.mark.parametrize("which, ok", [(1, None), (2, 5)])
def test_a_process_that_cannot_be_started_is_one_that_fails(which, ok, monkeypatch):
    fork, forks = os.fork, []

    def at_times():
        forks.append(0)
        if len(forks) == which:
            raise BlockingIOError(errno.EAGAIN, "no room")
        return fork()

    monkeypatch.setattr(os, "fork", at_times)
    said = "no process could be started for the function (Resource temporarily unavailable)"
    if ok is None:
        with pytest.raises(cupel.Error, match=re.escape(said)):
            who(processes=1, jobs=1)
        return
    _, done = who(processes=1, jobs=1)
    assert done.summary["ok"] == ok and said in done.summary["failures"][0]


def test_without_the_process_that_forks_runs_fail_and_nothing_hangs():
    """Its end is the end of the call's processes: later runs fail, and the next call has others."""
    def end_it(task):
        if (task.split, task.init) == (0, 1):
            os.kill(os.getppid(), signal.SIGKILL)
            os._exit(1)

    _, done = who(body=end_it, processes=1, jobs=1)
    assert done.summary["ok"] == 1 and done.summary["failed"] == 5
    assert any("call cupel.run again" in failure for failure in done.summary["failures"])
    _, again = who(processes=1, jobs=1, retry_failed=True)
    assert again.summary["ok"] == 5 and again.summary["failed"] == 0


def test_signals_that_this_process_ignores():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        _, done = who(body=lambda task: os._exit(4) if task.split == 0 else None, processes=1,
                      inits=1)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert done.summary["ok"] == 2 and "exit code 4" in done.summary["failures"][0]


ENDLESS = """
import os, pathlib, time
import cupel
from conftest import small_protocol

@cupel.model(version="1")
def endless(task):
    pathlib.Path("pid.new").write_text(str(os.getpid()))
    os.rename("pid.new", "pid")
    while True:
        pass

cupel.run(small_protocol(), models=[endless], processes=1, store="s")
"""


def wait_until(holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def has_ended(process):
    """Also where nobody has asked for its end."""
    try:
        return pathlib.Path("/proc", process, "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def test_functions_end_with_a_caller_that_is_killed():
    found = os.pathsep.join([str(pathlib.Path(__file__).parent),
                             str(pathlib.Path(cupel.__file__).parents[1])])
    caller = subprocess.Popen([sys.executable, "-c", ENDLESS],
                              env={**os.environ, "PYTHONPATH": found})
    try:
        wait_until(pathlib.Path("pid").exists)
    finally:
        caller.kill()
        caller.wait()
    wait_until(lambda: has_ended(pathlib.Path("pid").read_text()), 10)


def test_a_call_does_not_wait_for_the_processes_of_another():
    """Those of the second are forked while the first is at work, and have what it has open."""
    def first(task):
        pathlib.Path("first").touch()
        wait_until(pathlib.Path("second").exists)

    @cupel.model(version="1")
    def second(task):
        pathlib.Path("second").touch()
        wait_until(pathlib.Path("first is done").exists, 30)
        return np.zeros((task.nodes, task.classes))

    def call_second():
        wait_until(pathlib.Path("first").exists)
        others.append(cupel.run(small_protocol(), models=[second], splits=1, inits=1, processes=1,
                                store="second.sqlite"))

    others = []
    beside = threading.Thread(target=call_second)
    beside.start()
    try:
        _, done = who(body=first, splits=1, inits=1, processes=1)
    finally:
        pathlib.Path("first is done").touch()
        beside.join()
    assert done.summary["ok"] == 1 and others[0].summary["ok"] == 1, others[0].summary["failures"]
