"""Gaussian naive Bayes with one variance for each column: then it is a linear rule.

With a variance of its own in every class the boundary is a curve of the second degree. Where the
classes share the variance v_j of a column, the squares x_j^2 are the same for all and cancel:

    log p(x, class) = sum_j (m_j / v_j) x_j - sum_j m_j^2 / (2 v_j) + log p(class) + what all share
"""

from __future__ import annotations

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.errors import DataError


def pooled_form(model: GaussianNaiveBayes) -> Array:
    """Return weights (w0, w1, ... wd): a row for two classes (above 0: the second), else one each.

    The variance of a column is the mean of the variances of the classes, by their weight.

    Examples
    --------
    >>> from rosenblatt import GaussianNaiveBayes
    >>> model = GaussianNaiveBayes(var_smoothing=0).fit([[0], [2], [4], [6]], [0, 0, 1, 1])
    >>> pooled_form(model)
    array([[-12.,   4.]])
    """
    share = model.class_count_ / model.class_count_.sum()
    variance = share @ model.var_
    if not (variance > 0).all():
        raise DataError(
            f"column {int((variance > 0).argmin())} is constant in every class: its variance is 0, "
            "and a normal density needs one"
        )
    w = model.mean_ / variance
    b = np.log(model.class_prior_) - 0.5 * (model.mean_ * w).sum(axis=1)
    weights = np.column_stack([b, w])
    return weights[1:] - weights[:1] if len(weights) == 2 else weights
