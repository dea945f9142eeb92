"""A counting strategy as text: its count, its bets, its departures and its chart in one file that people can write.

    count Hi-Lo                               # a known count, or a name of your own with tags
    tags A=-1, 2=1, 3=1, 4=1, 5=1, 6=1, 7=0, 8=0, 9=0, 10=-1
    start 4, -4 per deck                      # the running count after a shuffle; 0 if it is not said
    used as running                           # true if it is not said: divided by the decks left
    rounding floor                            # of a true count: floor, truncate, round, exact
    estimate card                             # of the decks left: card, half, full
    bets 0:1, 1:2, 2:4, 3:6, 4:8              # units by count; the first also below, the last above
    insurance from 3
    hard 16 v 10: hit, stand from 0
    chart basic                               # a published chart, or a chart's own sections:

    hard    A 2 3 4 5 6 7 8 9 10
    …

`count` comes first. All else may be missing: no departures, no insurance, one unit at every count, basic strategy.
A file with departures alone, as `count indices --save` once wrote it, is read by `count ramp --indices`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.counting.bets import bets_text, parse_bets
from holecard.blackjack.counting.strategy import CountingStrategy, departures_text, parse_departures
from holecard.blackjack.counting.system import SYSTEMS, CountSystem, find_system, parse_tags
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.charts import read_chart, write_chart
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import HolecardError, SettingError
from holecard.files import read_text

_KEYWORD: Final = re.compile(r"(count|tags|start|used as|rounding|estimate|bets|chart)\s+(\S.*)", re.IGNORECASE)
_DEPARTURE: Final = re.compile(r"insurance\b|.*:.*\bfrom\b", re.IGNORECASE)
_START: Final = re.compile(r"([+-]?[\d./]+)(?:\s*,\s*([+-]?[\d./]+)\s+per\s+deck)?")
_CHOICES: Final = {
    "rounding": ("floor", "truncate", "round", "exact"),
    "estimate": ("card", "half", "full"),
    "used as": ("true", "running"),
}


def is_counter(text: str) -> bool:
    """True if a text is that of a counting strategy: what it says first is its count.

    >>> is_counter("# mine\\ncount Hi-Lo\\n"), is_counter("hard A 2 3 4 5 6 7 8 9 10\\n")
    (True, False)
    """
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return next((line for line in lines if line), "").lower().startswith("count ")


def load_counter(path: Path | str, rules: Rules) -> CountingStrategy:
    """The counting strategy of a file."""
    try:
        return read_counter(read_text(Path(path)), rules, name=Path(path).stem)
    except HolecardError as problem:
        if str(path) in str(problem):
            raise
        raise type(problem)(f"{path}: {problem}") from None


def read_counter(text: str, rules: Rules, *, name: str = "") -> CountingStrategy:
    """The counting strategy of a text; what is wrong with it is told with its line.

    >>> counter = read_counter("count KO\\nbets -4:1, -3:2\\ninsurance from 3\\n", Rules(shoe="dealt"))
    >>> counter.system.name, counter.bets, counter.insurance
    ('KO', ((-4, 1.0), (-3, 2.0)), 3)
    """
    given: dict[str, tuple[int, str]] = {}
    departures, chart = [""] * (lines := len(text.splitlines())), [""] * lines
    for number, line in enumerate(text.splitlines()):
        content = line.partition("#")[0].rstrip()
        if match := _KEYWORD.fullmatch(content.strip()):
            word = match[1].lower()
            if word in given:
                raise SettingError(f"line {number + 1}: '{word}' stands twice")
            given[word] = number + 1, match[2].strip()
        elif _DEPARTURE.match(content.strip()):
            departures[number] = content
        else:
            chart[number] = content
    if "count" not in given:
        raise SettingError("a counting strategy says first by which count it plays, such as 'count Hi-Lo'")
    has_chart = any(line.strip() for line in chart)
    if has_chart and "chart" in given:
        raise SettingError(f"line {given['chart'][0]}: a chart is named or written out, not both")
    found, insurance = parse_departures(departures)
    more: dict[str, Any] = {}
    if "bets" in given:
        more["bets"] = tuple(_at(given["bets"], parse_bets).items())
    if "rounding" in given:
        more["rounding"] = _at(given["rounding"], lambda word: _chosen("rounding", word))
    if "estimate" in given:
        more["deck_estimate"] = _at(given["estimate"], lambda word: _chosen("estimate", word))
    fresh = replace(rules, shoe="fresh", insurance=False)
    return CountingStrategy(
        system=_system(given),
        chart=read_chart("\n".join(chart), name=name)
        if has_chart
        else _at(given.get("chart", (0, "basic")), lambda word: named_strategy(word, fresh)),
        departures=found,
        insurance=insurance,
        **more,
    )


def _at(place: tuple[int, str], read: Callable[[str], Any]) -> Any:
    """What a line says, read; a refusal names the line."""
    number, text = place
    try:
        return read(text)
    except HolecardError as problem:
        raise type(problem)(f"line {number}: {problem}") from None


def _chosen(word: str, text: str) -> str:
    choices = _CHOICES[word]
    if text.lower() not in choices:
        raise SettingError(f"{word} is {', '.join(choices[:-1])} or {choices[-1]}; got {text!r}")
    return text.lower()


def _system(given: dict[str, tuple[int, str]]) -> CountSystem:
    """The count: a known one as it is, or one of tags."""
    if "tags" not in given:
        known: CountSystem = _at(given["count"], find_system)
        changed = [word for word in ("start", "used as") if word in given]
        if changed:
            raise SettingError(
                f"line {given[changed[0]][0]}: '{changed[0]}' goes with 'tags'; {known.name} has its own"
            )
        return known
    system: CountSystem = _at(given["tags"], lambda text: parse_tags(text, name=given["count"][1]))
    start, per_deck = _at(given["start"], _starts) if "start" in given else (Fraction(0), Fraction(0))
    used_as: Any = _at(given["used as"], lambda word: _chosen("used as", word)) if "used as" in given else "true"
    return replace(system, start=start, start_per_deck=per_deck, used_as=used_as)


def _starts(text: str) -> tuple[Fraction, Fraction]:
    match = _START.fullmatch(text)
    try:
        assert match is not None
        return Fraction(match[1]), Fraction(match[2] or 0)
    except (AssertionError, ValueError, ZeroDivisionError):
        raise SettingError(f"a count starts at a number, '4' or '4, -4 per deck'; got {text!r}") from None


def counter_text(counter: CountingStrategy) -> str:
    """A counting strategy as `read_counter` reads it, nothing lost."""
    system = counter.system
    lines = [f"count {system.name}"]
    if SYSTEMS.get(system.name) != system:
        lines.append("tags " + ", ".join(f"{v}={tag}" for v, tag in zip(VALUES, system.tags, strict=True)))
        if system.start or system.start_per_deck:
            lines.append(f"start {system.start}, {system.start_per_deck} per deck")
        lines.append(f"used as {system.used_as}")
    lines += [f"rounding {counter.rounding}"] if counter.rounding != "floor" else []
    lines += [f"estimate {counter.deck_estimate}"] if counter.deck_estimate != "card" else []
    lines.append(f"bets {bets_text(dict(counter.bets))}")
    head = "".join(f"{line}\n" for line in lines)
    chart = write_chart(replace(counter.chart, name=""))
    return f"{head}{departures_text(counter.departures, counter.insurance)}\n{chart}"
