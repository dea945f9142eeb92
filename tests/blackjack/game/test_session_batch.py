"""Sessions side by side."""

import numpy as np
import pytest

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.errors import IllegalAction


def test_an_illegal_action_is_refused_with_the_legal_ones_and_changes_nothing():
    batch = SessionBatch(SessionTerms(rules=Rules(), rounds=5, seed=1), first=0, n=8)
    actions = np.full(8, Action.STAND)
    at = next(at for at in range(8) if not batch.legal()[at] >> Action.SPLIT & 1)
    words = [action.name.lower() for action in Action if batch.legal()[at] >> action & 1]
    before = batch.states.tobytes(), batch.results.tobytes()
    actions[at] = Action.SPLIT
    with pytest.raises(IllegalAction, match=f"table {at} cannot take action 3; legal there: {', '.join(words)}$"):
        batch.step(actions)
    assert before == (batch.states.tobytes(), batch.results.tobytes())


def test_sessions_of_a_batch_are_those_of_their_games():
    terms = SessionTerms(rules=Rules(shoe="dealt", insurance=True), rounds=12, seed=3, bankroll=6)
    batch = SessionBatch(terms, first=4, n=5)
    while batch.playing.any():
        bits = np.maximum(batch.legal(), 1)  # anything goes where a session is over
        batch.step(np.log2(bits & -bits).astype(np.int64))  # the first legal action
    for at in range(5):
        session = terms.game(4 + at).play_session(lambda view: view.legal[0], 12)
        result = batch.results[at]
        assert (result["rounds"], result["wins"], result["pushes"], result["decisions"]) == (
            session.rounds,
            session.wins,
            session.pushes,
            session.decisions,
        )
        assert result["net"] / terms.rules.unit == session.net
