"""The shelf of problems: the package format, the built-in catalog, and the rows of what was published."""
