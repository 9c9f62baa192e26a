"""A raw message to features: its parts, its letterhead, its words."""
