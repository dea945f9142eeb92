"""Options that many commands share: the rules of the table, numbers as people write them, output choices."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from holecard.blackjack.game.composition import MAX_DECKS, Composition
from holecard.blackjack.game.rule_words import INFINITE, parse_decks, parse_ratio
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.device import DEVICES, chosen_device
from holecard.errors import HolecardError, SettingError
from holecard.files import PICTURES, FileKind
from holecard.ui.numbers import counts, parse_count
from holecard.ui.signature import Command, replace_parameter, with_settings

Count = Annotated[int, typer.Option(parser=parse_count, metavar="N")]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        parser=counts(0, 2**64 - 1),
        metavar="N",
        help="The root of all chance: the same seed, the same result.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", parser=counts(1, 100_000), metavar="N", help="Threads to use; one per core by default."),
]
Device = Annotated[
    str,
    typer.Option(
        "--device", metavar="auto|cpu|cuda", help="Where to play; auto: a GPU for large work, if there is one."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="tcp://HOST:8786", help="Work on the Dask cluster of this scheduler: docs/scale.md."
    ),
]


def refuse_gpu(device: str, what: str) -> None:
    """Refuse a GPU for work that only processors do; `what` says which, as in "duels are played"."""
    if device not in DEVICES:
        chosen_device(device)  # says what there is
    if device == "cuda":
        raise SettingError(f"{what} on processors only; drop --device cuda")


def refuse_both(cluster: str | None, device: str) -> None:
    """Refuse a GPU and a cluster for the same work."""
    if cluster and device == "cuda":
        raise SettingError("a GPU plays here and a cluster elsewhere; drop --device cuda or --cluster")


TensorBoard = Annotated[
    bool, typer.Option("--tensorboard", help="Also log every figure for TensorBoard, beside the results.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout and nothing else.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there already.")]


def output_option(name: str, kind: FileKind, help: str) -> Any:
    """An option for a file that a command writes; a path that must not be written is refused before any work."""

    def verified(path: Path | None) -> Path | None:
        if path is not None:
            kind.verify(path)
        return path

    return typer.Option(name, metavar="FILE", help=help, callback=verified)


Png = Annotated[Path | None, output_option("--png", PICTURES, "Also draw it into this file: .png, .svg or .pdf.")]


AgentName = Annotated[
    str, typer.Option(metavar="NAME", help="See `holecard agents`; a chart file, a run or module:Class.")
]
_AGENT: Final = "The agent"
Bet = Annotated[float, typer.Option(help="The base bet.", rich_help_panel=_AGENT)]
Bankroll = Annotated[
    float | None, typer.Option(help="Money at the start of a session; unlimited by default.", rich_help_panel=_AGENT)
]
SessionBankroll = Annotated[float, typer.Option(help="Money at the start of the session.", rich_help_panel=_AGENT)]


_HOW_NOT_WHAT: Final = {"resume", "threads", "figures", "json", "as_json", "plain", "device", "cluster", "tensorboard"}
"""Options that say how a run is carried out: a resumed one may be carried out otherwise."""


def refuse_settings(context: typer.Context) -> None:
    """Refuse what a resumed run would ignore: it keeps the settings that it began with."""
    given = [
        _as_given(parameter, context.params.get(parameter.name))
        for parameter in context.command.params
        if parameter.name not in _HOW_NOT_WHAT
        and parameter.name is not None
        and getattr(context.get_parameter_source(parameter.name), "name", "") == "COMMANDLINE"
    ]
    if given:
        raise HolecardError(f"a resumed run keeps the settings it began with; drop {', '.join(given)}")


def _as_given(parameter: Any, value: object) -> str:
    """The option as a user writes it: of a switch, the side that was chosen."""
    names = parameter.secondary_opts if value is False and parameter.secondary_opts else parameter.opts
    return str(max(names, key=len))


def _option(name: str, kind: Any, help: str, metavar: str | None = None, **more: Any) -> tuple[Any, Any]:
    return kind | None, typer.Option(name, help=help, metavar=metavar, rich_help_panel="Rules of the table", **more)


_RULE_OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "preset": _option("--rules", str, f"A well-known game: {', '.join(PRESETS)}.", "PRESET"),
    "decks": _option("--decks", str, "Packs in the shoe.", "1..8|inf"),
    "deck": _option("--deck", str, "The cards of the whole shoe, in place of full packs.", "A=4,…,10=16"),
    "h17": _option("--h17/--s17", bool, "The dealer hits / stands on soft 17."),
    "peek": _option("--peek/--no-peek", bool, "The dealer looks for a natural before play / finds out last."),
    "obo": _option("--obo", bool, "No peek: a dealer's natural takes original bets only."),
    "bj": _option("--bj", str, "What a natural pays; plain: an ordinary 21.", "A:B|plain"),
    "dealer_natural": _option(
        "--dealer-natural/--no-dealer-natural", bool, "The dealer's natural beats other 21s / is an ordinary 21."
    ),
    "dealer_22": _option("--dealer-22", str, "A dealer's 22 is a bust, or pushes every bet that stands.", "bust|push"),
    "ties": _option("--ties", str, "Equal totals push, or the dealer wins them.", "push|lose"),
    "double": _option("--double", str, "Which totals may be doubled.", "any|9-11|10-11|none"),
    "double_cards": _option("--double-cards", str, "Double two cards only, or any number.", "2|any"),
    "das": _option("--das/--no-das", bool, "Double after a split, or not."),
    "dsa": _option("--dsa/--no-dsa", bool, "With --das: double on split aces, or not."),
    "max_hands": _option("--max-hands", int, "The most hands by splitting; 1: no split.", "1..4"),
    "rsa": _option("--rsa/--no-rsa", bool, "Aces may be split again, or not."),
    "hsa": _option("--hsa/--no-hsa", bool, "Split aces may be hit, or get one card."),
    "split": _option("--split", str, "What makes a pair of tens.", "rank|value"),
    "surrender": _option(
        "--surrender",
        str,
        "Give up two cards for half the bet: after the peek, before it, before it against a ten.",
        "none|late|early|early-10",
    ),
    "insurance": _option("--insurance/--no-insurance", bool, "Insurance is offered, or not."),
    "charlie": _option("--charlie", str, "So many cards without a bust win.", "none|5|6|7"),
    "target": _option("--target", int, "The dealer stands on this total and above (17)."),
    "limit": _option("--limit", int, "The highest total that is no bust (21)."),
    "ace_bonus": _option("--ace-bonus", int, "What an ace may count beyond 1 (10)."),
    "shoe": _option("--shoe", str, "A fresh shoe each round, or dealt to the cut card.", "fresh|dealt"),
    "penetration": _option("--penetration", float, "The fraction of a dealt shoe in play (0.75)."),
    "cut": _option(
        "--cut",
        int,
        "Instead: a round begins only while fewer than so many cards are out.",
        "N",
        parser=counts(1, 52 * MAX_DECKS),
    ),
}


def rules_from(
    options: dict[str, Any], *, sessions: bool = False, insured: bool = False, default: str | Rules = "casino"
) -> Rules:
    """The rules of a command line: a preset and what the options change.

    Sessions deal the shoe down by default; who is `insured` is offered insurance by default, where it can be.
    """
    given = {name: value for name, value in options.items() if value is not None}
    named = given.pop("preset", default)
    rules = named if isinstance(named, Rules) else Rules.preset(named)
    if "decks" in given:
        given["decks"] = parse_decks(given["decks"])
    if "deck" in given:
        given["deck"] = Composition.from_text(given["deck"])
    if "bj" in given:
        given["bj"] = parse_ratio(given["bj"])
    if "charlie" in given:
        given["charlie"] = _parse_charlie(given["charlie"])
    if given.get("obo"):
        given.setdefault("peek", False)
    if sessions and "shoe" not in given and given.get("decks", rules.decks) != INFINITE:
        given["shoe"] = "dealt"
    if insured and "insurance" not in given:
        given["insurance"] = given.get("bj", rules.bj) is not None and given.get("dealer_natural", rules.dealer_natural)
    return replace(rules, **given)


def rules_words(rules: Rules) -> str:
    """The RULES options that choose these rules, as they are typed; what `rules_from` reads.

    >>> rules_words(Rules()), rules_words(Rules.preset("european")), rules_words(Rules(decks=2, das=False))
    ('', '--rules european', '--decks 2 --no-das')
    """
    known = next((name for name in PRESETS if Rules.preset(name) == rules), None)
    if known:
        return "" if known == "casino" else f"--rules {known}"
    return " ".join(changed_options(Rules(), rules))


def changed_options(before: Rules, after: Rules) -> list[str]:
    """The options that make the second table of the first, as they are typed.

    >>> changed_options(Rules(), Rules(h17=False, surrender="late"))
    ['--s17', '--surrender late']
    """
    words = []
    for name, (_, option) in _RULE_OPTIONS.items():
        if name == "preset" or getattr(after, name) == getattr(before, name):
            continue
        on, _, off = _flag_of(option).partition("/")
        value = getattr(after, name)
        words.append((on if value else off) if isinstance(value, bool) else f"{on} {_value_word(name, value)}")
    return words


def _flag_of(option: Any) -> str:
    """The name of an option as typed; where an option stands in `Annotated`, Typer takes it for the default first."""
    return str(option.default)


def _value_word(name: str, value: Any) -> str:
    if name == "bj":
        return "plain" if value is None else f"{value.numerator}:{value.denominator}"
    if name == "decks":
        return "inf" if value == INFINITE else str(int(value))
    return "none" if value is None else str(value)


def _parse_charlie(text: str) -> int | None:
    if text.lower() == "none":
        return None
    if text not in ("5", "6", "7"):
        raise HolecardError(f"charlie must be none, 5, 6 or 7; got {text!r}")
    return int(text)


def with_rules(
    sessions: bool = False, insured: bool = False, default: str | Rules = "casino"
) -> Callable[[Command], Command]:
    """Give a command the RULES options in place of its parameter `rules`, which then receives the `Rules`.

    `default` is the preset, or the game, that stands where none is named; see `rules_from` for the others.
    """
    options = [
        inspect.Parameter(
            f"{_PREFIX}{name}", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, option]
        )
        for name, (kind, option) in _RULE_OPTIONS.items()
    ]

    def build(chosen: dict[str, Any]) -> Rules:
        given = {name.removeprefix(_PREFIX): value for name, value in chosen.items()}
        return rules_from(given, sessions=sessions, insured=insured, default=default)

    def decorate(command: Command) -> Command:
        return replace_parameter(command, "rules", options, build)

    return decorate


_PREFIX: Final = "rule_"
"""Before the names of RULES options, so that a command may have parameters of the same names."""


def with_agent_options() -> Callable[[Command], Command]:
    """Give a command the AGENT options in place of its parameter `options`, which then receives the `AgentOptions`."""
    return with_settings(AgentOptions, parameter="options", build=lambda chosen: AgentOptions(**chosen), panel=_AGENT)
