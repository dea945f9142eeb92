"""Compiled loops that turn the views of many tables into what an environment hands out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard._jit import step_kernel
from holecard.blackjack.game.actions import Action

_OFFER = 1 << Action.DECLINE


def hands_seen(views: NDArray[np.void]) -> NDArray[np.int64]:
    """The eight numbers of `holecard/Blackjack-v0` for each of VIEW (n,), int64 (n, 8)."""
    seen = np.empty((views.size, 8), np.int64)
    _fill_hands(views, seen)
    return seen


def masks_of(views: NDArray[np.void], actions: int) -> NDArray[np.int8]:
    """Which of so many actions are legal in each of VIEW (n,), int8 (n, actions)."""
    masks = np.empty((views.size, actions), np.int8)
    _fill_masks(views, masks)
    return masks


def refused_of(views: NDArray[np.void], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where an action, int64 (n,), may not be taken; anything goes where a round has ended. bool (n,)."""
    refused = np.empty(views.size, np.bool_)
    _fill_refused(views, actions, refused)
    return refused


@step_kernel
def _fill_hands(views: NDArray[np.void], seen: NDArray[np.int64]) -> None:
    for at in range(views.size):
        view, row = views[at], seen[at]
        row[0] = view["total"]
        row[1] = view["soft"]
        row[2] = view["pair"]
        row[3] = view["upcard"]
        row[4] = view["n_cards"]
        row[5] = view["hand"]
        row[6] = view["n_hands"]
        row[7] = view["legal"] & _OFFER != 0


@step_kernel
def _fill_masks(views: NDArray[np.void], masks: NDArray[np.int8]) -> None:
    for at in range(views.size):
        legal = int(views[at]["legal"])
        for action in range(masks.shape[1]):
            masks[at, action] = legal >> action & 1


@step_kernel
def _fill_refused(views: NDArray[np.void], actions: NDArray[np.int64], refused: NDArray[np.bool_]) -> None:
    for at in range(views.size):
        legal = int(views[at]["legal"])
        refused[at] = legal != 0 and not legal >> actions[at] & 1
