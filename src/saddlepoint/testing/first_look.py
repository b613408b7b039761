"""A first look at the rules of somebody's own game: some random games in plain Python, before anything is compiled.

Most mistakes show at once, and Python tells them with their line. What only compiled code does is told when it is compiled.
"""

import contextlib
import dataclasses
import io
import math
import time
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from .._text import error_line
from ..class_checks import missing_rule
from ..compiled import KernelError, is_state, run
from ..compiled.patience import Patience, TooLong
from ..compiled.rules import in_package
from ..compiled.states import StateError, as_machine_words, misfit, state_type
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from .choices import ChoicesThatMatter
from .words import called, place_of_class, place_of_method, told

_GAMES = 20
_SECONDS = 1.0
_SPARE = 64  # cells behind the last that may be written, to notice a kernel that writes there
_NEAR = 1e-9
_NUMBERS = ("min_utility", "max_utility")
_ALWAYS_SOME = ("legal_actions", "search_actions")
"""Rules that give an action at least."""
_WRITTEN = {"successor": "next_state", "turn_successor": "next_state", "joint_successor": "next_state"}
"""What a kernel of ours that stands in another's place is called in a game."""

Fail = Callable[[str, Any, str], NoReturn]
"""Is told the broken promise, the position (or None) and the line that says where."""


def look_at(game: Game, state: Any = None) -> Game:
    """The game, if it keeps its promises in some random games from `state`, the initial state by default.

    Raises KernelError with the method, the line and the position where it does not. This library's own games are not looked at.
    """
    if in_package(type(game)):
        return game

    def fail(rule: str, position: Any = None, place: str = "") -> NoReturn:
        where = "" if position is None else f"\n  in the position {_text(game, position)}"
        raise KernelError(f"{type(game).__qualname__}.{rule}{place}{where}")

    with Patience() as patience:
        look = FirstLook(game, fail, patience, seed=0)
        look.at_class()
        start = look.start() if state is None else state
        with contextlib.redirect_stdout(io.StringIO()):  # what rules print for their author is for the games that were asked for
            look.at_games(start)
        look.at_picture(start)
        look.at_compiled()
    return game


def _text(game: Game, state: Any) -> str:
    try:
        text: Any = game.to_text(state)
        return text if isinstance(text, str) and "\n" not in text else repr(state)
    except Exception:
        return repr(state)


class FirstLook:
    """One game looked at; `fail` is called at the first broken promise."""

    def __init__(self, game: Game, fail: Fail, patience: Patience, seed: int) -> None:
        self.game, self._fail, self._patience = game, fail, patience
        self._rng = np.random.default_rng(seed)
        self._choices = ChoicesThatMatter(
            lambda state, player: self.filled("legal_actions", state, player)[0], self._after, self._broken
        )
        self._met: dict[int, tuple[Any, tuple[int, int]]] = {}
        """A position of each kind that was met, and the actions that followed."""

    # -- the class and its numbers -------------------------------------------------------------------------------

    def at_class(self) -> None:
        """Look at what needs no position: the class, its numbers."""
        game, cls = self.game, type(self.game)
        params: Any = getattr(cls, "__dataclass_params__", None)
        if not dataclasses.is_dataclass(cls) or not params.frozen:
            rule = "__init__ must be that of a frozen dataclass: put @dataclass(frozen=True) above the class"
            self._fail(rule, None, place_of_class(cls))
        missing, way = missing_rule(cls.kernels)
        if missing:
            self._fail(f"{missing} must be there: {way}", None, place_of_class(cls))
        for name in ("max_actions", "max_depth", "max_outcomes", *_NUMBERS):
            value = self.asked(name, None, lambda name=name: getattr(game, name))
            kinds = (int, np.integer) if name not in _NUMBERS else (int, float, np.number)
            if isinstance(value, bool) or not isinstance(value, kinds):
                kind = "number" if name in _NUMBERS else "whole number"
                self._fail(f"{name} must be a {kind}, not {value!r}", None, self._place(name))
        if game.max_actions < 1:
            self._fail("max_actions must be set to the most actions any position has", None, self._place("max_actions"))
        if game.max_depth < 1:
            self._fail("max_depth must be set to the most steps a game can last", None, self._place("max_depth"))
        if not game.min_utility <= game.max_utility:
            self._fail(
                f"min_utility {game.min_utility} must not exceed max_utility {game.max_utility}", None, self._place("max_utility")
            )

    def _place(self, name: str) -> str:
        return place_of_method(self.game, name) or place_of_class(type(self.game))

    # -- the start -----------------------------------------------------------------------------------------------

    def start(self) -> Any:
        """The initial state, which is one."""
        if type(self.game).initial_state is Game.initial_state:
            self._fail("initial_state must be there: write def initial_state(self) that gives the first state", None, self._class_place)
        state = self.asked("initial_state", None, self.game.initial_state)
        self.is_state_of_its_kind("initial_state", state)
        return state

    @property
    def _class_place(self) -> str:
        return place_of_class(type(self.game))

    def is_state_of_its_kind(self, name: str, state: Any) -> None:
        """Refuse what is no state, or one with fields that compiled code cannot hold."""
        place = place_of_method(self.game, name)
        if not is_state(state):
            what = "not None: end it with return State(...)"
            if state is not None:
                what = f"not a {type(state).__name__}: write class State(NamedTuple)"
            self._fail(f"{name} must give a state, and a state must be a NamedTuple, {what}", None, place)
        try:
            state_type(state)
        except StateError as error:
            self._fail(f"{name} must give a state that compiled code can hold; {error}", None, place_of_class(type(state)) or place)
        except Exception as error:
            wrong = misfit_of(state) or told(error).sentence()
            self._fail(f"{name} must give a state that holds what its fields are annotated with: {wrong}", None, place)
        if wrong := misfit_of(state):
            self._fail(f"{name} must give a state that holds what its fields are annotated with: {wrong}", None, place)

    # -- games ---------------------------------------------------------------------------------------------------

    def at_games(self, start: Any) -> None:
        """Play random games from there, for a second or some more."""
        self._play_games(start)
        self._choices.check()

    def _play_games(self, start: Any) -> None:
        end = time.monotonic() + _SECONDS
        for _ in range(_GAMES):
            state, steps = as_machine_words(start), 0
            while time.monotonic() < end or steps == 0:
                after = self._follower(state, steps)
                if after is None:
                    break
                state, steps = after, steps + 1
            if time.monotonic() >= end:
                return

    def _follower(self, state: Any, steps: int) -> Any:
        """A random position after this one; None at an end."""
        node = self.node_of(state)
        self._met.setdefault(node, (state, (NO_ACTION, NO_ACTION)))
        if node == TERMINAL:
            self.result_of(state)
            return None
        if steps >= self.game.max_depth:
            self._broken(
                "current_player",
                f"must say TERMINAL in time: a game must end within max_depth = {self.game.max_depth} steps; set max_depth to the most "
                "there are", state,
            )  # fmt: skip
        if node == SIMULTANEOUS and self.game.turn_based:
            self._broken(
                "next_state", "must take both actions where current_player says SIMULTANEOUS: write def next_state(self, state, "
                "action0, action1)", state,
            )  # fmt: skip
        actions = [NO_ACTION, NO_ACTION]
        if node == CHANCE:
            actions[0] = int(self._rng.choice(self.filled("chance_outcomes", state)[0]))
        else:
            for player in (0, 1):
                if node in (player, SIMULTANEOUS):
                    actions[player] = int(self._rng.choice(self.filled("legal_actions", state, player)[0]))
            self._choices.look_at(state, node)
        self._met[node] = (state, (actions[0], actions[1]))
        return self._after(state, *actions)

    def _after(self, state: Any, action0: int, action1: int) -> Any:
        """The state after these actions, NO_ACTION of a player who has none; it is as a state must be."""
        actions: tuple[int, ...] = (action0, action1)
        if self.game.turn_based:
            actions = (action1 if action0 == NO_ACTION else action0,)
        after = self.rule("next_state", state, *actions)
        self.is_successor(state, actions, after)
        return as_machine_words(after)

    def is_successor(self, state: Any, actions: tuple[int, ...], after: Any) -> None:
        """Refuse what is no state such as the one before these actions."""
        kind = type(state)
        if type(after) is not kind:
            given = "None" if after is None else f"a {type(after).__name__}"
            made = f": return {kind.__name__}(...)" if after is None or not is_state(after) else ""
            self._broken("next_state", f"must give a {kind.__name__}, not {given}{made}", state, actions)
        if wrong := misfit_of(after):
            self._broken("next_state", f"must give what the state's fields are annotated with: {wrong}", state, actions)
        for field, before, now in zip(state._fields, state, after, strict=True):
            if _shape(before) != _shape(now):
                self._broken(
                    "next_state", f"must keep the length of every tuple, and {field!r} had {_shape_words(before)} and has "
                    f"{_shape_words(now)}: make it as long as it can get in initial_state, and count in another field", state, actions,
                )  # fmt: skip

    def node_of(self, state: Any) -> int:
        """Who moves, or that chance does or nobody."""
        node = self.rule("current_player", state)
        if isinstance(node, bool) or not isinstance(node, (int, np.integer)) or node not in (0, 1, SIMULTANEOUS, CHANCE, TERMINAL):
            self._broken("current_player", f"must give 0, 1, SIMULTANEOUS, CHANCE or TERMINAL, not {node}", state)
        return int(node)

    def result_of(self, state: Any) -> Any:
        """The result of an end, which is a number within its range."""
        value = self.rule("returns", state)
        low, high = self.game.min_utility, self.game.max_utility
        if not isinstance(value, (int, float, np.number, np.bool_)):
            self._broken("returns", f"must give one number, player 0's result, not {value!r}", state)
        if not (math.isfinite(value) and low - _NEAR <= value <= high + _NEAR):
            way = ": set min_utility and max_utility to the least and the most"
            if math.isnan(value):
                way = "; look where a division or a root has no result"
            self._broken("returns", f"must lie between min_utility {low} and max_utility {high}, not be {value}{way}", state)
        return value

    def filled(self, name: str, state: Any, *player: int) -> tuple[list[int], list[float]]:
        """What a rule wrote into its arrays: a player's actions; the outcomes of chance, and their probabilities."""
        if not player and not self.game.has_chance:
            self._broken(
                "current_player", "must not say CHANCE without chance_outcomes: write @kernel above def chance_outcomes(self, state, out, "
                "probabilities)", state,
            )  # fmt: skip
        limit = "max_actions" if player else "max_outcomes"
        room, (out, weights) = int(getattr(self.game, limit)), arrays_for(self.game, player)
        count = self.rule(name, state, *player, out, *(() if player else (weights,)))
        what = limit.removeprefix("max_")
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            self._broken(name, f"must return how many {what} it wrote into out, not {count!r}", state, player)
        if not 0 <= count <= room or (out[room:] != -99).any() or (weights[room:] != -99.0).any():
            more = f"; set {limit} to the most there are" if count >= 0 else ""
            self._broken(name, f"must give at most {limit} = {room} {what}, not {count}{more}", state, player)
        found = out[:count].tolist()
        if -99 in found:
            self._broken(name, f"must write as many {what} as it returns: it returns {count} and wrote {found.index(-99)}", state, player)
        if len(set(found)) != len(found) or min(found, default=0) < 0:
            self._broken(name, f"must give different, non-negative actions, not {found}", state, player)
        if player:
            if not found and name in _ALWAYS_SOME:
                self._broken(
                    name, f"must write at least one action, and player {player[0]} must have a legal action where it is to choose", state,
                    player,
                )  # fmt: skip
            return found, []
        chances: list[float] = weights[:count].tolist()
        if -99.0 in chances:
            self._broken(name, "must write a probability for every outcome: probabilities[k] = ... beside out[k] = ...", state)
        if not found or min(chances) < 0 or not abs(sum(chances) - 1) <= _NEAR:
            rule = f"must give every outcome a chance: probabilities must be at least 0 and sum to 1, not be {chances}"
            self._broken(name, rule, state)
        return found, chances

    # -- compiled ------------------------------------------------------------------------------------------------

    def at_compiled(self) -> None:
        """Ask every rule once, compiled: what cannot be compiled is told before a game begins."""
        game = self.game
        for node, (state, actions) in self._met.items():
            game.current_player(state)
            if node == TERMINAL:
                game.returns(state)
                continue
            if node == CHANCE:
                game.chance_outcomes(state)
            for player in game.players_to_act(state):
                game.choices(state, player)
                if type(game).kernels["search_actions"] is not Game.kernels["search_actions"]:
                    game.search_actions(state, player)
            game.advance(state, *actions)
            for name in ("hash", "bounds", "canonical", "without_score", "relabelled"):
                if type(game).kernels[name] is not Game.kernels[name]:
                    run(type(game).kernels[name], game, state)

    # -- text ----------------------------------------------------------------------------------------------------

    def at_picture(self, state: Any) -> None:
        """Look at what a terminal shows of a position, where the game says so itself."""
        if type(self.game).render is not Game.render:
            self.is_text("render", state, self.game.render, state)
        if type(self.game).to_text is not Game.to_text:
            self.is_text("to_text", state, self.game.to_text, state)

    def is_text(self, name: str, state: Any, method: Callable[..., Any], *args: Any) -> str:
        """What a method gives, which is a text."""
        text = self.asked(name, state, method, *args)
        if not isinstance(text, str):
            kind = "None" if text is None else f"{text!r}"
            self._fail(f"{name} must return a text, not {kind}: end it with return and a str", state, place_of_method(self.game, name))
        return text

    # -- asking --------------------------------------------------------------------------------------------------

    def rule(self, name: str, state: Any, *args: Any) -> Any:
        """A rule's answer as plain Python."""
        method = getattr(self.game.plain, name)
        name = _WRITTEN.get(name, name)

        def ask() -> Any:
            with np.errstate(over="ignore"):
                return method(state, *args)

        return self.asked(name, state, ask, call=called(name, ("state", *args)), in_python=True)

    def asked(
        self, name: str, state: Any, method: Callable[..., Any], *args: Any, call: str = "", in_python: bool = False
    ) -> Any:
        """The answer of a method of the game, which must not raise and must come to an end."""
        try:
            return self._patience.call(method, *args)
        except TooLong as error:
            found = told(error)
            asked = call or called(name, ("state", *args[1:]) if state is not None else args)
            inside = f" (it was in {found.method})" if not found.method.endswith(f".{name}") and found.method else ""
            self._fail(
                f"{name} must come to an end: {asked} was stopped after {self._patience.seconds:g} s{inside}; does its loop ever end?",
                state, found.place or place_of_method(self.game, name),
            )  # fmt: skip
        except KernelError as error:
            self._fail(f"{name} must compile: {reason_of(error, self.game, name)}", state, _rest(error))
        except Exception as error:
            found = told(error)
            said = found.sentence(name) + ("" if found.way or not in_python else "; a rule must answer for every position that can occur")
            wish = "must not raise in plain Python" if in_python else "must not raise"
            if isinstance(error, IndexError) and in_python:
                wish = "must stay within its arrays and tuples"
            self._fail(f"{name} {wish}: {said}", state, found.place or place_of_method(self.game, name))

    def _broken(self, name: str, what: str, state: Any, args: tuple[int, ...] = ()) -> NoReturn:
        asked = f" (asked {called(name, ('state', *args))})" if args else ""
        self._fail(f"{name} {what}{asked}", state, place_of_method(self.game, name))


def arrays_for(game: Game, player: tuple[int, ...]) -> tuple[Any, Any]:
    """What a rule fills, with cells to spare: actions of the player, or outcomes of chance; and probabilities."""
    room = int(game.max_actions if player else game.max_outcomes) + _SPARE
    return np.full(room, -99, np.int64), np.full(room, -99.0)


def reason_of(error: KernelError, game: Game, name: str) -> str:
    """What a kernel's error says, without the method's name where that is the one that is spoken of."""
    first = error_line(error)
    own = f"{type(game).__qualname__}.{name}"
    return first.removeprefix(f"{own} cannot be compiled: ").removeprefix(f"{own} failed: ")


def _rest(error: Exception) -> str:
    rest = str(error).splitlines()[1:2]
    return "".join(f"\n{line}" for line in rest)


def _shape(value: Any) -> Any:
    return tuple(map(_shape, value)) if isinstance(value, tuple) else None


def _shape_words(value: Any) -> str:
    return f"{len(value)} items" if isinstance(value, tuple) else "none"  # pyright: ignore[reportUnknownArgumentType]


def misfit_of(state: Any) -> str:
    """`misfit` in words, with the likely way out."""
    wrong = misfit(state)
    if not wrong:
        return ""
    cls = type(state)
    if _fits_in_another_order(state):
        wrong += f"; are its arguments in the order of {cls.__name__}({', '.join(cls._fields)})?"
    elif "is annotated int and holds" in wrong and any(isinstance(value, float) for value in state):
        wrong += "; use // and int(...)"
    elif wrong.endswith("None"):
        wrong += "; a number that does not occur, such as -1, may stand for nothing"
    elif any(isinstance(value, str) for value in state):
        wrong += "; a state holds no texts, use a number that stands for it"
    return wrong


def _fits_in_another_order(state: Any) -> bool:
    """Whether two fields, exchanged, would make the state fit."""
    cls = type(state)
    values = list(state)
    for i in range(len(values)):
        for j in range(i):
            swapped = values.copy()
            swapped[i], swapped[j] = swapped[j], swapped[i]
            if not misfit(cls(*swapped)):
                return True
    return False
