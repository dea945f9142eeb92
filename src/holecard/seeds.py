"""Random numbers by counting: a hash of (seed, round, hand, card), so there is no state to carry or to share.

The same round of the same seed is the same on any number of threads, in any order, on a CPU or a GPU.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from holecard._jit import rule
from holecard.errors import SettingError

MAX_SEED: Final = (1 << 64) - 1
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads neighbouring counters (Steele et al., SplitMix)
_MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
"""SplitMix64's shifts. All numbers here are uint64: together with a signed number numba would make them floats."""
_HALF_WORD = np.uint64(32)


@rule
def mix(bits: np.uint64) -> np.uint64:
    """SplitMix64's finaliser: 64 bits in, 64 well-mixed bits out."""
    bits = (bits ^ (bits >> _SHIFT_1)) * _MULTIPLY_1
    bits = (bits ^ (bits >> _SHIFT_2)) * _MULTIPLY_2
    return bits ^ (bits >> _SHIFT_3)


@rule
def key_of(seed: np.uint64, number: np.uint64) -> np.uint64:
    """The key of the `number`-th round (or shoe, or session) of a seed."""
    return mix(mix(seed + GOLDEN) + number * GOLDEN)


@rule
def scaled(bits: np.uint64, n: np.uint64) -> np.uint64:
    """The upper half of 64 random bits as a number, uniform in 0 … n−1 (bias under n / 2**32)."""
    return ((bits >> _HALF_WORD) * n) >> _HALF_WORD


@rule
def below(key: np.uint64, counter: np.uint64, n: np.uint64) -> np.uint64:
    """The `counter`-th number of a key, uniform in 0 … n−1."""
    return scaled(mix(key + counter * GOLDEN), n)


def stream(seed: int, *path: int) -> np.random.Generator:
    """numpy's random numbers for one place of a run, such as (generation, purpose): no state goes from place to place.

    >>> stream(1, 2, 3).integers(100) == stream(1, 2, 3).integers(100)
    np.True_
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=path)))


def drawn_seed(random: np.random.Generator) -> int:
    """A seed for somebody else's random numbers, drawn from a stream: 0 to 2**63 − 1."""
    return int(random.integers(1 << 63))


def checked_seed(seed: int) -> int:
    """The seed, if it is one."""
    if not 0 <= seed <= MAX_SEED:
        raise SettingError(f"seed must be 0 to 2**64 − 1; got {seed}")
    return seed
