"""One's own table on the page: good ones shown, bad ones refused in a sentence, old data kept."""

from __future__ import annotations

from pathlib import Path

from tests.studio.browser.driving import Desk

GOOD = "height;width;note;kind\n1.5;2;a;yes\n2.5;1;b;no\n-3;4;c;yes\n5;2.25;d;no\n".replace(
    ";", ","
)


def read_table(desk: Desk, text: str) -> str:
    """Hand over the text, wait for the verdict on it, return the sentence of a refusal."""
    page = desk.page
    if not page.is_visible("#table-dialog"):
        page.click("#open-table")
    page.fill("#table-text", text)
    with page.expect_response("**/api/table*"):
        page.click("#table-read")
    desk.until(lambda: page.inner_text("#table-error") != "" or page.is_enabled("#table-use"))
    return str(page.inner_text("#table-error"))


def test_a_pasted_table_becomes_the_data_with_the_columns_chosen(desk: Desk) -> None:
    desk.open()
    assert read_table(desk, GOOD) == ""
    page = desk.page
    assert page.input_value("#table-x") == "height"
    assert page.input_value("#table-label") == "kind"
    with page.expect_response("**/api/table?*"):
        page.select_option("#table-x", "width")
    with page.expect_response("**/api/table?*"):
        page.select_option("#table-y", "height")
    desk.until(lambda: desk.count("#table-preview .mark") == 4)
    desk.click("#table-use")
    assert desk.state("table.names") == ["width", "height"]
    assert desk.state("table.points") == [[2, 1.5], [1, 2.5], [4, -3], [2.25, 5]]
    assert sorted(desk.state("table.classes")) == ["no", "yes"]
    assert len(desk.points()) == 4


def test_columns_of_very_different_size_are_scaled(desk: Desk) -> None:
    desk.open()
    read_table(desk, "small,large,label\n0.1,1000,a\n0.2,5000,b\n0.3,9000,a\n")
    assert "deviation 1" in desk.page.inner_text("#table-size")
    desk.click("#table-use")
    assert all(abs(x - y) < 1e-9 for x, y in desk.state("table.points"))


def test_a_dropped_file_opens_the_dialog(desk: Desk) -> None:
    desk.open()
    desk.ask(
        "text => { const files = new DataTransfer();"
        " files.items.add(new File([text], 'points.csv', { type: 'text/csv' }));"
        " document.querySelector('main').dispatchEvent("
        "   new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true })); }",
        GOOD,
    )
    desk.until(lambda: desk.page.is_enabled("#table-use"))
    desk.click("#table-use")
    assert len(desk.points()) == 4


BAD = {
    "text where numbers belong": ("a,b,label\n1,2,x\n3,oops,y\n4,5,x\n", ["3", "b", "oops"]),
    "NaN": ("a,b,label\n1,2,x\n3,nan,y\n4,5,x\n", ["3", "b"]),
    "one class": ("a,b,label\n1,2,x\n3,4,x\n", ["label", "x"]),
    "one column": ("a\n1\n2\n", ["column"]),
    "nothing": ("\n", []),
}


def test_bad_tables_get_a_sentence_and_the_old_data_stays(desk: Desk) -> None:
    desk.open("#preset=xor")
    before = desk.points()
    desk.expect_refusal()
    for name, (text, words) in BAD.items():
        sentence = read_table(desk, text)
        assert len(sentence) > 15, name
        assert all(word in sentence for word in words), (name, sentence)
        assert desk.page.is_disabled("#table-use"), name
    desk.page.click("#table-cancel")
    assert desk.points() == before


def test_a_table_without_a_header_or_with_500_columns_is_read_or_refused(desk: Desk) -> None:
    desk.open("#preset=xor")
    desk.expect_refusal()
    bare = read_table(desk, "1,2,x\n3,4,y\n0,5,x\n")
    assert bare != "" or "names of the columns" in desk.page.inner_text("#table-size")
    head = ",".join(f"c{i}" for i in range(500))
    row = ",".join("1.5" for _ in range(499))
    wide = read_table(desk, f"{head}\n{row},a\n{row.replace('1', '2')},b\n")
    assert wide == "" or "500" in wide


def test_a_huge_table_is_refused_before_it_is_sent(desk: Desk, tmp_path: Path) -> None:
    desk.open("#preset=xor")
    before = desk.points()
    line = "0.123456,0.654321,a\n0.223456,0.754321,b\n"
    huge = "x,y,label\n" + line * (5 * 2**20 // len(line))
    desk.page.click("#open-table")
    path = tmp_path / "huge.csv"
    path.write_text(huge)
    desk.page.set_input_files("#table-file", path)
    desk.until(lambda: "4 MB" in desk.page.inner_text("#table-error"))
    desk.page.click("#table-cancel")
    assert desk.points() == before


def test_a_refused_scene_leaves_the_picture_as_it_was(desk: Desk) -> None:
    desk.open("#preset=xor")
    before = desk.points()
    desk.expect_refusal()
    sentence = {"error": "No learner knows this."}
    desk.page.route("**/api/scene", lambda route: route.fulfill(status=400, json=sentence))
    desk.page.click(".preset[data-name=iris]")
    desk.until(lambda: desk.page.is_visible("#notice"))
    assert "No learner knows this." in desk.page.inner_text("#notice")
    desk.settled()
    assert desk.points() == before
    desk.page.click("#notice button")
    assert not desk.page.is_visible("#notice")
