"""Files and built-in sets in."""
