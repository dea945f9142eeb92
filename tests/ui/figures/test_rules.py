from holecard.blackjack import Rules, price_rules, value_table
from holecard.ui.figures.rules import presets_figure, prices_figure


def test_a_bar_for_each_change_as_long_as_the_root_of_its_gain():
    prices = price_rules(Rules.preset("classic"))
    (axis,) = prices_figure(prices).axes
    widths = [bar.get_width() for bar in axis.patches]
    assert len(widths) == len(prices.changes)
    for width, change in zip(widths, prices.changes, strict=True):
        assert abs(width * abs(width) - 100 * change.difference) < 1e-6
    words = {text.get_text() for text in axis.texts}
    assert {"dealer hits soft 17", "naturals pay 3:2", "double any two cards"} <= words


def test_a_bar_for_each_game():
    tables = {name: value_table(Rules.preset(name)) for name in ("classic", "gymnasium")}
    (axis,) = presets_figure(tables).axes
    assert [bar.get_width() for bar in axis.patches] == [-100 * table.ev for table in tables.values()]
