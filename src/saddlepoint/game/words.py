"""Defaults for a game's words and pictures: a title from its class's name, a position's fields, a picture of
its text.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isqrt
from typing import Any, NamedTuple, cast

from ..system.text import count_of
from .nodes import CHANCE, NO_ACTION
from .picture import Cell, Move, Owner, Picture, Piece

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


def title_of_class(name: str) -> str:
    """A title made from a class's name: "MyGame" gives "My Game"."""
    words = _BREAK.sub(" ", name).strip()
    return words[:1].upper() + words[1:] or name


def title_of(cls: type) -> str:
    """A game class's title: its own, not one of a class that it is made from, or one made from its name."""
    own = vars(cls).get("title")
    return own if own and isinstance(own, str) else title_of_class(cls.__name__)


# A position of which nothing is known but its fields: as rows by name, and as lines that a person can read.

Rows = tuple[tuple[str, ...], ...]
Fields = tuple[tuple[str, Rows], ...]
"""By name the values of each field, in rows."""

_LEAST_GRID = 9
"""Tuples of this many values are drawn as a square where their number is one; shorter ones are a row."""
_ROW = 12
"""The values in a row of a tuple that is no square."""
_MOST_FIELDS, _MOST_ROWS, _MOST_IN_ROW = 64, 32, 48
"""Of what is larger only the beginning is shown, and how much more there is."""
_SET = 2**32
"""Whole numbers from here on are sets of bits, such as the cells of a board: they are written in hexadecimal, with how many there are."""
_WORD = 64
_LONGEST = 80
"""Characters of a value."""


def fields_of(state: Any) -> Fields:
    """The fields of a NamedTuple; one within it has its own, a long tuple several rows, a square one as many as it has in a row."""
    told: list[tuple[str, Rows]] = []
    for name, value in _named(state):
        if len(told) == _MOST_FIELDS:
            told.append(("and more", (("…",),)))
            break
        rows = list(_rows(value))
        if len(rows) > _MOST_ROWS:
            rows = [*rows[:_MOST_ROWS], (f"and {len(rows) - _MOST_ROWS} rows more",)]
        told.append((name, tuple(rows)))
    return tuple(told)


def field_text(state: Any) -> str:
    """The same as lines: a name, and beside it a value or a row of them."""
    fields = fields_of(state)
    width = max((len(name) for name, _ in fields), default=0)
    lines: list[str] = []
    for name, rows in fields:
        for number, row in enumerate(rows):
            widest = (
                max(map(len, row))
                if len(row) == 1
                else max((len(word) for one in rows if len(one) > 1 for word in one), default=0)
            )
            values = " ".join(f"{word:>{widest}}" for word in row)
            lines.append(f"{'' if number else name:<{width}}  {values}")
    return "\n".join(lines)


def _named(state: Any, within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in zip(state._fields, state, strict=True):
        if hasattr(value, "_fields"):
            yield from _named(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def _rows(value: Any) -> Iterator[tuple[str, ...]]:
    if getattr(value, "ndim", 0):
        value = _as_tuple(value.tolist())
    if not isinstance(value, tuple):
        yield (_word(value),)
        return
    items = cast(tuple[Any, ...], value)
    if not items:
        yield ("none",)
    elif any(isinstance(item, tuple) for item in items):
        for item in items:
            if isinstance(item, tuple) and not any(
                isinstance(one, tuple) for one in cast(tuple[Any, ...], item)
            ):
                yield from _cut([_word(one) for one in cast(tuple[Any, ...], item)], _MOST_IN_ROW)
            else:
                yield from _rows(item)
    else:
        words = [_word(item) for item in items]
        side = isqrt(len(words))
        yield from _cut(
            words, side if side * side == len(words) >= _LEAST_GRID and side <= _MOST_IN_ROW else _ROW
        )


def _cut(words: list[str], row: int) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(words), row):
        yield tuple(words[start : start + row])


def _as_tuple(value: Any) -> Any:
    return tuple(_as_tuple(one) for one in cast(list[Any], value)) if isinstance(value, list) else value


def _word(value: Any) -> str:
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, int) and abs(plain) >= _SET:
        bits = plain if plain >= 0 else plain & ((1 << _WORD) - 1)
        count = bits.bit_count()
        return f"{_shortened(f'{bits:#x}')} ({count_of(count, 'bit')})"
    return f"{plain:g}" if isinstance(plain, float) else _shortened(str(plain))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# A picture of a position of which there is nothing but text: where `render` is a grid of characters, a board of them.
#
# What the characters and the moves mean follows from the rules alone: a move that fills a blank cell is made there, and a
# character that only one player's moves put down is that player's.

_BLANK = ".·_ "
_WALL = "#"
_MOST_SIDE = 48
_MOST_MOVES = 128
"""With more of them in a position, where they are made is not looked for."""
_TRIED_PLIES, _TRIED_ACTIONS = 6, 8

Lines = tuple[str, ...]


class Board(NamedTuple):
    """A text that shows a board."""

    rows: Lines
    """Each cell is a character."""
    said: str
    """The other lines, above or below it."""


def picture_of_text(game: Any, state: Any, moves: tuple[Move, ...]) -> Picture:
    """The picture of a position; `moves` are those of `pictured_moves`."""
    text = game.render(state)
    plain = Picture(text=text, moves=moves)
    board = board_of(text)
    if board is None or not _begins_with(game, len(board.rows), len(board.rows[0])):
        return plain
    rows, owners = board.rows, _owners(game)
    cells = [(x, y, mark) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in _BLANK]
    falls = _falls(game)
    return Picture(
        len(rows[0]),
        len(rows),
        "frame" if falls else "cells",
        text=text,
        said=board.said,
        moves=tuple(_placed(game, state, moves, rows)),
        walls=tuple((x, y) for x, y, mark in cells if mark == _WALL),
        pieces=tuple(_piece(x, y, mark, owners) for x, y, mark in cells if mark != _WALL),
        column_names=falls,
    )


def board_of(text: str) -> Board | None:
    """The most lines of a text, one below the other, that are a rectangle of single characters, each maybe followed by a space.

    None where there are no two such lines. Beside other lines the characters are the cells only if no words can be meant: each is
    followed by a space, or none is a space.
    """
    lines = text.strip("\n").split("\n")
    runs: list[list[str]] = []
    for line in lines:
        if runs and len(runs[-1][0]) == len(line):
            runs[-1].append(line)
        else:
            runs.append([line])
    most = max(range(len(runs)), key=lambda k: len(runs[k]))
    rows = runs[most]
    is_spaced = (
        len(rows[0]) > 2
        and not any(row[1::2].strip() for row in rows)
        and any(row[::2].strip() for row in rows)
    )
    if is_spaced:
        rows = [row[::2] for row in rows]
    elif len(runs) > 1 and any(" " in row for row in rows):
        return None
    if not (2 <= len(rows) <= _MOST_SIDE and 2 <= len(rows[0]) <= _MOST_SIDE):
        return None
    others = [line for k, run in enumerate(runs) if k != most for line in run]
    return Board(tuple(rows), "\n".join(others))


def _rows_of(game: Any, state: Any) -> Lines | None:
    board = board_of(game.render(state))
    return None if board is None else board.rows


@functools.lru_cache(maxsize=64)
def _begins_with(game: Any, height: int, width: int) -> bool:
    """Whether the game begins with a board of that size: with blank cells and few other characters, or with very few."""
    rows = _rows_of(game, game.initial_state())
    if rows is None or (len(rows), len(rows[0])) != (height, width):
        return False
    marks = set("".join(rows))
    return len(marks) <= (16 if marks & set(_BLANK) else 4)


@functools.lru_cache(maxsize=64)
def _owners(game: Any) -> dict[str, int]:
    """Whose the characters are that the first moves of a game put down, where it is only one player's moves that do."""
    found: tuple[set[str], set[str]] = (set(), set())
    state = game.initial_state()
    marks = set("".join(_rows_of(game, state) or ()))
    is_full = not marks & set(_BLANK)  # then every move is one onto another piece
    for _ in range(_TRIED_PLIES):
        acting = game.players_to_act(state)
        if not acting:
            if game.current_player(state) != CHANCE:
                break
            state = game.advance(state, game.chance_outcomes(state)[0][0], NO_ACTION)
            continue
        first = [game.legal_actions(state, player)[0] if player in acting else NO_ACTION for player in (0, 1)]
        after = game.advance(state, first[0], first[1])
        # Where both move at once a player's moves are compared with each other, beside the same move of the other.
        before = _rows_of(game, state if len(acting) == 1 else after)
        for player in acting:
            for action in game.legal_actions(state, player)[:_TRIED_ACTIONS]:
                one, two = (action, first[1]) if player == 0 else (first[0], action)
                changes = _changes(before, _rows_of(game, game.advance(state, one, two)))
                found[player].update(mark for _, was, mark in changes if is_full or was in _BLANK)
        state = after
    return {
        mark: player
        for player in (0, 1)
        for mark in found[player] - found[1 - player]
        if mark not in _BLANK + _WALL
    }


@functools.lru_cache(maxsize=64)
def _falls(game: Any) -> tuple[str, ...]:
    """The names of the columns of a board into which pieces fall: where the first move is one for each column, at its bottom."""
    state = game.initial_state()
    rows = _rows_of(game, state)
    if rows is None or len(rows) < 3:
        return ()
    moves = {move.to: move.name for move in _placed(game, state, game.pictured_moves(state), rows)}
    bottom = [(x, len(rows) - 1) for x in range(len(rows[0]))]
    return tuple(moves[cell] for cell in bottom) if set(moves) == set(bottom) else ()


def _placed(game: Any, state: Any, moves: tuple[Move, ...], rows: Lines) -> Iterator[Move]:
    """The moves of the player to move with their cells, as far as the positions after them show these."""
    owners = _owners(game)
    for move in moves:
        if game.current_player(state) != move.player or len(moves) > _MOST_MOVES:
            yield move
            continue
        changes = list(_changes(rows, _rows_of(game, game.next_state(state, move.action))))
        filled = [(cell, mark) for cell, was, mark in changes if was in _BLANK]
        left = [cell for cell, _, mark in changes if mark in _BLANK]
        there = filled or [
            (cell, mark) for cell, was, mark in changes if was not in _BLANK and mark not in _BLANK
        ]
        if len(there) != 1:
            yield move
            continue
        (x, y), mark = there[0]
        yield replace(
            move, to=(x, y), start=(left[0] if len(left) == 1 else None), piece=_piece(x, y, mark, owners)
        )


def _changes(before: Lines | None, after: Lines | None) -> Iterable[tuple[Cell, str, str]]:
    """The cells that differ, with what was there and what is; none where the two are no grids of one size."""
    if before is None or after is None or (len(before), len(before[0])) != (len(after), len(after[0])):
        return
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        for x, (was, mark) in enumerate(zip(old, new, strict=True)):
            if was != mark:
                yield (x, y), was, mark


def _piece(x: int, y: int, mark: str, owners: dict[str, int]) -> Piece:
    owner: Owner = owners.get(mark)
    return Piece(x, y, owner, "none" if owner is None else "disc", mark)
