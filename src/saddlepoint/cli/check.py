"""`new` and `check`: a game or bot of one's own, to begin with and with its test; and what is wrong with it."""

import keyword
import re
import sys
from dataclasses import replace
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..game.spec import COMMAND, name_of, parse_spec
from ..system.patience import CHECKED_PROGRAM
from ..system.terminal import Status, fail, print, print_json, print_wrapped
from .arena_options import CLOCK, AsJson, ConditionOptions, grouped

if TYPE_CHECKING:
    from ..arena.examination import Examination, Problem
    from ..players.programs.isolation import Isolation


_IN_USE = {"State", "NamedTuple", "ClassVar", "Game", "LABELS"}
"""Names that the files have for something else."""

new = typer.Typer(
    no_args_is_help=True,
    help="Write a small game or bot that works, and its test, to begin with.\n\nExample: saddlepoint new game mygame.py",
)

File = Annotated[
    Path,
    typer.Argument(
        help="The file to write, such as mygame.py; its test is written beside it. Neither may exist."
    ),
]


@new.command("game")
def game(
    file: File,
    turns: bool = typer.Option(
        False, "--turns", help="A game in which the players move in turn, not at the same time."
    ),
) -> None:
    """Write the rules of a small game in plain Python, and their test.

    Example: saddlepoint new game mygame.py

    Example: saddlepoint new game heap.py --turns
    """
    name, kind = _names(file)
    made = _written(file, "turn_game" if turns else "game", name, kind)
    print(f"{made}\nnow: saddlepoint check {_shown(file)}:{kind}    saddlepoint serve {_shown(file)}:{kind}")


@new.command("bot")
def bot(file: File) -> None:
    """Write a bot of a few lines, which plays every game, and its test.

    Example: saddlepoint new bot mybot.py
    """
    name, kind = _names(file)
    made = _written(file, "bot", name, kind)
    print(
        f"{made}\nnow: saddlepoint check {_shown(file)}    saddlepoint match {_shown(file)} random -n 20 --swap"
    )


def _names(file: Path) -> tuple[str, str]:
    """The module's name, and that of the game's class: MyGame for my_game.py and mygame.py. Raises ValueError if it cannot be imported."""
    name = file.stem
    if name in sys.stdlib_module_names or name == "saddlepoint" or name in packages_distributions():
        raise ValueError(
            f"{file.name} would stand in the place of the module {name}, which other files import: choose another name"
        )
    if file.suffix != ".py" or not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise ValueError(
            f"{file.name!r} cannot be imported: a file's name is a name in Python with .py behind it, such as mygame.py"
        )
    kind = (
        "".join(part[:1].upper() + part[1:] for part in re.sub("^my(?=[a-z])", "my_", name).split("_"))
        or "MyGame"
    )
    return name, f"My{kind}" if kind in _IN_USE or not re.match("[A-Z]", kind) else kind


def _written(file: Path, template: str, name: str, kind: str) -> str:
    """Write both files, or neither; says what was written."""
    beside = file.with_name(f"test_{file.name}")
    if not file.parent.is_dir():
        raise ValueError(f"there is no folder {file.parent}")
    _write(file, _filled(template, name, kind))
    try:
        _write(beside, _filled(f"test_{template}", name, kind))
    except ValueError:
        file.unlink(missing_ok=True)
        raise
    return f"wrote {file} and {beside}"


def _filled(template: str, name: str, kind: str) -> str:
    text = (Path(__file__).with_name("templates") / f"{template}.py.txt").read_text(encoding="utf-8")
    return re.sub("NAME|CLASS", lambda found: {"NAME": name, "CLASS": kind}[found[0]], text)


def _write(path: Path, content: str) -> None:
    """Write a file that is not there; raises ValueError, and leaves nothing of it, where that fails."""
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(content)
    except FileExistsError as error:
        raise ValueError(f"{path} is there already: choose another name, or remove it") from error
    except OSError as error:
        path.unlink(missing_ok=True)
        raise ValueError(f"{path} cannot be written: {error.strerror}") from error


def _shown(file: Path) -> str:
    """The file as specs take it: `mygame.py` alone would be looked for among the library's names."""
    return str(file) if len(file.parts) > 1 else f"./{file}"


# `check`: is a bot ready for matches, or are the rules of a game of one's own sound, and if not, what is wrong?

_POSITIONS = 12
_PLAYOUTS = 50
_MOST_LEGAL = 30
_WIDEST = 120  # characters of a line of the dialogue
_PYTHON = "no protocol: a Python file with choose or Player"


@grouped
def check(
    bot: str = typer.Argument(
        ..., help="A bot: ./mybot.py, ./mybot or cmd:COMMAND; or a game: ./mygame.py:MyGame."
    ),
    positions: int = typer.Option(_POSITIONS, "-n", "--positions", min=1, help="How many positions."),
    *,
    about: ConditionOptions,
    as_json: AsJson = False,
    patience: float = typer.Option(
        CHECKED_PROGRAM,
        "--patience",
        metavar="SECONDS",
        min=0.1,
        rich_help_panel=CLOCK,
        help="To be ready for a game; matches give 120.",
    ),
) -> None:
    """Find out what is wrong with a bot, or with the rules of your own game.

    A bot is started as a match would start it, asked in positions, and plays a game; exit code 1 if it is at fault. A game, FILE.py:CLASS,
    is held against what every game promises, in every position of random games.

    Example: saddlepoint check ./mygame.py:MyGame

    Example: saddlepoint check ./mybot.py

    Example: saddlepoint check ./mybot.py --game ./mygame.py:MyGame --time 0.1
    """
    from ..game.own_games import class_missing, games_in, split_file

    if len(games_in(bot.strip())) > 1:
        raise class_missing(bot)
    own = split_file(bot)
    if own is not None:
        if (positions, patience, about) != (_POSITIONS, CHECKED_PROGRAM, ConditionOptions()):
            raise ValueError(f"of {bot} the rules are checked, in random games: the only option is --json")
        _check_rules(bot, *own, as_json=as_json)
        return
    from ..arena.examination import examine
    from ..games.catalogue.commands import refuse_missing
    from .starting import say_how_contained

    if parse_spec(bot).name != COMMAND:
        raise ValueError(
            f"check is for a program or a Python file, such as ./mybot.py or 'cmd:java -jar bot.jar', not for {bot!r}"
        )
    conditions = about.conditions(players=(bot,))
    conditions = replace(conditions, isolation=replace(conditions.isolation, patience=patience))
    refuse_missing(bot)
    say_how_contained(conditions.isolation, (bot,))
    with Status("check") as status:
        found = examine(bot, conditions, positions, status.update)
    data = _as_json(bot, name_of(conditions.game), conditions.clock.bank, found)
    if as_json:
        print_json(data)
    else:
        _print(data, found, conditions.isolation, conditions.tolerance)
    if found.problems:
        raise typer.Exit(1)


def _check_rules(text: str, file: str, rest: str, *, as_json: bool) -> None:
    """Hold a game in a file to what every game promises; exit code 1, and one sentence, for what it breaks."""
    from ..game.checker import check_game
    from ..game.own_games import load_game

    broken, spec = "", parse_spec(rest)
    with Status("random games"):
        game = load_game(file, spec.name, dict(spec.options))
        try:
            check_game(game, playouts=_PLAYOUTS)
        except AssertionError as error:
            broken = str(error)
    if as_json:
        print_json({"game": text, "ok": not broken, "playouts": _PLAYOUTS, "problem": broken or None})
    elif broken:
        fail(broken)
    else:
        print(
            f"{game}: the rules keep what every game promises, in every position of {_PLAYOUTS} random games"
        )
    if broken:
        raise typer.Exit(1)


def _as_json(bot: str, game: str, allowed: float, found: "Examination") -> dict[str, Any]:
    return {
        "bot": bot,
        "game": game,
        "ok": not found.problems,
        "protocol": found.protocol or None,
        "ready": found.ready,
        "seconds_allowed": allowed,
        "positions": found.asked,
        "answered": len(found.seconds),
        "median": found.median,
        "slowest": max(found.seconds, default=None),
        "result": found.game or None,
        "steps": found.steps,
        "problems": [vars(problem) for problem in found.problems],
        "notes": found.notes,
    }


def _print(data: dict[str, Any], found: "Examination", isolation: "Isolation", tolerance: float) -> None:
    from ..arena.examination import NO_START
    from .starting import way_out

    print(f"{data['bot']} in {data['game']}")
    ready = "no" if found.ready is None else f"yes, within {found.ready:.2f} s"
    print(f"  starts     {ready}")
    print(f"  speaks     {_spoken(found.protocol)}")
    if found.asked:
        said = f"{len(found.seconds)} of {found.asked} answered"
        if found.seconds:
            said += f"; {_milliseconds(found.median or 0.0)} a move (median), {_milliseconds(max(found.seconds))} at most"
        allowed, most = data["seconds_allowed"], "no limit of time"
        if allowed < float("inf"):
            most = f"{_milliseconds(allowed)} allowed" + (
                f", and {_milliseconds(tolerance)} of tolerance" if tolerance else ""
            )
        print(f"  positions  {said}; {most}")
    if found.game:
        print(f"  a game     against random: {found.game}")
    for number, problem in enumerate(found.problems):
        if number == 0:
            print()
        print_wrapped(f"{problem.kind}, {problem.where}: {problem.text}", indent="  ")
        if problem.kind == NO_START:
            print_wrapped(f"  {way_out(data['bot'], isolation)}", indent="    ")
        if number == 0:
            _print_evidence(problem)
    for note in found.notes:
        print_wrapped(f"note: {note}", indent="  ")
    if not found.problems:
        print("nothing is wrong with it")


def _print_evidence(problem: "Problem") -> None:
    if problem.legal:
        more = len(problem.legal) - _MOST_LEGAL
        print_wrapped(
            f"  legal: {', '.join(problem.legal[:_MOST_LEGAL])}{f' and {more} more' if more > 0 else ''}",
            indent="    ",
        )
    if problem.position:
        print("  the position:")
        for line in problem.position.split("\n"):
            print(f"    {line}")
    if problem.dialogue:
        print("  what was said last (seconds; > to it, < from it, ! its standard error):")
        for line in problem.dialogue:
            print(f"    {line[:_WIDEST]}{'...' if len(line) > _WIDEST else ''}")


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 10 else f"{seconds:.1f} s"


def _spoken(protocol: str | None) -> str:
    from ..games.catalogue.commands import PYTHON
    from ..games.catalogue.games import protocols

    return ({one.name: one.title or one.name for one in protocols()} | {PYTHON: _PYTHON}).get(
        protocol or "", "not known: it answered none"
    )
