"""The lecture in plain Python: lists and loops, nothing of the library."""
