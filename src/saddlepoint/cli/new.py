"""`new`: a small game or bot that works, with its test, to begin with.

The texts lie in `templates/`; NAME and CLASS in them stand for the file's name and the game's class.
"""

import keyword
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Annotated

import typer

from ..system.terminal import print

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
    for path in (file, beside):
        if path.exists():
            raise ValueError(f"{path} is there already: choose another name, or remove it")
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
