"""`tron41`: the options of the course's own runner."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import typer

from ...system.terminal import print, print_error, print_field
from .. import interface

_SEED_BITS = 128
_COURSE_NAMES = {"random": "safe", "student": "./bots.py:StudentBot", "user": "./bots.py:UserBot"}
"""The specs of the course's own bots, by their names there."""

_COLOURS = {"#": 90, "x": 33, "1": 96, "2": 95, "*": 91, "^": 92, "!": 91, "@": 94}


def tron41_command(load: "Callable[[], interface.MakePlayer]") -> Callable[..., None]:
    """The command `tron41`; `load` gives what makes players."""

    def tron41(
        bots: tuple[str, str] | None = typer.Option(
            None,
            "-bots",
            "--bots",
            metavar="PLAYER PLAYER",
            help="Two of wall, random, ta1, ta2, a bot file ./bots.py or ./bots.py:CLASS, student and user (classes of ./bots.py), or a "
            "name of `saddlepoint players`.",
        ),
        board: str | None = typer.Option(
            None, "-map", "--map", help="A map's name, or the path of a map file."
        ),
        max_wait: float | None = typer.Option(
            None, "-max_wait", "--max-wait", metavar="SECONDS", help="For each move; a move over time is U."
        ),
        multi_test: int | None = typer.Option(None, "-multi_test", "--multi-test", help="How many games."),
        no_image: bool = typer.Option(False, "-no_image", "--no-image", help="Do not show the boards."),
        no_color: bool = typer.Option(
            False, "-no_color", "--no-color", help="Show the boards without colours."
        ),
        image_delay: float = typer.Option(
            0.2, "-image_delay", "--image-delay", min=0.0, metavar="SECONDS", help="Between boards."
        ),
        rules: str = typer.Option(
            "2021",
            "--rules",
            help="The defaults of 2019 (empty_room, 0.3 s, wall random, player 1 begins) or 2021 (small_room, "
            "redrawn starts, 1.0 s, random random, who begins alternates in -multi_test).",
        ),
        start: str | None = typer.Option(None, "--start", help="Where the players stand: map or random."),
        seed: int | None = typer.Option(None, "--seed", help="Fixes power-ups, traps and starts."),
        write_bot: str | None = typer.Option(
            None,
            "--write-bot",
            metavar="FILE",
            help="Write player 1 (best without -bots) as a bot file for the course's own runner, and play nothing.",
        ),
    ) -> None:
        """Play Tron-41 with the options and bot files of the course's runner.

        Example: saddlepoint tron41 -bots ta1 best -map divider -multi_test 4 -no_image
        """
        from . import Tron41
        from .asp import EDITIONS, CourseRules, play

        if rules not in EDITIONS:
            raise ValueError(f"--rules is {' or '.join(EDITIONS)}, not {rules!r}")
        edition = EDITIONS[rules]
        limits = CourseRules(edition.max_wait if max_wait is None else max_wait)
        game = Tron41(board or edition.map, start or edition.start)
        specs = [_COURSE_NAMES.get(name, name) for name in bots or edition.bots]
        if write_bot is not None:
            _write(write_bot, specs[0] if bots else "best", limits.max_wait, game, load())
            return
        make_player = load()
        players = [make_player(spec, game) for spec in specs]
        for player in players:
            if hasattr(player, "max_wait"):  # a bot file: the time is the runner's
                player.max_wait = limits.max_wait  # type: ignore[attr-defined]
        draw, wins = random.Random(seed), [0, 0]
        warnings: tuple[list[str], list[str]] = ([], [])
        colours = _COLOURS if not no_color and sys.stdout.isatty() else {}

        def show(state: Any) -> None:
            if not no_image:
                _print_board(game, state, colours)
                time.sleep(image_delay)

        def step(state: Any, player: int, warning: str) -> None:
            warnings[player].append(warning)
            if warning and not no_image:
                print_error(f"Warning: player {player + 1}: {warning}")
            show(state)

        try:
            for player in players:
                player.warm(game, game.initial_state(seed))
            for number in range(1 if multi_test is None else multi_test):
                game_seed = draw.getrandbits(_SEED_BITS)
                state = game.initial_state(game_seed, number % 2 if edition.alternates else 0)
                show(state)
                wins[play(game, players, state, limits, game_seed, step)] += 1
        finally:
            for player in players:
                player.close()
        if multi_test is None:
            print(f"Player {wins.index(1) + 1} won!")
        for player in (0, 1) if (multi_test or 0) > 0 else ():
            print(f"Player {player + 1} won {wins[player]} out of {multi_test} times")
        for player in (0, 1):
            _print_faults(player, warnings[player])

    return tron41


def _write(file: str, player: str, max_wait: float, game: Any, make_player: "interface.MakePlayer") -> None:
    from .bot_process import COURSE_SIZES, write_bot

    interface.check_regular_output(file)
    own = (len(game.layout.rows), len(game.layout.rows[0]))
    sizes = list(dict.fromkeys([own, *COURSE_SIZES]))

    def announce(size: Sequence[int]) -> None:
        print_error(f"compiling {player} for maps of {size[0]}x{size[1]} (once; a minute or so) ...")

    write_bot(file, player, make_player, max_wait, sizes, announce)
    print(f"{file}: the class StudentBot plays as {player}")


def _print_board(game: Any, state: Any, colours: dict[str, int]) -> None:
    for player, armor in enumerate((state.armor0, state.armor1)):
        print(f"Player {player + 1}: {'Armor' if armor else '...'}")
    print_field("\n".join(game.field(state)) + "\n", colours)


def _print_faults(player: int, warnings: list[str]) -> None:
    """Print a line on a player's faulty moves.

    `warnings` has a text for each move, an empty one for a good one.
    """
    faults = [warning for warning in warnings if warning]
    if faults:
        moves = len(warnings)
        share = "every one" if len(faults) == moves else f"{len(faults)}"
        print_error(
            f"Warning: player {player + 1}: {share} of its {moves} moves went wrong; the first time it {faults[0]}"
        )
