"""The shards of a plan as jobs of submitit (https://github.com/facebookincubator/submitit), which
hands them to Slurm where there is one."""

from __future__ import annotations

from typing import Any, Optional

import submitit
from submitit.helpers import Checkpointable, DelayedSubmission

from . import Results, Shard, plan, stop


class Job(Checkpointable):
    """A shard that is queued again where it must make room: it goes on from what it published."""

    def __init__(self, shard: Shard):
        self.shard = shard

    def __call__(self) -> int:
        return self.shard()

    def checkpoint(self) -> DelayedSubmission:
        stop()
        return super().checkpoint()


def run(protocol: Any, datasets: Any = None, models: Any = None, *,
        executor: Optional[submitit.Executor] = None, **how: Any) -> Results:
    """Does what the store lacks of a protocol, or of a plan, by an executor of submitit (default:
    an AutoExecutor whose logs are beside the shards), in one array of jobs.

    The others are those of cupel.engines.plan. Waits until all have ended.
    """
    settled = plan(protocol, datasets, models, **how)
    if settled.shards:
        if executor is None:
            executor = submitit.AutoExecutor(folder=settled.path + ".jobs")
        with executor.batch():
            jobs = [executor.submit(Job(shard)) for shard in settled.shards]
        for job in jobs:
            job.result()
    return settled.merged()
