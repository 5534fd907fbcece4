"""A pipeline of scikit-learn as a row of a table, beside models of Cupel:  python own_sklearn.py

The pipeline reads features and the classes of the neighbours that training tells, and is a
function that Cupel calls for each run (docs/python.md, "A model of yours").
"""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import cupel


@cupel.model(version="1", packages=["scikit-learn"], deterministic=True)
def logistic(task, *, c=0.01, neighbours=True):
    inputs = task.x.astype(float)
    if neighbours:
        known = np.zeros((task.nodes, task.classes))
        known[task.idx_train, task.y_train] = 1
        inputs = np.hstack([inputs, task.adjacency @ inputs, task.adjacency @ known])
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(C=c, max_iter=500))
    pipeline.fit(inputs[task.idx_train], task.y_train)
    # The pipeline knows the classes that training has, in ascending order.
    scores = np.full((task.nodes, task.classes), -1.0)
    scores[:, pipeline.classes_] = pipeline.predict_proba(inputs)
    return scores


PROTOCOL = {
    "title": "A pipeline of scikit-learn beside a GCN",
    "data": {"datasets": ["csbm:nodes=600,classes=4,seed=1"], "prepare": ["symmetrise"]},
    "split": {"scheme": "per-class", "train": 20, "valid": 30, "count": 5},
    "train": {"max_epochs": 100, "patience": 20, "inits": 2},
    "models": {
        "logistic": {"function": logistic, "choices": {"c": [0.001, 0.01, 0.1]}},
        "logistic-features": {"function": logistic, "neighbours": False},
        "gcn": {"hidden": 16, "lr": 0.01, "dropout": 0.5},
    },
}

if __name__ == "__main__":
    print(cupel.run(PROTOCOL, store="own_sklearn.sqlite", name="own-sklearn"))
