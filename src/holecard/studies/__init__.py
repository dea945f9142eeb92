"""Studies: a frozen configuration goes in, a run directory comes out."""
