"""Print the table: `python -m benchmarks [part of a name]`."""

from __future__ import annotations

import os
import sys

# one thread for all, before NumPy is loaded
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

from benchmarks import (
    bayes,
    cluster,
    command,
    files,
    hostile_mail,
    lab,
    mail,
    margin,
    margin_learners,
    models,
    page,
    perceptrons,
    proofs,
    real,
    regression,
    starts,
    streams,
    studio,
    words,
)

PARTS = {
    "fits": perceptrons.fits,
    "passive-aggressive": margin_learners.passive_aggressive,
    "arow": margin_learners.arow,
    "svc": margin_learners.to_the_error_of_svc,
    "predictions": perceptrons.predictions,
    "streams": streams.streams,
    "real": real.public_data,
    "bandwidth": perceptrons.bandwidth,
    "pocket": perceptrons.pocket,
    "first": perceptrons.first,
    "runs": perceptrons.many_runs,
    "bayes": bayes.bernoulli,
    "regression": regression.least_squares,
    "lab": lab.lab_runs,
    "margin": margin.largest_margin,
    "proofs": proofs.proofs,
    "large": proofs.large_proofs,
    "words": words.words,
    "svmlight": files.svmlight,
    "wide": files.wide,
    "models": models.models,
    "cluster": cluster.cluster,
    "help": command.help_text,
    "news": command.newsgroups,
    "mail": mail.bulk,
    "one mail": mail.one,
    "hostile": hostile_mail.growth,
    "studio": studio.studio,
    "page": page.page,
    "process": starts.process,
    "cold": starts.cold,
}


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    print(f"{'work':<44} {'peer':<28} {'ours, s':>9} {'peer, s':>9} {'ratio':>7} {'to reach':>9}")
    for name, part in PARTS.items():
        if wanted in name:
            for row in part():
                print(
                    f"{row.work:<44} {row.peer:<28} {row.ours:>9.4f} {row.theirs:>9.4f} "
                    f"{row.ratio:>6.2f}x {row.target:>9}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
