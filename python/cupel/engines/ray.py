"""The shards of a plan as tasks of Ray (https://www.ray.io)."""

from __future__ import annotations

from typing import Any

import ray

from . import Results, Stopped, do, plan


def run(protocol: Any, datasets: Any = None, models: Any = None, *, options: Any = None,
        jobs: int = 1, **how: Any) -> Results:
    """Does what the store lacks of a protocol, or of a plan, on the cluster that Ray is connected
    to, else on this machine.

    options: of the tasks, as of `ray.remote`. jobs: runs of a shard at a time, and its processors.
    The others are those of cupel.engines.plan. A task whose machine went away is begun again, and
    goes on from what it had published.
    """
    settled = plan(protocol, datasets, models, jobs=jobs, **how)
    if not ray.is_initialized():
        ray.init(include_dashboard=False)
    task = ray.remote(**{"num_cpus": jobs, "max_retries": 3, "retry_exceptions": [Stopped],
                         **(options or {})})(do)
    ray.get([task.remote(shard) for shard in settled.shards])
    return settled.merged()
