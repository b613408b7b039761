"""`tron41`: the options of the course's own runner."""

import math
import random
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from ...system.terminal import print, print_error, print_field
from .. import interface
from .bot_file import MAX_WAIT, SIZES, empty_walls, written

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
        from .asp import EDITIONS, play

        if rules not in EDITIONS:
            raise ValueError(f"--rules is {' or '.join(EDITIONS)}, not {rules!r}")
        edition = EDITIONS[rules]
        seconds = edition.max_wait if max_wait is None else max_wait
        if not 0 < seconds < math.inf:
            raise ValueError(f"max_wait takes seconds above 0, not {seconds}")
        game = Tron41(board or edition.map, start or edition.start)
        specs = [_COURSE_NAMES.get(name, name) for name in bots or edition.bots]
        if write_bot is not None:
            _write(write_bot, specs[0] if bots else "best", seconds, game, load())
            return
        make_player = load()
        players = [make_player(spec, game) for spec in specs]
        for player in players:
            if hasattr(player, "max_wait"):  # a bot file: the time is the runner's
                player.max_wait = seconds  # type: ignore[attr-defined]
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
                wins[play(game, players, state, seconds, game_seed, step)] += 1
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
    interface.check_regular_output(file)
    own = [len(game.layout.rows), len(game.layout.rows[0])]
    write_bot(file, player, make_player, max_wait, [own, *(size for size in SIZES if size != own)])
    print(f"{file}: the class StudentBot plays as {player}")


def bot_file(
    player: str,
    make: "interface.MakePlayer",
    max_wait: float = MAX_WAIT,
    sizes: Sequence[Sequence[int]] = SIZES,
) -> str:
    """The text of a bot file for the course's runner, with the class StudentBot.

    `max_wait` is the seconds of a move where the runner has set no timer; maps of these sizes are made ready when the
    bot is made. Raises SpecError for what is no player of ours.
    """
    if interface.parse_spec(player).name in ("cmd", "human", "asp"):
        raise interface.SpecError(f"a bot file is written for a player of this library, {player!r} is none")
    make(player, _empty_map(sizes[0])).close()
    text = Path(__file__).with_name("bot_file.py").read_text(encoding="utf-8")
    values = {
        "PYTHON": sys.executable,
        "PATH": str(Path(__file__).resolve().parents[3]),
        "PLAYER": player,
        "MAX_WAIT": float(max_wait),
        "SIZES": [list(size) for size in sizes],
    }
    for name, value in values.items():
        line = f"{name} = {value!r}"
        text, count = re.subn(rf"^{name} = .*$", lambda _, line=line: line, text, flags=re.MULTILINE)
        assert count == 1
    return text


def write_bot(
    file: str, player: str, make: "interface.MakePlayer", max_wait: float, sizes: Sequence[Sequence[int]]
) -> None:
    """Compile the player for maps of these sizes, then write its bot file.

    A file that is there already is only replaced where it is one of ours. Raises GameError.
    """
    text, path = bot_file(player, make, max_wait, sizes), Path(file)
    if path.is_file() and text.split("\n", 1)[0] not in path.read_text(encoding="utf-8", errors="replace"):
        raise interface.GameError(f"{file} is there and was not written by this command; give another name")
    if not path.parent.is_dir():
        raise interface.GameError(f"there is no directory {str(path.parent)!r} to write {path.name} to")
    for size in sizes:
        if (need := interface.Need(_empty_map(size), player)).is_missing:
            need.compile(make)
    path.write_text(text, encoding="utf-8")


def _empty_map(size: Sequence[int]) -> Any:
    from . import Tron41

    return Tron41(written(empty_walls(*size), 0))


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
