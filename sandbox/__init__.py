"""Runs one program under a quota and says how it ended. Standard library only."""
