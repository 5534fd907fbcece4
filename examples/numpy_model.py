"""A model of one's own in NumPy: ridge regression on features averaged over two hops.

Cupel calls it as `python3 numpy_model.py TASK`; TASK is a folder with the task, and the scores go
there. The test labels are not in it: what to predict is `idx_test`, and Cupel does the scoring.
"""
import json
import sys

import numpy as np

folder = sys.argv[1]
task = np.load(folder + "/task.npz")
info = json.load(open(folder + "/task.json"))
train, valid, test = task["idx_train"], task["idx_valid"], task["idx_test"]

# Features: dense, or compressed sparse rows.
if "attr_matrix" in task:
    x = task["attr_matrix"]
else:
    x = np.zeros(task["attr_shape"], dtype=np.float32)
    rows = np.repeat(np.arange(len(x)), np.diff(task["attr_indptr"]))
    x[rows, task["attr_indices"]] = task["attr_data"]

# Each node becomes the mean of itself and its neighbours, `hops` times.
start, neighbours = task["adj_indptr"], task["adj_indices"]
for _ in range(info["settings"]["hops"]):
    x = np.stack([(x[i] + x[neighbours[start[i]:start[i + 1]]].sum(0)) /
                  (1 + start[i + 1] - start[i]) for i in range(len(x))])

# Ridge regression to one-hot labels, in its dual form; the validation nodes choose its strength.
x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
gram, onehot = x[train] @ x[train].T, np.eye(info["classes"])[task["y_train"]]
fits = [np.linalg.solve(gram + s * np.eye(len(train)), onehot) for s in (1e-2, 1e-1, 1, 10)]
best = max(fits, key=lambda w: np.mean((x[valid] @ x[train].T @ w).argmax(1) == task["y_valid"]))
np.save(folder + "/scores.npy", x[test] @ x[train].T @ best)
np.save(folder + "/valid_scores.npy", x[valid] @ x[train].T @ best)
