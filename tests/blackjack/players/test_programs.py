"""Vote programs against DEAP, which compiles and calls the same trees, and against the words of the original."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
import pytest
from deap import gp

from holecard.blackjack.players.programs import (
    VOCABULARY,
    Situation,
    columns_of,
    letters_of,
    machine,
    read_programs,
    seen,
    shortened,
    situations,
    strategy_of,
    write_programs,
)
from holecard.blackjack.strategy.cell import Kind, reachable_rows
from holecard.blackjack.strategy.letters import LETTERS
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import ProgramError
from holecard.evolve.trees import TreeEngine, Trees, TreeSettings, VoteCount, interpret, parse_tree, sizes_of, text_of
from holecard.seeds import stream


def random_trees(count: int, seed: int = 1) -> Trees:
    return TreeEngine(VOCABULARY, TreeSettings(population=count)).first(stream(seed))


def letters(text: str) -> dict[Situation, str]:
    codes = letters_of(parse_tree(VOCABULARY, text)[None])[0]
    return {situation: LETTERS[code] for situation, code in zip(situations(), codes, strict=True)}


class Votes:
    """DEAP's side: primitives that count, and the original's `GetAction` in its own words."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.primitives = gp.PrimitiveSet("MAIN", 20)
        names = [primitive.name for primitive in VOCABULARY.primitives[: VOCABULARY.leaves]]
        self.primitives.renameArguments(**{f"ARG{number}": name for number, name in enumerate(names)})
        self.names = names
        self.primitives.addPrimitive(operator.or_, 2, name="Or")
        self.primitives.addPrimitive(lambda a, b, c: a | b | c, 3, name="Or3")
        self.primitives.addPrimitive(operator.and_, 2, name="And")
        self.primitives.addPrimitive(lambda a, b, c: a & b & c, 3, name="And3")
        self.primitives.addPrimitive(operator.not_, 1, name="Not")
        for action in ("Hit", "Stand", "Double"):
            self.primitives.addPrimitive(self._voter(action), 1, name=f"{action}If")

    def _voter(self, action: str) -> Callable[[bool], bool]:
        def vote(value: bool) -> bool:
            self.count[action] += value
            return value

        return vote

    def action(self, call: Callable[..., bool], situation: Situation) -> str:
        self.count.clear()
        view = seen(situation)
        call(*(view[name] for name in self.names))
        hit, stand, double = self.count["Hit"], self.count["Stand"], self.count["Double"]
        if hit > stand and hit > double:
            return "H"
        if double > hit and double > stand:
            return "D"
        return "S"


def test_deap_agrees_on_every_situation_of_2000_random_trees() -> None:
    votes = Votes()
    trees = random_trees(2_000)
    ours = letters_of(trees)
    for tree, codes in zip(trees, ours, strict=True):
        call = gp.compile(gp.PrimitiveTree.from_string(text_of(VOCABULARY, tree), votes.primitives), votes.primitives)
        theirs = "".join(votes.action(call, situation) for situation in situations())
        assert theirs == "".join(LETTERS[code] for code in codes)


def test_there_are_72_situations_and_hands_reach_exactly_these() -> None:
    reached = set()
    for cards in range(2, 8):
        for hand in combinations_with_replacement(range(1, 11), cards):
            low, ace = sum(hand), 1 in hand
            total = low + 10 if ace and low <= 11 else low
            if total <= 20:
                reached.add(Situation(total, ace, min(cards, 4)))
    assert set(situations()) == reached
    assert len(situations()) == 72


def test_strictly_the_most_votes_win_and_everything_else_stands() -> None:
    assert set(letters("HasAce").values()) == {"S"}  # no votes
    assert letters("HitIf(HasAce)")[Situation(13, True, 2)] == "H"
    assert letters("HitIf(HasAce)")[Situation(13, False, 2)] == "S"
    assert letters("HitIf(DoubleIf(HasAce))")[Situation(13, True, 2)] == "S"  # a tie
    assert letters("HitIf(DoubleIf(DoubleIf(HasAce)))")[Situation(13, True, 3)] == "D"
    assert letters("HitIf(StandIf(HitIf(HasAce)))")[Situation(13, True, 3)] == "H"


def test_all_parts_vote_even_where_the_answer_is_known() -> None:
    assert letters("Or(Not(HitIf(Has16)),HitIf(Has16))")[Situation(16, False, 2)] == "H"
    assert letters("And(Has4,HitIf(Has16))")[Situation(16, False, 2)] == "H"


def test_has_ace_is_any_ace_and_not_a_soft_hand() -> None:
    strategy = strategy_of([parse_tree(VOCABULARY, "HitIf(HasAce)")] * 10)
    assert LETTERS[strategy.cells[1, Kind.HARD_ACE, 16, 0]] == "H"
    assert LETTERS[strategy.cells[1, Kind.SOFT, 16, 0]] == "H"
    assert LETTERS[strategy.cells[1, Kind.HARD, 16, 0]] == "S"


def test_a_strategy_plays_each_upcard_by_its_own_program() -> None:
    programs = [parse_tree(VOCABULARY, f"HitIf(Has{total})") for total in range(7, 17)]
    strategy = strategy_of(programs, name="diagonal")
    for upcard, total in enumerate(range(7, 17)):
        hits = [row for row in reachable_rows(Kind.HARD) if LETTERS[strategy.cells[0, Kind.HARD, row, upcard]] == "H"]
        assert hits == [total]


def test_the_table_says_what_the_program_says_for_every_hand() -> None:
    tree = random_trees(30)[23]
    columns = columns_of(letters_of(tree[None]))[0]
    for situation, code in zip(situations(), letters_of(tree[None])[0], strict=True):
        kinds = (Kind.HARD_ACE, Kind.SOFT) if situation.has_ace else (Kind.HARD,)
        for kind in kinds:
            assert columns[situation.cards - 2, kind, situation.total] == code
        if situation.cards == 2 and not situation.has_ace and situation.total % 2 == 0:
            assert columns[0, Kind.PAIR, situation.total] == code
        if situation == Situation(12, True, 2):
            assert columns[0, Kind.PAIR, 2] == code


def test_a_program_by_total_is_the_genome_of_the_same_table() -> None:
    text = "HitIf(Not(Or(Or3(Has17,Has18,Has19),Has20)))"
    bits = [int(total < 17) for total in (*range(4, 21), *range(12, 21)) for _ in range(10)]
    table = Strategy.from_genome(bits)
    ours = strategy_of([parse_tree(VOCABULARY, text)] * 10)
    for situation in situations():
        kind = Kind.HARD_ACE if situation.has_ace else Kind.HARD
        cell = (situation.cards - 2, kind, situation.total)
        assert (ours.cells[cell] == table.cells[cell]).all()


def exact_votes(tree: np.ndarray) -> list[Counter[str]]:
    tallies = []
    for situation in situations():
        tally = VoteCount()
        interpret(VOCABULARY, tree, seen(situation), tally)
        tallies.append(+tally.votes)
    return tallies


def test_shortened_programs_cast_the_same_votes_in_every_situation() -> None:
    trees = random_trees(40, seed=5)
    before = after = 0
    for tree in trees:
        short = shortened(tree)
        assert exact_votes(short) == exact_votes(tree)
        before, after = before + int(sizes_of(tree)), after + len(short)
    assert after < 0.7 * before


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("HitIf(Not(Not(Has16)))", "HitIf(Has16)"),
        ("And(HasAce,HitIf(Has16))", "HitIf(Has16)"),
        ("Not(HitIf(Or(Has16,Has16)))", "HitIf(Has16)"),
        ("HitIf(And3(Has16,Has16,Hold2))", "HitIf(And(Has16,Hold2))"),
        ("Or(HitIf(Has12),StandIf(And(Has12,Has13)))", "HitIf(Has12)"),
        ("HitIf(Or(And(Has16,HasAce),And(Has16,Not(HasAce))))", "HitIf(Has16)"),
        ("And(Has4,Or(Has5,Not(Has6)))", "HasAce"),
    ],
)
def test_what_simplification_finds(long: str, short: str) -> None:
    found = text_of(VOCABULARY, shortened(parse_tree(VOCABULARY, long)))
    assert len(parse_tree(VOCABULARY, found)) == len(parse_tree(VOCABULARY, short))
    assert exact_votes(parse_tree(VOCABULARY, found)) == exact_votes(parse_tree(VOCABULARY, long))


def test_programs_are_written_and_read_without_loss() -> None:
    programs = [tree[tree >= 0] for tree in random_trees(10, seed=9)]
    again = read_programs("# ten programs\n\n" + write_programs(programs))
    assert all(np.array_equal(one, two) for one, two in zip(programs, again, strict=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A: HitIf(Has99)", "line 1, after the colon, column 8: unknown name 'Has99'"),
        ("11: Has4", "line 1: a line is an upcard"),
        ("A: Has4\nA: Has4", "line 2: a second program for A"),
        ("A: Has4\n10: Has5", "no program for upcard 2, 3, 4, 5, 6, 7, 8, 9"),
    ],
)
def test_program_files_that_cannot_be_read_are_refused(text: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        read_programs(text)
    with pytest.raises(ProgramError, match="takes 10 programs"):
        strategy_of([parse_tree(VOCABULARY, "Has4")])


def test_the_machine_counts_three_kinds_of_votes() -> None:
    assert (machine().counters, machine().situations) == (("hit", "stand", "double"), 72)
