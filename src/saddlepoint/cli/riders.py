"""`referee` and `show`: games by the rules of the contest in Light Riders, and their replays."""

from typing import Any

import typer

from .arena_options import Isolate, Sandbox, read_mode
from .common import read_game, start_state
from .files import STDOUT, check_output, write_lines
from .terminal import both_are_terminals, print, print_json


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (referee, show):
        app.command()(command)


def referee(
    command_a: str = typer.Argument(..., metavar="'CMD A'", help="The command that starts player 0's bot."),
    command_b: str = typer.Argument(..., metavar="'CMD B'", help="The command that starts player 1's bot."),
    game: str = typer.Option("light_riders", help="The game, with parameters if wanted."),
    size: str | None = typer.Option(None, help="The field: 16x16."),
    start: str | None = typer.Option(None, help="Where player 0 starts: x,y. Player 1 starts mirrored."),
    seed: int | None = typer.Option(None, help="Draws the start by the contest's rule."),
    timebank: int = typer.Option(10_000, min=1, help="Milliseconds in the bank at the start, and at most."),
    time_per_move: int = typer.Option(200, min=0, help="Milliseconds added after each move."),
    max_timeouts: int = typer.Option(0, min=0, help="Errors that are forgiven before a bot is shut down."),
    isolate: Isolate = "auto",
    sandbox: Sandbox = "",
    output: str | None = typer.Option(None, "-o", "--output", help="Write the replay here."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Let two programs play by the contest's rules, clock and error handling.

    Example: saddlepoint referee 'saddlepoint bot light_riders' 'java -jar bot.jar' --seed 7 -o replay.jsonl
    """
    from ..play.reading import replay_of
    from ..play.replay import to_line
    from ..programs.isolation import Isolation
    from ..protocols.riddles.referee import RefereeRules, referee as play

    rules: Any = read_game(game, size)
    state = start_state(rules, start, seed)
    clock = RefereeRules(timebank / 1000, time_per_move / 1000, max_timeouts)
    check_output(output)
    if as_json and output == STDOUT:
        raise ValueError("both --json and -o - write to stdout; choose one of them")
    data = play(rules, (command_a, command_b), state, clock, seed, isolation=Isolation(mode=read_mode(isolate), sandbox=sandbox))
    played = replay_of(data)
    if output is not None:
        write_lines(output, [to_line(data)])
    if as_json:
        print_json(played.to_json()[-1])
    if as_json or output == STDOUT:
        return
    print(f"result {played.result:g} for player 0 after {len(played.rounds)} rounds: {played.reason}")
    for player, fault in enumerate(played.faults):
        if fault:
            print(f"player {player} was shut down: {fault}")
        warnings = sum(1 for played_round in played.rounds if played_round.warnings[player])
        if warnings:
            print(f"player {player} got {warnings} warnings")


def show(
    file: str = typer.Argument(..., help="A replay."),
    number: int | None = typer.Option(None, "--round", min=0, help="Only the position after so many rounds."),
    game_number: int = typer.Option(1, "--game", min=1, help="Which game of a file with several, such as `games export` writes."),
    as_json: bool = typer.Option(False, "--json", help="Print the replay, or the one position, as JSON."),
) -> None:
    """Step through a replay: Enter for the next position, b for the one before, a number to go there, q to quit.

    Example: saddlepoint show replay.jsonl --round 30
    """
    from ..play.fields import ReplayError
    from ..play.reading import read

    try:
        played = read(file, game_number)
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None
    states = list(played.states())
    if number is not None and number >= len(states):
        raise ValueError(f"{file}: there are {len(states) - 1} rounds; --round takes 0 to {len(states) - 1}")
    game = played.make_game()
    if as_json:
        print_json(played.to_json() if number is None else _position(played, game, states, number))
    elif number is not None:
        print(_page(played, game, states, number))
    elif both_are_terminals():
        from .stepping import step_through

        step_through([_page(played, game, states, at) for at in range(len(states))])
    else:
        for at in range(len(states)):
            print(_page(played, game, states, at), end="\n\n")


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
