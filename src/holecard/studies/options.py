"""What studies of blackjack share: their configurations as plain JSON and back, where their rounds are played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from holecard.blackjack.game.rules import Rules
from holecard.device import chosen_device
from holecard.errors import FileProblem, SettingError
from holecard.settings import from_json

if TYPE_CHECKING:
    from holecard.device import Device

Config = TypeVar("Config")


def as_options(config: Any, kind: str) -> dict[str, Any]:
    """A study's configuration as plain JSON, under the command it is of; `from_options` reads it back."""
    return {"study": kind, **asdict(config), "rules": str(config.rules)}


def from_options(options: Mapping[str, Any], kind: str, config: type[Config]) -> Config:
    """The configuration of a run directory's options; those of another command are refused."""
    given = from_json(options)
    if given.pop("study", None) != kind:
        raise FileProblem(f"this is not a run of `holecard {kind}`; its study is {options.get('study')!r}")
    try:
        return config(**{**given, "rules": Rules.from_text(given["rules"])})
    except (KeyError, TypeError) as error:
        raise FileProblem(f"the run's config.json does not describe a study of `holecard {kind}`: {error}") from None


def device_for(device: str, fitness: str, rounds: int) -> Device:
    """Where to play so many rounds in all; `auto` is the GPU if there is one and the rounds are worth it."""
    from holecard.blackjack.play.simulate import WORTH_A_GPU

    if device == "cuda" and fitness == "exact":
        raise SettingError("exact fitness plays no rounds, so a GPU has no part in it; drop --device cuda")
    return chosen_device(device, worthwhile=fitness == "sampled" and rounds >= WORTH_A_GPU)
