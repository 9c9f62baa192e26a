"""Files written by hand: `load_proof` never takes one that proves nothing.

The oracle is the checker that docs/proofs.md shows, in fractions and without the library. A forger
knows the format and the data: what is changed is parts of a file, not its bytes, and the digests
are made to fit.
"""

import copy
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import ProofError, Proofs, load_proof, prove
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.question import JointQuestion, Question, SignedRows, check_exact_data
from tests.examples import XOR_X, XOR_Y

PAGE = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text()
DATA = {
    "xor": (XOR_X, XOR_Y),
    "and": (XOR_X, [0, 0, 0, 1]),
    "three": ([[0], [1], [4], [5], [8]], ["a", "a", "b", "b", "c"]),
    "mixed": ([[0.1], [0.3], [0.2], [0.4], [0.25]], ["a", "b", "a", "c", "b"]),
    "four": ([[0, 0], [1, 0], [0, 1], [1, 1], [2, 0], [2, 1]], [1, 2, 3, 4, 2, 4]),
}
WAYS = ["one-vs-rest", "one-vs-one", "joint"]


def checker():
    """Return the functions of the page."""
    (code,) = re.findall(r"```python\n(import json[^`]*)```", PAGE)
    names = {}
    exec(code, names)  # noqa: S102 - the page is ours
    return names


CHECKER = checker()


def proofs_of(name):
    X, y = DATA[name]
    return [
        prove(X, y, fit_intercept, multiclass=way)
        for way in (WAYS if len(set(y)) > 2 else WAYS[:1])
        for fit_intercept in (True, False)
    ]


@pytest.mark.parametrize("name", DATA)
def test_the_checker_of_the_page_takes_every_proof(name):
    X, y = DATA[name]
    for proof in proofs_of(name):
        assert CHECKER["verdict"](proof.to_json(), X, y) == proof.separable


def test_all_verdicts_of_all_forms_are_among_the_examples():
    seen = {(type(p).__name__, p.separable) for name in DATA for p in proofs_of(name)}
    assert seen >= {("Proofs", True), ("Proofs", False)}
    assert {("JointSeparable", True), ("JointContradiction", False)} <= seen
    assert {("Separable", True), ("Contradiction", False)} <= seen


def places(tree, path=()):
    """Return the paths of all parts of a tree."""
    yield path
    if isinstance(tree, (dict, list)):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places(part, (*path, key))


def part_at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


ODD = [None, True, False, 0, 1, -1, 2, 1.0, 0.5, 1e400, 10**30, "", "a", "z", "0", "1", "-1"]
ODD += ["1/1", "0/1", "-1/1", "1/0", "1e400", "joint", "separable", "contradiction", "inf"]
ODD += [[], {}, [[]], ["1"], [0], ["0/1"]]


def as_another_type(part):
    if isinstance(part, dict):
        return list(part.values())
    if isinstance(part, list):
        return dict(enumerate(map(str, part))) if len(part) % 2 else "".join(map(str, part))[:99]
    return [part] if isinstance(part, bool) or part is None else str(part)


def mutate(tree, pool, rng):
    """Change one part of a file in its place."""
    path = rng.choice([path for path in places(tree) if path])
    holder, key = part_at(tree, path[:-1]), path[-1]
    way = rng.randrange(8)
    if way == 0:
        del holder[key]
    elif way == 1:
        holder[key] = copy.deepcopy(rng.choice(ODD))
    elif way == 2:
        holder[key] = as_another_type(holder[key])
    elif way == 3:
        other = rng.choice([p for p in places(tree) if p])
        theirs, mine = part_at(tree, other), holder[key]
        if other[: len(path)] != path and path[: len(other)] != other:
            part_at(tree, other[:-1])[other[-1]], holder[key] = mine, theirs
    elif way == 4:  # the same place, or any, of another file
        other = rng.choice(pool)
        same = [p for p in places(other) if p and p[-1] == key] or [p for p in places(other) if p]
        holder[key] = copy.deepcopy(part_at(other, rng.choice(same)))
    elif way == 5 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
    elif way == 6 and isinstance(holder, list):
        rng.shuffle(holder)
    else:
        other = rng.choice(pool)
        name = rng.choice(list(other))
        (tree if rng.random() < 0.5 else holder if isinstance(holder, dict) else tree)[name] = (
            copy.deepcopy(other[name])
        )


def with_fitting_digests(tree, data):
    """Write digests that fit what is asked, as somebody who wants to be believed would."""
    for proof in [tree, *(tree["proofs"] if isinstance(tree.get("proofs"), list) else [])]:
        try:
            if "classes" in proof:
                question = JointQuestion(tuple(proof["classes"]), proof["fit_intercept"])
            else:
                question = Question(proof["positive"], proof["negative"], proof["fit_intercept"])
            mark = Fingerprint.of(question.of(data))
            proof["data"] |= {"rows": mark.n_rows, "features": mark.n_features}
            proof["data"] |= {"digests": list(mark.rows), "signs": list(mark.signs)}
        except (AttributeError, KeyError, TypeError, ValueError):
            continue


def forged(name, rounds, path, rng):
    """Load many forged files; return how many were taken."""
    X, y = DATA[name]
    data, taken = check_exact_data(X, y), 0
    originals = [json.loads(proof.to_json()) for proof in proofs_of(name)]
    pool = [json.loads(proof.to_json()) for other in DATA for proof in proofs_of(other)]
    pool += [part for content in pool for part in content.get("proofs", [])]
    for _ in range(rounds):
        tree = copy.deepcopy(rng.choice(originals))
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            mutate(tree, pool, rng)
            if not tree:
                break
        if rng.random() < 0.7:
            with_fitting_digests(tree, data)
        text = json.dumps(tree)
        path.write_text(text)
        try:
            found = load_proof(path, X, y)
        except ProofError:
            continue
        taken += 1
        # what the library takes, the page takes; it knows nothing of digests
        assert CHECKER["verdict"](text, X, y) == found.separable, text
    return taken


@pytest.mark.parametrize("rounds", [400, pytest.param(30_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", DATA)
def test_a_forged_file_is_refused_or_holds_a_true_proof(name, rounds, tmp_path):
    rng = random.Random(name)  # noqa: S311
    taken = forged(name, rounds, tmp_path / "proof.json", rng)
    # some changes change nothing: digests that are made to fit again, a part replaced by its like
    assert 0 < taken < rounds / 2


def forgery(positive, negative):
    """Return a rule for xor that has all examples on one side, with digests that fit."""
    rows = check_exact_data(XOR_X, XOR_Y).rows
    signs = [1 if v == positive else -1 if negative in (None, v) else 0 for v in XOR_Y]
    mark = Fingerprint.of(SignedRows(rows, np.array(signs, dtype=np.int8), 1.0, 2))
    return {
        "format": "rosenblatt proof",
        "version": 2,
        "verdict": "separable",
        "positive": positive,
        "negative": negative,
        "fit_intercept": True,
        "data": {"rows": 4, "features": 2, "digests": list(mark.rows), "signs": list(mark.signs)},
        "w": ["1/1" if 1 in signs else "-1/1", "0/1", "0/1"],
        "margin": "1.0",
        "radius": "1.7320508075688772",
        "updates_bound": "3",
    }


@pytest.mark.parametrize(
    ("positive", "negative", "words"),
    [
        ("z", None, "no row has the label 'z'"),  # all examples are -1, and so says the rule
        (None, None, "None"),
        (0, 0, "0 on both sides|0 against 0"),
        (1, 1, "1 on both sides|1 against 1"),
        (1, "q", "no row has the label 'q'"),
        ("q", 0, "no row has the label 'q'"),
        ("p", "q", "no row has the label 'q'"),
        (1, None, "1 against the rest"),  # two classes raise one question, 1 against 0
        (0, 1, "0 against 1"),
    ],
)
def test_a_question_that_the_data_does_not_raise_is_refused(positive, negative, words, tmp_path):
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(forgery(positive, negative)))
    with pytest.raises(ProofError, match=words):
        load_proof(path, XOR_X, XOR_Y)


def test_no_question_at_all_proves_nothing(tmp_path):
    path = tmp_path / "proof.json"
    path.write_text('{"format": "rosenblatt proof", "version": 2, "proofs": []}')
    with pytest.raises(ProofError, match="answers no question, so it proves nothing"):
        load_proof(path, XOR_X, XOR_Y)
    with pytest.raises(ProofError, match="answers no question"):
        Proofs([])


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_a_question_left_out_or_answered_twice_is_refused(way, tmp_path):
    X, y = DATA["four"]
    path, proofs = tmp_path / "proof.json", prove(X, y, multiclass=way)
    content = json.loads(proofs.to_json())
    assert load(path, content, X, y).separable == proofs.separable
    for k in range(len(proofs)):
        others = content["proofs"][:k] + content["proofs"][k + 1 :]
        with pytest.raises(ProofError, match=rf"answers {len(others)} of the {len(proofs)} ques"):
            load(path, content | {"proofs": others}, X, y)
        twice = [content["proofs"][k], *content["proofs"]]
        with pytest.raises(ProofError, match="two proofs of one question"):
            load(path, content | {"proofs": twice}, X, y)
        # a part alone is no proof about all classes, but answers its own question
        part = list(proofs.values())[k]
        assert part.check(X, y)
        with pytest.raises(ProofError, match=f"answers 1 of the {len(proofs)}"):
            load(path, json.loads(part.to_json()), X, y)


def test_rules_with_an_intercept_and_without_are_not_mixed(tmp_path):
    X, y = DATA["three"]
    path = tmp_path / "proof.json"
    one, other = (json.loads(prove(X, y, flag).to_json()) for flag in (True, False))
    one["proofs"][0] = other["proofs"][0]
    with pytest.raises(ProofError, match="it must be one or the other"):
        load(path, one, X, y)


def test_answers_to_two_ways_of_asking_are_not_mixed(tmp_path):
    X, y = DATA["three"]
    path = tmp_path / "proof.json"
    rest, pairs, joint = (json.loads(prove(X, y, multiclass=way).to_json()) for way in WAYS)
    with pytest.raises(ProofError, match="but what is asked about the classes"):
        load(path, rest | {"proofs": rest["proofs"] + pairs["proofs"]}, X, y)
    part = {name: joint[name] for name in joint if name not in ("format", "version")}
    with pytest.raises(ProofError, match="no proof of its own"):
        load(path, rest | {"proofs": [part]}, X, y)
    with pytest.raises(ProofError, match="'classes' has no meaning here"):
        load(path, rest | part, X, y)


def load(path, content, X, y):
    path.write_text(json.dumps(content))
    return load_proof(path, X, y)
