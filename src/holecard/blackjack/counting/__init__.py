"""Card counting: counts as data, what each is worth at a table, and shoes played by a counter.

In reading order: `system` (a count), `effects` (what a card's absence does to a game), `correlation` (how well a count
follows it), `best` (the best count there is), `insurance` (exact limits).
"""
