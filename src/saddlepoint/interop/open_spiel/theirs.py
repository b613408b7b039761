"""A game of OpenSpiel as a game of this library: all its positions are walked, and kept in tables that compiled code reads."""

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import parameter
from ...game.base import CHANCE, GameError
from ...system.patience import WALKING_BAR
from ...system.terminal import Progress
from ...system.text import error_line
from ..table_game import JointTable, Place, TableGame, Tables, TurnTable
from .walk import MERGES, after, check_walkable, pyspiel, walk

MOST = 1_000_000
"""Positions of a game that is walked, unless more are allowed."""
_KEPT = 4
"""How many walked games are kept, so that one that is asked for again is not walked again."""


class _Held:
    """A game of OpenSpiel. A pickle keeps none: some have no pickle, others are loaded anew by their names."""

    __slots__ = ("value",)

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        return _Held, ()


@dataclass(frozen=True)
class _Theirs(TableGame):
    """The common part of both classes of OpenSpiel's games."""

    game: str = parameter("nim")
    merge: str = parameter("text")
    most: int = MOST
    digest: str = parameter("")
    name: ClassVar[str] = "open_spiel"
    title: ClassVar[str] = "A game of OpenSpiel"

    def __post_init__(self) -> None:
        self._walked(load_there(self.game), None)

    def _walked(self, there: Any, on_progress: Callable[[int], None] | None) -> None:
        self.refuse(
            (self.merge not in MERGES, f"merge must be {' or '.join(MERGES)}, not {self.merge!r}"),
            (self.most < 1, f"most must be at least 1, not {self.most}"),
        )
        check_walkable(there)
        tables = _tables(there, self.most, self.merge, on_progress)
        if isinstance(self, TurnTable) and not tables.in_turn:
            raise GameError(f"in {there} both players move at once: it is a game of OpenSpielRounds")
        found = digest_of(tables)
        if self.digest not in ("", found):
            raise GameError(
                f"OpenSpiel has another game by the name {self.game!r} than the one of the digest {self.digest}: one that was loaded "
                "from a text is made by from_open_spiel, and the digest is left out for the one of that name"
            )
        object.__setattr__(self, "digest", found)
        object.__setattr__(self, "_there", _Held(there))
        self._take(tables)

    def there(self) -> Any:
        """The game of OpenSpiel."""
        held = self.__dict__["_there"]
        if held.value is None:
            held.value = load_there(self.game)
        return held.value

    def state_there(self, state: Place) -> Any:
        """The position as a state of OpenSpiel, by a way that leads there."""
        found = self.there().new_initial_state()
        for joint in self.tables().path_to(int(state.number)):
            found = after(found, joint)
        return found

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return self.state_there(state).action_to_string(player, int(action))

    def outcome_to_string(self, state: Any, outcome: int) -> str:
        return self.state_there(state).action_to_string(pyspiel.PlayerId.CHANCE, int(outcome))

    def render(self, state: Any) -> str:
        there = self.state_there(state)
        text = str(there).rstrip("\n")
        return text if self.current_player(state) != CHANCE else f"{text}\nchance moves"


@dataclass(frozen=True)
class OpenSpielTurns(_Theirs, TurnTable):
    """A game of OpenSpiel whose players move in turn, by its name there; all its positions are walked when it is made.

    `merge` is "text" (two states that look the same are one position) or "history" (never), see `walk`;
    `most` of positions. `digest` is that of its tables, which distinguishes games that OpenSpiel calls by one
    name; left out, it is computed. Raises GameError, in one sentence, for a game with more positions or with
    another digest, and for one that hides something, is not zero-sum or not for two.
    """


@dataclass(frozen=True)
class OpenSpielRounds(_Theirs, JointTable):
    """A game of OpenSpiel whose players move at once, see `OpenSpielTurns`; one in turn may be made so, too."""

    game: str = parameter("matrix_rps")


def from_open_spiel(
    game: Any, *, merge: str = "text", most: int = MOST, on_progress: Callable[[int], None] | None = None
) -> OpenSpielTurns | OpenSpielRounds:
    """A game of OpenSpiel, or its name there, as a game of this library, which is searched, solved and played like any other.

    All its positions are walked, some 20,000 a second, with up to 2 kB each meanwhile. `merge` and `most` as
    in `OpenSpielTurns`. `on_progress` is called with the number of positions found; without one a bar shows
    it in a terminal. A game that its name does not identify (one loaded from a text) is known by its tables'
    digest, and cannot be sent to other processes.

    Raises GameError, in one sentence with the way out, for a game that is not of this library's kind or too large, and NotOnePosition
    where "text" takes positions for one that are not.
    """
    there = load_there(game) if isinstance(game, str) else game
    kind = (
        OpenSpielTurns
        if there.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        else OpenSpielRounds
    )
    made: Any = object.__new__(kind)
    for name, value in (("game", str(there)), ("merge", merge), ("most", most), ("digest", "")):
        object.__setattr__(made, name, value)
    made._walked(there, on_progress)
    return made


@functools.lru_cache(64)
def load_there(name: str) -> Any:
    """The game of OpenSpiel of that name, the same one each time; raises GameError in one sentence."""
    try:
        return pyspiel.load_game(name)
    except (RuntimeError, ValueError) as error:  # SpielError is a RuntimeError
        raise GameError(f"OpenSpiel does not load {name!r}: {error_line(error)}") from None


def digest_of(tables: Tables) -> str:
    """16 hexadecimal digits of all that the tables say of the play."""
    found = hashlib.blake2b(digest_size=8)
    for part in tables:
        array = np.asarray(part)
        found.update(f"{array.shape}".encode() + array.tobytes())
    return found.hexdigest()


_walked: list[tuple[Any, int, str, Tables]] = []
"""The games that were walked last, by themselves: two games that were loaded from texts may have the same name."""


def _tables(there: Any, most: int, merge: str, on_progress: Callable[[int], None] | None) -> Tables:
    for known, allowed, merged, tables in _walked:
        if known is there and (allowed, merged) == (most, merge) and on_progress is None:
            return tables
    with Progress(most, patience=WALKING_BAR) as bar:
        tables = walk(there, most, merge, on_progress or (lambda count: bar.update(count, "positions")))
    _walked.append((there, most, merge, tables))
    del _walked[:-_KEPT]
    return tables
