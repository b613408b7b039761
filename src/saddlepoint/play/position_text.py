"""Positions as people write them: by the moves that lead there, `moves: 3/5 2/4`. Every game has this form.

A word a turn: the player's move, both moves with a `/` where both move at once, the outcome's name where
chance moves. Blanks in a name are written `_`. An action whose name is no word, or is not unique, is written
by its number, `#7`. The moves begin at the game's start, or at the position in the game's own text that
stands before them, on lines of its own.
"""

import inspect
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, Game, GameError
from ..game.spec import name_of
from ..system.text import read_text

_MARK = re.compile(r"^[ \t]*moves:", re.MULTILINE)
_TAKEN = re.compile("[/#]")
"""The characters with a meaning in a word."""
_LISTED = 12
"""How many legal moves are named in an error."""


class WrittenPosition(NamedTuple):
    """A text, taken apart."""

    own: str
    """In the game's own text: the position itself, or the one at which the moves begin; empty for the game's start."""
    words: tuple[str, ...] | None
    """The moves; None where the text is the game's own alone."""


def taken_apart(text: str) -> WrittenPosition:
    """The game's own text and the moves in a text."""
    mark = _MARK.search(text)
    if mark is None:
        return WrittenPosition(text, None)
    return WrittenPosition(text[: mark.start()].strip("\n"), tuple(text[mark.end() :].split()))


def start_of(
    game: Game, cell: tuple[int, int] | None = None, seed: int | None = None, option: str = "start"
) -> Any:
    """The start of a game: from a cell, drawn from a seed where the game draws it, or the standard one.

    Raises GameError for a cell in a game that starts from none; `option` is what gave it.
    """
    takes = inspect.signature(game.initial_state).parameters
    if cell is not None:
        if "x" not in takes:
            raise GameError(f"{option} is for games whose start is a cell; {name_of(game)} has none")
        return game.initial_state(*cell)  # type: ignore[call-arg]
    return game.initial_state(seed=seed) if seed is not None and "seed" in takes else game.initial_state()  # type: ignore[call-arg]


def position_of_text(game: Game, text: str) -> Any:
    """The position that a text describes, by moves or in the game's own form; raises GameError in one sentence."""
    return positions_of_text(game, text)[-1]


def positions_of_text(game: Game, text: str) -> list[Any]:
    """The same with the positions before it, as far as the text has them."""
    written = taken_apart(text)
    has_own = written.own.strip() or written.words is None
    states = [game.from_text(written.own) if has_own else game.initial_state()]
    for number, word in enumerate(written.words or (), 1):
        try:
            states.append(game.advance(states[-1], *_joint(game, states[-1], word)))
        except GameError as error:
            raise GameError(f"move {number} of {len(written.words or ())}: {error}") from None
    return states


def text_of_moves(game: Game, states: Sequence[Any], actions: Sequence[Sequence[int]]) -> str:
    """The position after some moves, as `position_of_text` reads it. `states[k]` is the position before `actions[k]`."""
    own = "" if states[0] == game.initial_state() else game.to_text(states[0]).rstrip("\n") + "\n"
    words = [_word(game, state, joint) for state, joint in zip(states, actions, strict=False)]
    return own + " ".join(["moves:", *words])


def _word(game: Game, state: Any, joint: Sequence[int]) -> str:
    node = game.current_player(state)
    if node == CHANCE:
        return _words(game, state, None)[joint[0]]
    if node == SIMULTANEOUS:
        return "/".join(_words(game, state, player)[joint[player]] for player in (0, 1))
    return _words(game, state, node)[joint[node]]


def _words(game: Game, state: Any, player: int | None) -> dict[int, str]:
    """The word of each action of a player, or of each outcome of chance where that is None."""
    named = (
        {outcome: game.outcome_to_string(state, outcome) for outcome, _ in game.chance_outcomes(state)}
        if player is None
        else {one: game.action_to_string(state, player, one) for one in game.legal_actions(state, player)}
    )
    words = {action: "_".join(name.split()) for action, name in named.items()}
    written = list(words.values())
    return {
        action: word if word and not _TAKEN.search(word) and written.count(word) == 1 else f"#{action}"
        for action, word in words.items()
    }


def _joint(game: Game, state: Any, text: str) -> tuple[int, int]:
    """The actions that a word names, NO_ACTION for a player without a choice; chance's outcome in the first place."""
    node = game.current_player(state)
    if node == CHANCE:
        return _action(game, state, None, text), NO_ACTION
    players = game.players_to_act(state)
    if not players:
        raise GameError(f"{text!r} comes after the end of the game")
    parts = text.split("/")
    if len(parts) != len(players):
        one = "/".join(next(iter(_words(game, state, player).values())) for player in players)
        who = "both players move here" if len(players) == 2 else f"only player {players[0]} moves here"
        raise GameError(f"{who}, so it is written like {one}, not {text!r}")
    chosen = [NO_ACTION, NO_ACTION]
    for player, part in zip(players, parts, strict=True):
        chosen[player] = _action(game, state, player, part)
    return chosen[0], chosen[1]


def _action(game: Game, state: Any, player: int | None, text: str) -> int:
    words = _words(game, state, player)
    for wanted, key in ((text, str), (text.casefold(), str.casefold)):
        found = [action for action, word in words.items() if key(word) == wanted or f"#{action}" == text]
        if len(found) == 1:
            return found[0]
    whose, there = (
        ("outcome of chance", "possible") if player is None else (f"legal move of player {player}", "legal")
    )
    listed = list(words.values())[:_LISTED]
    more = [f"and {len(words) - _LISTED} more"] if len(words) > _LISTED else []
    raise GameError(f"{text!r} is no {whose} there; {there}: {', '.join([*listed, *more])}")


def read_position_text(given: str) -> str:
    """The text of a position given to a command: itself if it begins with `moves:` or has several lines, else
    the file's.

    Raises ValueError where the file does not exist or is no text.
    """
    if given.lstrip().startswith("moves:") or "\n" in given.strip():
        return given
    try:
        return read_text(given)
    except FileNotFoundError:
        raise ValueError(
            f"there is no file {given!r}; a position given by its moves is written 'moves: 3/5 2/4'"
        ) from None


def read_position(game: Game, given: str | None) -> Any:
    """The position that is given to a command, or the game's start; raises GameError in one sentence."""
    return game.initial_state() if given is None else position_of_text(game, read_position_text(given))


def read_fitted_position(game: Game, given: str) -> tuple[Game, Any]:
    """The position that is given to a command, and before it the game on the board that it shows."""
    text = read_position_text(given)
    fitted = game.fitted_to(taken_apart(text).own)
    return fitted, position_of_text(fitted, text)
