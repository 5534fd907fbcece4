"""The protocol's training loop: one run is one (split, initialisation) pair."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from graph import Inputs
from models import Model

PATIENCE = 50
MAX_EPOCHS = 100_000


@dataclass
class Outcome:
    accuracy: float  # on test, fraction
    valid_loss: float  # at the best epoch
    epochs: int
    epoch_seconds: list[float]


def train_run(
    model: Model,
    forward: Callable[[Inputs], Tensor],
    train: Inputs,
    valid: Inputs,
    test: Inputs,
    max_epochs: int = MAX_EPOCHS,
) -> Outcome:
    """Adam on cross-entropy + L2, stopped on validation loss (L2 included) after every step.

    `forward` is the model, or what was compiled from it.
    """
    parameters = list(model.parameters())
    snapshot = [torch.empty_like(parameter) for parameter in parameters]
    live = [parameter.detach() for parameter in parameters]
    torch._foreach_copy_(snapshot, live)
    optimizer = torch.optim.Adam(_groups(model), lr=model.lr, fused=True)
    best, waited, epoch_seconds = float("inf"), 0, []
    while waited < PATIENCE and len(epoch_seconds) < max_epochs:
        before = time.perf_counter()
        model.train()
        optimizer.zero_grad()
        F.cross_entropy(forward(train), train.labels).backward()
        optimizer.step()
        model.eval()
        with torch.no_grad():
            loss = float(F.cross_entropy(forward(valid), valid.labels) + model.penalty())
        if loss <= best:
            best, waited = loss, 0
            torch._foreach_copy_(snapshot, live)
        else:
            waited += 1
        epoch_seconds.append(time.perf_counter() - before)
    torch._foreach_copy_(live, snapshot)
    with torch.no_grad():
        accuracy = (model(test).argmax(1) == test.labels).float().mean().item()
    return Outcome(accuracy, best, len(epoch_seconds), epoch_seconds)


def _groups(model: Model) -> list[dict]:
    """Adam's weight decay adds factor x weight, the gradient of factor / 2 * sum of squares."""
    groups: dict[float, list] = {0.0: []}
    factors = {id(parameter): factor for parameter, factor in model.decay}
    for parameter in model.parameters():
        groups.setdefault(factors.get(id(parameter), 0.0), []).append(parameter)
    return [{"params": group, "weight_decay": factor} for factor, group in groups.items() if group]
