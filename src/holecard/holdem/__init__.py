"""Heads-up no-limit hold'em: the game, exact equity, players, and where they meet.

game      rules, ranks, betting, hands, histories       players   rule players, networks, champions
equities  exact equities, ranges                        arena     sessions on duplicate decks, duels, earnings
"""
