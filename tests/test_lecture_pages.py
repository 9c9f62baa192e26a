"""The pages about the lecture notes print what they show, and show what the notes have."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import run

FOLDER = Path(__file__).parent.parent / "docs" / "lectures"
PAGES = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")

# Numbers as the five notes print them; our own rounding where they round otherwise is an erratum
NOTES = {
    "learning-from-data": ["w = (1, 2, 4)", "20 points", "[-10, 10]"],
    "machine-learning-1-1": [
        *("(-1, -1)", "(0, 6)", "(-1, 5)", "(-2, 4)", "(-3, 3)", "(-4, 2)", "(-5, 0)"),
        *("(-4, 7)", "(-5, 6)", "(-6, 5)", "(-7, 3)", "[  4.,  18.]", "[ 18., 118.]"),
        *("0.7973, -0.1216", "0.027", "0.676,  0.554, -0.054, -0.176"),
        *("-0.095, -0.068,  0.068,  0.095", "(-1.5, 0.32)", "-1.18, -0.86, 0.74, 1.06"),
    ],
    "week-02-part-01": ["xor", "pocket", "one-vs-rest"],
    "tutorial-7": ["w ← w + ½ (y - ŷ) x", "√T / (B·R)", "(B·R)²", "log((1-h_i)/(1-q_i))"],
    "linear-models": ["y·u ≤ 0", "D²·|w\\*|² / γ²", "first_vote"],
}

# What the notes consist of, in their order: sections, slides, equations, exercises, files
PLACES = {
    "learning-from-data": [
        *("section 1", "Components of learning", "equations (1) and (2)", "steps 1 to 5 of PLA"),
        *("Exercise 1.3", "three parts", "Exercise 1.4", "ex_1_4.m", "perceptron.m", "f.m"),
    ],
    "machine-learning-1-1": [
        *("A Simple Hypothesis Class", "Perceptron Learning Algorithm", "Simple Regressor"),
        *("w(1) = (0, 0)", "SOLVED!", "Classification/regression example"),
        *("Regression solution used for classification", "Linear Regression for Classification"),
        "equation (1)",
    ],
    "week-02-part-01": [
        *("Review: Binary Linear Classification Learning Model", "Simple Learning Model Diagram"),
        *("Last lecture", "New formulation of Binary Linear Classification"),
        *("Perceptron Learning Algorithm (PLA)", "demo", "Why Does PLA Work?", "theorem"),
        *("remark", "question of that name", "three questions", "Pocket Algorithm"),
        *("lines 0 to 9", "last two questions"),
    ],
    "tutorial-7": [
        *("section 1", "The Perceptron Algorithm", "The Algorithm", "Question 1", "(a) to (f)"),
        *("Naive Bayes Classifier", "Notation", "Naive Bayes classifier", "Question 2"),
        "(a) to (d)",
    ],
    "linear-models": [
        *("Last lecture", "Supervised learning", "Let's look at the design choices"),
        *("Continue with the design choices", "Linear Threshold Units (McCulloch & Pitts 1943)"),
        *("Geometric view", "A Canonical Representation", "Geometric view"),
        *("How to learn: the perceptron algorithm", "Perceptron Algorithm"),
        *("Effect of Perceptron Updating Rule", "Online vs Batch", "Batch Perceptron Algorithm"),
        *("Good news", "Proof", "Margin", "Bad news", "Fixing the Perceptron"),
        "Voted-Perceptron",
    ],
}


@pytest.mark.parametrize("page", PAGES)
def test_blocks_print_what_is_shown(page, tmp_path, monkeypatch, clock):
    # the clock stands still: a verdict is there in time on any machine; blocks of a page go on
    # from each other, in one folder and with the same names
    monkeypatch.chdir(tmp_path)
    names = {}
    for kind, text in blocks_of((FOLDER / f"{page}.md").read_text()):
        if kind == "pycon":
            check_program(text, names, page)
        else:
            check_commands(text)


def blocks_of(text):
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(found) >= 5
    assert {kind for kind, _ in found} <= {"pycon", "console"}
    return found


def check_program(text, names, page):
    examples = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples, out=said.append, clear_globs=False)
    names.update(examples.globs)
    assert said == [], "".join(said)


def check_commands(text):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, shown = part.split("\n", 1)
        command, *arguments = shlex.split(line)
        assert command == "rosenblatt"
        answer = run(*arguments)
        assert answer.out.strip() == shown.strip(), answer.err


@pytest.mark.parametrize("page", PAGES)
def test_numbers_of_the_notes_are_on_the_page(page):
    text = (FOLDER / f"{page}.md").read_text().replace("\N{MINUS SIGN}", "-")
    assert [number for number in NOTES[page] if number not in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_part_names_its_place_in_the_notes_in_their_order(page):
    parts = re.split(r"^## .*$", (FOLDER / f"{page}.md").read_text(), flags=re.MULTILINE)[1:]
    places = [re.match(r"\s*\*In the notes: (.*)\.\*$", part, re.MULTILINE) for part in parts]
    assert None not in places
    named, end = " ".join(place[1] for place in places), 0
    for place in PLACES[page]:
        assert place in named[end:], place
        end = named.index(place, end) + len(place)


def test_every_erratum_is_told_where_it_belongs():
    pages = "".join((FOLDER / f"{page}.md").read_text() for page in PAGES)
    told = {int(number) for number in re.findall(r"\[erratum (\d+)\]", pages)}
    assert told == set(range(1, 17))


def test_pages_and_pictures_that_are_linked_are_there():
    links = [
        link
        for path in FOLDER.glob("*.md")
        for link in re.findall(r"\]\(([^)#]*)\)", path.read_text())
    ]
    assert len(links) > 30
    assert [link for link in links if not (FOLDER / link).exists()] == []
