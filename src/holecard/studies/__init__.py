"""Studies: a frozen configuration goes in, a run directory comes out."""

from holecard._public import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
