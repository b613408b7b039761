"""The positions of the games that clients refer to, and where in a position's text its cells stand. Every request names its whole game."""

import random
import re
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from ..compiled import KernelError
from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError
from ..game.picture import Picture, shown_from
from ..game.steps import Names, names_of, random_joint, random_outcome
from ..game.words import title_of
from ..play.position_text import position_of_text
from ..play.record import Turns, endings_json, reasons
from ..system.text import count_of, error_line
from . import limits
from .catalogue import KnownGame, KnownGames
from .limits import Refused, refusing
from .messages import Branch, Joint, Reference

_DRAW = random.SystemRandom()
_KEPT = 32_768
"""Positions that are remembered, and starts; the least recently asked for are forgotten first."""
_PICTURES = 1024
"""Likewise pictures, which are larger."""


UNREADABLE = (
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    RecursionError,
    SyntaxError,
    MemoryError,
    KernelError,
)
"""The errors of a text that describes no position; GameError is a ValueError."""


@dataclass(frozen=True, eq=False)
class Place:
    """A position of a game, and the names of the move that led there; known by its identity."""

    game: Game
    state: Any
    names: Names | None = None


class ReferencedPositions:
    """Finds the positions of references; may be asked from several threads."""

    def __init__(self, games: KnownGames) -> None:
        self.games = games
        self._starts = lru_cache(_KEPT)(_start)
        self._steps = lru_cache(_KEPT)(_after)
        """By the place before and the move: games that begin alike share them."""
        self._lock = threading.Lock()
        self._pictures: OrderedDict[Place, Picture] = OrderedDict()

    def state(self, reference: Reference) -> tuple[KnownGame, Any]:
        known, places = self.line(reference)
        return known, places[-1].state

    def line(self, reference: Reference) -> tuple[KnownGame, list[Place]]:
        """The game and all its positions, from the start on."""
        known = self.games.find(reference.game)
        return known, self.places(known.game, reference.start, reference.moves)

    def places(self, game: Game, start: str | None, moves: Sequence[Joint]) -> list[Place]:
        """All positions of a game with these moves, from the start on."""
        found = [self._starts(game, start)]
        for number, joint in enumerate(moves, 1):
            found.append(self._step(found[-1], joint, f"move {number}"))
        return found

    def _step(self, before: Place, joint: Joint, move: str) -> Place:
        try:
            return self._steps(before, joint)
        except Refused as refused:
            raise Refused(f"{move}{refused.sentence}") from None

    def branches(self, reference: Reference, branches: Sequence[Branch]) -> list[dict[str, Any]]:
        """The names of moves that were tried in a game, each after a position of the game or after one that stands before it."""
        known, places = self.line(reference)
        game = known.game
        turns = Turns(game, [place.state for place in places])
        done = [turns.done(step) for step in range(len(places))]
        found: list[dict[str, Any]] = []
        for number, (before, *moved) in enumerate(branches, 1):
            if before >= len(places):
                raise Refused(f"variation move {number} comes after a position that there is not")
            node = game.current_player(places[before].state)
            after = self._step(places[before], (moved[0], moved[1]), f"variation move {number}")
            places.append(after)
            done.append(done[before] + (node not in (CHANCE, TERMINAL)))
            found.append(
                {
                    "names": None if after.names is None else list(after.names),
                    "chance": node == CHANCE,
                    "turn": done[-1],
                }
            )
        return found

    def pictures(self, game: Game, places: Sequence[Place], first: int) -> list[Picture]:
        """The pictures of a line's places from `first` on, each with the trails of the picture before."""
        found = shown_from(
            first,
            len(places) - 1,
            lambda at: game.picture(places[at].state),
            lambda at: self._pictures.get(places[at]),
        )
        with self._lock:
            self._pictures.update(zip(places[first:], found, strict=True))
            while len(self._pictures) > _PICTURES:
                self._pictures.popitem(last=False)
        return found


def _start(game: Game, text: str | None) -> Place:
    return Place(game, game.initial_state() if text is None else position_of(game, text))


def position_of(game: Game, text: str) -> Any:
    try:
        state = position_of_text(game, text)
        game.to_text(state)
        game.current_player(state)
    except UNREADABLE as error:
        raise Refused(f"this is no position of {title_of(type(game))}: {error_line(error)}") from None
    return state


def _after(before: Place, joint: Joint) -> Place:
    """The place after a move; chance's outcome is in the first place. What refuses it follows the number of the move."""
    game, state = before.game, before.state
    try:
        node = game.current_player(state)
        if node == CHANCE:
            after = game.next_state(state, joint[0])
            return Place(game, after, (game.outcome_to_string(state, joint[0]), None))
        to_act = game.players_to_act(state)
        if not to_act:
            raise Refused(" comes after the game's end")
        if any((joint[p] == NO_ACTION) == (p in to_act) for p in (0, 1)):
            raise Refused(
                f" must have an action of {'each player' if len(to_act) == 2 else f'player {to_act[0]} alone'}"
            )
        after = game.next_state(state, *(joint if node == SIMULTANEOUS else (joint[node],)))
        return Place(game, after, names_of(game, state, joint))
    except (GameError, OverflowError) as error:
        raise Refused(f": {error_line(error)}") from None


def drawn(game: Game, state: Any) -> int:
    """An outcome of chance, drawn by the rules' probabilities."""
    return random_outcome(game, state, _DRAW)


def position_json(place: Place, picture: Picture | None = None) -> dict[str, Any]:
    game, state = place.game, place.state
    with refusing(GameError, KernelError):
        node = game.current_player(state)
        to_act = [int(player) for player in game.players_to_act(state)]
        over = not to_act and node != CHANCE
        return {
            "picture": (picture or game.picture(state)).to_json(),
            "node": "chance"
            if node == CHANCE
            else "over"
            if over
            else "simultaneous"
            if node == SIMULTANEOUS
            else "turn",
            "to_act": to_act,
            "result": float(game.returns(state)) if over else None,
            "names": None if place.names is None else list(place.names),
            "text": game.to_text(state),
            "render": game.render(state),
        }


def positions_json(
    positions: ReferencedPositions, reference: Reference, first: int, players: tuple[str, str] | None = None
) -> dict[str, Any]:
    """The positions of a game from one on; with names of the players also why it is over, in sentences."""
    known, places = positions.line(reference)
    wanted = places[first:]
    if not wanted:
        raise Refused(f"the game has {count_of(len(places), 'position')}; from takes 0 to {len(places) - 1}")
    if len(wanted) > limits.POSITIONS:
        raise Refused(
            f"these are more than {limits.POSITIONS} positions; ask for those from {len(places) - limits.POSITIONS} on"
        )
    with refusing(GameError, KernelError):
        pictures = positions.pictures(known.game, places, first)
    states = [place.state for place in places]
    turns = Turns(known.game, states)
    ending = endings_json(known.game, states)
    if ending is not None and players is not None:
        ending["says"] = reasons(known.game, states, players)
    return {
        "positions": [
            position_json(place, picture) | {"turn": turns.done(step)}
            for step, (place, picture) in enumerate(zip(wanted, pictures, strict=True), first)
        ],
        "turn_word": turns.word,
        "first_turn": known.game.first_turn,
        "turn_based": known.game.turn_based,
        "range": [known.game.min_utility, known.game.max_utility],
        "ending": ending,
    }


# A position in the middle of a game: for the card of a game on the first page, and for the round that its rules draw.

_GAMES = 12
_MOST_STEPS = 200


def moves_to_middle(game: Game) -> tuple[tuple[Joint, ...], Joint | None]:
    """The moves of half of a random game, the longest of some, the same ones every time; and what the players choose next in it.

    They lead to a position in which players choose, where one follows.
    """
    draw = random.Random(game.name)
    longest = max((_random_game(game, draw) for _ in range(_GAMES)), key=len)
    half = len(longest) // 2
    state = game.initial_state()
    for at, joint in enumerate(longest):
        if at >= half and game.current_player(state) != CHANCE:
            return tuple(longest[:at]), joint
        state = game.advance(state, *joint)
    return tuple(longest[:half]), None


def _random_game(game: Game, draw: random.Random) -> list[Joint]:
    state, moves = game.initial_state(), list[Joint]()
    while game.current_player(state) != TERMINAL and len(moves) < _MOST_STEPS:
        moves.append(random_joint(game, state, draw))
        state = game.advance(state, *moves[-1])
    return moves


# Where in a position's text the cells of its picture stand, so that a click on a cell can change the text. No game says it: it is tried.

_SEPARATORS = (r"[\n/]", r"[\n/ ]")
_BORDERS = (0, 1)
_TRIED, _CONVINCING = 60, 8
"""Cells that are tried at most, and cells that agree which are enough."""
_LEAST = 2
_MOST_TRIES = 2000
"""Of changed texts, over all candidates."""
_MOST_CELLS, _MOST_SYMBOLS = 2500, 12
_MOST_KNOWN = 32
"""The number of games whose texts are kept."""
_PASSING = ("last", "winning", "target")
"""Marks that are no part of what lies on a cell."""


class _Rows(NamedTuple):
    """A candidate: the place in the text of each cell, by rows from the top of the picture."""

    form: tuple[str, int, int, bool]
    """How it is found in any text of the game: what separates its rows, the border, the first row's number, whether it is upside down."""
    cells: tuple[tuple[int, ...], ...]

    def symbols(self, text: str) -> list[str]:
        """The symbols at these places, each once."""
        return list(dict.fromkeys(text[at] for row in self.cells for at in row))


def grid_json(game: Game, text: str) -> dict[str, Any] | None:
    """`cells` (places in the text, by rows) and the `symbols` that may stand there; None where the text is no plain grid.

    `owners` has whose each symbol is, None for nobody's, and `words` what it means where that does not say it; `single` the symbols of
    which there is one in every position.
    """
    picture = _picture(game, text)
    if picture is None or not 0 < picture.width * picture.height <= _MOST_CELLS:
        return None
    others, tries = _other_texts(game), iter(range(_MOST_TRIES))
    for rows in _candidates(text, picture):
        found = [(text, rows)]
        for other in others:  # it may be longer or shorter before its rows: a round 22 beside a round 0
            found += [(other, same) for same in _candidates(other, picture) if same.form == rows.form]
        symbols = list(dict.fromkeys(one for where, same in found for one in same.symbols(where)))[
            :_MOST_SYMBOLS
        ]
        if any(_holds(game, where, same, symbols, tries) for where, same in found):
            things = [thing for where, same in found for thing in _things(game, where, same)]
            owners = {symbol: owner for symbol, owner, _ in things if owner is not None}
            several = Counter(owners.values())
            words = {symbol: word for symbol, owner, word in things if owner is None or several[owner] > 1}
            counts = [Counter(where[at] for row in same.cells for at in row) for where, same in found]
            return {
                "cells": rows.cells,
                "symbols": symbols,
                "owners": [owners.get(one) for one in symbols],
                "words": [words.get(one, "" if one in owners else "free") for one in symbols],
                "single": [one for one in symbols if all(count[one] == 1 for count in counts)],
            }
    return None


def _things(game: Game, text: str, rows: _Rows) -> Iterator[tuple[str, int | None, str]]:
    """The symbols of a text on whose cells something lies, whose it is, None for nobody's, and what it is called."""
    picture = _picture(game, text)
    if picture is None:
        return
    lasting = (one for one in picture.marks if one.kind not in _PASSING)
    things = [((one.x, one.y), one.owner, one.title.partition(":")[0]) for one in (*picture.pieces, *lasting)]
    things += [(trail.cells[-1], trail.owner, "") for trail in picture.trails if trail.cells]
    things += [(cell, None, "trail") for trail in picture.trails for cell in trail.cells[:-1]]
    things += [(cell, None, "wall") for cell in picture.walls]
    for (x, y), owner, word in things:
        yield text[rows.cells[y][x]], owner, word


@lru_cache(_MOST_KNOWN)  # each edit asks again
def _other_texts(game: Game) -> tuple[str, str]:
    """Positions of a game that was played at random: they have the symbols that the first position lacks."""
    state = game.initial_state()
    first = game.to_text(state)
    for joint in moves_to_middle(game)[0]:
        state = game.advance(state, *joint)
    return first, game.to_text(state)


def _candidates(text: str, picture: Picture) -> Iterator[_Rows]:
    width, height = picture.width, picture.height
    for separators in _SEPARATORS:
        parts = _parts(text, separators)
        for border in _BORDERS:
            wide, high = width + 2 * border, height + 2 * border
            for first in range(len(parts) - high + 1):
                block = parts[first : first + high]
                if any(length != wide for _, length in block):
                    continue
                rows = [
                    tuple(start + border + x for x in range(width))
                    for start, _ in block[border : high - border]
                ]
                yield _Rows((separators, border, first, False), tuple(rows))
                yield _Rows((separators, border, first, True), tuple(reversed(rows)))


def _parts(text: str, separators: str) -> list[tuple[int, int]]:
    """The offset and length of each part of the text."""
    ends = [(0, 0), *(one.span() for one in re.finditer(separators, text)), (len(text), len(text))]
    return [(begin, end - begin) for (_, begin), (end, _) in pairwise(ends)]


def _holds(game: Game, text: str, rows: _Rows, symbols: Sequence[str], tries: Iterator[int]) -> bool:
    """Whether a change of a character changes its own cell, as far as that was tried: reading a changed text takes one of the `tries`."""
    picture = _picture(game, text)
    if picture is None:
        return False
    before, agreed = _content(picture), 0
    cells = [(x, y) for y in range(picture.height) for x in range(picture.width)]
    random.Random(0).shuffle(cells)
    for x, y in cells[:_TRIED]:
        at = rows.cells[y][x]
        for symbol in symbols:
            if symbol == text[at]:
                continue
            if next(tries, None) is None:
                return agreed >= _LEAST
            changed = _picture(game, text[:at] + symbol + text[at + 1 :])
            if changed is None:
                continue
            after = _content(changed)
            differing = {cell for cell in before.keys() | after.keys() if before.get(cell) != after.get(cell)}
            if differing - {(x, y)}:
                return False
            agreed += bool(differing)
        if agreed >= _CONVINCING:
            break
    return agreed >= _LEAST


def _content(picture: Picture) -> dict[tuple[int, int], set[Any]]:
    found: defaultdict[tuple[int, int], set[Any]] = defaultdict(set)
    for cell, what in (
        *(((one.x, one.y), (one.owner, one.shape, one.label, one.locked)) for one in picture.pieces),
        *(
            ((one.x, one.y), (one.kind, one.owner, one.label))
            for one in picture.marks
            if one.kind not in _PASSING
        ),
        *((cell, "wall") for cell in picture.walls),
        *((cell, ("trail", trail.owner)) for trail in picture.trails for cell in trail.cells),
    ):
        found[cell[0], cell[1]].add(what)
    return found


def _picture(game: Game, text: str) -> Picture | None:
    try:
        return game.picture(position_of(game, text))
    except (Refused, ValueError, ArithmeticError, LookupError, TypeError):
        return None
