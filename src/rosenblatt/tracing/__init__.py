"""Every step of a learner, recorded."""
