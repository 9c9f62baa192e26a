"""Bayes classifiers: the optimal one, the empirical one, and naive Bayes."""
