"""The examples of models in Python, as they are shipped."""

import importlib.util
import pathlib
import warnings

import pytest

import cupel

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def means_of(name):
    """The mean of each row of an example's protocol."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cupel.RunsFailed)
        table = cupel.run(module.PROTOCOL, store="example.sqlite", progress=False).table()
    return dict(zip(table["model"], table["mean"]))


def test_scikit_learn():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    means = means_of("own_sklearn")
    assert set(means) == {"logistic", "logistic-features", "gcn"}
    assert means["logistic"] > means["logistic-features"] > 25 + 5  # chance is 25


def test_pytorch_geometric():
    pytest.importorskip("torch_geometric", reason="PyTorch Geometric is not installed")
    means = means_of("own_pyg")
    assert means["pyg-gcn"] == pytest.approx(means["gcn"], abs=5)  # the same model, other seeds
    assert means["pyg-gcn"] > 50
