"""Compiled loops on plain arrays: no models, no checks, no Python objects.

Whatever comes in here has passed `_validation`. Kernels import numpy and numba only.
"""
