"""What a run of a Python function costs beside the function: a model of zeros, a run at a time.

    python bench/python/function_overhead.py [DATA SET ...]

For each data set: milliseconds of a processor a run of the function (which other work on the
machine changes little); of the same where it reads the dense
features; of the same in a process of its own, both processes together; and of `majority`, a model that is compiled and does next to nothing, which is what the
store, the splits and the scores take by themselves.
"""
import resource
import sys
import tempfile
import time

import numpy as np

import cupel


@cupel.model(version="1")
def zeros(task):
    return np.zeros((task.nodes, task.classes))


@cupel.model(version="1")
def zeros_of_features(task):
    return np.zeros((len(task.x), task.classes))


inside = 0.0


@cupel.model(version="1")
def timed(task):
    """How long the function itself takes, which is no overhead."""
    global inside
    begin = time.perf_counter()
    scores = np.zeros((task.nodes, task.classes))
    inside += time.perf_counter() - begin
    return scores


def processor_seconds():
    """Of this process, and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def milliseconds(model, dataset, splits, inits, processes=0):
    protocol = {"data": {"datasets": [dataset], "prepare": ["symmetrise"]},
                "split": {"scheme": "per-class", "train": 20, "valid": 30, "count": splits},
                "train": {"inits": inits},
                "models": {"majority": {}, "gcn": {}}}
    with tempfile.TemporaryDirectory() as folder:
        begin = processor_seconds()
        done = cupel.run(protocol, models=[model], store=f"{folder}/s.sqlite", jobs=1,
                         progress=False, processes=processes)
    assert done.summary["done"] == done.summary["ok"] > 0, done.summary
    taken = processor_seconds() - begin
    return 1e3 * taken / done.summary["done"], done.summary["done"]


for dataset in sys.argv[1:] or ["csbm:nodes=2500,classes=7,features=1433", "csbm:nodes=20000"]:
    for splits, inits in ((50, 20), (1000, 1)):
        rows = [("a function of zeros", zeros, 0), ("the same, reading x", zeros_of_features, 0),
                ("in its own process", zeros, 1), ("reading x there", zeros_of_features, 1),
                ("majority (compiled)", "majority", 0)]
        print(f"{dataset}, {splits} splits, {inits} initialisations")
        for name, model, processes in rows:
            taken, runs = milliseconds(model, dataset, splits, inits, processes)
            print(f"  {name:22s} {taken:7.3f} ms a run ({runs} runs)")
        inside = 0.0
        _, runs = milliseconds(timed, dataset, splits, inits)
        print(f"  {'the function itself':22s} {1e3 * inside / runs:7.3f} ms a run")
