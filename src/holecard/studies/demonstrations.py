"""Demonstrations: what an expert did in every decision of many sessions, as JSONL or as arrays.

A JSONL file starts with a header line (format, rules, expert, seed); then every line is one decision:
`{"game": 0, "state": [192 numbers], "legal": [1,1,1,0], "action": 1}`. A `.npz` file holds the same as arrays. Both are
gathered game after game in a folder beside them (`files.unfinished`) and named when they are whole, so that nobody
meets half a line; a run that was cut short goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.players.features import FEATURES, TOTAL, encode
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import BatchAgent
from holecard.blackjack.players.registry import make_agent
from holecard.errors import FileProblem, SettingError
from holecard.evolve.observer import Observer
from holecard.files import append, cut, put_in_place, refuse_to_replace, unfinished, write_file, write_json, writing
from holecard.settings import value_text
from holecard.studies.imitation_config import DemonstrationConfig

FORMAT: Final = "holecard demonstrations 1"
ACTIONS: Final = 4
_BLOCK: Final = 256
"""Games between two writes."""
_ARRAYS: Final = ("games", "states", "legal", "actions")
_ZEROS: Final = ",0" * (FEATURES - TOTAL - 8)
_HEADER: Final = "header.json"
"""In the folder of a run that is not finished: what it is to record."""
_LONGEST_HEADER: Final = 1 << 16
"""Bytes of a first line, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstrations:
    """Decisions of an expert; all arrays have one row per decision."""

    header: dict[str, Any]
    """What was played and by whom."""
    games: NDArray[np.int64]
    states: NDArray[np.float32]
    """(n, 192), see `blackjack.players.features`."""
    legal: NDArray[np.uint8]
    """(n, 4): 1 where the action is legal."""
    actions: NDArray[np.int64]
    """What the expert did, 0 hit, 1 stand, 2 double, 3 split."""

    @property
    def digest(self) -> str:
        """SHA-256 of states, legal actions and actions: equal data, equal digest, in either format."""
        whole = hashlib.sha256()
        for array in (self.states, self.legal, self.actions):
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()


def header_of(config: DemonstrationConfig) -> dict[str, Any]:
    """The header line of a dataset."""
    options = {name: value_text(value) for name, value in asdict(config.options).items()}
    told = {} if config.options == AgentOptions() else {"options": options}
    return {
        "format": FORMAT,
        "agent": config.agent,
        **told,
        "games": config.games,
        "rounds": config.rounds,
        "seed": config.seed,
        "rules": config.rules.as_dict(),
        "actions": [action.word for action in list(Action)[:ACTIONS]],
        "fields": ["game", "state", "legal", "action"],
    }


def demonstrate(config: DemonstrationConfig, first: int, n: int) -> Demonstrations:
    """The decisions of games first … first + n − 1, ordered by game."""
    rules = config.rules
    _check_game(rules)
    terms = SessionTerms(rules=rules, rounds=config.rounds, seed=config.seed)
    player = make_agent(config.agent, rules, seed=config.seed, options=config.options)
    take = _taken_in_step(player, terms, first, n) if isinstance(player, BatchAgent) else None
    rows = take or _taken_singly(config, terms, first, n)
    games, states, legal, actions = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    order = np.argsort(games, kind="stable")
    mask = (legal[order, None] >> np.arange(ACTIONS) & 1).astype(np.uint8)
    return Demonstrations(header={}, games=games[order], states=states[order], legal=mask, actions=actions[order])


def _check_game(rules: Rules) -> None:
    if rules.surrender != "none" or rules.insurance:
        raise SettingError("demonstrations know hit, stand, double and split; drop surrender and insurance")


Rows = list[tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]]


def _taken_in_step(player: BatchAgent, sessions: SessionTerms, first: int, n: int) -> Rows:
    batch, record = SessionBatch(sessions, first, n), rules_record(sessions.rules)
    rows: Rows = [_no_rows()]
    actions = np.zeros(n, np.int64)
    while (due := np.flatnonzero(batch.playing)).size:
        states, rounds = batch.states[due], batch.results["rounds"][due] + 1
        actions[due] = player.act_batch(states, rounds)
        rows.append((first + due, encode(states, rounds, record), batch.legal()[due], actions[due].copy()))
        batch.step(actions)
    return rows


def _taken_singly(config: DemonstrationConfig, sessions: SessionTerms, first: int, n: int) -> Rows:
    record = rules_record(sessions.rules)
    rows: Rows = [_no_rows()]
    for number in range(first, first + n):
        seed = session_seed(sessions.seed, number)
        player = make_agent(config.agent, sessions.rules, seed=seed, options=config.options)

        def choose(view: View, number: int = number, player: Any = player) -> Action:
            action: Action = player.act(view)
            state = encode(view.concealed()[0], np.array([view.round_number]), record)
            rows.append((np.array([number]), state, np.array([view.legal_bits]), np.array([int(action)])))
            return action

        sessions.game(number).play_session(choose, sessions.rounds)
    return rows


def _no_rows() -> Any:
    return np.zeros(0, np.int64), np.zeros((0, FEATURES), np.float32), np.zeros(0, np.int64), np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstrationOutcome:
    """What was recorded."""

    config: DemonstrationConfig
    """What was asked for."""
    path: Path
    """The file."""
    decisions: int
    """How many decisions it holds."""


def run(
    config: DemonstrationConfig, path: Path, *, overwrite: bool = False, observer: Observer | None = None
) -> DemonstrationOutcome:
    """Write the decisions of an expert to a .jsonl or .npz file. A run cut short goes on.

    A file that is there already stays, unless it is this very dataset or `overwrite` says that it may go.
    """
    if path.suffix not in (".jsonl", ".npz"):
        raise FileProblem(f"a dataset is written as .jsonl or .npz; got {path.name!r}")
    _check_game(config.rules)
    make_agent(config.agent, config.rules, options=config.options)  # who cannot play is refused before anything is made
    header = header_of(config)
    refuse_to_replace(path, "this dataset", is_same=lambda file: _header_in(file) == header, overwrite=overwrite)
    with unfinished(path) as folder:
        if _header_in(folder / _HEADER) != header:
            _empty(folder)
            write_json(folder / _HEADER, header, indent=None)
        write = _write_jsonl if path.suffix == ".jsonl" else _write_npz
        decisions = write(path, folder, header, _blocks(config, observer or Observer()))
    return DemonstrationOutcome(config=config, path=path, decisions=decisions)


def _header_in(path: Path) -> Any:
    """The header of a dataset; None for any other file."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as stored:
                return json.loads(str(stored["header"]))
        with path.open("rb") as file:
            return json.loads(file.readline(_LONGEST_HEADER))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None


def _empty(folder: Path) -> None:
    """Throw away what another run had begun."""
    for path in folder.glob("*.*"):
        path.unlink()


Blocks = Callable[[int], Iterator[Demonstrations]]


def _blocks(config: DemonstrationConfig, observer: Observer) -> Blocks:
    games = config.games

    def blocks(first: int) -> Iterator[Demonstrations]:
        for at in range(first, games, _BLOCK):
            yield demonstrate(config, at, min(_BLOCK, games - at))
            done = min(at + _BLOCK, games)
            observer.progress(done / games, f"{done:,} of {games:,} sessions")

    return blocks


def _write_npz(path: Path, folder: Path, header: dict[str, Any], blocks: Blocks) -> int:
    """Gather the blocks, one file each; pack them."""
    whole = sorted(folder.glob("*.npz"))
    for number, block in enumerate(blocks(len(whole) * _BLOCK), start=len(whole)):
        whole.append(folder / f"{number:09}.npz")
        with writing(whole[-1]) as temporary:
            np.savez(temporary, allow_pickle=False, **{name: getattr(block, name) for name in _ARRAYS})
    parts = [np.load(each, allow_pickle=False) for each in whole]
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in _ARRAYS}
    with writing(path) as temporary:
        np.savez_compressed(temporary, allow_pickle=False, header=np.array(json.dumps(header)), **arrays)
    for part in parts:
        part.close()
    return len(arrays["actions"])


def _write_jsonl(path: Path, folder: Path, header: dict[str, Any], blocks: Blocks) -> int:
    """Add the blocks to a file that grows; give it its name."""
    partial = folder / "decisions.jsonl"
    first, decisions = _resume(partial, header)
    if not first:
        write_file(partial, json.dumps(header) + "\n")
    for block in blocks(first):
        append(partial, "".join(_lines(block)).encode())
        decisions += block.actions.size
    put_in_place(partial, path)
    return decisions


def _resume(partial: Path, header: dict[str, Any]) -> tuple[int, int]:
    """The game to go on with and the decisions before it; what may be incomplete is cut off."""
    try:
        with partial.open("rb") as file:
            if file.readline() != (json.dumps(header) + "\n").encode():
                return 0, 0
            keep, last, kept, lines = file.tell(), 0, 0, 0
            for line in file:
                game = _game_of(line)
                if game is None:
                    break
                if game // _BLOCK != last // _BLOCK or not lines:
                    keep, kept = file.tell() - len(line) if lines else keep, lines
                last, lines = game, lines + 1
        cut(partial, keep)
    except FileNotFoundError:
        return 0, 0
    return last // _BLOCK * _BLOCK, kept


def _game_of(line: bytes) -> int | None:
    """The game that a line of a dataset is of; None if the line is not whole."""
    try:
        return int(json.loads(line)["game"]) if line.endswith(b"\n") else None
    except (ValueError, KeyError, TypeError):
        return None


def _lines(block: Demonstrations) -> Iterator[str]:
    """A line of JSON for each decision."""
    bits = (block.states[:, :TOTAL].astype(np.uint8) + ord("0")).tobytes().decode("ascii")
    context = block.states[:, TOTAL : TOTAL + 8].tolist()
    rows = zip(block.games.tolist(), context, block.legal.tolist(), block.actions.tolist(), strict=True)
    for at, (game, numbers, legal, action) in enumerate(rows):
        cards = ",".join(bits[at * TOTAL : (at + 1) * TOTAL])
        rest = ",".join(f"{number:.9g}" for number in numbers)
        mask = ",".join(map(str, legal))
        yield f'{{"game": {game}, "state": [{cards},{rest}{_ZEROS}], "legal": [{mask}], "action": {action}}}\n'


def read_dataset(path: Path) -> Demonstrations:
    """The decisions of a dataset; a broken line is named by its number."""
    try:
        return _read_npz(path) if path.suffix == ".npz" else _read_jsonl(path)
    except FileNotFoundError:
        raise FileProblem(f"no dataset at {path}; make one with: holecard dataset --output {path}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise FileProblem(f"cannot read {path}: {problem}") from None


def _read_npz(path: Path) -> Demonstrations:
    try:
        with np.load(path, allow_pickle=False) as stored:
            header = json.loads(str(stored["header"]))
            arrays = {name: stored[name] for name in _ARRAYS}
    except (ValueError, KeyError, EOFError, OSError) as problem:
        if isinstance(problem, FileNotFoundError):
            raise
        raise FileProblem(f"{path} is not a dataset: {problem}") from None
    return _checked(path, Demonstrations(header=_checked_header(path, header), **arrays))


def _read_jsonl(path: Path) -> Demonstrations:
    games, states, legal, actions = [], [], [], []
    with path.open(encoding="utf-8") as file:
        header = _checked_header(path, _parsed(path, 1, file.readline()))
        for number, line in enumerate(file, start=2):
            row = _parsed(path, number, line)
            try:
                state, mask, action = np.array(row["state"], np.float32), row["legal"], row["action"]
                if state.shape != (FEATURES,) or len(mask) != ACTIONS or not mask[action] or action < 0:
                    raise ValueError
                games.append(int(row["game"]))
            except (KeyError, TypeError, ValueError, IndexError):
                raise FileProblem(
                    f"{path}, line {number}: a decision has game, state of {FEATURES} numbers, legal and a legal action"
                ) from None
            states.append(state)
            legal.append(mask)
            actions.append(action)
    if not actions:
        raise FileProblem(f"{path} holds no decisions")
    whole = Demonstrations(
        header=header,
        games=np.array(games, np.int64),
        states=np.stack(states),
        legal=np.array(legal, np.uint8),
        actions=np.array(actions, np.int64),
    )
    return _checked(path, whole)


def _parsed(path: Path, number: int, line: str) -> Any:
    try:
        if not line.endswith("\n"):
            raise ValueError("it has no end")
        return json.loads(line)
    except ValueError as problem:
        raise FileProblem(f"{path}, line {number} is broken: {problem}") from None


def _checked_header(path: Path, header: Any) -> dict[str, Any]:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise FileProblem(f"{path} is not a dataset: its first line should say {FORMAT!r}")
    return header


def _checked(path: Path, whole: Demonstrations) -> Demonstrations:
    n = whole.actions.shape[0]
    shapes = (whole.games.shape, whole.states.shape, whole.legal.shape)
    if shapes != ((n,), (n, FEATURES), (n, ACTIONS)) or not np.isfinite(whole.states).all() or n == 0:
        raise FileProblem(f"{path} is not a dataset: its arrays have shapes {shapes}")
    return whole
