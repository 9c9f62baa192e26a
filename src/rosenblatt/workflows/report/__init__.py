"""One HTML page about a fit, for a person to look at: `page.write_report` makes it."""
