"""Rows on many machines: blocks whose parts are held by Dask's workers (docs/cluster.md)."""
