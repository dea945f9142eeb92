"""Who can play blackjack: charts, the exact player, tree search, the trained network, classes of your own."""
