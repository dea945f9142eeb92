"""Studies: what takes a while, is described by a frozen configuration, and leaves plain files."""
