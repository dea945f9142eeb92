"""Who plays: everything that can say what to do with a hand."""
