"""Read, check and write problem packages (format 2025-09). Pure: knows no framework, runs no program."""
