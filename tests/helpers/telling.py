"""What somebody is told who made a mistake: by `check_game`, and by the program."""

import contextlib
import importlib.util
import io
import sys
from pathlib import Path
from types import ModuleType
from unittest import mock

import saddlepoint.cli
from helpers.beginners_games import Mistake, source
from saddlepoint import KernelError, check_game


def mine(mistake: Mistake, folder: Path) -> Path:
    """The file with the mistake, written there."""
    path = folder / "mine.py"
    path.write_text(source(mistake))
    return path


def loaded(path: Path) -> ModuleType:
    """The file, imported as a user's test would."""
    name = f"mine_{path.parent.name}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said_by_check_game(mistake: Mistake, path: Path, name: str = "Mine") -> list[str]:
    """The lines of the error; empty where nothing was said."""
    try:
        cls = getattr(loaded(path), name)
        with contextlib.redirect_stdout(io.StringIO()):
            check_game(cls if mistake.name == "class_given" else cls(), playouts=10, seed=1)
    except (AssertionError, KernelError) as error:
        assert error.__cause__ is None, "no trace of what is below is printed"
        assert error.__suppress_context__ or error.__context__ is None
        return str(error).splitlines()
    return []


def said_by_program(*arguments: str) -> tuple[int, list[str]]:
    """The exit code, and the lines on stderr but for what is said of a busy machine and of compiling."""
    errors = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["saddlepoint", *arguments]),
        contextlib.redirect_stderr(errors),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        try:
            saddlepoint.cli.main()
        except SystemExit as left:
            code = int(left.code or 0)
    lines = errors.getvalue().splitlines()
    return code, [
        line for line in lines if not line.startswith(("saddlepoint: the machine ", "saddlepoint: compil"))
    ]
