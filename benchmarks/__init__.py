"""Our time against a peer's, measured in the same run."""
