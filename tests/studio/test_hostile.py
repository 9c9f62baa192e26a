"""Whoever writes the request by hand: headers twice or broken, bodies that stall or make no sense.

Never an error of the server, never a stranger who is let in, never a traceback in the terminal.
"""

import asyncio
import json
import random
import socket

import pytest

from rosenblatt.studio import guards
from rosenblatt.studio.server import create_app

SCENE = {
    "id": 7,
    "quick": False,
    "data": {
        "points": [[0, 0], [1, 1], [0.5, -1]],
        "labels": [0, 1, 2],
        "classes": ["a", "b", "c"],
        "names": ["x1", "x2"],
        "target": None,
        "box": [-1, 1],
    },
    "runs": [{"algorithm": "perceptron", "rule": "first", "max_updates": 5, "init": None}],
    "step": None,
}
BODY = json.dumps(SCENE).encode()
# as `serve` has it: what a learner warns of is said on the page
pytestmark = pytest.mark.filterwarnings(r"ignore:::rosenblatt\.")
HEADERS = (b"Origin", b"Sec-Fetch-Site", b"Accept-Encoding", b"If-None-Match", b"Content-Type")


def status(port, headers, body=BODY, request=b"POST /api/scene"):
    """Send a request as it is, and return the number of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
        lines = [request + b" HTTP/1.1", *headers, b"Connection: close"]
        connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


def ours(port):
    return [b"Host: 127.0.0.1:%d" % port, b"Content-Length: %d" % len(BODY)]


def test_a_request_as_it_should_be_is_answered(studio):
    assert status(studio.port, ours(studio.port)) == 200


@pytest.mark.parametrize(
    "origin",
    [
        b"http://[",
        b"http://[::1",
        b"http://]",
        b"//",
        b"\xff\xfe",
        b"http://127.0.0.1:%d@evil",
        b"",
    ],
)
def test_an_origin_that_is_none_is_another_page(studio, origin):
    said = origin % studio.port if b"%d" in origin else origin
    assert status(studio.port, [*ours(studio.port), b"Origin: " + said]) == 403


@pytest.mark.parametrize("name", [b"Origin", b"Sec-Fetch-Site", b"Host", b"Content-Length"])
@pytest.mark.parametrize("ours_first", [True, False])
def test_a_header_that_guards_may_be_there_once_only(studio, name, ours_first):
    own = {
        b"Origin": [b"http://127.0.0.1:%d" % studio.port, b"http://evil.example"],
        b"Sec-Fetch-Site": [b"same-origin", b"cross-site"],
        b"Host": [b"127.0.0.1:%d" % studio.port, b"evil.example"],
        b"Content-Length": [b"%d" % len(BODY), b"3"],
    }[name]
    kept = [line for line in ours(studio.port) if not line.startswith(name)]
    both = own if ours_first else own[::-1]
    lines = [name + b": " + value for value in both]
    assert status(studio.port, kept + lines) == 400


def test_random_headers_never_make_an_error_of_the_server(studio):
    chance = random.Random(0)  # noqa: S311 - no secret
    good = [
        b"127.0.0.1:%d" % studio.port,
        b"http://127.0.0.1",
        b"http://[",
        b"[",
        b"::1",
        b"gzip",
        b"9",
        b":",
        b"/",
    ]
    for _ in range(150):
        lines = ours(studio.port)
        for name in chance.sample(HEADERS, 2):
            pieces = [*chance.choices(good, k=2), bytes(chance.choices(range(33, 256), k=3))]
            lines.append(name + b": " + b"".join(chance.sample(pieces, 2)))
        chance.shuffle(lines)
        assert status(studio.port, lines) in (200, 400, 403, 413, 421), lines


ODD = [
    *(None, True, -1, 0, 2, 2.5, 1e999, -1e999, 1e-320, 1e9, 1e300, 2**63, 10**400),
    *("", "\ud800", "\0", "$\\frac{", "a" * 5000, "first"),
    *([], {}, [[]], [0, 0], [[0, 0]], [1e9, -1e9], [0, 1e-320], [0] * 3, ["\udfff", "b", "c"]),
]


def places(said, way=()):
    """Every place of a JSON value, as the keys that lead there; of a list the last."""
    yield way
    keys = said if isinstance(said, dict) else [-1] if isinstance(said, list) else []
    for key in keys:
        yield from places(said[key], (*way, key))


def with_odd(way, odd):
    """The scene with an odd value in one place."""
    said = json.loads(BODY)
    inside = said
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = odd
    # JSON has no infinity, but a number too large for a float is one
    return json.dumps(said).replace("Infinity", "1e999")


def test_no_value_in_any_place_makes_an_error_of_the_server(studio):
    for way in places(SCENE):
        for odd in ODD if way else ():
            body = with_odd(way, odd)
            assert studio.post("/api/scene", body).status in (200, 400, 503), body


def test_no_value_makes_an_error_of_the_picture(studio):
    chance = random.Random(1)  # noqa: S311 - no secret
    ways = [way for way in places(SCENE) if way]
    for _ in range(12):
        body = with_odd(chance.choice(ways), chance.choice(ODD))
        assert studio.post("/api/export/png", body).status in (200, 400, 503), body


@pytest.mark.parametrize("path", ["scene", "export/png", "export/gif"])
@pytest.mark.parametrize("what", ["classes", "names"])
def test_half_a_letter_is_refused_in_words(studio, path, what):
    names = ["\ud800", "b", "c"] if what == "classes" else ["x", "\udfff"]
    answer = studio.post(f"/api/{path}", SCENE | {"data": SCENE["data"] | {what: names}})
    assert answer.status == 400
    assert f"`{what}`" in answer.error


def call(receive, path="/api/scene"):
    """Call the app as a server does; return what it sends."""
    sent = []

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-length", b"100")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "http_version": "1.1",
        "scheme": "http",
    }
    asyncio.run(create_app()(scope, receive, send))
    return sent


@pytest.mark.parametrize("path", ["/api/scene", "/api/table", "/api/export/png"])
def test_a_reader_who_leaves_is_no_error(path):
    pieces = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive():
        return pieces.pop(0)

    call(receive, path)  # what it raises the server would print
    assert pieces == []


def test_a_body_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.05)

    async def receive():
        await asyncio.Event().wait()  # for ever

    start, body = call(receive)
    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    assert b"not sent to its end" in body["body"]
