"""What the command line and the studio both call: fit, validate, compare, explain, prove.

Import from the modules: this file loads none of them, so that `rosenblatt --help` need not wait.
"""
