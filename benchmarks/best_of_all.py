"""Whether `best` of every game is behind any other player of this library, or a bot of a few lines: games until it is clear.

Each pairing is played in pairs of games, the same opening with both sides, until a sequential test says that `best` is behind
(100 points of Elo) or that it is not, or the most games are played. Where nobody draws at random, a pair of games that is the same, move
for move, as one before it counts once.
All games are kept in an SQLite file, and what is there is not played again: stop it at any time, and start it again.

    python benchmarks/best_of_all.py                                   # all pairings, many hours
    python benchmarks/best_of_all.py --games othello connect_four --against mcts --seconds 0.05
    python benchmarks/best_of_all.py --minutes 30                      # as many as half an hour allows, the most telling ones first
    python benchmarks/best_of_all.py --show                            # the table of what was played
    python benchmarks/best_of_all.py --show --write docs/strength.md
"""

import argparse
import json
import os
import sqlite3
import sys
import time
import zlib
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from plain_bots import PlainBot, bots_of
from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import ALGORITHMS
from saddlepoint.arena.ledger.versions import sources_digest
from saddlepoint.arena.openings import random_openings
from saddlepoint.arena.statistics.paired import Pentanomial, score_of_elo
from saddlepoint.arena.statistics.score import Score, score_interval
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.cluster.processes import usable_cores
from saddlepoint.compiled import MachineFault
from saddlepoint.play.game import play_game
from saddlepoint.play.preparation import warm_rules
from saddlepoint.players.clock import Clock
from saddlepoint.protocols.lines.words import game_from_text
from saddlepoint.roster.catalogue import players_of
from saddlepoint.roster.games import GAMES, make_game
from saddlepoint.roster.make import make_player
from saddlepoint.spec import SpecError

SIZES = {
    "goofspiel": (
        "goofspiel(cards=4)", "goofspiel(cards=6)", "goofspiel(cards=8)", "goofspiel(cards=10)", "goofspiel(cards=13)",
        "goofspiel(cards=8,utility=points)", "goofspiel(cards=13,utility=points)",
    ),
    "oshi_zumo": ("oshi_zumo(coins=10)", "oshi_zumo(coins=50)"),
    "othello": ("othello(size=4)", "othello(size=6)", "othello"),
    "connect_four": ("connect_four(columns=4,rows=4)", "connect_four(columns=5,rows=4)", "connect_four"),
    "tron": ("tron(width=5,height=5)", "tron(width=8,height=8)", "tron(width=13,height=13)"),
    "soccer": ("soccer", "soccer(width=7,height=6)"),
    "pursuit_evasion": ("pursuit_evasion", "pursuit_evasion(width=6,height=6,depth=10)"),
    "random_game": ("random_game",),
    "simplexity": ("simplexity(rows=4,cols=4,round=4,square=4)", "simplexity"),
    "light_riders": ("light_riders(width=8,height=8)", "light_riders"),
    "battlesnake": ("battlesnake(width=7,height=7)", "battlesnake"),
    "tron41": ("tron41",),
}
"""The sizes of a game that are played; a game that is not here in its usual one."""
CLOCKS = (0.02, 0.2)
"""Seconds a move."""
FIRST = ("bot", "named", "mcts", "search")
"""The order in which opponents are played: those that are most likely to be ahead first."""
TEST = Sprt(-100.0, 0.0, alpha=0.05, beta=0.01)
"""Of 100 players that are as good as `best` one at most is called ahead; of 100 that are 100 points of Elo ahead, 5 at most are not."""
LEAST_PAIRS = 4
COPIES = 12
"""So many pairs in a row that were played before: no other will come."""
OPENING_PLIES = {"othello": 6, "connect_four": 3, "tic_tac_toe": 1, "simplexity": 3, "rubiks_flip": 2, "tron": 2, "light_riders": 3}
"""Random moves before the first one, of games in which nobody may draw at random: without them all games would be the same."""
DRAWN = ("tron(width=5,height=5)",)
"""Of these what is solved beforehand: `best` draws its moves, so that equal games are no copies."""
LATE = 1.0
"""Seconds that a move may come late: a busy machine hands its cores out late, and a game lost so tells nothing."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    game TEXT, opponent TEXT, seconds REAL, version TEXT, pair INTEGER, side INTEGER, points REAL, moves INTEGER, fault TEXT,
    load REAL, played TEXT, PRIMARY KEY (game, opponent, seconds, version, pair, side)
)"""


@dataclass(frozen=True)
class Pairing:
    """`best` of a game against somebody, with so many seconds a move."""

    game: str
    opponent: str
    kind: str
    seconds: float

    @property
    def rank(self):
        """What comes first is played first."""
        return self.seconds, FIRST.index(self.kind)


def opponents_of(text):
    """(name, kind) of all who play a game: bots of a few lines, named players, and searches."""
    game = game_from_text(text, make_game)
    found = [(f"bot: {name}", "bot") for name in bots_of(game)]
    found += [(entry.name, "named") for entry in players_of(game.name) if entry.is_complete and entry.name != "best"]
    for name, algorithm in ALGORITHMS.items():
        for spec in (name, *([] if game.turn_based else [f"{name}(choice=mixture)"])):
            try:
                make_player(spec, game).close()
            except SpecError:
                continue
            found.append((spec, "mcts" if algorithm.name == "mcts" else "search"))
    return found


def player_of(spec, game):
    """A player of the library, or a bot of a few lines."""
    bot = spec.removeprefix("bot: ")
    return PlainBot(bots_of(game)[bot]) if bot != spec else make_player(spec, game)


@cache
def warmed(spec, text):
    """The player, with everything compiled; it is kept for all further games."""
    game = game_from_text(text, make_game)
    player = player_of(spec, game)
    asked = warm_rules(game, game.initial_state())
    for seat in (0, 1):
        player.warm(game, asked.get(seat, game.initial_state()), (seat,))
    return player


class Kept:
    """The file of all games that were played."""

    def __init__(self, path):
        self._file = sqlite3.connect(path)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute(_SCHEMA)

    def close(self):
        """Close it."""
        self._file.close()

    def enter(self, rows):
        """Keep a pair of games, or neither."""
        with self._file:
            self._file.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def played(self, pairing, version):
        """The games of a pairing: (pair, side, points, checksum of the moves)."""
        return self._file.execute(
            "SELECT pair, side, points, moves, fault FROM games "
            "WHERE game=? AND opponent=? AND seconds=? AND version=? ORDER BY pair, side",
            (pairing.game, pairing.opponent, pairing.seconds, version),
        ).fetchall()

    def pairings(self):
        """All pairings of which there are games: (game, opponent, seconds, version, mean load, last day)."""
        return self._file.execute(
            "SELECT game, opponent, seconds, version, AVG(load), MAX(played) FROM games GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 6"
        ).fetchall()


@dataclass(frozen=True)
class Counted:
    """What the different games of a pairing say, from the view of `best`."""

    pairs: tuple[tuple[float, float], ...]
    """The points of each pair's two games: 0 for the worst result there is, 1 for the best."""
    copies: int
    """Pairs since the last one that was not a copy of an earlier one."""

    @classmethod
    def of(cls, rows, once):
        """Of games as they are kept; with `once` a pair that is the same as one before it, move for move, counts once."""
        seen, found, copies = set(), {}, 0
        for pair, _, points, moves, _ in rows:
            found.setdefault(pair, []).append((points, moves))
        pairs = []
        for both in found.values():
            key = tuple(moves for _, moves in both)
            copies = copies + 1 if once and key in seen else 0
            if not copies:
                pairs.append(tuple(points for points, _ in both))
            seen.add(key)
        return cls(tuple(pairs), copies)

    @property
    def games(self):
        """Won, drawn and lost."""
        points = [one for pair in self.pairs for one in pair]
        return Score(sum(one > 0.5 for one in points), points.count(0.5), sum(one < 0.5 for one in points))

    @property
    def mean(self):
        """Points a game."""
        return sum(map(sum, self.pairs)) / (2 * len(self.pairs)) if self.pairs else 0.5

    @property
    def interval(self):
        """95 %; of pairs, each as one value between 0 and 1."""
        if not self.pairs:
            return 0.0, 1.0
        values = [sum(pair) / 2 for pair in self.pairs]
        return score_interval(self.mean, len(values), sum(one * (1 - one) for one in values) / len(values))

    def _tested(self):
        """What the sequential test says; where results are worth more or less than a win, the interval says it."""
        if len(self.pairs) < LEAST_PAIRS:
            return "continue"
        if all(one in (0.0, 0.5, 1.0) for pair in self.pairs for one in pair):
            games = [(number, one) for number, pair in enumerate(self.pairs) for one in pair]
            return TEST.decide(Pentanomial.from_games(games))
        return "H1" if self.interval[0] > score_of_elo(TEST.elo0) else "continue"

    def verdict(self, most):
        """Whether `best` is behind or not, or that so many games do not show it, or that more are to come."""
        if self.copies >= COPIES:  # these are all the games that there are
            return "behind" if self.mean < 0.5 else "not behind"
        found = self._tested()
        if found == "continue":
            if 2 * len(self.pairs) < most:
                return "under way"
            return "behind" if self.interval[1] < 0.5 else "undecided"
        return "behind" if found == "H0" else "not behind"

    def __str__(self):
        (low, high), score = self.interval, self.games
        return f"{score.wins}-{score.draws}-{score.losses}  {100 * self.mean:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def openings_for(text, count, seed):
    """Positions to begin in; the game's own start, as often as there are pairs, where chance or mixtures make games differ."""
    game = game_from_text(text, make_game)
    plies = OPENING_PLIES.get(game.name)
    if plies is None:
        return [game.to_text(game.initial_state())] * count
    found = random_openings(game, plies, count, seed)
    return [found[k % len(found)] for k in range(count)]


def are_copies(text):
    """Whether equal games of a game are copies of one: nobody draws at random."""
    name = text.partition("(")[0]
    return name in OPENING_PLIES and text not in DRAWN


def play_pair(pairing, pair, opening, version):
    """Both games of a pair, as rows for the file."""
    game, rows = game_from_text(pairing.game, make_game), []
    best, other = warmed("best", pairing.game), warmed(pairing.opponent, pairing.game)
    clock = Clock(pairing.seconds, pairing.seconds)
    for side in (0, 1):
        players = (best, other) if side == 0 else (other, best)
        seed = zlib.crc32(f"{pairing.game} {pairing.opponent} {pair}".encode())
        while True:
            try:
                record = play_game(game, players, game.from_text(opening), (clock, clock), seed, LATE)
                break
            except MachineFault as error:
                print(f"played again: {error}", file=sys.stderr)
        points = (record.result - game.min_utility) / (game.max_utility - game.min_utility)
        points = points if side == 0 else 1 - points
        moves = zlib.crc32(repr((opening, record.actions)).encode())
        fault = "; ".join(str(one) for one in record.faults if one)
        rows.append((
            pairing.game, pairing.opponent, pairing.seconds, version, pair, side, points, moves, fault, os.getloadavg()[0],
            datetime.now(UTC).isoformat(timespec="seconds"),
        ))  # fmt: skip
    return rows


def run(pairing, kept, version, most, until):
    """Play a pairing until it is clear, or the time is up; how it stands."""
    openings = openings_for(pairing.game, most // 2, 1)
    while True:
        rows = kept.played(pairing, version)
        counts = Counted.of(rows, are_copies(pairing.game))
        pairs = len({row[0] for row in rows})
        if (verdict := counts.verdict(most)) != "under way" or pairs >= len(openings):
            return counts, "undecided" if verdict == "under way" else verdict
        if time.monotonic() > until:
            return counts, verdict
        kept.enter(play_pair(pairing, pairs, openings[pairs], version))


def all_pairings(games, clocks):
    """All that there is to play, the most telling first; of each kind one game after the other."""
    texts = [text for name in games for text in SIZES.get(name, (name,))]
    found = [Pairing(text, name, kind, seconds) for text in texts for name, kind in opponents_of(text) for seconds in clocks]
    return sorted(found, key=lambda pairing: pairing.rank)


def results(kept, most):
    """A row for each pairing that was played, of the version that played it last."""
    found = {}
    for game, opponent, seconds, version, load, played in kept.pairings():  # the last version comes last
        pairing = Pairing(game, opponent, "", seconds)
        rows = kept.played(pairing, version)
        counts = Counted.of(rows, are_copies(pairing.game))
        found[pairing] = {
            "game": game, "opponent": opponent, "seconds": seconds, "version": version, "load": round(load, 1), "played": played[:10],
            "score": str(counts), "mean": counts.mean, "interval": counts.interval, "games": counts.games.games,
            "verdict": counts.verdict(most), "faults": sum(bool(row[4]) for row in rows),
        }  # fmt: skip
    return list(found.values())


_PAGE = """# Whether `best` is best

Written by `python benchmarks/best_of_all.py --show --write docs/strength.md` from the games that the program kept. It plays `best` of
each game against every other player of this library that plays it, and against bots of a few lines (`benchmarks/plain_bots.py`), until a
sequential test says that it is behind, by 100 points of Elo, or not. Each opening is played with both sides; the interval is one of 95 %,
of pairs. What {most} games do not show is undecided, and so is a pairing that was broken off. One pairing in a hundred is called behind by
chance alone. Both have as many seconds a move. The version is the digest of the library's sources that players depend
on; the load is the mean of the last minute, on {cores} cores, where one game is played at a time: both players are slowed alike.

{played} of the {all} pairings of the program were played so far. What is not in the last table is not known.

## Behind

{behind}

## Undecided

{undecided}

## All that was played

{rows}
"""
_HEAD = "| game | seconds | against | won-drawn-lost | points, 95 % | | version | load | day |\n|---|---:|---|---|---|---|---|---:|---|\n"


def table_of(found):
    """Rows as a table of the docs; a dash where there are none."""
    lines = []
    for row in found:
        score, _, share = row["score"].partition("  ")
        cells = (
            f"`{row['game']}`", f"{row['seconds']:g}", row["opponent"], score, share, row["verdict"], row["version"][:6],
            f"{row['load']:.0f}", row["played"],
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |\n")
    return (_HEAD + "".join(lines)).strip() if lines else "None."


def page_of(found, most):
    """The page of the docs."""
    undecided = [row for row in found if row["verdict"] in ("undecided", "under way")]
    behind = [row for row in found if row["verdict"] == "behind"]
    return _PAGE.format(
        most=most, cores=usable_cores(), played=len(found), all=len(all_pairings(GAMES, CLOCKS)), behind=table_of(behind),
        undecided=table_of(undecided), rows=table_of(found),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=list(GAMES), metavar="GAME", help="only these games, in all their sizes")
    parser.add_argument("--sizes", nargs="+", metavar="SPEC", help="only these games, such as 'goofspiel(cards=6)'")
    parser.add_argument("--against", nargs="+", metavar="PLAYER", help="only against these, such as mcts or 'bot: bid the prize'")
    parser.add_argument("--kinds", nargs="+", choices=FIRST, default=FIRST, help="only against opponents of these kinds")
    parser.add_argument("--seconds", nargs="+", type=float, default=CLOCKS, help="a move")
    parser.add_argument("--most", type=int, default=200, help="games of a pairing")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no further game after so long")
    parser.add_argument("--file", type=Path, default=Path("best_of_all.sqlite"))
    parser.add_argument("--show", action="store_true", help="only tell what was played")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page of the docs")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    version, until = sources_digest(), time.monotonic() + 60 * options.minutes
    console = Console(stderr=True)
    with closing(Kept(options.file)) as kept:
        if not options.show:
            pairings = all_pairings(options.games, options.seconds)
            for pairing in pairings:
                if pairing.kind not in options.kinds or (options.sizes and pairing.game not in options.sizes):
                    continue
                if options.against and pairing.opponent not in options.against:
                    continue
                if time.monotonic() > until:
                    break
                began = time.monotonic()
                counts, verdict = run(pairing, kept, version, options.most, until)
                console.print(
                    f"{pairing.game} {pairing.seconds:g} s, best against {pairing.opponent}: {counts}, {verdict}, "
                    f"{time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}", style="bold red" if verdict == "behind" else None,
                    highlight=False,
                )  # fmt: skip
        found = results(kept, options.most)
    if options.write:
        options.write.write_text(page_of(found, options.most), encoding="utf-8")
        return
    if options.json:
        print(json.dumps(found))
        return
    table = Table("game", "seconds", "against", "score of best", "verdict", "version", "load", "played")
    for row in found:
        table.add_row(
            row["game"], f"{row['seconds']:g}", row["opponent"], row["score"], row["verdict"], row["version"][:6], str(row["load"]),
            row["played"],
        )  # fmt: skip
    Console(width=max(console.width, 160)).print(table)


if __name__ == "__main__":
    main()
