"""Every page of the studio, walked as a person would, at three widths, light and dark."""

import json
import re

import pytest
from playwright.sync_api import expect

from holecard.ui.studio.pages import PAGES
from tests.browser.walks import WALKS

WINDOWS = [(390, "light"), (390, "dark"), (1024, "light"), (1024, "dark"), (1920, "light"), (1920, "dark")]
PICTURED = {(390, "light"), (1024, "dark"), (1920, "light")}
HEIGHTS = {390: 844, 1024: 768, 1920: 1080}


def test_every_page_has_a_walk():
    assert set(WALKS) == {page.name for page in PAGES}


@pytest.mark.parametrize(("width", "scheme"), WINDOWS, ids=str)
@pytest.mark.parametrize("name", WALKS)
def test_a_walk(visit, name, width, scheme):
    visitor = visit(width, scheme, height=HEIGHTS[width])
    WALKS[name](visitor)
    visitor.check()
    if (width, scheme) in PICTURED:
        visitor.page.evaluate("scrollTo(0, 0); document.activeElement?.blur()")
        visitor.page.wait_for_timeout(200)
        visitor.photograph(f"studio-{name}-{width}")


def test_the_table_has_the_numbers_of_the_command_line(visit, command_line):
    visitor = visit()
    page = visitor.open("/table?rules=2d+S17+LS")
    options = page.locator("#table-same code").inner_text().removeprefix("holecard solve").split()
    solved = command_line("solve", *options)
    expect(page.locator("#ev")).to_have_text(f"{solved['ev']:+.8f}".replace("-", "−"))
    expect(page.locator("#ev-chart")).to_have_text(f"{solved['ev_total_dependent']:+.8f}".replace("-", "−"))
    read = "all => all.map(each => [each.dataset.cell, each.textContent])"
    shown = dict(page.eval_on_selector_all("td[data-cell]", read))
    upcards = ["A", *map(str, range(2, 11))]
    wanted = {
        f"{section} {label} v {upcard}": letters[at]
        for section, rows in solved["chart"].items()
        for label, letters in rows.items()
        for at, upcard in enumerate(upcards)
    }
    assert shown == wanted
    share = page.locator("#table-outcomes .win")
    expect(share).to_contain_text(f"{100 * solved['outcomes']['win']:.2f} %")
    priced = command_line("rules", "--price", *options)
    for change in priced["changes"]:
        price = page.locator(f'.switch [data-price="{change["rule"]}"]')
        if price.count():
            expect(price.first).to_have_text(
                f"{100 * change['difference']:+.3f} %".replace("-", "−")
                .replace("+0.000", "0.000")
                .replace("−0.000", "0.000")
            )
    page.locator('td[data-cell="pair 88 v 10"]').click()
    one = command_line("solve", *options, "--hand", "8,8", "--upcard", "10")
    read = "all => all.map(each => [...each.cells].slice(0, 2).map(cell => cell.textContent))"
    found = page.locator("#table-cell table").first.locator("tr").evaluate_all(read)
    rows = {words.partition(",")[0][1:]: ev for words, ev in found}  # a letter stands before the words
    assert rows == {action: f"{ev:+.6f}".replace("-", "−") for action, ev in one["hands"][0]["ev"].items()}
    visitor.check()


def test_the_chart_has_the_numbers_of_the_command_line(visit, command_line, tmp_path):
    visitor = visit()
    page = visitor.open("/chart?rules=2d+S17&strategy=aggressive")
    found = command_line("score", "aggressive", "--decks", "2", "--s17", "--leaks", "5")
    expect(page.locator("#chart-ev")).to_have_text(f"{found['ev']:+.6f}".replace("-", "−"))
    expect(page.locator("#chart-regret")).to_have_text(f"{100 * found['regret']:.4f} %")
    rows = page.locator("#chart-leaks tbody tr")
    for at, leak in enumerate(found["leaks"]):
        expect(rows.nth(at)).to_contain_text(leak["cell"])
        expect(rows.nth(at)).to_contain_text(f"{100 * leak['cost']:.5f} %")
    page.locator('td[data-cell="hard 16 v 10"]').click()
    page.keyboard.press("d")
    page.wait_for_load_state("networkidle")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Text").click()
    file = tmp_path / "chart.txt"
    saved.value.save_as(file)
    again = command_line("score", str(file), "--decks", "2", "--s17")
    expect(page.locator("#chart-ev")).to_have_text(f"{again['ev']:+.6f}".replace("-", "−"))
    visitor.check()


def test_the_shoe_has_the_numbers_of_the_command_line(visit, command_line):
    visitor = visit()
    left = "4,3,2,3,4,4,4,4,4,15"
    page = visitor.open(f"/shoe?rules=1d+NDAS+value&left={left}&hand=T6&up=9")
    values = ["A", *map(str, range(2, 11))]
    deck = ",".join(f"{value}={count}" for value, count in zip(values, left.split(","), strict=True))
    found = command_line("solve", "--rules", "single-deck", "--deck", deck, "--hand", "T,6", "--upcard", "9")
    expect(page.locator("#shoe-ev")).to_have_text(f"{100 * found['ev']:+.4f} %".replace("-", "−"))
    for action, ev in found["hands"][0]["ev"].items():
        expect(page.locator("#shoe-evs tr", has_text=action).first).to_contain_text(f"{ev:+.6f}".replace("-", "−"))
    visitor.check()


def test_the_table_with_the_keyboard_alone(visit):
    visitor = visit()
    page = visitor.open("/table")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[data-rule]')?.dataset.rule") == "h17":
            break
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#table-line")).to_have_value("S17")
    assert page.evaluate("document.activeElement.closest('[data-rule]')?.dataset.rule") == "h17"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.cell"):
            break
    first = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.cell") not in (None, first)
    expect(page.locator("#table-cell h2")).to_have_text(page.evaluate("document.activeElement.dataset.cell"))
    visitor.check()


def test_the_chart_with_the_keyboard_alone(visit):
    visitor = visit()
    page = visitor.open("/chart")
    page.locator('td[data-cell="hard 12 v 4"]').focus()
    before = page.locator("#chart-ev").inner_text()
    page.keyboard.press("h")
    expect(page.locator("#chart-ev")).not_to_have_text(before)
    expect(page.locator('td[data-cell="hard 12 v 4"]')).to_have_text("H")
    page.keyboard.press("Backspace")
    expect(page.locator("#chart-ev")).to_have_text(before)
    visitor.check()


def test_the_shoe_with_the_keyboard_alone(visit):
    visitor = visit()
    page = visitor.open("/shoe")
    expect(page.locator("#shoe-ev")).to_have_text("−0.6154 %")
    page.locator('.take[data-value="A"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('.take[data-value="A"] .left')).to_have_text("23")
    page.keyboard.press("a")
    expect(page.locator('.take[data-value="A"] .left')).to_have_text("22")
    page.keyboard.press("Backspace")
    expect(page.locator('.take[data-value="A"] .left')).to_have_text("23")
    visitor.check()


SMALL = {"population": "8", "generations": "2000", "hands": "20"}


@pytest.mark.slow  # real runs, each a process of its own
@pytest.mark.parametrize("study", ["evolve gp", "evolve counter", "holdem evolve"])
def test_every_study_is_begun_watched_paused_and_resumed(visit, study):
    visitor = visit()
    page = visitor.open("/evolution")
    page.locator("#begin-study").select_option(study)
    for title, value in SMALL.items():
        field = page.locator("#evolution-form label", has_text=title).locator("input")
        field.fill(value)
        field.blur()
    expect(page.locator("#evolution-command code")).to_contain_text(f"holecard {study}")
    page.locator("#evolution-form button[type=submit]").click()
    state, head = page.locator("#evolution-run .run-head .state"), page.locator("#evolution-run .run-head")
    expect(state).to_have_text("running", timeout=240_000)  # its process may have kernels to compile
    expect(head).to_contain_text(re.compile(r"[1-9]\d* of 2000"), timeout=240_000)
    expect(page.locator("#evolution-run canvas")).to_have_count(1)
    head.locator("button", has_text="Pause").click()
    expect(state).to_have_text("paused", timeout=60_000)
    head.locator("button", has_text="Go on").click()
    expect(state).to_have_text("running", timeout=60_000)
    head.locator("button", has_text="Pause").click()
    expect(state).to_have_text("paused", timeout=60_000)
    visitor.check()


@pytest.mark.slow
def test_a_count_race_is_begun_paused_and_goes_on_to_its_end(visit):
    visitor = visit()
    page = visitor.open("/race")
    page.locator("#race-form label", has_text="Counters").click()
    for name, value in (("rounds", "1000000"), ("shoes", "100")):
        page.locator(f"#race-{name}").fill(value)
        page.locator(f"#race-{name}").blur()
    expect(page.locator("#race-command code")).to_contain_text("--rounds 1000000 --shoes 100")
    page.locator("#race-form button[type=submit]").click()
    state, head = page.locator("#race-shown .race-head .state"), page.locator("#race-shown .race-head")
    expect(page.locator("#race-shown h2")).to_contain_text("count-race-studio")
    expect(head).to_contain_text(re.compile(r"and [1-9] counters are finished"), timeout=240_000)
    head.locator("button", has_text="Pause").click()
    expect(state).to_have_text("paused", timeout=60_000)
    head.locator("button", has_text="Go on").click()
    expect(state).to_have_text("finished", timeout=240_000)
    expect(page.locator("#race-shown table.plain tbody tr").last).to_contain_text("perfect")
    expect(page.locator("#race-shown figure img").first).to_be_visible()
    visitor.check()


def test_a_seat_at_the_holdem_table_with_the_keyboard_alone(visit):
    visitor = visit(height=1000)
    page = visitor.open("/holdem")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "sit-opponent":
            break
    page.keyboard.type("call")
    expect(page.locator("#sit-opponent")).to_have_value("call")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#sit-theirs .back")).to_have_count(2)
    page.keyboard.press("r")
    expect(page.locator("#sit-to")).to_be_focused()
    page.keyboard.type("35")
    page.keyboard.press("Enter")
    expect(page.locator("#sit-pot")).to_have_text("70")
    for cards in (4, 5):
        page.keyboard.press("c")
        expect(page.locator("#sit-felt .middle .card")).to_have_count(cards)
    page.keyboard.press("c")
    expect(page.locator("#sit-theirs .back")).to_have_count(0)
    expect(page.locator("#sit-hands")).to_have_text("1")
    page.keyboard.press("n")
    expect(page.locator("#sit-hand")).to_have_text("2")
    page.keyboard.press("a")
    expect(page.locator("#sit-hands")).to_have_text("2")
    visitor.check()


def test_a_sitting_is_in_its_address(visit):
    visitor = visit(height=1240)
    page = visitor.open("/holdem?opponent=call&table=pokernet&deal=5&moves=cccc")
    expect(page.locator("#sit-chips")).to_have_text("+10")
    expect(page.locator("#sit-told .verdict")).to_have_count(4, timeout=120_000)
    expect(page.locator("#sit-away")).to_have_text("94.400")
    page.locator("#sit-told .verdict summary").last.click()
    page.evaluate("scrollTo(0, document.querySelector('.sit-panel').getBoundingClientRect().top + scrollY - 70)")
    visitor.photograph("studio-holdem-seat")
    page.keyboard.press("n")
    expect(page.locator("#sit-hand")).to_have_text("2")
    page.keyboard.press("c")
    expect(page.locator("#sit-felt .middle .card")).to_have_count(3)
    assert page.url.endswith("moves=ccccnc")
    visitor.allowed = (422,)
    page = visitor.open("/holdem?opponent=call&table=pokernet&deal=5&moves=n")
    expect(page.locator("#sit-problem")).to_contain_text("hand 1 is not over")
    visitor.problems = [each for each in visitor.problems if "422" not in each]
    visitor.check()


@pytest.mark.parametrize("form", ["PNG", "SVG", "CSV", "Text"])
def test_downloads(visit, form, tmp_path):
    visitor = visit()
    page = visitor.open("/table?rules=classic")
    with page.expect_download() as saved:
        page.get_by_role("button", name=form).click()
    content = saved.value.path().read_bytes()
    assert content.startswith({"PNG": b"\x89PNG", "SVG": b"<?xml", "CSV": b"hand,upcard", "Text": b"# the best"}[form])
    visitor.check()


def test_nothing_that_is_pasted_is_executed(visit):
    visitor = visit()
    visitor.allowed = (422, 400)
    evil = "<img src=x onerror=alert(1)>"
    page = visitor.open(f"/table?rules={evil}")
    expect(page.locator("#edge")).to_have_text("0.6154 %")
    page = visitor.open(f"/chart?text={evil}&cell={evil}")
    expect(page.locator("#chart-problem")).to_contain_text("line 1")
    assert page.locator("img").count() == 0
    visitor.problems = [each for each in visitor.problems if "422" not in each]
    visitor.check()


def test_who_comes_without_the_token_sees_nothing(browser, address):
    context = browser.new_context()
    answer = context.new_page().goto(address.partition("?")[0])
    assert answer.status == 401
    assert "token" in json.loads(answer.text())["error"]
    context.close()


def test_the_address_that_is_shared_has_no_token(visit):
    visitor = visit()
    assert "token" not in visitor.page.url
    visitor.check()


def test_motion_is_kept_away_from_who_wants_none(visit):
    visitor = visit(motion="reduce")
    page = visitor.open("/shoe")
    assert page.eval_on_selector(".take .card", "each => getComputedStyle(each).transitionDuration") in ("0s", "")
    visitor.check()
