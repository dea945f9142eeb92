"""A blackjack session as something to show: what is to be seen at each step, and in which words.

Nothing here draws, and nothing imports pygame: the window (`ui/window/`) is one front end, a page in a browser could be
another.
"""
