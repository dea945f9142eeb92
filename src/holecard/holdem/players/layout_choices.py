"""The words that the choices of a network's layout may be. Light: the command line lists them without numpy."""

from __future__ import annotations

from typing import Final

LAYOUT_CHOICES: Final = {
    "decision": ("pokernet", "paper", "author", "author-december", "thirds"),
    "inputs": ("eight", "author", "logs", "stacks"),
    "cells": ("tanh", "plain"),
    "ties": ("half", "win"),
}
"""By the name of the field of `Layout`; the decision rules are those of `decision_rules`."""
