"""The games of this library as Python games of OpenSpiel: `pyspiel.load_game("saddlepoint_NAME(...)")`.

Each game is registered under `saddlepoint_` and its name, with its parameters, when this module is imported. A game of somebody's own
is registered when `as_open_spiel` is first called with it.
"""

import copyreg
import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, ClassVar, cast
from urllib.parse import unquote

from ...game.base import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError
from ...game.own_games import checked_parameters
from ...game.words import title_of
from ...games.catalogue.games import usable_games
from .walk import pyspiel

PREFIX = "saddlepoint_"
"""The prefix of this library's games there."""
_KINDS = (bool, int, float, str)
"""The kinds of parameters that OpenSpiel knows."""
_PLAYERS = {
    CHANCE: pyspiel.PlayerId.CHANCE,
    SIMULTANEOUS: pyspiel.PlayerId.SIMULTANEOUS,
    TERMINAL: pyspiel.PlayerId.TERMINAL,
}
_UNSAFE = re.compile(r"[%,()=\n]|^(?=[-\d.]+$)[-\d.]|^[TF](?=rue$|alse$)")
"""What its names of games are made of, and what makes it take a text for a number, or for True or False."""
_registered: dict[str, type[Game]] = {}


class Held:
    """A thing that never changes, in a state that OpenSpiel copies: the copy has the same one."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __copy__(self) -> "Held":
        return self

    def __deepcopy__(self, memo: Any) -> "Held":
        return self


class SaddlepointGame(pyspiel.Game):
    """A game of this library there; `rules` is the game. Each class of games has a class of its own, which `register` makes."""

    rules_class: ClassVar[type[Game]]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        rules = self.rules_class(**_read(self.rules_class, given))
        least, most = float(rules.min_utility), float(rules.max_utility)
        bound = max(-least, most)  # of either player: what one wins the other loses
        info = pyspiel.GameInfo(
            num_distinct_actions=int(rules.distinct_actions),
            max_chance_outcomes=int(rules.max_outcomes) if rules.has_chance else 0,
            num_players=2,
            min_utility=min(least, -most),
            max_utility=max(most, -least) if bound else 0.0,
            utility_sum=0.0,
            max_game_length=int(rules.max_depth),
        )
        super().__init__(game_type(self.rules_class), info, given)
        self.rules = rules

    def new_initial_state(self, state: str | None = None) -> "SaddlepointState":
        """The start, or the position of a text that `str` of a state gives; raises GameError for another text."""
        return SaddlepointState(self, None if state is None else self.rules.from_text(state))

    def state_of(self, position: Any) -> "SaddlepointState":
        """A position of the game there, with an empty history."""
        return SaddlepointState(self, position)

    def max_chance_nodes_in_history(self) -> int:
        """At most every ply is chance's."""
        return int(self.rules.max_depth) if self.rules.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        """An observer of the whole position, or with perfect recall of all moves so far."""
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        return _Observer(iig_obs_type)


class SaddlepointState(pyspiel.State):
    """A position of a `SaddlepointGame`; `position` is the state of this library."""

    def __init__(self, game: SaddlepointGame, position: Any = None) -> None:
        super().__init__(game)
        self._rules = Held(game.rules)
        self._position = Held(game.rules.initial_state() if position is None else position)

    @property
    def rules(self) -> Game:
        """The game."""
        return self._rules.value

    @property
    def position(self) -> Any:
        """The state of this library."""
        return self._position.value

    def current_player(self) -> int:
        """0, 1, or a number of `pyspiel.PlayerId`."""
        node = int(self.rules.current_player(self.position))
        return _PLAYERS.get(node, node)

    def _legal_actions(self, player: int) -> list[int]:
        if (
            player == pyspiel.PlayerId.SIMULTANEOUS
        ):  # OpenSpiel's numbers of joint actions, where it asks for all of them
            return list(range(len(self._legal_actions(0)) * len(self._legal_actions(1))))
        return sorted(self.rules.choices(self.position, player))

    def _joint(self, number: int) -> tuple[int, int]:
        own = [self._legal_actions(player) for player in (0, 1)]
        return own[0][number % len(own[0])], own[1][number // len(own[0])]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes and their probabilities."""
        return sorted(self.rules.chance_outcomes(self.position))

    def _apply_action(self, action: int) -> None:
        both = self.rules.current_player(self.position) == SIMULTANEOUS
        self._position = Held(
            self.rules.next_state(self.position, *(self._joint(int(action)) if both else (int(action),)))
        )

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._position = Held(self.rules.next_state(self.position, *map(int, actions)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.rules.outcome_to_string(self.position, action)
        return (
            f"[{', '.join(self._action_to_string(one, own) for one, own in enumerate(self._joint(action)))}]"
            if player == pyspiel.PlayerId.SIMULTANEOUS
            else self.rules.action_to_string(self.position, player, action)
        )

    def string_to_action(self, *given: Any) -> int:
        """The action of a name: `(player, name)`, or `(name)` where one player moves. Raises IllegalActionError for other names.

        That of OpenSpiel looks for a player's name among the joint actions where both move.
        """
        player, text = (self.current_player(), *given) if len(given) == 1 else given
        return int(self.rules.string_to_action(self.position, player, text))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.rules.current_player(self.position) == TERMINAL

    def returns(self) -> list[float]:
        """Both players' results; 0 while the game goes on."""
        result = float(self.rules.returns(self.position)) if self.is_terminal() else 0.0
        return [result, 0.0 - result]

    def __str__(self) -> str:
        return self.rules.to_text(self.position)


class _Observer:
    """Strings of what a player sees, by OpenSpiel's interface of observers; there is no tensor."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SaddlepointState, player: int) -> None:
        """Fills the tensor, of which there is none."""

    def string_from(self, state: SaddlepointState, player: int) -> str:
        """The position, or all moves so far; empty where only what is private is asked for."""
        if self._kind is not None and not self._kind.public_info:
            return ""
        return state.history_str() if self._kind is not None and self._kind.perfect_recall else str(state)


def game_type(cls: type[Game]) -> Any:
    """OpenSpiel's description of the games of a class.

    A game that brings rules of chance is EXPLICIT_STOCHASTIC there, also with parameters that leave nothing to chance.
    """
    kinds = pyspiel.GameType
    has_chance = cls.kernels["chance_outcomes"] is not Game.kernels["chance_outcomes"]
    return kinds(
        short_name=name_there(cls),
        long_name=title_of(cls),
        dynamics=kinds.Dynamics.SEQUENTIAL if cls.turn_based else kinds.Dynamics.SIMULTANEOUS,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={one.name: _written(one.default) for one in fields(cast(Any, cls))},
    )


def name_there(cls: type[Game]) -> str:
    """The name of a game's class there."""
    return PREFIX + (cls.name or cls.__name__)


def _written(value: Any) -> Any:
    """A parameter as OpenSpiel takes it: in a text what it would take for something else is written as `%2C`."""
    return _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", value) if isinstance(value, str) else value


def _read(cls: type[Game], given: dict[str, Any]) -> dict[str, Any]:
    """The parameters that OpenSpiel hands over, as the game takes them: it reads a text of digits as a number."""
    known = {one.name: one.default for one in fields(cast(Any, cls))}
    found: dict[str, Any] = {}
    for name, value in given.items():
        usual = known.get(name)
        if isinstance(usual, str):
            value = unquote(str(value))
        elif isinstance(usual, float) and isinstance(value, int):
            value = float(value)
        found[name] = value
    return checked_parameters(name_there(cls), known, found)


def _loaded(text: str) -> SaddlepointGame:
    """The game of a name there: with this module, which unpickling loads, the games of this library are registered."""
    return pyspiel.load_game(text)


def register(cls: type[Game]) -> None:
    """Make a class of games known to OpenSpiel, unless it is; its parameters must be numbers and texts with defaults."""
    name = name_there(cls)
    if _registered.get(name) is cls:
        return
    if name in _registered:
        raise GameError(f"OpenSpiel knows another game as {name}: give the class another `name`")
    # A class, no function: OpenSpiel gives back what it keeps after Python has ended, when a function could not be freed any more.
    made = type(f"{cls.__name__}There", (SaddlepointGame,), {"rules_class": cls})
    copyreg.pickle(cast(Any, made), lambda game: (_loaded, (str(game),)))
    pyspiel.register_game(game_type(cls), made)
    _registered[name] = cls


def as_open_spiel(game: Game) -> SaddlepointGame:
    """A game of this library, or one's own, as a game of OpenSpiel.

    Its parameters must be numbers and texts, each with a default: OpenSpiel has no others. Raises GameError otherwise.
    """
    cls = type(game)
    for one in fields(cast(Any, cls)):
        if not one.init or one.default is MISSING or type(one.default) not in _KINDS:
            raise GameError(
                f"OpenSpiel has no parameters such as {one.name} of {cls.__name__}: numbers and texts with defaults alone"
            )
    register(cls)
    given = {one.name: _written(getattr(game, one.name)) for one in fields(cast(Any, cls))}
    return pyspiel.load_game(name_there(cls), given)


for _entry in usable_games():
    register(_entry.game_class)
