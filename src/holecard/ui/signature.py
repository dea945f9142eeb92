"""Options made from fields: a parameter of a command becomes as many options as its configuration has settings.

Typer reads a command's options from its signature. The decorators here write that signature: they take one parameter
away, put options in its place, and hand the command one value made from what was typed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING
from functools import partial, wraps
from typing import Annotated, Any, get_args

import typer

from holecard.settings import Named, parse_names, parse_schedule, settings_of, value_text
from holecard.ui.numbers import counts

_SHOWN_LIMIT = 100_000
"""A limit above this one is not worth showing in the help."""
Command = Callable[..., None]
Presets = Mapping[str, Mapping[str, Any]]


def replace_parameter(
    command: Command, name: str, options: Sequence[inspect.Parameter], build: Callable[[dict[str, Any]], Any]
) -> Command:
    """The command with `options` in place of its parameter `name`, which receives what `build` makes of them."""
    signature = inspect.signature(command, eval_str=True)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        parameters += options if parameter.name == name else [parameter]

    @wraps(command)
    def wrapper(**typed: Any) -> None:
        chosen = {option.name: typed.pop(option.name) for option in options}
        command(**typed, **{name: build(chosen)})

    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    wrapper.__signature__ = signature.replace(parameters=keyword)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in keyword}
    del wrapper.__wrapped__
    return wrapper


def given(chosen: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, or have a default."""
    return {name: value for name, value in chosen.items() if value is not None}


def with_settings(
    configuration: type,
    *,
    parameter: str = "settings",
    build: Callable[[dict[str, Any]], Any] = given,
    presets: Presets | None = None,
    skip: Sequence[str] = (),
    panel: str | None = None,
) -> Callable[[Command], Command]:
    """Give a command the options of a configuration class in place of `parameter`, which receives what `build` makes.

    Where there are `presets`, an option that is not given is None, and the help says what each preset has for it.
    """
    options = [
        option_of(named, presets, panel)
        for named in settings_of(configuration)
        if named.setting.has_option and named.name not in skip
    ]

    def decorate(command: Command) -> Command:
        return replace_parameter(command, parameter, options, build)

    return decorate


def option_of(named: Named, presets: Presets | None = None, panel: str | None = None) -> inspect.Parameter:
    """The option of one setting as a parameter of a command."""
    known, kind = named.setting, _type_of(named.kind)
    flags = "/".join(word for word in named.flags if word)
    more: dict[str, Any] = {"help": known.help, "metavar": known.metavar, "rich_help_panel": panel}
    default = None if named.default is MISSING else named.default
    if known.choices:
        more["metavar"] = known.metavar or "|".join(known.choices)
    if kind is int:
        limits = tuple(None if limit is None else int(limit) for limit in (known.low, known.high))
        more |= {"parser": counts(*limits), "metavar": known.metavar or _range_words(*limits)}
    if kind is tuple:
        is_schedule = float in get_args(named.kind)
        more["parser"] = partial(parse_schedule, named.flags[0]) if is_schedule else parse_names
        more["metavar"] = known.metavar or ("START:END" if is_schedule else "A,B,…")
    if presets is not None or known.usual or kind is tuple:
        more["help"] = _with_default(named, presets or {})
        default = None
    shown = object if "parser" in more else kind
    return inspect.Parameter(
        named.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[shown | None, typer.Option(flags, **more)],
    )


def _range_words(low: int | None, high: int | None) -> str:
    """What stands for a whole number in the help: its limits where they are worth showing.

    >>> _range_words(1, 127), _range_words(1, 10**9), _range_words(0, None)
    ('1..127', 'N', 'N')
    """
    return f"{low}..{high}" if low is not None and high is not None and high <= _SHOWN_LIMIT else "N"


def _type_of(kind: Any) -> type:
    """The type an option has: without None, a tuple for tuples, and a word where a `Literal` lists some."""
    kinds = [each for each in get_args(kind) if each is not type(None)] if type(None) in get_args(kind) else [kind]
    origin = getattr(kinds[0], "__origin__", kinds[0])
    return origin if isinstance(origin, type) else str


def _with_default(named: Named, presets: Presets) -> str:
    """The help with the default in it, and what presets have in its place: `Generations at most (100; exact: 200).`"""
    known = named.setting
    if named.default is None and not known.usual:
        return known.help
    others: dict[str, list[str]] = {}
    for preset, changes in presets.items():
        if changes.get(named.name, named.default) != named.default:
            others.setdefault(_shown(named, changes[named.name]), []).append(preset)
    words = [known.usual or _shown(named, named.default)]
    words += [f"{', '.join(names)}: {value}" for value, names in others.items()]
    return f"{known.help.removesuffix('.')} ({'; '.join(words)})."


def _shown(named: Named, value: Any) -> str:
    if isinstance(value, bool):
        return named.flags[not value].removeprefix("--")
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else value_text(value)


def with_engines(genomes: str, parameter: str = "engine_settings") -> Callable[[Command], Command]:
    """Give a command the settings of every engine of such genomes, a panel for each; it receives those that are given.

    Engines may share a setting only by sharing its option: the first engine that has it is the one that shows it.
    """
    from holecard.evolve.registry import engines_of

    options: dict[str, inspect.Parameter] = {}
    for name, entry in engines_of(genomes).items():
        for named in settings_of(entry.settings):
            if named.setting.has_option:
                options.setdefault(named.name, option_of(named, {}, f"The engine {name}"))

    def decorate(command: Command) -> Command:
        return replace_parameter(command, parameter, list(options.values()), given)

    return decorate
