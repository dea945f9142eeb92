"""Figures with matplotlib, drawn from results and records; nothing here opens a window."""
