"""The Gymnasium environments by their ids."""

from __future__ import annotations

from holecard.errors import MissingExtra

try:
    import gymnasium
except ImportError:
    raise MissingExtra("the environments need Gymnasium: pip install 'holecard[envs]'") from None

_HOME = "holecard.envs"


def register() -> None:
    """Register the Gymnasium environments, those that are not yet."""
    entries: dict[str, tuple[str, str, dict[str, bool]]] = {
        "holecard/Blackjack-v0": ("blackjack:BlackjackEnv", "blackjack:BlackjackVectorEnv", {}),
        "holecard/ClassicBlackjack-v0": (
            "classic:ClassicBlackjackEnv",
            "classic:ClassicBlackjackVectorEnv",
            {"natural": False, "sab": True},  # as Gymnasium registers its own
        ),
    }
    for name, (single, vector, defaults) in entries.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point=f"{_HOME}.{single}",
                vector_entry_point=f"{_HOME}.{vector}",
                kwargs=defaults,
            )
