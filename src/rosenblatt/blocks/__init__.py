"""Rows in blocks, and the verbs over them."""
