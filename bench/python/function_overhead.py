"""What a run of a Python function costs beside the function: a model of zeros, a run at a time.

    python bench/python/function_overhead.py [DATA SET ...]

For each data set: milliseconds of a processor a run of the function (which other work on the
machine changes little); of the same where it reads the dense
features; and of `majority`, a model that is compiled and does next to nothing, which is what the
store, the splits and the scores take by themselves.
"""
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


def milliseconds(model, dataset, splits, inits):
    protocol = {"data": {"datasets": [dataset], "prepare": ["symmetrise"]},
                "split": {"scheme": "per-class", "train": 20, "valid": 30, "count": splits},
                "train": {"inits": inits},
                "models": {"majority": {}, "gcn": {}}}
    with tempfile.TemporaryDirectory() as folder:
        begin = time.process_time()
        done = cupel.run(protocol, models=[model], store=f"{folder}/s.sqlite", jobs=1,
                         progress=False)
    assert done.summary["done"] == done.summary["ok"] > 0, done.summary
    taken = time.process_time() - begin
    return 1e3 * taken / done.summary["done"], done.summary["done"]


for dataset in sys.argv[1:] or ["csbm:nodes=2500,classes=7,features=1433", "csbm:nodes=20000"]:
    for splits, inits in ((50, 20), (1000, 1)):
        rows = [("a function of zeros", zeros), ("the same, reading x", zeros_of_features),
                ("majority (compiled)", "majority")]
        print(f"{dataset}, {splits} splits, {inits} initialisations")
        for name, model in rows:
            taken, runs = milliseconds(model, dataset, splits, inits)
            print(f"  {name:22s} {taken:7.3f} ms a run ({runs} runs)")
        inside = 0.0
        _, runs = milliseconds(timed, dataset, splits, inits)
        print(f"  {'the function itself':22s} {1e3 * inside / runs:7.3f} ms a run")
