"""Studies on a Dask cluster: the same bits whoever computes them, whatever dies; one clear line where it must end."""

import json
import random
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import holecard.cluster
from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.named import named_strategy
from holecard.cluster import Cluster, connected
from holecard.errors import ClusterError, SettingError
from holecard.evolve.checkpoint import load_checkpoint
from holecard.evolve.observer import Observer
from holecard.holdem.arena import earnings
from holecard.holdem.arena.deck_sets import Dealing
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.studies import genetic, programs
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.ui.cli import main
from tests.cluster.processes import SOURCE, Processes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes as POSIX does")
STUDY = GeneticConfig.preset("tuned", Rules.preset("classic"), generations=6, population=60, hands=120_000, seed=5)
FILES = ("history.jsonl", "winner.txt", "consensus.txt")
KILLS = [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 11))]


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    processes = Processes(tmp_path_factory.mktemp("cluster"))
    for _ in range(3):
        processes.add_worker()
    yield processes
    processes.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The study on this machine, undisturbed."""
    return run(tmp_path_factory.mktemp("alone") / "run")


def run(path, **options):
    genetic.run(STUDY, path, command=[], **options)
    return path


def same(path, other):
    return all((path / name).read_bytes() == (other / name).read_bytes() for name in FILES)


@pytest.mark.parametrize("seed", KILLS)
def test_a_worker_killed_at_a_random_moment_changes_nothing(seed, processes, alone, tmp_path):
    while len(processes.workers) < 3:
        processes.add_worker()
    with Cluster(processes.address) as executor:
        wait_for_width(executor, 3)
        records = []
        study = threading.Thread(
            target=run,
            args=(tmp_path / "run",),
            kwargs={"executor": executor, "observer": Observer(record=records.append)},
        )
        study.start()
        chance = random.Random(seed)
        moment = chance.randrange(1, 5)
        while len(records) < moment and study.is_alive():
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.2))
        died_at_work = study.is_alive()
        processes.kill_worker(chance.randrange(3))
        study.join()
    assert died_at_work
    assert same(tmp_path / "run", alone)


def wait_for_width(executor, width):
    deadline = time.monotonic() + 60
    while executor.width != width:
        assert time.monotonic() < deadline, f"{executor.width} threads, not {width}"
        time.sleep(0.1)


@pytest.mark.slow
def test_five_workers_are_as_good_as_two(processes, alone, tmp_path):
    while len(processes.workers) < 5:
        processes.add_worker()
    with Cluster(processes.address) as executor:
        wait_for_width(executor, 5)
        assert same(run(tmp_path / "five", executor=executor), alone)
    while len(processes.workers) > 2:
        processes.kill_worker()
    with Cluster(processes.address) as executor:
        wait_for_width(executor, 2)
        assert same(run(tmp_path / "two", executor=executor), alone)


def test_everything_that_takes_a_cluster_computes_the_same_there(processes, monkeypatch):
    monkeypatch.setattr(earnings, "_JOB_SECONDS", 0.0)
    monkeypatch.setattr(earnings, "_SECONDS_PER_BYTE", 0.0)
    rules, casino = Rules.preset("classic"), Rules()
    basic = named_strategy("basic", casino)
    terms = SessionTerms(rules=Rules(shoe="dealt"), rounds=100, seed=4)
    config = NeuroevolutionConfig()
    weights = np.random.default_rng(1).normal(0, 0.5, (10, config.layout.genes)).astype(np.float32)
    opponents = [RULE_PLAYERS[name] for name in config.opponents]
    with connected(processes.address) as executor:
        assert simulate(basic, casino, 5_000_000, executor=executor).ev == simulate(basic, casino, 5_000_000).ev
        there = evaluate("heuristic", terms, 4000, executor=executor)
        assert np.array_equal(there.sessions, evaluate("heuristic", terms, 4000).sessions)
        study = GeneticConfig.preset("exact", rules, population=2000)
        genomes = np.random.default_rng(2).integers(0, 2, (2000, 260)).astype(np.uint8)
        there, here = (genetic.GeneticFitness(study, None, way)(genomes, 0) for way in (executor, None))
        assert np.array_equal(there, here)
        there = earnings.earnings_of(
            weights, config.layout, opponents, config.rules, Dealing(seed=3), executor=executor
        )
        here = earnings.earnings_of(weights, config.layout, opponents, config.rules, Dealing(seed=3))
        assert np.array_equal(there.buy_ins, here.buy_ins)
        assert np.array_equal(there.tallies, here.tallies)


def test_a_program_study_is_the_same_there(processes, tmp_path):
    study = ProgramConfig(rules=Rules.preset("votes"), fitness="sampled", generations=2, population=600)
    for name, address in (("here", None), ("there", processes.address)):
        with connected(address) as executor:
            programs.run(study, tmp_path / name, command=[], executor=executor)
    for file in ("history.jsonl", "programs.txt", "winner.txt"):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        "evaluate --games 2000 --rounds 100",
        "simulate basic --rounds 5M",
        "score exact --rounds 40 --rules classic",
        "holdem duel call smart --hands 2k",
        "holdem league call smart raise --hands 2k",
        "holdem equity AhKh --monte-carlo 17M",
        "holdem exploitability champion:paper --hands 128",
        "holdem exploit scared-limper --menu fold,call --flops 4",
        "count ramp hi-lo --rounds 1M",
        pytest.param("count indices hi-lo --shoes 100 --rules single-deck", marks=pytest.mark.slow),
        pytest.param("count shoe --shoes 2 --rules single-deck", marks=pytest.mark.slow),
    ],
)
def test_every_command_that_plays_much_says_the_same_there(processes, capsys, line):
    told = []
    for extra in ([], ["--cluster", processes.address]):
        with pytest.raises(SystemExit) as end:
            main([*line.split(), "--json", *extra])
        output = capsys.readouterr()
        assert end.value.code == 0, output.err
        told.append(without_times(json.loads(output.out)))
    assert told[0] == told[1]


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if "second" not in key}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def test_a_scheduler_that_is_gone_costs_nothing_but_time(tmp_path, alone):
    processes = Processes(tmp_path)
    processes.add_worker()
    settings = ("generations", "population", "hands", "seed")
    options = [word for name in settings for word in (f"--{name}", str(getattr(STUDY, name)))]
    command = [sys.executable, "-m", "holecard", "evolve", "ga", "--no-figures"]
    start = [*command, "--preset", "tuned", *options, "--out", str(tmp_path / "run"), "--cluster", processes.address]
    with subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        history = tmp_path / "run" / "history.jsonl"
        deadline = time.monotonic() + 60
        while not (history.exists() and history.read_bytes().count(b"\n") >= 2):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        processes.close()
        _, said = process.communicate(timeout=90)
    assert process.returncode == 2
    assert said.strip().splitlines()[-1].startswith(f"holecard: the scheduler at {processes.address} is gone")
    assert "Traceback" not in said
    assert "--resume" in said
    load_checkpoint(tmp_path / "run")  # none yet, or a good one
    subprocess.run([*command, "--resume", str(tmp_path / "run")], check=True, capture_output=True)
    assert same(tmp_path / "run", alone)


def other_sources(folder):
    """The package with one line more."""
    shutil.copytree(SOURCE / "holecard", folder / "holecard", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "holecard" / "cards.py").open("a") as file:
        file.write("# another version\n")
    return folder


def test_workers_of_other_sources_are_refused_early_and_late(tmp_path):
    source = other_sources(tmp_path / "other")
    processes = Processes(tmp_path)
    try:
        processes.add_worker()
        with Cluster(processes.address) as executor:
            processes.add_worker(source)
            wait_for_width(executor, 2)
            processes.kill_worker(0)
            with pytest.raises(ClusterError, match=r"runs another holecard: sources .*, here .*; install the same"):
                executor.submit(abs, -1).result(timeout=60)
        with pytest.raises(ClusterError, match=r"the worker at tcp://.* runs another holecard: sources"):
            Cluster(processes.address)
    finally:
        processes.close()


def test_no_worker_and_no_scheduler(tmp_path, monkeypatch):
    monkeypatch.setattr(holecard.cluster, "CONNECT_SECONDS", 1.0)
    processes = Processes(tmp_path)
    try:
        with pytest.raises(ClusterError, match=f"has no workers; start one: dask worker {processes.address}"):
            Cluster(processes.address)
        monkeypatch.setattr(holecard.cluster, "CONNECT_SECONDS", 30.0)
        processes.add_worker()
        with Cluster(processes.address, patience=1.5) as executor:
            waiting = executor.submit(time.sleep, 60)
            processes.kill_worker()
            with pytest.raises(ClusterError, match=r"no worker of the cluster .* was seen for 2 s; what is saved"):
                waiting.result(timeout=60)
            processes.add_worker()
            wait_for_width(executor, 1)
            with pytest.raises(ValueError, match="not a worker's business"):
                executor.submit(trouble).result(timeout=60)
        with pytest.raises(ClusterError, match="is closed"):
            executor.submit(abs, -1)
    finally:
        processes.close()
    monkeypatch.setattr(holecard.cluster, "CONNECT_SECONDS", 1.0)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 "):
        Cluster("tcp://127.0.0.1:9")


def trouble():
    raise ValueError("not a worker's business")


@pytest.mark.parametrize("address", ["localhost", "host:8786", "http://host:1", "tcp://"])
def test_an_address_that_is_none_is_told(address):
    with pytest.raises(
        SettingError, match="a cluster is the address of a Dask scheduler, such as tcp://host:8786; got"
    ):
        Cluster(address)
