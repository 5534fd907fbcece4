"""Functions of Python on sets of graphs."""

import sys

import numpy as np
import pytest

import cupel

DATA = "syn-degree:graphs=60,nodes=20,high=15"


def sets_of_graphs(data=DATA, **more):
    return {
        "task": "graph-classification",
        "data": {"datasets": [data]},
        "split": {"scheme": "stratified-kfold", "folds": 3, "valid": 20, "count": 3},
        "train": {"inits": 2, "max_epochs": 5},
        "models": {"size-svm": {}},
        **more,
    }


def nearest_scores(degree, train, labels, classes):
    """How near each graph's mean degree is to that of the classes."""
    centres = np.array([degree[train][labels == c].mean() for c in range(classes)])
    return -np.abs(degree[:, None] - centres)


@cupel.model(version="1", deterministic=True)
def nearest(task, *, power=1.0):
    degree = np.array([one.edge_index.shape[1] / one.num_nodes for one in task.graphs])
    return nearest_scores(degree ** power, task.idx_train, task.y_train, task.classes)


# The same as a worker, from the arrays of all graphs together.
WORKER = """
import json, sys
import numpy as np
folder = sys.argv[1]
for line in sys.stdin:
    task = json.loads(line)
    with np.load(folder + "/task.npz") as a:
        starts = a["graph_starts"]
        degree = np.diff(a["adj_indptr"][starts]) / np.diff(starts)
        train, labels = a["idx_train"], a["y_train"]
        centres = np.array([degree[train][labels == c].mean() for c in range(task["classes"])])
        scores = -np.abs(degree[:, None] - centres)
        np.save(folder + "/valid_scores.npy", scores[a["idx_valid"]])
        np.save(folder + "/scores.npy", scores[a["idx_test"]])
    print(json.dumps({"run": task["run"]}), flush=True)
"""


def by_split(done, model):
    return {row["split"]: (row["test_score"], row["valid_score"])
            for row in done.runs().rows() if row["model"] == model}


def test_a_function_is_a_row_beside_a_kernel_and_scores_as_by_hand():
    done = cupel.run(sets_of_graphs(), models=[nearest, "size-svm"], store="s.sqlite")
    assert done.summary["failed"] == 0 and set(done.table()["model"]) == {"nearest", "size-svm"}
    whole = cupel.load(DATA)
    degree = np.diff(whole.indptr[whole.starts]) / np.diff(whole.starts)
    by_hand = {}
    folds = cupel.splits(whole, "stratified-kfold", n=3, folds=3, valid=20)
    for number, split in enumerate(folds):
        given = nearest_scores(degree, split.train, whole.y[split.train], 2).argmax(axis=1)
        by_hand[number] = tuple(pytest.approx(np.mean(given[part] == whole.y[part]))
                                for part in (split.test, split.valid))
    assert by_split(done, "nearest") == by_hand
    assert len(by_hand) == 3 and by_hand[0] != (0, 0)


def test_a_worker_gets_the_same(tmp_path):
    (tmp_path / "worker.py").write_text(WORKER)
    protocol = sets_of_graphs(models={"worker": {
        "command": [sys.executable, str(tmp_path / "worker.py"), "{task}"], "worker": True,
        "timeout_seconds": 60}})
    theirs = cupel.run(protocol, store="w.sqlite")
    assert theirs.summary["failed"] == 0, theirs.summary["failures"]
    ours = cupel.run(sets_of_graphs(), models=[nearest], store="s.sqlite")
    assert by_split(theirs, "worker") == by_split(ours, "nearest")


def test_what_a_task_has():
    whole = cupel.load(DATA)
    seen = []

    @cupel.model(version="1", deterministic=True)
    def looking(task):
        seen.append(task.split)
        assert task.unit == "graph" and task.classes == 2
        assert np.array_equal(task.graph_starts, whole.starts)
        assert np.array_equal(task.indptr, whole.indptr)
        assert len(task.graphs) == 60
        for mine, theirs in zip(task.graphs, (whole[i] for i in range(60))):
            assert mine.num_nodes == theirs.num_nodes and mine.y is None
            assert np.array_equal(mine.edge_index, theirs.edge_index)
            assert np.array_equal(mine.x, theirs.x)
        assert len(task.graphs[:3]) == 3 and task.graphs[-1].num_nodes == whole[59].num_nodes
        with pytest.raises(IndexError, match="60 graphs"):
            task.graphs[60]
        assert not any(name.startswith("y_test") for name in task.arrays)
        parts = np.concatenate([task.idx_train, task.idx_valid, task.idx_test])
        assert sorted(parts) == list(range(60))
        assert np.array_equal(task.y_train, whole.y[task.idx_train])
        return None, np.zeros((len(task.idx_test), 2))

    done = cupel.run(sets_of_graphs(), models=[looking], store="s.sqlite")
    assert done.summary["failures"] == [] and sorted(seen) == [0, 1, 2]


def write_set_with_tasks(folder):
    """Paths and rings of 4 to 33 nodes; two questions of each: is it a ring, has it an even number
    of nodes. Some answers are not known."""
    folder.mkdir()
    arcs, graph_of, answers, first = [], [], [], 1
    for graph in range(30):
        nodes, ring = 4 + graph, graph % 3 == 0
        pairs = [(i, i + 1) for i in range(nodes - 1)] + ([(nodes - 1, 0)] if ring else [])
        arcs += [(first + a, first + b) for u, v in pairs for a, b in ((u, v), (v, u))]
        graph_of += [graph + 1] * nodes
        answers.append(f"{int(ring)}, {'nan' if graph % 7 == 0 else int(nodes % 2 == 0)}")
        first += nodes
    for name, lines in (("A", [f"{a}, {b}" for a, b in arcs]), ("graph_indicator", graph_of),
                        ("graph_labels", answers)):
        (folder / f"{folder.name}_{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def test_several_tasks(tmp_path):
    write_set_with_tasks(tmp_path / "MADE")
    whole = cupel.load(tmp_path / "MADE")
    assert whole.y.shape == (30, 2)

    @cupel.model(version="1", deterministic=True)
    def right(task):
        assert task.tasks == 2 and task.y_train.shape == (len(task.idx_train), 2)
        known = whole.y[task.idx_train]
        assert np.array_equal(task.y_train, known, equal_nan=True) and np.isnan(known).any()
        return np.array([(one.edge_index.shape[1] == 2 * one.num_nodes, one.num_nodes % 2 == 0)
                         for one in task.graphs], dtype=np.float32)

    @cupel.model(version="1", deterministic=True)
    def half(task):  # right of one task, and by chance of the other
        scores = right(task)
        scores[:, 1] = 0
        return scores

    protocol = sets_of_graphs("./MADE", metric="roc-auc", models={"gin": {"hidden": 4}})
    protocol["split"] = {"scheme": "random", "train": 40, "valid": 30, "count": 2}
    protocol["train"] = {"inits": 1, "max_epochs": 2, "loss": "binary-cross-entropy"}
    done = cupel.run(protocol, models=[right, half], store="s.sqlite")
    assert done.summary["failures"] == []
    assert set(by_split(done, "right").values()) == {(1.0, 1.0)}
    assert all(score == pytest.approx((0.75, 0.75)) for score in by_split(done, "half").values())


def test_settings_of_a_function_are_searched_on_sets():
    protocol = sets_of_graphs()
    protocol["split"] = {"scheme": "random", "train": 50, "valid": 25, "count": 2}
    found = cupel.tune(protocol, search={"grid": {nearest: {"power": [0.5, 1.0]}}, "splits": 2})
    assert found.summary["ok"] == 4 and found.best["nearest"]["power"] in (0.5, 1.0)


@pytest.mark.parametrize("scores, told", [
    (lambda t: np.zeros((t.nodes, t.classes)), "instead of (60, 2): one row for each graph"),
    (lambda t: np.zeros((60, 3)), "one column for each class"),
    (lambda t: (None, np.zeros((3, 2))), "one row for each graph asked for"),
    (lambda t: np.full((60, 2), np.nan), "nan"),
    (lambda t: t.graphs[60], "60 graphs"),
    (lambda t: t.tasks, "no 'tasks'"),
])
def test_what_is_wrong_is_said(scores, told):
    broken = cupel.model(lambda task: scores(task), name="broken", version="1")
    with pytest.warns(cupel.RunsFailed):
        done = cupel.run(sets_of_graphs(), models=[broken], splits=1, inits=1, store="b.sqlite")
    assert told in done.summary["failures"][0]


def test_a_graph_task_has_no_graphs():
    @cupel.model(version="1")
    def asking(task):
        return task.graphs[0]

    protocol = {"data": {"datasets": ["csbm:nodes=200"]},
                "split": {"scheme": "per-class", "train": 5, "valid": 5, "count": 1},
                "models": {"asking": {"function": asking}}}
    with pytest.warns(cupel.RunsFailed):
        done = cupel.run(protocol, store="n.sqlite")
    assert "no 'graph" in done.summary["failures"][0]


def test_members_of_a_set_are_a_sequence():
    whole = cupel.load(DATA)
    assert [one.num_nodes for one in whole] == list(np.diff(whole.starts))
    assert [one.y for one in whole[:5]] == list(whole.y[:5])
    assert whole[-1].num_nodes == whole[59].num_nodes
    with pytest.raises(IndexError):
        whole[60]
