"""What studies of blackjack share: their settings as plain JSON and back, and where their rounds are played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import WORTH_A_GPU
from holecard.device import Device, chosen_device
from holecard.errors import FileProblem, SettingError

Study = TypeVar("Study")


def as_options(study: Any, kind: str) -> dict[str, Any]:
    """A study's configuration as plain JSON, under the command it is of; `study_of` reads it back."""
    return {"study": kind, **asdict(study), "rules": str(study.rules)}


def study_of(options: Mapping[str, Any], kind: str, study: type[Study]) -> Study:
    """The study of a run directory's options; those of another command are refused."""
    given = dict(options)
    if given.pop("study", None) != kind:
        raise FileProblem(f"this is not a run of `holecard {kind}`; its study is {options.get('study')!r}")
    try:
        return study(**{**given, "rules": Rules.from_text(given["rules"])})
    except (KeyError, TypeError) as error:
        raise FileProblem(f"the run's config.json does not describe a study of `holecard {kind}`: {error}") from None


def device_of(device: str, fitness: str, rounds: int) -> Device:
    """Where to play so many rounds in all; `auto` is the GPU if there is one and the rounds are worth it."""
    if device == "cuda" and fitness == "exact":
        raise SettingError("exact fitness plays no rounds, so a GPU has no part in it; drop --device cuda")
    return chosen_device(device, worthwhile=fitness == "sampled" and rounds >= WORTH_A_GPU)
