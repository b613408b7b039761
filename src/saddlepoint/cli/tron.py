"""`tron41`: the options of the course's own runner."""

import sys
import time
from typing import Any

import typer

from .common import PLAYER_HELP
from .files import write_lines
from .terminal import print, print_error, print_field

_COURSE_NAMES = {"random": "safe", "student": "./bots.py:StudentBot", "user": "./bots.py:UserBot"}
"""What the course's runner calls its bots, as specs."""

_COLOURS = {"#": 90, "x": 33, "1": 96, "2": 95, "*": 91, "^": 92, "!": 91, "@": 94}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tron41)


def tron41(
    bots: tuple[str, str] = typer.Option(
        ("random", "random"), "-bots", "--bots",
        help=f"Who plays: player 1 (moves first), player 2. Bot files ./bots.py or ./bots.py:CLASS; wall, random. {PLAYER_HELP}",
    ),
    board: str = typer.Option("joust", "-map", "--map", help="A map's name, or the path of a map file."),
    max_wait: float = typer.Option(0.3, "-max_wait", "--max-wait", help="Seconds a move; the move U where it took longer."),
    multi_test: int | None = typer.Option(None, "-multi_test", "--multi-test", min=1, help="How many games."),
    no_image: bool = typer.Option(False, "-no_image", "--no-image", help="Do not show the boards."),
    no_color: bool = typer.Option(False, "-no_color", "--no-color", help="Show the boards without colours."),
    image_delay: float = typer.Option(0.2, "-image_delay", "--image-delay", min=0.0, help="Seconds between boards."),
    start: str = typer.Option("map", "--start", help="Where the players stand: map or random."),
    seed: int | None = typer.Option(None, "--seed", help="Draws power-ups, traps and starts the same way again."),
    write_bot: str | None = typer.Option(
        None, "--write-bot", metavar="FILE", help="Write player 1 as a bot file for the course's own runner, and play nothing."
    ),
) -> None:
    """Play Tron-41 as the course's runner does: the same options, bot files unchanged.

    Example: saddlepoint tron41 -bots ./bots.py best -map divider -multi_test 20 -no_image
    """
    from ..games.tron41 import Tron41
    from ..players.make import make_player
    from ..protocols.asp import CourseRules, bot_file

    specs = [_COURSE_NAMES.get(name, name) for name in bots]
    rules, game = CourseRules(max_wait), Tron41(board, start)
    if write_bot is not None:
        make_player(specs[0], game).close()
        write_lines(write_bot, [bot_file(specs[0], max_wait).rstrip("\n")])
        print(f"{write_bot}: the class StudentBot plays as {specs[0]}")
        return
    players = [make_player(spec, game) for spec in specs]
    for player in players:
        if hasattr(player, "max_wait"):  # a bot file: the time is the runner's
            player.max_wait = max_wait  # type: ignore[attr-defined]
    try:
        for player in players:
            player.warm(game, game.initial_state(seed))
        show = _shower(game, image_delay, colours=not no_color and sys.stdout.isatty(), images=not no_image)
        _run(game, players, rules, multi_test, seed, show)
    finally:
        for player in players:
            player.close()


def _run(game: Any, players: list[Any], rules: Any, games: int | None, seed: int | None, show: Any) -> None:
    import random

    from ..protocols.asp import play

    draw = random.Random(seed)
    wins = [0, 0]
    for _ in range(games or 1):
        number = draw.getrandbits(32)
        state = game.initial_state(number)
        show(state, "")
        winner = play(game, players, state, rules, number, show)
        wins[winner] += 1
        if games is None:
            print(f"Player {winner + 1} won!")
    if games is not None:
        for player in (0, 1):
            print(f"Player {player + 1} won {wins[player]} out of {games} times")


def _shower(game: Any, delay: float, colours: bool, images: bool) -> Any:
    def show(state: Any, warning: str) -> None:
        if warning:
            print_error(f"Warning: {warning}")
        if not images:
            return
        print_field("\n" + "\n".join(game.field(state)), _COLOURS if colours else {})
        time.sleep(delay)

    return show
