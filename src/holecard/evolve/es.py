"""OpenAI's evolution strategy (Salimans et al. 2017): a mean, a cloud of mirrored samples around it, a step uphill.

One genome is the *mean*. The others are pairs mean + d and mean − d with Gaussian d. The mean moves along the sum of
all d, each weighed by the centred rank of its fitness; the ranks keep one lucky session from deciding. The fittest
genome of a generation is asked again in the next, so that it is judged on fresh cards and can become champion.

Why not separable CMA-ES: with 50 individuals its variances are learned at a rate of about 8 / genes a generation, which
is 0.0006 for 14,545 genes. In 250 generations they would change by some 15 %: it would be this strategy with more
settings. Deviation and learning rate follow schedules here, as TSER's mutations do, so that a generation follows from
the one before and its number alone, and a run resumes from the population.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.evolve.engine import Population
from holecard.evolve.registry import EsSettings, Size
from holecard.evolve.selection import Fitness, centred_ranks
from holecard.evolve.tser import Weights, box_muller, decayed

_ELITE: Final = 0
"""The row of the fittest genome of the generation before."""
_MEAN: Final = 1
"""The row of the mean."""
_SAMPLES: Final = 2
"""The first row of the samples: mean + d of every pair, then mean − d in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Which way the mean moves, and who is asked again."""

    elite: int
    """The row of the fittest."""
    weights: NDArray[np.float64]
    """The weight of every sample's d, (samples); their squares add up to 1; all 0 where all samples are equal."""

    @property
    def figures(self) -> dict[str, float]:
        """One genome passes unchanged."""
        return {"elites": 1}


class EsEngine:
    """The fittest, the mean, and mirrored samples around it. Populations are float32 of shape (n, genes)."""

    def __init__(self, settings: EsSettings, size: Size) -> None:
        self.settings, self.size = settings, size
        self.pairs = (size.population - _SAMPLES) // 2
        if self.pairs < 1:
            raise SettingError(f"the engine es needs a population of 4 or more; got {size.population}")

    @classmethod
    def examples(cls) -> tuple[EsEngine, ...]:
        """Thirty weights, with an even and with an odd population."""
        return tuple(
            cls(EsSettings(learning_rate=(1.0, 0.5)), Size(genes=30, population=population, generations=12))
            for population in (20, 21)
        )

    def first(self, rng: np.random.Generator) -> Weights:
        """The mean and samples around it; the row of the fittest holds one sample more.

        The mean is drawn where first deviations are given, and 0 otherwise: one as wild as the samples would do worse,
        because where its network always folds, so do all samples near it, and ranks say nothing.
        """
        mean = np.zeros(self.size.genes, np.float32)
        if self.size.first_deviations is not None:
            mean = (self.size.first_deviations * box_muller(rng, mean.shape)).astype(np.float32)
        return self._around(mean, self._steps(1, 0, rng)[0], 0, rng)

    def choose(self, population: Population, fitness: Fitness) -> Direction:
        """The direction by centred ranks; whoever has no fitness ranks lowest, equals share their ranks."""
        ranks = centred_ranks(fitness[_SAMPLES:])
        length = float(np.sqrt((ranks * ranks).sum()))
        return Direction(elite=int(fitness.argmax()), weights=ranks / length if length > 0 else ranks)

    def following(
        self, population: Population, choice: Direction, generation: int, rng: np.random.Generator
    ) -> Weights:
        """The fittest bit for bit, the mean a step further, and new samples around it."""
        mean = population[_MEAN].astype(np.float64)
        rate = decayed(*self.settings.learning_rate, generation, self.size.generations)
        uphill = choice.weights @ (population[_SAMPLES:] - mean)
        moved = (mean + rate * uphill).astype(np.float32)
        return self._around(moved, population[choice.elite], generation + 1, rng)

    def are_genomes(self, population: Population) -> bool:
        """True if every weight is a number."""
        return bool(np.isfinite(population).all())

    def _around(self, mean: Weights, elite: Weights, generation: int, rng: np.random.Generator) -> Weights:
        """A population around a mean; where its size is odd, the last sample has no mirror image."""
        steps = self._steps(self.pairs, generation, rng)
        odd = self._steps(self.size.population - _SAMPLES - 2 * self.pairs, generation, rng)
        return np.concatenate([elite[None], mean[None], mean + steps, mean - steps, mean + odd]).astype(np.float32)

    def _steps(self, count: int, generation: int, rng: np.random.Generator) -> Weights:
        """Gaussian steps, (count, genes), of the generation's deviation."""
        deviation = decayed(*self.settings.deviation, generation, self.size.generations)
        return (deviation * box_muller(rng, (count, self.size.genes))).astype(np.float32)
