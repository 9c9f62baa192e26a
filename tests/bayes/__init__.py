"""Tests of the Bayes classifiers."""
