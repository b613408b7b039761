"""`ledger`: the games that were played, as a ledger keeps them."""

import json
import shlex
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..game.spec import parse_spec
from ..system.files import STDOUT, check_ledger, check_output, write_lines
from ..system.terminal import (
    ask,
    both_are_terminals,
    print,
    print_error,
    print_json,
    print_records,
    print_wrapped,
    warn,
)
from ..system.text import Column, count_of
from .arena_options import LedgerArgument, Rules, grouped
from .common import Aliases, read_game_name
from .show import Ascii, Plain, show_replay

if TYPE_CHECKING:
    from ..arena.ledger import Entry, Filter, Ledger
    from ..game.base import Game


ledger = typer.Typer(
    no_args_is_help=True,
    help="Look at the finished games of a ledger, play them again, export and merge.\n\n"
    "Example: saddlepoint ledger list games.db",
)

GameId = Annotated[int, typer.Argument(min=1, help="The game's id, as `ledger list` prints it.")]


@dataclass(frozen=True)
class FilterOptions:
    player: Annotated[str | None, typer.Option("--player", help="Games of this player, on either side.")] = (
        None
    )
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", callback=read_game_name, help="Games of this game."),
    ] = None
    cause: Annotated[
        str | None,
        typer.Option(
            "--cause",
            help="rules, fault (any), late, 'illegal move', memory, flood, escape, crash or error.",
        ),
    ] = None
    reason: Annotated[str | None, typer.Option("--reason", help="Games whose reason has these words.")] = None
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Not before this date (UTC): 2030-01-31.")
    ] = None
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Before this date.")] = None
    won_by: Annotated[str | None, typer.Option("--won-by", help="Games that this player won.")] = None
    lost_by: Annotated[str | None, typer.Option("--lost-by", help="Games that this player lost.")] = None
    drawn: Annotated[bool, typer.Option("--drawn", help="Draws.")] = False
    result: Annotated[
        float | None, typer.Option("--result", help="Games with this result of player 0: 1, 0, -1, ...")
    ] = None
    tournament: Annotated[
        int | None, typer.Option("--tournament", min=1, help="Games of this tournament.")
    ] = None

    def filter(self, aliases: Aliases) -> "Filter":
        from ..arena.ledger import Filter

        player, winner, loser = (
            None if one is None else aliases.spec(one) for one in (self.player, self.won_by, self.lost_by)
        )
        if self.drawn and (winner or loser):
            raise ValueError(
                "a game that is --drawn is neither --won-by nor --lost-by anybody; give one of them"
            )
        since, until = _date("--since", self.since), _date("--until", self.until)
        return Filter(
            self.tournament,
            player,
            self.game,
            self.cause,
            self.reason,
            since,
            until,
            loser,
            winner,
            self.drawn or None,
            self.result,
        )


def _date(option: str, text: str | None) -> str | None:
    """A date as the ledger writes it."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{option} takes a date such as 2030-01-31 or 2030-01-31T12:00, not {text!r}"
        ) from None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at.isoformat(timespec="milliseconds")


@ledger.command("list")
@grouped
def list_played(
    ledger: LedgerArgument,
    which: FilterOptions,
    last: Annotated[int, typer.Option("-n", "--last", min=1, help="How many, the latest.")] = 20,
    *,
    aliases: Aliases,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """List finished games.

    For those decided by a fault also the command that plays them again.

    Example: saddlepoint ledger list games.db

    Example: saddlepoint ledger list games.db --lost-by ./mybot.py
    """
    from ..arena.ledger import Filter
    from ..arena.replaying import turn_count

    wanted = which.filter(aliases)
    with _ledger(ledger) as book:
        entries = list(book.games(wanted, last))
        turns = [turn_count(book, entry) for entry in entries]
        total = book.count(wanted)
        voids = len(book.voids(wanted.tournament)) if wanted == Filter(wanted.tournament) else 0
    rows = [_row(entry, count) for entry, count in zip(entries, turns, strict=True)]
    if as_json:
        print_json(rows)
        return
    print_records(
        _COLUMNS,
        [row | {"turns": "-" if row["turns"] is None else row["turns"]} for row in aliases.shown(rows)],
    )
    if any(row["turns"] is None for row in rows):
        print_wrapped(
            "where turns has -, the rules are not at hand that count them; --game ./FILE.py:CLASS gives those of your own game"
        )
    for entry, count in zip(entries, turns, strict=True):
        if any(entry.played.faults):
            rules = " --game ./FILE.py:CLASS" if count is None else ""
            print(f"game {entry.id}: saddlepoint ledger replay {shlex.quote(ledger)} {entry.id}{rules}")
    print_error(
        f"{len(rows)} of {count_of(total, 'game')}"
        + (f"; {voids} more were void, because the machine failed" if voids else "")
    )


_COLUMNS = (
    Column("id"),
    Column("tournament", weight=1),
    Column("player 0", wraps=True),
    Column("player 1", wraps=True),
    Column("result"),
    Column("turns", weight=3),
    Column("reason", wraps=True),
    Column("started", weight=2, text=True),
)


def _row(entry: "Entry", turns: int | None) -> dict[str, Any]:
    played = entry.played
    return {
        "id": entry.id,
        "tournament": entry.tournament,
        "player 0": played.job.players[0],
        "player 1": played.job.players[1],
        "result": f"{played.points:g}-{1 - played.points:g}",
        "turns": turns,
        "steps": played.steps,
        "reason": played.reason,
        "started": datetime.fromtimestamp(played.started, UTC).isoformat(sep=" ", timespec="seconds")[:19],
    }


@ledger.command("show")
def show_played(
    ledger: LedgerArgument,
    number: GameId,
    game: Rules = None,
    step: Annotated[
        int | None,
        typer.Option("--step", min=0, help="The position after so many steps, those of chance counted."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the game as JSON.")] = False,
    plain: Plain = False,
    ascii_only: Ascii = False,
) -> None:
    """Step through a finished game.

    Enter for the next position, b for the one before, q to quit.

    Example: saddlepoint ledger show games.db 1
    """
    from ..arena.replaying import export_json
    from ..games.catalogue.games import replay_of
    from ..play.replay import finished

    entry, rules = _entry(ledger, number)
    data = export_json(rules, entry)
    if as_json:
        print_json(data)
        return
    played = replay_of(data, f"game {number}")
    show_replay(played, finished(played), step, f"game {number}", plain, ascii_only)


@ledger.command("replay")
def replay(
    ledger: LedgerArgument,
    number: GameId,
    game: Rules = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Start the programs that the ledger names without asking.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what came of it as JSON.")] = False,
) -> None:
    """Play a finished game again: the same players, opening and seed.

    Without a clock it is the same move for move. A ledger may come from somebody else: programs and Python
    files that it names are started only if you agree.

    Example: saddlepoint ledger replay games.db 1
    """
    from ..arena.conditions import VoidGame
    from ..arena.schedule import conditions_of
    from ..arena.workers import MatchPlayers
    from .arena_runs import check_players

    with _ledger(ledger) as book:
        entry = book.game(number)
        conditions = conditions_of(book.tournament(entry.tournament))
    isolation = conditions.isolation
    agree_to_start(
        [
            *programs_among(entry.played.job.players),
            *filter(None, [isolation.sandbox]),
            *isolation.shown,
        ],
        f"game {number} of {ledger}",
        yes,
    )
    with closing(MatchPlayers()) as made:
        conditions = conditions.hiding(entry.played.job.players, ledger)
        check_players(conditions, entry.played.job.players, made=made)
        again = made.play(conditions, entry.played.job)
    if isinstance(again, VoidGame):
        raise ValueError(f"the machine failed while the game was played again: {again.reason}")
    before = entry.played
    same = next((n for n, (x, y) in enumerate(zip(before.actions, again.actions)) if x != y), None)
    if same is None and len(before.actions) != len(again.actions):
        same = min(len(before.actions), len(again.actions))
    if as_json:
        print_json({"then": before.reason, "now": again.reason, "differs_at_step": same})
        return
    print(f"then: {before.reason}")
    print(f"now:  {again.reason}")
    print("the same moves" if same is None else f"other moves from step {same} on")


@ledger.command("export")
@grouped
def export(
    ledger: LedgerArgument,
    which: FilterOptions,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write into this file.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="jsonl, a game a line, or text, in the style of PGN.")
    ] = "jsonl",
) -> None:
    """Write finished games as JSON lines or as text.

    Example: saddlepoint ledger export games.db --player best -o best.jsonl
    """
    from ..arena.replaying import export_json, export_text
    from ..arena.schedule import game_of

    if form not in ("jsonl", "text"):
        raise ValueError(f"--format is jsonl or text, not {form!r}")
    check_output(output)
    wanted = which.filter(Aliases())
    with _ledger(ledger) as book:
        made: dict[int, Game] = {}

        def lines() -> Any:
            for entry in book.games(wanted):
                if entry.tournament not in made:
                    made[entry.tournament] = game_of(book.tournament(entry.tournament))
                rules = made[entry.tournament]
                yield json.dumps(export_json(rules, entry)) if form == "jsonl" else export_text(rules, entry)

        write_lines(STDOUT if output is None else output, lines())


@ledger.command("merge-versions")
def merge_versions(
    ledger: LedgerArgument,
    player: Annotated[
        str, typer.Argument(help="The player whose versions are meant, as `ledger list` prints it.")
    ],
    separate: Annotated[
        bool, typer.Option("--separate", help="Undo it: count every version as a player of its own.")
    ] = False,
) -> None:
    """Count all recorded versions of a player, and its present one, as one player.

    Example: saddlepoint ledger merge-versions games.db ./mybot.py
    """
    from ..arena.ledger.versions import player_version

    with _ledger(ledger) as book:
        known = {spec for one in book.tournaments() for spec in one.players} | set(book.specs())
        if player not in known:
            raise ValueError(
                f"{ledger!r} has no player {player!r}; its players are {', '.join(sorted(known))}"
            )
        if separate:
            versions = book.declare_apart(player)
        else:
            book.know(player, player_version(player))
            versions = book.declare_same(player)
    print(f"{player}: {versions} version(s), {'each a player of its own' if separate else 'one player'}")


@ledger.command("merge")
def merge(
    ledgers: Annotated[list[str], typer.Argument(help="The ledgers to read.")],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The ledger that gets all games, an old or a new one."
        ),
    ],
) -> None:
    """Put the games of several ledgers into one.

    Games that are there already are not entered again.

    Example: saddlepoint ledger merge games.db league.db -o all.db
    """
    from ..arena.ledger import Ledger
    from ..arena.ledger.merging import games_under_several_conditions, merge_ledger

    check_ledger(output)
    with ExitStack() as opened:
        sources = [opened.enter_context(_ledger(path)) for path in ledgers]
        target = opened.enter_context(Ledger(output))
        for path, source in zip(ledgers, sources, strict=True):
            added, there = merge_ledger(source, target)
            print(f"{path}: {count_of(added, 'game')} added, {there} were there already")
        if mixed := games_under_several_conditions(target):
            warn(
                f"{output} has games of {', '.join(mixed)} under different conditions; report --tournament N shows one of them"
            )


def _ledger(path: str) -> "Ledger":
    from ..arena.ledger import Ledger

    return Ledger(path, create=False)


def _entry(ledger: str, number: int) -> "tuple[Entry, Game]":
    from ..arena.schedule import game_of

    with _ledger(ledger) as book:
        entry = book.game(number)
        return entry, game_of(book.tournament(entry.tournament))


# Programs and files that a ledger names are started and read only if the user agrees.


def programs_among(players: Iterable[str]) -> list[str]:
    """The players that start a program or a Python file, read a file or ask a server; what is part of the library needs no leave."""
    from ..games.catalogue.commands import reaches_outside

    return [spec for spec in dict.fromkeys(players) if reaches_outside(parse_spec(spec))]


def agree_to_start(programs: list[str], source: str, yes: bool) -> None:
    """Ask whether these programs, which `source` names, may be started; raises ValueError unless they may.

    Without a terminal nobody can be asked: then only `yes` (the option --yes) will do.
    """
    if yes or not programs:
        return
    named = ", ".join(programs)
    if not both_are_terminals():
        raise ValueError(f"{source} would start or read {named}; --yes does so without asking")
    print_error(f"{source} would start or read on this machine: {named}")
    try:
        answer = ask("go on? [y/N] ")
    except EOFError:
        answer = ""
    if answer.lower() not in ("y", "yes"):
        raise ValueError(f"{source} was not played again: nothing that it names was to be started or read")
