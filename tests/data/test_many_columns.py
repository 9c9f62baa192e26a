"""Work grows with the number of columns, not with its square."""

import cProfile
import pstats

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from rosenblatt import AveragedPerceptron, fit_file, read
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.table import KeptTable, Table

FEW, MANY = 100, 400


def table(n_columns):
    rng = np.random.default_rng(0)
    columns = {f"g{j}": rng.normal(size=6).round(3) for j in range(n_columns)}
    return pa.table({**columns, "label": list("ababab")})


def n_calls(work, *arguments, **options):
    with cProfile.Profile() as profile:
        work(*arguments, **options)
    return pstats.Stats(profile).total_calls


class Counting:
    """A table of Arrow that counts the names which it is asked for: it makes a list each time."""

    def __init__(self, columns):
        self._columns, self.n_names = columns, 0

    def __getattr__(self, name):
        if name == "column_names":
            self.n_names += self._columns.num_columns
        return getattr(self._columns, name)

    def __getitem__(self, key):
        return self._columns[key]


def write(folder, form, n_columns):
    path = folder / f"table{n_columns}.{form}"
    columns = table(n_columns)
    if form == "parquet":
        parquet.write_table(columns, path)
    else:
        rows = zip(*columns.to_pydict().values(), strict=True)
        lines = [",".join(columns.column_names), *(",".join(map(str, row)) for row in rows)]
        path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_calls_grow_with_the_columns(tmp_path, form):
    few, many = (write(tmp_path, form, n) for n in (FEW, MANY))
    recipes = {path: read(path).recipe for path in (few, many)}
    learn(few)  # what is imported on first use is not counted
    most = 1.3 * MANY / FEW
    assert n_calls(read, many) < most * n_calls(read, few)
    assert n_calls(learn, many) < most * n_calls(learn, few)
    again = {path: n_calls(read, path, recipe=recipe) for path, recipe in recipes.items()}
    assert again[many] < most * again[few]


def learn(path):
    return fit_file(AveragedPerceptron(), path)


def test_the_names_of_columns_are_asked_for_a_few_times_not_for_each_column():
    columns = Counting(table(MANY))
    file = KeptTable(Table(columns, "genes"))
    file.check_names(file.whole())
    recipe = Recipe.learn(file, "label")
    recipe.apply(Table(columns, "genes"))
    assert columns.n_names <= 5 * (MANY + 1)
