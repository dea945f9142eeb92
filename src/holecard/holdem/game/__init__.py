"""The game itself: rules, ranks of hands, betting, hands, histories and counts."""
