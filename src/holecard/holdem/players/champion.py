"""Champion files: one genome as safetensors, with its layout and a card that says where it comes from.

The tensor `genome` is float32 of the layout's length; the metadata hold one entry, `champion`, with kind, layout and
card as JSON (one, because the order of several is not fixed and the same champion must be the same bytes). Whatever
else a file holds, it is refused in one line: nothing is guessed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

import numpy as np

from holecard.errors import FileProblem, HolecardError, SettingError, unknown_name
from holecard.files import write_file
from holecard.holdem.players.layout_choices import LAYOUT_CHOICES
from holecard.holdem.players.network import Genome, Layout
from holecard.holdem.players.presets import PRESETS, preset_named

CHAMPION: Final = "champion.safetensors"
"""The name of a run's champion file."""
_KIND: Final = "holecard champion, version 1"
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Champion:
    """An evolved player."""

    layout: Layout
    """Which gene is which weight."""
    genome: Genome
    """Its weights, (genes)."""
    card: dict[str, Any] = field(default_factory=dict)
    """Where it comes from: seed, command, scores."""

    def __post_init__(self) -> None:
        if self.genome.shape != (self.layout.genes,):
            raise FileProblem(
                f"a {self.layout.preset} network has {self.layout.genes:,} weights; got {self.genome.shape}"
            )
        if not np.isfinite(self.genome).all():
            broken = int(np.count_nonzero(~np.isfinite(self.genome)))
            raise FileProblem(f"{broken:,} of the {self.layout.genes:,} weights are not numbers")

    def save(self, path: Path) -> None:
        """Write the champion so that a reader finds a whole file or none."""
        from safetensors.numpy import save

        about = {"kind": _KIND, "layout": asdict(self.layout), "card": self.card}
        write_file(path, save({"genome": np.ascontiguousarray(self.genome)}, {"champion": json.dumps(about)}))

    @classmethod
    def load(cls, path: Path) -> Champion:
        """The champion in a file; anything else is refused."""
        genome, text = _read(path)
        try:
            about = json.loads(text)
            if not isinstance(about, dict) or about.get("kind") != _KIND or not isinstance(about.get("card"), dict):
                raise FileProblem(f"it does not say that it is a {_KIND!r}")
            return cls(layout=_layout_of(about.get("layout")), genome=genome, card=about["card"])
        except (HolecardError, ValueError) as problem:
            raise FileProblem(f"{path} holds no champion: {problem}") from None

    @classmethod
    def shipped(cls, preset: str) -> Champion:
        """The champion that comes with the package.

        >>> Champion.shipped("pokernet").genome.shape
        (14545,)
        """
        folder = files("holecard.holdem.players") / "champions"
        shipped = [name for name in PRESETS if (folder / f"{name}.safetensors").is_file()]
        if preset not in shipped:
            raise SettingError(unknown_name("champion", preset, shipped))
        with as_file(folder / f"{preset}.safetensors") as path:
            return cls.load(path)


def _read(path: Path) -> tuple[Genome, str]:
    """The tensor of a champion file and what it says about itself."""
    from safetensors import SafetensorError, safe_open

    try:
        size = path.stat().st_size
        if size > _MOST_BYTES:
            raise FileProblem(f"{path} holds no champion: {size:,} bytes are more than any has ({_MOST_BYTES:,})")
        with safe_open(path, framework="numpy") as file:
            about = (file.metadata() or {}).get("champion", "null")
            if list(file.keys()) != ["genome"]:
                raise FileProblem(f"{path} holds no champion: its tensors are {list(file.keys())}, not ['genome']")
            genome = file.get_tensor("genome")
    except SafetensorError as error:
        raise FileProblem(f"{path} is not a safetensors file: {error}") from None
    except OSError as error:
        raise FileProblem(f"cannot read {path}: {error.strerror or error}") from None
    if genome.dtype != np.float32:
        raise FileProblem(f"{path} holds no champion: its genome is {genome.dtype}, not float32")
    return genome, about


def _layout_of(found: Any) -> Layout:
    example = next(iter(PRESETS.values())).layout
    if isinstance(found, dict) and isinstance(found.get("preset"), str):  # older files do not name every choice
        usual = preset_named(found["preset"]).layout
        found = {name: getattr(usual, name) for name in LAYOUT_CHOICES} | found
    wanted = {each.name: type(getattr(example, each.name)) for each in fields(Layout)}
    if not isinstance(found, dict) or {name: type(value) for name, value in found.items()} != wanted:
        raise FileProblem(f"its layout is {json.dumps(found)}; expected {', '.join(wanted)}")
    layout = Layout(**found)
    free = ("hidden", "initial_states", *LAYOUT_CHOICES)
    known = replace(preset_named(layout.preset).layout, **{name: getattr(layout, name) for name in free})
    if layout != known:
        raise FileProblem(f"its layout {json.dumps(found)} is not that of a {layout.preset} network")
    return layout
