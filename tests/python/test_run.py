"""Runs, results and what reads them; the same to the bit as the program's."""

import contextlib
import json
import os
import pathlib
import shlex
import sqlite3
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import cupel
from conftest import REAL_DATA, small_protocol, without_cost


def rows_by_place(table):
    return {(row["dataset"], row["model"], row["split"], row["init"]): row for row in table.rows()}


def write(protocol, path="mine.toml"):
    pathlib.Path(path).write_text(cupel.load_protocol(protocol, "mine").text)
    return path


def test_a_first_table(protocol):
    done = cupel.run(protocol, store="first.sqlite", jobs=2)
    assert done.summary["done"] == 3 * 2 * 3 - 3 * 1 or done.summary["done"] == len(done.runs())
    table = done.table()
    assert set(table["model"]) == {"mlp", "gcn", "majority"} and len(table) == 3
    means = dict(zip(table["model"], table["mean"]))
    for model in means:  # by hand, in percent
        scores = [row["test_score"] for row in done.runs().rows() if row["model"] == model]
        assert means[model] == pytest.approx(100 * np.mean(scores))
    again = cupel.run(protocol, store="first.sqlite")
    assert again.summary["done"] == 0 and again.summary["stored"] == done.summary["done"]


def test_the_program_does_the_same_to_the_bit(protocol, program):
    ours = cupel.run(protocol, store="ours.sqlite", name="mine")
    path = write(protocol)
    program("run", "./" + path, "--store", "theirs.sqlite", "--jobs", 1)
    theirs = cupel.results("theirs.sqlite")
    for place, row in rows_by_place(ours.runs()).items():
        other = rows_by_place(theirs.runs())[place]
        assert (row["id"], row["test_score"], row["epochs"]) == \
            (other["id"], other["test_score"], other["epochs"])
    assert ours.table().to_csv() == program("report", "ours.sqlite", "--format", "csv").stdout
    assert ours.runs().to_csv() == program("report", "ours.sqlite", "--runs").stdout
    runs, cells = ours.runs().rows(), ours.table().rows()
    for cell in cells:  # what runs took stands beside what they scored
        own = [run for run in runs if run["model"] == cell["model"]]
        assert cell["seconds_per_run"] == pytest.approx(np.mean([run["seconds"] for run in own]))
        most = max(run["memory_bytes"] for run in own)
        assert cell["memory_bytes"] == most or np.isnan([most, cell["memory_bytes"]]).all()
    assert ours.to_text("json") == program("report", "ours.sqlite", "--json").stdout
    assert ours.compare("gcn", "mlp") == program.json("compare", "ours.sqlite", "gcn", "mlp")
    assert cupel.estimate(protocol, store="none.sqlite", name="mine", pilot="none") == program.json(
        "run", "./" + path, "--store", "none.sqlite", "--dry-run", "--pilot", "none")
    assert not os.path.exists("none.sqlite")


def test_a_graph_in_memory_is_a_column(graph, protocol):
    by_name = cupel.run(protocol, store="a.sqlite")
    mine = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="my-graph")
    in_memory = cupel.run(protocol, datasets=mine, store="b.sqlite")
    assert set(in_memory.table()["dataset"]) == {"my-graph"}
    scores = [sorted(r.runs()["test_score"]) for r in (by_name, in_memory)]
    same = mine.hash == graph.hash  # then the runs are the same
    assert (sorted(by_name.runs()["id"]) == sorted(in_memory.runs()["id"])) == same
    assert len(scores[0]) == len(scores[1])
    # what was loaded by name goes by its name
    assert cupel.run(protocol, datasets=[graph], store="a.sqlite").summary["done"] == 0 or \
        graph.name != "csbm:nodes=120,classes=3"


def csbm(nodes, path):
    made = cupel.generate("csbm", nodes=nodes, classes=3)
    made.save(path)
    return made


def test_a_graph_in_hand_is_what_runs(protocol, monkeypatch):
    csbm(120, "chg.npz")
    mine = cupel.load("chg.npz")
    by_path = cupel.run(protocol, datasets="chg.npz", models="majority", store="path.sqlite")
    in_hand = cupel.run(protocol, datasets=[mine], models="majority", store="hand.sqlite")
    assert sorted(in_hand.runs()["id"]) == sorted(by_path.runs()["id"])
    assert without_cost(in_hand.table().to_csv()) == without_cost(by_path.table().to_csv())
    # What became of the file since, and where Python is now, does not matter.
    csbm(240, "chg.npz")
    os.mkdir("elsewhere")
    monkeypatch.chdir("elsewhere")
    later = cupel.run(protocol, datasets=[mine], models="majority", store="later.sqlite")
    assert sorted(later.runs()["id"]) == sorted(in_hand.runs()["id"])
    found = cupel.tune(protocol, datasets=[mine], splits=1, store="later.sqlite",
                       search={"grid": {"mlp": {"hidden": [4]}}})
    assert found.summary["done"] == 1
    other = cupel.load("../chg.npz")
    both = cupel.run(protocol, datasets=[mine, other], models="majority", store="both.sqlite")
    assert len(set(both.table()["dataset"])) == 2
    csbm(90, "chg.npz")
    with pytest.raises(cupel.Error, match="two data sets that differ were loaded as 'chg.npz'"):
        cupel.run(protocol, datasets=[mine, cupel.load("chg.npz")], store="both.sqlite")


@pytest.mark.parametrize("spelled", ["cora", "CORA"])
def test_the_folder_of_a_graph_goes_with_it(protocol, spelled):
    if not os.path.exists(os.path.join(REAL_DATA, "cora", "cora.npz")):
        pytest.skip("Cora is not there; set CUPEL_DATA")
    cora = cupel.load("cora", data=REAL_DATA)
    named = {**protocol, "data": {**protocol["data"], "datasets": [spelled]}}
    done = cupel.run(named, datasets=[cora], models="majority", splits=1, store="cora.sqlite")
    assert set(done.table()["dataset"]) == {spelled}
    again = cupel.run(named, models="majority", splits=1, store="cora.sqlite", data=REAL_DATA)
    assert again.summary["done"] == 0


def test_two_graphs_of_one_name(graph, protocol):
    one = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y)
    with pytest.raises(cupel.Error, match="called 'graph'"):
        cupel.run(protocol, datasets=[one, one], store="x.sqlite")


def test_parts_of_a_protocol(protocol):
    part = cupel.run(protocol, models=["mlp"], splits=2, inits=1, store="part.sqlite")
    assert part.summary["planned"] == 2
    assert set(part.runs()["model"]) == {"mlp"}
    assert set(part.only(models="mlp").table()["model"]) == {"mlp"}
    with pytest.raises(cupel.Error):
        part.only(models="nobody")


def test_what_is_at_hand_is_run(protocol, graph):
    protocol["data"]["datasets"] += ["cora", "citeseer"]
    everything = "2 data sets are not there .*`cupel fetch cora citeseer`"
    said = "left out: cora, citeseer; run `cupel fetch cora citeseer`"
    for call in (cupel.run, cupel.estimate):
        with pytest.raises(cupel.Error, match=everything):
            call(protocol, name="mine")
        with pytest.raises(cupel.Error, match="none of the data sets is at hand .cora."):
            call(protocol, datasets="cora", available=True, name="mine")
        with pytest.raises(cupel.Error, match="available: 1 is neither"):
            call(protocol, available=1, name="mine")
    with pytest.warns(cupel.LeftOut, match=said):
        assert cupel.estimate(protocol, available=True, name="mine", pilot="none")["runs"] == 15
    with pytest.warns(cupel.LeftOut, match=said):
        done = cupel.run(protocol, available=True, name="mine", progress=False)
    assert set(done.table()["dataset"]) == {"csbm:nodes=120,classes=3"}
    # What is in memory is at hand, whatever it is called and wherever it came from.
    here = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="cora")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = cupel.run(protocol, datasets=here, available=True, store="here.sqlite", name="mine",
                        progress=False)
        assert len(one.runs()) == 15
        graph.save("gone.npz")
        loaded = cupel.load("./gone.npz")
        os.remove("gone.npz")
        two = cupel.run(protocol, datasets=loaded, available=True, store="gone.sqlite",
                        name="mine", progress=False)
        assert len(two.runs()) == 15


def test_protocols_stand_for_the_data_sets_that_they_need():
    with pytest.raises(cupel.Error, match="cora: cora.npz is not there and --offline"):
        cupel.fetch("quickstart", offline=True)
    with pytest.raises(cupel.Error, match="roman-empire: "):
        cupel.fetch("heterophily", tables="4", offline=True)
    with pytest.warns(cupel.LeftOut, match="not fetched: acl: .*cupel build expert"):
        assert cupel.fetch("expert", tables=["acl"], offline=True) == []
    with pytest.raises(cupel.Error, match="--tables: are those of a protocol, and cora is none"):
        cupel.fetch("cora", tables="1", offline=True)


def test_protocols_by_path_and_object(protocol):
    path = write(protocol)
    loaded = cupel.load_protocol("./" + path)
    assert loaded.version == cupel.load_protocol(protocol).version
    assert cupel.run(loaded, models="majority", splits=1, store="p.sqlite").protocol == "mine"
    assert "quickstart" in cupel.protocols()


def test_what_is_kept_is_a_file(protocol):
    for call in (cupel.run, cupel.estimate):
        with pytest.raises(cupel.Error, match=":memory:: is no file"):
            call(protocol, store=":memory:")


def test_runs_until_cells_are_decided_are_in_no_shards(protocol):
    with pytest.raises(cupel.Error, match="cannot be done in shards"):
        cupel.run(protocol, until="decided", shard="1/2", store="x.sqlite")
    assert not os.path.exists("x.sqlite")


def test_results_know_their_store(protocol):
    path = write(protocol, "first.toml")
    cupel.run("./" + path, models="majority", store="first.sqlite")
    cupel.run("./" + path, models="majority", store="other.sqlite")
    assert cupel.results("first.toml").store == "first.sqlite"
    assert cupel.results("first.sqlite").store == "first.sqlite"
    assert cupel.results("first.toml", store="other.sqlite").store == "other.sqlite"


def test_progress_is_told(protocol):
    told = []
    cupel.run(protocol, store="p.sqlite", jobs=1, progress=lambda *state: told.append(state))
    assert all(len(state) == 3 for state in told)
    for text, done, total in told:
        assert ("run" in text or text.startswith("reading ")) and 0 <= done <= total
    assert told[-1][1] == told[-1][2] > 0


@pytest.mark.parametrize("error", [None, OSError("no room")])
def test_progress_tells_the_end(error, monkeypatch):
    class Job:
        """Work that is over before anybody looks."""
        told = "", 0, 0

        def state(self):
            return self.told

    def work(job):
        job.told = "half", 1, 2
        if error is not None:
            raise error
        job.told = "all", 2, 2

    monkeypatch.setattr(cupel._core, "Job", Job)
    told = []
    with contextlib.nullcontext() if error is None else pytest.raises(OSError, match="no room"):
        cupel._progress.working(work, lambda *state: told.append(state))
    assert told == [("all", 2, 2) if error is None else ("half", 1, 2)]


def test_a_function_of_progress_that_raised_is_not_called_again(protocol):
    calls = []

    def stop(*state):
        calls.append(state)
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        cupel.run(protocol, store="p.sqlite", progress=stop)
    assert len(calls) == 1


class Notebook:
    """What IPython gives a cell, as far as progress is shown by it."""

    def __init__(self):
        self.shown = []
        self.kernel = object()

    def get_ipython(self):
        return self

    def display(self, data, raw, display_id):
        assert raw and display_id
        self.shown.append(data["text/plain"])
        return self

    def update(self, data, raw):
        self.shown.append(data["text/plain"])


def test_progress_in_a_notebook(protocol, monkeypatch):
    notebook = Notebook()
    notebook.__spec__ = None
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", notebook)
    runs = cupel.run(protocol, store="n.sqlite").summary["done"]
    first, *bars, whole, last = notebook.shown
    assert first == last == ""  # where it begins, and as nothing of it stays
    assert whole.startswith("[" + "=" * 24 + f"] {runs} of {runs} runs"), notebook.shown
    assert all(bar == "" or "reading" in bar or bar.startswith("[") for bar in bars), bars


def test_progress_in_a_terminal(protocol, capsys):
    cupel.run(protocol, store="t.sqlite", progress=True)
    told = capsys.readouterr().err
    assert "runs done in" in told and "t.sqlite" in told


def slow_protocol():
    return small_protocol(
        data={"datasets": ["csbm:nodes=3000,classes=3"], "prepare": ["symmetrise"]},
        split={"scheme": "per-class", "train": 20, "valid": 30, "count": 200},
        train={"patience": 400, "max_epochs": 400, "inits": 3},
        models={"gcn": {"hidden": 64}})


def test_an_interrupt_ends_it_and_the_same_call_goes_on():
    slow = slow_protocol()

    def after_a_few(text, done, total):
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cupel.run(slow, store="slow.sqlite", jobs=1, progress=after_a_few)
    kept = len(cupel.results("slow.sqlite").runs())
    assert 2 <= kept < 600
    stop_at = kept + 1

    def once_more(text, done, total):
        if done >= 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cupel.run(slow, store="slow.sqlite", jobs=1, progress=once_more)
    assert len(cupel.results("slow.sqlite").runs()) >= stop_at


def test_python_goes_on_meanwhile():
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    def end(text, done, total):
        if done >= 1 and counted[0] > 20:
            raise KeyboardInterrupt

    other = threading.Thread(target=count)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            cupel.run(slow_protocol(), store="busy.sqlite", jobs=1, progress=end)
    finally:
        stop.set()
        other.join()
    assert counted[0] > 20


def test_failures_are_told(protocol):
    protocol["models"] = {"mine": {"command": ["false"]}, "mlp": {"hidden": 4}}
    try:
        cupel.load_protocol(protocol)
    except cupel.Error:
        pytest.skip("external programs are written in another way")
    with pytest.warns(cupel.RunsFailed), pytest.warns(cupel.RunsNote, match="no file of the program"):
        done = cupel.run(protocol, splits=1, inits=1, store="failed.sqlite")
    assert done.summary["failed"] + done.summary["not_started"] >= 1


def test_programs_run_without_bubblewrap(protocol, program, monkeypatch):
    """The program stands between them and us, as it does where it runs by itself."""
    example = pathlib.Path(__file__).resolve().parents[2] / "examples" / "own_worker.py"
    row = {"command": [sys.executable, str(example), "{task}"], "isolation": "none", "steps": 2}
    protocol["models"] = {"worker": {**row, "worker": True}}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        done = cupel.run(protocol, store="ours.sqlite", name="mine")
    assert done.summary["ok"] == 6, done.summary
    # No run failed, and yet there is something to know.
    assert [one.category for one in told] == [cupel.RunsNote], told
    assert "not isolated: worker" in str(told[0].message)
    program("run", "./" + write(protocol), "--store", "theirs.sqlite", "--no-report")
    assert sorted(done.runs()["test_score"]) == \
        sorted(cupel.results("theirs.sqlite").runs()["test_score"])
    monkeypatch.delenv("CUPEL_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sysconfig.get_path", lambda name: "nowhere")
    with pytest.warns(cupel.RunsNote, match="not isolated"):
        with pytest.warns(cupel.RunsFailed, match="the program `cupel`, which was not found"):
            cupel.run(protocol, store="none.sqlite")


@pytest.mark.parametrize("call", ["run", "tune"])
def test_programs_that_may_be_edited_unnoticed_are_told(protocol, program, call):
    protocol["models"] = {"mine": {"command": ["false"], "isolation": "none"}}
    protocol["tune"] = {"grid": {"mine": {}}}
    with pytest.warns(cupel.RunsFailed, match="failed|no score"):
        with pytest.warns(cupel.RunsNote) as told:
            getattr(cupel, call)(protocol, store="ours.sqlite", name="mine", splits=1, inits=1)
    said = program(call, "./" + write(protocol), "--store", "theirs.sqlite", "--splits", 1, "--inits",
                   1, code=1).stderr
    notes = [str(one.message) for one in told if one.category is cupel.RunsNote]
    assert len(notes) == 2 and notes[0].startswith("not isolated: mine"), notes
    assert notes[1].startswith("mine") and "inputs = " in notes[1]
    for note in notes:
        assert f"cupel: {note}\n" in said, said


PUBLISHED = """table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n
1,"csbm:nodes=300,seed=5",labelprop,accuracy,20.0,1.0,sd_ddof1_pooled_runs,100,100
1,"csbm:nodes=300,seed=5",sgc,accuracy,5.0,1.0,sd_ddof1_pooled_runs,100,100
"""


def test_runs_until_cells_are_decided_tell_what_the_program_tells(program, capsys):
    pathlib.Path("p.csv").write_text(PUBLISHED)
    pathlib.Path("p.toml").write_text("""
        [data]
        datasets = ["csbm:nodes=300,seed=5"]
        [split]
        train = 10
        valid = 10
        count = 40
        [train]
        max_epochs = 20
        inits = 2
        [models.labelprop]
        [models.sgc]
        [models.majority]
        [published]
        file = "p.csv"
        """)
    with pytest.warns(cupel.RunsNote) as told:
        done = cupel.run("./p.toml", store="ours.sqlite", until="decided", progress=True)
    said = program("run", "./p.toml", "--store", "theirs.sqlite", "--until", "decided",
                   "--no-report").stderr
    left_out, = (str(one.message) for one in told)
    assert done.summary["left_out"] == ["majority on csbm:nodes=300,seed=5"]
    assert left_out.endswith(f"these are not run: {done.summary['left_out'][0]}")
    decided = done.summary["decided"]
    words = decided.pop("words")
    assert decided == {"cells": 2, "equivalent": 0, "different": 2, "undecided": 0,
                       "asked_runs": 20, "full_runs": 40 + 80}  # labelprop draws nothing
    assert f"cupel: {left_out}\n" in said and f"cupel: {words}\n" in said, said
    assert f"cupel: {words}\n" in capsys.readouterr().err
    # Nothing of it where all runs are asked for.
    whole = cupel.run("./p.toml", store="ours.sqlite", splits=1, inits=1).summary
    assert (whole["left_out"], whole["decided"]) == ([], None)


def test_packages_of_a_worker_are_in_the_identity(protocol, program):
    example = pathlib.Path(__file__).resolve().parents[2] / "examples" / "own_worker.py"
    row = {"command": [sys.executable, str(example), "{task}"], "steps": 2, "worker": True}
    protocol["models"] = {"plain": row, "named": {**row, "packages": ["numpy"]}}
    protocol["split"]["count"] = protocol["train"]["inits"] = 1
    done = cupel.run(protocol, store="ours.sqlite", name="mine")
    assert done.summary["ok"] == 2, done.summary
    identities = {run["model"]: program.json("show", run["id"], "--store", "ours.sqlite")["identity"]
                  for run in done.runs().rows()}
    told = {name: identity["family"]["model"]["program"] for name, identity in identities.items()}
    assert told["named"].pop("package:numpy") == np.__version__
    assert told["named"] == told["plain"]
    again = cupel.run(protocol, store="ours.sqlite", name="mine")
    assert again.summary["done"] == 0


def test_no_warning_where_all_is_well(protocol):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cupel.run(protocol, models="majority", store="w.sqlite")


def test_polars_reads_tables_as_they_are(protocol):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    done = cupel.run(protocol, store="s.sqlite")
    for table in (done.table(), done.runs()):
        frame = polars.DataFrame(table)
        assert frame.columns == table.columns and len(frame) == len(table)
        for name in table.columns:
            values = frame[name].to_list()
            if isinstance(table[name], list):
                assert values == table[name]
            else:
                told = [float("nan") if v is None else float(v) for v in values]
                assert np.array_equal(np.array(told), np.asarray(table[name], dtype=float),
                                      equal_nan=True)
    assert polars.DataFrame(done.table())["published_mean"].null_count() == 3
    assert done.table().to_polars().equals(polars.DataFrame(done.table()))


def rows_of(frame):
    """A row of texts and numbers for each row of a frame of pandas; None where there is nothing."""
    return [tuple(None if value != value else value for value in row)
            for row in frame.astype(object).itertuples(index=False, name=None)]


def told_rows(table):
    return [tuple(None if value != value else value for value in row.values())
            for row in table.rows()]


def test_pandas_reads_tables(protocol):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    done = cupel.run(protocol, store="s.sqlite")
    for table in (done.table(), done.runs()):
        frame = table.to_pandas()
        assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == table.columns
        assert rows_of(frame) == told_rows(table)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_tables_without_a_package_say_so(protocol, package, monkeypatch):
    table = cupel.run(protocol, models="majority", store="s.sqlite").table()
    monkeypatch.setitem(sys.modules, package, None)  # as where it is not installed
    with pytest.raises(cupel.Error, match=f"^{package} is needed for to_{package}; `pip install "
                                          f"{package}`, or take to_dict$"):
        getattr(table, f"to_{package}")()


def test_pandas_reads_arrow_streams(protocol):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pandas reads Arrow by pyarrow, which is not installed")
    if not hasattr(pandas.DataFrame, "from_arrow"):
        pytest.skip(f"pandas {pandas.__version__} has no DataFrame.from_arrow, which came with 3.0")
    done = cupel.run(protocol, store="s.sqlite")
    for table in (done.table(), done.runs()):
        frame = pandas.DataFrame.from_arrow(table)
        assert list(frame.columns) == table.columns and rows_of(frame) == told_rows(table)
    with pytest.raises(ValueError):  # of which the documentation says nothing, as it cannot
        pandas.DataFrame(done.runs())


def test_duckdb_reads_tables_as_they_are(protocol):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    done = cupel.run(protocol, store="s.sqlite")
    cells, runs = done.table(), done.runs()
    for table, found in ((cells, duckdb.sql("from cells")), (runs, duckdb.sql("from runs"))):
        assert found.columns == table.columns
        for _ in range(2):  # it takes a stream of its own each time
            assert [tuple(None if value != value else value for value in row)
                    for row in found.fetchall()] == told_rows(table)
    joined = duckdb.sql("select model, 100 * avg(test_score), max(mean) from runs join cells "
                        "using (model) group by model order by model").fetchall()
    assert [row[0] for row in joined] == ["gcn", "majority", "mlp"]
    for _, ours, told in joined:
        assert ours == pytest.approx(told)


def test_pyarrow_reads_tables_as_they_are(protocol):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    done = cupel.run(protocol, store="s.sqlite")
    held = pyarrow.table(done.runs())
    held.validate(full=True)
    assert held.schema.field("split").type == pyarrow.int64()
    assert held.column("test_score").to_pylist() == done.runs()["test_score"].tolist()
    unread = done.runs().__arrow_c_stream__()
    del unread  # what nobody takes is freed


def test_reports_by_the_name_of_the_file(protocol, program):
    done = cupel.run(protocol, store="s.sqlite", name="mine")
    for end in ("md", "tex", "csv", "json", "txt", "html"):
        done.report(f"report.{end}")
        assert os.path.getsize(f"report.{end}") > 0
    for end in ("md", "html"):
        program("report", "s.sqlite", "--out", f"theirs.{end}")
        assert pathlib.Path(f"report.{end}").read_bytes() == \
            pathlib.Path(f"theirs.{end}").read_bytes()
    with pytest.raises(cupel.Error, match="xlsx"):
        done.report("report.xlsx")
    with pytest.raises(cupel.Error, match="no folder"):
        done.report("nowhere/report.md")


def page_of(program, *options):
    return program("report", "s.sqlite", "--format", "html", *options).stdout


def block_of(page):
    """The JSON of a page."""
    return json.loads(page.split('id="data">')[1].split("</script>")[0])


def test_a_page_is_that_of_the_store(protocol, program, monkeypatch):
    first = cupel.run(protocol, store="s.sqlite", name="first", delta=2.5)
    cupel.run({**protocol, "title": "Another"}, store="s.sqlite", name="second", splits=2,
              models=["gcn", "mlp"])
    stored = cupel.results("s.sqlite")
    assert stored.to_text("html") == page_of(program)
    assert [one["name"] for one in block_of(page_of(program))["protocols"]] == ["second", "first"]
    assert cupel.results("s.sqlite", protocol="first").to_text("html") == \
        page_of(program, "--protocol", "first")
    assert stored.only(models="gcn").only(tables="1").to_text("html") == \
        page_of(program, "--models", "gcn", "--tables", "1")
    # Of a part of a part, what is left.
    assert stored.only(models=["gcn", "mlp"]).only(models="mlp").to_text("html") == \
        page_of(program, "--models", "mlp")
    # What was run is that protocol, as it was asked to be judged.
    assert first.to_text("html") == page_of(program, "--protocol", "first", "--delta", "2.5")
    path = write(protocol, "first.toml")
    named = program("report", "./" + path, "--store", "s.sqlite", "--format", "html").stdout
    assert cupel.results("./" + path, store="s.sqlite").to_text("html") == named
    # Wherever Python has gone since.
    expected = page_of(program)
    os.mkdir("elsewhere")
    monkeypatch.chdir("elsewhere")
    assert stored.to_text("html") == expected
    stored.report("here.html")
    assert pathlib.Path("here.html").read_text() == expected


def test_a_name_that_is_no_utf8_is_read_by_all(protocol, program):
    """Arrow's texts are UTF-8; polars ends the process, or worse, where one is not."""
    polars = pytest.importorskip("polars")
    csbm(60, "plain.npz")
    os.rename(b"plain.npz", b"caf\xe9.npz")
    path = write(protocol, "bytes.toml")
    program("run", "./" + path, "--datasets", "./caf\udce9.npz", "--models", "majority",
            "--no-report")
    table = cupel.results("bytes.sqlite").table()
    frame = polars.DataFrame(table)
    assert frame["dataset"].to_list() == table["dataset"] == ["caf\\xe9"]
    assert "caf\\xe9" in str(frame)


def test_a_protocol_lies_in_a_folder_of_any_name(protocol, monkeypatch):
    os.mkdir(b"caf\xe9")
    monkeypatch.chdir(os.fsdecode(b"caf\xe9"))
    path = write(protocol, "mine.toml")
    assert os.path.samefile(cupel.load_protocol("./" + path).folder, ".")
    with pytest.raises(cupel.Error, match="not UTF-8"):
        cupel.plan("./" + path, pilot="none", progress=False)


def test_a_function_may_go_elsewhere(protocol, tmp_path):
    os.mkdir("elsewhere")

    @cupel.model(version="1", deterministic=True)
    def leaves(task):
        os.chdir(tmp_path / "elsewhere")
        return np.zeros((task.nodes, task.classes))

    done = cupel.run(protocol, models=[leaves], store="s.sqlite")
    assert done.summary["ok"] == 3 and os.path.samefile(os.getcwd(), tmp_path / "elsewhere")
    done.report(tmp_path / "page.html")
    assert "leaves" in (tmp_path / "page.html").read_text()


def test_a_page_has_audits_of_the_data(protocol, program, monkeypatch):
    if not os.path.exists(os.path.join(REAL_DATA, "cora", "cora.npz")):
        pytest.skip("Cora is not there; set CUPEL_DATA")
    named = {**protocol, "data": {**protocol["data"], "datasets": ["cora"]}}
    done = cupel.run(named, models="majority", splits=1, store="s.sqlite", data=REAL_DATA)
    assert "audited" not in block_of(done.to_text("html"))["protocols"][0]["datasets"][0]
    monkeypatch.setenv("CUPEL_DATA", REAL_DATA)
    page = done.to_text("html")
    assert page == page_of(program)
    assert block_of(page)["protocols"][0]["datasets"][0]["audited"] is True
    monkeypatch.setenv("CUPEL_DATA", "nowhere")
    done.report("given.html", data=REAL_DATA)
    program("report", "s.sqlite", "--data", REAL_DATA, "--out", "theirs.html")
    assert pathlib.Path("given.html").read_bytes() == pathlib.Path("theirs.html").read_bytes()


def test_what_a_page_cannot_be_made_of(protocol):
    done = cupel.run(protocol, models="majority", store="s.sqlite")
    with pytest.raises(cupel.Error, match="--data is for the cards of data sets"):
        done.report("report.md", data=".")
    with pytest.raises(cupel.Error, match="no folder 'nowhere'"):
        done.report("report.html", data="nowhere")
    with pytest.raises(cupel.Error, match="neither a name nor a path"):
        done.report("report.html", data=3)
    assert not os.path.exists("report.html")
    os.rename("s.sqlite", "moved.sqlite")
    with pytest.raises(cupel.Error, match="s.sqlite"):
        done.report("report.html")
    assert "majority" in done.to_text()


def test_a_page_that_is_too_large_is_told(protocol, program):
    """Many rows, which are all one model, so that there are few runs."""
    protocol["models"] = {f"row{number}": {"model": "majority"} for number in range(60)}
    protocol["data"]["datasets"] = [f"csbm:nodes=120,classes=3,seed={seed}" for seed in range(14)]
    protocol["split"]["count"] = 12
    done = cupel.run(protocol, store="s.sqlite")
    with pytest.warns(UserWarning, match="large.html has 1,.* fewer than 1,000,000"):
        done.report("large.html")
    with pytest.warns(UserWarning, match="the page has 1,"):
        done.to_text("html")
    told = program("report", "s.sqlite", "--out", "large.html").stderr
    assert "large.html has 1," in told and "fewer than 1,000,000" in told
    assert "the page has 1," in program("report", "s.sqlite", "--format", "html").stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done.only(models=["row1", "row2"]).report("small.html")
        done.report("large.md")
    assert "fewer" not in program("report", "s.sqlite", "--models", "row1", "--out", "p.html").stderr


@cupel.model(version="1")
def nearest(task, *, power=1.0):
    means = np.stack([task.x[task.idx_train][task.y_train == c].mean(0)
                      for c in range(task.classes)])
    return -np.abs(task.x[:, None] - means).sum(2) ** power


A_FILE = """
[data]
datasets = ["csbm:nodes=120,classes=3"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 3
[models.gcn]
hidden = 4
"""


def test_what_a_page_says_repeats_a_cell(graph, protocol, program):
    """The command of a cell, or the call, does the runs of that cell again."""
    protocol["models"]["near"] = {"function": nearest, "power": 0.5}
    pathlib.Path("file.toml").write_text(A_FILE)
    in_hand = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="mine")
    cupel.run(protocol, store="s.sqlite", name="dict")
    cupel.run(protocol, datasets=in_hand, models=["mlp"], store="s.sqlite", name="dict")
    cupel.run("./file.toml", models=["gcn", nearest], store="s.sqlite")
    known = {"cupel": cupel, "PROTOCOL": protocol, "FUNCTION": nearest, "PATH": in_hand}
    repeated = set()
    for one in block_of(cupel.results("s.sqlite").to_text("html"))["protocols"]:
        rows = cupel.results("s.sqlite", protocol=one["name"]).runs().rows()
        (table,) = one["tables"]
        for cell, line in enumerate(table["runs"]["command"]):
            if line is None:
                continue
            row, column = divmod(cell, len(table["columns"]))
            place = table["models"][row], table["columns"][column]["dataset"]
            if line.startswith("cupel run "):
                program(*shlex.split(line)[1:])
            else:
                eval(line, known)
            again = cupel.results("again.sqlite").runs().rows()
            assert {run["id"] for run in again} == {
                run["id"] for run in rows if (run["model"], run["dataset"]) == place}, line
            os.remove("again.sqlite")
            repeated.add((one["name"], *place, line.split("(")[0].split(" ./")[0]))
    csbm_name = "csbm:nodes=120,classes=3"
    assert repeated == {
        ("file", "gcn", csbm_name, "cupel run"), ("file", "nearest", csbm_name, "cupel.run"),
        ("dict", "mlp", "mine", "cupel.run"),
        *(("dict", model, csbm_name, "cupel.run") for model in ("mlp", "gcn", "majority", "near"))}


def test_names_cannot_act(graph, protocol):
    evil = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name="<b onload=x>")
    done = cupel.run(protocol, datasets=evil, models="majority", store="e.sqlite")
    assert "<b " not in done._repr_html_() and "&lt;b" in done._repr_html_()


def test_a_store_of_something_else(protocol):
    with sqlite3.connect("other.sqlite") as other:
        other.execute("create table t (x)")
    with pytest.raises(cupel.Error, match="other.sqlite"):
        cupel.run(protocol, store="other.sqlite")
    pathlib.Path("text.sqlite").write_text("no store at all, but a longer text than a header")
    with pytest.raises(cupel.Error, match="text.sqlite"):
        cupel.results("text.sqlite")


def test_what_could_not_be_put_down_is_told():
    summary = {"refused": [], "notes": [], "failures": [], "without_score": 0, "words": "",
               "checkpoint_problem": "a.sqlite: no space"}
    with pytest.warns(RuntimeWarning, match="a.sqlite: no space"):
        cupel._study._tell(summary, False)


def test_a_dict_extends_a_protocol(protocol):
    write(protocol, "base.toml")
    mine = {"extends": "base.toml", "models": {"wide": {"model": "mlp", "hidden": 16}},
            "train": {"inits": 1}}
    loaded = cupel.load_protocol(mine, "mine")
    copied = {**protocol, "models": {**protocol["models"], **mine["models"]},
              "train": {**protocol["train"], "inits": 1}}
    assert loaded.version == cupel.load_protocol(copied, "mine").version
    # Its text needs no other file, and a shipped protocol brings its published values.
    assert write(mine, "whole.toml") and "extends" not in loaded.text
    assert cupel.load_protocol("./whole.toml").version == loaded.version
    shipped = cupel.load_protocol({"extends": "pitfalls", "models": {"mine": {"model": "gcn"}}})
    assert shipped.published_text == cupel.load_protocol("pitfalls").published_text
    # The rows of the base are done once.
    assert cupel.run(protocol, store="s.sqlite", inits=1).summary["done"] > 0
    assert cupel.run(mine, store="s.sqlite", progress=False).summary["done"] == 3
    with pytest.raises(cupel.Error, match="'extends': no protocol is called 'pitfals'"):
        cupel.load_protocol({"extends": "pitfals"})
    with pytest.raises(cupel.Error, match="unnamed:[0-9]+: unknown key 'titel'"):
        cupel.load_protocol({"extends": "pitfalls", "titel": "x"})


def test_a_function_stands_in_a_protocol_that_is_extended(protocol):
    @cupel.model(version="1")
    def constant(task):
        return np.zeros((task.nodes, task.classes))

    write(protocol, "base.toml")
    done = cupel.run({"extends": "base.toml", "models": {"mine": {"function": constant}}},
                     store="s.sqlite", models="mine", progress=False)
    assert set(done.table()["model"]) >= {"mine"}
