"""All results between any number of players, pair by pair: what ratings and cross tables are made from."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from .paired import Pentanomial
from .score import Score


@dataclass(frozen=True)
class Result:
    """One game: who was player 0, who player 1, and player 0's points (1, 0.5 or 0).

    Both games of a pair (same opening, sides swapped) carry the same `pair`, anything hashable that no other
    pair of the same two players has; None for a game that belongs to no pair.
    """

    first: str
    second: str
    points: float
    pair: Hashable = None


Unit = tuple[tuple[bool, float], ...]
"""The games of a pair, or a single game, sorted: (whether the player named earlier was first, its points)."""


@dataclass(frozen=True)
class ResultTable:
    """How often each outcome of a pair of games occurred, for every two players that met."""

    players: tuple[str, ...]
    """All players, in alphabetical order."""
    units: Mapping[tuple[int, int], Counter[Unit]] = field(hash=False)
    """For (i, j), i < j, indices into `players`: the units from i's view."""

    @classmethod
    def from_results(cls, results: Iterable[Result], players: Iterable[str] = ()) -> "ResultTable":
        """The table of these games; `players` may name more, who have not played yet.

        Raises ValueError for points that are not 1, 0.5 or 0, for a player against itself, for a third game in a pair.
        """
        games = list(results)
        names = tuple(sorted({*players, *(game.first for game in games), *(game.second for game in games)}))
        index = {name: number for number, name in enumerate(names)}
        pairs: defaultdict[tuple[tuple[int, int], Hashable], list[tuple[bool, float]]] = defaultdict(list)
        for number, game in enumerate(games):
            if game.points not in (0.0, 0.5, 1.0):
                raise ValueError(f"a game gives 0, 0.5 or 1 points, not {game.points}")
            if game.first == game.second:
                raise ValueError(f"a result needs two players, not {game.first!r} against itself")
            first, second = index[game.first], index[game.second]
            seen = (True, float(game.points)) if first < second else (False, 1.0 - game.points)
            name = ("single", number) if game.pair is None else ("pair", game.pair)
            met = pairs[(min(first, second), max(first, second)), name]
            met.append(seen)
            if len(met) > 2:
                raise ValueError(f"a pair has two games, but {game.pair!r} has more")
        units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
        for (meeting, _), played in pairs.items():
            units[meeting][tuple(sorted(played))] += 1
        return cls(names, dict(units))

    @classmethod
    def from_scores(cls, scores: Mapping[tuple[str, str], Score], players: Iterable[str] = ()) -> "ResultTable":
        """The table of single games: for (first, second) the score of the first."""
        names = tuple(sorted({*players, *(name for meeting in scores for name in meeting)}))
        index = {name: number for number, name in enumerate(names)}
        units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
        for (first, second), score in scores.items():
            if first == second:
                raise ValueError(f"a result needs two players, not {first!r} against itself")
            i, j = index[first], index[second]
            for points, count in ((1.0, score.wins), (0.5, score.draws), (0.0, score.losses)):
                if count:
                    unit = ((i < j, points if i < j else 1.0 - points),)
                    units[min(i, j), max(i, j)][unit] += count
        return cls(names, dict(units))

    def paired(self, player: str, opponent: str) -> Pentanomial:
        """Pairs and single games against `opponent`, from the view of `player`; empty if there are none."""
        i, j = self._index(player), self._index(opponent)
        cells, single = [0] * 5, Counter[float]()
        for unit, count in self.units.get((min(i, j), max(i, j)), Counter[Unit]()).items():
            if len(unit) == 2:
                cells[round(2 * (unit[0][1] + unit[1][1]))] += count
            else:
                single[unit[0][1]] += count
        found = Pentanomial(*cells, singles=Score(single[1.0], single[0.5], single[0.0]))
        return found if i < j else found.swapped

    def _index(self, player: str) -> int:
        try:
            return self.players.index(player)
        except ValueError:
            raise ValueError(f"there is no player {player!r} in the results") from None
