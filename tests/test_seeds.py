"""Random numbers by counting."""

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.seeds import GOLDEN, MAX_SEED, below, checked_seed, drawn_seed, key_of, mix, stream


def test_the_hash_is_splitmix64():
    """The first numbers of SplitMix64 with seed 0, as its authors' program prints them."""
    published = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)
    with np.errstate(over="ignore"):
        assert [int(mix(np.uint64(counter) * GOLDEN)) for counter in (1, 2, 3)] == list(published)


def test_numbers_below_a_limit_are_uniform():
    with np.errstate(over="ignore"):
        key = key_of(np.uint64(5), np.uint64(6))
        drawn = [int(below(key, np.uint64(counter), np.uint64(52))) for counter in range(52_000)]
    counts = np.bincount(drawn, minlength=52)
    assert counts.size == 52
    assert ((counts - 1000) ** 2 / 1000).sum() < 98  # chi-square of 51 degrees, one in ten thousand


def test_a_drawn_seed_is_a_seed_and_stays_what_it_was():
    assert drawn_seed(stream(1, 2, 3)) == 825649924966195308
    assert all(0 <= drawn_seed(stream(seed)) < 1 << 63 for seed in range(100))


def test_seeds_have_limits():
    assert checked_seed(MAX_SEED) == MAX_SEED == 2**64 - 1
    for seed in (-1, MAX_SEED + 1):
        with pytest.raises(SettingError, match=f"seed must be 0 to 2\\*\\*64 − 1; got {seed}"):
            checked_seed(seed)
