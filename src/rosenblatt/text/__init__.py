"""Words in, features out."""
