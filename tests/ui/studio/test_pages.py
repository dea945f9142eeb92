"""Every endpoint: its example is answered, and nothing bad that is sent to it is a fault of ours."""

import random

import pytest

from tests.ui.studio.helpers import ENDPOINTS, EXAMPLES, PATHS, STRANGE, bad_bodies, client, some_runs

FINE = {200, 400, 409, 413, 422}


@pytest.fixture(scope="module")
def studio():
    return client(some_runs())


@pytest.mark.parametrize(("page", "endpoint"), ENDPOINTS, ids=PATHS)
def test_every_example_is_answered(studio, page, endpoint):
    answer = studio.post(f"/api/{page.name}/{endpoint.name}", json=endpoint.example)
    assert answer.status_code == 200, answer.text
    if endpoint.kept:
        again = studio.post(f"/api/{page.name}/{endpoint.name}", json=endpoint.example)
        assert again.content == answer.content


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", PATHS)
def test_bad_bodies_are_told_what_is_wrong(studio, path, every):
    from json import dumps

    for body in bad_bodies(EXAMPLES[path], every, first=PATHS.index(path)):
        content = dumps(body)
        answer = studio.post(path, content=content, headers={"content-type": "application/json"})
        assert answer.status_code in FINE, (content[:200], answer.text)
        if answer.status_code != 200:
            assert answer.json()["error"]


def test_every_page_is_served_with_its_module_and_its_style(studio):
    for page in {page.name: page for page, _ in ENDPOINTS}.values():
        assert studio.get(f"/{page.name}").status_code == 200
        assert "export async function open" in studio.get(f"/static/{page.name}.js").text


def fuzz(studio, requests: int, seed: int) -> None:
    from json import dumps

    chance = random.Random(seed)
    for _ in range(requests):
        path = chance.choice(PATHS)
        body = dict(EXAMPLES[path])
        for name in list(body):
            if chance.random() < 0.6:
                body[name] = chance.choice([*STRANGE, _mangled(chance, body[name])])
        content = dumps(body)
        if chance.random() < 0.1:
            content = content[: chance.randrange(len(content) + 1)]
        answer = studio.post(path, content=content, headers={"content-type": "application/json"})
        assert answer.status_code in FINE, (path, content[:300], answer.text[:300])


def _mangled(chance: random.Random, value: object) -> object:
    """A value that was right, with a few characters of it changed."""
    if isinstance(value, list):
        return [_mangled(chance, each) for each in value][: chance.randrange(len(value) + 2)]
    if not isinstance(value, str) or not value:
        return value
    letters = list(value)
    for _ in range(chance.randrange(1, 4)):
        letters[chance.randrange(len(letters))] = chance.choice("AHSDdPRr?fcan0123456789=:@+- \n#,\u00e9")
    return "".join(letters)


def test_a_fuzz_finds_no_fault(studio):
    fuzz(studio, 300, seed=1)


@pytest.mark.slow
def test_a_long_fuzz_finds_no_fault(studio):
    fuzz(studio, 10_000, seed=2)
