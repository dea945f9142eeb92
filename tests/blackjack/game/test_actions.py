import pickle

import pytest

from holecard.blackjack.game.actions import Action


def test_an_action_knows_its_number_letter_word_and_label():
    assert [(int(action), action.letter, action.word, action.label) for action in Action] == [
        (0, "H", "hit", "Hit"),
        (1, "S", "stand", "Stand"),
        (2, "D", "double", "Double"),
        (3, "P", "split", "Split"),
        (4, "R", "surrender", "Surrender"),
        (5, "", "insure", "Insure"),
        (6, "", "decline", "No insurance"),
    ]


def test_an_action_is_found_by_its_number_and_by_its_word():
    for action in Action:
        assert Action(int(action)) is action
        assert Action.parse(action.word) is action
        assert pickle.loads(pickle.dumps(action)) is action
    with pytest.raises(KeyError):
        Action.parse("fold")
    with pytest.raises(ValueError, match="9"):
        Action(9)
