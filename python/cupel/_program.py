"""Where the program `cupel` is."""

from __future__ import annotations

import os
import shutil
import sysconfig
from typing import Optional


def find_program() -> Optional[str]:
    """$CUPEL_PROGRAM, a path or a name on the PATH; else the one that was installed with the module,
    or one on the PATH."""
    beside = os.path.join(sysconfig.get_path("scripts"), "cupel")
    given = os.environ.get("CUPEL_PROGRAM")
    found: Optional[str] = beside
    if given:
        found = shutil.which(given) or given
    elif not os.path.exists(beside):
        found = shutil.which("cupel")
    return os.path.abspath(found) if found else None
