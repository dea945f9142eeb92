"""Peer libraries as judges, by their fastest door."""

try:
    from phevaluator._pheval import evaluate_5cards, evaluate_6cards, evaluate_7cards
except ImportError:  # a build of phevaluator without its C module
    from phevaluator import evaluate_cards as evaluate_5cards
    from phevaluator import evaluate_cards as evaluate_6cards
    from phevaluator import evaluate_cards as evaluate_7cards

EVALUATE = {5: evaluate_5cards, 6: evaluate_6cards, 7: evaluate_7cards}
"""phevaluator by number of cards: 1 is best, 7462 worst."""
