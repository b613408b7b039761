"""`show` and `report`: a replay step by step or as a page, a ledger as a page; and whether there is a screen, which `play` asks too."""

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ..system.files import STDOUT, check_output, write_lines
from ..system.patience import REPORT_BAR
from ..system.terminal import (
    Progress,
    ask,
    both_are_terminals,
    how_to_install,
    print,
    print_error,
    print_json,
    print_page,
)
from ..system.text import count_of, value_text
from .arena_options import AsJson, LedgerArgument, Rules, grouped
from .common import Aliases, check_packages, read_game_name

if TYPE_CHECKING:
    from ..play.replay import FinishedGame, Replay


# How `play` and `show` show a game: on a screen of their own or as plain text, position by position.

Plain = Annotated[bool, typer.Option("--plain", help="Plain text, no screen of its own.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


class Note(NamedTuple):
    before: str
    """A line on how it came about."""
    after: str = ""
    """Lines that follow the position."""


def has_screen(plain: bool) -> bool:
    """Whether a screen can be opened: all three streams are one that a person sees and types at, and textual is installed.

    Where only textual is missing, a line says so.
    """
    if (
        plain
        or os.environ.get("TERM", "") == "dumb"
        or not all(_is_terminal(one) for one in (sys.stdin, sys.stdout, sys.stderr))
    ):
        return False
    if find_spec("textual") is None:
        _say_what_is_missing()
        return False
    return True


def only_ascii(wanted: bool) -> bool:
    """Whether the screen shall draw with ASCII alone: it is asked for, or the terminal's encoding has no more."""
    return wanted or "utf" not in (getattr(sys.stdout, "encoding", "") or "").lower()


def _is_terminal(stream: object) -> bool:
    try:
        return stream is not None and stream.isatty()  # type: ignore[attr-defined]
    except ValueError:  # it is closed
        return False


@cache
def _say_what_is_missing() -> None:
    print_error(
        f"saddlepoint: {how_to_install('terminal')} for a screen with arrow keys and analysis; --plain: not this line"
    )


def position_page(played: "FinishedGame", notes: Sequence[Note], at: int) -> str:
    return "\n".join(
        [notes[at].before, played.game.render(played.states[at]), *filter(None, [notes[at].after])]
    )


def step_through(
    played: "FinishedGame", notes: Sequence[Note], plain: bool = False, ascii_only: bool = False
) -> None:
    """Let a person at a terminal step through the positions, on a screen of its own unless `plain`.

    At a plain prompt Enter is the next, b the one before, a number that of a turn, q the end. Elsewhere they are printed one after the
    other.
    """
    if has_screen(plain):
        from .screen.replay import step_on_screen

        step_on_screen(played, notes, plain=only_ascii(ascii_only))
        return
    pages = [position_page(played, notes, at) for at in range(len(notes))]
    if not both_are_terminals():
        print("\n\n".join(pages))
        return
    at, word = 0, ""
    while at < len(pages) and word != "q":
        print_page(pages[at])
        try:
            word = ask("\nEnter next, b back, a number, q quit: ").lower()
        except EOFError:
            return
        if word.isdecimal():
            at = played.turns.nearest(int(word))
        else:
            at = max(at - 1, 0) if word == "b" else min(at + 1, len(pages) - bool(word))


def show(
    file: str = typer.Argument(..., help="A replay."),
    number: int | None = typer.Option(
        None, "--step", min=0, help="The position after so many steps, those of chance counted."
    ),
    turn: int | None = typer.Option(None, "--turn", min=0, help="The position after so many turns."),
    game_number: int = typer.Option(1, "--number", min=1, help="Which game of a file with several."),
    output: str | None = typer.Option(
        None, "--output", "-o", metavar="FILE", help="Write a web page that opens from disk (- for stdout)."
    ),
    game: Rules = None,
    as_json: bool = typer.Option(False, "--json", help="Print the replay, or the one position, as JSON."),
    plain: Plain = False,
    ascii_only: Ascii = False,
) -> None:
    """Step through a replay.

    Enter for the next position, b for the one before, a number to go there, q to quit. On a terminal it has a screen of its own: arrow
    keys, play and stop, analysis; ? lists the keys. --step and --turn print the moves that lead there, too, for `analyze`.

    Example: saddlepoint show game.jsonl

    Example: saddlepoint show game.jsonl --step 10
    """
    from ..games.catalogue.games import read_replay
    from ..play.replay import finished, replay_json

    if number is not None and turn is not None:
        raise ValueError("--step and --turn are two ways to say the same; give one of them")
    if output is not None and (number is not None or turn is not None):
        raise ValueError("-o writes the whole game; leave --step and --turn out")
    check_output(output, as_json)
    try:
        played = read_replay(file, game_number)
        game_played = finished(played)
        number = number if turn is None else game_played.turns.step_after(turn)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    _check_step(game_played, number, file)
    if output is not None:
        from ..play.viewer import game_data, page

        write_lines(output, [page(game_data(game_played.game, played)).rstrip("\n")])
        if output != STDOUT and not as_json:
            print(f"{output}: {game_played.turns.counted()}")
    if as_json:
        print_json(replay_json(played) if number is None else _position(played, game_played, number))
    elif output is None:
        show_replay(played, game_played, number, file, plain, ascii_only)


def show_replay(
    played: "Replay", game: "FinishedGame", step: int | None, where: str, plain: bool, ascii_only: bool
) -> None:
    """Print the position after `step` steps and the moves that lead to it, or step through all positions.

    Raises ValueError where there are fewer steps.
    """
    _check_step(game, step, where)
    notes = [_note(game, played, at) for at in range(len(game.states))]
    if step is None:
        step_through(game, notes, plain, ascii_only)
    else:
        print(position_page(game, notes, step))
        print(game.position_text(step))


def _check_step(game: "FinishedGame", step: int | None, where: str) -> None:
    most = len(game.states) - 1
    if step is not None and step > most:
        raise ValueError(f"{where}: the game has {count_of(most, 'step')}; --step takes 0 to {most}")


def _position(played: "Replay", game: "FinishedGame", step: int) -> dict[str, Any]:
    return {
        "step": step,
        "turn": game.turns.done(step),
        "position": game.game.to_text(game.states[step]),
        "moves_to_it": game.position_text(step),
    } | (asdict(played.rounds[step - 1]) if step else {})


def _note(finished: "FinishedGame", played: "Replay", step: int) -> Note:
    from ..play.record import reasons

    before = f"{played.players[0]} (0) against {played.players[1]} (1): start"
    if step:
        made = played.rounds[step - 1]
        sides = [
            f"{played.players[p]} {made.moves[p]} ({made.ms[p]:g} ms)"
            + (f" [{made.warnings[p]}]" if made.warnings[p] else "")
            for p in (0, 1)
            if made.moves[p] is not None
        ]
        drawn = finished.outcome(step - 1)
        before = f"{finished.turns.after(step)}: {', '.join(sides) or (drawn and f'chance: {drawn}')}"
    if step < len(finished.states) - 1:
        return Note(before)
    result = played.result
    shown = "" if result is None else f"result {value_text(result, 'g')} for {played.players[0]} (0): "
    why = [
        f"{played.players[p]} ({p}) was at fault: {said}" for p, said in enumerate(finished.faults) if said
    ] or reasons(finished.game, finished.states, finished.names)
    return Note(before, "\n".join([f"{shown}{played.reason}", *why]))


# `report`: a ledger as one page for a browser.


@grouped
def report(
    ledger: LedgerArgument,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="Write the page into this file (report.html; with --json: none)."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            callback=read_game_name,
            help="Only this game, by its name, or ./mygame.py:MyGame.",
        ),
    ] = None,
    tournament: Annotated[
        int | None, typer.Option("--tournament", min=1, help="Only this tournament.")
    ] = None,
    resamples: Annotated[
        int,
        typer.Option(
            "--resamples", min=0, max=100_000, help="Also intervals by bootstrap, by so many resamples: 200."
        ),
    ] = 0,
    *,
    aliases: Aliases,
    as_json: AsJson = False,
) -> None:
    """Write a ledger as one HTML page: ratings, who beats whom, replays.

    Example: saddlepoint report games.db -o report.html
    """
    from ..arena.ledger import Ledger
    from ..arena.report import gather, report_data

    path = output or (None if as_json else "report.html")
    check_output(path, as_json)
    if path is not None:
        check_packages("a page", "report", "jinja2")
    with Ledger(ledger, create=False) as book:
        with Progress(None, patience=REPORT_BAR) as bar:
            figures = gather(
                book, tournament, game, lambda done, total: bar.update(done, "games read", total=total)
            )
        data = report_data(book, figures, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), resamples)
    if as_json:
        print_json(aliases.beside(data))
    if path is None:
        return
    from ..arena.report.page import report_page

    players = {row["player"] for one in data["games"] for row in one["players"]}
    write_lines(
        path,
        [
            report_page(
                data,
                figures,
                {spec: aliases.name(spec) for spec in sorted(players) if aliases.name(spec) != spec},
            )
        ],
    )
    if not as_json and path != STDOUT:
        games = sum(one["games"] for one in data["games"])
        print(f"{path}: {count_of(games, 'game')}")
