"""A pasted table: points, or a sentence with its line and column."""

import numpy as np
import pytest

GOOD = "length,width,species\n1,2,a\n2,1,a\n5,6,b\n6,5.5,b\n"
BAD = {
    "text where a number belongs": (
        "x,y,label\n1,2,a\n3,oops,b\n5,6,a\n7,8,b\n",
        ["line 3", "'y'", "'oops'"],
    ),
    "NaN": ("x,y,label\n1,2,a\n3,4,b\nNaN,6,a\n", ["line 4", "'x'", "NaN"]),
    "an empty cell": ("x,y,label\n1,2,a\n,4,b\n", ["line 3", "'x'"]),
    "infinity": ("x,y,label\n1,2,a\n3,-inf,b\n", ["line 3", "'y'", "infinity"]),
    "one class": ("x,y,label\n1,2,a\n3,4,a\n", ["line 2", "'label'", "one class only, 'a'"]),
    "no label": ("x,y,label\n1,2,a\n3,4,\n", ["line 3", "'label'", "missing"]),
    "a short line": ("x,y,label\n1,2,a\n3,4\n", ["line 3", "2 fields"]),
    "too many rows": ("1,2,3\n" * 20_005, ["line 20001:", " 20,005;"]),
    "a row too many": ("a,b,c\n" + "1,2,3\n" * 20_001, ["line 20002:", " 20,001;"]),
    "a row too many, and no end": ("a,b,c\n" + "\n".join(["1,2,3"] * 20_001), [" 20,001;"]),
    "a row too many, of an old Mac": ("a,b,c\r" + "1,2,3\r" * 20_001, [" 20,001;"]),
    "500 columns": (
        ",".join(f"c{k}" for k in range(500)) + "\n" + ",".join("1" * 500),
        ["500 columns", "column 101"],
    ),
    "too many classes": (
        "x,y,label\n" + "".join(f"{k},1,{k}\n" for k in range(30)),
        ["line 12", "'label'", "11th class"],
    ),
    "one column": ("x\n1\n2\n", ["single column"]),
    "two columns": ("x,label\n1,a\n2,b\n", ["two columns of numbers", "'label'"]),
    "the same name twice": ("x,x,label\n1,2,a\n2,3,b\n", ["two columns named 'x'"]),
    "a header alone": ("x,y,label\n", ["no rows"]),
    "nothing": ("", ["empty"]),
    "blank lines": ("\n\n\n", ["blank"]),
    "a binary file": (b"PK\x03\x04\x00\x00", ["binary"]),
    "a packed file": (b"\x1f\x8b\x08\x08abc", ["UTF-8"]),
    "another alphabet": ("x,y,label\n1,2,caf\xe9\n".encode("latin-1"), ["line 2", "UTF-8"]),
}


def paste(studio, text, query=""):
    body = text if isinstance(text, bytes) else text.encode()
    return studio.ask("POST", f"/api/table{query}", body, {"Content-Type": "text/plain"})


def test_a_good_table_is_suggested_and_shown(studio):
    answer = paste(studio, GOOD).json
    assert answer["columns"] == [
        {"name": "length", "kind": "number", "values": 4},
        {"name": "width", "kind": "number", "values": 4},
        {"name": "species", "kind": "label", "values": 2},
    ]
    assert (answer["rows"], answer["suggest"]) == (4, {"x": 0, "y": 1, "label": 2})
    assert answer["data"]["points"] == [[1, 2], [2, 1], [5, 6], [6, 5.5]]
    assert answer["data"]["labels"] == [0, 0, 1, 1]
    assert answer["data"]["classes"] == ["a", "b"]
    assert answer["data"]["names"] == ["length", "width"]


def test_what_was_pasted_can_be_learned_from(studio):
    data = paste(studio, GOOD).json["data"]
    assert studio.scene(data)["verdict"]["kind"] == "separable"


def test_other_columns_can_be_chosen(studio):
    table = "a,b,c,kind\n1,2,3,u\n2,3,5,v\n4,5,6,u\n"
    data = paste(studio, table, "?x=c&y=a&label=kind").json["data"]
    assert data["names"] == ["c", "a"]
    assert data["points"] == [[3, 1], [5, 2], [6, 4]]


def test_a_label_of_numbers_can_be_chosen(studio):
    table = "a,b,c\n1,2,0\n2,3,1\n4,5,0\n"
    answer = paste(studio, table).json
    assert answer["suggest"] == {"x": 0, "y": 1, "label": 2}
    assert answer["data"]["classes"] == ["0", "1"]


def test_signs_are_written_as_in_the_lecture(studio):
    assert paste(studio, "a,b,y\n1,2,-1\n2,3,1\n").json["data"]["classes"] == ["-1", "+1"]


@pytest.mark.parametrize("query", ["?x=nowhere", "?label=nowhere"])
def test_a_column_that_is_not_there_is_named(studio, query):
    answer = paste(studio, GOOD, query)
    assert answer.status == 400
    assert "'nowhere'" in answer.error


def test_a_column_cannot_be_two_things(studio):
    answer = paste(studio, GOOD, "?x=length&y=length")
    assert answer.status == 400
    assert "three columns" in answer.error


def test_no_header_is_noticed_and_said(studio):
    answer = paste(studio, "1,2,0\n3,4,1\n").json
    assert answer["data"]["names"] == ["x1", "x2"]
    assert answer["rows"] == 2
    assert any("no line of names" in note for note in answer["notes"])


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_are_noticed(studio, delimiter):
    assert paste(studio, GOOD.replace(",", delimiter)).json["rows"] == 4


def test_columns_of_different_size_are_brought_to_one(studio):
    answer = paste(studio, "a,b,label\n1,2000,u\n2,1000,v\n3,500,u\n").json
    np.testing.assert_allclose(np.std(answer["data"]["points"], axis=0), 1)
    assert answer["data"]["names"] == ["a (standardised)", "b (standardised)"]
    assert any("mean 0 and deviation 1" in note for note in answer["notes"])


@pytest.mark.parametrize(("table", "words"), BAD.values(), ids=BAD)
def test_a_bad_table_is_refused_with_its_place(studio, table, words):
    answer = paste(studio, table)
    assert answer.status == 400
    for word in words:
        assert word in answer.error


def test_advice_names_what_exists_on_the_page(studio):
    for table, _ in BAD.values():
        sentence = paste(studio, table).error
        for word in ("delimiter", "format", "pass ", "--", "iconv", "="):
            assert word not in sentence, sentence


def test_twenty_thousand_rows_are_taken(studio):
    rng = np.random.default_rng(0)
    rows = (f"{x:.3f},{y:.3f},{int(x > y)}" for x, y in rng.standard_normal((20_000, 2)))
    assert paste(studio, "a,b,label\n" + "\n".join(rows)).json["rows"] == 20_000
