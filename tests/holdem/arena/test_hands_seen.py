"""What a player wins by hands seen: only hands with that experience count, and shares are of the best."""

import pytest

from holecard.errors import SettingError
from holecard.holdem.arena.hands_seen import learning_curve
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named

PAPER = preset_named("paper").rules


def curve(player, opponent, **changes):
    return learning_curve(player_named(player), player_named(opponent), PAPER, **({"hands": 40} | changes))


def test_only_hands_after_those_seen_count():
    """The style switcher calls for 50 hands, waits for 50, raises for 50: then it takes all that a folder pays."""
    points = curve("style-switcher", "check-fold", after=(0, 90, 100, 140), hands=400).points
    assert [point.hands_seen for point in points] == [0, 90, 100, 140]
    assert points[2].mbb_per_hand.mean == points[3].mbb_per_hand.mean == 750
    assert points[2].of_best.mean == 1
    assert points[2].mbb_per_hand.n == 20, "decks of ten hands from both seats"
    assert points[0].mbb_per_hand.n == 200, "one hand to a deck: the memory is cleared before each"
    assert abs(points[0].mbb_per_hand.mean - 750) > 1


def test_who_remembers_nothing_wins_the_same_in_the_same_hands_on_any_number_of_threads():
    one, three = (curve("call", "calling-machine", after=(10,), hands=2_400, threads=n) for n in (1, 3))
    assert one == three
    assert one.points[0].mbb_per_hand.mean == 0


@pytest.mark.parametrize(("changes", "message"), [({"hands": 3}, "4 or more"), ({"after": (-1,)}, "0 to 20,000")])
def test_what_cannot_be_counted_is_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        curve("call", "call", **changes)


def test_no_share_of_a_style_switchers_mean_is_told_of_one_of_its_styles():
    assert curve("call", "style-switcher", after=(0,), hands=8).points[0].of_best is None
