"""`warm`: compiling ahead of time."""

import typer

from .common import GAME_HELP, read_game, start_state
from .terminal import print, print_error


def warm(
    game: str = typer.Argument("light_riders", help=GAME_HELP),
    player: list[str] = typer.Option([], "--player", help="Only this player; may be repeated."),
) -> None:
    """Compile the players' searches now, so that the next game starts at once.

    Example: saddlepoint warm light_riders --player best
    """
    import time
    from contextlib import closing

    from ..roster.catalogue import players_of
    from ..roster.make import make_player

    rules = read_game(game)
    names = player or [entry.name for entry in players_of(rules.name) if entry.is_complete]
    made = [(name, make_player(name, rules)) for name in names]
    state = start_state(rules, None, None)
    for number, (name, one) in enumerate(made, 1):
        print_error(f"[{number}/{len(made)}] {name} ...", end=" ")
        started = time.perf_counter()
        with closing(one):
            one.warm(rules, state)
        print_error(f"ready after {time.perf_counter() - started:.1f} s")
    print(f"{len(made)} players of {rules.name} are compiled")
