"""Games in users' own files: `./mygame.py:MyGame(size=5)`. Such a file is code, and it runs when it is loaded.

A ledger, a message or a spec never loads a file by itself: somebody must have given it to this program, or to the one
that sends the game.
"""

import ast
import copyreg
import importlib.util
import inspect
import math
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from ..compiled import KernelError, identity
from ..compiled.directory import warn_once
from ..compiled.rules import rules_digest
from ..compiled.sources import script_name
from ..system.foreign import parsed, path_of
from .base import Game, GameError
from .spec import name_of

Finder = Callable[..., Game]
"""From the name of a game, and its parameters by keyword, to the game; raises GameError for what there is not."""
_TEXT = re.compile(r"(?P<file>.*?\.py):(?P<rest>\s*(?P<name>[A-Za-z_]\w*).*)", re.DOTALL)
_IN_FOLDER = re.compile(r"\.{1,2}/|~/|/")
_IDENTITY = "identity"
_loaded: dict[type[Game], Path] = {}


def split_file(text: str) -> tuple[str, str] | None:
    """The file and the rest, `MyGame(size=5)`, of a text that names a game in a file; None if it names none.

    A file with one game in it needs no class behind it.
    """
    text = text.strip()
    if _IN_FOLDER.match(text) and text.endswith(".py") and len(names := games_in(text)) == 1:
        return text, names[0]
    match = _TEXT.fullmatch(text)
    if match is None or (
        not _IN_FOLDER.match(match["file"]) and match["file"].count("(") != match["file"].count(")")
    ):
        return None  # a file named within a spec
    return match["file"], match["rest"].strip()


def games_in(file: str | Path) -> list[str]:
    """The classes of a Python file that are made of `Game`, by what is written there: it is not run. None of one that is a bot's file."""
    body = parsed(path_of(file)).body
    if any(
        isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name in ("choose", "Player") for one in body
    ):
        return []
    classes = [one for one in body if isinstance(one, ast.ClassDef)]
    return [
        one.name
        for one in classes
        if any(getattr(base, "id", getattr(base, "attr", "")) == "Game" for base in one.bases)
    ]


def class_missing(text: str) -> ValueError:
    """The error for a Python file named without its class that is missing or has not exactly one game; with the way out."""
    if not path_of(text.strip()).exists():
        return GameError(f"there is no file {text.strip()!r}")
    names = games_in(text.strip())
    known = f"; it has {' and '.join(names)}" if names else ""
    return ValueError(
        f"your own game is given as FILE.py:CLASS, such as {text.strip()}:{[*names, 'MyGame'][0]}, not {text!r}{known}"
    )


def load_game(file: str | Path, name: str, parameters: dict[str, Any]) -> Game:
    """The game of that class in that file, which is run as Python; raises GameError in one sentence."""
    cls = load_class(file, name)
    known = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
    given = checked_parameters(name, known, parameters)
    missing = [
        field.name
        for field in fields(cls)  # type: ignore[arg-type]
        if field.default is field.default_factory is MISSING and field.name not in given
    ]
    if missing:
        raise GameError(f"{name} needs {', '.join(missing)}: {name}({missing[0]}=...)")
    try:
        return cls(**given)
    except Exception as error:
        what = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
        raise GameError(
            f"{name} cannot be made with {given}: {what}{_line_of(error, _loaded[cls])}"
        ) from error


def load_class(file: str | Path, name: str, kind: type = Game) -> Any:
    """The class of that name in a file, a dataclass made of `kind`; the file is run once in a process. Raises GameError."""
    path = path_of(file).resolve()
    if not path.is_file():
        raise GameError(f"there is no file {str(file)!r}")
    module = _run(path)
    cls = getattr(module, name, None)
    if not (isinstance(cls, type) and issubclass(cls, kind) and is_dataclass(cls)):
        raise GameError(
            _no_game(path, module, name, cls)
            if kind is Game
            else f"{path.name} has no {name!r} that is a frozen dataclass made of {kind.__name__}"
        )
    if kind is Game and cls not in _loaded:  # type: ignore[comparison-overlap]
        _loaded[cls] = path  # type: ignore[index] (it is a Game)
        copyreg.pickle(
            cls,
            lambda game: (_restored, (str(path), name, game.__getstate__())),  # type: ignore[arg-type]
        )  # other processes load it by its file
    return cls


def _no_game(path: Path, module: Any, name: str, found: Any) -> str:
    """The message that a name in a file is no game, with the way out."""
    if isinstance(found, type) and issubclass(found, Game):
        return f"{path.name}: {name} is no dataclass: put @dataclass(frozen=True) above class {name}{_line_of_class(found)}"
    if isinstance(found, type) and any(getattr(thing, "is_kernel", False) for thing in vars(found).values()):
        return f"{path.name}: {name} is not made of Game: write class {name}(Game){_line_of_class(found)}"
    known = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    ]
    if found is not None and not isinstance(found, type):
        return f"{path.name}: {name} is a {type(found).__name__} and no class; the games in it: {', '.join(known) or 'none'}"
    return f"{path.name} has no game {name!r}, a frozen dataclass made of Game; it has: {', '.join(known) or 'none'}"


def _line_of_class(cls: type) -> str:
    try:
        return f" (line {inspect.getsourcelines(cls)[1]})"
    except (OSError, TypeError):
        return ""


def _line_of(error: BaseException, path: Path) -> str:
    """The file's line that an exception came from, in brackets; empty if it says so itself, or came from elsewhere."""
    lines = [
        number
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == str(path)
    ]
    return f" ({path.name}, line {lines[-1]})" if lines and not isinstance(error, SyntaxError) else ""


def is_loaded(file: str) -> bool:
    """Whether the games of a file were loaded."""
    return any(str(path) == file for path in _loaded.values())


def _run(path: Path) -> Any:
    name = script_name(path)
    if name in sys.modules:
        return sys.modules[name]
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))  # as Python does for a script: modules beside it may be imported
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(
            error, (KeyboardInterrupt, GeneratorExit, KernelError)
        ):  # the last says which method and line
            raise
        first = (str(error).splitlines() or [""])[0]
        raise GameError(
            f"{path.name} cannot be loaded: {type(error).__name__}: {first}{_line_of(error, path)}"
        ) from error
    return module


def _restored(file: str, name: str, values: dict[str, Any]) -> Game:
    cls = load_class(file, name)
    game = object.__new__(cls)
    game.__dict__.update(values)
    return game


def checked_parameters(name: str, known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Parameters whose names are known and whose values are of the kinds of the defaults; raises GameError.

    A parameter without a default takes any value.
    """
    for key, value in given.items():
        if key not in known:
            raise GameError(f"{name} has no parameter {key!r}; it has: {', '.join(known) or 'none'}")
        if known[key] is not MISSING and type(value) is not type(known[key]):
            raise GameError(f"{name}: {key} must be of the kind of {known[key]!r}, not {value!r}")
    return given


def _installed(data: dict[str, Any], find: Finder) -> Game | None:
    """The game of an installed package, which is found by its name; None where there is none of that class."""
    try:
        found = find(data["name"], **data["parameters"])
    except GameError:
        return None
    if type(found).__name__ != data["class"]:
        return None
    if rules_digest(type(found)) != data["digest"]:
        warn_once(f"{data['name']} is not what it was when these games were played")
    return found


def finder_of(game: Game) -> Finder:
    """Finds this game, with any parameters, by its name, and no other."""

    def find(name: str, /, **parameters: Any) -> Game:
        if name != game.name:
            raise GameError(f"{game.name} is played here, not {name}")
        known = {field.name: field.default for field in fields(game)}  # type: ignore[arg-type]
        return type(game)(**checked_parameters(name, known, parameters))

    return find


# -- ledgers and replays -----------------------------------------------------------------------------------------------


def described(game: Game) -> dict[str, Any]:
    """A ledger's record of a game: name, parameters, and for one outside this library the place of its rules."""
    return {
        "name": name_of(game),
        "parameters": parameters_of(game),
        **origin(game),
    }


def parameters_of(game: Game) -> dict[str, Any]:
    """A game's parameters as JSON keeps them: numbers, texts and tuples of these; of anything else, an array say, the identity alone."""
    return {field.name: _written(getattr(game, field.name)) for field in fields(game)}  # type: ignore[arg-type]


def _written(value: Any) -> Any:
    return value if _is_plain(value) else {_IDENTITY: identity(value)}


def _is_plain(value: Any) -> bool:
    if type(value) in (tuple, list):
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))


def _read(value: Any) -> Any:
    """A parameter as the game had it: JSON has lists where there were tuples."""
    return tuple(map(_read, value)) if isinstance(value, list) else value


def origin(game: Game) -> dict[str, str]:
    """The place of the rules of a game outside this library: class, file and a digest of it.

    Empty for this library's.
    """
    digest = rules_digest(type(game))
    if not digest:
        return {}
    path = _loaded.get(type(game))
    return {"class": type(game).__name__, "file": path.name if path else "", "digest": digest}


def recorded_game(data: dict[str, Any], find: Finder) -> Game:
    """The game of a ledger's record, found by name with `find`; raises GameError.

    A game in a file must have been loaded before.
    """
    unwritten = {
        key: value[_IDENTITY]
        for key, value in data["parameters"].items()
        if isinstance(value, dict) and _IDENTITY in value
    }
    written = {key: _read(value) for key, value in data["parameters"].items() if key not in unwritten}
    game = _recorded({**data, "parameters": written}, find)
    for key, wanted in unwritten.items():
        if identity(getattr(game, key, None)) != wanted:
            raise GameError(
                f"{data['name']} had another {key}, of which only the identity is kept: give the game itself, from Python"
            )
    return game


def _recorded(data: dict[str, Any], find: Finder) -> Game:
    if "class" not in data:
        return find(data["name"], **data["parameters"])
    if not data["file"] and (installed := _installed(data, find)) is not None:
        return installed
    wanted = (data["class"], data["file"])
    found = [cls for cls, path in _loaded.items() if (cls.__name__, path.name) == wanted]
    if not found:
        place = f"the file {data['file']}" if data["file"] else "a program of somebody's own"
        raise GameError(
            f"the rules of {data['name']} are in {place}, which is not run without being asked for: give "
            f"--game ./{data['file'] or 'FILE.py'}:{data['class']} to run it"
        )
    same = [cls for cls in found if rules_digest(cls) == data["digest"]]
    cls = (same or found)[-1]
    if not same:
        warn_once(f"{_loaded[cls].name} is not what it was when these games were played")
    return load_game(_loaded[cls], data["class"], data["parameters"])
