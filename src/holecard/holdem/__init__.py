"""Heads-up no-limit hold'em: rules, ranks, exact equity, opponents, sessions.

rules       the table: blinds, stacks, presets        betting     the state machine on one record
ranking     hand ranks; strength: the rules of it     equity      exact equity; ranges: `QQ+,AKs`
lookup      exact equity inside kernels               rank_tables, boards, equity_tables, stored: the tables
actions     actions and events                        hand        `HandState`; view: what a seat sees
history     a hand as a value, PHH files              decisions   from a network's output to a move
players     the rule players                          statistics  VPIP, PFR, AF, WSD, WSDW
table       one loop for every kind of player         simulate    sessions on duplicated decks
"""
