"""Compiled loops on plain arrays: no models, no checks, no Python objects.

Whatever comes in here has passed `checks`. Kernels import numpy and numba only.
"""
