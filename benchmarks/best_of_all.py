"""Whether `best` of every game is behind any other player of this library, or a bot of a few lines: games until it is clear.

Each pairing is played in pairs of games, the same opening with both sides, until a sequential test says that `best` is behind
(100 points of Elo) or that it is not, or the most games are played. Where nobody draws at random, a pair of games that is the same, move
for move, as one before it counts once.
What was found is kept in benchmarks/best_of_all.jsonl, a row a pairing, and is not played again by the same sources: stop it at any time,
and start it again. What was never played comes first, and of that where `best` is the most likely to be behind.

    python benchmarks/best_of_all.py                                   # all pairings, a day and more
    python benchmarks/best_of_all.py --games othello connect_four --against mcts --seconds 0.05
    python benchmarks/best_of_all.py --minutes 30                      # as many as half an hour allows
    python benchmarks/best_of_all.py --cpu --minutes 30                # on a busy machine: seconds that the games had a core
    python benchmarks/best_of_all.py --list                            # what it would play, in this order
    python benchmarks/best_of_all.py --show                            # the table of what was played
    python benchmarks/best_of_all.py --show --write docs/strength.md
    python benchmarks/best_of_all.py --file full.jsonl --sizes 'goofspiel(cards=13)' --seconds 0.05 --most 400 --all-games --cpu
    python benchmarks/best_of_all.py --file again.jsonl --seed 2 --most 1000 --against smab    # other games, beside the record
"""

import argparse
import os
import sys
import time
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from cpu_clock import count_cpu_time
from plain_bots import PlainBot, bots_of
from rich.console import Console
from rich.table import Table
from strength_page import page_of
from strength_record import FILE, Counted, Pairing, Record, Row

from saddlepoint.algorithms import ALGORITHMS, SimultaneousMonteCarlo
from saddlepoint.arena.ledger.versions import sources_digest
from saddlepoint.arena.openings import random_openings
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
        "goofspiel(cards=8,utility=points)", "goofspiel(cards=13,utility=points)", "goofspiel(cards=13,order=ascending)",
    ),
    "oshi_zumo": (
        "oshi_zumo(coins=10)", "oshi_zumo(coins=50)", "oshi_zumo(coins=100)", "oshi_zumo(coins=200)", "oshi_zumo(coins=400)",
        "oshi_zumo(coins=50,min_bid=0,horizon=1000)", "oshi_zumo(coins=50,min_bid=0,horizon=30)",
        "oshi_zumo(coins=40,min_bid=0,horizon=1000)",
    ),
    "othello": ("othello(size=4)", "othello(size=6)", "othello"),
    "connect_four": ("connect_four(columns=4,rows=4)", "connect_four(columns=5,rows=4)", "connect_four"),
    "tron": ("tron(width=5,height=5)", "tron(width=8,height=8)", "tron(width=13,height=13)"),
    "soccer": ("soccer", "soccer(width=7,height=6)"),
    "pursuit_evasion": ("pursuit_evasion", "pursuit_evasion(width=6,height=6,depth=10)"),
    "random_game": ("random_game", "random_game(actions=5,depth=10,utility=sums)"),
    "simplexity": ("simplexity(rows=4,cols=4,round=4,square=4)", "simplexity"),
    "light_riders": ("light_riders(width=8,height=8)", "light_riders"),
    "battlesnake": ("battlesnake(width=7,height=7)", "battlesnake"),
    "tron41": ("tron41",),
}
"""The sizes of a game that are played; a game that is not here in its usual one."""
SOLVED = (
    "tic_tac_toe", "biased_rps", "random_game", "oshi_zumo(coins=10)", "oshi_zumo(coins=50)", "oshi_zumo(coins=100)", "soccer",
    "soccer(width=7,height=6)", "pursuit_evasion", "pursuit_evasion(width=6,height=6,depth=10)", "goofspiel(cards=4)", "goofspiel(cards=6)",
    "goofspiel(cards=8,utility=points)", "tron(width=5,height=5)", "othello(size=4)", "connect_four(columns=4,rows=4)",
    "connect_four(columns=5,rows=4)",
)
"""The games of these that `best` solves before its clock runs."""
EVALUATORS = {
    "goofspiel": "hands", "othello": "othello_network", "othello(size=6)": "mobility", "connect_four": "connect_four_network",
    "tron": "prospects", "simplexity": "lines",
    "light_riders": "prospects", "battlesnake": "snake_prospects", "tron41": "tron_control",
}  # fmt: skip
"""What `best` values positions with: other searches are tried with it too, where the game is not solved."""
SHORT, LONG = CLOCKS = (0.02, 0.2)
"""Seconds a move."""
KINDS = ("named", "mcts", "valued", "search", "bot")
"""Players of the roster; Monte Carlo; other searches with the evaluator of `best`; searches without one; bots of a few lines."""
OPENING_PLIES = {"othello": 6, "connect_four": 3, "tic_tac_toe": 1, "simplexity": 3, "rubiks_flip": 2, "tron": 2, "light_riders": 3}
"""Random moves before the first one, of games in which nobody may draw at random: without them all games would be the same."""
DRAWN = ("tron(width=5,height=5)",)
"""Of these what is solved beforehand: `best` draws its moves, so that equal games are no copies."""
LATE = 1.0
"""Seconds that a move may come late: a busy machine hands its cores out late, and a game lost so tells nothing."""
CHECKED = 2
"""Openings that are played at both times, to see that neither side depends on time."""


@dataclass(frozen=True)
class Opponent:
    """Somebody that plays a game."""

    spec: str
    kind: str


def opponents_of(text: str) -> list[Opponent]:
    """All who play a game: named players, searches, and bots of a few lines."""
    game = game_from_text(text, make_game)
    found = [Opponent(entry.name, "named") for entry in players_of(game.name) if entry.is_complete and entry.name != "best"]
    evaluator = None if text in SOLVED else EVALUATORS.get(text, EVALUATORS.get(game.name))
    for name, algorithm in ALGORITHMS.items():
        if algorithm is SimultaneousMonteCarlo:  # as it comes it is another name of duct
            continue
        for choice in ((), *([] if game.turn_based else [("choice=mixture",)])):
            for options, kind in ((choice, "search"), *([((f"evaluator={evaluator}", *choice), "valued")] if evaluator else [])):
                spec = f"{name}({','.join(options)})" if options else name
                try:
                    make_player(spec, game).close()
                except SpecError:
                    continue
                found.append(Opponent(spec, "mcts" if algorithm.name == "mcts" else kind))
    return found + [Opponent(f"bot: {name}", "bot") for name in bots_of(game)]


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


@dataclass
class Session:
    """What is played now: the sources' version, the most games of a pairing, the openings' seed, when to stop, whether all are played."""

    record: Record
    version: str
    most: int
    seed: int = 1
    until: float = float("inf")
    plays_all: bool = False

    def stands(self, pairing: Pairing) -> str:
        """Whether a pairing is done, or was never played (or not to the end), or by older sources."""
        row = self.record.get(pairing)
        if row is None or row.verdict == "under way":
            return "open"
        if row.version != self.version:
            return "older"
        return "done" if row.is_clear or row.won + row.drawn + row.lost >= self.most else "open"


class Playing:
    """The games of one pairing that are played now."""

    def __init__(self, pairing: Pairing, session: Session) -> None:
        self.pairing, self.session = pairing, session
        self.openings = openings_for(pairing.game, session.most // 2, session.seed)
        row = session.record.get(pairing)
        goes_on = row is not None and row.version == session.version
        self.games, self.faults = (list(row.games), row.faults or 0) if goes_on else ([], 0)
        self._loads, self._worked, self._began = [], time.process_time(), time.perf_counter()

    @property
    def counted(self) -> Counted:
        """What the games say."""
        return Counted.of(self.games, are_copies(self.pairing.game))

    @property
    def verdict(self) -> str:
        """How it stands."""
        if self.session.plays_all and len(self.games) < len(self.openings):
            return "under way"
        found = self.counted.verdict(self.session.most)
        return "undecided" if found == "under way" and len(self.games) >= len(self.openings) else found

    def play(self) -> None:
        """One more pair of games."""
        *pair, faults = play_pair(self.pairing, len(self.games), self.openings[len(self.games)], self.session.seed)
        self.games.append(tuple(pair))
        self.faults += faults
        self._loads.append(os.getloadavg()[0])

    def row(self) -> Row:
        """As it is kept."""
        return Row.of(
            self.pairing, self.games, self.counted, self.verdict, faults=self.faults, version=self.session.version,
            load=sum(self._loads) / len(self._loads), played=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M"),
            core=(time.process_time() - self._worked) / (time.perf_counter() - self._began),
        )  # fmt: skip


def play_pair(pairing, pair, opening, openings_seed=1):
    """Both games of a pair: the points of `best` in each, a checksum of their moves, and how many ended by a fault."""
    game, points, moves, faults = game_from_text(pairing.game, make_game), [], 0, 0
    best, other = warmed("best", pairing.game), warmed(pairing.against, pairing.game)
    clock = Clock(pairing.seconds, pairing.seconds)
    named = f"{pairing.game} {pairing.against} {pair}" + (f" {openings_seed}" if openings_seed != 1 else "")
    for side in (0, 1):
        players = (best, other) if side == 0 else (other, best)
        while True:
            try:
                record = play_game(game, players, game.from_text(opening), (clock, clock), zlib.crc32(named.encode()), LATE)
                break
            except MachineFault as error:
                print(f"played again: {error}", file=sys.stderr)
        share = (record.result - game.min_utility) / (game.max_utility - game.min_utility)
        points.append(share if side == 0 else 1 - share)
        moves = zlib.crc32(repr((opening, record.actions)).encode(), moves)
        faults += any(record.faults)
    return *points, moves, faults


def depends_on_time(game: str, spec: str) -> bool:
    """Whether `best` of a game, or the other one, plays better with more time."""
    return game not in SOLVED or not (spec == "random" or spec.startswith("bot: "))


def answered(pairing: Pairing, session: Session) -> Row | None:
    """The row of the shorter time, where it answers for this pairing: neither side depends on time, which some games check.

    None where it has to be played.
    """
    shorter = Pairing(pairing.game, SHORT, pairing.against)
    row = session.record.get(shorter)
    if pairing.seconds == SHORT or row is None or not row.is_clear or row.version != session.version:
        return None
    if depends_on_time(pairing.game, pairing.against):
        return None
    for number, opening in enumerate(openings_for(pairing.game, CHECKED, session.seed)):
        if play_pair(shorter, number, opening, session.seed) != play_pair(pairing, number, opening, session.seed):
            return None
    return row.at(pairing.seconds)


def run(pairing: Pairing, session: Session) -> Row | None:
    """Play a pairing until it is clear, or the time is up, and keep how it stands; None if not one pair of games was played."""
    if (row := answered(pairing, session)) is not None:
        session.record.enter(row)
        return row
    warmed("best", pairing.game), warmed(pairing.against, pairing.game)
    playing = Playing(pairing, session)
    played = 0
    try:
        while playing.verdict == "under way" and time.monotonic() < session.until:
            playing.play()
            played += 1
    finally:
        row = playing.row() if played else None
        if row is not None:
            session.record.enter(row)
    return row


def all_pairings(games, clocks) -> dict[Pairing, tuple[int, ...]]:
    """All that there is to play, each with its place: the smaller, the more telling.

    First what takes no time: solved games against whoever does not search. Then games in which `best` searches, against whoever knows the
    game or searches, at the short time and then at the long one; then against bots of a few lines; then searches in solved games, where
    `best` has what the game is worth with any time. Within that one opponent after the other, each in all games.
    """
    found = {}
    texts = [text for name in games for text in SIZES.get(name, (name,))]
    for order, text in enumerate(texts):
        count = dict.fromkeys(KINDS, 0)
        for one in opponents_of(text):
            count[one.kind] += 1
            for seconds in clocks:
                step = 5 if text in SOLVED else 3 if one.kind == "bot" else 1
                step = step + (seconds > SHORT) if depends_on_time(text, one.spec) else 0
                found[Pairing(text, seconds, one.spec)] = (step, KINDS.index(one.kind), count[one.kind], order)
    return found


def to_play(options, session: Session) -> list[Pairing]:
    """The pairings that are asked for and not done, what was never played before what older sources played."""
    places = all_pairings(options.games, options.seconds)
    found = [
        (session.stands(pairing) == "older", place, pairing) for pairing, place in places.items()
        if session.stands(pairing) != "done" and KINDS[place[1]] in options.kinds
        and (not options.sizes or pairing.game in options.sizes) and (not options.against or pairing.against in options.against)
    ]  # fmt: skip
    return [pairing for _, _, pairing in sorted(found)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="+", default=list(GAMES), metavar="GAME", help="only these games, in all their sizes")
    parser.add_argument("--sizes", nargs="+", metavar="SPEC", help="only these games, such as 'goofspiel(cards=6)'")
    parser.add_argument("--against", nargs="+", metavar="PLAYER", help="only against these, such as mcts or 'bot: bid the prize'")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="only against opponents of these kinds")
    parser.add_argument("--seconds", nargs="+", type=float, default=CLOCKS, help="a move")
    parser.add_argument("--most", type=int, default=200, help="games of a pairing")
    parser.add_argument("--all-games", action="store_true", help="play so many, for the score, however clear it is before")
    parser.add_argument("--seed", type=int, default=1, help="of the openings and of what is drawn")
    parser.add_argument("--cpu", action="store_true", help="seconds of a core, as if nothing else ran on this machine: takes longer there")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no further game after so long")
    parser.add_argument("--file", type=Path, default=FILE, help="where the rows are kept")
    parser.add_argument("--list", action="store_true", help="only tell what would be played, in this order")
    parser.add_argument("--show", action="store_true", help="only tell what was played")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page of the docs")
    options = parser.parse_args()
    if options.cpu:
        count_cpu_time()
    record, until = Record(options.file), time.monotonic() + 60 * options.minutes
    session = Session(record, sources_digest()[:6], options.most, options.seed, until, options.all_games)
    console = Console(stderr=True)
    pairings = [] if options.show else to_play(options, session)
    for pairing in pairings:
        if options.list:
            print(f"{pairing.game}  {pairing.seconds:g}  {pairing.against}")
            continue
        if time.monotonic() > until:
            break
        began = time.monotonic()
        row = run(pairing, session)
        if row is not None:
            console.print(
                f"{row.game} {row.seconds:g} s, best against {row.against}: {words_of(row)}, {time.monotonic() - began:.0f} s, "
                f"load {row.load:g}, a core for {100 * (row.core or 0):.0f} % of the time",
                style="bold red" if row.verdict == "behind" else None, highlight=False,
            )  # fmt: skip
    if options.write:
        page = page_of(record, list(all_pairings(GAMES, CLOCKS)), most=options.most, clocks=CLOCKS, checked=CHECKED)
        options.write.write_text(page, encoding="utf-8")
    elif options.show:
        table = Table("game", "seconds", "against", "best: won-drawn-lost, points", "version", "load", "played")
        for row in record:
            told = (f"{row.seconds:g}", row.against, words_of(row), row.version, f"{row.load:g}", row.played)
            table.add_row(row.game, *told)
        Console(width=max(console.width, 160)).print(table)


def words_of(row: Row) -> str:
    """A row in a few words."""
    mean, low, high = (f"{100 * one:.0f}" for one in row.points)
    as_at = "" if row.as_at is None else f", as at {row.as_at:g} s"
    return f"{row.won}-{row.drawn}-{row.lost}  {mean} % ({low}-{high}), {row.verdict}{as_at}"


if __name__ == "__main__":
    main()
