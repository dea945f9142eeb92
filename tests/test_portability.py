"""Windows and macOS, which cannot be run here, are at least not prevented: nothing is used that only Linux has."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holecard import files

ROOT = Path(__file__).parents[1]
SOURCES = [*sorted((ROOT / "src").rglob("*.py")), ROOT / "blackjack_ga.py", *sorted((ROOT / "examples").glob("*.py"))]
POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
POSIX_CALLS = {
    f"os.{name}"
    for name in (
        "chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid", "kill", "killpg",
        "mkfifo", "nice", "pread", "pwrite", "sched_getaffinity", "setpgid", "setsid", "setuid", "statvfs", "sync",
        "uname", "wait", "waitpid",
    )
}  # fmt: skip
SIGNALS_EVERYWHERE = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
FOLDERS_OF_LINUX = ("/dev/", "/etc/", "/proc/", "/sys/", "/tmp/", "/usr/", "/var/")


def name_of(node):
    """`os.fork` for the attribute of that name, else nothing."""
    is_plain = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return f"{node.value.id}.{node.attr}" if is_plain else ""


def guarded(tree):
    """Nodes that run on some system only: below an `if` that asks for `sys.platform` or `os.name`."""
    asked = {"sys.platform", "os.name"}
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp) and any(name_of(each) in asked for each in ast.walk(node.test)):
            yield from ast.walk(node)
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(first, ast.If) and any(name_of(each) in asked for each in ast.walk(first.test))
            for first in node.body
            if isinstance(first, ast.If) and isinstance(first.body[-1], ast.Return)
        ):
            yield from ast.walk(node)


def complaints(source, name="a file"):
    """What of a source only Linux has."""
    tree = ast.parse(source)
    fine = {id(node) for node in guarded(tree)}
    for node in ast.walk(tree):
        if id(node) in fine:
            continue
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imported += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        called = name_of(node.func) if isinstance(node, ast.Call) else ""
        words = texts_in(node.args) if isinstance(node, ast.Call) else []
        if POSIX_MODULES & set(imported) or called in POSIX_CALLS:
            yield f"{name}:{node.lineno}: {called or imported}"
        if name_of(node).startswith("signal.SIG") and node.attr not in SIGNALS_EVERYWHERE:
            yield f"{name}:{node.lineno}: {name_of(node)}"
        if called.endswith(("get_context", "set_start_method")) and "fork" in words:
            yield f"{name}:{node.lineno}: processes by fork"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(FOLDERS_OF_LINUX):
            yield f"{name}:{node.lineno}: {node.value}"
        if called == "os._exit" and name != "startup.py":
            yield f"{name}:{node.lineno}: os._exit, which leaves without flushing"
        yield from (f"{name}:{node.lineno}: {words}" for words in text_without_encoding(node))


def text_without_encoding(node):
    """Text that is read or written in whatever encoding the machine has."""
    if not isinstance(node, ast.Call) or any(keyword.arg == "encoding" for keyword in node.keywords):
        return
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called in ("read_text", "write_text") and len(node.args) <= (called == "write_text"):
        yield called
    mode = (texts_in(node.args[1:]) or ["r"])[0]
    if isinstance(node.func, ast.Name) and called == "open" and "b" not in mode:
        yield called


def texts_in(arguments):
    """Those that are written out."""
    return [each.value for each in arguments if isinstance(each, ast.Constant) and isinstance(each.value, str)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_that_only_linux_has(path):
    assert list(complaints(path.read_text(encoding="utf-8"), path.name)) == []


@pytest.mark.parametrize(
    "source",
    [
        "import fcntl",
        "from pwd import getpwnam",
        "import os\nos.fork()",
        "import signal\nsignal.signal(signal.SIGALRM, print)",
        "import multiprocessing\nmultiprocessing.get_context('fork')",
        "x = '/tmp/x'",
        "import os\nos._exit(0)",
        "open('x').read()",
        "path.write_text('x')",
    ],
)
def test_the_search_finds_what_it_looks_for(source):
    assert list(complaints(source))


def test_what_asks_for_the_system_first_is_fine():
    assert list(complaints("import sys\nif sys.platform == 'win32':\n    import msvcrt\nelse:\n    import fcntl")) == []


class Msvcrt:
    """Windows' locks, as far as `files` uses them."""

    LK_NBLCK = 2
    held: set[int]

    def __init__(self):
        self.held = set()

    def locking(self, descriptor, mode, count):
        place = os.fstat(descriptor).st_ino
        if place in self.held:
            raise PermissionError("it is locked")
        self.held.add(place)


def test_locks_as_windows_has_them(tmp_path, monkeypatch):
    monkeypatch.setattr(files.sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    (tmp_path / ".lock").write_bytes(b"")
    first, second = (os.open(tmp_path / ".lock", os.O_RDWR) for _ in range(2))
    try:
        assert files._lock(first)
        assert not files._lock(second)
    finally:
        os.close(first)
        os.close(second)


@pytest.mark.parametrize("encoding", ["ascii"])
@pytest.mark.parametrize(
    "words", [["chart", "basic"], ["chart", "no♥such"], ["score", "basic", "--json"], ["holdem", "replay", "♠.phh"]]
)
def test_output_that_cannot_say_everything_is_no_traceback(encoding, words):
    """A pipe on Windows takes the letters of an old code page."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "holecard", *words], env=environment, capture_output=True, check=False, timeout=300
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == (2 if any(not word.isascii() for word in words) else 0)
