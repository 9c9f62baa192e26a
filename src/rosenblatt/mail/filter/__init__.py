"""A mail filter: learned from spam and ham, corrected message by message, explained by words.

What `mail filter` needs loads within the time of a delivery: `memory`, `rule`, `header`, `pipe`,
`seen` and the reading half of `file`. NumPy and Numba are loaded where something is learned.
`commands` is the door of the commands; `daemon` keeps a filter in memory, and `asking` asks it.
"""
