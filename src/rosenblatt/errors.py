"""Every error raised on purpose.

    RosenblattError
      ParameterError   (ValueError)   a parameter of an estimator or a command
      DataError        (ValueError)   X, y or sample weights
      ProofError       (ValueError)   a proof that cannot be completed, or does not hold
      ModelFileError   (ValueError)   a model file that cannot be written, read or trusted

A message says what was expected, what came, and what to do.
"""

__all__ = ["DataError", "ModelFileError", "ParameterError", "ProofError", "RosenblattError"]


class RosenblattError(Exception):
    """The root of every error that this library raises on purpose.

    Examples
    --------
    >>> import rosenblatt
    >>> try:
    ...     rosenblatt.Perceptron(rule="next").fit([[0], [1]], [0, 1])
    ... except rosenblatt.RosenblattError as error:
    ...     print(error)
    rule must be one of 'first', 'cyclic', 'random', 'shuffled', 'worst', got 'next'
    """


class ParameterError(RosenblattError, ValueError):
    """A parameter has a value that cannot be used."""


class DataError(RosenblattError, ValueError):
    """The data cannot be learned from, or does not fit the model."""


class ProofError(RosenblattError, ValueError):
    """A proof cannot be completed, or does not hold."""


class ModelFileError(RosenblattError, ValueError):
    """A model cannot be saved, or a model file is damaged, too new or not one at all."""
