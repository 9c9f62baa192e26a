"""The page itself: files of one folder, by name, packed and with a tag."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from starlette.responses import Response

from rosenblatt.studio.problems import RequestError

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Page(NamedTuple):
    """A file as it is sent."""

    kind: str
    packed: bytes
    tag: str


def file_answer(name: str, request: Any) -> Response:
    """Return a file of the folder; a name that is none of its files is not there."""
    # the folder is asked for its names, so that no name can lead out of it
    found = {path.name: path for path in FOLDER.iterdir() if path.suffix in KINDS}
    if name not in found:
        raise RequestError("There is no such page.", 404)
    page = _read(found[name], found[name].stat().st_mtime_ns)
    headers = {"etag": page.tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == page.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            page.packed, media_type=page.kind, headers=headers | {"content-encoding": "gzip"}
        )
    return Response(gzip.decompress(page.packed), media_type=page.kind, headers=headers)


@lru_cache(maxsize=256)
def _read(path: Path, changed: int) -> Page:
    content = path.read_bytes()
    tag = '"' + hashlib.sha256(content).hexdigest()[:16] + '"'
    return Page(KINDS[path.suffix], gzip.compress(content, 9, mtime=0), tag)
