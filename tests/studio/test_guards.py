"""Strangers are refused, and so is too much at once."""

import http.client
import json

import pytest

from rosenblatt.studio.guards import MOST_BYTES

SCENE = json.dumps({"data": {"preset": "xor"}, "runs": [{"algorithm": "perceptron"}]})


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", ""])
def test_another_host_is_refused(studio, host):
    answer = studio.ask("GET", "/api/presets", headers={"Host": host})
    assert answer.status == 421
    assert "127.0.0.1" in answer.error


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:1", "[::1]:8421"])
def test_the_names_of_this_machine_are_accepted(studio, host):
    assert studio.ask("GET", "/", headers={"Host": host}).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_request_from_another_page_is_refused(studio, origin):
    answer = studio.ask("POST", "/api/scene", SCENE, {"Origin": origin})
    assert answer.status == 403
    assert answer.error == "This request comes from another page."


def test_a_browser_says_itself_that_a_request_comes_from_elsewhere(studio):
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert studio.ask("POST", "/api/scene", SCENE, headers).status == 403


def test_our_own_page_may_ask(studio):
    origin = studio.url.rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert studio.ask("POST", "/api/scene", SCENE, headers).status == 200


def test_a_body_that_announces_too_much_is_not_read(studio):
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    connection.putrequest("POST", "/api/table")
    connection.putheader("Content-Length", str(MOST_BYTES + 1))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert "20,000 points" in json.loads(answer.read())["error"]
    connection.close()


def test_a_body_that_grows_too_long_is_refused(studio):
    # in pieces, without a length; no more than is read, or the answer may be lost on its way
    pieces = iter([b"1" * MOST_BYTES, b"1"])
    answer = studio.ask("POST", "/api/table", pieces)
    assert answer.status == 413


@pytest.mark.parametrize("length", ["-1", "many"])
def test_a_length_that_is_none_is_refused(studio, length):
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=30)
    connection.putrequest("POST", "/api/scene")
    connection.putheader("Content-Length", length)
    connection.endheaders()
    assert connection.getresponse().status in (400, 413)
    connection.close()


def test_the_wrong_method_is_answered_with_a_sentence(studio):
    answer = studio.get("/api/scene")
    assert answer.status == 405
    assert answer.error
