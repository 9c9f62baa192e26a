"""The averaged perceptron: the plain mean of the weights after every example seen."""


def averaged(steps, weights=None):
    """Return the mean over an online run; `steps` is what `online` returns.

    With sample weights an example counts for as much time as it weighs.
    """
    total = [0.0] * len(steps[0][2])
    time = 0
    for i, _, w in steps:
        s = 1 if weights is None else weights[i]
        total = [total_j + s * w_j for total_j, w_j in zip(total, w, strict=True)]
        time += s
    return [total_j / time for total_j in total]
