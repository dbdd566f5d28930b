"""A course as it is in use: people, a term of assignments, and programs right and wrong, judged like all others."""
