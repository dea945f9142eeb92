"""Chances to win: exact equities from tables, ranges, and what a board still to come brings."""
