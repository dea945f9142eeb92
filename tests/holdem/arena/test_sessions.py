"""The loop that training and duels share: right seat, right cards, the kernel as plain Python plays it."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.holdem.arena.sessions import deck_chances, deck_equities, play_pair
from holecard.holdem.arena.simulate import play_sessions
from holecard.holdem.arena.table import TABLE, begin_hand, hand_key, play_hand
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import Range, parse_range
from holecard.holdem.equities.runout import SURE, all_half_wins, sampled_half_wins
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import HAND, deal
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.players.decision_rules import paper_move, pokernet_move
from holecard.holdem.players.lstm import features, pack
from holecard.holdem.players.lstm_reference import ReferenceNetwork
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.record import network_record, rule_record
from holecard.holdem.players.rule_players import RulePlayer, rule_move

RULES = {preset: preset_named(preset).rules for preset in PRESETS}
MOVES = {"pokernet": pokernet_move, "paper": paper_move}


def genome_of(preset, seed=1):
    layout = preset_named(preset).layout
    return (0.5 * np.random.default_rng(seed).standard_normal(layout.genes)).astype(np.float32)


def network(preset, seed=1):
    return network_record(pack(genome_of(preset, seed)[None], preset_named(preset).layout)[0])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("known", [True, False])
def test_rule_players_play_as_they_do_elsewhere(preset, known):
    rules = RULES[preset]
    players = np.stack([rule_record(RulePlayer.SMART), rule_record(RulePlayer.CANDID_STATISTICIAN)])
    equities = deck_equities(seed=5, deck=0, hands=500) if known else None
    pair = play_pair(players, rules, seed=5, deck=0, equities=equities)
    other = play_sessions(RulePlayer.SMART, RulePlayer.CANDID_STATISTICIAN, rules, decks=1, seed=5)
    assert np.array_equal(pair.net, other.net)
    assert np.array_equal(pair.played, other.played)
    assert pair.tallies.tobytes() == other.tallies.tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_network_against_itself_scores_exactly_nothing(preset):
    for seed in range(5):
        players = np.stack([network(preset, seed), network(preset, seed)])
        pair = play_pair(players, RULES[preset], seed=2, deck=seed, adjust=True)
        assert np.array_equal(pair.net[0], -pair.net[1])
        assert np.array_equal(pair.adjusted[0], -pair.adjusted[1])


@pytest.mark.parametrize("preset", PRESETS)
def test_what_one_wins_the_other_loses(preset):
    for seed in range(5):
        here, there = network(preset, seed), rule_record(RulePlayer.LOOSE_AGGRESSIVE)
        forth = play_pair(np.stack([here, there]), RULES[preset], seed=2, deck=0, adjust=True)
        back = play_pair(np.stack([there, here]), RULES[preset], seed=2, deck=0, adjust=True)
        assert np.array_equal(forth.net, -back.net[::-1])
        assert np.array_equal(forth.adjusted, -back.adjusted[::-1])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opponent", [RulePlayer.SMART, RulePlayer.HOTHEAD_MANIAC, RulePlayer.CALL])
def test_the_kernel_plays_as_the_reference_network_does_in_plain_python(preset, opponent):
    """The whole training path a second time: the loop without a compiler, the network by its equations."""
    rules, layout = replace(preset_named(preset).rules, hands=25), preset_named(preset).layout
    for seed in range(4):
        pair = play_pair(
            np.stack([network(preset, seed), rule_record(opponent)]),
            rules,
            seed=9,
            deck=seed,
            equities=deck_equities(seed=9, deck=seed, hands=25),
        )
        for swapped in (0, 1):
            plain = plain_session(ReferenceNetwork(genome_of(preset, seed), layout), opponent, rules, 9, seed, swapped)
            assert plain == pair.net[swapped, : pair.played[swapped]].tolist()


def plain_session(reference, opponent, rules, seed, deck, swapped):
    """The network's chips, hand by hand."""
    table = np.zeros(1, TABLE)[0]
    table["buy_in"], table["wants_equity"], table["player_in"] = rules.stack, 1, (swapped, 1 - swapped)
    x, won, stacks = np.zeros(8, np.float32), [], (rules.stack, rules.stack)

    def decide(view, player, _):
        if player == 1:
            return int(rule_move(view, opponent))
        features(view, x)
        return int(MOVES["paper" if rules.big_blind == 100 else "pokernet"](view, reference.output(x.astype(float))))

    reference.new_session()
    for number in range(rules.hands):
        reference.new_hand()
        with np.errstate(over="ignore"):
            key = hand_key(np.uint64(seed), deck, number)
            begin_hand(table, key, number, *stacks, rules.stakes)
            play_hand(table, equity_tables()[0], key, rules.stakes, decide, None)
        won.append(int(table["hand"]["net"][swapped]))
        assert table["hand"]["net"].sum() == 0
        if rules.carried:
            stacks = tuple(int(stack) for stack in table["hand"]["stack"])
            if 0 in stacks:
                break
    return won


def test_deals_are_distinct_and_equities_are_those_of_the_deals():
    equities = deck_equities(seed=7, deck=3, hands=300)
    sampled = deck_equities(seed=7, deck=3, hands=300, samples=2000)
    assert np.abs(equities - sampled).max() < 5.5 * 0.5 / np.sqrt(2000)
    assert abs((equities - sampled).mean()) < 0.002
    hand, dealt = np.zeros(1, HAND)[0], set()
    with np.errstate(over="ignore"):
        for number in range(300):
            deal(hand, hand_key(np.uint64(7), 3, number))
            cards = [int(card) for card in hand["card"]]
            dealt.add(tuple(cards))
            if number < 5:
                for seat in (0, 1):
                    for street, board in enumerate((0, 3, 4, 5)):
                        exact = equity(cards[2 * seat : 2 * seat + 2], cards[4 : 4 + board]).equity
                        assert equities[number, seat, street] == exact
    assert len(dealt) == 300


def test_chances_after_an_all_in_are_exact_from_the_flop_on():
    ranking = ranking_tables()[0]
    cards = np.array(parse_cards("AhKhQdQs2c7h9s3dKc"), np.uint8)
    with np.errstate(over="ignore"):
        for dealt in (3, 4):
            exact = equity(cards[:2].tolist(), cards[4 : 4 + dealt].tolist(), against=parse_range("QdQs"))
            assert all_half_wins(ranking, cards, dealt) == (2 * exact.win + exact.tie, exact.total)
        won = sampled_half_wins(ranking, cards, 0, 0, True, 2000, np.uint64(5))
    exact = equity(cards[:2].tolist(), (), against=parse_range("QdQs")).equity
    assert abs(won / 4000 - exact) < 4.5 * 0.5 / np.sqrt(2000)


def test_adjusting_takes_luck_out_and_changes_no_mean():
    players = np.stack([rule_record(RulePlayer.SMART), rule_record(RulePlayer.HOTHEAD_MANIAC)])
    pairs = [play_pair(players.copy(), RULES["paper"], seed=1, deck=deck, adjust=True) for deck in range(8)]
    net = np.concatenate([pair.net for pair in pairs]).astype(float)
    adjusted = np.concatenate([pair.adjusted for pair in pairs])
    luck = net - adjusted
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(luck.size)
    assert adjusted.var() < net.var()


def lucky_pair(first, other, rules, seed, deck):
    """Two sessions with their luck counted, and the chances it was counted by."""
    chances = deck_chances(seed=seed, deck=deck, hands=rules.hands)
    players = np.stack([rule_record(first), rule_record(other)])
    return play_pair(players, rules, seed=seed, deck=deck, chances=chances, adjust=True), chances


def expected(pair):
    """Millionths of chips won in each session, the luck of the boards taken out."""
    return pair.net.sum(axis=1) * SURE - pair.luck


def test_chances_of_known_hands_are_exact_from_the_flop_on_and_end_with_the_result():
    chances = deck_chances(seed=7, deck=3, hands=200)
    assert set(chances[:, 3].tolist()) <= {0, SURE // 2, SURE}
    hand = np.zeros(1, HAND)[0]
    with np.errstate(over="ignore"):
        for number in range(4):
            deal(hand, hand_key(np.uint64(7), 3, number))
            cards = [int(card) for card in hand["card"]]
            other = Range("the other's", ((cards[2], cards[3]),))
            for street, board in ((1, 3), (2, 4), (3, 5)):
                exact = equity(cards[:2], cards[4 : 4 + board], against=other).equity
                assert abs(chances[number, street] / SURE - exact) < 1e-6
    drift = np.diff(chances, axis=1) / SURE
    assert (np.abs(drift.mean(axis=0)) < 4 * drift.std(axis=0) / np.sqrt(len(drift))).all(), "no street is foreseen"


def test_luck_is_nothing_where_no_board_is_dealt():
    pair, _ = lucky_pair(
        RulePlayer.MIN_RAISER, RulePlayer.CHECK_FOLD, replace(preset_named("paper").rules, hands=50), 3, 0
    )
    assert pair.net.any()
    assert not pair.luck.any()


def test_after_an_all_in_luck_is_what_the_board_changed():
    """Two maniacs are all-in before the flop: what is left is the chance of the hands as they were dealt."""
    rules = replace(preset_named("paper").rules, hands=60)
    pair, chances = lucky_pair(RulePlayer.HOTHEAD_MANIAC, RulePlayer.HOTHEAD_MANIAC, rules, 5, 1)
    assert (np.abs(pair.net) == rules.stack).mean() > 0.9, "nearly every hand is all-in and decided"
    dealt = rules.stack * (2 * chances[:, 0] - SURE).sum()
    assert expected(pair).tolist() == [dealt, -dealt]


def test_luck_counts_a_streets_cards_by_the_pot_they_fell_into():
    """Two callers put in a big blind each before the flop: two blinds are moved from the first chance to the last."""
    rules = replace(preset_named("paper").rules, hands=40)
    pair, chances = lucky_pair(RulePlayer.CALL, RulePlayer.CALL, rules, 2, 4)
    assert pair.luck[0] == 2 * rules.big_blind * (chances[:, 3] - chances[:, 0]).sum()
    assert pair.luck[1] == -pair.luck[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_taking_all_luck_out_changes_no_mean_and_leaves_less_spread_than_all_ins_alone(preset):
    pairs = [lucky_pair(RulePlayer.SMART, RulePlayer.LOOSE_AGGRESSIVE, RULES[preset], 1, deck)[0] for deck in range(60)]
    net = np.array([pair.net.sum() for pair in pairs], float)
    adjusted = np.array([pair.adjusted.sum() for pair in pairs])
    averaged = np.array([expected(pair).sum() for pair in pairs]) / SURE
    luck = net - averaged
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
    assert averaged.var() < adjusted.var() < net.var()
