"""What a page asks of a game's texts and pictures, and how a state lies in machine words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compiled.states import _hints, annotated_items, as_machine_words
from ...game.base import Ending, Game
from ...game.picture import shown_from
from ...play.position_text import position_of_text
from ...play.record import Turns, endings_json, reasons
from ..lowering import ExportError
from .known import quoted
from .reached import Reached

_LETTERS: tuple[tuple[Any, str], ...] = (
    (bool, "b"),
    (int, "i"),
    (np.unsignedinteger, "U"),
    (np.integer, "I"),
    (np.bool_, "B"),
    (np.floating, "F"),
    (float, "f"),
)
"""The kinds of numbers, the first that fits."""


def layout_text(program: Reached, start: Any) -> str:
    """The layout of a game's states, with the class of each NamedTuple and the annotations by which a text is read."""
    return _layout(program, as_machine_words(start), type(start))


def _layout(program: Reached, value: Any, annotation: Any) -> str:
    """A number's kind is a letter: unsigned, signed, a bool, a float; a capital where the annotation is one of NumPy's."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        hints = _hints(type(value))
        names: Any = value._fields  # pyright: ignore[reportAttributeAccessIssue]
        inner = [_layout(program, one, hints[name]) for name, one in zip(names, value, strict=True)]
        return f"[{program.class_(type(value))}, {', '.join(inner)}]"
    if isinstance(value, tuple):
        inner = [_layout(program, one, kind) for kind, one in annotated_items(annotation, value)]
        return f"[null, {', '.join(inner)}]"
    for kind, letter in _LETTERS:
        if isinstance(value, kind):
            return quoted(letter)
    raise ExportError(f"a state with a {type(value).__name__} cannot be translated to JavaScript")


# What a page asks of a game's texts and pictures. These functions are translated, with all that they call.


def picture(game: Game, state: Any) -> dict[str, Any]:
    """What a position looks like."""
    return game.picture(state).to_json()


def pictures(game: Game, states: Sequence[Any], first: int) -> list[dict[str, Any]]:
    """What the positions of a game look like from `first` on, each continued from the one before."""
    return [
        one.to_json()
        for one in shown_from(first, len(states) - 1, lambda number: game.picture(states[number]))
    ]


def action_name(game: Game, state: Any, player: int, action: int) -> str:
    """What an action is called."""
    return game.action_to_string(state, player, action)


def outcome_name(game: Game, state: Any, outcome: int) -> str:
    """What chance does by an outcome."""
    return game.outcome_to_string(state, outcome)


def text(game: Game, state: Any) -> str:
    """A position in the game's own text."""
    return game.to_text(state)


def render(game: Game, state: Any) -> str:
    """A position as lines."""
    return game.render(state)


def from_text(game: Game, written: str) -> Any:
    """The position that a text describes."""
    return position_of_text(game, written)


def endings(game: Game, states: Sequence[Any]) -> dict[str, Any] | None:
    """What became of each player, and what else ended the game."""
    return endings_json(game, states)


def slowly(game: Game, states: Sequence[Any]) -> list[bool]:
    """Of each player whether what became of it took many moves, as hunger does."""
    return [isinstance(one, Ending) and one.since is not None for one in game.ending(states)]


def why(game: Game, states: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Why a finished game is over, sentence by sentence."""
    return reasons(game, states, names)


def turns(game: Game, states: Sequence[Any]) -> dict[str, Any]:
    """What people call a turn, and how many were done at each position."""
    counted = Turns(game, states)
    return {"word": counted.word, "done": [counted.done(step) for step in range(len(states))]}


ROOTS = {
    "picture": picture, "pictures": pictures, "actionName": action_name, "outcomeName": outcome_name, "text": text, "render": render,
    "fromText": from_text, "endings": endings, "reasons": why, "turns": turns, "slowly": slowly,
}  # fmt: skip
"""By the name in JavaScript."""
