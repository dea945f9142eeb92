"""Who plays: players for people to name, watch and play against."""
