"""Proofs: separable or not, and why; the largest margin; the fewest mistakes."""
