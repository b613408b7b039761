"""`show`: the replay of a game."""

from typing import TYPE_CHECKING, Any

import typer

from .._text import value_text
from ..console.terminal import print, print_json
from .opening import Ascii, Plain
from .pages import Page
from .step_through import step_through

if TYPE_CHECKING:
    from ..play.finished_game import FinishedGame
    from ..play.replay import Replay


def show(
    file: str = typer.Argument(..., help="A replay."),
    number: int | None = typer.Option(None, "--step", min=0, help="The position after so many steps, those of chance counted."),
    turn: int | None = typer.Option(None, "--turn", min=0, help="The position after so many turns."),
    game_number: int = typer.Option(1, "--number", min=1, help="Which game of a file with several."),
    output: str | None = typer.Option(None, "--output", "-o", metavar="FILE", help="Write a web page that opens from disk (- for stdout)."),
    game: str | None = typer.Option(None, "--game", metavar="GAME", help="Your own game, ./mygame.py:MyGame; that file is run."),
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
    from ..console.files import check_output, write_lines

    if number is not None and turn is not None:
        raise ValueError("--step and --turn are two ways to say the same; give one of them")
    if output is not None and (number is not None or turn is not None):
        raise ValueError("-o writes the whole game; leave --step and --turn out")
    check_output(output, as_json)
    from .common import read_game_name

    read_game_name(game)
    from ..play.fields import ReplayError
    from ..play.finished_game import finished
    from ..play.replay import replay_json
    from ..roster.replays import read_replay

    try:
        played = read_replay(file, game_number)
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None
    game_played = finished(played)
    rules, turns = game_played.game, game_played.turns
    if turn is not None:
        try:
            number = turns.step_after(turn)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
    if number is not None:
        _check_step(game_played, number, file)
    if output is not None:
        from ..play.viewer.data import game_data
        from ..play.viewer.export import page

        write_lines(output, [page(game_data(rules, played)).rstrip("\n")])
        if output != "-" and not as_json:
            print(f"{output}: {turns.counted()}")
    if as_json:
        print_json(replay_json(played) if number is None else _position(played, game_played, number))
    elif output is not None:
        return
    elif number is not None:
        print_position(played, game_played, number, file)
    else:
        step_through_replay(played, game_played, plain, ascii_only)


def step_through_replay(played: "Replay", finished: "FinishedGame", plain: bool, ascii_only: bool) -> None:
    """Let a person step through a game."""
    pages = [_page(finished, played, at) for at in range(len(finished.states))]
    step_through(finished, pages, played.players, plain, ascii_only)


def print_position(played: "Replay", finished: "FinishedGame", number: int, where: str) -> None:
    """Print the position after so many steps, and the moves that lead to it; raises ValueError where there are fewer."""
    _check_step(finished, number, where)
    print(_page(finished, played, number).text(finished.game))
    print(finished.position_text(number))


def _check_step(finished: "FinishedGame", number: int, where: str) -> None:
    most = len(finished.states) - 1
    if number > most:
        raise ValueError(f"{where}: there are {most} steps; --step takes 0 to {most}")


def _position(played: Any, game_played: "FinishedGame", number: int) -> dict[str, Any]:
    from dataclasses import asdict

    data: dict[str, Any] = {
        "step": number, "turn": game_played.turns.done(number), "position": game_played.game.to_text(game_played.states[number]),
        "moves_to_it": game_played.position_text(number),
    }  # fmt: skip
    if number:
        data.update(asdict(played.rounds[number - 1]))
    return data


def _page(game_played: "FinishedGame", played: "Replay", number: int) -> Page:
    from ..play.endings import reasons

    game, states, turns, faults = game_played.game, game_played.states, game_played.turns, game_played.faults
    said = f"{played.players[0]} (0) against {played.players[1]} (1): start"
    if number:
        before = played.rounds[number - 1]
        sides = [
            f"{played.players[p]} {before.moves[p]} ({before.ms[p]:g} ms)" + (f" [{before.warnings[p]}]" if before.warnings[p] else "")
            for p in (0, 1) if before.moves[p] is not None
        ]
        drawn = "" if before.chance is None else f"chance: {game.outcome_to_string(states[number - 1], before.chance)}"
        said = f"{turns.after(number)}: {', '.join(sides) or drawn}"
    end: list[str] = []
    if number == len(states) - 1:
        result = "" if played.result is None else f"result {value_text(played.result, 'g')} for {played.players[0]} (0): "
        end = [f"{result}{played.reason}"]
        end += [] if any(faults) else reasons(game, states, game_played.names)
        end += [f"{played.players[p]} ({p}) was at fault: {faults[p]}" for p in (0, 1) if faults[p]]
    return Page(said, states[number], "\n".join(end))
