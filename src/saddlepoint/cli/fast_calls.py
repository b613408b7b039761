"""Calls of commands that are read without typer: whoever makes them waits for the first line, and typer takes a quarter of a
second to load.

Only what is written out in full is read here. All else, errors and `--help` included, is left to typer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Usual:
    """What the usual calls of a command consist of; each word or option, with the parameter that it is for."""

    function: str
    """Called with these parameters, as `module:name`."""
    words: tuple[str, ...] = ()
    """Parameters that are given without an option, all of them, in their order."""
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Options that take a text."""
    flags: Mapping[str, str] = field(default_factory=dict[str, str])
    """Options without a value."""


USUAL = {
    "games": Usual("listings:list_games", flags={"--json": "as_json"}),
    "players": Usual("listings:list_players", texts={"--game": "game"}, flags={"--json": "as_json"}),
    "--version": Usual("listings:print_version"),
    "bot": Usual("bots:play_for_others", ("game",), {"--player": "player", "--protocol": "protocol"}),
}


def fast_call(arguments: Sequence[str]) -> Callable[[], object] | None:
    """The function that does what a usual call asks for; None for every other call."""
    command = USUAL.get(arguments[0]) if arguments else None
    given = None if command is None else _parameters(command, arguments[1:])
    if command is None or given is None:
        return None
    module, _, name = command.function.partition(":")
    return partial(getattr(import_module(f"{__package__}.{module}"), name), **given)


def _parameters(command: Usual, words: Sequence[str]) -> dict[str, Any] | None:
    given: dict[str, Any] = {}
    expected, rest = list(command.words), iter(words)
    for word in rest:
        option, mark, text = word.partition("=")
        value: str | bool = text
        if word in command.flags:
            key, value = command.flags[word], True
        elif option in command.texts:
            key, value = command.texts[option], text if mark else next(rest, "-")
        elif expected:
            key, value = expected.pop(0), word
        else:
            return None
        if key in given or str(value).startswith("-"):
            return None
        given[key] = value
    return None if expected else given
