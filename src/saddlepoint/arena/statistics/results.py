"""All results between any number of players, pair by pair: what ratings and cross tables are made from."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from .paired import Pentanomial
from .score import Score

Unit = tuple[float, ...]
"""The points of the player named earlier in the games of a pair, sorted, or in a single game."""


@dataclass(frozen=True)
class ResultTable:
    """How often each outcome of a pair of games occurred, for every two players that met."""

    players: tuple[str, ...]
    """All players, in alphabetical order."""
    units: Mapping[tuple[int, int], Counter[Unit]] = field(hash=False)
    """For (i, j), i < j, indices into `players`: the units from i's view."""

    def paired(self, player: str, opponent: str) -> Pentanomial:
        """Pairs and single games against `opponent`, from the view of `player`; empty if there are none."""
        i, j = self._index(player), self._index(opponent)
        cells, single = [0] * 5, Counter[float]()
        for unit, count in self.units.get((min(i, j), max(i, j)), Counter[Unit]()).items():
            if len(unit) == 2:
                cells[round(2 * sum(unit))] += count
            else:
                single[unit[0]] += count
        found = Pentanomial(*cells, singles=Score(single[1.0], single[0.5], single[0.0]))
        return found if i < j else found.swapped

    def _index(self, player: str) -> int:
        try:
            return self.players.index(player)
        except ValueError:
            raise ValueError(f"there is no player {player!r} in the results") from None
