"""The options that `match`, `tournament`, `league` and `tune` share, and what they mean."""

import re
import secrets
import shlex
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import GAME_HELP, read_clock, read_game, read_limits
from .terminal import print, warn

if TYPE_CHECKING:
    from ..arena.conditions import MatchConditions
    from ..arena.ledger import Ledger
    from ..arena.schedule import Plan, Schedule
    from ..arena.tournament import Outcome
    from ..arena.tuning.run import TuningOutcome
    from ..arena.workers import Workers
    from ..players.clock import Clock
    from ..programs.isolation import Isolation

Game = Annotated[str, typer.Option("--game", help=GAME_HELP)]
Size = Annotated[str | None, typer.Option("--size", help="The field: 16x16.")]
Seconds = Annotated[float | None, typer.Option("--time", help="Seconds for each move (0.05).")]
Bank = Annotated[float | None, typer.Option("--bank", help="Seconds in the bank at the start; --time is then added a move.")]
Nodes = Annotated[int | None, typer.Option("--nodes", help="Positions a search may visit in a move: repeatable on any machine.")]
Tolerance = Annotated[float, typer.Option("--tolerance", min=0.0, help="Seconds a move may be late on a busy machine.")]
Isolate = Annotated[
    str,
    typer.Option(
        "--isolate",
        metavar="[=auto|namespaces|supervisor|none|all]",
        help="How programs are kept apart: namespaces where the system allows them (auto). Alone: every player gets a process.",
    ),
]
Memory = Annotated[str | None, typer.Option("--memory", help="What a player's processes may hold together: 512M, 2G; 512 is 512M.")]
Sandbox = Annotated[str, typer.Option("--sandbox", help="A command that is put before every program's own.")]
Logs = Annotated[str | None, typer.Option("--logs", help="Write what is said to programs into this folder, a file a game and player.")]
Seed = Annotated[
    int | None, typer.Option("--seed", help="Fixes the order of the openings and every random choice; by default nobody can guess it.")
]
TimeOf = Annotated[list[str], typer.Option("--time-of", help="PLAYER=SECONDS: another --time for this player; may be repeated.")]
BankOf = Annotated[list[str], typer.Option("--bank-of", help="PLAYER=SECONDS: another --bank for this player; may be repeated.")]
Extend = Annotated[
    bool, typer.Option("--extend", help="Go on with the last one in --ledger that had fewer games or players, else the same settings.")
]
Openings = Annotated[
    str, typer.Option("--openings", help="start, starts (all that the contest draws from), random:PLIES, or a file of positions.")
]
Concurrency = Annotated[int, typer.Option("-j", "--concurrency", min=0, help="Games at a time; 0: as many as keep the clocks honest.")]
Executor = Annotated[str | None, typer.Option("--executor", help="dask://HOST:PORT plays on a Dask cluster.")]
LedgerFile = Annotated[str | None, typer.Option("--ledger", help="Enter every finished game into this file (SQLite).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]

TOLERANCE = 0.02
EVERYBODY = "all"
"""The value of --isolate alone: players of this library too."""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_BYTES_FROM = 1 << 20  # a bare number below this is megabytes, from here on bytes
_LEAST_MEMORY = 1 << 20


def read_bytes(text: str | None) -> int | None:
    """A size such as 512M, 1.5G or 512 (megabytes) as bytes."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?)?", text.strip(), re.IGNORECASE)
    if not match:
        raise ValueError(f"--memory takes a size such as 512M or 2G, not {text!r}")
    number = float(match[1])
    size = number * _UNITS[match[2].upper()] if match[2] else number if number >= _BYTES_FROM else number * _UNITS["M"]
    if not _LEAST_MEMORY <= size < 1 << 60:
        raise ValueError(f"--memory takes a size of 1M or more, such as 512M or 2G, not {text!r}")
    return int(size)


def read_conditions(
    game: str, size: str | None, seconds: float | None, bank: float | None, nodes: int | None, tolerance: float,
    isolate: str = "auto", memory: str | None = None, players: tuple[str, ...] = (), time_of: Sequence[str] = (),
    bank_of: Sequence[str] = (), sandbox: str = "", logs: str | None = None,
) -> "MatchConditions":  # fmt: skip
    """The conditions of all games; `players` are those that `time_of` and `bank_of` may name."""
    from ..arena.conditions import MatchConditions

    return MatchConditions(
        read_game(game, size), read_clock(seconds, bank, nodes), read_limits(nodes), tolerance, read_isolation(isolate, memory, sandbox),
        read_logs(logs), _clocks(players, seconds, bank, nodes, time_of, bank_of),
    )  # fmt: skip


def read_isolation(isolate: str, memory: str | None, sandbox: str) -> dict[str, Any]:
    """The fields of MatchConditions that say how players are kept apart."""
    from ..programs.isolation import Isolation

    mode, limit = read_mode(isolate), read_bytes(memory)
    Isolation(limit, mode=mode, sandbox=sandbox)  # refuses what does not go together
    everybody = isolate == EVERYBODY or memory is not None  # only a process of its own can be limited
    return {"isolate": everybody, "memory": limit, "isolation_mode": mode, "sandbox": sandbox}


def read_mode(isolate: str) -> str:
    """How programs are kept apart, of an option that may be for every player."""
    from ..programs.isolation import MODES

    if isolate not in (*MODES, EVERYBODY):
        raise ValueError(f"--isolate takes {', '.join(MODES)} or {EVERYBODY}, not {isolate!r}")
    return "auto" if isolate == EVERYBODY else isolate


def read_logs(folder: str | None) -> str | None:
    """The folder for logs, made if need be, as an absolute path."""
    if folder is None:
        return None
    path = Path(folder).absolute()
    path.mkdir(parents=True, exist_ok=True)
    return str(path)


def with_bare_isolate(arguments: list[str]) -> list[str]:
    """`--isolate` without a value is `--isolate=all`: options of this library's parser always have one."""
    from ..programs.isolation import MODES

    words = (*MODES, EVERYBODY)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return [
        f"--isolate={EVERYBODY}" if word == "--isolate" and k < end and (arguments[k + 1 :] or [""])[0] not in words else word
        for k, word in enumerate(arguments)
    ]


def say_how_contained(isolation: "Isolation", players: Iterable[str]) -> None:
    """Tell, once, how the programs among these players are kept apart. Raises PlayerError where it cannot be as asked."""
    from ..programs.supervision import containment
    from ..spec import COMMAND, parse_spec

    if not isolation.programs_only or any(parse_spec(spec).name == COMMAND for spec in players):
        warn(str(containment(isolation)))


def _clocks(
    players: tuple[str, ...], seconds: float | None, bank: float | None, nodes: int | None, time_of: Sequence[str],
    bank_of: Sequence[str],
) -> "tuple[tuple[str, Clock], ...]":  # fmt: skip
    """The clocks of players that have one of their own."""
    times, banks = (_by_player(option, texts, players) for option, texts in (("--time-of", time_of), ("--bank-of", bank_of)))
    return tuple(
        (player, read_clock(times.get(player, seconds), banks.get(player, bank), nodes))
        for player in dict.fromkeys(players) if player in times or player in banks
    )  # fmt: skip


def _by_player(option: str, texts: Sequence[str], players: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in texts:
        player, mark, number = text.rpartition("=")
        try:
            found[player] = float(number)
        except ValueError:
            mark = ""
        if not mark:
            raise ValueError(f"{option} takes PLAYER=SECONDS, such as best=0.5, not {text!r}")
        if player not in players:
            raise ValueError(f"{option} names {player!r}, who does not play: the players are {', '.join(players)}")
    return found


def fresh_seed() -> int:
    """A seed that no player can guess."""
    from ..players.seeds import SEED_BITS

    return secrets.randbits(SEED_BITS)


def begun(
    book: "Ledger | None", schedule: "Schedule", conditions: "MatchConditions", plan_for: "Callable[[int], Plan]", seed: int | None, what: str,
    resume: bool, extend: bool,
) -> "tuple[int | None, Plan | None]":  # fmt: skip
    """The number and the plan of the tournament in the ledger that the options --resume or --extend go on with."""
    if not (resume or extend):
        return None, None
    if book is None:
        raise ValueError(f"{'--resume' if resume else '--extend'} goes on with a {what} of --ledger FILE; give the file")
    if resume and extend:
        raise ValueError("--resume plays what is missing, --extend more than was planned: give one of them")
    from ..arena.extending import find_extendable
    from ..arena.settings import find_unfinished, plan_of, settings_of
    from ..arena.tournament import check_versions

    if resume:
        found = find_unfinished(
            book, schedule.kind, schedule.players, lambda seed: settings_of(conditions, plan_for(seed)), seed, what
        )
        return found.id, plan_of(found)
    wanted = plan_for(0 if seed is None else seed)
    found = find_extendable(book, schedule, conditions, wanted.games, wanted.swap, seed)
    plan = plan_for(found.plan["seed"])
    check_versions(book, found.id, schedule.players)
    book.extend(found.id, schedule.players, settings_of(conditions, plan), schedule.planned(plan))
    return found.id, plan



def check_players(conditions: "MatchConditions", players: tuple[str, ...], executor: str | None = None) -> None:
    """Raise SpecError, in one sentence, for a player that there is not; on a cluster its programs are the workers' affair."""
    from ..roster.commands import missing_program
    from ..roster.make import make_player
    from ..spec import SpecError

    for spec in players:
        if spec == "human":
            raise ValueError("a match is between programs; `saddlepoint play` is for people")
        make_player(spec, conditions.game, conditions.limits).close()
        missing = missing_program(spec) if executor is None else None
        if missing is not None:
            raise SpecError(f"{spec}: there is no program {missing!r}")


@dataclass
class Machine:
    """Where the games are played, and a word about whether that is wise."""

    workers: "Workers"
    warning: str


def read_machine(conditions: "MatchConditions", players: tuple[str, ...], concurrency: int, executor: str | None, games: int | None) -> Machine:
    """The workers for these options."""
    from ..arena.workers import make_workers
    from ..arena.workers.make import default_concurrency, oversubscribed, threads_of

    if executor is not None:
        return Machine(make_workers(executor, concurrency, warn), "")
    say_how_contained(conditions.isolation, players)
    wanted = concurrency or default_concurrency(conditions, players)
    wanted = wanted if games is None else max(1, min(wanted, games))
    timed = conditions.clock.bank < float("inf")
    threads = max(threads_of(conditions, spec) for spec in players)
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
