"""A table: the game that two people play now, as data that a file keeps. Every change makes a new table, or is refused.

What somebody has chosen stays in `chosen`, which leaves the server for nobody else, until everybody who acts has chosen.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from ...game.base import CHANCE, NO_ACTION
from ...play.game import points_of
from ..limits import MOVES, Refused
from ..messages import Joint, Reference
from ..positions import ReferencedPositions, drawn

Wish = Literal["back", "again"]
"""What needs the other's consent: a choice taken back, a further game."""


How = Literal["resigned", "late", "left"]


class Table(Struct, frozen=True, kw_only=True):
    """A person (0: who opened the table, 1: who was invited) is player 0 in one game and player 1 in the next."""

    KIND: ClassVar[str] = "t"
    game: str
    start: str
    names: tuple[str, str] = ("", "")
    """By person; empty until that person has sat down."""
    levels: tuple[str, str] = ("", "")
    """By person: the player's spec, where the program plays."""
    swapped: bool = False
    """Whether person 0 is player 1 in this game."""
    moves: tuple[Joint, ...] = ()
    to_act: tuple[int, ...] = ()
    """The players who choose in the last position; none once the game is over."""
    chosen: tuple[int | None, int | None] = (None, None)
    """By player: what was chosen in the last position and not played yet."""
    ended: tuple[How, int] | None = None
    """How a game ended that the rules did not end, and the player who lost it so; -1 where both have left."""
    points: float | None = None
    """Player 0's in a game that is over: 1, 0.5 or 0."""
    wish: tuple[Wish, int] | None = None
    """What a player has asked for and the other has not answered."""
    score: tuple[float, float] = (0.0, 0.0)
    """By person, over all games at this table."""
    games: int = 0
    """Games that are over."""
    minutes: float | None = None
    """Of each player for the whole game; None: no clock."""
    increment: float = 0.0
    """Seconds that a choice gives back."""
    left: tuple[float, float] = (0.0, 0.0)
    """By player, in seconds, as of the last change."""
    room: int | None = None
    pair: tuple[int, int] = (0, 0)
    """In a room: the two people's numbers there."""

    @property
    def is_over(self) -> bool:
        return self.points is not None

    @property
    def has_begun(self) -> bool:
        """Whether both have sat down: clocks run from then on."""
        return all(self.names)

    @property
    def reference(self) -> Reference:
        return Reference(self.game, self.start, self.moves)

    def player_of(self, person: int) -> int:
        """The player whom a person is in this game; and the person who is a player."""
        return person ^ self.swapped

    def waits_for(self) -> tuple[int, ...]:
        """The players who are to choose and have not."""
        return tuple(player for player in self.to_act if self.chosen[player] is None)


def by_player(table: Table, of_people: tuple[Any, Any]) -> tuple[Any, Any]:
    """What belongs to the two people, in the order of the players."""
    return of_people if not table.swapped else (of_people[1], of_people[0])


def set_up(table: Table, rules: ReferencedPositions) -> Table:
    """The table with its game at the start: chance has drawn what comes before the first choice, the clocks are full."""
    seconds = 60 * (table.minutes or 0.0)
    fresh = replace(
        table, moves=(), chosen=(None, None), ended=None, points=None, wish=None, left=(seconds, seconds)
    )
    return _settled(fresh, rules)


def chosen(table: Table, player: int, move: int, action: int, rules: ReferencedPositions) -> Table:
    """After a player's choice for the move of that number; it is played when the other has chosen too."""
    _check_running(table)
    if move != len(table.moves):
        raise Refused("the game has gone on; choose in the position that is there now")
    if player not in table.to_act:
        raise Refused("it is not your turn")
    if table.chosen[player] is not None:
        raise Refused("you have chosen already; 'Take back' frees you to choose again")
    known, state = rules.state(table.reference)
    if action not in known.game.legal_actions(state, player):
        raise Refused("this move is not legal here")
    after = replace(
        table,
        chosen=_with(table.chosen, player, action),
        left=_with(table.left, player, table.left[player] + table.increment),
    )
    if after.waits_for():
        return after
    joint = tuple(NO_ACTION if one is None else one for one in after.chosen)
    return _settled(
        replace(after, moves=(*table.moves, (joint[0], joint[1])), chosen=(None, None), wish=None), rules
    )


def wished(table: Table, player: int, wish: Wish, rules: ReferencedPositions) -> Table:
    """After a player asks for something: done where the other has asked for the same, or need not agree."""
    if table.room is not None and table.chosen[player] is None:
        raise Refused("in a room a game is played once, to its end")
    if wish == "again" and not table.is_over:
        raise Refused("the game is not over yet")
    if wish == "back":
        if table.ended is not None:
            raise Refused("a game that was given up or lost on time stays as it is")
        if table.chosen[player] is not None and table.wish != (wish, 1 - player):  # nobody has seen it
            if table.minutes is not None:
                raise Refused("a choice that has stopped your clock stays: thinking on would cost no time")
            return replace(table, chosen=_with(table.chosen, player, None), wish=None)
        if _last_choice(table, rules) is None:
            raise Refused("there is no move to take back")
    if table.wish != (wish, 1 - player):
        return replace(table, wish=(wish, player))
    if wish == "again":
        return set_up(replace(table, swapped=not table.swapped), rules)
    to = _last_choice(table, rules)
    assert to is not None
    undone = _scored(table, -1) if table.is_over else table
    return _settled(
        replace(undone, moves=table.moves[:to], chosen=(None, None), points=None, wish=None), rules
    )


def declined(table: Table) -> Table:
    """After a wish is refused by the other, or withdrawn."""
    return replace(table, wish=None)


def lost(table: Table, player: int, how: How) -> Table:
    """After a player gives up, its time is over, or it has left; -1: both have left, which is a draw."""
    _check_running(table)
    points = 0.5 if player < 0 else float(player)
    ended = replace(table, ended=(how, player), points=points, to_act=(), chosen=(None, None), wish=None)
    return _scored(ended, 1)


def timed(table: Table, seconds: float) -> tuple[Table, int | None]:
    """The table `seconds` later, and the player whose time was over first, if any."""
    if table.minutes is None or table.is_over or not table.has_begun:
        return table, None
    waited = table.waits_for()
    left = tuple(table.left[p] - seconds * (p in waited) for p in (0, 1))
    late = min(waited, key=lambda p: left[p], default=None)
    after = replace(table, left=(max(left[0], 0.0), max(left[1], 0.0)))
    return after, late if late is not None and left[late] <= 0 else None


def _check_running(table: Table) -> None:
    if table.is_over:
        raise Refused("the game is over")
    if not table.has_begun:
        raise Refused("the other seat is still empty")


def _settled(table: Table, rules: ReferencedPositions) -> Table:
    """With what chance draws after the last move; where the game is over with its score."""
    known, state = rules.state(table.reference)
    game, moves = known.game, list(table.moves)
    while game.current_player(state) == CHANCE:
        moves.append((drawn(game, state), NO_ACTION))
        state = game.next_state(state, moves[-1][0])
    to_act = tuple(int(player) for player in game.players_to_act(state))
    after = replace(table, moves=tuple(moves), to_act=to_act)
    if to_act and len(moves) < MOVES:
        return after
    points = points_of(game, float(game.returns(state))) if not to_act else 0.5
    return _scored(replace(after, points=points, to_act=()), 1)


def _scored(table: Table, sign: int) -> Table:
    """With the points of its game added to the people's score, or taken from it."""
    assert table.points is not None
    gained = by_player(table, (table.points, 1 - table.points))
    score = (table.score[0] + sign * gained[0], table.score[1] + sign * gained[1])
    return replace(table, score=score, games=table.games + sign)


def _last_choice(table: Table, rules: ReferencedPositions) -> int | None:
    """The number of moves before the last choice of anybody; chance's draws are passed over."""
    known, places = rules.line(table.reference)
    played: Iterable[int] = range(len(table.moves) - 1, -1, -1)
    return next((at for at in played if known.game.players_to_act(places[at].state)), None)


def _with(pair: tuple[Any, Any], player: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if player == 0 else (pair[0], value)


# Who sits there.

USUAL_NAMES = ("Host", "Guest")
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that count as printable and show nothing: two names would look the same."""


def shown_name(text: str) -> str:
    """A name as it is shown: what cannot be seen, and what would turn the text around, is left out."""
    seen = "".join(one for one in _UNSEEN.sub("", unicodedata.normalize("NFC", text)) if one.isprintable())
    return " ".join(seen.split())


def needed_name(text: str) -> str:
    """The same; raises Refused where nothing is left."""
    if not (name := shown_name(text)):
        raise Refused("a name is missing: what shall the others call you?")
    return name


def seated(table: Table, person: int, name: str) -> Table:
    """With the name of a person, who has a seat now; in a room names stay."""
    if table.room is not None:
        return table
    other = table.names[1 - person]
    called = shown_name(name) or table.names[person] or USUAL_NAMES[person]
    if called.casefold() == other.casefold():
        raise Refused(f"the other is called {other} already; choose another name")
    return replace(table, names=(called, other) if person == 0 else (other, called))
