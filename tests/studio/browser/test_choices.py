"""Every preset, every algorithm, the guided steps: the page shows what the library answers."""

from __future__ import annotations

from tests.studio.browser.driving import Desk

PRESETS = [
    "separable",
    "thin-margin",
    "outlier",
    "xor",
    "circles",
    "three-classes",
    "exercise-1.4",
    "iris",
    "breast-cancer",
]
TWO_CLASSES = "#preset=outlier&n=20&max_updates=50"
ALGORITHMS = [
    "perceptron",
    "pocket",
    "batch",
    "voted",
    "averaged",
    "passive-aggressive",
    "arow",
    "regression",
    "regression-perceptron",
    "naive-bayes",
    "max-margin",
]


def test_every_preset_is_a_thumbnail_that_shows_its_points(desk: Desk) -> None:
    desk.open()
    names = desk.page.locator(".preset").evaluate_all("a => a.map(e => e.dataset.name)")
    assert names == PRESETS
    for name in PRESETS:
        desk.click(f".preset[data-name='{name}']")
        assert desk.page.get_attribute(f".preset[data-name='{name}']", "aria-pressed") == "true"
        assert desk.state("data.preset") == name
        assert len(desk.points()) == desk.state("answer.data.points.length") > 3
        assert desk.verdict != ""


def rings_agree(desk: Desk) -> None:
    """The mistakes that the page rings are those that the library counted."""
    run = desk.state("answer.runs.0")
    n = desk.state("table.points.length")
    last = len(run["errors"]) - 1
    field = "pocket_errors" if run["algorithm"] == "pocket" else "errors"
    for place in sorted({0, last // 2, last}):
        desk.page.fill("#scrubber", str(place))
        wanted = run[field][place]
        if place == last and run["final"]["grid"]:
            wanted = run["final"]["error"]
        assert desk.count(".pt.wrong") == round(wanted * n), (run["algorithm"], place)


def test_every_algorithm_is_drawn_with_the_mistakes_it_makes(desk: Desk) -> None:
    desk.open(TWO_CLASSES)
    offered = desk.page.locator("#algorithm-0 option").evaluate_all("a => a.map(e => e.value)")
    assert offered == ALGORITHMS
    for name in ALGORITHMS:
        desk.page.select_option("#algorithm-0", name)
        desk.settled()
        assert desk.state("answer.runs.0.algorithm") == name
        rings_agree(desk)


def test_three_classes_are_learned_in_three_ways(desk: Desk) -> None:
    desk.open("#preset=three-classes&max_updates=200")
    for way in ("joint", "one-vs-rest", "one-vs-one"):
        desk.page.select_option("#multiclass-0", way)
        desk.settled()
        rings_agree(desk)
        assert desk.count(".plane .region") >= 3, way


def test_the_five_rules_and_three_ties_are_options_of_the_perceptron(desk: Desk) -> None:
    desk.open()
    rules = desk.page.locator("#rule-0 option").evaluate_all("a => a.map(e => e.value)")
    assert rules == ["first", "cyclic", "random", "shuffled", "worst"]
    for rule in rules:
        desk.page.select_option("#rule-0", rule)
        desk.settled()
        assert desk.count(".pt.wrong") == 0
    for tie in ("mistake", "+1", "-1"):
        desk.page.select_option("#tie-0", tie)
        desk.settled()
        rings_agree(desk)


def test_options_follow_the_algorithm(desk: Desk) -> None:
    desk.open()
    desk.page.select_option("#algorithm-0", "batch")
    desk.settled()
    assert desk.page.locator("#eta-0, #epsilon-0").count() == 2
    desk.page.fill("#eta-0", "0.1")
    desk.page.press("#eta-0", "Enter")
    desk.settled()
    assert desk.state("runs.0.eta") == 0.1


def test_points_noise_and_seed_change_the_data(desk: Desk) -> None:
    desk.open()
    before = desk.points()
    desk.page.fill("#n", "31")
    desk.page.press("#n", "Enter")
    desk.settled()
    assert len(desk.points()) == 31
    desk.click("#redraw")
    assert desk.page.input_value("#data-seed") == "1"
    assert desk.points()[:20] != before
    desk.page.fill("#noise", "0.3")
    desk.page.press("#noise", "Enter")
    desk.settled()
    assert desk.verdict.startswith("Not separable")


def test_a_contradiction_is_a_table_of_weights_whose_sum_is_zero(desk: Desk) -> None:
    desk.open("#preset=outlier")
    verdict, data = desk.state("answer.verdict"), desk.state("answer.data")
    total = [0.0, 0.0, 0.0]
    for index, weight in zip(verdict["indices"], verdict["weights"], strict=True):
        y = 1 if data["labels"][index] == 1 else -1
        for j, part in enumerate((1.0, *data["points"][index])):
            total[j] += int(weight) * y * part
    scale = max(map(int, verdict["weights"]))
    assert all(abs(part) <= 1e-9 * scale for part in total)
    assert desk.count("#contradiction-table tbody tr") == len(verdict["indices"])
    assert desk.page.locator("#contradiction-table tfoot td").all_inner_texts()[1:] == ["0"] * 3
    assert desk.count(".hull") == 2
    assert desk.count(".clash") == len(verdict["indices"])


def test_voted_shows_how_long_each_hypothesis_lived(desk: Desk) -> None:
    desk.open("#preset=circles&algorithm=voted&epochs=2")
    assert desk.page.is_visible("#survival-card")
    assert desk.count(".plane image.vote") == 1
    desk.click("#to-first")
    assert desk.count(".plane image.vote") == 0


def test_six_guided_steps_set_the_state_and_say_what_to_look_for(desk: Desk) -> None:
    desk.open()
    seen = set()
    for i in range(6):
        desk.click(f"#tour-steps button:nth-child({i + 1})")
        text = desk.page.inner_text("#tour-text")
        assert len(text) > 60
        seen.add((text, desk.verdict, desk.line()))
    assert len(seen) == 6
    assert desk.count(".plane") == 2
    desk.click(".preset[data-name=iris]")
    assert desk.page.get_attribute("#tour-steps button:nth-child(6)", "aria-pressed") == "false"
