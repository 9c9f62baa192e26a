"""Linear regression: least squares, as a learner and as a start for the perceptron."""
