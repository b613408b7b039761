"""What `best_of_all.py` keeps: a line for each pairing, in a text file, sorted, so that a change of it can be read.

A pairing that is not clear yet has its pairs of games too, from which a later run goes on.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path

from saddlepoint.arena.statistics.paired import Pentanomial, score_of_elo
from saddlepoint.arena.statistics.score import Score, score_interval
from saddlepoint.arena.statistics.sprt import Sprt

FILE = Path(__file__).with_name("best_of_all.jsonl")
TEST = Sprt(-100.0, 0.0, alpha=0.05, beta=0.01)
"""Of 100 players that are as good as `best` one at most is called ahead; of 100 that are 100 points of Elo ahead, 5 at most are not."""
LEAST_PAIRS = 4
COPIES = 12
"""So many pairs in a row that were played before: no other will come."""
CLEAR = ("behind", "not behind")
"""Verdicts that further games do not change."""
VERDICTS = (*CLEAR, "undecided", "under way")

PairOfGames = tuple[float, float, int]
"""The points of `best` in both games of a pair, 0 for the worst result there is and 1 for the best, and a checksum of the moves."""


@dataclass(frozen=True, order=True)
class Pairing:
    """`best` of a game against somebody, with so many seconds a move."""

    game: str
    seconds: float
    against: str


@dataclass(frozen=True)
class Counted:
    """What the different games of a pairing say, from the view of `best`."""

    pairs: tuple[tuple[float, float], ...]
    """The points of each pair's two games."""
    copies: int
    """Pairs since the last one that was not a copy of an earlier one."""

    @classmethod
    def of(cls, games: Iterable[PairOfGames], once: bool) -> "Counted":
        """Of pairs as they were played; with `once` one that is the same as one before it, move for move, counts once."""
        seen, pairs, copies = set(), [], 0
        for first, second, moves in games:
            copies = copies + 1 if once and moves in seen else 0
            if not copies:
                pairs.append((first, second))
            seen.add(moves)
        return cls(tuple(pairs), copies)

    @property
    def score(self) -> Score:
        """Won, drawn and lost."""
        points = [one for pair in self.pairs for one in pair]
        return Score(sum(one > 0.5 for one in points), points.count(0.5), sum(one < 0.5 for one in points))

    @property
    def mean(self) -> float:
        """Points a game."""
        return sum(map(sum, self.pairs)) / (2 * len(self.pairs)) if self.pairs else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95 %; of pairs, each as one value between 0 and 1."""
        if not self.pairs:
            return 0.0, 1.0
        values = [sum(pair) / 2 for pair in self.pairs]
        return score_interval(self.mean, len(values), sum(one * (1 - one) for one in values) / len(values))

    @property
    def cells(self) -> tuple[int, ...] | None:
        """How many pairs gave 0, 1/2, 1, 3/2 and 2 points; None where results are worth more or less than a win."""
        if not all(one in (0.0, 0.5, 1.0) for pair in self.pairs for one in pair):
            return None
        return Pentanomial.from_games((number, one) for number, pair in enumerate(self.pairs) for one in pair).cells

    def _tested(self) -> str:
        """What the sequential test says; where results are worth more or less than a win, the interval says it."""
        if len(self.pairs) < LEAST_PAIRS:
            return "continue"
        if (cells := self.cells) is not None:
            return TEST.decide(cells)
        return "H1" if self.interval[0] > score_of_elo(TEST.elo0) else "continue"

    def verdict(self, most: int) -> str:
        """Whether `best` is behind or not, or that so many games do not show it, or that more are to come."""
        if self.copies >= COPIES:  # these are all the games that there are
            return "behind" if self.mean < 0.5 else "not behind"
        found = self._tested()
        if found == "continue":
            if 2 * len(self.pairs) < most:
                return "under way"
            return "behind" if self.interval[1] < 0.5 else "undecided"
        return "behind" if found == "H0" else "not behind"

    def __str__(self) -> str:
        score, (low, high) = self.score, self.interval
        return f"{score.wins}-{score.draws}-{score.losses}  {100 * self.mean:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


@dataclass(frozen=True)
class Row:
    """How a pairing stands."""

    game: str
    seconds: float
    against: str
    verdict: str
    won: int
    drawn: int
    lost: int
    points: tuple[float, float, float]
    """A game's mean, and the interval of 95 %."""
    pairs: tuple[int, ...] | None
    """How many pairs of games gave 0, 1/2, 1, 3/2 and 2 points; None where that is not known, or results are worth other than that."""
    faults: int | None
    """Games that ended by a fault, such as a late answer; None where that is not known."""
    version: str
    """The first six digits of the digest of the sources."""
    load: float
    """The mean of the machine's load."""
    core: float | None
    """The share of the games' time in which their process had a core."""
    played: str
    """The day, and where it is known the time (UTC)."""
    as_at: float | None = None
    """Where neither side depends on time: the seconds a move of the pairing whose games these are."""
    games: tuple[PairOfGames, ...] = field(default=())
    """All pairs of games that were played, of a pairing that is not clear."""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}, not {self.verdict!r}")
        if not 0.0 <= self.points[1] <= self.points[0] <= self.points[2] <= 1.0:
            raise ValueError(f"points are a mean and the interval around it, not {self.points}")
        if self.pairs is not None and 2 * sum(self.pairs) != self.won + self.drawn + self.lost:
            raise ValueError(f"{sum(self.pairs)} pairs are not {self.won}-{self.drawn}-{self.lost}")

    @classmethod
    def of(
        cls, pairing: Pairing, games: Iterable[PairOfGames], counted: Counted, verdict: str, *, faults: int, version: str, load: float,
        core: float | None, played: str,
    ) -> "Row":
        """How a pairing stands after these games, of which `counted` holds those that are no copies."""
        score, points = counted.score, tuple(round(one, 4) for one in (counted.mean, *counted.interval))
        return cls(
            pairing.game, pairing.seconds, pairing.against, verdict, score.wins, score.draws, score.losses, points, counted.cells,
            faults, version, round(load, 1), None if core is None else round(core, 2), played,
            games=() if verdict in CLEAR else tuple(games),
        )  # fmt: skip

    @property
    def pairing(self) -> Pairing:
        """Whose row it is."""
        return Pairing(self.game, self.seconds, self.against)

    @property
    def is_clear(self) -> bool:
        """Whether further games would not change the verdict."""
        return self.verdict in CLEAR

    def at(self, seconds: float) -> "Row":
        """The same games as those with another time a move."""
        return replace(self, seconds=seconds, as_at=self.seconds)

    def to_json(self) -> str:
        """One line."""
        told = asdict(self)
        if self.as_at is None:
            del told["as_at"]
        if not self.games:
            del told["games"]
        return json.dumps(told)

    @classmethod
    def from_json(cls, line: str) -> "Row":
        """The inverse of `to_json`; raises ValueError."""
        told = json.loads(line)
        needed = {one.name for one in fields(cls)} - {"as_at", "games"}
        if not isinstance(told, dict) or not needed <= set(told) <= needed | {"as_at", "games"}:
            raise ValueError(f"a row has {', '.join(sorted(needed))}")
        told["points"] = tuple(told["points"])
        told["pairs"] = None if told["pairs"] is None else tuple(told["pairs"])
        told["games"] = tuple((first, second, moves) for first, second, moves in told.get("games", ()))
        return cls(**told)


class Record:
    """The rows of a file, by pairing. Each change is written at once, and replaces the whole file or nothing of it."""

    def __init__(self, path: Path = FILE) -> None:
        self.path = path
        self._rows = {row.pairing: row for row in _rows_of(path)}

    def __iter__(self) -> Iterator[Row]:
        return iter(sorted(self._rows.values(), key=lambda row: row.pairing))

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, pairing: Pairing) -> Row | None:
        """The row of a pairing, if it was played."""
        return self._rows.get(pairing)

    def enter(self, row: Row) -> None:
        """Keep a row; one that is not clear does not replace one that is."""
        before = self.get(row.pairing)
        if before is not None and before.is_clear and row.verdict == "under way":
            return
        self._rows[row.pairing] = row
        new = self.path.with_suffix(".new")
        new.write_text("".join(f"{one.to_json()}\n" for one in self), encoding="utf-8")
        new.replace(self.path)


def _rows_of(path: Path) -> Iterator[Row]:
    if not path.exists():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield Row.from_json(line)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
