"""`python -m cupel._tied PID ...` is `python -m cupel ...` that is told to stop when its parent PID is gone.

An engine may kill its worker in a way that the worker cannot see, and hands out the shard again: whoever still works at
it would do the same runs as the next.
"""

import ctypes
import os
import signal
import sys

from .__main__ import main

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h, which lasts beyond exec

if __name__ == "__main__":
    parent = int(sys.argv.pop(1))
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGUSR1)
    if os.getppid() != parent:  # gone before that was said
        sys.exit(75)
    main()
