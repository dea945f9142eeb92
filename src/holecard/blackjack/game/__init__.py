"""The game itself: rules of a table, hands, rounds, shoes, and `Game` and `Batch` to play them.

In reading order:

- `composition`: the cards of a shoe.
- `rules`: what is agreed at a table, as a value, as text and as kernels take it.
- `wording`: rules in words, for headings.
- `actions`: what a player may do.
- `shoe`: whether they are enough for a round, and where the cut card lies.
- `dealing`: how cards are drawn from it by counted random numbers.
- `hand`: what one hand counts, what it may do, who wins: the rules of play, one function each.
- `round`: a round from the deal to the settlement, on one record.
- `stepping`: one compiled call per decision at one table.
- `table_view`: the moment between rounds, when bets are made.
- `game`: `Game` and `View`, a table for people and agents; `records`: its rounds and sessions once they are over.
- `events`: what happened in a round, as values.
- `concealed`: a round without what the player may not know, for agents that think ahead.
- `batch`: many tables side by side, rounds without end.
- `session_terms`: what a session is played for, and its seeds.
- `session_batch`: many sessions side by side.
"""
