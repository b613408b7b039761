"""The options that `match`, `tournament`, `league` and `tune` share, and what they mean."""

import re
import shlex
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GAME_HELP, read_clock, read_game, read_limits
from .terminal import print, warn

if TYPE_CHECKING:
    from ..arena.ledger import Ledger
    from ..arena.terms import Terms
    from ..arena.tournament import Outcome
    from ..arena.tuning_run import TuningOutcome
    from ..arena.workers import Workers

Game = Annotated[str, typer.Option("--game", help=GAME_HELP)]
Size = Annotated[str | None, typer.Option("--size", help="The field: 16x16.")]
Seconds = Annotated[float | None, typer.Option("--time", help="Seconds for each move (0.05).")]
Bank = Annotated[float | None, typer.Option("--bank", help="Seconds in the bank at the start; --time is then added a move.")]
Nodes = Annotated[int | None, typer.Option("--nodes", help="Positions a search may visit in a move: repeatable on any machine.")]
Tolerance = Annotated[float, typer.Option("--tolerance", min=0.0, help="Seconds a move may be late on a busy machine.")]
Isolate = Annotated[bool, typer.Option("--isolate", help="Give every player a process of its own; programs have one anyway.")]
Memory = Annotated[str | None, typer.Option("--memory", help="What a player's processes may hold together: 512M, 2G.")]
Seed = Annotated[int, typer.Option("--seed", help="Fixes the order of the openings and every random choice.")]
Openings = Annotated[
    str, typer.Option("--openings", help="start, starts (all that the contest draws from), random:PLIES, or a file of positions.")
]
Concurrency = Annotated[int, typer.Option("-j", "--concurrency", min=0, help="Games at a time; 0: as many as keep the clocks honest.")]
Executor = Annotated[str | None, typer.Option("--executor", help="dask://HOST:PORT plays on a Dask cluster.")]
LedgerFile = Annotated[str | None, typer.Option("--ledger", help="Enter every finished game into this file (SQLite).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]

TOLERANCE = 0.02
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_bytes(text: str | None) -> int | None:
    """A size such as 512M as bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)\s*([KMG]?)i?B?", text.strip(), re.IGNORECASE)
    if not match or not int(match[1]):
        raise ValueError(f"--memory takes a size such as 512M or 2G, not {text!r}")
    return int(match[1]) * _UNITS[match[2].upper()]


def read_terms(
    game: str, size: str | None, seconds: float | None, bank: float | None, nodes: int | None, tolerance: float,
    isolate: bool = False, memory: str | None = None,
) -> "Terms":  # fmt: skip
    """The terms of all games."""
    from ..arena.terms import Terms

    if memory is not None and not isolate:
        isolate = True  # only a process of its own can be limited
    limit = read_bytes(memory)
    return Terms(
        read_game(game, size), read_clock(seconds, bank, nodes), read_limits(nodes), tolerance, isolate, limit
    )  # fmt: skip


def check_players(terms: "Terms", players: tuple[str, ...], executor: str | None = None) -> None:
    """Raise SpecError, in one sentence, for a player that there is not; on a cluster its programs are the workers' affair."""
    from ..players.commands import missing_program
    from ..players.make import make_player
    from ..players.spec import SpecError

    for spec in players:
        if spec == "human":
            raise ValueError("a match is between programs; `saddlepoint play` is for people")
        make_player(spec, terms.game, terms.limits).close()
        missing = missing_program(spec) if executor is None else None
        if missing is not None:
            raise SpecError(f"{spec}: there is no program {missing!r}")


@dataclass
class Machine:
    """Where the games are played, and a word about whether that is wise."""

    workers: "Workers"
    warning: str


def read_machine(terms: "Terms", players: tuple[str, ...], concurrency: int, executor: str | None, games: int | None) -> Machine:
    """The workers for these options."""
    from ..arena.workers import default_concurrency, make_workers, oversubscribed, threads_of

    if executor is not None:
        return Machine(make_workers(executor, concurrency, warn), "")
    wanted = concurrency or default_concurrency(terms, players)
    wanted = wanted if games is None else max(1, min(wanted, games))
    timed = terms.clock.bank < float("inf")
    threads = max(threads_of(terms, spec) for spec in players)
    return Machine(make_workers(None, wanted), oversubscribed(wanted, threads) if timed else "")


@contextmanager
def opened_ledger(path: str | None, create: bool = True) -> "Generator[Ledger | None]":
    """The ledger of an option, if there is one; closed afterwards."""
    from ..arena.ledger import Ledger

    if path is None:
        yield None
        return
    with Ledger(path, create) as ledger:
        yield ledger


def say_how_to_replay(ledger: str | None, fault_count: int) -> None:
    """Where games were decided by a fault: how to play them again."""
    if ledger is not None and fault_count:
        print(f"to play these games again: saddlepoint games list {shlex.quote(ledger)} --cause fault")


def finish(outcome: "Outcome | TuningOutcome", ledger: str | None, resume: str) -> None:
    """Say what an interruption left, or what could not be played; raises as `main` expects."""
    if outcome.interrupted:
        warn(f"{ledger} has the finished games; {resume}" if ledger else "")
        raise KeyboardInterrupt
    if outcome.unplayable:
        raise ValueError("; ".join(outcome.unplayable))
