"""Where the program `cupel` is."""

from __future__ import annotations

import os
import shutil
import sysconfig
from typing import Optional


def find_program() -> Optional[str]:
    """$CUPEL_PROGRAM, the one that was installed with the module, or one on the PATH."""
    beside = os.path.join(sysconfig.get_path("scripts"), "cupel")
    found = os.environ.get("CUPEL_PROGRAM") or \
        (beside if os.path.exists(beside) else shutil.which("cupel"))
    return os.path.abspath(found) if found else None
