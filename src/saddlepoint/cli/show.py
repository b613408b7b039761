"""`show`: the replay of a game."""

from typing import Any

import typer

from .stepping import show_pages
from .terminal import print, print_json


def show(
    file: str = typer.Argument(..., help="A replay."),
    number: int | None = typer.Option(None, "--step", "--round", min=0, help="Only the position after so many plies."),
    game_number: int = typer.Option(1, "--number", min=1, help="Which game of a file with several, such as `games export` writes."),
    output: str | None = typer.Option(None, "--output", "-o", help="Write the game as a web page that opens from disk (- for stdout)."),
    as_json: bool = typer.Option(False, "--json", help="Print the replay, or the one position, as JSON."),
) -> None:
    """Step through a replay: Enter for the next position, b for the one before, a number to go there, q to quit.

    Example: saddlepoint show replay.jsonl --step 30
    """
    from .files import check_output, write_lines

    if output is not None and number is not None:
        raise ValueError("-o writes the whole game; leave --step out")
    check_output(output, as_json)
    from ..play.fields import ReplayError
    from ..play.old_replay import lines_of
    from ..play.reading import read

    try:
        played = read(file, game_number)
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None
    states = list(played.states())
    if number is not None and number >= len(states):
        raise ValueError(f"{file}: there are {len(states) - 1} plies; --step takes 0 to {len(states) - 1}")
    game = played.make_game()
    if output is not None:
        from ..play.viewer.data import game_data
        from ..play.viewer.export import page

        write_lines(output, [page(game_data(game, played)).rstrip("\n")])
        if output != "-" and not as_json:
            print(f"{output}: {len(states) - 1} plies")
    if as_json:
        print_json(lines_of(played) if number is None else _position(played, game, states, number))
    elif output is not None:
        return
    elif number is not None:
        print(_page(played, game, states, number))
    else:
        show_pages([_page(played, game, states, at) for at in range(len(states))])


def _position(played: Any, game: Any, states: list[Any], number: int) -> dict[str, Any]:
    from dataclasses import asdict

    data: dict[str, Any] = {"round": number, "position": game.to_text(states[number])}
    if number:
        data.update(asdict(played.rounds[number - 1]))
    return data


def _page(played: Any, game: Any, states: list[Any], number: int) -> str:
    lines = [f"{played.players[0]} (0) against {played.players[1]} (1): start"]
    if number:
        before = played.rounds[number - 1]
        sides = [
            f"{before.moves[p] or '-'} ({before.ms[p]:g} ms)" + (f" [{before.warnings[p]}]" if before.warnings[p] else "")
            for p in (0, 1)
        ]
        lines = [f"after round {number} of {len(states) - 1}: {', '.join(sides)}"]
    lines.append(game.render(states[number]))
    if number == len(states) - 1:
        lines.append(f"result {played.result:g} for player 0: {played.reason}")
        lines += [f"player {player} was at fault: {fault}" for player, fault in enumerate(played.faults) if fault]
    return "\n".join(lines)
