"""A setting is a field of a frozen configuration: its default, limits, choices, help and option stand in one place.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class TreeSettings:
        population: int = setting(200, low=2, high=1_000_000, help="Trees in a generation.")

        def __post_init__(self) -> None:
            check_settings(self)

`check_settings` refuses values outside the limits, `option_words` writes the options that make a configuration, and the
command line (`ui/signature.py`) makes its options from the same fields. Where the help says all there is to say, it is
the documentation of the field. Nothing here loads numpy: the command line lists options before it computes anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, get_type_hints

from holecard.errors import SettingError, unknown_name

_KEY: Final = "setting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is known of a field besides its name, type and default."""

    help: str
    """What the option says in `--help`."""
    low: float | None = None
    """The lowest value."""
    high: float | None = None
    """The highest value."""
    above: float | None = None
    """Every value is above this one."""
    below: float | None = None
    """Every value is below this one."""
    choices: tuple[str, ...] = ()
    """The words it may be."""
    flag: str = ""
    """The option, where it is not called as the field is: `--mutation`, `--distinct/--alike`."""
    metavar: str | None = None
    """What stands for the value in `--help`."""
    has_option: bool = True
    """False for a field that the command line cannot set, or sets otherwise."""
    usual: str = ""
    """The default in words, where it depends on others: `pokernet 32, paper 7`. The option then has none."""


def setting(default: Any = MISSING, *, factory: Any = MISSING, **known: Any) -> Any:
    """A field with its `Setting`; `factory` makes the default, and the other keywords are those of `Setting`."""
    return field(default=default, default_factory=factory, metadata={_KEY: Setting(**known)})


def seed_setting() -> Any:
    """The field of a seed, 0 unless somebody says otherwise."""
    return setting(0, low=0, high=2**64 - 1, help="The root of all chance: the same seed, the same result.")


def same_setting(configuration: type, name: str, default: Any, **changes: Any) -> Any:
    """The field of another configuration class with another default, and with changes of what is known of it."""
    known = next(each.metadata[_KEY] for each in fields(configuration) if each.name == name)
    return field(default=default, metadata={_KEY: replace(known, **changes)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One setting of a configuration class, with everything an option is made from."""

    name: str
    """The name of the field."""
    kind: Any
    """Its type."""
    default: Any
    """Its default; `MISSING` if there is none."""
    setting: Setting

    @property
    def flags(self) -> tuple[str, str]:
        """The options that set it as they are typed; for what is true or false the second, if any, sets it to false."""
        on, _, off = self.setting.flag.partition("/")
        on = on or f"--{self.name.replace('_', '-')}"
        if _plain(self.kind) is bool and not self.setting.flag:
            off = f"--no-{on.removeprefix('--')}"
        return on, off


def settings_of(configuration: type) -> list[Named]:
    """The settings of a configuration class in the order of its fields, except that those in its `FIRST` come first."""
    hints = get_type_hints(configuration)
    return [
        Named(name=each.name, kind=hints[each.name], default=each.default, setting=each.metadata[_KEY])
        for each in _ordered(configuration)
        if _KEY in each.metadata
    ]


def check_settings(configuration: Any) -> None:
    """Refuse a configuration with a value outside its limits; None is allowed where the field says so."""
    for each in fields(configuration):
        value = getattr(configuration, each.name)
        if _KEY in each.metadata and value is not None:
            _check(each, value)


def option_words(configuration: Any, usual: Any) -> Iterator[str]:
    """The options that make a configuration out of the usual one: `--population 20`, one word or two for each.

    A configuration inside it, such as an engine's, has its words in its place.
    """
    known = {named.name: named for named in settings_of(type(configuration))}
    for each in _ordered(type(configuration)):
        value, usually = getattr(configuration, each.name), getattr(usual, each.name)
        if is_dataclass(value):
            yield from option_words(value, usually)
        elif value != usually and each.name in known and known[each.name].setting.has_option:
            on, off = known[each.name].flags
            yield (on if value else off) if isinstance(value, bool) else f"{on} {value_text(value)}"


def value_text(value: Any) -> str:
    """A value as it is typed: numbers and words as they are, a schedule START:END, names with commas.

    >>> value_text(0.3), value_text((0.25, 0.05)), value_text(("call", "raise"))
    ('0.3', '0.25:0.05', 'call,raise')
    """
    if isinstance(value, tuple):
        return ("," if value and isinstance(value[0], str) else ":").join(map(str, value))
    return str(value)


def parse_schedule(flag: str, text: str) -> tuple[float, float]:
    """A value that goes from START to END on a straight line: `0.25:0.05`, or one number for both.

    >>> parse_schedule("--mutation-rate", "0.25:0.05"), parse_schedule("--mutation-rate", "0.1")
    ((0.25, 0.05), (0.1, 0.1))
    """
    parts = text.split(":")
    try:
        start, end = (float(part) for part in (parts if len(parts) == 2 else parts * 2))
    except ValueError:
        raise SettingError(f"{flag} must be START:END, such as 0.25:0.05; got {text!r}") from None
    return start, end


def parse_names(text: str) -> tuple[str, ...]:
    """Names with commas between them.

    >>> parse_names("call, raise")
    ('call', 'raise')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def from_json(options: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as JSON holds them, with tuples where it has lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def _ordered(configuration: type) -> list[Field[Any]]:
    first = list(getattr(configuration, "FIRST", ()))
    return sorted(fields(configuration), key=lambda each: first.index(each.name) if each.name in first else len(first))


def _check(each: Field[Any], value: Any) -> None:
    known: Setting = each.metadata[_KEY]
    if known.choices and value not in known.choices:
        if len(known.choices) > 2:
            raise SettingError(unknown_name(each.name, value, known.choices))
        raise SettingError(f"{each.name} must be {' or '.join(known.choices)}; got {value!r}")
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, str | bool | Path):
            continue
        finite = isinstance(number, int) or math.isfinite(number)
        if not (finite and _within(known, number)):
            limits = _limits(known) if finite else f"a finite number, {_limits(known)}"
            raise SettingError(f"{each.name} must be {limits}; got {number:,}")


def _within(known: Setting, number: float) -> bool:
    return (
        (known.low is None or number >= known.low)
        and (known.high is None or number <= known.high)
        and (known.above is None or number > known.above)
        and (known.below is None or number < known.below)
    )


def _limits(known: Setting) -> str:
    """The limits as a refusal gives them.

    >>> _limits(Setting(help="", low=1, high=10_000)), _limits(Setting(help="", above=0, below=1))
    ('1 to 10,000', 'above 0 and below 1')
    >>> _limits(Setting(help="", low=0)), _limits(Setting(help=""))
    ('0 or more', 'of any size')
    """
    if known.low is not None and known.high is not None:
        return f"{known.low:,} to {known.high:,}"
    words = [
        f"{known.low:,} or more" if known.low is not None else "",
        f"above {known.above:,}" if known.above is not None else "",
        f"at most {known.high:,}" if known.high is not None else "",
        f"below {known.below:,}" if known.below is not None else "",
    ]
    return " and ".join(word for word in words if word) or "of any size"


def _plain(kind: Any) -> Any:
    """The type that is meant where None is allowed too.

    >>> _plain(int | None), _plain(str)
    (<class 'int'>, <class 'str'>)
    """
    options = [each for each in getattr(kind, "__args__", ()) if each is not type(None)]
    is_union = type(None) in getattr(kind, "__args__", ())
    return options[0] if is_union else kind
