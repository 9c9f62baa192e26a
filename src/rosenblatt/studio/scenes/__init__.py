"""What the studio shows: points in the plane, runs of learners on them, and verdicts."""
