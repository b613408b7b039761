"""The requests of the page as declared structs, which are checked when they are read.

docs/page_interface.md has the same fields; a test compares both.
"""

from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from ..system.foreign import converted
from . import limits
from .limits import Refused

Spec = Annotated[str, Meta(max_length=limits.SPEC)]
Text = Annotated[str, Meta(max_length=limits.TEXT)]
"""A position as text."""
Action = Annotated[int, Meta(ge=-1, lt=2**31)]
"""-1 for a player without a choice."""
Player = Annotated[int, Meta(ge=0, le=1)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Nodes = Annotated[int, Meta(ge=1, le=limits.NODES)]
Joint = tuple[Action, Action]
Branch = tuple[Annotated[int, Meta(ge=0, lt=2**31)], Action, Action]
"""A move that was tried: the number of the position before it, and the joint action."""
Id = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Pair = tuple[Spec, Spec]
"""One text for each player."""


class Reference(Struct, frozen=True):
    """A game in progress: every request names its whole game."""

    game: Spec
    start: Text | None = None
    moves: Annotated[tuple[Joint, ...], Meta(max_length=limits.MOVES)] = ()


class NewGame(Struct, frozen=True):
    """Begin a game."""

    game: Spec
    start: Annotated[Text | None, Meta(description="a cell such as `4,7`, or a position")] = None
    seed: Seed | None = None


class MiddleGame(Struct, frozen=True):
    """A position in the middle of a random game."""

    game: Spec


class PositionText(Struct, frozen=True):
    """Read a position; with `grid` also where the cells of its picture stand in the text."""

    game: Spec
    text: Annotated[Text, Meta(description="a position")]
    grid: bool = False


class Positions(Reference, frozen=True, kw_only=True):
    """The positions of a game from one on."""

    from_: Annotated[int, Meta(ge=0, le=limits.MOVES)] = msgspec.field(default=0, name="from")
    players: Pair | None = None


class Branches(Reference, frozen=True, kw_only=True):
    """The names of moves that were tried beside a game."""

    branches: Annotated[
        tuple[Branch, ...],
        Meta(
            max_length=limits.BRANCHES,
            description="moves that were tried: the number of the position before, and the action of each player. The positions "
            "of the game have the numbers 0 to N, those of branches follow",
        ),
    ]


class AskedAnswer(Reference, frozen=True, kw_only=True):
    """A player's action in the last position; the player by its spec, or by the name of a level."""

    player: Player
    by: Annotated[Spec | None, Meta(description="a player's spec")] = None
    level: Annotated[Spec | None, Meta(description="the name of a level, in place of `by`")] = None
    seconds: Annotated[float, Meta(ge=0.001, le=limits.SECONDS)] | None = None
    nodes: Nodes | None = None


Since = Annotated[
    int, Meta(ge=0, le=limits.MOVES, description="how many of the moves others had played before")
]


class PlayedGame(Reference, frozen=True, kw_only=True):
    """A game that was played on the page, to be saved."""

    players: Pair = ("player 0", "player 1")
    seed: Seed | None = None
    resigned: Player | None = None
    since: Since = 0
    former: Annotated[Pair | None, Meta(description="who these others were")] = None
    values: Annotated[
        tuple[float | None, ...],
        Meta(max_length=limits.MOVES + 1, description="player 0's, of each position where it is known"),
    ] = ()


class _Examined(Reference, frozen=True, kw_only=True, tag_field="do"):
    id: Id
    algorithm: Spec | None = None
    evaluator: Spec | None = None


class Analyse(_Examined, frozen=True, kw_only=True, tag="analyse"):
    """Search the last position."""

    seconds: Annotated[float, Meta(ge=0.001, le=limits.ANALYSIS_SECONDS)] = 10.0
    alternatives: bool = False
    overlays: Annotated[tuple[str, ...], Meta(max_length=16)] = ()


class Review(_Examined, frozen=True, kw_only=True, tag="review"):
    """Review the whole game."""

    seconds_per_turn: Annotated[float, Meta(ge=0.001, le=limits.REVIEW_SECONDS)] | None = None
    nodes_per_turn: Nodes | None = None
    players: Pair = ("player 0", "player 1")
    result: Annotated[float | None, Meta(description="of a game that a fault ended")] = None
    faults: Annotated[Pair, Meta(description="what each player did wrong, in a sentence")] = ("", "")
    since: Since = 0


class Numbered(Struct, frozen=True):
    """A message of which only the id is read: a refusal of the rest has it too."""

    id: Id


class Stop(Numbered, frozen=True, tag_field="do", tag="stop"):
    """End the search of this id."""


Examination = Analyse | Review


# Two people at two places, and rooms.

Name = Annotated[str, Meta(max_length=limits.NAME)]
"""What a person is called."""
Key = Annotated[str, Meta(max_length=limits.KEY, description="of a secret link")]
Minutes = Annotated[
    float, Meta(ge=0.1, le=180, description="for each player's whole game; without it there is no clock")
]
Increment = Annotated[float, Meta(ge=0, le=60, description="seconds that each choice gives back")]


class NewTable(NewGame, frozen=True):
    """A game between two people at two places."""

    name: Name = ""
    minutes: Minutes | None = None
    increment: Increment = 0.0


class NewRoom(Struct, frozen=True):
    """A room of people who play each other."""

    game: Spec
    title: Name = ""
    ladder: Annotated[bool, Meta(description="whether whoever is free is paired at once")] = False
    best: Annotated[bool, Meta(description="whether `best` plays where somebody is left alone")] = False
    minutes: Minutes | None = None
    increment: Increment = 0.0


class Open(Struct, frozen=True, tag_field="do", tag="open"):
    """The first message of a channel: what the key opens is sent, now and at every change."""

    key: Key


class Sit(Struct, frozen=True, tag_field="do", tag="sit"):
    """Sit down at a table, or come into a room, under this name."""

    name: Name = ""


class Choose(Struct, frozen=True, tag_field="do", tag="choose"):
    """A choice for the move of that number, counted from 0."""

    move: Annotated[int, Meta(ge=0, le=limits.MOVES)]
    action: Action


class Wish(Struct, frozen=True, tag_field="do", tag="wish"):
    """What needs the other's consent: `back` or `again`; the other agrees by the same message."""

    what: Annotated[Literal["back", "again"], Meta(description="`back` or `again`")]


class Decline(Struct, frozen=True, tag_field="do", tag="decline"):
    """No to the other's wish, or none of one's own any more."""


class Resign(Struct, frozen=True, tag_field="do", tag="resign"):
    """Give the game up."""


class Look(Struct, frozen=True, tag_field="do", tag="look"):
    """After the game: everybody at the table looks at the position after so many moves."""

    at: Annotated[int, Meta(ge=0, le=limits.MOVES)]


class Remove(Struct, frozen=True, tag_field="do", tag="remove"):
    """The host removes somebody from the room, by the number in the list."""

    person: Annotated[int, Meta(ge=0, le=2**31)]


class Round(Struct, frozen=True, tag_field="do", tag="round"):
    """The host begins a round: whoever is here and free is paired."""


Spoken = Open | Sit | Choose | Wish | Decline | Resign | Look | Round | Remove
T = TypeVar("T")


def read(text: bytes | str, kind: type[T]) -> T:
    """The message of a body or of a channel; raises Refused in one sentence that names the field and its range."""
    return converted(fields_of(text), kind, error=Refused)


def read_analysis(text: bytes | str) -> Examination | Stop:
    """A message of the channel of the analysis; raises Refused likewise."""
    return _tagged(text, Examination | Stop, "stop")


def read_spoken(text: bytes | str) -> Spoken:
    """A message of the channel of a table or a room; raises Refused likewise."""
    return _tagged(text, Spoken, "")


def _tagged(text: bytes | str, kinds: Any, usual: str) -> Any:
    """A message that `do` tells from others of its channel."""
    data, names = fields_of(text), [kind.__struct_config__.tag for kind in get_args(kinds)]
    if (asked := data.get("do", usual)) not in names:
        raise Refused(f"'do' must be {', '.join(names[:-1])} or {names[-1]}, not {str(asked)[:40]!r}")
    return converted(data, kinds, error=Refused)


def fields_of(text: bytes | str) -> dict[str, Any]:
    """The fields of a JSON object; one that is null counts as missing."""
    if len(text) > limits.MESSAGE:
        raise Refused(f"the message has more than {limits.MESSAGE} bytes", 413)
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refused(f"no JSON: {error}") from None
    except RecursionError:
        raise Refused("no JSON: it is nested too deep") from None
    if not isinstance(data, dict):
        raise Refused("expected a JSON object")
    return {name: value for name, value in data.items() if value is not None}
