"""The grading core: turns a package, a submission and a box into a verdict. Knows no framework."""
