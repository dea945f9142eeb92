"""The exact solver."""
