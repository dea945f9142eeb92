"""The table one can watch and play, drawn with pygame-ce (the `watch` extra). Only `command` loads without it."""
