"""Hands runs to processes, as a user with several cores does."""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import threading
import time
import traceback
from collections.abc import Callable

import torch

import data
import sparse
from graph import Graph, Inputs
from models import MODELS, Model
from pitfalls import peak_mib, seconds_since_start
from train import train_run

WARM_UP_EPOCHS = 3


def run_all(arguments: argparse.Namespace) -> tuple[list[dict], dict]:
    """All runs in order, and seconds until the first could start, seconds from there to the last.

    Start-up is everything before: imports, loading, the matrices of the whole graph, a few epochs.
    """
    check(arguments)
    torch.set_num_threads(1)  # until there are processes: threads do not survive a fork
    job = Job(arguments)
    context = multiprocessing.get_context("fork")
    ready = context.Barrier(arguments.processes + 1)
    next_run = context.Value("q", 0)
    results = context.SimpleQueue()
    processes = [
        context.Process(target=work, args=(job, ready, next_run, results), daemon=True)
        for _ in range(arguments.processes)
    ]
    for process in processes:
        process.start()
    with contextlib.suppress(threading.BrokenBarrierError):  # the cause is in the results
        ready.wait()
    start = seconds_since_start()
    begin = end = time.perf_counter()
    runs, peaks = [], [peak_mib()]
    while len(peaks) <= arguments.processes:
        result = results.get()
        if isinstance(result, str):
            raise SystemExit(result)
        if isinstance(result, float):
            peaks.append(result)
        else:
            runs.append(result)
            end = time.perf_counter()
    runs.sort(key=lambda run: (run["split"], run["init"]))
    return runs, {"start": start, "work": end - begin, "peak_mib": peaks}


def check(arguments: argparse.Namespace) -> None:
    for option, choices in (("dataset", data.CATALOG), ("model", MODELS), ("form", sparse.FORMS)):
        if getattr(arguments, option) not in choices:
            raise SystemExit(
                f"--{option} {getattr(arguments, option)}: not one of {', '.join(choices)}"
            )
    if arguments.rows not in MODELS[arguments.model].rows:
        raise SystemExit(f"--rows {arguments.rows}: {arguments.model} needs all rows")


class Job:
    """What every process needs, loaded once."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.dataset = data.load(arguments.dataset, arguments.data)
        self.splits = data.make_splits(self.dataset, arguments.splits)
        self.kind: type[Model] = MODELS[arguments.model]
        self.graph = Graph(self.dataset, arguments.form, self.kind.hops)
        self._split, self._inputs = -1, None
        # Makes the matrices that processes then share. No gradients: those start threads, and
        # threads do not survive a fork.
        with torch.no_grad():
            self.model()(self.inputs(0)[-1])

    def model(self) -> Model:
        features, classes = self.dataset.features.shape[1], self.dataset.num_classes
        model = self.kind(self.arguments.form, features, classes)
        model.released_norm = self.arguments.released_norm
        return model

    def execute(self, run: int, **limits) -> dict:
        split, init = divmod(run, self.arguments.inits)
        torch.manual_seed(1_000_003 * split + init)
        begin = time.perf_counter()
        inputs = self.inputs(split)
        model = self.model()
        forward = torch.compile(model) if self.arguments.compile else model
        outcome = train_run(model, forward, *inputs, **limits)
        return {
            "split": split,
            "init": init,
            **vars(outcome),
            "seconds": time.perf_counter() - begin,
        }

    def inputs(self, split: int) -> tuple[Inputs, Inputs, Inputs]:
        if split != self._split:
            parts = self.splits[split]
            learn: Callable = getattr(self.graph, f"{self.arguments.rows}_rows")
            self._inputs = learn(parts.train), learn(parts.valid), self.graph.all_rows(parts.test)
            self._split = split
        return self._inputs


def work(job: Job, ready, next_run, results) -> None:
    try:
        torch.set_num_threads(job.arguments.threads)
        torch.set_flush_denormal(True)
        job.execute(0, max_epochs=WARM_UP_EPOCHS)
        ready.wait()
        while (run := take(next_run)) < job.arguments.splits * job.arguments.inits:
            results.put(job.execute(run))
        results.put(peak_mib())
    except BaseException:
        results.put(f"process {os.getpid()} failed:\n{traceback.format_exc()}")
        ready.abort()


def take(counter) -> int:
    with counter.get_lock():
        counter.value += 1
        return counter.value - 1
