"""The shards of a plan as tasks of Dask (https://www.dask.org)."""

from __future__ import annotations

from typing import Any, Optional

import distributed

from . import Results, do, plan


def run(protocol: Any, datasets: Any = None, models: Any = None, *,
        client: Optional[distributed.Client] = None, retries: int = 3, **how: Any) -> Results:
    """Does what the store lacks of a protocol, or of a plan, by the workers of `client`, else of
    this machine.

    The others are those of cupel.engines.plan. A task whose worker went away is begun again, and
    goes on from what it had published; one that was stopped is tried `retries` times.
    """
    settled = plan(protocol, datasets, models, **how)
    if client is None:
        with distributed.Client(threads_per_worker=1, dashboard_address=None) as own:
            own.gather(own.map(do, settled.shards, pure=False, retries=retries))
    else:
        client.gather(client.map(do, settled.shards, pure=False, retries=retries))
    return settled.merged()
