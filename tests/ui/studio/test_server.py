"""Who is answered, and how everybody else is told."""

import json
import threading

import pytest
from starlette.testclient import TestClient

from holecard.ui.studio.body import LARGEST, BadRequest, Body
from holecard.ui.studio.guard import Access
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.server import make_app
from holecard.ui.studio.work import Job, Kept, Superseded
from tests.ui.studio.helpers import ORIGIN, PATHS, PORT, TOKEN, client

TABLE = "/api/table/chart"


@pytest.fixture(scope="module")
def studio():
    return client()


def test_the_page_opens_with_the_token_and_stays_open_with_the_cookie():
    browser = client(token=None)
    opened = browser.get(f"/?token={TOKEN}")
    assert opened.status_code == 200
    assert "Holecard" in opened.text
    cookie = opened.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get("/table").status_code == 200


@pytest.mark.parametrize("path", ["/", "/table", "/api/nothing", TABLE])
def test_no_token_no_answer(path):
    for method in ("GET", "POST"):
        assert client(token=None).request(method, path).status_code == 401
        refused = client(token="another").request(method, path)
        assert refused.status_code == 403
        assert "token" in refused.json()["error"]


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"10.0.0.1:{PORT}", "", "localhost:²"]
)
def test_another_host_is_refused(studio, host):
    answer = studio.get("/table", headers=[(b"host", host.encode())])
    assert answer.status_code == 403
    assert "address" in answer.json()["error"]


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"127.0.0.1:{PORT}", f"[::1]:{PORT}"])
def test_names_of_this_machine_are_answered(studio, host):
    assert studio.get("/table", headers={"host": host}).status_code == 200


def test_a_studio_for_others_answers_addresses_but_no_names():
    access = Access(port=80, host="0.0.0.0", token="t")
    scope = {"path": "/static/", "query_string": b""}
    hosts = {b"10.0.0.7:80": True, b"evil.example:80": False, b"10.0.0.7:81": False}
    for host, welcome in hosts.items():
        assert (access.refusal({**scope, "type": "http", "headers": [(b"host", host)]}) is None) is welcome


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", PATHS)
def test_other_sites_are_refused(studio, path, headers):
    answer = studio.post(path, json={}, headers=headers)
    assert answer.status_code == 403
    assert "other sites" in answer.json()["error"]


def test_our_own_pages_are_answered(studio):
    headers = {"origin": ORIGIN, "sec-fetch-site": "same-origin"}
    assert studio.post(TABLE, json={"rules": "classic"}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"NaN", "application/json", 400),
        (b'{"rules": Infinity}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b'{"rules": ' + b"9" * 10_000 + b"}", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"rules=6d", "application/x-www-form-urlencoded", 415),
        (b"x" * (LARGEST + 1), "application/json", 413),
        (b"x" * 10_000_000, "application/json", 413),
    ],
)
@pytest.mark.parametrize("path", PATHS)
def test_what_is_no_request(studio, path, content, kind, status):
    answer = studio.post(path, content=content, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/nothing", "/api/table/nothing", "/static/nothing.js", "/table/", "/api/table/chart/x"]
)
def test_unknown_addresses(studio, path):
    answer = studio.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static/..%2fserver.py", "/static//etc/passwd"]
)
def test_nothing_outside_the_static_folder_is_read(studio, path):
    assert studio.get(path).status_code in (403, 404)


def test_other_methods_are_refused(studio):
    assert studio.get(TABLE).status_code == 405
    assert studio.post("/table").status_code == 405


def test_every_answer_tells_the_browser_what_to_keep_to(studio):
    for answer in (studio.get("/table"), studio.get("/nothing"), studio.get("/static/studio.js"), studio.post(TABLE)):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"


def test_a_bug_of_ours_is_a_500_with_a_line_and_no_traceback(capsys):
    def fail(call: Call):
        raise RuntimeError("secret details")

    page = Page(name="table", title="T", about="", endpoints=(Endpoint(name="chart", answer=fail),))
    app = make_app(Access(port=PORT, token=TOKEN), None, (page,))
    broken = TestClient(app, base_url=ORIGIN, headers={"x-studio-token": TOKEN}, raise_server_exceptions=False)
    answer = broken.post(TABLE, json={})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "secret details" in capsys.readouterr().err


def test_streams_are_sent_event_by_event_and_say_what_went_wrong():
    from holecard.errors import SettingError

    def count(call: Call):
        for number in range(call.body.whole("upto", 0, 9)):
            yield {"number": number}
        yield None
        raise SettingError("no further")

    page = Page(name="table", title="T", about="", endpoints=(Endpoint(name="count", answer=count, stream=True),))
    app = make_app(Access(port=PORT, token=TOKEN), None, (page,))
    listener = TestClient(app, base_url=ORIGIN, headers={"x-studio-token": TOKEN})
    answer = listener.post("/api/table/count", json={"upto": 2})
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    assert events == [{"number": 0}, {"number": 1}, {"error": "no further"}]
    assert "must be a whole number" in listener.post("/api/table/count", json={"upto": "x"}).text


def test_bodies_are_read_by_kind():
    body = Body({"text": "a", "number": 3, "flag": True, "list": [1, 2], "texts": ["a"]})
    assert (body.text("text"), body.whole("number", 0, 9), body.flag("flag")) == ("a", 3, True)
    assert (body.wholes("list", 0, 9, length=2), body.texts("texts", most=3)) == ([1, 2], ["a"])
    assert body.number("number", 0, 9) == 3.0
    assert body.choice("text", ("a", "b")) == "a"
    assert body.text("missing", "otherwise") == "otherwise"
    for wrong in (
        lambda: body.text("number"),
        lambda: body.whole("flag", 0, 9),
        lambda: body.whole("number", 5, 9),
        lambda: body.wholes("list", 0, 9, length=3),
        lambda: body.choice("text", ("b",)),
        lambda: body.text("missing"),
        lambda: body.text("text", longest=0),
        lambda: body.texts("texts", most=0),
    ):
        with pytest.raises(BadRequest):
            wrong()


def test_kept_answers_stay_within_their_bytes():
    kept = Kept(most_bytes=100)
    for number in range(50):
        kept.put(f"{number:02d}", b"x" * 18)
    assert kept.get("00") is None
    assert kept.get("49") == b"x" * 18
    kept.put("49", b"y" * 18)
    assert sum(kept.get(f"{number:02d}") is not None for number in range(50)) == 5


def test_slow_work_lets_quick_work_go_first(monkeypatch):
    monkeypatch.setattr("holecard.ui.studio.work._LONGEST_ASIDE", 60.0)
    calm = threading.Event()
    slow = Job(calm)
    asking = threading.Thread(target=slow.check)
    asking.start()
    asking.join(0.05)
    assert asking.is_alive()
    calm.set()
    asking.join(60)
    assert not asking.is_alive()
    calm.clear()
    slow.give_up()
    with pytest.raises(Superseded):
        slow.check()
    Job().check()
