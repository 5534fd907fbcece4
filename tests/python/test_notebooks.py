"""The notebooks of examples/notebooks, cell by cell, without Jupyter."""

import ast
import json
import linecache
import pathlib
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def run(path):
    """What is defined when all cells have run, in order, and what the last line of each cell is."""
    space, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        if cell["cell_type"] != "code":
            continue
        text = "".join(cell["source"])
        file = f"<{path.stem}, cell {number}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)  # as IPython has it
        tree = ast.parse(text, file)
        last = ast.Expression(tree.body.pop().value) \
            if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), space)
        if last is not None:
            shown.append(eval(compile(last, file, "eval"), space))
    return space, shown


def first_table(space, shown):
    assert (0, 50) in shown
    means = shown[-1]
    assert means["gcn"] > means["mlp"] > means["majority"]


def my_model(space, shown):
    assert space["done"].summary["failed"] == 0
    assert shown[-1][:2] == (2, 1) and "no split 1, please" in shown[-1][2]
    assert "source" in space["ridge"].identity
    means = dict(zip(space["done"].table()["model"], space["done"].table()["mean"]))
    assert min(means.values()) > 40  # four classes


def audit_my_data(space, shown):
    assert {"duplicate-nodes-by-features", "small-class"} <= space["before"] - shown[0]
    assert "small-class" in space["before"] - space["after"]
    mean = {(row["dataset"], row["model"]): row["mean"] for row in space["done"].table().rows()}
    clean, mine = space["clean"].name, space["mine"].name
    assert mean[mine, "look_up"] > mean[clean, "look_up"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path, capsys):
    check = {"first_table": first_table, "my_model": my_model, "audit_my_data": audit_my_data}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check[path.stem](*run(path))


def test_there_are_three_and_their_outputs_are_cleared():
    assert len(NOTEBOOKS) == 3
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text())
        assert notebook["nbformat"] == 4
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
