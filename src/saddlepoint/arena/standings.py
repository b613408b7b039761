"""The standings of a tournament: counts that grow with the players, not with the games."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from .conditions import RULES, PlayedGame, VoidGame
from .statistics.paired import Pentanomial, ResultTable, Score, Unit
from .statistics.repeats import Latency, Repeats

_REMEMBERED_FAULTS = 20
_FEW_REPEATS = 20  # repeated games in a row, at least, until no new one is expected


@dataclass
class PairingFigures:
    """The games of two players, from the view of the first in the alphabet."""

    score: Score = Score()
    """Without games that repeat another."""
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games (one opening, sides swapped) in which the first player took 0, 1/2, 1, 3/2 or 2 points."""
    open_pairs: dict[int, float] = field(default_factory=dict[int, float])
    """Pairs of which one game is played: the player's points in it."""
    units: Counter[Unit] = field(default_factory=Counter[Unit])
    """Complete pairs, or single games where games are not paired."""
    played: int = 0
    """All games, also those that repeat another."""
    repeats_in_a_row: int = 0
    """The number of the last games in a row that repeat another."""

    @property
    def exhausted(self) -> bool:
        """Whether nothing new is expected: the last games, twice as many as differ, all repeat another."""
        return self.repeats_in_a_row >= max(_FEW_REPEATS, 2 * self.score.games)

    @property
    def counts(self) -> Pentanomial:
        """The counts of the pairs, and of the games without their other half."""
        half = list(self.open_pairs.values())
        return Pentanomial(*self.pairs, singles=Score.of(half) if any(self.pairs) or half else self.score)


@dataclass
class PlayerFigures:
    """The totals of one player over all its games."""

    score: Score = Score()
    """Of the games that count: none that repeats another."""
    played: int = 0
    """All games."""
    late_moves: int = 0
    latency: Latency = field(default_factory=Latency)
    nodes: int = 0
    searched_seconds: float = 0.0
    depths: float = 0.0
    searches: int = 0
    lost_by: Counter[str] = field(default_factory=Counter[str])
    """Lost games by their cause: `rules`, or the kind of its fault."""

    def add_effort(self, played: PlayedGame, side: int) -> None:
        """Count its times and searches in one more game."""
        self.played += 1
        self.late_moves += played.late[side]
        for seconds in played.times[side]:
            self.latency.add(seconds)
        for search in filter(None, played.searches[side]):
            if search.nodes is not None:
                self.nodes += search.nodes
                self.searched_seconds += search.seconds
            if search.depth is not None:
                self.depths += search.depth
                self.searches += 1


class Standings:
    """Results added game by game, in any order.

    Every game counts for the time it took and for its faults. For scores, a game that repeats another (`repeats.py`) counts
    not again.
    """

    def __init__(self, paired: bool = True, repeats: Repeats | None = None) -> None:
        self.paired = paired
        self.repeats = repeats or Repeats()
        self.voids = 0
        """Games that a failure of the machine ended; none of them is in any other figure."""
        self.void_reasons: list[str] = []
        """Of the first of them."""
        self.games = self.steps = 0
        """All games, repeated ones too, and their steps."""
        self.pairings: dict[tuple[str, str], PairingFigures] = {}
        """By the two specs, in alphabetical order."""
        self.players: dict[str, PlayerFigures] = {}
        self.first_player = Score()
        """Player 0's, whoever that was."""
        self.faults: list[str] = []
        """The first games decided by a fault."""
        self.fault_count = 0

    def add(self, played: PlayedGame, condition_key: str = "") -> None:
        """Count one more game. `condition_key` stands for its conditions."""
        job = played.job
        self.games += 1
        self.steps += played.steps
        for side, spec in enumerate(job.players):
            self.players.setdefault(spec, PlayerFigures()).add_effort(played, side)
        a, b = sorted(job.players)
        figures = self.pairings.setdefault((a, b), PairingFigures())
        figures.played += 1
        figures.repeats_in_a_row += 1
        for new in self.repeats.new_games(played, condition_key):
            self._add_result(new)
        if any(played.faults):
            self.fault_count += 1
            if len(self.faults) < _REMEMBERED_FAULTS:
                self.faults.append(f"game {job.number}: {played.reason}")

    def add_void(self, void: VoidGame) -> None:
        """Count a game without a result."""
        self.voids += 1
        if len(self.void_reasons) < _REMEMBERED_FAULTS:
            self.void_reasons.append(f"game {void.job.number}: {void.reason}")

    def points(self, a: str, b: str) -> float:
        """Points that a has taken from b."""
        return self.between(a, b).score.points

    def between(self, a: str, b: str) -> PairingFigures:
        """The figures of two players from a's view."""
        figures = self.pairings.get((min(a, b), max(a, b)), PairingFigures())
        if a <= b:
            return figures
        opened = {pair: 1 - points for pair, points in figures.open_pairs.items()}
        units = Counter(
            {tuple(sorted(1 - points for points in unit)): count for unit, count in figures.units.items()}
        )
        turned = (figures.score.swapped, figures.pairs[::-1], opened, units)
        return PairingFigures(*turned, figures.played, figures.repeats_in_a_row)

    def exhausted(self, a: str, b: str) -> bool:
        """Whether nothing new is expected of more games between two players."""
        return self.pairings.get((min(a, b), max(a, b)), PairingFigures()).exhausted

    def table(self) -> ResultTable:
        """All results between different players, for ratings and cross tables."""
        names = tuple(sorted(self.players))
        index = {name: number for number, name in enumerate(names)}
        units = {
            (index[a], index[b]): figures.units + Counter((points,) for points in figures.open_pairs.values())
            for (a, b), figures in self.pairings.items()
            if a != b
        }
        return ResultTable(names, units)

    def _add_pairing(self, played: PlayedGame) -> None:
        a, b = played.job.players
        # A player against itself has no name to tell its sides by, but pairs swap them.
        swapped = played.job.number != played.job.pair if a == b else b < a
        points = 1 - played.points if swapped else played.points
        figures = self.pairings.setdefault((b, a) if swapped else (a, b), PairingFigures())
        figures.score += Score.of((points,))
        figures.repeats_in_a_row = 0
        if not self.paired:
            figures.units[(points,)] += 1
            return
        before = figures.open_pairs.pop(played.job.pair, None)
        if before is None:
            figures.open_pairs[played.job.pair] = points
        else:
            figures.units[tuple(sorted((before, points)))] += 1
            figures.pairs[round(2 * (before + points))] += 1

    def _add_result(self, played: PlayedGame) -> None:
        self.first_player += Score.of((played.points,))
        self._add_pairing(played)
        for side, spec in enumerate(played.job.players):
            figures = self.players[spec]
            points = played.points if side == 0 else 1 - played.points
            figures.score += Score.of((points,))
            if points == 0:
                fault = played.faults[side]
                figures.lost_by[RULES if fault is None else fault.kind.value] += 1

    def player_summary(self, spec: str) -> dict[str, Any]:
        """One player's figures as plain data; times in seconds."""
        figures = self.players.get(spec, PlayerFigures())
        return {
            "player": spec,
            "games": figures.score.games,
            **asdict(figures.score),
            "score": figures.score.mean,
            "late_moves": figures.late_moves,
            "latency": figures.latency.summary(),
            "nodes_per_second": figures.nodes / figures.searched_seconds
            if figures.searched_seconds
            else None,
            "depth": figures.depths / figures.searches if figures.searches else None,
            "lost_by": dict(figures.lost_by),
        }
