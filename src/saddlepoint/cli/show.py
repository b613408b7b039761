"""`show`: the replay of a game."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from ..system.files import STDOUT, check_output, write_lines
from ..system.terminal import print, print_json
from ..system.text import value_text
from .arena_options import Rules
from .stepping import Ascii, Note, Plain, position_page, step_through

if TYPE_CHECKING:
    from ..play.replay import FinishedGame, Replay


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
    keys, play and stop, analysis; ? tells the keys. --step and --turn print the moves that lead there, too, for `analyze`.

    Example: saddlepoint show game.jsonl

    Example: saddlepoint show game.jsonl --step 10
    """
    from ..games.catalogue.games import read_replay
    from ..play.reading import ReplayError
    from ..play.replay import finished, replay_json

    if number is not None and turn is not None:
        raise ValueError("--step and --turn are two ways to say the same; give one of them")
    if output is not None and (number is not None or turn is not None):
        raise ValueError("-o writes the whole game; leave --step and --turn out")
    check_output(output, as_json)
    try:
        played = read_replay(file, game_number)
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None
    game_played = finished(played)
    if turn is not None:
        try:
            number = game_played.turns.step_after(turn)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
    _check_step(game_played, number, file)
    if output is not None:
        from ..play.viewer.data import game_data, page

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
    """Print the position after so many steps and the moves that lead to it, or let a person step through all of them.

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
        raise ValueError(f"{where}: there are {most} steps; --step takes 0 to {most}")


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
    faults = [
        f"{played.players[p]} ({p}) was at fault: {said}" for p, said in enumerate(finished.faults) if said
    ]
    why = faults or reasons(finished.game, finished.states, finished.names)
    return Note(before, "\n".join([f"{shown}{played.reason}", *why]))
