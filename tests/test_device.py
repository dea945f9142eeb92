"""Where work runs: `auto` falls back in silence, `cuda` without a GPU says in one line what is missing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from holecard import device
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.named import named_strategy
from holecard.device import NoGpu, chosen_device
from holecard.errors import HolecardError, MissingExtra, SettingError
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.neuroevolution import run
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig


@pytest.fixture
def no_gpu(monkeypatch):
    def absent():
        raise NoGpu("no NVIDIA GPU answers here")

    monkeypatch.setattr(device, "gpu", absent)


@pytest.fixture
def a_gpu(monkeypatch):
    monkeypatch.setattr(device, "gpu", lambda: device.Gpu(name="H", multiprocessors=2, compute="9.0"))


def test_auto_is_the_processor_without_a_gpu(no_gpu):
    assert chosen_device("auto") == "cpu"
    with pytest.raises(NoGpu, match="no NVIDIA GPU"):
        chosen_device("cuda")


def test_auto_is_the_gpu_where_it_is_worth_it(a_gpu):
    assert chosen_device("auto") == "cuda"
    assert chosen_device("auto", worthwhile=False) == "cpu"
    assert chosen_device("cuda", worthwhile=False) == "cuda"
    assert chosen_device("cpu") == "cpu"


def test_an_unknown_device_is_named():
    with pytest.raises(HolecardError, match="device must be auto, cpu or cuda; got 'tpu'"):
        chosen_device("tpu")


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setattr(device, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'holecard\[gpu\]'"):
        device.gpu.__wrapped__()


def test_a_gpu_is_shown_by_name(a_gpu):
    assert str(device.gpu()) == "H, 2 multiprocessors, compute 9.0"


def test_simulate_refuses_a_gpu_that_is_not_there(no_gpu):
    rules = Rules.preset("classic")
    with pytest.raises(NoGpu):
        simulate(named_strategy("mimic-dealer", rules), rules, 10, device="cuda")


def test_exact_fitness_has_no_work_for_a_gpu(a_gpu):
    exact = GeneticConfig.preset("exact", Rules.preset("classic"))
    with pytest.raises(SettingError, match="exact fitness plays no rounds"):
        exact.device_for("cuda")
    with pytest.raises(SettingError, match="exact fitness plays no rounds"):
        ProgramConfig(rules=Rules.preset("votes")).device_for("cuda")
    assert exact.device_for("auto") == "cpu"


def sampled_studies():
    """Two studies with enough rounds to be worth a GPU."""
    return (
        GeneticConfig.preset("classic", Rules.preset("classic"), hands=10**6),
        ProgramConfig(rules=Rules.preset("votes"), fitness="sampled", hands=10**4),
    )


def test_a_study_takes_the_gpu_where_its_rounds_are_worth_it(a_gpu):
    small = GeneticConfig.preset("classic", Rules.preset("classic"))
    assert [small.device_for(name) for name in device.DEVICES] == ["cpu", "cpu", "cuda"]
    for study in sampled_studies():
        assert [study.device_for(name) for name in device.DEVICES] == ["cuda", "cpu", "cuda"]


def test_a_study_without_a_gpu_plays_on_the_processor_or_refuses(no_gpu):
    for study in sampled_studies():
        assert study.device_for("auto") == "cpu"
        with pytest.raises(NoGpu, match="no NVIDIA GPU answers here"):
            study.device_for("cuda")


def test_a_study_on_a_gpu_that_is_not_there_leaves_no_folder(no_gpu, tmp_path):
    config = NeuroevolutionConfig.preset("pokernet", population=4, device="cuda")
    assert config.command.endswith("--device cuda")
    with pytest.raises(NoGpu):
        run(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(SettingError, match="device must be cpu or cuda; got 'auto'"):
        NeuroevolutionConfig.preset("pokernet", device="auto")


def test_numba_cuda_is_not_imported_before_it_is_asked_for():
    code = (
        "import json, sys\nfrom holecard.ui.cli import main\n"
        "try:\n    main(['simulate', 'mimic-dealer', '--rules', 'classic', '--rounds', '1000', '--threads', '1'])\n"
        "except SystemExit as end:\n    print(json.dumps([end.code, 'numba.cuda' in sys.modules]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [0, False]
