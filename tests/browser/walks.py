"""How a person walks through each page: one function a page, called at every width, light and dark.

A walk gets a `Visitor`, opens its page, uses it with the mouse or by touch, and says with `expect` and `assert` what
must be seen. `test_studio.py` then looks at the console, at the network, at the width and, with axe, at what people
who use a screen reader or the keyboard meet; and it takes the picture.
"""

from playwright.sync_api import expect

expect.set_options(timeout=30_000)  # a walk may be the first to need a kernel


def table(visitor):
    page = visitor.open("/table")
    edge = page.locator("#edge")
    expect(edge).to_have_text("0.6154 %")
    page.locator("#table-preset").select_option(label="atlantic-city")
    expect(edge).not_to_have_text("0.6154 %")
    assert "rules=8d" in page.url
    page.locator('[data-rule="h17"] label', has_text="hits").click()
    expect(page.locator("#table-line")).to_have_value("8d value LS")
    cell = page.locator('td[data-cell="hard 16 v 10"]')
    cell.click()
    expect(page.locator("#table-cell")).to_contain_text("surrender")
    expect(page.locator("#table-cell")).to_contain_text("rounds")
    expect(page.locator('[data-price="S17"]')).to_contain_text("+0.198 %")
    expect(page.locator("#table-outcomes")).to_contain_text("Standard deviation")
    expect(page.locator("#table-removal tbody tr")).to_have_count(10)
    page.reload()
    expect(page.locator("#table-line")).to_have_value("8d value LS")
    expect(page.locator("#table-cell h2")).to_have_text("hard 16 v 10")
    page.locator("#table-line").fill("casino")
    page.locator("#table-line").press("Enter")
    expect(edge).to_have_text("0.6154 %")
    expect(page.locator("#table-removal.waiting")).to_have_count(0)
    page.wait_for_load_state("networkidle")


def chart(visitor):
    page = visitor.open("/chart?strategy=mimic-dealer")
    expect(page.locator("#chart-ev")).to_have_text("−0.058944")
    page.locator("#chart-differ").click()
    assert page.locator('td[data-mark="differs"]').count() > 100
    before = page.locator("#chart-regret").inner_text()
    page.locator("#chart-mend").click()
    expect(page.locator("#chart-regret")).not_to_have_text(before)
    expect(page.locator('td[data-cell="hard 16 v 6"]')).to_have_text("S")
    page.locator('td[data-cell="hard 15 v 6"]').click()
    page.locator("#chart-palette button", has_text="S").first.click()
    expect(page.locator('td[data-cell="hard 15 v 6"]')).to_have_text("S")
    assert "edits=" in page.url
    page.reload()
    expect(page.locator('td[data-cell="hard 15 v 6"]')).to_have_text("S")
    page.locator("#chart-undo").click()
    expect(page.locator('td[data-cell="hard 15 v 6"]')).to_have_text("H")
    page.wait_for_load_state("networkidle")


def shoe(visitor):
    page = visitor.open("/shoe")
    expect(page.locator("#shoe-ev")).to_have_text("−0.6154 %")
    for _ in range(3):
        page.locator('.take[data-value="5"]').click()
    expect(page.locator('.take[data-value="5"] .left')).to_have_text("21")
    expect(page.locator("#shoe-counts tr", has_text="Hi-Lo")).to_contain_text("+3")
    page.locator("#shoe-seen").fill("5 6 4 3 2 5 6 4 3 5 6 4 2")
    page.locator("#shoe-seen").press("Enter")
    expect(page.locator("#shoe-counts tr", has_text="Hi-Lo")).to_contain_text("+16")
    expect(page.locator("#shoe-ev")).to_contain_text("+")
    page.locator("#shoe-hand").fill("T6")
    page.locator("#shoe-up").fill("T")
    expect(page.locator("#shoe-evs")).to_contain_text("Best is stand. The full shoe's chart says hit")
    expect(page.locator("#shoe-parting")).to_contain_text("Hi-Lo with 17 indices")
    page.reload()
    expect(page.locator("#shoe-counts tr", has_text="Hi-Lo")).to_contain_text("+16")
    page.locator("#shoe-undo").is_disabled()
    page.wait_for_load_state("networkidle")


def evolution(visitor):
    page = visitor.open("/evolution?run=ga")
    state = page.locator("#evolution-run .run-head .state")
    expect(state).to_have_text("finished")
    expect(page.locator("#evolution-run .run-latest td[data-cell]")).to_have_count(360)
    expect(page.locator("#evolution-run .run-winner h3")).to_have_text("The winner")
    assert "strategy=run%3Aga" in page.locator("#evolution-run .run-winner a").get_attribute("href")
    page.locator("#begin-preset").select_option("tuned")
    numbers = page.locator("#evolution-form input[type=number]")
    for title, value in (("population", "12"), ("generations", "4000"), ("hands", "50")):
        field = page.locator("#evolution-form label", has_text=title).locator("input")
        field.fill(value)
        field.blur()
    assert numbers.count() == 5
    expect(page.locator("#evolution-command code")).to_contain_text("--generations 4000")
    page.locator("#evolution-form button[type=submit]").click()
    expect(state).to_have_text("running", timeout=120_000)  # its process may have kernels to compile
    expect(page.locator("#evolution-run .run-head")).to_contain_text("of 4000 generations")
    page.locator("#evolution-run button", has_text="Pause").click()
    expect(state).to_have_text("paused")
    for name in ("ga", "ga-again"):
        page.get_by_label(f"compare {name}", exact=True).check()
    expect(page.locator("#evolution-compare table.plain tbody tr")).to_have_count(2)
    page.locator("#evolution-list button.run").filter(has=page.get_by_text("ga", exact=True)).click()
    expect(state).to_have_text("finished")
    expect(page.locator("#evolution-compare canvas")).to_have_count(1)


def holdem(visitor):
    page = visitor.open("/holdem")
    expect(page.locator("#equity")).to_have_text("67.0446 %")
    expect(page.locator("#holdem-same code")).to_have_text("holecard holdem equity AhKh")
    expect(page.locator(".grid-panel button[data-hand]")).to_have_count(169)
    page.locator('.grid-panel button[data-hand="AA"]').click()
    expect(page.locator("#holdem-mine")).to_have_value("AhKh,AA")
    expect(page.locator('.grid-panel button[data-hand="AA"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.grid-panel button[data-hand="AKs"]')).to_have_attribute("aria-pressed", "mixed")
    page.mouse.move(1, 1)  # or a cell that moves below the pointer is pointed at
    page.locator('.grid-panel button[data-hand="AA"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#holdem-point")).to_contain_text("AKs equity 67.0446 %")
    page.locator("#holdem-mine").fill("AhKh")
    page.locator("#holdem-against").fill("QdQs")
    page.locator("#holdem-board").fill("2c7h9s3dKc")
    expect(page.locator("#equity")).to_have_text("100.0000 %")
    assert "board=2c7h9s3dKc" in page.url
    page.locator("#holdem-stack").fill("7")
    expect(page.locator("#push-value")).to_have_text("+0.016863")
    page.reload()
    expect(page.locator("#equity")).to_have_text("100.0000 %")
    expect(page.locator("#push-value")).to_have_text("+0.016863")
    page.locator("#duel-next").click()
    expect(page.locator("#duel-hand")).to_have_text("Hand 2")
    expect(page.locator("#holdem-duel .told")).to_contain_text("champion:pokernet")
    expect(page.locator("#holdem-duel .verdict").first).to_be_visible(timeout=120_000)
    expect(page.locator("#holdem-duel .memory")).to_contain_text("away from where the session began")
    page.locator("#holdem-board").fill("2c7h9s")
    expect(page.locator("#equity")).not_to_have_text("100.0000 %")
    page.locator("#sit-opponent").select_option("call")
    page.locator("#sit-down").click()
    expect(page.locator("#sit-theirs .back")).to_have_count(2)
    page.locator('#sit-actions [data-key="c"]').click()
    expect(page.locator("#sit-felt .middle .card")).to_have_count(3)
    page.locator("#sit-actions .chip", has_text="pot").first.click()
    page.get_by_role("button", name="Raise to").click()
    expect(page.locator("#sit-felt .middle .card")).to_have_count(4)
    expect(page.locator("#sit-told .verdict")).to_have_count(2, timeout=120_000)
    page.locator("#sit-told .verdict summary").first.click()
    expect(page.locator("#sit-told .verdict .values").first).to_contain_text("fold −0.5000 BB")
    page.wait_for_load_state("networkidle")


def play(visitor):
    page = visitor.open("/play?seed=11&drill=pairs")
    actions, following = page.locator("#play-actions button"), page.locator("#play-next")
    page.locator('#play-actions [data-action="split"]').click()
    expect(page.locator("#play-verdict")).to_contain_text("pair")
    for _ in range(20):
        if following.count():
            break
        taken = int(page.locator("#play-decisions-figure").inner_text())
        page.keyboard.press("s")
        expect(page.locator("#play-decisions-figure")).to_have_text(str(taken + 1))
    expect(page.locator("#play-rounds-figure")).to_have_text("1")
    expect(page.locator("#play-felt .back")).to_have_count(0)
    expect(page.locator("#play-leaks")).to_contain_text("decisions are kept")
    page.locator("#play-drill").select_option("count")
    page.locator("#play-answer").fill("99")
    page.locator("#play-answer").press("Enter")
    expect(page.locator("#play-verdict")).to_contain_text("gives away")
    page.locator("#play-drill").select_option("play")
    expect(page.locator("#play-said")).to_contain_text("What do you play?")
    actions.first.click()
    expect(page.locator("#play-price")).to_contain_text("the counter plays")
    page = visitor.open("/play?seed=11&drill=soft")
    page.locator('#play-actions [data-action="stand"]').click()
    expect(page.locator("#play-verdict")).to_contain_text("soft")
    following.click()
    expect(page.locator("#play-felt .back")).to_have_count(1)
    page.locator("#play-drill").select_option("shoe")
    page.locator("#play-system").select_option("KO")
    page.locator("#play-show-count").click()
    expect(page.locator("#play-count")).to_contain_text("KO: running")
    rounds = page.locator("#play-rounds-figure")
    for _ in range(2):  # of one shoe
        played = int(rounds.inner_text())
        page.locator("#play-units").fill("3")
        page.locator("#play-units").press("Enter")
        expect(page.locator("#play-bet-verdict")).to_contain_text("the counter bets")
        while not following.count():
            before = int(page.locator("#play-decisions-figure").inner_text())
            page.keyboard.press("n" if page.locator('[data-action="decline"]').count() else "s")
            expect(page.locator("#play-decisions-figure")).to_have_text(str(before + 1))
        following.click()
        expect(page.locator("#play-units")).to_be_focused()
        expect(rounds).to_have_text(str(played + 1))
    assert "drill=shoe" in page.url
    assert "system=KO" in page.url
    page.wait_for_load_state("networkidle")


def race(visitor):
    page = visitor.open("/race?race=race")
    state = page.locator("#race-shown .race-head .state")
    expect(state).to_have_text("finished")
    expect(page.locator("#race-shown table.plain tbody tr").first).to_contain_text("exact optimum")
    expect(page.locator("#race-shown table.plain tbody tr").first).to_contain_text("−0.006")
    pictures = page.locator("#race-shown figure")
    assert pictures.count() > 20
    expect(page.locator("#race-shown figure img")).to_have_count(pictures.count())
    first = page.locator("#race-shown figure img").first
    assert first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    with page.expect_download() as saved:
        page.locator("#race-report").click()
    assert saved.value.suggested_filename == "report.html"
    page.locator("#race-form label", has_text="Counters").click()
    page.locator("#race-spread").fill("1:12")
    page.locator("#race-spread").blur()
    expect(page.locator("#race-command code")).to_contain_text("holecard count race")
    expect(page.locator("#race-command code")).to_contain_text("--spread 1:12")
    page.locator("#race-form label", has_text="Strategies").click()
    page.locator("#race-form button[type=submit]").click()
    expect(page.locator("#race-shown h2")).to_contain_text("race-studio")
    expect(page.locator("#race-shown .parts li").first).to_contain_text(" s", timeout=240_000)
    page.locator("#race-shown button", has_text="Pause").click()
    expect(state).to_have_text("paused")
    expect(page.locator("#race-shown button", has_text="Go on")).to_be_visible()
    page.locator("#race-list button.race").filter(has=page.get_by_text("race", exact=True)).click()
    expect(state).to_have_text("finished")
    expect(page.locator("#race-shown figure img")).to_have_count(pictures.count())


WALKS = {
    "table": table,
    "chart": chart,
    "shoe": shoe,
    "play": play,
    "evolution": evolution,
    "race": race,
    "holdem": holdem,
}
"""The walk of every page."""
