"""Score the published chart and the yardsticks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from holecard.blackjack.exact import score
from holecard.blackjack.strategy.named import NAMED, named_strategy
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json, row_of_chart

_SECONDS: Final = 1


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    return [Part(id=PartId.CHARTS, title="score published charts and yardsticks", weight=_SECONDS, run=_run)]


def _run(context: RaceContext) -> Result:
    rules, rows = context.config.rules, []
    for done, name in enumerate(NAMED, 1):
        start = time.process_time()
        strategy = named_strategy(name, rules)
        origin = Origin(name=name, way=Way.PUBLISHED, seconds=time.process_time() - start)
        rows.append(row_of_chart(origin, strategy, score(strategy, rules)))
        context.tell(done / len(NAMED), name)
    return {"rows": as_json(rows)}
