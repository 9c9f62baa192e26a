"""Proofs in JSON: the same numbers come back, and a damaged file is refused, never believed."""

import json
import math
import os
import random
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import DataError, ProofError, load_proof, prove
from rosenblatt.proof.loading import from_json
from rosenblatt.workflows.prove import read_proof
from tests.examples import LECTURE_X, LECTURE_Y, XOR_X, XOR_Y, random_data
from tests.proof.evidence import assert_true

TOP = 1.7e308
CASES = {
    "xor": (XOR_X, XOR_Y),
    "lecture": (LECTURE_X, LECTURE_Y),
    "tenths": ([[0.1], [0.3], [0.2]], ["a", "a", "b"]),
    "denormals": ([[5e-324], [1e-323], [1.5e-323]], [False, False, True]),
    "largest": ([[TOP, TOP], [-TOP, -TOP]], [0.0, 1.0]),
}


def saved(path, case):
    X, y = CASES[case]
    proof = prove(X, y)
    proof.save(path)
    return proof, X, y


def assert_same(a, b):
    assert type(a) is type(b)
    assert (a.question, a.fingerprint) == (b.question, b.fingerprint)
    assert type(a.question.positive) is type(b.question.positive)
    if a.separable:
        assert (a.fractions, a.w.tobytes()) == (b.fractions, b.w.tobytes())
        assert a.updates_bound == b.updates_bound
        for name in ("margin", "radius"):
            assert getattr(a, name).hex() == getattr(b, name).hex()
    else:
        assert (a.indices.tolist(), a.weights) == (b.indices.tolist(), b.weights)


@pytest.mark.parametrize("case", CASES)
def test_a_proof_comes_back_bit_for_bit(case, tmp_path):
    proof, X, y = saved(tmp_path / "proof.json", case)
    found = load_proof(tmp_path / "proof.json", X, y)
    assert_same(proof, found)
    assert_same(proof, from_json(proof.to_json()))
    assert load_proof(str(tmp_path / "proof.json"), X, y).to_json() == proof.to_json()


def test_weights_of_thousands_of_digits_come_back():
    # each of the eight columns is solved for in a unit of its own
    X = np.vstack([np.diag(np.logspace(-300, 300, 8)), np.full(8, 1e-301), np.zeros(8)])
    y = [0] * 8 + [1, 0]
    proof = prove(X, y)
    assert proof.check(X, y)
    assert_true(proof, X, y)
    assert max(len(bin(a)) for a in proof.weights) > 1900
    assert_same(proof, from_json(proof.to_json()))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (False, True),
        (0, 1),
        (0.0, 1.0),
        ("no", "yes"),
        ("", "\u00e9\u4e2d\U0001f600"),
        (np.int8(-1), np.int8(1)),
        (np.uint64(0), np.uint64(2**64 - 1)),
        (np.float32(1), np.float32(2)),
        (np.str_("a"), np.str_("b")),
        (np.bool_(False), np.bool_(True)),
    ],
)
def test_labels_come_back_as_they_were(low, high, tmp_path):
    y = np.array([(low, high)[label] for label in XOR_Y])
    proof = prove(XOR_X, y)
    proof.save(tmp_path / "proof.json")
    assert_same(proof, load_proof(tmp_path / "proof.json", XOR_X, y))
    assert proof.question.positive == high


def test_the_file_holds_version_shape_digests_and_text_for_numbers():
    content = json.loads(prove(LECTURE_X, LECTURE_Y).to_json())
    assert (content["format"], content["version"]) == ("rosenblatt proof", 2)
    assert (content["data"]["rows"], content["data"]["features"]) == (4, 1)
    assert len(content["data"]["digests"]) == len(content["data"]["signs"]) == 4
    assert all(isinstance(v, str) and "/" in v for v in content["w"])


@pytest.mark.parametrize("case", CASES)
def test_a_proof_of_other_data_says_so(case, tmp_path):
    path = tmp_path / "proof.json"
    _, X, y = saved(path, case)
    bigger = random_data(3, 9, 4)
    with pytest.raises(ProofError, match=r"this proof is about other data: .* got 9 rows of 4"):
        load_proof(path, bigger.X, bigger.y)
    same_shape = np.array(X, dtype=np.float64)[:, ::-1] / 2 + 1
    with pytest.raises(ProofError, match="this proof is about other data: the numbers of row"):
        load_proof(path, same_shape, y)
    with pytest.raises(ProofError, match="this proof is about other data: the labels of row"):
        load_proof(path, X, y[::-1] if y != y[::-1] else [y[1], y[0], *y[2:]])
    with pytest.raises(ProofError, match=r"no row has the label .* 'labels' and 'other'"):
        load_proof(path, X, ["other" if k else "labels" for k in range(len(y))])


def changed(proof, **changes):
    content = json.loads(proof.to_json())
    for key, value in changes.items():
        content["data"] |= value if key == "data" else {}
        if key != "data":
            content[key] = value
    return json.dumps(content)


@pytest.mark.parametrize("case", ["xor", "lecture"])
@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 1},
        {"version": 3},
        {"version": None},
        {"verdict": "maybe"},
        {"verdict": ["separable"]},
        {"positive": [1]},
        {"positive": None},
        {"positive": 10**400},
        {"positive": math.nan},
        {"negative": {}},
        {"fit_intercept": 1},
        {"fit_intercept": None},
        {"data": {"rows": -1}},
        {"data": {"rows": 4.0}},
        {"data": {"rows": True}},
        {"data": {"rows": 10**30}},
        {"data": {"features": "1"}},
        {"data": {"digests": []}},
        {"data": {"digests": ["0" * 16]}},
        {"data": {"digests": "0" * 16}},
        {"data": {"digests": [3] * 4}},
        {"data": {"signs": None}},
        {"data": {"signs": ["0" * 16] * 5}},
    ],
    ids=str,
)
def test_a_changed_value_is_refused(case, change):
    X, y = CASES[case]
    with pytest.raises(ProofError):
        from_json(changed(prove(X, y), **change)).check(X, y)


@pytest.mark.parametrize(
    ("case", "key", "values"),
    [
        ("xor", "indices", [None, 3, "0123", [0, 1, 2], [0, 1, 2, "3"], [0, 1, 2, 10**30], {}]),
        ("xor", "weights", [None, [], ["1"] * 3, [1, 1, 1, 1], ["1.0"] * 4, ["x"] * 4, ["2"] * 4]),
        ("xor", "weights", [["-1"] * 4, ["0"] * 4, ["1" * 5000] * 4, ["\u0661"] * 4, ["1\n"] * 4]),
        ("lecture", "w", [None, [], ["1/1"], ["1/0", "1/1"], ["1", "1"], ["a/b", "1/1"], [1, 1]]),
        ("lecture", "w", [["0/1", "0/1"], ["1/1", "1/1", "1/1"], [f"{'9' * 99}/1", "1/1"], {}]),
        ("lecture", "margin", [None, "x", [], "nan", "inf", "0", 10**400, True, {}]),
        ("lecture", "radius", [None, "x", "-1", "nan", "inf", "1e999"]),
        ("lecture", "updates_bound", [None, "x", "1", "220", "222", "221.0", "nan", "inf", 221]),
    ],
)
def test_a_changed_number_is_refused(case, key, values):
    X, y = CASES[case]
    proof = prove(X, y)
    for value in values:
        with pytest.raises(ProofError):
            from_json(changed(proof, **{key: value})).check(X, y)


@pytest.mark.parametrize("case", ["xor", "lecture"])
def test_a_missing_key_is_refused(case):
    X, y = CASES[case]
    content = json.loads(prove(X, y).to_json())
    for key in content:
        with pytest.raises(ProofError):
            from_json(json.dumps({k: v for k, v in content.items() if k != key}))
    for key in content["data"]:
        data = {k: v for k, v in content["data"].items() if k != key}
        with pytest.raises(ProofError, match="damaged"):
            from_json(json.dumps(content | {"data": data}))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "3",
        '"proof"',
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 100_000,
        "NaN",
        '{"format": "rosenblatt proof"}',
        '{"format": "rosenblatt proof", "version": 2}',
        '{"format": "rosenblatt proof", "version": 2, "data": 3}',
        '{"format": "rosenblatt proof", "version": 2, "version": 2}',
        '{"format": "rosenblatt proof", "version": Infinity}',
        "\x00",
    ],
    ids=lambda text: text[:60],
)
def test_what_is_no_proof_is_refused(text):
    with pytest.raises(ProofError, match=r"this (is no|proof)"):
        from_json(text)


def test_a_name_that_comes_twice_is_refused():
    text = prove(XOR_X, XOR_Y).to_json()
    assert from_json(text).check(XOR_X, XOR_Y)
    with pytest.raises(ProofError, match="twice"):
        from_json(text.replace('"positive"', '"weights": [], "positive"', 1))


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ProofError, match=r"missing\.json cannot be read as a proof"):
        load_proof(tmp_path / "missing.json", XOR_X, XOR_Y)
    with pytest.raises(ProofError, match="cannot be read"):
        load_proof(tmp_path, XOR_X, XOR_Y)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(ProofError, match=r"bytes\.json: this is no proof: .* a text file in JSON"):
        load_proof(tmp_path / "bytes.json", XOR_X, XOR_Y)


def test_a_file_too_large_for_a_proof_is_not_read(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate((256 << 20) + 1)
    with pytest.raises(ProofError, match="more than 268,435,456 bytes"):
        load_proof(path, XOR_X, XOR_Y)


def damaged(text, rng):
    """Return the bytes with some flipped, cut, put in or repeated."""
    data = bytearray(text.encode())
    for _ in range(rng.choice([1, 1, 2, 5])):
        i, n = rng.randrange(len(data)), rng.choice([1, 1, 3, 40])
        way = rng.randrange(5)
        if way == 0:
            data[i] ^= 1 << rng.randrange(8)
        elif way == 1:
            del data[i : i + n]
        elif way == 2:
            data[i:i] = bytes(rng.choice(b'0123456789-/.eE"[]{},:nullNaN ') for _ in range(n))
        elif way == 3:
            data[i:i] = data[i : i + n]
        else:
            data[i] = rng.choice(b"0123456789abcdef")
        data = data or bytearray(b"{")
    return bytes(data)


@pytest.mark.parametrize("rounds", [300, pytest.param(50_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("case", CASES)
def test_a_damaged_file_is_refused_or_holds_a_true_proof(case, rounds, tmp_path):
    rng, path = random.Random(case), tmp_path / "proof.json"  # noqa: S311
    proof, X, y = saved(path, case)
    text = proof.to_json()
    for _ in range(rounds):
        path.write_bytes(damaged(text, rng))
        try:
            found = load_proof(path, X, y)
        except ProofError:
            continue
        assert_true(found, X, y)
        assert found.separable == proof.separable


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "proof.json"
    proof, X, y = saved(path, "xor")
    before = path.read_bytes()

    def fail(*_):
        raise OSError("no space left")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail)
            with pytest.raises(OSError, match="no space left"):
                prove(LECTURE_X, LECTURE_Y).save(path)
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == ["proof.json"]
    assert_same(load_proof(path, X, y), proof)


def test_saving_replaces_the_file(tmp_path):
    path = tmp_path / "proof.json"
    saved(path, "xor")
    proof, X, y = saved(path, "lecture")
    assert_same(load_proof(path, X, y), proof)
    assert [Path(name).name for name in os.listdir(tmp_path)] == ["proof.json"]


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_the_proofs_of_many_classes_go_into_one_file(tmp_path, way):
    X, y = [[0], [1], [5], [6], [9]], ["a", "a", "b", "b", "c"]
    proofs = prove(X, y, multiclass=way)
    proofs.save(tmp_path / "proofs.json")
    loaded = load_proof(tmp_path / "proofs.json", X, y)
    assert list(loaded) == list(proofs)
    assert loaded.to_json() == proofs.to_json()
    with pytest.raises(ProofError, match="this proof is about other data"):
        load_proof(tmp_path / "proofs.json", X, ["a", "b", "b", "b", "c"])


def test_labels_that_json_has_no_form_for_cannot_be_saved():
    proof = prove([[0], [1]], np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"))
    with pytest.raises(ProofError, match="labels must be text or numbers"):
        proof.to_json()


@pytest.mark.parametrize("what", ["a pipe", "a folder", "a device"])
def test_what_is_no_file_is_refused_at_once(tmp_path, what):
    path = {"a pipe": tmp_path / "pipe", "a folder": tmp_path, "a device": "/dev/zero"}[what]
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it
    with pytest.raises(ProofError, match=f"cannot be read as a proof: it is {what}, not a file"):
        load_proof(path, [[0], [1]], [0, 1])
    with pytest.raises(DataError, match=f"cannot be read as a proof: it is {what}, not a file"):
        read_proof(path)
