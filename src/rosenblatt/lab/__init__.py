"""Experiments with the learning problem: targets, samples, and many runs at once."""
