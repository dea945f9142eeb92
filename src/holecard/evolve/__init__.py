"""Evolution of genomes: bits and letters, trees, network weights. It knows fitness and never cards."""

from holecard._public import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
