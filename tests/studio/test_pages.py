"""The page: files of one folder, with headers that let nothing in from outside."""

import gzip

import pytest

from rosenblatt.studio.server import FOLDER

POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'"
OUTSIDE = [
    "/static/..%2fapp.py",
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%5capp.py",
    "/static//etc/passwd",
    "/static/index.html%00.js",
    "/static/",
    "/app.py",
]


def test_the_page_is_served(studio):
    answer = studio.get("/")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.body == (FOLDER / "index.html").read_bytes()


@pytest.mark.parametrize("path", ["/", "/static/index.html", "/api/presets", "/nowhere"])
def test_every_answer_keeps_the_page_to_itself(studio, path):
    headers = studio.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_name_leads_out_of_the_folder(studio, path):
    answer = studio.get(path)
    assert answer.status == 404
    assert answer.error == "There is no such page."


def test_every_file_of_the_folder_is_served_as_what_it_is(studio):
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for path in FOLDER.iterdir():
        if path.suffix in kinds:
            answer = studio.get(f"/static/{path.name}")
            assert answer.headers["content-type"].startswith(kinds[path.suffix])
            assert answer.body == path.read_bytes()


def test_files_are_packed_for_whoever_unpacks(studio):
    answer = studio.ask("GET", "/", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == (FOLDER / "index.html").read_bytes()


def test_a_file_that_did_not_change_is_not_sent_again(studio):
    tag = studio.get("/").headers["etag"]
    again = studio.ask("GET", "/", headers={"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
