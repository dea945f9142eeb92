"""Runs killed at random moments go on to the same history and the same winner."""

import random
import signal
import subprocess
import sys
import time

import pytest

from holecard.blackjack.game.rules import Rules
from holecard.evolve.run_directory import RunDirectory
from holecard.studies import genetic, programs
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.programs_config import ProgramConfig

RUN = """
import sys
from pathlib import Path
from holecard.evolve.observer import Observer
from holecard.studies import {module} as study
observer = Observer(record=lambda record: print(flush=True))
study.run(None, Path(sys.argv[1]), resume=True, threads=1, observer=observer)
"""
STUDIES = {
    "genetic": GeneticConfig.preset("tuned", Rules.preset("classic"), generations=400, population=60),
    "programs": ProgramConfig(rules=Rules.preset("votes"), generations=60, population=60),
}
FILES = {"genetic": ("winner.txt", "consensus.txt"), "programs": ("winner.txt", "consensus.txt", "programs.txt")}
CASES = [("genetic", 1), ("programs", 2)] + [
    pytest.param(kind, seed, marks=pytest.mark.slow) for seed in range(3, 7) for kind in STUDIES
]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    finished = {}

    def run(kind):
        if kind not in finished:
            finished[kind] = begin(kind, tmp_path_factory.mktemp(kind) / "whole")
            module = genetic if kind == "genetic" else programs
            module.run(None, finished[kind], resume=True, threads=2)
        return finished[kind]

    return run


def begin(kind, path):
    RunDirectory.create(path, STUDIES[kind].options(), command=[])
    return path


def start(kind, path):
    script = RUN.format(module=kind)
    return subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_killed_and_resumed_is_the_same_run(kind, seed, undisturbed, tmp_path):
    whole, killed = undisturbed(kind), begin(kind, tmp_path / "killed")
    moment = random.Random(seed)
    with start(kind, killed) as process:
        process.stdout.readline()  # it is at work, not still importing
        time.sleep(moment.uniform(0.1, 1.6))
        process.send_signal(signal.SIGKILL)
    with start(kind, killed) as process:
        process.communicate()
    assert process.returncode == 0
    for name in ("history.jsonl", *FILES[kind]):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
