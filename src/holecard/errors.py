"""Everything this package raises on purpose.

HolecardError             a user's mistake, told in one line; the CLI prints it and exits 2
├── RulesError            rules that cannot be or contradict each other
├── CardError             a card, deck or composition that cannot be
├── ChartError            a strategy chart that cannot be read; says line and column
├── IllegalAction         a move the rules do not allow here; lists those they do
├── SettingError          a setting outside its limits
├── AgentError            an agent of somebody's that cannot play; says what it did
├── ProgramError          a program text that cannot be read; says the column
├── FitnessError          a fitness nothing can be selected by
├── ClusterError          a cluster that cannot be reached, is gone, or runs other sources
├── FileProblem           a file that is missing, damaged or of another kind
└── MissingExtra          an optional dependency that is not installed; says how to install it
"""

from __future__ import annotations

from collections.abc import Iterable


class HolecardError(Exception):
    """A user's mistake: one line with the value, the limit and the remedy."""


class RulesError(HolecardError):
    """Rules that cannot be or contradict each other."""


class CardError(HolecardError):
    """A card, deck or composition that cannot be."""


class ChartError(HolecardError):
    """A strategy chart that cannot be read; the message starts with line and column."""


class IllegalAction(HolecardError):  # noqa: N818 (a card room says "illegal action", not "illegal action error")
    """A move the rules do not allow here; the message lists those they do."""


class SettingError(HolecardError):
    """A setting outside its limits."""


class AgentError(HolecardError):
    """An agent from outside that cannot be made, raises, or answers with something that is no legal action."""


class ProgramError(HolecardError):
    """A program text that cannot be read; the message starts with the column."""


class FitnessError(HolecardError):
    """A fitness nothing can be selected by: all of it not a number, or negative where a share is needed."""


class ClusterError(HolecardError):
    """A cluster that cannot be reached, is gone, or runs other sources."""


class FileProblem(HolecardError):  # noqa: N818
    """A file that is missing, damaged or of another kind."""


class MissingExtra(HolecardError):  # noqa: N818
    """An optional dependency that is not installed; the message is the install line."""


def unknown_name(kind: str, name: str, known: Iterable[str], *, also: str = "") -> str:
    """What to say of a name that is none of the known ones: the nearest of them, or all, and what `also` would do.

    >>> unknown_name("agent", "heuristics", ["random", "heuristic"], also="a chart file")
    "unknown agent 'heuristics'; did you mean heuristic?"
    >>> unknown_name("agent", "nobody", ["random", "heuristic"], also="a chart file")
    "unknown agent 'nobody'; choose random, heuristic or a chart file"
    """
    names = list(known)
    near = nearest_name(name, names)
    hint = f"did you mean {near}?" if near else f"choose {', '.join(names)}{f' or {also}' if also else ''}"
    return f"unknown {kind} {name[:_LONGEST_NAME]!r}; {hint}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The name that was meant: the same in another case, one that begins so, or one with a slip of the pen in it.

    >>> names = ["european", "vegas-strip", "mcts"]
    >>> [nearest_name(name, names) for name in ("European", "vegas", "mtcs", "ocean", "e")]
    ['european', 'vegas-strip', 'mcts', None, None]
    """
    from difflib import get_close_matches

    names = {each.lower(): each for each in known}
    typed = name.lower()
    if typed in names:
        return names[typed]
    begun = [each for each in names if len(typed) >= _LEAST_BEGINNING and each.startswith(typed)]
    near = get_close_matches(typed, names, n=1, cutoff=_ALIKE)
    return names[(near or begun)[0]] if near or len(begun) == 1 else None


_LONGEST_NAME = 60
"""Characters of an unknown name that a message repeats."""
_LEAST_BEGINNING = 3
"""Characters of a name that show which one is meant."""
_ALIKE = 0.75
"""Shared letters, as `difflib` counts them, of two names one of which is meant by the other: mtcs and mcts."""
