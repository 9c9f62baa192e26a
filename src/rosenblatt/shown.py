"""How results show themselves: in few letters, in a notebook, and as tables of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rosenblatt.counting import counted
from rosenblatt.extras import needs
from rosenblatt.markup import Html, count_cell, number, number_head, shortened, table, tag

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

AT_THE_ENDS = 5  # rows of a long table that are shown, at its beginning and at its end
MOST_COLUMNS = 12
MOST_LETTERS = 600  # of a result in one line


def lines_of(text: str) -> Html:
    r"""Return sentences, a line for each, for a notebook.

    Examples
    --------
    >>> lines_of("a < b\nb < c")
    '<p>a &lt; b<br/>b &lt; c</p>'
    """
    first, *rest = text.split("\n")
    return tag("p", first, *(part for line in rest for part in (tag("br"), line)))


class InSentences:
    """A result that `print` says in sentences: a notebook shows the same."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(str(self), MOST_LETTERS)}>"

    def _repr_html_(self) -> str:
        return lines_of(str(self))


class Tabular:
    """A result that is a table: pandas, polars, Arrow, DuckDB and others can take it."""

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table; each result has its own columns.

        Returns
        -------
        pyarrow.Table
            A row for each thing that it tells.
        """
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return a frame of pandas, which the extra `notebook` brings.

        Returns
        -------
        pandas.DataFrame
            The columns of `to_arrow`.
        """
        with needs("notebook"):
            return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """Return a frame of polars, which the extra `polars` brings.

        Returns
        -------
        polars.DataFrame
            The columns of `to_arrow`.
        """
        with needs("polars"):
            import polars

        frame = polars.from_arrow(self.to_arrow())
        assert isinstance(frame, polars.DataFrame)  # noqa: S101 - what a table becomes, for mypy
        return frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give the table to whoever speaks Arrow's stream."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return html_of(self.to_arrow())


def html_of(found: Any) -> Html:
    """Return an Arrow table for a notebook: its first and last rows, its first columns."""
    names, n = found.column_names[:MOST_COLUMNS], found.num_rows
    chosen = found.select(names)
    is_long = n > 2 * AT_THE_ENDS + 1
    parts = [chosen.slice(0, AT_THE_ENDS), chosen.slice(n - AT_THE_ENDS)] if is_long else [chosen]
    rows = [[_cell(row[name]) for name in names] for row in parts[0].to_pylist()]
    if is_long:
        rows.append([count_cell("...") for _ in names])
        rows += [[_cell(row[name]) for name in names] for row in parts[1].to_pylist()]
    heads = [number_head(name) for name in names]
    left = len(found.column_names) - len(names)
    caption = counted(n, "row", ",") + (f", and {counted(left, 'column')} more" if left else "")
    return table(caption, heads, rows)


def _cell(value: Any) -> Html:
    if isinstance(value, float):
        return count_cell(number(value))
    return count_cell("" if value is None else value)
