"""Functions of Python as models: the same as programs, and nothing more than programs see."""

import ctypes
import hashlib
import importlib.util
import linecache
import pathlib
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest

import cupel
from conftest import small_protocol

ROOT = pathlib.Path(__file__).resolve().parents[2]


def ridge_scores(x, train, labels, classes, c):
    """Ridge regression onto the classes, in the form that has a number for each training node."""
    kernel = x[train] @ x[train].T + c * np.eye(len(train))
    return x @ (x[train].T @ np.linalg.solve(kernel, np.eye(classes)[labels]))


@cupel.model(settings={"c": 1.0}, version="1")
def ridge(task, *, c=1.0):
    return ridge_scores(task.x.astype(float), task.idx_train, task.y_train, task.classes, c)


# The same as a worker: a program that reads what Cupel writes into its folder.
RIDGE_WORKER = """
import json, sys
import numpy as np
from scipy.sparse import csr_array
folder = sys.argv[1]
for line in sys.stdin:
    task = json.loads(line)
    with np.load(folder + "/task.npz") as a:
        x = a["attr_matrix"] if "attr_matrix" in a else csr_array(
            (a["attr_data"], a["attr_indices"], a["attr_indptr"]), shape=a["attr_shape"]).toarray()
        x, train = x.astype(float), a["idx_train"]
        kernel = x[train] @ x[train].T + task["settings"]["c"] * np.eye(len(train))
        scores = x @ (x[train].T @ np.linalg.solve(kernel, np.eye(task["classes"])[a["y_train"]]))
        np.save(folder + "/valid_scores.npy", scores[a["idx_valid"]])
        np.save(folder + "/scores.npy", scores[a["idx_test"]])
    print(json.dumps({"run": task["run"]}), flush=True)
"""


def scores_of(done, model):
    return {(row["split"], row["init"]): (row["test_score"], row["valid_score"], row["status"])
            for row in done.runs().rows() if row["model"] == model}


def test_a_function_is_a_row(protocol):
    done = cupel.run(protocol, models=[ridge, "gcn"], store="s.sqlite")
    assert set(done.table()["model"]) == {"ridge", "gcn"}
    assert done.summary["done"] == 12 and done.summary["failed"] == 0
    by_hand = {}
    graph = cupel.prepare(cupel.load("csbm:nodes=120,classes=3"), ["symmetrise"])
    for number, split in enumerate(cupel.splits(graph, "per-class", n=3, train=5, valid=5)):
        scores = ridge_scores(graph.x.astype(float), split.train, graph.y[split.train], 3, 1.0)
        by_hand[number] = np.mean(scores[split.test].argmax(1) == graph.y[split.test])
    for (split, _), (test, _, status) in scores_of(done, "ridge").items():
        assert status == "ok" and test == pytest.approx(by_hand[split])
    again = cupel.run(protocol, models=[ridge, "gcn"], store="s.sqlite")
    assert again.summary["done"] == 0 and again.summary["stored"] == 12


def by_program(protocol, program):
    """What the program makes of a protocol of its own programs."""
    pathlib.Path("worker.toml").write_text(cupel.load_protocol(protocol, "worker").text)
    program("run", "./worker.toml", "--store", "worker.sqlite", "--no-report")
    return cupel.results("worker.sqlite")


def test_it_is_what_a_worker_is(protocol, program):
    pytest.importorskip("scipy", reason="the worker reads sparse features by SciPy")
    pathlib.Path("ridge_worker.py").write_text(RIDGE_WORKER)
    worker = {"command": [sys.executable, "ridge_worker.py", "{task}"], "worker": True,
              "isolation": "none", "c": 2.5}
    theirs = by_program({**protocol, "models": {"row": worker}}, program)
    protocol["models"] = {"row": {"function": ridge, "c": 2.5}}
    ours = cupel.run(protocol, store="s.sqlite")
    assert ours.summary["ok"] == 6
    assert scores_of(ours, "row") == scores_of(theirs, "row")


def test_the_example_of_a_worker_as_a_function(protocol, program):
    @cupel.model(version="1")
    def nearby(task, *, steps=2):  # as examples/own_worker.py
        score = [[0.0] * task.classes for _ in range(task.nodes)]
        for node, label in zip(task.idx_train, task.y_train):
            score[node][label] = 1.0
        for _ in range(steps):
            score = [[own + 0.5 * sum(score[j][c] for j in near) / max(len(near), 1)
                      for c, own in enumerate(score[i])] for i in range(task.nodes)
                     for near in [task.indices[task.indptr[i]:task.indptr[i + 1]]]]
        score = np.array(score)
        return score[task.idx_valid], score[task.idx_test]

    command = [sys.executable, str(ROOT / "examples" / "own_worker.py"), "{task}"]
    worker = {"command": command, "worker": True, "isolation": "none", "steps": 2}
    theirs = by_program({**protocol, "models": {"row": worker}}, program)
    ours = cupel.run({**protocol, "models": {"row": nearby}}, store="s.sqlite")
    assert len(scores_of(ours, "row")) == 6
    assert scores_of(ours, "row") == scores_of(theirs, "row")


def seen_by(call, **more):
    """What of every run `call` keeps."""
    seen = []

    @cupel.model(version="1")
    def looks(task):
        seen.append(call(task))
        return np.zeros((task.nodes, task.classes))

    cupel.run(small_protocol(**more), models=[looks], store="looks.sqlite")
    return seen


def arrays_of(task):
    starts, columns, values = task.indptr, task.indices, task.weights
    out = {"adj_indptr": starts, "adj_indices": columns,
           "adj_data": np.ones(len(columns), np.float32) if values is None else values, **task.arrays}
    return {name: np.array(array) for name, array in out.items()}


def test_it_sees_what_a_program_sees(program):
    seen = seen_by(lambda task: (task.split, arrays_of(task), task.x.copy()))
    assert sorted(number for number, *_ in seen) == [0, 0, 1, 1, 2, 2]
    for place, (number, arrays, x) in enumerate(seen):
        folder = f"task-{place}"
        program("convert", "csbm:nodes=120,classes=3", "--prepare", "symmetrise,drop-self-loops",
                "--scheme", "per-class", "--set", "train=5", "--set", "valid=5", "--set", "count=3",
                "--task", folder, "--split", number)
        with np.load(f"{folder}/task.npz") as told:
            rest = {name for name in told if not name.startswith("attr_")} - {"adj_shape"}
            assert rest == set(arrays)
            for name in rest:
                assert np.array_equal(told[name], arrays[name]), name
            if "attr_matrix" in told:
                assert np.array_equal(told["attr_matrix"], x)
            else:
                assert x.shape == tuple(told["attr_shape"]) and x.sum() == told["attr_data"].sum()


def test_no_test_label_is_visible(graph):
    split = cupel.splits(graph, "per-class", n=1, train=5, valid=5)[0]
    wrong = graph.y.copy()
    wrong[split.test] = (wrong[split.test] + 1) % 3
    seen = []
    for labels in (graph.y, wrong):
        data = cupel.Graph.from_numpy(graph.edge_index, graph.x, labels, name="mine",
                                      splits=[split[:3]])
        kept = []

        @cupel.model(version="1")
        def looks(task):
            assert not any(name.startswith("y_test") for name in task.arrays)
            kept.append({**arrays_of(task), "x": task.x.copy(), "edges": task.edge_index,
                         "said": np.array(repr(sorted(task.settings.items())) + str(task.classes))})
            return np.zeros((task.nodes, task.classes))

        cupel.run(small_protocol(split={"scheme": "stored"}, train={"inits": 1}), datasets=data,
                  models=[looks], store=f"seen{len(seen)}.sqlite")
        seen += kept
    assert len(seen) == 2 and seen[0].keys() == seen[1].keys()
    for name in seen[0]:
        assert np.array_equal(seen[0][name], seen[1][name]), name
    assert len(seen[0]["idx_test"]) == len(split.test) > 0


def test_arrays_only_read_and_last():
    kept = seen_by(lambda task: (task.y_train, task.indices, task.x))
    for arrays in kept:
        for array in arrays:
            assert not array.flags.writeable and array.size > 0
            with pytest.raises(ValueError):
                array[0] = 0


MISBEHAVIOUR = {
    "raises": ("raise KeyError('no idea')", "raised KeyError: 'no idea'"),
    "leaves": ("raise SystemExit(3)", "raised SystemExit"),
    "nan": ("return np.full((task.nodes, 3), np.nan)", "validation scores"),
    "infinite": ("return np.zeros((len(task.idx_valid), 3)), np.full((len(task.idx_test), 3), np.inf)",
                 "test scores"),
    "shape": ("return np.zeros((task.nodes, 2))", "(120, 2) instead of (120, 3)"),
    "rows": ("return None, np.zeros((3, 3))", "the shape (3, 3) instead of"),
    "whole numbers": ("return np.zeros((task.nodes, 3), dtype=int)", "must hold floats"),
    "nothing": ("pass", "returned nothing"),
    "text": ("return 'good'", "numbers are needed"),
    "three": ("return 1, 2, 3", "returned 3 things"),
    "ragged": ("return [[1.0], [1.0, 2.0]]", "no array of numbers"),
    "writes": ("task.y_train[0] = 1", "read-only"),
    "unknown": ("return task.y_test", "this task has no 'y_test'; it has idx_test"),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaviour_is_a_failed_run_and_the_next_goes_on(name, protocol):
    body, said = MISBEHAVIOUR[name]
    space = {"np": np}
    exec(f"def bad(task):\n    {body}\n", space)
    calls = []

    @cupel.model(version="1")
    def sometimes(task):
        calls.append(task.init)
        return space["bad"](task) if len(calls) == 2 else np.zeros((task.nodes, task.classes))

    with pytest.warns(cupel.RunsFailed):
        done = cupel.run(protocol, models=[sometimes], store="s.sqlite", jobs=1)
    assert done.summary["ok"] == 5 and done.summary["failed"] == 1
    assert said in done.summary["failures"][0]
    failed = [row for row in done.runs().rows() if row["status"] == "failed"]
    assert len(failed) == 1 and np.isnan(failed[0]["test_score"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        later = cupel.run(protocol, models=[sometimes], store="s.sqlite", retry_failed=True)
    assert later.summary["done"] == later.summary["ok"] == 1


def test_a_failure_names_the_line(protocol):
    @cupel.model(version="1")
    def broken(task):
        return {}["key"]

    with pytest.warns(cupel.RunsFailed, match=r"test_model.py, line \d+, in broken"):
        cupel.run(protocol, models=[broken], splits=1, inits=1, store="s.sqlite")


def test_a_late_one_is_recorded_when_it_returns(protocol):
    @cupel.model(version="1")
    def slow(task):
        time.sleep(0.15 if task.init == 0 else 0)
        return np.zeros((task.nodes, task.classes))

    with pytest.warns(cupel.RunsFailed, match="not ended before it returns"):
        done = cupel.run(protocol, models=[slow], splits=1, store="s.sqlite", timeout=0.1)
    assert done.summary["timed_out"] == 1 and done.summary["ok"] == 1


def test_tables_say_that_it_is_not_isolated(protocol):
    done = cupel.run(protocol, models=[ridge], store="s.sqlite")
    assert set(done.runs()["isolation"]) == {"none"}
    assert "not isolated" in done.to_text() and "ridge" in done.to_text().split("not isolated")[1]


def ids(protocol, model, **more):
    return sorted(row["id"] for row in
                  cupel.run(protocol, models=[model], store="ids.sqlite", **more).runs().rows()
                  if row["model"] == model.name)


def from_file(text, path="mine.py"):
    pathlib.Path(path).write_text(textwrap.dedent(text))
    linecache.checkcache()
    spec = importlib.util.spec_from_file_location("mine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.mine


SOURCE = """
import cupel, numpy as np
HELP = 1
@cupel.model(version="{version}", packages={packages})
def mine(task, *, c=1.0):
    return np.zeros((task.nodes, task.classes)) + {value}
"""


def mine(version="1", packages=(), value="c", path="mine.py"):
    return from_file(SOURCE.format(version=version, packages=list(packages), value=value), path)


def test_the_identity_is_source_version_settings_and_packages(protocol):
    protocol["train"]["inits"] = 1
    plain = ids(protocol, mine())
    assert ids(protocol, mine()) == plain
    assert ids(protocol, mine(path="elsewhere.py")) == plain  # it is the content that counts
    others = [mine(value="c + 1"), mine(version="2"), mine(packages=["scipy"])]
    pytest.importorskip("scipy")
    found = [plain] + [ids(protocol, other) for other in others]
    assert len({tuple(one) for one in found}) == 4
    assert mine().identity["package:numpy"] == np.__version__
    # A helper in the same file counts.
    text = SOURCE.format(version="1", packages=[], value="c")
    assert from_file(text).identity["source"] != \
        from_file(text.replace("HELP = 1", "HELP = 2")).identity["source"]
    protocol["models"] = {"mine": {"function": mine(), "c": 2.0}}
    with_setting = cupel.run(protocol, store="other.sqlite").runs()["id"]
    assert not set(with_setting) & set(plain)


def test_the_identity_is_told(protocol, program):
    done = cupel.run(protocol, models=[ridge], store="s.sqlite", inits=1, splits=1)
    told = program.json("show", done.runs()["id"][0], "--store", "s.sqlite")
    assert all(value in str(told) for value in ridge.identity.values())


WRAPS = """
import functools
def scaled(function):
    @functools.wraps(function)
    def inner(task, **settings):
        return {by} * function(task, **settings)
    return inner
"""

WRAPPED = """
import cupel, numpy as np
import wraps_here
@cupel.model(version="1")
@wraps_here.scaled
def mine(task, *, c=1.0):
    return np.zeros((task.nodes, task.classes)) + {value}
"""


@pytest.mark.parametrize("folder, counts", [("own", True), ("site-packages", False)])
def test_what_decorators_wrap_counts_and_they_unless_they_are_installed(folder, counts, monkeypatch):
    pathlib.Path(folder).mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def source(value, by):
        pathlib.Path(folder, "wraps_here.py").write_text(WRAPS.format(by=by))
        sys.modules.pop("wraps_here", None)
        return from_file(WRAPPED.format(value=value)).identity["source"]

    plain = source(value="c", by=1)
    assert source(value="c", by=1) == plain
    assert source(value="1", by=1) != plain
    assert (source(value="c", by=2) != plain) == counts
    # One file stands for all that is written in it.
    text = WRAPPED.format(value="c").replace("import wraps_here", "").replace("wraps_here.", "")
    text = text.replace("@cupel", WRAPS.format(by=1) + "@cupel")
    assert from_file(text).identity["source"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_function_of_a_notebook_is_its_own_lines():
    def cell(text, number):
        """As IPython runs a cell: its lines are known, and there is no file."""
        file = f"<cell {number}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        space = {"cupel": cupel, "np": np, "__name__": "__main__"}
        exec(compile(text, file, "exec"), space)
        return space["mine"]

    text = "@cupel.model(version='')\ndef mine(task):\n    return np.zeros((task.nodes, {}))\n"
    one = cell(text.format(3), 1)
    assert cell("x = 1\n" + text.format(3), 2).identity == one.identity
    assert cell(text.format(4), 3).identity != one.identity
    space = {"cupel": cupel}
    with pytest.raises(cupel.Error, match="give version="):
        exec(text.format(3), space)
    exec(text.format(3).replace("''", "'1'"), space)
    assert "source" not in space["mine"].identity


def test_settings_are_those_of_the_function(protocol):
    @cupel.model(version="1")
    def mine(task, *, c=1.0, deep=True, kind="linear", layers=2):
        return np.zeros((task.nodes, task.classes))

    assert mine.settings == {"c": 1.0, "deep": True, "kind": "linear", "layers": 2}
    told = []

    @cupel.model(settings={"c": np.float64(0.5)}, version="1")
    def other(task, **settings):
        told.append((settings, task.settings))
        return np.zeros((task.nodes, task.classes))

    protocol["models"] = {"row": {"function": other, "c": 4}}
    cupel.run(protocol, splits=1, inits=1, store="s.sqlite")
    assert told == [({"c": 4.0}, {"c": 4.0})]
    protocol["models"] = {"row": {"function": other, "cc": 4}}
    with pytest.raises(cupel.Error, match="'cc'"):
        cupel.run(protocol, splits=1, inits=1, store="s.sqlite")
    with pytest.raises(cupel.Error, match="settings are numbers"):
        cupel.model(settings={"c": None}, version="1")(lambda task, c: None)
    for value, told in ((float("inf"), "is inf, which no identity"), (2**63, "which is beyond 64 bits"),
                        (-2**63 - 1, "beyond 64 bits")):
        with pytest.raises(cupel.Error, match=told):
            cupel.model(settings={"c": value}, version="1")(lambda task, c: None)
    with pytest.raises(cupel.Error, match="takes no 'd'"):
        cupel.model(settings={"d": 1}, version="1")(lambda task, c: None)
    with pytest.raises(cupel.Error, match="no package 'not-there'"):
        cupel.model(packages=["not-there"], version="1")(lambda task: None)


def test_settings_are_chosen(protocol):
    @cupel.model(version="1")
    def knows(task, *, c=0.0):
        """Right in validation where c is 1."""
        scores = np.zeros((task.nodes, task.classes))
        scores[task.idx_valid, task.y_valid] = c
        return scores

    protocol["models"] = {"knows": {"function": knows, "choices": {"c": [-1.0, 0.0, 1.0]}}}
    done = cupel.run(protocol, store="s.sqlite")
    assert done.summary["ok"] == 18
    chosen = [row for row in done.runs().rows() if row["valid_score"] == 1]
    assert {row["configuration"] for row in chosen} == {"c=1.0"} or \
        {row["configuration"] for row in chosen} == {"c=1"}
    assert done.table()["mean"][0] == pytest.approx(
        100 * np.mean([row["test_score"] for row in chosen]))


def test_one_that_ignores_the_seed_is_run_once(protocol):
    calls = []

    @cupel.model(version="1", deterministic=True)
    def same(task):
        calls.append(task.seed)
        return np.zeros((task.nodes, task.classes))

    assert cupel.run(protocol, models=[same], store="s.sqlite").summary["planned"] == 3
    assert len(calls) == 3


def test_the_seed_makes_runs_repeatable(protocol):
    @cupel.model(version="1")
    def drawn(task):
        return task.rng().random((task.nodes, task.classes))

    one = cupel.run(protocol, models=[drawn], store="one.sqlite", jobs=1)
    two = cupel.run(protocol, models=[drawn], store="two.sqlite", jobs=3)
    assert scores_of(one, "drawn") == scores_of(two, "drawn")
    assert len({row["test_score"] for row in one.runs().rows()}) > 2


def test_rows_of_a_shipped_protocol_and_of_another_name(protocol):
    made = "csbm:nodes=300,classes=3"
    done = cupel.run("quickstart", datasets=[made], models=[ridge, "mlp"],
                     splits=2, store="q.sqlite")
    assert set(done.table()["model"]) == {"ridge", "mlp"} and done.protocol == "quickstart"
    kept = cupel.load_protocol("quickstart").text
    assert done.summary["planned"] == 4 and "ridge" not in kept
    # Only the row is new: what the others did stands under the same ids.
    alone = cupel.run("quickstart", datasets=[made], models="mlp", splits=2, store="q.sqlite")
    assert alone.summary["done"] == 0

    @cupel.model(name="gcn", version="1")
    def taken(task):
        pass

    with pytest.raises(cupel.Error, match="row 'gcn' that is another model"):
        cupel.run(protocol, models=[taken], store="s.sqlite")
    with pytest.raises(cupel.Error, match="two models are called 'ridge'"):
        cupel.run(protocol, models=[ridge, cupel.model(ridge.function, name="ridge", version="2")],
                  store="s.sqlite")


def test_tables_that_list_their_rows_take_it(protocol):
    protocol["table"] = [
        {"id": "a", "models": ["gcn"]}, {"id": "b", "models": ["mlp", "gcn"]},
        {"id": "c"}, {"id": "r", "kind": "ranks", "source": "b"}]
    done = cupel.run(protocol, models=[ridge], store="s.sqlite")
    assert sorted(done.table()["table"]) == ["a", "b", "c", "r"]
    assert set(done.table()["model"]) == {"ridge"}


def test_what_a_store_keeps_is_read_without_the_function(protocol, program):
    cupel.run(protocol, models=[ridge, "gcn"], store="s.sqlite", name="mine")
    assert set(cupel.results("s.sqlite").table()["model"]) == {"ridge", "gcn"}
    assert "ridge" in program("report", "s.sqlite").stdout
    text = cupel.load_protocol({**protocol, "models": {"ridge": ridge}}).text
    pathlib.Path("mine.toml").write_text(text)
    assert "the function ridge" in program("show", "./mine.toml").stdout
    assert program.json("show", "./mine.toml")["models"][0]["function"] == "ridge"
    assert "the function 'ridge', which is not in this process" in program.error(
        "run", "./mine.toml", "--store", "t.sqlite")
    assert program("verify", "s.sqlite").returncode == 0


def test_links():
    told = {}

    @cupel.model(version="1")
    def neighbours(task):
        told.update(task.arrays)
        assert task.directed is False and task.unit == "pair"
        near = np.zeros((task.nodes, task.nodes))
        near[tuple(task.edge_index)] = 1
        common = near @ near

        def score(pairs):
            return common[pairs[:, 0], pairs[:, 1]]
        return score(task.pairs_valid), score(task.pairs_test)

    protocol = small_protocol(
        task="links", metric="roc-auc", split={"scheme": "links", "count": 2},
        train={"inits": 1}, models={"common-neighbours": {}})
    done = cupel.run(protocol, models=[neighbours, "common-neighbours"], store="l.sqlite")
    assert done.summary["failed"] == 0, done.summary
    assert {split: one[0] for (split, _), one in scores_of(done, "neighbours").items()} == \
        {split: one[0] for (split, _), one in scores_of(done, "common-neighbours").items()}
    assert "y_valid" in told and "y_test" not in told


def test_functions_come_one_at_a_time_and_do_not_pay_for_waiting(protocol):
    now, most = [0], [0]

    def counts(task):
        now[0] += 1
        most[0] = max(most[0], now[0])
        np.random.seed(task.seed % 2**32)  # of all Python
        time.sleep(0.1)
        scores = np.random.random((task.nodes, task.classes))
        now[0] -= 1
        return scores

    rows = [cupel.model(counts, name=name, version=name) for name in ("one", "two")]
    done = cupel.run(protocol, models=[*rows, "gcn", "mlp"], store="s.sqlite", jobs=6, timeout=0.4)
    assert done.summary["ok"] == 24 and most[0] == 1, done.summary
    alone = cupel.run(protocol, models=rows[:1], store="alone.sqlite", jobs=1)
    assert scores_of(alone, "one") == scores_of(done, "one")


def test_an_interrupt_waits_for_one_function_and_no_other(protocol):
    begun = []

    @cupel.model(version="1")
    def slow(task):
        begun.append(task.init)
        time.sleep(0.5)
        return np.zeros((task.nodes, task.classes))

    def stop(text, done, total):
        if begun:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cupel.run(protocol, models=[slow], store="s.sqlite", jobs=4, progress=stop)
    kept = len(cupel.results("s.sqlite").runs())
    assert kept == len(begun) == 1
    assert cupel.run(protocol, models=[slow], store="s.sqlite").summary["stored"] == 1


def test_calling_it_calls_the_function():
    assert ridge.function.__name__ == ridge.__name__ == "ridge" and "ridge(c=1.0)" in repr(ridge)
    twice = cupel.model(lambda task, *, c=2: task * c, name="twice", version="1")
    assert twice(3) == 6 and twice(3, c=5) == 15


def test_estimates_count_its_runs(protocol):
    told = cupel.estimate(protocol, models=[ridge], store="none.sqlite", pilot="none")
    assert told["runs"] == 6


@cupel.model(version="1")
def popular(task):
    """How many facts of a relation each entity was in: examples/own_events.py in NumPy."""
    counts = np.zeros((len(task.undirected), 2, task.nodes))  # as target, as source

    def learn(facts):
        for s, r, o, _ in facts:
            counts[r, 0, o] += 1
            if not (task.undirected[r] and s == o):
                counts[r, 0 if task.undirected[r] else 1, s] += 1

    learn(task.facts_train)
    for step in task.steps():
        learn(step.known)
        if "queries" in step.arrays:
            step.answer([counts[r, int(source and not task.undirected[r])] +
                         (counts[r, 0, given] if task.undirected[r] else 0)
                         for given, r, source in step.queries])
        else:
            step.answer([counts[r, 0, o] + (counts[r, 0, s] if task.undirected[r] else 0)
                         for s, r, o, _ in step.facts])


def facts_protocol(question, model):
    folder = pathlib.Path("facts")
    if not folder.exists():
        folder.mkdir()
        draw = np.random.default_rng(3)
        facts = np.unique(np.column_stack([draw.integers(0, 12, 400), draw.integers(0, 2, 400),
                                           draw.integers(0, 12, 400), np.arange(400) // 20]), axis=0)
        facts = facts[np.argsort(facts[:, 3], kind="stable")]
        for name, part in (("train", facts[:, 3] < 12), ("test", facts[:, 3] >= 16),
                           ("valid", (facts[:, 3] >= 12) & (facts[:, 3] < 16))):
            np.savetxt(folder / f"{name}.txt", facts[part], fmt="%d", delimiter="\t")
        (folder / "stat.txt").write_text("12\t2\n")
    return {"task": "events", "metric": "mrr" if question == "which" else "roc-auc",
            "data": {"datasets": ["./facts"]}, "split": {"scheme": "time"},
            "events": {"question": question}, "train": {"inits": 1},
            "models": {"popularity": {}, "mine": {"function": model}}}


@pytest.mark.parametrize("question", ["which", "whether"])
def test_facts_over_time_are_asked_step_by_step(question):
    done = cupel.run(facts_protocol(question, popular), store="f.sqlite")
    assert done.summary["failed"] == 0, done.summary
    assert scores_of(done, "mine") == scores_of(done, "popularity")
    assert scores_of(done, "mine")[0, 0][0] > 0


@pytest.mark.parametrize("question", ["which", "whether"])
@pytest.mark.parametrize("setting", ["single-step", "multi-step"])
def test_facts_over_time_are_answered_by_a_worker_as_by_a_function(question, setting, program):
    protocol = facts_protocol(question, popular)
    protocol["events"]["setting"] = setting
    ours = cupel.run(protocol, models="mine", store="f.sqlite")
    command = [sys.executable, str(ROOT / "examples" / "own_events_worker.py"), "{task}"]
    worker = {"command": command, "worker": True, "isolation": "none"}
    theirs = by_program({**protocol, "models": {"mine": worker}}, program)
    assert scores_of(ours, "mine") == scores_of(theirs, "mine")
    assert scores_of(ours, "mine")[0, 0][0] > 0


@pytest.mark.parametrize("name, steps, said", [
    ("early", "next(task.steps()).answer(np.zeros((1, 1)))", "instead of"),
    ("none", "pass", r"returned before step 1 \(valid\) was asked"),
    ("open", "next(task.steps())", r"returned when step 1 \(valid\) was not answered"),
    ("skips", "[step for step in task.steps()]", r"went on from step 1 \(valid\)"),
    ("returns", "return 1", "answers task.steps"),
    ("graph", "task.edge_index", "no graph"),
])
def test_facts_over_time_that_are_not_answered(name, steps, said):
    space = {"np": np}
    exec(f"def bad(task):\n    {steps}\n", space)
    with pytest.warns(cupel.RunsFailed, match=said):
        cupel.run(facts_protocol("which", cupel.model(space["bad"], version="1")), models="mine",
                  store="f.sqlite")


def test_a_task_that_is_kept_asks_nothing_more():
    kept = []

    @cupel.model(version="1")
    def keeps(task):
        kept.append(task)

    with pytest.warns(cupel.RunsFailed):
        cupel.run(facts_protocol("which", keeps), models="mine", store="f.sqlite")
    with pytest.raises(cupel.Error, match="nothing is asked"):
        next(kept[0].steps())


def written_into(array):
    """As `torch.from_numpy(array).zero_()` does, which passes NumPy's flag over."""
    ctypes.memset(array.ctypes.data, 0, array.nbytes)


@pytest.mark.parametrize("what, told", [
    (lambda task: task.x, "the features"),
    (lambda task: task.indices, "the edges"),
    (lambda task: task.features, "the features"),
])
@pytest.mark.parametrize("sparse", [False, True])
def test_who_writes_into_a_graph_fails_and_nobody_else_sees_it(what, told, sparse, graph):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    x = graph.x * 0.5
    data = cupel.Graph.from_scipy(graph.adjacency, scipy_sparse.csr_array(x) if sparse else x,
                                  graph.y, name="mine")

    @cupel.model(version="1")
    def vandal(task):
        array = what(task)
        written_into(array if isinstance(array, np.ndarray) else array.data)
        return np.zeros((task.nodes, task.classes))

    @cupel.model(version="1")
    def reader(task):
        seen = task.x @ np.arange(task.x.shape[1]) + task.adjacency @ task.x.sum(axis=1)
        return np.stack([np.cos(seen), np.sin(seen), np.tanh(seen)], axis=1)

    def scores(models, store):
        return cupel.run(small_protocol(), [data], models, store=store, jobs=1, progress=False)

    alone = scores([reader, "gcn"], "alone.sqlite")
    with pytest.warns(cupel.RunsFailed, match=f"wrote into {told}"):
        beside = scores([vandal, reader, "gcn"], "beside.sqlite")
    for model in ("reader", "gcn"):
        assert scores_of(beside, model) == scores_of(alone, model)
    assert beside.summary["failed"] == 6


@pytest.mark.parametrize("shape, outcomes", [(3, ["good", "good", "good", "warning"]), (2, ["bad"])])
def test_a_function_is_checked_in_a_moment(shape, outcomes):
    @cupel.model(version="1")
    def ones(task):
        return np.ones((task.nodes, shape))

    found = cupel.check_model(ones)
    assert [one["outcome"] for one in found] == outcomes
    if outcomes == ["bad"]:
        assert "instead of (200, 3)" in found[0]["text"]


def test_a_function_that_draws_by_itself_is_told():
    @cupel.model(version="1")
    def drawn(task):
        return np.random.default_rng().random((task.nodes, task.classes))

    assert any("its randomness is not all from" in one["text"] for one in cupel.check_model(drawn))
    with pytest.raises(cupel.Error, match="@cupel.model"):
        cupel.check_model(len)


def test_ctrl_c_is_heard_and_waits(tmp_path):
    (tmp_path / "slow.py").write_text(textwrap.dedent("""
        import signal, sys, threading, time
        import numpy as np
        import cupel
        sys.path.insert(0, sys.argv[1])
        from conftest import small_protocol

        # What a shell starts in the background ignores Ctrl-C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        ended = []

        @cupel.model(version="1")
        def slow(task):
            threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
            time.sleep(1)
            ended.append(task.split)
            return np.zeros((task.nodes, task.classes))

        try:
            cupel.run(small_protocol(), models=[slow], store="s.sqlite", progress=False)
        except KeyboardInterrupt:
            print("heard after", len(ended))
    """))
    done = subprocess.run([sys.executable, "slow.py", str(pathlib.Path(__file__).parent)],
                          capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "heard after 1\n"), done.stderr
