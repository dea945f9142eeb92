"""Blackjack: rules, cards, rounds, strategies, simulation, and the exact solver."""
