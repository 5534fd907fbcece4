"""Data sets, splits, tables and results in another process: pickled, and copied deeply."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import cupel


def weighted():
    return cupel.Graph.from_numpy([[0, 1, 1, 2, 3], [1, 0, 2, 1, 3]], np.eye(4, 3), ["b", "a", "b", "a"],
                                  edge_weight=[1, 2, 0.5, 0, 3], splits=[([0], [1], [2, 3])], name="mine")


def of_tasks():
    return cupel.GraphSet.from_numpy([[[0, 1], [1, 0]], [[0, 1], [1, 2]]], y=[[0, 1], [np.nan, 1]],
                                     edge_attr=[[1.5, 2.5], [3, 4]], name="tasks")


DATA = {
    "generated": lambda: cupel.load("csbm:nodes=60,classes=3"),
    "weighted": weighted,
    "unlabelled": lambda: cupel.Graph.from_numpy([[0], [1]], num_nodes=3),
    "set": lambda: cupel.generate("syn-degree", graphs=20),
    "tasks": of_tasks,
    "facts": lambda: cupel.Facts.from_numpy(["a", "b"], ["b", "ü"], [2, 1], ["knows", "likes"], name="when"),
}


def arrays_of(data):
    if isinstance(data, cupel.Facts):
        return [data.sources, data.relations, data.targets, data.times]
    out = [data.edge_index, data.indptr, data.indices, data.x]
    out += [part for part in (data.y, data.weights) if part is not None]
    out += [part for split in data.splits for part in split[:4]]
    return out + ([data.starts, data.node_attributes, data.arc_attributes]
                  if isinstance(data, cupel.GraphSet) else [])


def elsewhere(code, *arguments):
    """What another process prints."""
    path = str(pathlib.Path(cupel.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", f"import sys, pickle; sys.path.insert(0, {path!r}); {code}",
                           *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", DATA)
def test_data_sets_are_the_same_again(name):
    data = DATA[name]()
    told = (data.hash, data.name, data.counts, data.card, repr(data))
    copies = [copy.deepcopy(data), copy.copy(data)]
    copies += [pickle.loads(pickle.dumps(data, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for one in copies:
        assert type(one) is type(data)
        assert (one.hash, one.name, one.counts, one.card, repr(one)) == told
        for ours, theirs in zip(arrays_of(data), arrays_of(one), strict=True):
            assert ours.dtype == theirs.dtype and not np.shares_memory(ours, theirs)
            np.testing.assert_array_equal(ours, theirs)
            assert not theirs.flags.writeable
        if not isinstance(data, cupel.Facts):
            assert one.class_names == data.class_names and one.prepared == data.prepared


def test_a_data_set_in_another_process():
    data = weighted()
    pathlib.Path("held").write_bytes(pickle.dumps(data))
    assert elsewhere("print(pickle.load(open('held', 'rb')).hash)") == data.hash


def test_large_arrays_may_go_beside_the_pickle():
    """As joblib, dask and others send them, without a copy."""
    data, beside = weighted(), []
    said = pickle.dumps(data, 5, buffer_callback=beside.append)
    assert len(said) < 1000 and len(beside) == 1
    assert pickle.loads(said, buffers=beside).hash == data.hash


def test_a_data_set_stays_that_of_its_name(protocol):
    loaded = pickle.loads(pickle.dumps(cupel.load(protocol["data"]["datasets"][0])))
    done = cupel.run(protocol, datasets=[loaded], models="mlp", splits=1, progress=False)
    assert set(done.table()["dataset"]) == set(protocol["data"]["datasets"])
    assert cupel.prepare(pickle.loads(pickle.dumps(loaded)), ["symmetrise"]).prepared == ["symmetrise"]


def test_splits_are_drawn_again(graph):
    family = cupel.splits(graph, "per-class", n=4, train=5, valid=5)
    for again in (pickle.loads(pickle.dumps(family)), copy.deepcopy(family)):
        assert [split.hash for split in again] == [split.hash for split in family]
        assert repr(again) == repr(family)
    one = pickle.loads(pickle.dumps(family[2]))
    assert one.hash == family[2].hash and one.train.tolist() == family[2].train.tolist()


def test_protocols_are_the_same_again(protocol):
    for name in ("quickstart", protocol):
        loaded = cupel.load_protocol(name, "mine")
        for one in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
            assert (one.name, one.version, one.text, one.folder, one.published_text) == \
                (loaded.name, loaded.version, loaded.text, loaded.folder, loaded.published_text)


def test_what_is_damaged_is_told():
    held = np.array(weighted()._core.packed())
    held[-1] ^= 1
    with pytest.raises(cupel.Error, match="what was pickled is damaged; pickle it anew"):
        cupel._core.unpacked(held, "", "", "")
    held = np.array(weighted()._core.packed())
    held[:7] = 0
    with pytest.raises(cupel.Error, match="is no data set of this version of cupel"):
        cupel._core.unpacked(held, "", "", "")
    with pytest.raises(cupel.Error, match="is no table of this version of cupel"):
        cupel._core.unpacked_frame(weighted()._core.packed())


@pytest.fixture
def done(protocol):
    return cupel.run(protocol, splits=2, store="small.sqlite", name="small", progress=False)


def test_tables_are_the_same_again(done):
    for table in (done.table(), done.runs()):
        for one in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
            assert one.columns == table.columns and one.to_csv() == table.to_csv()
            for column in table.columns:
                np.testing.assert_array_equal(one[column], table[column])
    pathlib.Path("held").write_bytes(pickle.dumps(done.table()))
    pathlib.Path("small.sqlite").unlink()
    assert elsewhere("print(pickle.load(open('held', 'rb')).to_csv())") == done.table().to_csv().strip()


def test_results_are_read_where_they_are_kept(done, tmp_path, monkeypatch):
    held = {"all": done, "part": done.only(models=["gcn", "mlp"]).only(models="mlp"),
            "stored": cupel.results("small.sqlite"), "named": cupel.results("small.sqlite", protocol="small")}
    (tmp_path / "away").mkdir()
    for name, results in held.items():
        pathlib.Path("held").write_bytes(pickle.dumps(results))
        monkeypatch.chdir("away")
        again = pickle.loads(pathlib.Path("../held").read_bytes())
        monkeypatch.chdir("..")
        assert again.runs().to_csv() == results.runs().to_csv(), name
        assert again.table().to_csv() == results.table().to_csv(), name
        assert again.summary == results.summary and again.store == os.path.abspath("small.sqlite")
        results.report("ours.html")
        again.report("theirs.html")
        assert pathlib.Path("ours.html").read_bytes() == pathlib.Path("theirs.html").read_bytes(), name
    assert elsewhere("print(pickle.load(open('held', 'rb')).protocol)") == "small"


def test_another_tolerance_goes_along():
    pathlib.Path("printed.csv").write_text(
        "table,dataset,model,metric,mean,spread,spread_kind,n_runs,effective_n\n"
        '1,"csbm:nodes=300,seed=1",sgc,accuracy,5.0,1.0,sd_ddof1_pooled_runs,100,100\n')
    pathlib.Path("printed.toml").write_text("""
data.datasets = ["csbm:nodes=300,seed=1"]
split = { train = 10, valid = 10, count = 10 }
train = { max_epochs = 20, inits = 1 }
models.sgc = {}
published.file = "printed.csv"
""")
    done = cupel.run("./printed.toml", until="decided", delta=99, progress=False)
    again = pickle.loads(pickle.dumps(done))
    assert again.table()["verdict"] == done.table()["verdict"] != cupel.results(done.store).table()["verdict"]


def test_results_of_a_store_that_went_on_are_refused(done, protocol):
    held = pickle.dumps(done)
    copied = copy.deepcopy(done)
    cupel.run(protocol, store="small.sqlite", name="small", progress=False)
    with pytest.raises(cupel.Error, match="has other runs of 'small' now than when these results were pickled"):
        pickle.loads(held)
    # A copy in this process holds what it held.
    assert copy.copy(done).runs().to_csv() == copied.runs().to_csv() == done.runs().to_csv()
    copied.summary["done"] = -1
    assert done.summary["done"] != -1
    pathlib.Path("small.sqlite").unlink()
    with pytest.raises(cupel.Error, match="small.sqlite"):
        pickle.loads(held)
