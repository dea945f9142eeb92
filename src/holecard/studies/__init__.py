"""Studies: a frozen configuration in, a run directory out."""
