"""What `rosenblatt fit` says."""

from typing import TYPE_CHECKING

from rosenblatt._counting import counted

if TYPE_CHECKING:
    from rosenblatt.workflows.fitting import FitReport
    from rosenblatt.workflows.large import LargeReport

MOST_CLASSES = 10  # that are shown one by one


def facts_of(report: "FitReport | LargeReport", output: str | None) -> dict[str, object]:
    """Return what came out, for machines."""
    learner, checked = report.learner, report.validation
    return {
        "source": report.source,
        "examples": report.n_examples,
        "features": learner.n_features_in_,
        "classes": learner.classes_,
        "algorithm": type(learner).__name__,
        "updates": getattr(learner, "n_updates_", None),
        "epochs": getattr(learner, "n_epochs_", None),
        "converged": getattr(learner, "converged_", None),
        "error_in": report.error_in,
        "error_validated": checked and checked.error,
        "error_uncertainty": checked and checked.standard_error,
        "error_interval": checked and checked.interval,
        "validated_by": checked and checked.way,
        "not_validated": None if checked else report.why_not_validated,
        "separable": report.verdict and report.verdict.separable,
        "multiclass": report.verdict and report.verdict.multiclass,
        "verdict": report.verdict and report.verdict.sentence,
        "updates_bound": report.bound and report.bound.most,
        "updates_bound_about": report.bound and report.bound.about,
        "no_updates_bound": (report.bound and report.bound.reason) or None,
        "telling": {str(part.label): part.features for part in report.telling},
        "memory": report.memory,
        "model": output,
    }


def words_of(report: "FitReport | LargeReport", output: str | None) -> str:
    """Return what came out in some ten lines."""
    from rosenblatt.workflows.explaining import said_of_deciding

    checked, verdict = report.validation, report.verdict
    lines = [_data(report), _learner(report), f"in-sample error  E_in   {report.error_in:.4f}"]
    if checked is None:
        lines.append(f"validated error  E_out  not known: {report.why_not_validated}")
    else:
        low, high = checked.interval
        lines.append(
            f"validated error  E_out  {checked.error:.4f} +- {checked.standard_error:.4f}, "
            f"95 %: {low:.4f} to {high:.4f}  ({checked.way})"
        )
    if verdict is not None:
        lines.append(f"verdict          {verdict.sentence}")
    if report.bound is not None:
        lines.append(f"update bound     {report.bound.sentence}")
    lines += [f"{head:<16} {said}" for head, said in report.remarks]
    lines += _telling(report)
    deciding = said_of_deciding(report.recipe, report.telling)
    if deciding:
        lines.append(f"columns          {deciding}")
    if output is not None:
        lines.append(f"saved            {output}")
    return "\n".join(lines)


def _data(report: "FitReport | LargeReport") -> str:
    classes = report.learner.classes_
    shown = ", ".join(map(str, classes[:MOST_CLASSES])) + (", ..." * (len(classes) > MOST_CLASSES))
    return (
        f"{report.source}: {counted(report.n_examples, 'example')}, "
        f"{counted(report.learner.n_features_in_, 'feature')}, "
        f"classes {shown}"
    )


def _learner(report: "FitReport | LargeReport") -> str:
    learner = report.learner
    line = type(learner).__name__
    if hasattr(learner, "n_updates_"):
        updates = counted(learner.n_updates_, "update")
        line += f": {updates} in {counted(learner.n_epochs_, 'epoch')}"
    if report.is_scaled:
        line += ", columns scaled to mean 0 and deviation 1"
    return line + (", going on from the saved model" if report.went_on else "")


def _telling(report: "FitReport | LargeReport") -> list[str]:
    from rosenblatt.workflows.explaining import NOTHING_TELLS

    if not report.telling:
        return []
    if not any(part.features for part in report.telling):
        return [NOTHING_TELLS]
    if len(report.telling) == 1:
        (part,) = report.telling
        head = f"most telling features, towards {part.label} (+) or away (-):"
        return [head, *(f"  {weight:+10.3f}  {name}" for name, weight in part.features)]
    lines = ["most telling features, towards each class (+) or away (-):"]
    for part in report.telling[:MOST_CLASSES]:
        features = ", ".join(f"{name} {weight:+.3g}" for name, weight in part.features[:3])
        lines.append(f"  {part.label}: {features}")
    return lines
