"""What is written for other programs, read by those programs.

pip install mlcroissant mlflow-skinny huggingface_hub (and pyyaml, which they bring).
"""

import csv
import hashlib
import json
import pathlib

import pytest

import cupel
from conftest import small_protocol

EVIL = "a: &x *y\n- !!python/object:os.system {\"k\": [1]} # <b onload=x> 'q' \x1b]0;t\x07 \u202e é"


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# Data sets: Croissant

@pytest.fixture
def croissant(program):
    def write(what, *arguments):
        program("convert", what, "out", "--format", "croissant", *arguments)
        return read("out/croissant.json")

    def read(path):
        mlcroissant = pytest.importorskip("mlcroissant")
        dataset = mlcroissant.Dataset(path)
        assert not dataset.metadata.ctx.issues.errors
        return dataset

    write.read = read
    return write


def test_croissant_gives_the_records_of_the_files(croissant):
    dataset = croissant("csbm:nodes=60,classes=3,features=40", "--scheme", "per-class",
                        "--set", "train=5,valid=5,count=2")
    nodes = list(dataset.records("nodes"))
    assert [{"node": str(n["nodes/node"]), "label": n["nodes/label"].decode()} for n in nodes] == \
        rows_of("out/labels.csv")
    edges = list(dataset.records("edges"))
    assert [{name: str(e[f"edges/{name}"]) for name in ("source", "target")} for e in edges] == \
        rows_of("out/edges.csv")
    features, file = list(dataset.records("features")), rows_of("out/features.csv")
    assert len(features) == len(file) == 60
    for ours, row in zip(features, file):
        assert {name: ours[f"features/{name}"] for name in row} == \
            {name: float(value) for name, value in row.items()}
    stored = json.loads(pathlib.Path("out/splits.json").read_text())["splits"]
    splits = list(dataset.records("splits"))
    assert [{part: s[f"splits/{part}"] for part in ("train", "valid", "test")} for s in splits] == \
        stored


def test_croissant_of_a_graph_in_memory(croissant):
    graph = cupel.Graph.from_numpy([[0, 1, 1, 2], [1, 0, 2, 1]], [[0.5, 1], [2, 3], [1e-30, 7]],
                                   [7, -1, 10], name=EVIL)
    graph.save("out", "croissant")
    dataset = croissant.read("out/croissant.json")
    assert [n["nodes/label"] for n in dataset.records("nodes")] == [7, None, 10]
    assert [f["features/x0"] for f in dataset.records("features")] == [0.5, 2, 1e-30]
    said = json.loads(pathlib.Path("out/croissant.json").read_text())
    assert said["name"] == dataset.metadata.name
    assert not any(ord(c) < 32 or c == "\u202e" for c in said["name"])
    assert said["identifier"][0]["value"] == cupel.load("./out").hash
    assert "license" not in said and "citeAs" not in said


def test_croissant_says_whose_a_data_set_is(croissant):
    dataset = croissant("minesweeper:rows=8,columns=8,seed=1")
    assert dataset.metadata.cite_as and "Platonov" in dataset.metadata.cite_as
    hashes = {file.id: file.sha256 for file in dataset.metadata.distribution}
    assert set(hashes) >= {"labels.csv", "edges.csv", "features.csv"}


def numbered(dataset, name, *fields):
    """The records of a set, a tuple for each; texts as texts."""
    return [tuple(v.decode() if isinstance(v, bytes) else v
                  for v in (record[f"{name}/{field}"] for field in fields))
            for record in dataset.records(name)]


# The text of TU is parsed here, by its definition.
def test_croissant_of_a_set_of_graphs(croissant):
    pathlib.Path("rings").mkdir()
    for ending, text in {"A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
                         "graph_indicator": "1\n1\n1\n3\n3\n",
                         "graph_labels": "-1\n7\n7\n",
                         "node_labels": "0\n1\n0\n1\n1\n",
                         "node_attributes": "0.5, 1\n2, -3\n4, 5\n6, 7\n1e-30, 8\n",
                         "edge_attributes": "1\n1\n2\n2\n0.25\n0.25\n",
                         "scaffold_train": "0\n", "scaffold_valid": "1\n",
                         "scaffold_test": "2\n"}.items():
        pathlib.Path(f"rings/rings_{ending}.txt").write_text(text)
    dataset = croissant("./rings")
    assert numbered(dataset, "graphs", "graph", "label") == [(0, -1), (1, 7), (2, 7)]
    nodes = numbered(dataset, "nodes", "node", "graph", "label", "a0", "a1")
    assert nodes == [(0, 0, 0, 0.5, 1), (1, 0, 1, 2, -3), (2, 0, 0, 4, 5), (3, 2, 1, 6, 7),
                     (4, 2, 1, 1e-30, 8)]
    assert numbered(dataset, "arcs", "source", "target", "a0") == [
        (0, 1, 1), (1, 0, 1), (1, 2, 2), (2, 1, 2), (3, 4, 0.25), (4, 3, 0.25)]
    assert [(s["splits/train"], s["splits/valid"], s["splits/test"])
            for s in dataset.records("splits")] == [([0], [1], [2])]
    said = json.loads(pathlib.Path("out/croissant.json").read_text())
    assert {f["@id"]: f["sha256"] for f in said["distribution"]} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in pathlib.Path("out").iterdir() if path.name != "croissant.json"}


def test_croissant_of_tasks(croissant):
    pathlib.Path("rings").mkdir()
    for ending, text in {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n2\n",
                         "graph_labels": "0, 1\nnan, 0\n"}.items():
        pathlib.Path(f"rings/rings_{ending}.txt").write_text(text)
    assert numbered(croissant("./rings"), "graphs", "graph", "task0", "task1") == [
        (0, 0, 1), (1, None, 0)]


def test_croissant_of_facts_over_time(croissant, program):
    pathlib.Path("papers.csv").write_text(
        "id,year,title,abstract,authors,author_ids,affiliations,keywords\n"
        "P1,1999,Fair robots,,\"Ann \"\"A\"\" Lee;Bob, jr\",,Oslo;Oslo,\n"
        "P2,2001,A neural network,,Ann \"A\" Lee;Zoé,,,\n")
    program("build", "expert", "--from", "records=papers.csv", "--out", "papers")
    dataset = croissant("./papers")
    entities = rows_of("papers/entities.csv")
    assert numbered(dataset, "entities", "id", "type", "name") == [
        (int(row["id"]), row["type"], row["name"]) for row in entities]
    assert "Zoé" in {row["name"].title() for row in entities}
    assert numbered(dataset, "facts", "timestamp", "head", "tail", "relation_type") == [
        tuple(map(int, row.values())) for row in rows_of("papers/quadruples.csv")]
    assert numbered(dataset, "authorships", "paper", "position", "entity") == [
        (row["paper"], int(row["position"]), int(row["entity"]))
        for row in rows_of("papers/authorships.csv")]
    relations = rows_of("papers/relations.csv")
    assert numbered(dataset, "relations", "id", *list(relations[0])[1:]) == [
        (int(row["id"]), *list(row.values())[1:]) for row in relations]


def test_croissant_refuses_with_nothing_left(program):
    pathlib.Path("facts").mkdir()
    for name, text in {"quadruples": "timestamp,head,tail,relation_type\n1,0,7,0\n",
                       "entities": "id,type,name\n0,a,b\n",
                       "relations": "id,name,head_type,tail_type,direction,time_unit\n"
                                    "0,r,a,a,either,year\n"}.items():
        pathlib.Path(f"facts/{name}.csv").write_text(text)
    said = program.error("convert", "./facts", "out", "--format", "croissant")
    assert "quadruples.csv" in said and "7" in said and said.count("\n") == 0
    pathlib.Path("facts/quadruples.csv").write_text(
        "timestamp,head,tail,relation_type\n1,0,0,0\n2,0,0,0\n3,0,0,0\n")
    said = program.error("convert", "./facts", "out", "--format", "croissant",
                         "--prepare", "symmetrise")
    assert "--prepare" in said and "facts over time" in said
    assert sorted(path.name for path in pathlib.Path().iterdir()) == ["facts"]


# A file that was changed is another file.
def test_croissant_tells_a_changed_file(croissant):
    croissant("minesweeper:rows=8,columns=8,seed=1")
    path = pathlib.Path("out/edges.csv")
    path.write_text(path.read_text() + "0,5\n")
    said = {f["@id"]: f["sha256"] for f in
            json.loads(pathlib.Path("out/croissant.json").read_text())["distribution"]}
    assert said["edges.csv"] != hashlib.sha256(path.read_bytes()).hexdigest()
    assert said["labels.csv"] == hashlib.sha256(
        pathlib.Path("out/labels.csv").read_bytes()).hexdigest()


# Results

@pytest.fixture
def evil_results(graph, protocol):
    """Two good rows and one whose runs fail, on a data set whose name is a program."""
    protocol["models"]["broken"] = {"command": ["false"]}
    mine = cupel.Graph.from_numpy(graph.edge_index, graph.x, graph.y, name=EVIL)
    with pytest.warns(cupel.RunsFailed):
        return cupel.run(protocol, datasets=[mine], models=["mlp", "gcn", "broken"], name="evil",
                         store="evil.sqlite", progress=False)


def client_of(folder, monkeypatch):
    pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    from mlflow.tracking import MlflowClient
    return MlflowClient(tracking_uri=pathlib.Path(folder).absolute().as_uri())


def all_runs(client):
    experiment, = client.search_experiments()
    return experiment, list(client.search_runs([experiment.experiment_id], max_results=1000))


def test_mlflow_reads_every_run(protocol, monkeypatch):
    done = cupel.run(protocol, store="s.sqlite", name="mine", progress=False)
    done.report("mlruns", "mlflow")
    experiment, runs = all_runs(client_of("mlruns", monkeypatch))
    assert experiment.name == "mine"
    ours = {(r["model"], r["split"], r["init"]): r for r in done.runs().rows()}
    assert len(runs) == len(ours)
    for run in runs:
        params, metrics = run.data.params, run.data.metrics
        row = ours.pop((params["model"], int(params["split"]), int(params["init"])))
        assert metrics["test_accuracy"] == row["test_score"]
        assert metrics["valid_accuracy"] == row["valid_score"]
        assert metrics.get("epochs", 0) == row["epochs"]
        assert run.info.status == "FINISHED" and run.data.tags["cupel.run"] == row["id"]
        assert params["dataset"] == "csbm:nodes=120,classes=3"
        assert run.info.end_time == round(1000 * row["seconds"])
        if params["model"] != "majority":
            assert params["family.model.settings.lr"] == "0.01"
    assert not ours


def test_mlflow_searches_and_adds(protocol, monkeypatch):
    cupel.run(protocol, store="s.sqlite", name="mine", progress=False).report("mlruns", "mlflow")
    client = client_of("mlruns", monkeypatch)
    experiment, _ = all_runs(client)
    found = client.search_runs([experiment.experiment_id], "params.model = 'gcn'",
                               order_by=["metrics.test_accuracy DESC"])
    scores = [run.data.metrics["test_accuracy"] for run in found]
    assert len(scores) == 6 and scores == sorted(scores, reverse=True)
    client.log_metric(found[0].info.run_id, "mine", 1.5)  # it is a store like any other
    assert client.get_run(found[0].info.run_id).data.metrics["mine"] == 1.5


def test_mlflow_has_failed_runs_and_inert_names(evil_results, monkeypatch):
    evil_results.report("mlruns", "mlflow")
    _, runs = all_runs(client_of("mlruns", monkeypatch))
    assert len(runs) == len(evil_results.runs())
    failed = [run for run in runs if run.info.status == "FAILED"]
    assert {run.data.params["model"] for run in failed} == {"broken"}
    assert all("test_accuracy" not in run.data.metrics for run in failed)
    assert all(run.data.tags["cupel.message"] for run in failed)
    for run in runs:
        name = run.data.params["dataset"]
        assert name.startswith("a: &x *y - !!python") and name.endswith(" é")
        assert run.info.run_name.startswith(run.data.params["model"] + " on a: &x")
        assert not any(ord(c) < 32 or c == "\u202e" for c in name + run.info.run_name)


def test_mlflow_is_a_folder(protocol, program):
    done = cupel.run(protocol, store="s.sqlite", models="majority", progress=False)
    done.report("mlruns", "mlflow")
    with pytest.raises(cupel.Error, match="there already"):
        done.report("mlruns", "mlflow")
    assert "--out DIR" in program.error("report", "s.sqlite", "--format", "mlflow")
    program("report", "s.sqlite", "--format", "mlflow", "--out", "theirs")
    ours, theirs = ({path.relative_to(root): path.read_bytes() for path in root.rglob("*")
                     if path.is_file()} for root in map(pathlib.Path, ("mlruns", "theirs")))
    assert ours == theirs


def test_hf_reads_the_results(evil_results):
    hub = pytest.importorskip("huggingface_hub")
    yaml = pytest.importorskip("yaml")
    evil_results.report("card.yaml")  # .yaml means this format
    text = pathlib.Path("card.yaml").read_text()
    assert text.startswith('# "broken" on ')
    found = hub.ModelCard(f"---\n{text}---\n").data.eval_results
    rows = [row for row in evil_results.table().rows() if row["model"] != "broken"]
    assert [one.metric_value for one in found] == [row["mean"] for row in rows]
    for one in found:
        assert one.metric_type == "accuracy" and one.dataset_name.startswith("a: &x *y")
        assert one.metric_args["runs"] == 6 and one.dataset_args["protocol"] == "evil"
    index = yaml.safe_load(text)["model-index"]
    assert [model["name"] for model in index] == [row["model"] for row in rows]
    one = hub.ModelCard(f"---\n{evil_results.only(models='gcn').to_text('hf')}---\n").data
    assert one.model_name == "gcn" and len(one.eval_results) == 1


def test_hf_reads_the_entries_of_leaderboards(evil_results):
    hub = pytest.importorskip("huggingface_hub")
    yaml = pytest.importorskip("yaml")
    evil_results.report("evals", "hf-evals")
    rows = {row["model"]: row for row in evil_results.table().rows()}
    texts = [path.read_text() for path in sorted(pathlib.Path("evals").iterdir())]
    assert len(texts) == len(rows)
    means = []
    for text in texts:
        for entry in hub.parse_eval_result_entries(yaml.safe_load(text)):
            assert entry.dataset_id.startswith("a: &x *y")
            assert entry.task_id == "evil.1.accuracy"
            assert "mean of 6 runs of 6 planned" in entry.notes
            means.append(entry.value)
    assert sorted(means) == sorted(row["mean"] for row in rows.values() if row["model"] != "broken")


def test_hf_of_one_run():
    done = cupel.run(small_protocol(models={"majority": {}}), splits=1, inits=1, store="s.sqlite",
                     progress=False)
    yaml = pytest.importorskip("yaml")
    result, = yaml.safe_load(done.to_text("hf"))["model-index"][0]["results"]
    assert result["metrics"][0]["name"] == "Test accuracy in percent, mean of 1 run"
    assert "spread" not in result["metrics"][0]["args"]
