"""Packages that are asked for only where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from ._core import Error


def needed(module: str, what: str, instead: str) -> Any:
    """The module; an Error where its package is not there. what: it is needed for. instead: what else
    can be taken."""
    package = module.split(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in (package, module):  # it is there, and lacks something itself
            raise
        raise Error(f"{package} is needed for {what}; `pip install {package}`, or take {instead}"
                    ) from None
