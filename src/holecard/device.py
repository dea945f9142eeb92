"""Where work runs: the processor, or an NVIDIA GPU through numba-cuda where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Final, Literal

from holecard.errors import HolecardError, MissingExtra

Device = Literal["cpu", "cuda"]
DEVICES: Final = ("auto", "cpu", "cuda")
EXTRA: Final = "pip install 'holecard[gpu]'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """The GPU that kernels run on."""

    name: str
    """As its driver calls it."""
    multiprocessors: int
    """Processors that run blocks of threads side by side."""
    compute: str
    """Compute capability, such as 9.0."""

    def __str__(self) -> str:
        """Name, multiprocessors, compute capability."""
        return f"{self.name}, {self.multiprocessors} multiprocessors, compute {self.compute}"


class NoGpu(HolecardError):  # noqa: N818
    """There is no GPU that can be used; the message says why."""


@cache
def gpu() -> Gpu:
    """The GPU of this machine; says what is missing where none can be used."""
    from holecard._jit import is_simulated  # numba takes a while, and most commands ask for no GPU

    if is_simulated():
        return Gpu(name="numba's simulator", multiprocessors=1, compute="0.0")
    if find_spec("numba_cuda") is None:
        raise MissingExtra(f"a GPU needs numba-cuda, which is not installed: {EXTRA}")
    from numba import cuda

    try:
        if not cuda.is_available():
            raise NoGpu("no NVIDIA GPU answers here; check nvidia-smi, or use --device cpu")
        found = cuda.get_current_device()
    except cuda.CudaSupportError as problem:
        raise NoGpu(f"the NVIDIA driver does not answer: {problem}; use --device cpu") from None
    name = found.name.decode() if isinstance(found.name, bytes) else str(found.name)
    compute = ".".join(str(number) for number in tuple(found.compute_capability)[:2])
    return Gpu(name=name, multiprocessors=int(found.MULTIPROCESSOR_COUNT), compute=compute)


def chosen_device(device: str, *, worthwhile: bool = True) -> Device:
    """Where to run what was asked for: `auto` is the GPU if there is one and the work is worth starting it for.

    >>> chosen_device("auto", worthwhile=False)
    'cpu'
    """
    if device not in DEVICES:
        raise HolecardError(f"device must be {', '.join(DEVICES[:-1])} or {DEVICES[-1]}; got {device!r}")
    if device == "cpu" or (device == "auto" and not worthwhile):
        return "cpu"
    try:
        gpu()
    except HolecardError:
        if device == "cuda":
            raise
        return "cpu"
    return "cuda"
