"""The positions of the games that clients refer to. Every request names its whole game."""

import random
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..arena.openings import random_joint
from ..compiled import KernelError
from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError
from ..game.naming import Names, names_of
from ..game.picture import Picture, shown_from
from ..game.spec import name_of
from ..play.position_text import position_of_text
from ..play.record import Turns, endings_json, reasons
from . import limits
from .catalogue import KnownGame, KnownGames
from .limits import Refused, first_line, refusing
from .messages import Branch, Joint, Reference

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
"""What a text that describes no position may raise; GameError is a ValueError."""


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
        """The game and its last position."""
        known, places = self.line(reference)
        return known, places[-1].state

    def line(self, reference: Reference) -> tuple[KnownGame, list[Place]]:
        """The game and all its positions, from the start on."""
        known = self.games.find(reference.game)
        places = [self._starts(known.game, reference.start)]
        for number, joint in enumerate(reference.moves, 1):
            places.append(self._step(places[-1], joint, f"move {number}"))
        return known, places

    def _step(self, before: Place, joint: Joint, move: str) -> Place:
        """The place after a move."""
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
        """The pictures of the places of a line from one on: each goes on from the picture before, which knows whose trail is whose."""
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
    """The position that a text describes."""
    try:
        state = position_of_text(game, text)
        game.to_text(state)
        game.current_player(state)
    except UNREADABLE as error:
        raise Refused(f"this is no position of {name_of(game)}: {first_line(error)}") from None
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
        raise Refused(f": {first_line(error)}") from None


def position_json(place: Place, picture: Picture | None = None) -> dict[str, Any]:
    """A position as the page draws it."""
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
        raise Refused(f"the game has {len(places)} positions; from takes 0 to {len(places) - 1}")
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
