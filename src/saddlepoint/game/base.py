"""The base class of games: parameters, states, kernels, and the methods for Python code.

The vocabulary follows OpenSpiel's. Values and returns are player 0's; player 1's are their negatives.
"""

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..compiled import (
    Component,
    KernelError,
    constant,
    hash_of_words,
    inlined,
    is_inlined,
    jit,
    kernel,
    parameter,
    run,
    with_item,
)
from ..compiled.rules import in_package
from ..compiled.states import plain_values, state_from_values
from ..system.text import first_line
from .checked_rules import CHECKED_RULES
from .class_checks import check_class
from .nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, GameError, IllegalActionError, Node
from .picture import Move, Picture, arrows_of
from .words import field_text, fields_of, picture_of_text

__all__ = [
    "CHANCE", "NO_ACTION", "SIMULTANEOUS", "TERMINAL", "Ending", "Game", "GameError", "IllegalActionError", "KernelError", "Node",
    "Symmetry", "constant", "kernel", "parameter", "with_item",
]  # fmt: skip


_USUAL_TEXT, _MOST_TIMES = 100_000, 10
"""No position's text is read that is longer than this, and this many times as long as that of the start, which has as many numbers."""
Ranges = dict[str, tuple[Any, ...]]
"""By parameter the values that it may have: the least and the greatest whole number, or words to choose from."""


class Symmetry(NamedTuple):
    """A position that plays exactly like another: the same tree under other names.

    Where players choose (a0, a1) in the original, `actions0[a0]` and `actions1[a1]` are the same choices in `state`.
    With `swap` the players change places: player 1 of `state` plays `actions0[a0]`, player 0 `actions1[a1]`, and
    results are negated. At a chance node `actions0` renames the outcomes.

    >>> from saddlepoint import TicTacToe
    >>> game = TicTacToe()
    >>> len(game.symmetries(game.initial_state()))
    7
    """

    state: Any
    actions0: tuple[int, ...]
    actions1: tuple[int, ...]
    swap: bool


@jit
def _legal_actions(game: Any, state: Any, player: int, out: Any) -> int:
    return game.legal_actions(state, player, out)


@jit
def _next_state(game: Any, state: Any, action0: int, action1: int) -> Any:
    return game.successor(state, action0, action1)


def brings(game: "Game", name: str) -> bool:
    """Whether a game has a kernel of its own in the place of one that every game has."""
    return type(game).kernels[name] is not Game.kernels[name]


def _has_own(name: str) -> Any:
    """A property of a game: whether it has its own kernel of this name."""
    return property(lambda game: brings(game, name))


class Ending(NamedTuple):
    """The ending of a game for one player, in words.

    >>> from saddlepoint import Ending
    >>> Ending("starved", since=12).words
    'starved'
    """

    words: str
    """A predicate for people, without the player, in the past tense: "ran into its own trail"."""
    since: int | None = None
    """The step at which a slow cause, like hunger, began; then no single move is blamed. None: a sudden cause."""


class Game(Component):
    """Base class of all games: subclass it with a frozen dataclass whose fields are the parameters.

    Compiled code reads the numbers among them, and what properties make of them, when it runs: another value needs no other compilation.
    `constant` makes a field part of the compiled code, which it must be where a state's shape depends on it; `parameter` makes a field of
    another kind (a text) known at run time.

    A subclass provides these kernels (compiled; see the page on writing a game):

    - `current_player(state)` -> 0, 1, SIMULTANEOUS, CHANCE or TERMINAL
    - `legal_actions(state, player, out)` fills the int64 array `out`, returns the count
    - `next_state(state, action0, action1)`, or in a turn-based game `next_state(state, action)`; a chance outcome comes
      as `action0` (as `action`)
    - `returns(state)` -> player 0's result in a terminal state

    and the method `initial_state(...)`. Optional kernels: `search_actions`, `chance_outcomes`, `hash` and others; optional
    methods: `symmetries` and those for text. The attributes below are limits and ranges that searches size their
    memory by.

    Seen from Python the same names are checked: `legal_actions(state, player)` gives a list, `next_state` raises
    IllegalActionError, `chance_outcomes(state)` gives (outcome, probability) pairs.

    >>> from dataclasses import dataclass
    >>> from typing import NamedTuple
    >>> from saddlepoint import TERMINAL, Game, PrincipalVariation, kernel, search
    >>> class Heap(NamedTuple):
    ...     left: int
    ...     mover: int
    >>> @dataclass(frozen=True)
    ... class TakeAway(Game):
    ...     "Take one or two; who takes the last one wins."
    ...     heap: int = 7
    ...     max_actions = 2
    ...     max_depth = 7
    ...     def initial_state(self):
    ...         return Heap(self.heap, 0)
    ...     @kernel
    ...     def current_player(self, state):
    ...         return TERMINAL if state.left == 0 else state.mover
    ...     @kernel
    ...     def legal_actions(self, state, player, out):
    ...         out[0], out[1] = 0, 1
    ...         return min(2, state.left)
    ...     @kernel
    ...     def next_state(self, state, action):
    ...         return Heap(state.left - action - 1, 1 - state.mover)
    ...     @kernel
    ...     def returns(self, state):
    ...         return 1.0 if state.mover == 1 else -1.0
    >>> game = TakeAway()
    >>> search(game, game.initial_state(), PrincipalVariation()).value
    1.0
    """

    # A game gives these numbers as class attributes, fields or properties; type checkers allow all three for an attribute that is Any.

    max_actions: Any = 0
    """The most legal actions any state has, an int; must be set."""

    max_depth: Any = 0
    """The most plies (calls of next_state) from start to end, an int; must be set. OpenSpiel: max_game_length."""

    max_chance_plies: Any = 1
    """The most plies of chance in a row, an int, of a game where both move at once and whose plies may be more than a search looks at."""

    chance_is_told: Any = False
    """Whether a position that follows chance tells all of the one before it, a bool: no other position of chance leads there.

    So it is where the outcome stands in the state beside all that was there. The solver of whole games then keeps the positions of chance
    and none of the choices that follow them. Where it is not true that costs time, and nothing else.
    """

    min_utility: Any = -1.0
    """The least result, a float."""

    max_utility: Any = 1.0
    """The greatest result, a float."""

    name: ClassVar[str] = ""
    """The name on the command line and in specs."""

    title: ClassVar[str] = ""
    """The title in headings; where empty, a title is made from the class's name (`saddlepoint.game.words.title_of`)."""

    summary: ClassVar[str] = ""
    """A line about it, for lists of games; where a class has none, the first line of its docstring."""

    plane_shape: Any = ()
    """Of a game with `planes`: how many there are, and their rows and columns, a tuple of three ints."""

    group: ClassVar[str] = ""
    """The heading under which the page lists it: Duels, Boards, Cards and coins, Laboratory, or another one."""

    how_to_play: ClassVar[Sequence[str]] = ()
    """The rules for a beginner, in about five lines of plain text; where empty, the page shows the docstring."""

    clock: ClassVar[str] = ""
    """The field of a state that counts moves for a limit and nothing else, of a game whose positions come back but for it.

    A solver of games with cycles leaves it out: it solves the game without that limit.
    """

    turn_word: ClassVar[str] = ""
    """The word for a turn; where empty, a move in games of turns, a round where both move at once."""

    first_turn: ClassVar[int] = 1
    """The number of a game's first turn."""

    ranges: ClassVar[Ranges] = {}
    """The values that a parameter may have where a stranger chooses it, as on the page: one that is not here keeps its
    default there."""

    parameter_titles: ClassVar[Mapping[str, str]] = {}
    """What people read beside a parameter's field, where its name would not tell them."""

    numbers_at_run_time: ClassVar[bool] = True

    turn_based: ClassVar[bool] = False
    """Whether next_state takes one action: found from its signature."""

    if TYPE_CHECKING:  # every game brings these
        current_player: Any
        legal_actions: Any
        next_state: Any
        returns: Any
        max_outcomes: Any
        distinct_actions: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if not kwargs.get("plain") and not in_package(cls):
            check_class(cls, Game, cls.kernels)
        super().__init_subclass__(**kwargs)
        if "summary" not in vars(cls) and cls.__doc__:  # the dataclass's own docstring comes later
            cls.summary = first_line(cls.__doc__)
        rules = cls.kernels.get("next_state")
        if rules is not None and not kwargs.get("plain"):
            # self, state, action  or  self, state, action0, action1
            cls.turn_based = len(inspect.signature(getattr(rules, "py_func", rules)).parameters) == 3
            successor = cls.kernels["turn_successor" if cls.turn_based else "joint_successor"]
            cls.kernels["successor"] = inlined(successor) if is_inlined(rules) else successor

    @classmethod
    def _python_face(cls, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        checked = CHECKED_RULES.get(name)
        if checked is None:
            return super()._python_face(name, method)
        checked.__doc__ = checked.__doc__ or method.__doc__
        return checked

    def initial_state(self) -> Any:
        """The start of a game."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it starts")

    def check_parameters(self, **allowed: tuple[Any, ...]) -> None:
        """Raise GameError for a parameter outside (least, greatest) number, or that is none of the words or numbers to choose from."""
        for name, values in allowed.items():
            value = getattr(self, name)
            if len(values) == 2 and not isinstance(values[0], str):
                if not values[0] <= value <= values[1]:
                    raise GameError(f"{name} must be {values[0]:,} to {values[1]:,}, not {value}")
            elif value not in values:
                *some, last = map(str, values)
                raise GameError(f"{name} must be {', '.join(some)} or {last}, not {value!r}")

    @staticmethod
    def refuse(*wrong: tuple[Any, str]) -> None:
        """Raise GameError with the first of these reasons that holds: of a position that no game comes to, or of parameters."""
        for holds, why in wrong:
            if holds:
                raise GameError(why)

    def turns_played(self, state: Any) -> int:
        """The number of turns played before this position, without chance's.

        0 where the position does not hold it.
        """
        return 0

    def ending(self, states: Sequence[Any]) -> tuple[Ending | None, Ending | None]:
        """The ending of each player in a finished game, in words; None where there is nothing to say.

        `states` are the known positions, the last one of them terminal.
        """
        return None, None

    def why_over(self, state: Any) -> str:
        """The reason why a finished game is over, in a sentence, beside what `ending` says: "The board is
        full."

        Empty where there is nothing to say.
        """
        return ""

    def symmetries(self, state: Any) -> list[Symmetry]:
        """The positions that play like this one; each transformation is listed for every state it applies to."""
        return []

    # -- kernels with a default ----------------------------------------------------------------------------------

    @kernel
    def search_actions(self, state, player, out):
        """The legal actions worth searching, likely good ones first.

        Leave out duplicates and dominated ones where that is proven; where the other player threatens to win at once,
        only the replies to that are worth searching.
        """
        return self.legal_actions(state, player, out)

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        """Outcomes and their probabilities at a CHANCE node; returns the count."""
        return 0

    @kernel
    def bounds(self, state):
        """Proven (lower, upper) bounds of the state's value, cheap to compute.

        They may only tighten along the play.

        Where both are equal, every play leads to that result, and the solver of whole games searches no
        further.
        """
        return self.min_utility, self.max_utility

    if not TYPE_CHECKING:

        @property
        def max_outcomes(self) -> int:
            """The most outcomes chance has in any state: as many as there may be actions, unless a game says otherwise."""
            return self.max_actions

        @property
        def distinct_actions(self) -> int:
            """One more than the greatest number that an action of a player has in any state. OpenSpiel: num_distinct_actions.

            As many as there are in one state at most, unless a game says otherwise.
            """
            return self.max_actions

    @kernel
    def hash(self, state):
        """A 64-bit hash for transposition tables, by default of all that the state holds.

        A game's own may be quicker, or leave out what does not matter for the rest of the play.
        """
        return hash_of_words(state)

    @kernel
    def canonical_hash(self, state):
        """The canonical hash: one for a position and its mirror image; and whether this one is the image of the one stored.

        For games with one reflection: what is known of either is then known of both. `image_action` maps the actions.
        """
        return self.hash(state), False

    @kernel
    def image_action(self, action):
        """The action that is in the image what `action` is here, and the other way round."""
        return action

    @kernel
    def canonical(self, state):
        """The one position that stands for this one and all its images, and whether the players are exchanged in it.

        It is this position or one that `symmetries` lists, and the same for all of them, so that the solver of whole games keeps
        one. Which one is the game's choice: the least in some order, say.
        """
        return state, False

    @kernel
    def without_score(self, state):
        """(the position without its score and dead parts, the score): for solving positions together that
        play alike.

        The score is for games whose result is the gain so far plus the gain to come. With a score of 0, only
        parts of the board are removed that nobody can reach any more. Both positions have the same legal
        actions, the results differ by the score, and the moves lead to positions that are the same without
        theirs. The solver of whole games keeps one position for all of them.
        """
        return state, 0.0

    @kernel
    def relabelled(self, state):
        """The position that plays like this one with other numbers for actions.

        Never called for a terminal one.

        As many actions are legal there, and what a player's k-th does here its k-th does there, with the same results; chance's
        outcomes likewise, with the same probabilities. The solver of whole games keeps one position for all that become the same. Unlike
        images, which are few and lead back, such positions may be many: a hand of cards of which only the order counts, say.
        """
        return state

    @kernel
    def winning_actions(self, state, player, out):
        """Write the player's actions that end the game at once with its best result; returns their count.

        Called for the player to move, in games that find them faster than by trying every action.
        """
        return 0

    @kernel
    def pass_turn(self, state):
        """The state with the other player to move, everything else the same: for null moves."""
        return state

    @kernel
    def features(self, state, player):
        """Features of the player's standing, a tuple of numbers for `saddlepoint fit`.

        Equally many in every live state.

        Choose numbers that are quick to compute and that a small network learns slowly: threats, liberties, moves to a goal. Every image
        under the game's `symmetries` must have the same ones, and where the players are exchanged each has those of the other.

        A number of type np.uint64 is a set, for example of threatened cells: each of its bits is an input. An
        image has as many of them, each where the symmetry takes it.
        """
        return ()

    @kernel
    def planes(self, state, player, out):
        """The position as boards of numbers for a neural network, as the player sees it: what is its own comes first.

        `out` is a uint8 array of the shape `plane_shape`, all 0; what a cell has is written to it.
        """

    has_bounds = _has_own("bounds")
    has_canonical = _has_own("canonical")
    has_canonical_hash = _has_own("canonical_hash")
    has_chance = _has_own("chance_outcomes")
    has_features = _has_own("features")
    has_planes = _has_own("planes")
    has_relabelled = _has_own("relabelled")
    has_score = _has_own("without_score")
    has_winning_actions = _has_own("winning_actions")
    can_pass = _has_own("pass_turn")

    @kernel
    def turn_successor(self, state, action0, action1):
        """`next_state` of a turn-based game for searches that pass two actions.

        NO_ACTION for the player not to move.
        """
        return self.next_state(state, action1 if action0 == NO_ACTION else action0)

    @kernel
    def joint_successor(self, state, action0, action1):
        """`next_state` of a simultaneous game."""
        return self.next_state(state, action0, action1)

    # -- text, for people and files ------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        """The action's name; `string_to_action` is its inverse."""
        return str(action)

    def outcome_to_string(self, state: Any, outcome: int) -> str:
        """The name of an outcome of chance, different from all others there; by default its number."""
        return f"outcome {outcome}"

    def string_to_action(self, state: Any, player: int, text: str) -> int:
        """The action a name stands for, else the one whose name it is but for capitals.

        Raises IllegalActionError for anything that is no legal action's name.
        """
        for written in (str, str.lower):
            for action in self.legal_actions(state, player):
                if written(self.action_to_string(state, player, action).strip()) == written(text.strip()):
                    return action
        raise self.illegal(state, player, text)

    def to_text(self, state: Any) -> str:
        """The position as text; `from_text` is its inverse."""
        return repr(plain_values(state))

    def from_text(self, text: str) -> Any:
        """The position a text describes; raises GameError saying what was expected."""
        start = self.initial_state()
        kind = type(start)
        if len(text) > _USUAL_TEXT and len(text) > _MOST_TIMES * len(repr(plain_values(start))):
            raise GameError(f"a position of {type(self).__name__} is never as long as {len(text)} characters")
        try:
            return state_from_values(kind, ast.literal_eval(text.strip()))
        except (
            ValueError,
            TypeError,
            SyntaxError,
            OverflowError,
            MemoryError,
            RecursionError,
        ):  # the last two: nested too deeply
            raise GameError(
                f"expected a position of {type(self).__name__} as ({', '.join(kind._fields)}), not {text!r}"
            ) from None

    def fitted_to(self, text: str) -> "Game":
        """The game with the parameters that a position's text implies; without any, this one."""
        return self

    def render(self, state: Any) -> str:
        """The position as lines of text for a terminal; of a game that writes no text of its own, its fields by name."""
        return field_text(state) if self._writes_no_text else self.to_text(state)

    @property
    def _writes_no_text(self) -> bool:
        return type(self).to_text is Game.to_text

    def picture(self, state: Any) -> Picture:
        """The picture of a position, for the page, the terminal's screen and exports.

        By default its text and its moves; where `render` gives a grid of single characters, a board of them.
        """
        moves = self.pictured_moves(state)
        if self._writes_no_text and type(self).render is Game.render:
            return Picture(
                text=field_text(state), moves=moves, fields=fields_of(state)
            )  # rows of numbers are no board
        return picture_of_text(self, state, moves)

    def pictured_moves(self, state: Any) -> tuple[Move, ...]:
        """The legal actions for a picture that does not say where they are made; where all are directions, with their arrow keys."""
        moves: list[Move] = []
        for player in self.players_to_act(state):
            names = {
                action: self.action_to_string(state, player, action)
                for action in self.legal_actions(state, player)
            }
            arrows = arrows_of(names.values())
            moves += [
                Move(player, action, name, arrow=arrows.get(name, "")) for action, name in names.items()
            ]
        return tuple(moves)

    def choices(self, state: Any, player: int) -> list[int]:
        """The legal actions of a player that has a choice: `legal_actions` without its check."""
        out = np.empty(self.max_actions, np.int64)
        return out[: run(_legal_actions, self, state, player, out)].tolist()

    def advance(self, state: Any, action0: int, action1: int) -> Any:
        """The state after actions that are known to be legal: `next_state` without its checks.

        Both actions are given, NO_ACTION for a player without a choice; a chance outcome is `action0`.
        """
        return run(_next_state, self, state, action0, action1)

    def illegal(self, state: Any, player: int, tried: object) -> IllegalActionError:
        """The error for an illegal action, with the position and what was legal."""
        legal = ", ".join(self.action_to_string(state, player, a) for a in self.legal_actions(state, player))
        return IllegalActionError(
            f"{tried!r} is not a legal action of player {player} here; legal: {legal or 'none'}\n{self.render(state)}"
        )

    def players_to_act(self, state: Any) -> Sequence[int]:
        """The players that choose at this node: (0, 1), one of them, or ()."""
        node = self.current_player(state)
        return (0, 1) if node == SIMULTANEOUS else (node,) if node in (0, 1) else ()
