"""Evolution: runs begun, paused, resumed and watched as they learn; finished runs side by side."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.players.finding import find_strategy
from holecard.blackjack.strategy.cell import UPCARDS, Cell
from holecard.errors import FileProblem, HolecardError
from holecard.files import read_text
from holecard.studies.consensus import Consensus
from holecard.studies.counter_config import CounterConfig
from holecard.studies.genetic_config import GeneticConfig
from holecard.ui.studio.charts import chart_json, letters_of
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.runs import Run, Runs, begin_process
from holecard.ui.studio.steering import steering
from holecard.ui.studio.studies import STUDIES, Study
from holecard.ui.studio.tables import LONGEST

_PAUSE: Final = 0.5
"""Seconds between two looks at a run that is watched."""
_MOST_POINTS: Final = 2000
"""Generations of a curve that are sent; of longer runs every so many."""
_MOST_COMPARED: Final = 8


def choices(call: Call) -> dict[str, Any]:
    """What can be begun."""
    return {"studies": [study.json() for study in STUDIES.values()]}


def command(call: Call) -> dict[str, Any]:
    """The command line of what a form says, or what is wrong with it."""
    _, words = _asked(call)
    return {"command": f"holecard {shlex.join(words)}"}


def start(call: Call) -> dict[str, Any]:
    """Begin a run: an ordinary process in an ordinary run folder."""
    study, words = _asked(call)
    name = f"{study.name.split()[-1] if study.name != 'holdem evolve' else 'holdem'}-studio"
    folder = _runs(call).start_in_new_folder(words, name)
    return {"run": folder.name}


def _asked(call: Call) -> tuple[Study, list[str]]:
    study = STUDIES[call.body.choice("study", STUDIES)]
    preset = call.body.choice("preset", study.presets) if study.presets else ""
    rules = Rules.from_text(call.body.text("rules", study.rules, longest=LONGEST)) if study.rules else None
    return study, study.words(preset, rules, study.read(call.body.values.get("settings", {})))


def runs(call: Call) -> dict[str, Any]:
    """Every run, the newest first."""
    known = _runs(call)
    found = [{"run": name, "state": "starting", "title": "", "generation": 0} for name in known.beginning()]
    return {"runs": [*found, *(_run_json(known, run) for run in known.all())], "folder": str(call.studio.runs)}


def watch(call: Call) -> Iterator[Any]:
    """A run as it goes on: what is there, then every new generation, until it is finished or nobody watches."""
    known, folder = _runs(call), call.studio.run_folder(call.body.text("run", longest=300))
    while known.is_beginning(folder):
        yield {"state": "starting", "generations": 0, "problem": "", "curves": {"generation": [], "series": []}}
        call.job.check()
        time.sleep(_PAUSE)
    run = known.named(folder)
    sent, told, once = 0, "", call.body.flag("once", False)
    while True:
        state, records = known.state(run), run.records(sent)
        if records or state != told:
            kept = _thinned(records)
            sent, told = sent + len(records), state
            yield {
                "state": state,
                "generations": run.generations,
                "problem": known.problem(run.folder),
                "curves": _curves(run.study, kept),
                "latest": _latest(run, records[-1]) if records else None,
            }
        else:
            yield None
        if state != "running" or once:
            return
        call.job.check()
        time.sleep(_PAUSE)


def winner(call: Call) -> dict[str, Any]:
    """What a finished run came to: its chart or its programs, or its champion's card."""
    _, run = _run(call)
    if not run.is_done:
        raise FileProblem(f"{run.name} has no winner yet")
    if run.study.name == "holdem evolve":
        return {"champion": _card(run)}
    rules = Rules.from_text(str(run.directory.options["rules"]))
    chart = find_strategy(str(run.folder), rules)
    found: dict[str, Any] = {"chart": chart_json(chart), "letters": letters_of(chart), "rules": str(rules)}
    counter = run.folder / "winner-counter.txt"
    if counter.is_file():
        found["counter"] = read_text(counter)
    programs = run.folder / "programs.txt"
    if programs.is_file():
        found["programs"] = _programs(read_text(programs))
    return found


def compare(call: Call) -> dict[str, Any]:
    """The curves of several runs."""
    names = call.body.texts("runs", most=_MOST_COMPARED)
    known = _runs(call)
    found = [known.named(call.studio.run_folder(name)) for name in names]
    return {"runs": [{**_run_json(known, run), "curves": _curves(run.study, _thinned(run.records()))} for run in found]}


def _runs(call: Call) -> Runs:
    found: Runs = call.studio.shared.setdefault("runs", Runs(call.studio.runs, call.studio.begin or begin_process))
    return found


def _run(call: Call) -> tuple[Runs, Run]:
    known = _runs(call)
    return known, known.named(call.studio.run_folder(call.body.text("run", longest=300)))


def _run_json(known: Runs, run: Run) -> dict[str, Any]:
    options = run.directory.options
    try:
        records = run.records()
    except HolecardError as problem:
        return {"run": run.name, "study": run.study.name, "title": run.study.title, "problem": str(problem)}
    last = records[-1] if records else {}
    return {
        "run": run.name,
        "study": run.study.name,
        "title": run.study.title,
        "state": known.state(run),
        "generation": len(records),
        "generations": run.generations,
        "seed": options.get("seed"),
        "best": last.get("exact", last.get("best")),
        "problem": known.problem(run.folder),
    }


def _thinned(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most so many of the records, the last among them."""
    step = -(-len(records) // _MOST_POINTS) or 1
    return records[::-1][::step][::-1]


def _curves(study: Study, records: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "generation": [record["generation"] + 1 for record in records],
        "series": [
            {"name": name, "label": label, "values": [record.get(name) for record in records]}
            for name, label in study.curves
        ],
    }


def _latest(run: Run, record: Mapping[str, Any]) -> dict[str, Any]:
    """What a generation looks like beyond its curves."""
    found: dict[str, Any] = {"generation": record["generation"] + 1}
    if "consensus" in record:
        kind = CounterConfig if "tags" in record else GeneticConfig
        found |= _consensus(kind.from_options(run.directory.options), record["consensus"])
    if "tags" in record:
        found["tags"] = _tags(record)
    if "opponents" in record:
        found |= _table(record)
    return found


def _consensus(config: GeneticConfig | CounterConfig, record: Mapping[str, Any]) -> dict[str, Any]:
    """What most of a population plays, as a chart, and the cells on which fewer than three in four agree."""
    consensus, encoding = Consensus.from_dict(record), config.encoding
    chart = encoding.strategy(consensus.letters)
    shares = consensus.shares.reshape(-1, UPCARDS)
    unsure = {
        str(Cell(kind=kind, row=row, upcard=upcard, ace_bonus=config.game.ace_bonus)): round(
            float(shares[at, upcard]), 2
        )
        for at, (kind, row) in enumerate(encoding.rows)
        for upcard in range(UPCARDS)
        if shares[at, upcard] < _AGREED
    }
    return {"chart": chart_json(chart), "letters": letters_of(chart), "unsure": unsure}


_AGREED: Final = 0.75


def _tags(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the best counter of a generation counts for each card, beside Hi-Lo and what all of them count."""
    hi_lo = SYSTEMS["Hi-Lo"].tags
    return [
        {"card": card, "best": best, "mean": mean, "hi_lo": float(known)}
        for card, best, mean, known in zip(VALUES, record["tags"], record["mean_tags"], hi_lo, strict=True)
    ]


def _table(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the best of a generation earned from each opponent, in buy-ins, and as a share of the most there is."""
    shown = ("earnings", "of_best", "won", "lost")
    rows = [{"opponent": name, **{key: each.get(key) for key in shown}} for name, each in record["opponents"].items()]
    return {"opponents": rows, "style": record["style"]}


def _card(run: Run) -> dict[str, Any]:
    """How a champion was bred and what it takes from each opponent on fresh cards."""
    from holecard.holdem.players.champion import Champion

    path = run.folder / run.study.done
    card = Champion.load(path).card
    try:
        rows = [
            {
                "opponent": name,
                "hands": score["hands"],
                **{part: score["mbb_per_hand"][part] for part in ("value", "low", "high")},
                "of_best": score.get("of_best", {}).get("value"),
            }
            for name, score in card["scores"].items()
        ]
        return {"command": str(card["command"]), "scores": rows}
    except (KeyError, TypeError, AttributeError):
        raise FileProblem(f"{path} does not say what its champion wins") from None


def _programs(text: str) -> list[dict[str, Any]]:
    """The ten programs, each with its upcard, as text and as a tree of names."""
    lines = [line.partition(":") for line in text.splitlines() if ":" in line and not line.startswith("#")]
    return [
        {"upcard": upcard.strip(), "text": program.strip(), "tree": _nested(program)} for upcard, _, program in lines
    ]


def _nested(text: str) -> dict[str, Any]:
    """A program as names with their parts.

    >>> [part["name"] for part in _nested("Or(HasAce, HitIf(Has4))")["parts"]]
    ['HasAce', 'HitIf']
    """
    root: dict[str, Any] = {"name": "", "parts": []}
    above = [root]
    for word in re.findall(r"\w+|[()]", text):
        if word == "(":
            above.append(above[-1]["parts"][-1])
        elif word == ")":
            above.pop()
        else:
            above[-1]["parts"].append({"name": word, "parts": []})
    found: dict[str, Any] = root["parts"][0]
    return found


_RUN: Final = {"run": "example"}
_ASKED: Final = {"study": "evolve ga", "preset": "tuned", "rules": "classic", "settings": {"generations": 5}}
PAGE: Final = Page(
    name="evolution",
    title="Evolution",
    about="Strategies that learn: begin a run, watch it, set runs side by side.",
    endpoints=(
        Endpoint(name="choices", answer=choices, kept=True),
        Endpoint(name="command", answer=command, example=_ASKED),
        Endpoint(name="start", answer=start, example=_ASKED),
        Endpoint(name="runs", answer=runs),
        *steering(_run, example=_RUN),
        Endpoint(name="watch", answer=watch, stream=True, example={**_RUN, "once": True}),
        Endpoint(name="winner", answer=winner, example={"run": "finished"}),
        Endpoint(name="compare", answer=compare, example={"runs": ["example", "finished"]}),
    ),
)
