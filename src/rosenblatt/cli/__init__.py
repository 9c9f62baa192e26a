"""The command line: parse, call `workflows`, show."""
