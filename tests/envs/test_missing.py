"""Without the extras one line says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("missing", "module"), [("gymnasium", "holecard.envs"), ("pettingzoo", "holecard.envs.holdem_v0")]
)
def test_the_install_line(missing, module):
    probe = f"import sys; sys.modules[{missing!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert "MissingExtra" in done.stderr.splitlines()[-1]
    assert "pip install 'holecard[envs]'" in done.stderr.splitlines()[-1]


def test_a_cluster_without_dask():
    probe = (
        "import sys; sys.modules['distributed'] = None; from holecard.ui.cli import main; "
        "main(['evaluate', '--games', '1', '--cluster', 'tcp://127.0.0.1:1'])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == "holecard: --cluster needs Dask: pip install 'holecard[cluster]'"
