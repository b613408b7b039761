"""`tron41`: the options of the course's own runner."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ...system.terminal import print, print_error, print_field
from ..interface import check_output

if TYPE_CHECKING:
    from ..interface import MakePlayer

_COURSE_NAMES = {"random": "safe", "student": "./bots.py:StudentBot", "user": "./bots.py:UserBot"}
"""What the course's runner calls its bots, as specs."""

_COLOURS = {"#": 90, "x": 33, "1": 96, "2": 95, "*": 91, "^": 92, "!": 91, "@": 94}


def tron41_command(load: "Callable[[], MakePlayer]") -> Callable[..., None]:
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
        from .asp import EDITIONS, CourseRules

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
        tally = _Tally(is_printed=not no_image)
        try:
            for player in players:
                player.warm(game, game.initial_state(seed))
            show = _shower(
                game, image_delay, colours=not no_color and sys.stdout.isatty(), images=not no_image
            )
            firsts = (
                [0] if multi_test is None else [i % 2 if edition.alternates else 0 for i in range(multi_test)]
            )
            wins = _wins(game, players, limits, firsts, seed, show, tally)
        finally:
            for player in players:
                player.close()
        if multi_test is None:
            print(f"Player {wins.index(1) + 1} won!")
        for player in (0, 1) if (multi_test or 0) > 0 else ():
            print(f"Player {player + 1} won {wins[player]} out of {multi_test} times")
        tally.print_summary()

    return tron41


def _write(file: str, player: str, max_wait: float, game: Any, make_player: "MakePlayer") -> None:
    from .bot_process import COURSE_SIZES, write_bot

    check_output(file)
    own = (len(game.layout.rows), len(game.layout.rows[0]))
    sizes = list(dict.fromkeys([own, *COURSE_SIZES]))

    def announce(size: Sequence[int]) -> None:
        print_error(f"compiling {player} for maps of {size[0]}x{size[1]} (once; a minute or so) ...")

    write_bot(file, player, make_player, max_wait, sizes, announce)
    print(f"{file}: the class StudentBot plays as {player}")


class _Tally:
    """Moves of each player that went wrong: shown as they come, or only counted."""

    def __init__(self, is_printed: bool) -> None:
        self._is_printed = is_printed
        self._moves, self._faults, self._first = [0, 0], [0, 0], ["", ""]

    def add(self, player: int, warning: str) -> None:
        """A move was made."""
        self._moves[player] += 1
        if not warning:
            return
        self._faults[player] += 1
        self._first[player] = self._first[player] or warning
        if self._is_printed:
            print_error(f"Warning: player {player + 1}: {warning}")

    def print_summary(self) -> None:
        """One line for a player with faults."""
        for player in (0, 1):
            moves, faults, first = self._moves[player], self._faults[player], self._first[player]
            if faults:
                share = (
                    f"every one of its {moves} moves" if faults == moves else f"{faults} of its {moves} moves"
                )
                print_error(f"Warning: player {player + 1}: {share} went wrong; the first time it {first}")


def _wins(
    game: Any, players: list[Any], rules: Any, firsts: list[int], seed: int | None, show: Any, tally: _Tally
) -> list[int]:
    """The games that each player won; `firsts` says who begins each game."""
    import random

    from ..interface import SEED_BITS
    from .asp import play

    draw = random.Random(seed)
    wins = [0, 0]

    def step(state: Any, player: int, warning: str) -> None:
        tally.add(player, warning)
        show(state)

    for first in firsts:
        number = draw.getrandbits(SEED_BITS)
        state = game.initial_state(number, first)
        show(state)
        wins[play(game, players, state, rules, number, step)] += 1
    return wins


def _shower(game: Any, delay: float, colours: bool, images: bool) -> Any:
    def show(state: Any) -> None:
        if not images:
            return
        armors = (state.armor0, state.armor1)
        status = "".join(
            f"Player {player + 1}: {'Armor' if armor else '...'}\n" for player, armor in enumerate(armors)
        )
        print(status, end="")
        print_field("\n".join(game.field(state)) + "\n", _COLOURS if colours else {})
        time.sleep(delay)

    return show
