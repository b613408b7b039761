"""Tables of results from games and from scores, as tests write them down."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

from saddlepoint.arena.statistics.paired import ResultTable, Score, Unit


class Result(NamedTuple):
    """One game: who was player 0, who player 1, and player 0's points; both games of a pair have the same `pair`."""

    first: str
    second: str
    points: float
    pair: Hashable = None


def table_of(results: Iterable[Result], players: Iterable[str] = ()) -> ResultTable:
    """The table of these games; `players` may name more."""
    games = list(results)
    names = tuple(sorted({*players, *(game.first for game in games), *(game.second for game in games)}))
    pairs: defaultdict[tuple[int, int, Hashable], list[float]] = defaultdict(list)
    for number, game in enumerate(games):
        i, j = names.index(game.first), names.index(game.second)
        name = ("single", number) if game.pair is None else ("pair", game.pair)
        pairs[min(i, j), max(i, j), name].append(game.points if i < j else 1 - game.points)
    units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
    for (i, j, _), points in pairs.items():
        units[i, j][tuple(sorted(points))] += 1
    return ResultTable(names, dict(units))


def table_of_scores(scores: Mapping[tuple[str, str], Score], players: Iterable[str] = ()) -> ResultTable:
    """The table of single games: for (first, second) the score of the first."""
    names = tuple(sorted({*players, *(name for meeting in scores for name in meeting)}))
    units: defaultdict[tuple[int, int], Counter[Unit]] = defaultdict(Counter)
    for (first, second), score in scores.items():
        i, j = names.index(first), names.index(second)
        won, lost = (1.0, 0.0) if i < j else (0.0, 1.0)
        units[min(i, j), max(i, j)] += Counter(
            {(won,): score.wins, (0.5,): score.draws, (lost,): score.losses}
        )
    return ResultTable(names, dict(units))
