"""What can be proved about public data: `python -m benchmarks.verdicts` (needs ../shared/data)."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "sonar": ("uci-small/sonar.csv.xz", {}),
    "ionosphere": ("uci-small/ionosphere.csv.xz", {}),
    "banknote": ("uci-small/banknote_authentication.csv.xz", {}),
    "pima": ("uci-small/pima-indians-diabetes.csv.xz", {}),
    "spambase": ("spambase/spambase.data.xz", {}),
    "mushrooms": ("libsvm/mushrooms.xz", {}),
    "heart": ("libsvm/heart_scale.xz", {}),
    "german": ("libsvm/german.numer_scale.xz", {}),
    "phishing": ("libsvm/phishing.xz", {}),
    "a9a": ("libsvm/a9a.xz", {}),
    "w8a": ("libsvm/w8a.xz", {}),
    "ijcnn1": ("libsvm/ijcnn1.trn.bz2", {"format": "svmlight"}),
    "covtype, class 2": ("covtype/covtype.csv.xz", {"missing": "error"}),
}


def main() -> None:
    """Prove and check each set; bound the fewest mistakes of any linear rule for half a minute."""
    if not DATA.exists():
        sys.exit("the folder ../shared/data with the public sets is not here")
    print("| data | rows x features | verdict | prove, s | fewest mistakes |")
    print("|---|---|---|---|---|")
    for name, (path, options) in SETS.items():
        examples = rosenblatt.read(DATA / path, **options)
        X, y = examples.X, examples.y
        if name == "covtype, class 2":
            y = np.asarray(y) == 2
        rosenblatt.prove(X[:50], np.arange(50) % 2)  # compiled
        start = time.perf_counter()
        proof = rosenblatt.prove(X, y)
        seconds = time.perf_counter() - start
        proof.check(X, y)
        verdict = (
            f"separable, margin {proof.margin:.2g}"
            if proof.separable
            else f"{len(proof.indices)} examples contradict each other"
        )
        fewest = rosenblatt.fewest_mistakes(X, y, time_limit=30)
        bounds = str(fewest).split(": ")[1].rstrip(".")
        rows = f"{X.shape[0]:,} x {X.shape[1]}"
        print(f"| {name} | {rows} | {verdict} | {seconds:.3f} | {bounds} |", flush=True)


if __name__ == "__main__":
    main()
