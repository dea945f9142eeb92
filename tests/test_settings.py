"""Settings are fields: checked by their limits, written as the options that set them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from holecard.errors import SettingError
from holecard.settings import check_settings, option_words, same_setting, setting, settings_of


@dataclass(frozen=True, kw_only=True)
class Engine:
    rate: tuple[float, float] = setting((0.2, 0.1), low=0, high=1, help="Rate.")


@dataclass(frozen=True, kw_only=True)
class Base:
    size: int = setting(10, low=2, high=1_000, help="Size.")
    share: float = setting(0.5, above=0, below=1, help="Share.")


@dataclass(frozen=True, kw_only=True)
class Study(Base):
    FIRST: ClassVar = ("way", "size")

    way: str = setting("left", choices=("left", "right"), help="Way.")
    engine: Engine = field(default_factory=Engine)
    limit: int | None = setting(None, low=1, help="Limit.")
    tidy: bool = setting(True, help="Tidy.")
    hidden: int = setting(3, has_option=False, help="No option sets it.")
    strength: float = setting(1.0, flag="--force", help="Strength.")
    size: int = same_setting(Base, "size", 20, help="Another size.")

    def __post_init__(self) -> None:
        check_settings(self)


def test_settings_come_in_order_those_in_first_before_all():
    names = [named.name for named in settings_of(Study)]
    assert names == ["way", "size", "share", "limit", "tidy", "hidden", "strength"]
    size = settings_of(Study)[1]
    assert (size.default, size.setting.help, size.setting.high) == (20, "Another size.", 1_000)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": 1}, "size must be 2 to 1,000; got 1"),
        ({"size": 10**400}, "size must be 2 to 1,000; got"),
        ({"share": 1.0}, "share must be above 0 and below 1; got 1.0"),
        ({"share": float("nan")}, "share must be a finite number, above 0 and below 1; got nan"),
        ({"strength": float("inf")}, "strength must be a finite number, of any size; got inf"),
        ({"limit": 0}, "limit must be 1 or more; got 0"),
        ({"way": "up"}, "way must be left or right; got 'up'"),
    ],
)
def test_values_outside_their_limits_are_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        Study(**changes)


def test_the_words_are_the_options_that_differ_with_a_part_in_its_place():
    changed = Study(way="right", engine=Engine(rate=(0.3, 0.1)), size=30, limit=4, tidy=False, hidden=9, strength=2.0)
    words = list(option_words(changed, Study()))
    assert words == ["--way right", "--size 30", "--rate 0.3:0.1", "--limit 4", "--no-tidy", "--force 2.0"]
    assert list(option_words(Study(), Study())) == []
