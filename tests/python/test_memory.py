"""A function in a process of its own that takes more memory than it may: one failed run."""

import mmap
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import cupel
from conftest import small_protocol
from cupel import _processes
from test_processes import has_ended, nothing_is_left, wait_until, who  # noqa: F401

MB = 1 << 20
KEPT = []


@pytest.fixture(autouse=True, params=["as the machine has it", "by looking"])
def means(request, monkeypatch):
    monkeypatch.setattr(_processes, "_ONLY_LOOK", request.param == "by looking")


def hoard():
    """Without bound, as a slow leak does."""
    kept = []
    while True:
        kept.append(np.ones(MB // 8))


def hoard_at_once():
    np.ones(1 << 40)


def hoard_by_small_things():
    kept = []
    while True:
        kept.append([object() for _ in range(1000)])


def hoard_shared():
    """In no process's own account of data."""
    for _ in range(250):
        KEPT.append(mmap.mmap(-1, MB))
        KEPT[-1].write(bytes([1]) * MB)
    time.sleep(1)


HOARDING_CHILD = ("import mmap, time\nkept = []\nfor i in range(250):\n    "
                  "kept.append(mmap.mmap(-1, 1 << 20)); kept[-1].write(b'1' * (1 << 20))\n"
                  "time.sleep(5)")


def hoard_in_a_child():
    subprocess.run([sys.executable, "-c", HOARDING_CHILD])


def hoard_in_a_session():
    """A child that no signal to the group of processes reaches."""
    child = subprocess.Popen([sys.executable, "-c", HOARDING_CHILD], start_new_session=True)
    with open("child", "w") as file:
        file.write(str(child.pid))
    child.wait()



@pytest.mark.parametrize("hoarding, said", [
    (hoard, "MemoryError"), (hoard_at_once, "MemoryError"),
    (hoard_by_small_things, "MemoryError"),
    (hoard_shared, "held more than"), (hoard_in_a_child, "held more than"),
    (hoard_in_a_session, "held more than")])
def test_a_hoarder_is_a_failed_run_and_the_next_gets_a_fresh_process(hoarding, said):
    lines, done = who(body=lambda task: hoarding() if (task.split, task.init) == (0, 1) else None,
                      processes=1, jobs=1, memory="100M", timeout=60)
    assert done.summary["ok"] == 5 and done.summary["failed"] == 1, done.summary["failures"]
    failure = done.summary["failures"][0]
    assert said in failure and "100 MB" in failure and "memory_mb" in failure
    assert len({line[0] for line in lines}) == 2
    if os.path.exists("child"):
        with open("child") as file:
            process = file.read()
        wait_until(lambda: has_ended(process), 10)


def test_what_the_caller_holds_is_no_room_for_a_function():
    held = np.ones(400 * MB // 8)
    lines, done = who(body=lambda task: hoard_shared() if (task.split, task.init) == (0, 1) else None,
                      processes=1, jobs=1, memory="100M", timeout=60)
    assert done.summary["failed"] == 1 and "held more than" in done.summary["failures"][0]
    del held


def test_what_children_have_of_the_caller_is_nobodys():
    """Many forks of a large process hold little of their own."""
    held = np.ones(400 * MB // 8)
    lines, done = who(body=lambda task: rest_in_children(), processes=2, jobs=2, memory="200M",
                      timeout=60)
    assert done.summary["failed"] == 0, done.summary["failures"]
    del held


def rest_in_children():
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            time.sleep(0.3)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def take(megabytes):
    @cupel.model(version=f"{megabytes}", name=f"takes-{megabytes}")
    def taking(task):
        kept = np.ones(megabytes * MB // 8)
        return np.zeros((task.nodes, task.classes)) + kept[0]
    return taking


def statuses(models, **more):
    with pytest.warns(cupel.RunsFailed):
        done = cupel.run(small_protocol(models=models), inits=1, processes=2, jobs=2, **more)
    return {(row["model"], row["status"]) for row in done.runs().rows()}


def test_each_row_has_the_limit_that_it_says():
    models = {"a": {"function": take(150), "memory_mb": 300},
              "b": {"function": take(151), "memory_mb": 100},
              "c": {"function": take(20), "memory_mb": 100}}
    assert statuses(models, store="s") == {("a", "ok"), ("b", "failed"), ("c", "ok")}


def test_without_a_word_processes_share_what_runs_may_take():
    models = {"a": {"function": take(150)}, "b": {"function": take(50)}}
    assert statuses(models, store="s", memory="200M") == {("a", "failed"), ("b", "ok")}


def test_what_a_process_was_born_with_is_not_counted():
    born = np.ones(150 * MB // 8)

    def reads_and_writes(task):
        born[:100 * MB // 8] += 1  # pages of its own now
        assert born[-1] == 1

    _, done = who(body=reads_and_writes, processes=2, memory="100M", inits=1)
    assert done.summary["ok"] == 3, done.summary["failures"]
    assert born[0] == 1


def test_the_graph_is_not_counted():
    wide = cupel.Graph.from_numpy([[0, 1], [1, 0]], np.ones((60, 1 << 19), dtype=np.float32),
                                  np.arange(60) % 3, name="wide")  # 120 MB

    @cupel.model(version="1")
    def walks(task):
        return np.zeros((task.nodes, task.classes)) + float(task.x.sum() > 0)

    done = cupel.run(small_protocol(), datasets=[wide], models=[walks], inits=1,
                     processes=2, memory="160M", store="s")
    assert done.summary["ok"] == 3, done.summary["failures"]
