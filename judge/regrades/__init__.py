"""Judging many submissions again: plan, try, run, compare, apply or drop, take back."""
