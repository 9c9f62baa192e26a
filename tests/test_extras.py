"""The core does its work alone, and what is missing for more is said in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt.extras import EXTRAS, needs
from tests.mail.filter.mails import mail
from tests.without_extras import EXTRAS as DECLARED
from tests.without_extras import TOOLS, modules_of

ROOT = Path(__file__).parent.parent
ALONE = "from tests.without_extras import hide; hide(); "
SHELL = ALONE + "from rosenblatt.cli.main import main; main()"
ANSWER = "{}, which is not installed; run pip install 'rosenblatt[{}]'"


def python(code, *arguments, **options):
    """Run code in a Python that has the core alone."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    settings = {"capture_output": True, "check": False, "cwd": ROOT} | options
    return subprocess.run(command, **settings)


def shell(*arguments, **options):
    return python(SHELL, *arguments, **({"text": True} | options))


def test_what_asks_for_an_extra_names_the_modules_that_it_brings():
    assert set(EXTRAS) == set(DECLARED) - {*TOOLS, "all"}
    for extra, (_, modules) in EXTRAS.items():
        assert set(modules) == modules_of(extra)


def test_all_is_all():
    (everything,) = DECLARED["all"]
    assert everything == f"rosenblatt[{','.join(EXTRAS)}]"


CORE = """
import rosenblatt, sys
from sklearn.datasets import load_iris
X, y = load_iris(return_X_y=True)
model = rosenblatt.AveragedPerceptron(random_state=0).fit(X, y)
assert model.score(X, y) > 0.9
rosenblatt.save(model, sys.argv[1] + "/iris.rosenblatt")
assert (rosenblatt.load(sys.argv[1] + "/iris.rosenblatt").predict(X) == model.predict(X)).all()
assert not rosenblatt.prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).separable
open(sys.argv[1] + "/t.csv", "w").write("a,kind\\n1,x\\n2,x\\n7,y\\n")
assert rosenblatt.read(sys.argv[1] + "/t.csv", target="kind").X.tolist() == [[1], [2], [7]]
texts = ["free money", "lunch at noon"]
assert rosenblatt.BagOfWords(bits=8).fit_transform(texts).shape == (2, 256)
steps = rosenblatt.trace(rosenblatt.Perceptron(), [[1], [2], [7], [8]], [0, 0, 1, 1])
assert steps.to_arrow().num_rows > 1
for work in (steps.plot, lambda: rosenblatt.plot.plane, lambda: rosenblatt.mail.words(b"")):
    try:
        work()
    except rosenblatt.MissingExtraError as error:
        print(error)
"""


def test_the_core_learns_proves_and_reads_files(tmp_path):
    answer = python(ALONE + CORE, tmp_path, text=True)
    assert answer.stderr == ""
    pictures, mails = (
        ANSWER.format("pictures need {}", "plot"),
        ANSWER.format("mail needs {}", "mail"),
    )
    assert answer.stdout.splitlines() == [
        *2 * [pictures.format("matplotlib")],
        mails.format("selectolax"),
    ]


def test_the_core_has_the_command(tmp_path):
    model, page = tmp_path / "iris.rosenblatt", tmp_path / "iris.html"
    answer = shell("fit", "iris", "-o", model, "--report", page)
    assert answer.returncode == 0, answer.stderr
    assert "validated error" in answer.stdout
    assert page.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["lab", "exercise-1.4", "--plot", "{}/x.png"], ("pictures need matplotlib", "plot")),
        (["trace", "lecture", "--animate", "{}/x.gif"], ("pictures need matplotlib", "plot")),
        (["studio", "--no-browser"], ("the studio needs uvicorn", "studio")),
        (
            ["mail", "train", "--spam", "{}/s", "--ham", "{}/h", "-o", "{}/m"],
            ("mail needs selectolax", "mail"),
        ),
    ],
    ids=["lab", "trace", "studio", "mail"],
)
def test_a_command_says_what_to_install(arguments, missing, tmp_path):
    for box in "sh":
        (tmp_path / box).write_bytes(mail("ham", 0))
    answer = shell(*[argument.format(tmp_path) for argument in arguments])
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == f"rosenblatt: {ANSWER.format(*missing)}\n"
    assert {path.name for path in tmp_path.iterdir()} == {"s", "h"}


def test_a_message_passes_where_it_cannot_be_judged(tmp_path):
    message = mail("ham", 0)
    answer = shell("mail", "filter", tmp_path / "no-model", input=message, text=False)
    assert (answer.returncode, answer.stdout) == (75, message)


def test_what_is_missing_for_other_reasons_is_said_by_python():
    with pytest.raises(ModuleNotFoundError, match="no such thing") as caught, needs("plot"):
        raise ModuleNotFoundError("no such thing", name="numpy.of_another_age")
    assert not isinstance(caught.value, rosenblatt.MissingExtraError)
