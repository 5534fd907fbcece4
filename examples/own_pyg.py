"""A GCN of PyTorch Geometric as a row of a table, beside Cupel's own:  python own_pyg.py

PyTorch is imported once, and the function is called for each run (docs/python.md, "A model of
yours").
"""
import torch
import torch.nn.functional as F
from torch_geometric.nn import GCNConv

import cupel


@cupel.model(version="1", packages=["torch", "torch_geometric"])
def pyg_gcn(task, *, hidden=16, lr=0.01, dropout=0.5, l2=5e-4, epochs=100, patience=20):
    torch.manual_seed(task.seed)
    torch.set_num_threads(task.threads)
    x = torch.tensor(task.x)
    edges = torch.tensor(task.edge_index)
    train, valid = torch.tensor(task.idx_train), torch.tensor(task.idx_valid)
    y_train, y_valid = torch.tensor(task.y_train), torch.tensor(task.y_valid)
    first, second = GCNConv(x.shape[1], hidden), GCNConv(hidden, task.classes)
    parameters = [*first.parameters(), *second.parameters()]
    optimiser = torch.optim.Adam(parameters, lr=lr, weight_decay=l2)

    def logits(training):
        out = F.relu(first(F.dropout(x, dropout, training), edges))
        return second(F.dropout(out, dropout, training), edges)

    best, scores, waited = float("inf"), None, 0
    for _ in range(epochs):
        optimiser.zero_grad()
        F.cross_entropy(logits(True)[train], y_train).backward()
        optimiser.step()
        with torch.no_grad():
            now = logits(False)
            loss = F.cross_entropy(now[valid], y_valid).item()
        waited += 1
        if loss < best:
            best, scores, waited = loss, now.numpy(), 0
        if waited >= patience:
            break
    return scores


PROTOCOL = {
    "title": "A GCN of PyTorch Geometric beside Cupel's",
    "data": {"datasets": ["csbm:nodes=600,classes=4,seed=1"], "prepare": ["symmetrise"]},
    "split": {"scheme": "per-class", "train": 20, "valid": 30, "count": 5},
    "train": {"max_epochs": 100, "patience": 20, "inits": 2},
    "models": {
        "pyg-gcn": {"function": pyg_gcn},
        "gcn": {"hidden": 16, "lr": 0.01, "dropout": 0.5, "l2": 5e-4},
    },
}

if __name__ == "__main__":
    print(cupel.run(PROTOCOL, store="own_pyg.sqlite", name="own-pyg"))
