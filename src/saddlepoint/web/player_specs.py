"""The players that a client may name: those of the roster and searches with harmless options, and those of the command line."""

from collections.abc import Collection
from typing import Any

from ..algorithms import ALGORITHMS
from ..game import Game
from ..roster.catalogue import players_of
from ..roster.evaluators import EVALUATORS
from ..roster.make import make_player
from ..spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, name_of, parse_spec
from . import limits
from .errors import Refused, first_line

_MOST = {"depth": 64, "nodes": limits.NODES}
_WORDS = {"choice": ("best", "mixture")}
_EVALUATOR = "evaluator"


def check_player(text: str, game: Game, own: Collection[str]) -> str:
    """The spec of a player, as it is written here; raises Refused in one sentence for what a client may not name."""
    if text in own:
        return text
    spec = parsed(text)
    if spec.name in (COMMAND, HUMAN):
        raise Refused("a client may name no program and no person; programs are given on the command line with --player")
    if spec.name == SNAKE:
        raise Refused("a client may name no server: snakes by their address play in `saddlepoint play` and `match`")
    named = {entry.name: entry for entry in players_of(game.name)}
    entry = named.get(spec.name)
    if entry is None and spec.name not in ALGORITHMS:
        raise Refused(f"no player of {name_of(game)} is called {spec.name[:100]!r}; known: {', '.join(named)}")
    if entry is not None and not entry.is_complete:
        raise Refused(f"{spec.name} needs a file; it is given on the command line with --player")
    check_options(spec, game)
    try:
        make_player(spec, game).close()
    except SpecError as error:
        raise Refused(first_line(error)) from None
    return str(spec)


def check_search(text: str, game: Game, known: Collection[str], what: str) -> str:
    """The spec of an algorithm or evaluator, likewise."""
    spec = parsed(text)
    if spec.name not in known:
        raise Refused(f"no {what} is called {spec.name[:100]!r}; known: {', '.join(known)}")
    check_options(spec, game)
    return str(spec)


def is_program(text: str) -> bool:
    """Whether a spec is a program's, or a Python file's, which plays in a process of its own."""
    return parse_spec(text).name == COMMAND


def parsed(text: str) -> Spec:
    """A spec of a client."""
    if len(text) > limits.SPEC:
        raise Refused(f"the spec is longer than {limits.SPEC} characters")
    try:
        return parse_spec(text)
    except SpecError as error:
        raise Refused(first_line(error)) from None


def check_options(spec: Spec, game: Game) -> None:
    """Raise Refused for an option that names a file, takes memory or is not known to be harmless."""
    for key, value in spec.options.items():
        if key in _MOST:
            if type(value) is not int or not 1 <= value <= _MOST[key]:
                raise Refused(f"{spec.name}: {key} must be 1 to {_MOST[key]}")
        elif key in _WORDS:
            if value not in _WORDS[key]:
                raise Refused(f"{spec.name}: {key} must be one of {', '.join(_WORDS[key])}")
        elif key == _EVALUATOR:
            name: Any = value.name if isinstance(value, Spec) and not value.options else value
            known = EVALUATORS.made_for(game)
            if not isinstance(name, str) or name not in known:
                raise Refused(f"{spec.name}: evaluator must be the name of one; known: {', '.join(known)}")
        else:
            raise Refused(f"{spec.name}: a client may not set {key!r}; such players are given on the command line with --player")
