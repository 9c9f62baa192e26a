"""The verdict on all columns, for points that show two of them, or a projection.

What is separable can look inseparable in two of its dimensions. So the whole is judged, too: in the
background, for it can take long, and once for each way of telling the classes apart.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from typing import TYPE_CHECKING, NamedTuple

from rosenblatt.choices import Multiclass
from rosenblatt.progress import Deadline

if TYPE_CHECKING:
    from rosenblatt.studio.scenes.choices import AllColumns, PlaneSet
    from rosenblatt.types import Array

MOST_KEPT = 8  # whole tables, the last ones
WHOLE_SECONDS, SHORTLY = 60.0, 0.3
PENDING, UNKNOWN, SEPARABLE, CONTRADICTION = "pending", "unknown", "separable", "contradiction"
# what is said of two classes, and of more in the ways of telling them apart
YES = {
    "": "separable",
    "joint": "separable by a score for each class",
    "one-vs-rest": "each class is separable from the rest",
    "one-vs-one": "every pair of classes is separable",
}
NO = {
    "": "not separable",
    "joint": "not separable by a score for each class",
    "one-vs-rest": "not every class is separable from the rest",
    "one-vs-one": "not every pair of classes is separable",
}


class WholeVerdict(NamedTuple):
    """What is known about all columns."""

    key: str
    kind: str
    sentence: str
    view: str  # what the plane shows of them


class Wholes:
    """Finds the whole behind points and has it judged; shared by all who ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wholes: OrderedDict[str, tuple[AllColumns, Array]] = OrderedDict()
        self._judged: dict[str, Future[str]] = {}
        # one at a time: the page is to be answered meanwhile
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="whole")
        self._deadline = Deadline(float("inf"))

    def remember(self, data: PlaneSet) -> str:
        """Keep the whole of points that may be asked about later; return the name of the points.

        It is made of their coordinates and labels: where one was moved, it is another set.
        """
        name = _digest(data)
        with self._lock:
            if data.whole is not None:
                self._wholes[name] = (data.whole, data.labels)
                self._wholes.move_to_end(name)
            while len(self._wholes) > MOST_KEPT:
                gone, _ = self._wholes.popitem(last=False)
                for key in [key for key in self._judged if key.startswith(gone)]:
                    self._judged.pop(key).cancel()
        return name

    def ask(self, data: PlaneSet, way: Multiclass) -> WholeVerdict | None:
        """Return what is known of the whole behind these points; None where they are the whole."""
        name = self.remember(data)
        key = f"{name}.{way if len(set(data.labels.tolist())) > 2 else ''}"
        with self._lock:
            if name not in self._wholes:
                return None
            if key not in self._judged:
                whole, labels = self._wholes[name]
                self._judged[key] = self._thread.submit(self._prove, whole, labels, way)
        return self.look(key, SHORTLY)

    def look(self, key: str, seconds: float = 0.0) -> WholeVerdict | None:
        """Return what is known by now, or in so many seconds; None of a key that nobody has."""
        name, _, way = key.partition(".")
        with self._lock:
            if key not in self._judged:
                return None
            (whole, _), judged = self._wholes[name], self._judged[key]
        try:
            kind = judged.result(seconds)
        except (NotYetError, CancelledError):
            kind = PENDING
        said = {
            PENDING: "still being judged …",
            UNKNOWN: "not known, no proof was found",
            SEPARABLE: f"{YES[way]}, proved",
            CONTRADICTION: f"{NO[way]}, proved",
        }[kind]
        return WholeVerdict(key, kind, f"All {whole.X.shape[1]:,} columns: {said}.", whole.view)

    def _prove(self, whole: AllColumns, labels: Array, way: Multiclass) -> str:
        from rosenblatt.errors import RosenblattError
        from rosenblatt.proof.prove import prove

        try:
            proof = prove(
                whole.X,
                labels,
                multiclass=way,
                time_limit=WHOLE_SECONDS,
                callback=self._deadline.check,
            )
        except RosenblattError:  # no time, or numbers that cannot be judged
            return UNKNOWN
        return SEPARABLE if proof.separable else CONTRADICTION

    def close(self) -> None:
        """Give up what is under way."""
        self._deadline.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _digest(data: PlaneSet) -> str:
    """Return a name for points and labels; + 0.0: a browser writes -0 as 0."""
    numbers = (data.points + 0.0).tobytes() + data.labels.astype("int64").tobytes()
    return hashlib.sha256(numbers).hexdigest()
