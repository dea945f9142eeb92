"""The game itself: rules of a table, hands, rounds, shoes, and `Game` and `Batch` to play them."""
