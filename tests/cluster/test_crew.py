"""What goes wrong on the way is said in a sentence that names the part."""

from concurrent.futures import CancelledError

import dask
import pytest
from distributed import KilledWorker

from rosenblatt import ClusterError, DataError
from rosenblatt.cluster import crew as crews
from rosenblatt.cluster.crew import DaskCrew, Here, saying_what_went_wrong


def failing(error):
    raise error


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (MemoryError(), ClusterError, "part 3 of 7 does not fit into memory; cut the data into"),
        (DataError("a bad value", do="mend it"), DataError, "part 3 of 7: a bad value; mend it"),
        (OSError("no disk"), ClusterError, "part 3 of 7 failed with OSError: no disk"),
    ],
)
def test_an_error_names_its_part(error, kind, message):
    crew = DaskCrew()
    task = crew.task("part 3 of 7", failing, crew.constant(error))
    with pytest.raises(kind, match=message):
        crew.value(task)


def test_a_part_whose_workers_are_lost_is_named():
    mine, lost = DaskCrew().task("part 3 of 7 (a.csv)", max, 1, 2), r"^part 3 of 7 \(a.csv\): the"
    # the task that was lost may be one of Dask's own, which the part is made by
    for key in (mine.key, ("read-parquet-0a1b", 0)):
        with pytest.raises(ClusterError, match=lost), saying_what_went_wrong([mine]):
            raise KilledWorker(key, None, 3)
    said = "the work was cancelled, or the scheduler was lost"
    with pytest.raises(ClusterError, match=said), saying_what_went_wrong([mine]):
        raise CancelledError


def test_values_come_in_order_whoever_is_done_first(in_process):
    for crew in (Here(), DaskCrew(), DaskCrew(in_process(2))):
        tasks = (crew.task(f"part {k}", pow, k, 2) for k in range(50))
        assert list(crew.in_order(tasks)) == [k * k for k in range(50)]


def in_pairs(items):
    while len(items) > 1:
        pairs = [f"({a}{b})" for a, b in zip(items[::2], items[1::2], strict=False)]
        items = pairs + (items[-1:] if len(items) % 2 else [])
    return items[0]


@pytest.mark.parametrize("few", [0, crews.FEW_BYTES], ids=["by workers", "here"])
def test_sums_are_merged_in_pairs_wherever_that_is_done(few, in_process, monkeypatch):
    monkeypatch.setattr(crews, "FEW_BYTES", few)
    for crew in (Here(), DaskCrew(), DaskCrew(in_process(2))):
        for n in (1, 2, 5, 7, 16, 23):
            tasks = [crew.task(f"part {k}", chr, 97 + k) for k in range(n)]
            found = crew.merged(tasks, lambda a, b: f"({a}{b})")
            assert found == in_pairs([chr(97 + k) for k in range(n)])


@pytest.mark.parametrize("few", [0, crews.FEW_BYTES], ids=["by workers", "here"])
def test_a_sum_that_fails_names_its_part(few, in_process, monkeypatch):
    monkeypatch.setattr(crews, "FEW_BYTES", few)
    for crew in (DaskCrew(), DaskCrew(in_process(2))):
        tasks = [crew.task(f"part {k} of 3", abs, k) for k in range(3)]
        tasks[1] = crew.task("part 1 of 3", failing, crew.constant(OSError("no disk")))
        with pytest.raises(ClusterError, match=r"part 1 of 3 failed with OSError: no disk"):
            crew.merged(tasks, max)


def test_what_is_kept_is_made_once(in_process, tmp_path):
    def noted(name):
        with open(tmp_path / name, "a") as file:
            file.write("x")
        return name

    for name, crew in (("threads", DaskCrew()), ("client", DaskCrew(in_process(2)))):
        (kept,) = crew.kept([crew.task("part 1", noted, name)])
        assert [crew.value(crew.task("part 1", str.upper, kept)) for _ in range(2)]
        assert (tmp_path / name).read_text() == "x"


def test_constants_are_not_looked_into():
    """Dask would take a tuple with a function first for a task, and a string for a key."""
    crew = DaskCrew()
    value = (max, 3, 7), "part 1", [dask]
    assert crew.value(crew.task("part 1", repr, crew.constant(value))) == repr(value)
