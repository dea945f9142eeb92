"""A Dask scheduler and workers as processes of this machine, each of which can be killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


class Processes:
    """A scheduler on a free port and any number of workers with one thread each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._logs = 0
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
        )
        deadline = time.monotonic() + 60
        while not (file.exists() and '"address"' in file.read_text()):
            assert time.monotonic() < deadline, "the scheduler does not start"
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def _start(self, kind: str, *options: str, source: Path = SOURCE) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(source), str(SOURCE.parent)]),
            "OMP_NUM_THREADS": "1",
            "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
            "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "False",
        }
        self._logs += 1
        log = (self.folder / f"{kind}-{self._logs}.log").open("w")
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *options]
        with log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=self.folder)

    def add_worker(self, source: Path = SOURCE) -> subprocess.Popen[bytes]:
        """One more worker, by hand as docs/scale.md says."""
        options = (
            "--nthreads",
            "1",
            "--host",
            "127.0.0.1",
            "--no-nanny",
            "--no-dashboard",
            "--memory-limit",
            "0",
            "--death-timeout",
            "60",
        )
        self.workers.append(self._start("worker", self.address, *options, source=source))
        return self.workers[-1]

    def kill_worker(self, at: int = 0) -> None:
        """Kill a worker as a power cut does."""
        worker = self.workers.pop(at)
        worker.kill()
        worker.wait()

    def close(self) -> None:
        """End everything that was started."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
