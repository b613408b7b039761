"""The figures of a report on a ledger, and their labels."""

import heapq
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ...game.base import Game
from ...game.words import title_of, title_of_class
from ..ledger import Entry, Filter, Ledger, LedgerError, Tournament, VoidEntry
from ..schedule import game_of
from ..standings import Standings
from ..statistics.repeats import Repeats
from ..summary import rating_summary, reasons

SHOWN_GAMES = 5
"""How many of the longest games, of the shortest, and of those lost by a fault have a replay."""
_SHOWN_OPENINGS = 20
_NUMBER_BITS = 64  # as many as SQLite's integers have
_TICK = 256  # games between two words on progress


@dataclass
class GameFigures:
    """All games of one game with the same parameters, of any number of tournaments."""

    name: str
    parameters: dict[str, Any]
    tournaments: list[Tournament] = field(default_factory=list[Tournament])
    counts: Counter[int] = field(default_factory=Counter[int])
    """Games by tournament."""
    standings: Standings = field(default_factory=Standings)
    lengths: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """By steps: games that player 0 won, drew, lost; without those decided by a fault."""
    longest: list[tuple[int, int, Entry]] = field(default_factory=list[tuple[int, int, Entry]])
    shortest: list[tuple[int, int, Entry]] = field(default_factory=list[tuple[int, int, Entry]])
    """Heaps of games that ended by the rules, the first to go at the front."""
    faulty: list[Entry] = field(default_factory=list[Entry])
    """The first games that were decided by a fault."""
    last_id: int = 0
    voids: list[VoidEntry] = field(default_factory=list[VoidEntry])
    present: set[str] | None = None
    """Players that have not left their league, by label; None for all."""

    def add(self, entry: Entry, labels: tuple[str, str], paired: bool, condition_key: str) -> None:
        """Count one more game, its players by their labels; `condition_key` as for `Standings.add`."""
        played = entry.played
        self.counts[entry.tournament] += 1
        job = played.job
        first = entry.tournament << _NUMBER_BITS  # pairs are numbered within their tournament
        self.standings.paired = paired
        job = replace(job, number=first + job.number, pair=first + job.pair, players=labels)
        self.standings.add(replace(played, job=job), condition_key)
        self.last_id = max(self.last_id, entry.id)
        if any(played.faults):
            if len(self.faulty) < SHOWN_GAMES:
                self.faulty.append(entry)
            return
        self.lengths.setdefault(played.steps, [0, 0, 0])[round(2 - 2 * played.points)] += 1
        for heap, rank in ((self.longest, played.steps), (self.shortest, -played.steps)):
            item = (rank, -entry.id, entry)
            if len(heap) < SHOWN_GAMES:
                heapq.heappush(heap, item)
            elif item > heap[0]:
                heapq.heapreplace(heap, item)

    @property
    def shown(self) -> dict[str, list[Entry]]:
        """The games with a replay: `longest`, `shortest`, `faulty`."""
        heaps = {"longest": self.longest, "shortest": self.shortest}
        return {name: [item[2] for item in sorted(heap, reverse=True)] for name, heap in heaps.items()} | {
            "faulty": self.faulty
        }

    def summary(self, ledger: Ledger, resamples: int = 0) -> dict[str, Any]:
        """The figures as plain data: times in seconds, scores from 0 to 1, lengths in steps; `resamples` as in `rate`."""
        standings, table = self.standings, self.standings.table()
        games = sum(sum(counts) for counts in self.lengths.values())
        steps = sum(length * sum(counts) for length, counts in self.lengths.items())
        first = standings.first_player
        data: dict[str, Any] = {
            "game": self.name,
            "parameters": self.parameters,
            "tournaments": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "games": self.counts[one.id],
                    "planned": one.planned,
                    "created": one.created,
                    "finished": one.finished,
                    "terms": one.conditions,
                }
                for one in self.tournaments
            ],
            "games": standings.games,
            "repeats": standings.repeats.repeated,
            "alike": standings.repeats.alike,
            "voids": len(self.voids),
            "void_games": [
                {
                    "tournament": entry.tournament,
                    "number": entry.void.job.number,
                    "players": list(entry.void.job.players),
                    "reason": entry.void.reason,
                }
                for entry in self.voids[:SHOWN_GAMES]
            ],
            "ratings": None,
            "notes": [],
            "cross_table": [],
            "cycles": [],
            "mixture": None,
            "first_player": {**asdict(first), "score": first.mean, "interval95": list(first.interval())},
            "mean_length": steps / games if games else None,
            "lengths": [{"steps": steps, "counts": counts} for steps, counts in sorted(self.lengths.items())],
            "reasons": reasons(standings),
            "fault_count": standings.fault_count,
        }
        if len(table.players) > 1:
            data.update(rating_summary(table, resamples=resamples, present=self.present))
        order = [row["player"] for row in data["ratings"] or ()] or sorted(standings.players)
        data["players"] = [standings.player_summary(player) for player in order]
        numbers = [one.id for one in self.tournaments]
        rows, data["openings_in_all"] = ledger.openings(numbers, self.last_id, _SHOWN_OPENINGS)
        data["openings"] = [
            dict(zip(("opening", "games", "wins", "draws", "losses", "mean_length"), row, strict=True))
            for row in rows
        ]
        data |= {name: [_game(entry) for entry in entries] for name, entries in self.shown.items()}
        return data


def gather(
    ledger: Ledger,
    tournament: int | None = None,
    game: str | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> list[GameFigures]:
    """The figures of every game that a ledger has finished games of, in the order of their first tournament.

    tournament, game: only games of this tournament, of the game of this name. `tick(done, in all)` is called every now and
    then how far it is. Raises LedgerError where there are no games, or some that cannot be understood.
    """
    tournaments = {one.id: one for one in ledger.tournaments()}
    if tournament is not None:
        ledger.tournament(tournament)
    which = Filter(tournament=tournament, game=game)
    total = ledger.count(which)
    found: dict[str, GameFigures] = {}
    of: dict[int, GameFigures] = {}
    labels, gone = ledger.labels(), ledger.removed_players()
    seeds = ledger.shared_seeds()
    counting: dict[int, tuple[bool, str]] = {}  # paired, conditions as text
    for number, entry in enumerate(ledger.games(which), 1):
        if entry.tournament not in of:
            one = tournaments.get(entry.tournament) or ledger.tournament(
                entry.tournament
            )  # it may have begun just now
            name, parameters = one.described_game
            digest = one.conditions["game"].get("digest", "")  # changed rules are another game
            key = repr((name, sorted(parameters.items()), digest))
            if key not in found:
                found[key] = GameFigures(
                    name,
                    parameters,
                    standings=Standings(repeats=Repeats(seeds)),
                    present=set() if gone else None,
                )
            of[one.id] = found[key]
            of[one.id].tournaments.append(one)
            counting[one.id] = (one.paired, json.dumps(one.conditions, sort_keys=True))
        figures, specs = of[entry.tournament], entry.played.job.players
        names = (labels.of(specs[0], entry.versions[0]), labels.of(specs[1], entry.versions[1]))
        figures.add(entry, names, *counting[entry.tournament])
        if figures.present is not None:
            figures.present |= {name for name, spec in zip(names, specs, strict=True) if spec not in gone}
        if tick is not None and (number % _TICK == 0 or number >= total):
            tick(number, max(number, total))
    for void in ledger.voids(tournament):
        if void.tournament in of:
            of[void.tournament].voids.append(void)
    if not found:
        asked = "" if game is None else f" of {game}"
        asked += "" if tournament is None else f" in tournament {tournament}"
        names = sorted({one.described_game[0] for one in tournaments.values() if one.games})
        has = f"; there are games of {', '.join(names)}" if names and game is not None else ""
        raise LedgerError(f"{str(ledger.path)!r} has no finished games{asked}{has}")
    return list(found.values())


def report_data(
    ledger: Ledger, figures: Sequence[GameFigures], made: str, resamples: int = 0
) -> dict[str, Any]:
    """All figures as plain data; `made` is when, as text. With `resamples` ratings have bootstrap intervals, too."""
    return {
        "ledger": ledger.path.name,
        "made": made,
        "games": [one.summary(ledger, resamples) for one in figures],
    }


def _game(entry: Entry) -> dict[str, Any]:
    played = entry.played
    return {
        "id": entry.id,
        "tournament": entry.tournament,
        "players": list(played.job.players),
        "result": played.result,
        "points": played.points,
        "steps": played.steps,
        "cause": played.cause,
        "reason": played.reason,
    }


# What a report shows of texts that somebody else wrote, and what it calls the games of a ledger.

_LONGEST = 300  # characters of a text that somebody else wrote
# Control characters, which HTML does not have, and those that turn the direction of the text after them.
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def clean(value: object) -> str:
    """A value as text that can be shown: no control characters, no lone surrogates."""
    return _UNSHOWABLE.sub("\ufffd", str(value))


def clipped(value: object, longest: int = _LONGEST) -> str:
    """A value as text of bounded length."""
    text = clean(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def rules_of(tournament: Tournament) -> Game | None:
    """The game of a tournament; None of one in a file of the user's own that was not given, or that there is not."""
    try:
        return game_of(tournament)
    except LedgerError:
        return None


def title_in(tournament: Tournament) -> str:
    """The title of its game; where the rules are not at hand, one made from the name."""
    rules = rules_of(tournament)
    return title_of_class(clean(tournament.described_game[0])) if rules is None else title_of(type(rules))


def heading_of(figures: GameFigures) -> str:
    """The title of a game with its parameters."""
    title = title_in(figures.tournaments[0])
    parameters = ", ".join(f"{clean(name)}={clean(value)}" for name, value in figures.parameters.items())
    return clipped(f"{title} ({parameters})" if parameters else title)
