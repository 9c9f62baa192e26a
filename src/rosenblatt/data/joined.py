"""Several files as one: the rows of all of them, in order, by the names of their columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from rosenblatt.data.columns import is_string, kind_of_type, known_kind
from rosenblatt.data.formats.json import JsonLinesFile
from rosenblatt.data.formats.svmlight import SvmlightFile
from rosenblatt.data.formats.text import Labelled, TextFile, TextLabels
from rosenblatt.data.source import FileSample, no_source
from rosenblatt.data.table import Reading, Table, TableFile
from rosenblatt.errors import DataError


def join_files(files: Sequence[TableFile | SvmlightFile], how: Reading) -> TableFile | SvmlightFile:
    """Return files of one kind as one file; refuse tables among files of svmlight."""
    first, *others = files
    if isinstance(first, SvmlightFile):
        for file in others:
            if not isinstance(file, SvmlightFile):
                raise _of_two_kinds(first, file)
            first.join(file)
        first.name = said_of_files([file.name for file in files])
        return first
    tables = []
    for file in files:
        if not isinstance(file, TableFile):
            raise _of_two_kinds(file, first)
        tables.append(file)
    return JoinedTables(tables, how)


def _of_two_kinds(one: SvmlightFile, other: Any) -> DataError:
    return DataError(
        f"{one.name} is an svmlight file, but {other.name} is a table; files that are read "
        "together are of one kind"
    )


def said_of_files(names: Sequence[str]) -> str:
    """Return the names of files in a few words.

    Examples
    --------
    >>> said_of_files(["a.csv", "b.csv"]), said_of_files(["a.csv", "b.csv", "c.csv"])
    ('a.csv and b.csv', 'a.csv and 2 more files')
    """
    if len(names) == 2:
        return " and ".join(names)
    return f"{names[0]} and {len(names) - 1} more files"


class JoinedTables(TableFile):
    r"""The tables of several files, whose columns have the same names, in any order.

    A column is what the values of all files can be read as, as if they stood in one of them.

    Examples
    --------
    >>> from rosenblatt.data.formats.csv import DelimitedFile
    >>> one = DelimitedFile.of_bytes(b"size,kind\n1,a\n", "one.csv")
    >>> two = DelimitedFile.of_bytes(b"kind,size\nb,2.5\n", "two.csv")
    >>> JoinedTables([one, two], Reading()).whole().columns.to_pydict()
    {'size': [1.0, 2.5], 'kind': ['a', 'b']}
    """

    def __init__(self, files: Sequence[TableFile], how: Reading) -> None:
        name = said_of_files([file.name for file in files])
        super().__init__(no_source, name, FileSample(b"", []), how)
        self.files, self.target, self.kinds = files, files[0].target, files[0].kinds
        self.without_columns = files[0].without_columns
        self._names: list[str] = []  # of the columns, as the first file has them
        self._found: list[dict[str, set[Any]]] = []  # types of the columns of each file
        self._types: dict[str, Any] = {}  # of all of them
        for file in files:
            self.notes += [note for note in file.notes if note not in self.notes]
            file.notes = self.notes  # what they have to say later is said here
        sizes = [file.n_bytes for file in files]
        self.n_bytes = None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def is_of_texts(self) -> bool:
        """Whether all are lines of texts, for `labelled`."""
        return all(isinstance(file, TextFile) for file in self.files)

    def labelled(self, labels: TextLabels) -> Iterator[Labelled]:
        """Yield the texts of each block with the numbers of their labels."""
        for file in self.files:
            if isinstance(file, TextFile):
                yield from file.labelled(labels)

    def read_as_text(self, names: Iterable[str]) -> None:
        """Read columns as strings from now on, whatever they look like, where there is a choice."""
        names = list(names)
        for file in self.files:
            file.read_as_text(names)

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its blocks; True: look again."""
        if self.how.block_bytes is None:
            return super().settle_types(found)
        settled = [
            file.settle_types(types) for file, types in zip(self.files, self._found, strict=True)
        ]
        return self._settle([types for types, _ in settled], any(again for _, again in settled))

    def _settle(
        self, each: Sequence[Mapping[str, Any]], again: bool
    ) -> tuple[dict[str, Any], bool]:
        names = dict.fromkeys(name for types in each for name in types)
        for name in names:
            different = {types[name] for types in each if name in types}
            self._types[name] = common_type(different)
            is_new = len(different) > 1 and is_string(self._types[name])
            again = again or is_new  # cells that were numbers are strings now
        return self._types, again

    def _all_blocks(self) -> Iterator[Table]:
        if self.how.block_bytes is None:
            self._whole = self._whole or self._joined()
            yield self._whole
            return
        self._found = [{} for _ in self.files]
        for file, found in zip(self.files, self._found, strict=True):
            for table in file.tables():
                for field in table.columns.schema:
                    found.setdefault(field.name, set()).add(field.type)
                yield self._as_the_first(table, file)

    def _joined(self) -> Table:
        import pyarrow as pa

        parts = [(file, file.whole()) for file in self.files]
        self._settle([{f.name: f.type for f in t.columns.schema} for _, t in parts], again=False)
        tables = [self._as_the_first(table, file) for file, table in parts]
        ends = list(accumulate(table.columns.num_rows for table in tables))

        def place(row: int) -> str:
            number = bisect_right(ends, row)
            first = ends[number - 1] if number else 0
            return f"{tables[number].place(row - first)} of {tables[number].name}"

        def written(name: str) -> Any:
            cells = [table.written and table.written(name) for table in tables]
            return pa.chunked_array([c for cell in cells for c in getattr(cell, "chunks", [cell])])

        return Table(
            pa.concat_tables([table.columns for table in tables]),
            self.name,
            place,
            decimal_point=tables[0].decimal_point,
            written=written if all(table.written for table in tables) else None,
            has_codes=all(table.has_codes for table in tables),
        )

    def _as_the_first(self, table: Table, file: TableFile) -> Table:
        """Return a table with the columns of the first one, of types that are common to all."""
        is_open = may_leave_out(file)
        if not is_open:
            self._names = self._names or table.names
        return as_the_first(table, self._names, self._types, self.files[0].name, is_open)


def may_leave_out(file: TableFile) -> bool:
    """Tell whether columns of a file may be missing in others of its kind."""
    return isinstance(file, JsonLinesFile)  # what a line of these leaves out is missing


def as_the_first(
    table: Table, names: Sequence[str], types: Mapping[str, Any], first: str, is_open: bool
) -> Table:
    """Return a table with the columns `names` of the first one, of types that are common to all.

    `first` is what the first is called; `is_open`: a table may have others, or leave some out.
    """
    import pyarrow as pa

    if not is_open:
        _check_names(table, names, first)
    names = [*names, *(name for name in types if name not in names)]
    if is_open:
        names += [name for name in table.names if name not in names]
    columns, there = {}, set(table.names)
    for name in names:
        if name in there:
            columns[name] = _as_type(table, name, types.get(name))
        elif name in types:
            columns[name] = pa.nulls(table.columns.num_rows, types[name])
    return Table(
        pa.table(columns),
        *(table.name, table.place, table.notes, table.decimal_point),
        *(table.written, table.has_codes),
    )


def _check_names(table: Table, names: Sequence[str], first: str) -> None:
    known, there = set(names), set(table.names)
    for name in names:
        if name not in there:
            raise DataError(f"{table.name} has no column {name!r}, which {first} has")
    for name in table.names:
        if name not in known:
            raise DataError(f"{table.name} has a column {name!r}, which {first} has not")


def common_type(different: set[Any]) -> Any:
    """Return the type that values of several types of Arrow can be read as.

    Examples
    --------
    >>> import pyarrow as pa
    >>> common_type({pa.int64(), pa.float32(), pa.null()}), common_type({pa.int64(), pa.bool_()})
    (DataType(double), DataType(string))
    """
    import pyarrow as pa

    types = different - {pa.null()}
    if len(types) <= 1:
        return next(iter(types), pa.null())
    kinds = {kind_of_type(kind) for kind in types}
    if kinds == {"number"}:
        return pa.float64()
    if kinds == {"date"}:
        return pa.timestamp("us")
    return pa.large_string() if any(map(pa.types.is_large_string, types)) else pa.string()


def _as_type(table: Table, name: str, kind: Any) -> Any:
    """Return a column as a type; strings are as they are written in the file, if that is known."""
    import pyarrow as pa

    values = table.columns[name]
    if kind is None or values.type == kind:
        return values
    if not is_string(values.type):
        known_kind(values.type, name, table.name)  # lists and the like are nothing else, either
    is_new = is_string(kind) and kind_of_type(values.type) in ("number", "boolean", "date")
    if is_new and not pa.types.is_null(values.type) and table.has_codes and table.written:
        return table.written(name).cast(kind)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    return values.cast(kind, safe=False)
