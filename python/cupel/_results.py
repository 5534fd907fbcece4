"""Tables of results."""

from __future__ import annotations

import copy
import html
import json
import os
import warnings
from typing import Any, Optional, Sequence, Union

from . import _core
from ._numpy import np
from ._options import check_number, check_text, names_of, optional_text, path_of
from ._packages import needed

_MOST_ROWS_SHOWN = 60


class Table:
    """Columns of one length. Others read it as it is, by Arrow's stream interface:
    `polars.DataFrame(runs)`, `pyarrow.table(runs)`, `pandas.DataFrame.from_arrow(runs)` from pandas
    3.0 on, and DuckDB, which looks for a variable of the name: `duckdb.sql("from runs")`."""

    def __init__(self, core: _core.Frame):
        self._core = core

    @property
    def columns(self) -> list[str]:
        return self._core.columns

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, column: str) -> Any:
        """Texts as a list, numbers as an array, NaN where there is none."""
        try:
            return self._core.column(self.columns.index(column))
        except ValueError:
            raise KeyError(f"there is no column {column!r}; there are {self.columns}") from None

    def to_dict(self) -> dict[str, Any]:
        return {name: self[name] for name in self.columns}

    def rows(self) -> list[dict[str, Any]]:
        columns = {name: values.tolist() if isinstance(values, np.ndarray) else values
                   for name, values in self.to_dict().items()}
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def to_csv(self) -> str:
        """As `cupel report --format csv` (of runs: `--runs`) prints it."""
        return self._core.csv()

    def to_pandas(self) -> Any:
        pandas = needed("pandas", "to_pandas", "to_dict")
        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        return needed("polars", "to_polars", "to_dict").DataFrame(self)

    def __arrow_c_schema__(self) -> Any:
        return self._core.arrow_schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._core.arrow_stream()

    def __reduce__(self) -> tuple:
        return _unpacked, (self._core.packed(),)

    def __repr__(self) -> str:
        return f"<cupel.Table: {len(self)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        def cell(value: Any) -> str:
            if isinstance(value, float):
                return "" if value != value else f"{value:.4g}"
            return html.escape(str(value))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        rows = self.rows()
        body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row.values())
                       + "</tr>" for row in rows[:_MOST_ROWS_SHOWN])
        more = f"<p>and {len(rows) - _MOST_ROWS_SHOWN} more rows</p>" \
            if len(rows) > _MOST_ROWS_SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _unpacked(held: np.ndarray) -> Table:
    return Table(_core.unpacked_frame(held))


def _tell(note: str) -> None:
    if note:
        warnings.warn(note, stacklevel=3)


class Results:
    """What a store has of a protocol."""

    def __init__(self, core: _core.Results, summary: Optional[dict] = None):
        self._core = core
        #: What cupel.run did: numbers of runs done, stored, failed, ...; else empty.
        self.summary: dict = summary or {}

    def __reduce__(self) -> tuple:
        """Pickled by where they are kept: who unpickles them reads the store, which must have the same runs."""
        return _read_again, (self._core.kept(), self.summary)

    def __copy__(self) -> "Results":
        return Results(self._core, self.summary)

    def __deepcopy__(self, memo: dict) -> "Results":
        return Results(self._core, copy.deepcopy(self.summary, memo))  # nothing changes what the core holds

    @property
    def protocol(self) -> str:
        return self._core.protocol

    @property
    def store(self) -> str:
        """The file that keeps the runs."""
        return self._core.store

    def table(self) -> Table:
        """One row per cell: ours, spread, number of runs, published, gap, verdict.

        Facts over time: one row per score by relation and group.
        """
        return Table(self._core.cells())

    def runs(self) -> Table:
        """One row per run; scores are fractions."""
        return Table(self._core.runs())

    def only(self, *, tables: Any = None, datasets: Any = None, models: Any = None) -> "Results":
        """The results of these alone."""
        return Results(self._core.narrowed(names_of(tables, "tables"),
                                           names_of(datasets, "datasets"),
                                           names_of(models, "models")))

    def compare(self, a: str, b: str, *, tables: Any = None, datasets: Any = None,
                delta: Optional[float] = None) -> dict:
        """Two rows against each other, as `cupel compare --json` prints it."""
        check_text("a", a)
        check_text("b", b)
        check_number("delta", delta)
        return json.loads(self._core.compare(a, b, names_of(tables, "tables"),
                                             names_of(datasets, "datasets"), delta))

    def report(self, path: Union[str, "os.PathLike[str]"], format: str = "", *,
               data: Union[None, str, "os.PathLike[str]"] = None) -> None:
        """Writes the report in the format that the file's name means: .html, .md, .tex, .csv,
        .json, .txt or .yaml (metadata of a model card); "mlflow" is a folder.

        A page (.html) is read from the store when it is written, as `cupel report` reads it: it has
        audits of the data sets, and all protocols of a store that was read by its path. data: the
        folder of the data sets that it audits, large ones too."""
        check_text("format", format)
        _tell(self._core.write(path_of(path, "report"), format, optional_text(data, "data")))

    def to_text(self, format: str = "text") -> str:
        check_text("format", format)
        text, note = self._core.render(format)
        _tell(note)
        return text

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<cupel.Results of {self.protocol}: {len(self.table())} cells, in {self.store}>"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.protocol)}</p>" + self.table()._repr_html_()


def _read_again(kept: tuple, summary: dict) -> Results:
    return Results(_core.read_again(kept), summary)
