"""A studio on a socket: what it prints, slow and closed connections, jobs that are superseded, its end."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest

from holecard.ui.studio import server as studio_server


@pytest.fixture(scope="module")
def live():
    command = [sys.executable, "-m", "holecard", "studio", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def call(line, path="/api/table/chart", body=b'{"rules": "classic"}', **headers):
    parts = urlsplit(line.strip())
    connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=120)
    token = parts.query.removeprefix("token=")
    connection.request("POST", path, body, {"content-type": "application/json", "x-studio-token": token, **headers})
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def raw(line):
    return socket.create_connection(("127.0.0.1", urlsplit(line.strip()).port), timeout=30)


def test_the_address_stands_alone_on_its_line_and_opens(live):
    parts = urlsplit(live[1])
    assert live[1].endswith("\n")
    assert live[1].strip() == live[1].rstrip("\n")
    assert (parts.scheme, parts.hostname, parts.path) == ("http", "127.0.0.1", "/")
    assert len(parts.query.removeprefix("token=")) >= 32


def test_ten_megabytes_are_refused_and_the_server_lives(live):
    status, answer = call(live[1], body=b" " * 10_000_000)
    assert status == 413
    assert "bytes" in answer["error"]
    assert call(live[1])[0] == 200


def test_closed_and_broken_connections_do_not_disturb_others(live):
    for words in (
        b"",
        b"GET",
        b"GET / HTTP/1.1\r\n",
        b"\x16\x03\x01\x00\xff",
        b"POST /api/table/chart HTTP/1.1\r\nhost: x\r\n" * 50,
    ):
        with raw(live[1]) as connection:
            connection.sendall(words)
    parts = urlsplit(live[1].strip())
    head = f"POST /api/table/chart HTTP/1.1\r\nhost: {parts.netloc}\r\nx-studio-token: {parts.query[6:]}\r\n"
    for body in (b"{", b'{"rules": "6d"}'):
        with raw(live[1]) as connection:  # a body that never comes whole, and an answer that nobody reads
            connection.sendall(f"{head}content-type: application/json\r\ncontent-length: 15\r\n\r\n".encode() + body)
    assert call(live[1])[0] == 200


def test_a_newer_request_of_a_tab_supersedes_the_older(live):
    answers = []
    tab = {"x-studio-tab": "one"}
    older = threading.Thread(
        target=lambda: answers.append(call(live[1], "/api/table/prices", b'{"rules": "8d"}', **tab))
    )
    older.start()
    time.sleep(0.3)
    newer = call(live[1], "/api/table/prices", b'{"rules": "classic"}', **tab)
    older.join()
    assert newer[0] == 200
    assert answers[0][0] == 409
    assert "newer" in answers[0][1]["error"]


def test_ctrl_c_ends_it_without_a_traceback(live):
    process, _ = live
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_a_clear_line(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, out, said = run("studio", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert (code, out) == (2, "")
    assert "choose another with --port" in said


@pytest.mark.parametrize("host", ["", "ü♠", "a" * 300, "no.such.host.invalid", "[red]", "\x00"])
def test_a_host_that_is_none_is_a_clear_line(run, host):
    code, out, said = run("studio", "--no-browser", "--port", "0", "--host", host)
    assert (code, out) == (2, "")
    assert "--host" in said
    assert said.count("\n") == 1


def test_slow_clients_are_sent_away(monkeypatch):
    """A client that sends its headers or its body too slowly is told so, or cut off, and holds nothing up."""
    from pathlib import Path

    import uvicorn

    from holecard.ui.studio.guard import Access

    monkeypatch.setattr(studio_server, "PATIENCE", 0.3)
    with studio_server.listen("127.0.0.1", 0) as listening:
        access = Access(port=listening.getsockname()[1])
        config = uvicorn.Config(
            studio_server.make_app(access, Path("runs")),
            http=studio_server._Impatient,
            lifespan="off",
            log_level="error",
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        address = access.address
        head = f"POST /api/table/chart HTTP/1.1\r\nhost: 127.0.0.1:{access.port}\r\nx-studio-token: {access.token}\r\n"
        with raw(address) as silent:
            assert silent.recv(100) == b""
        with raw(address) as slow:
            slow.sendall(f"{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{".encode())
            assert b"408" in slow.recv(4096)
        server.should_exit = True
        thread.join(timeout=20)
