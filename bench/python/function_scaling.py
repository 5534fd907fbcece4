"""How functions of Python scale over processes: one of about 50 ms that uses Python alone.

    python bench/python/function_scaling.py [PROCESSES]

Wall-clock seconds of 60 runs by one process and by several (default: 2), and their ratio, the
median of five turns. Beside it the same work by as many plain forked processes without Cupel,
turn about, which is what the machine gives at that time.
"""
import os
import statistics
import sys
import tempfile
import time

import numpy as np

import cupel

RUNS, TURNS = 60, 5
many = int(sys.argv[1]) if len(sys.argv) > 1 else 2


def work(steps):
    total = 0
    for i in range(steps):
        total += i * i % 7
    return total


def steps_of(seconds):
    best = min(timed(work, 100_000) for _ in range(9))
    return int(100_000 * seconds / best)


def timed(act, *given):
    begin = time.perf_counter()
    act(*given)
    return time.perf_counter() - begin


steps = steps_of(0.05)


@cupel.model(version="1")
def busy(task):
    work(steps)
    return np.zeros((task.nodes, task.classes))


def by_cupel(processes):
    protocol = {"data": {"datasets": ["csbm:nodes=300"]},
                "split": {"scheme": "per-class", "train": 5, "valid": 5, "count": RUNS},
                "train": {"inits": 1}, "models": {"gcn": {}}}
    with tempfile.TemporaryDirectory() as folder:
        done = cupel.run(protocol, models=[busy], store=f"{folder}/s.sqlite", jobs=processes,
                         progress=False, processes=processes)
    assert done.summary["ok"] == RUNS, done.summary


def by_forks(processes):
    children = []
    for _ in range(processes):
        child = os.fork()
        if child == 0:
            for _ in range(RUNS // processes):
                work(steps)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


ratios = {"cupel": [], "plain processes": []}
for _ in range(TURNS):
    for name, act in (("cupel", by_cupel), ("plain processes", by_forks)):
        one, several = timed(act, 1), timed(act, many)
        ratios[name].append(one / several)
        print(f"{name:16} 1: {one:6.2f} s   {many}: {several:6.2f} s   ratio {one / several:.2f}",
              flush=True)
for name, found in ratios.items():
    print(f"{name:16} median ratio {statistics.median(found):.2f}")
