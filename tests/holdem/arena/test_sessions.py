"""The loop that training and duels share: right seat, right cards, the kernel as plain Python plays it."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from holecard.errors import RulesError
from holecard.holdem.arena.deck_sets import DeckSet, deck_chances, deck_equities, hand_key
from holecard.holdem.arena.hand_loop import SESSION, begin_hand, play_hand
from holecard.holdem.arena.sessions import play_pairs
from holecard.holdem.equities.runout import SURE
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.players.decision_rules import DECISION_RULES, move_by
from holecard.holdem.players.lstm import ChipsSeen, features, pack
from holecard.holdem.players.lstm_reference import ReferenceNetwork
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.record import network_record, rule_record, two_players
from holecard.holdem.players.rule_players import RulePlayer, rule_move

RULES = {preset: preset_named(preset).rules for preset in PRESETS}


def genome_of(preset, seed=1):
    layout = preset_named(preset).layout
    return (0.5 * np.random.default_rng(seed).standard_normal(layout.genes)).astype(np.float32)


def network(preset, seed=1):
    return network_record(pack(genome_of(preset, seed)[None], preset_named(preset).layout)[0])


@pytest.mark.parametrize("preset", PRESETS)
def test_equities_known_beforehand_are_those_that_are_computed_on_the_way(preset):
    players = two_players(rule_record(RulePlayer.SMART), rule_record(RulePlayer.CANDID_STATISTICIAN))
    equities = deck_equities(seed=5, number=0, hands=500)
    known, found = (
        play_pairs(players, RULES[preset], deck_set)
        for deck_set in (DeckSet.of(5, 0, equities=equities), DeckSet.of(5, 0))
    )
    assert np.array_equal(known.net, found.net)
    assert known.tallies.tobytes() == found.tallies.tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_several_deck_sets_in_one_go_are_those_one_by_one(preset):
    players = two_players(network(preset), rule_record(RulePlayer.SMART))
    together = play_pairs(players, RULES[preset], DeckSet.of(5, 3), deck_sets=4, adjust=True)
    single = [play_pairs(players, RULES[preset], DeckSet.of(5, 3 + at), adjust=True) for at in range(4)]
    for name in ("net", "adjusted", "played"):
        assert np.array_equal(getattr(together, name), np.concatenate([getattr(each, name) for each in single]))
    assert together.tallies["hands"].tolist() == sum(each.tallies["hands"] for each in single).tolist()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_network_against_itself_scores_exactly_nothing(preset):
    for seed in range(5):
        players = two_players(network(preset, seed), network(preset, seed))
        pair = play_pairs(players, RULES[preset], DeckSet.of(2, seed), adjust=True)
        assert np.array_equal(pair.net[0], -pair.net[1])
        assert np.array_equal(pair.adjusted[0], -pair.adjusted[1])


@pytest.mark.parametrize("preset", PRESETS)
def test_what_one_wins_the_other_loses(preset):
    for seed in range(5):
        here, there = network(preset, seed), rule_record(RulePlayer.LOOSE_AGGRESSIVE)
        forth = play_pairs(two_players(here, there), RULES[preset], DeckSet.of(2, 0), adjust=True)
        back = play_pairs(two_players(there, here), RULES[preset], DeckSet.of(2, 0), adjust=True)
        assert np.array_equal(forth.net, -back.net[::-1])
        assert np.array_equal(forth.adjusted, -back.adjusted[::-1])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("opponent", [RulePlayer.SMART, RulePlayer.HOTHEAD_MANIAC, RulePlayer.CALL])
def test_the_kernel_plays_as_the_reference_network_does_in_plain_python(preset, opponent):
    """The whole training path a second time: the loop without a compiler, the network by its equations."""
    table, layout = replace(preset_named(preset).rules, hands=25), preset_named(preset).layout
    games = [table, replace(table, rebuys=True)] if table.carried else [table]
    for seed, rules in itertools.product(range(4), games):
        pair = play_pairs(
            two_players(network(preset, seed), rule_record(opponent)),
            rules,
            DeckSet.of(
                9,
                seed,
                equities=deck_equities(seed=9, number=seed, hands=25),
                ties_win=deck_equities(seed=9, number=seed, hands=25, ties_win=True),
            ),
        )
        for swapped in (0, 1):
            plain = plain_session(
                ReferenceNetwork(genome_of(preset, seed), layout), opponent, rules, DeckSet.of(9, seed), swapped
            )
            assert plain == pair.net[swapped, : pair.played[swapped]].tolist()


def plain_session(reference, opponent, rules, deck_set, swapped):
    """The network's chips, hand by hand."""
    session = np.zeros(1, SESSION)[0]
    session["wants_equity"], session["player_in"] = 1, (swapped, 1 - swapped)
    session["ties_win"] = reference.layout.ties == "win", False
    x, won, stacks = np.zeros(8, np.float32), [], (rules.stack, rules.stack)

    def decide(view, player, _):
        if player == 1:
            return int(rule_move(view, opponent))
        features(view, x, ChipsSeen.BUY_INS)
        return int(move_by(DECISION_RULES[reference.layout.decision], view, reference.output(x.astype(float))))

    reference.new_session()
    for number in range(rules.hands):
        reference.new_hand()
        with np.errstate(over="ignore"):
            key = hand_key(deck_set.seed, deck_set.number, number)
            begin_hand(session, key, number, *stacks, rules.session_terms)
            play_hand(session, equity_tables()[0], key, rules.stakes, decide, None)
        won.append(int(session["hand"]["net"][swapped]))
        assert session["hand"]["net"].sum() == 0
        if rules.carried:
            stacks = tuple(int(stack) for stack in session["hand"]["stack"])
            if 0 in stacks and not rules.rebuys:
                break
            if 0 in stacks:
                stacks = (rules.stack, rules.stack)
                reference.new_session()
    return won


@pytest.mark.parametrize("opponent", [RulePlayer.CALL, RulePlayer.SMART])
def test_with_rebuys_a_session_goes_on_after_a_bust_with_full_stacks(opponent):
    """Sessions by the preset's rules, one after the other on the hands that are left, are one session with rebuys."""
    rules = replace(RULES["pokernet"], hands=40)
    players = two_players(rule_record(RulePlayer.HOTHEAD_MANIAC), rule_record(opponent))
    pair = play_pairs(players, replace(rules, rebuys=True), DeckSet.of(4, 0))
    assert pair.played.tolist() == [40, 40]
    for won in pair.net:
        stack, busts = rules.stack, 0
        for chips in won:
            stack += chips
            assert 0 <= stack <= 2 * rules.stack
            if stack in (0, 2 * rules.stack):
                stack, busts = rules.stack, busts + 1
        assert busts > 1
    ended = play_pairs(players, rules, DeckSet.of(4, 0))
    for before, whole, played in zip(ended.net, pair.net, ended.played, strict=True):
        assert before[:played].tolist() == whole[:played].tolist()


def test_rebuys_need_carried_stacks():
    with pytest.raises(RulesError, match="rebuys need stacks that carry over"):
        replace(RULES["paper"], rebuys=True)


def test_adjusting_takes_luck_out_and_changes_no_mean():
    players = two_players(rule_record(RulePlayer.SMART), rule_record(RulePlayer.HOTHEAD_MANIAC))
    pairs = [play_pairs(players.copy(), RULES["paper"], DeckSet.of(1, at), adjust=True) for at in range(8)]
    net = np.concatenate([pair.net for pair in pairs]).astype(float)
    adjusted = np.concatenate([pair.adjusted for pair in pairs])
    luck = net - adjusted
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(luck.size)
    assert adjusted.var() < net.var()


def lucky_pair(first, other, rules, seed, number):
    """Two sessions with their luck counted, and the chances it was counted by."""
    chances = deck_chances(seed=seed, number=number, hands=rules.hands)
    players = two_players(rule_record(first), rule_record(other))
    return play_pairs(players, rules, DeckSet.of(seed, number, chances=chances), adjust=True), chances


def expected(pair):
    """Millionths of chips won in each session, the luck of the boards taken out."""
    return pair.net.sum(axis=1) * SURE - pair.board_luck


def test_luck_is_nothing_where_no_board_is_dealt():
    pair, _ = lucky_pair(
        RulePlayer.MIN_RAISER, RulePlayer.CHECK_FOLD, replace(preset_named("paper").rules, hands=50), 3, 0
    )
    assert pair.net.any()
    assert not pair.board_luck.any()


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
    assert pair.board_luck[0] == 2 * rules.big_blind * (chances[:, 3] - chances[:, 0]).sum()
    assert pair.board_luck[1] == -pair.board_luck[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_taking_all_luck_out_changes_no_mean_and_leaves_less_spread_than_all_ins_alone(preset):
    pairs = [lucky_pair(RulePlayer.SMART, RulePlayer.LOOSE_AGGRESSIVE, RULES[preset], 1, at)[0] for at in range(60)]
    net = np.array([pair.net.sum() for pair in pairs], float)
    adjusted = np.array([pair.adjusted.sum() for pair in pairs])
    averaged = np.array([expected(pair).sum() for pair in pairs]) / SURE
    luck = net - averaged
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
    assert averaged.var() < adjusted.var() < net.var()
