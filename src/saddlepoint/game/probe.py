"""A probe of a game's rules: it calls them in plain Python and compiled, and every answer must be what a rule has to give."""

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..compiled import Component, KernelError, is_state, run
from ..compiled.endless_loops import Patience, TooLong
from ..compiled.errors import (
    KernelRunError,
    called,
    in_words,
    place_of_class,
    place_of_method,
    position_text,
    way_out,
)
from ..compiled.states import StateError, as_machine_words, misfit, state_type
from .base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game

NEAR = 1e-9
"""Sums may be rounded in another order."""
_SPARE = 64  # cells behind the last that may be written, to notice a kernel that writes there
_UNWRITTEN = -99
_IN_PYTHON = "must not raise in plain Python:"


class BrokenPromise(Exception):
    """A promise that a game does not keep, in words, of which the first is the method; the position, the line, and what was raised."""

    def __init__(
        self, rule: str, state: Any = None, place: str = "", cause: BaseException | None = None
    ) -> None:
        super().__init__(rule)
        self.rule, self.state, self.place, self.cause = rule, state, place, cause

    def message(self, game: Game) -> str:
        """The message: the method and the rule, the line, the position."""
        where = "" if self.state is None else f"\n  in the position {position_text(game, self.state)}"
        return f"{type(game).__qualname__}.{self.rule}{self.place}{where}"


class Probe:
    """Calls a game's rules; raises BrokenPromise for the first answer that cannot be right."""

    def __init__(
        self, game: Game, patience: Patience, seed: int, evaluators: tuple[Component, ...] = ()
    ) -> None:
        self.game, self.rules, self.patience, self.evaluators = game, game.plain, patience, evaluators
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.state: Any = None
        """The position that is checked, for the message of a promise broken there."""
        self.memory: dict[Any, Any] = {}
        """The checks' memory of earlier positions, by the check and a key of its own."""

    def first(self, kind: str, key: Any, value: Any) -> Any:
        """The first value noted for that key; this value where there was none."""
        return self.memory.setdefault((kind, key), value)

    # -- promises ------------------------------------------------------------------------------------------------

    def must(self, kept: Any, rule: str, *values: Any) -> None:
        """Raise BrokenPromise where a promise is not kept; `rule` is formatted with the values, and its first word is the method."""
        if not kept:
            self.fail(rule.format(*values))

    def fail(
        self, rule: str, place: str = "", state: Any = None, cause: BaseException | None = None
    ) -> NoReturn:
        """Raise BrokenPromise, with the line of the method that is the first word of the rule unless another place is given."""
        place = place or self._place(rule.split(maxsplit=1)[0])
        raise BrokenPromise(rule, self.state if state is None else state, place, cause)

    def _place(self, name: str) -> str:
        cls = type(self.game)
        return place_of_method(cls, name) or (place_of_class(cls) if hasattr(cls, name) else "")

    # -- asking --------------------------------------------------------------------------------------------------

    def answer(
        self,
        name: str,
        state: Any,
        method: Callable[..., Any],
        *args: Any,
        wish: str = "must not raise:",
        way: str = "",
    ) -> Any:
        """The answer of a method of the game, which must not raise and must come to an end.

        wish: what is said where it raises; way: what to do, where that does not follow from what it raised.
        """
        try:
            return self.patience.call(method, *args)
        except TooLong as error:
            found = in_words(error)
            inside = (
                f" (it was in {found.method})"
                if found.method and not found.method.endswith(f".{name}")
                else ""
            )
            asked = called(name, ("state", *args[1:]) if state is not None else args)
            self.fail(
                f"{name} must come to an end: {asked} was stopped after {self.patience.seconds:g} s{inside}; does its loop ever end?",
                found.place,
                state,
                error,
            )
        except KernelError as error:
            self.fail_of_kernel(name, state, error)
        except Exception as error:
            found = in_words(error)
            if wish == _IN_PYTHON and isinstance(error, IndexError):
                wish = "must stay within its arrays and tuples:"
            self.fail(
                f"{name} {wish} {found.sentence(name)}{'' if found.way else way}", found.place, state, error
            )

    def fail_of_kernel(self, name: str, state: Any, error: KernelError) -> NoReturn:
        """Say what a kernel's error says, without the method's name where that is the one that is spoken of."""
        first, *rest = str(error).splitlines()
        own = f"{type(self.game).__qualname__}.{name}"
        reason = first.removeprefix(f"{own} cannot be compiled: ").removeprefix(f"{own} failed: ")
        wish = "must not raise" if isinstance(error, KernelRunError) else "must compile"
        self.fail(f"{name} {wish}: {reason}", "".join(f"\n{line}" for line in rest[:1]), state, error)

    def text(self, name: str, state: Any, *args: Any) -> str:
        """The text that a method of the game gives for a position."""
        said = self.answer(name, state, getattr(self.game, name), state, *args)
        self.must(
            isinstance(said, str), "{} must return a text, not {!r}: end it with return and a str", name, said
        )
        return said

    def plain(self, name: str, state: Any, *args: Any) -> Any:
        """A kernel's answer as plain Python, of a state of machine words."""
        way = "; a rule must answer for every position that can occur"
        with np.errstate(over="ignore"):
            return self.answer(name, state, getattr(self.rules, name), state, *args, wish=_IN_PYTHON, way=way)

    def compiled(self, name: str, state: Any, *args: Any) -> Any:
        """A kernel's answer, compiled."""
        try:
            return run(self.game.kernels[name], self.game, state, *args)
        except KernelError as error:
            self.fail_of_kernel(name, state, error)

    def both(self, name: str, state: Any, *args: Any) -> Any:
        """A kernel's answer, which must be the same compiled and as plain Python."""
        return self.same(name, self.plain(name, as_machine_words(state), *args), state, *args)

    def same(self, name: str, plain: Any, state: Any, *args: Any) -> Any:
        """The compiled kernel's answer, which must be that of plain Python."""
        compiled = self.compiled(name, state, *args)
        if _comparable(plain) != _comparable(compiled):
            self.fail(
                f"{called(name, ('state', *args))} must be the same compiled and plain: {compiled!r} and {plain!r}"
            )
        return compiled

    # -- what each rule gives ------------------------------------------------------------------------------------

    def node(self, state: Any) -> int:
        """The node kind of a state, checked."""
        node = self.plain("current_player", state)
        self.must(
            is_whole(node) and node in (0, 1, SIMULTANEOUS, CHANCE, TERMINAL),
            "current_player must give 0, 1, SIMULTANEOUS, CHANCE or TERMINAL, not {}",
            node,
        )
        return int(node)

    def result(self, state: Any) -> Any:
        """The result of an end, which is a number within its range."""
        value, low, high = self.plain("returns", state), self.game.min_utility, self.game.max_utility
        self.must(
            isinstance(value, (int, float, np.number, np.bool_)),
            "returns must give one number, player 0's result, not {!r}",
            value,
        )
        way = (
            "; look where a division or a root has no result"
            if math.isnan(value)
            else ": set min_utility and max_utility to the least and the most"
        )
        self.must(
            math.isfinite(value) and low - NEAR <= value <= high + NEAR,
            "returns must lie between min_utility {} and max_utility {}, not be {}{}",
            low,
            high,
            value,
            way,
        )
        return value

    def filled(self, name: str, state: Any, *player: int) -> tuple[list[int], list[float]]:
        """The numbers that a rule writes in plain Python: (a player's actions, []), or (outcomes of chance,
        probabilities).
        """
        way = "write @kernel above def chance_outcomes(self, state, out, probabilities)"
        self.must(
            player or self.game.has_chance,
            "current_player must not say CHANCE without chance_outcomes: {}",
            way,
        )
        limit = "max_actions" if player else "max_outcomes"
        room, what, (out, weights) = (
            int(getattr(self.game, limit)),
            limit.removeprefix("max_"),
            self._arrays(player),
        )
        count = self.plain(name, state, *player, out, *(() if player else (weights,)))
        asked = f" (asked {called(name, ('state', *player))})" if player else ""

        def must(kept: Any, rule: str, *values: Any) -> None:
            self.must(kept, f"{name} {rule}{asked}", *values)

        must(is_whole(count), "must return how many {} it wrote into out, not {!r}", what, count)
        is_room = (
            0 <= count <= room and (out[room:] == _UNWRITTEN).all() and (weights[room:] == _UNWRITTEN).all()
        )
        way = f"; set {limit} to the most there are" if count >= 0 else ""
        must(is_room, "must give at most {} = {} {}, not {}{}", limit, room, what, count, way)
        found, chances = out[:count].tolist(), [] if player else weights[:count].tolist()
        written = len(found) - found.count(_UNWRITTEN)
        must(
            written == count,
            "must write as many {} as it returns: it returns {} and wrote {}",
            what,
            count,
            written,
        )
        must(
            len(set(found)) == count and min(found, default=0) >= 0,
            "must give different, non-negative actions, not {}",
            found,
        )
        if player:
            must(
                found or name not in ("legal_actions", "search_actions"),
                "must write at least one action, and player {} must have a legal action where it is to choose",
                player[0],
            )
            return found, []
        must(
            _UNWRITTEN not in chances,
            "must write a probability for every outcome: probabilities[k] = ... beside out[k] = ...",
        )
        must(
            found and min(chances) >= 0 and abs(sum(chances) - 1) <= NEAR,
            "must give every outcome a chance: probabilities must be at least 0 and sum to 1, not be {}",
            chances,
        )
        return found, chances

    def filled_in_both(self, name: str, state: Any, *player: int) -> tuple[list[int], list[float]]:
        """The same, which must also be what the compiled rule writes."""
        plain = self.filled(name, as_machine_words(state), *player)
        out, weights = self._arrays(player)
        count = int(self.compiled(name, state, *player, out, *(() if player else (weights,))))
        compiled = out[:count].tolist(), [] if player else weights[:count].tolist()
        self.must(
            compiled == plain, "{} must be the same compiled and plain: {} and {}", name, compiled, plain
        )
        return plain

    def _arrays(self, player: tuple[int, ...]) -> tuple[Any, Any]:
        """Arrays for a rule to fill, with cells to spare: the player's actions or chance's outcomes.

        And probabilities.
        """
        room = int(self.game.max_actions if player else self.game.max_outcomes) + _SPARE
        return np.full(room, _UNWRITTEN, np.int64), np.full(room, float(_UNWRITTEN))

    def actions(self, state: Any, node: int, name: str = "legal_actions") -> tuple[list[int], list[int]]:
        """Both players' actions, [NO_ACTION] for a player without a choice.

        Chance's outcomes as those of player 0.
        """
        if node == CHANCE:
            return self.filled("chance_outcomes", state)[0], [NO_ACTION]
        own = [
            self.filled(name, state, player)[0] if node in (player, SIMULTANEOUS) else [NO_ACTION]
            for player in (0, 1)
        ]
        return own[0], own[1]

    def successor(self, state: Any, action0: Any, action1: Any) -> Any:
        """The checked state after these actions in plain Python; NO_ACTION for a player without one."""
        actions: tuple[int, ...] = (action0, action1)
        if self.game.turn_based:
            actions = (action1 if action0 == NO_ACTION else action0,)
        after = self.plain("next_state", state, *actions)
        kind, asked = type(state), f" (asked {called('next_state', ('state', *actions))})"
        if type(after) is not kind:
            given = "None" if after is None else f"a {type(after).__name__}"
            made = f": return {kind.__name__}(...)" if after is None or not is_state(after) else ""
            self.fail(f"next_state must give a {kind.__name__}, not {given}{made}{asked}")
        wrong = misfit_of(after)
        self.must(
            not wrong, "next_state must give what the state's fields are annotated with: {}{}", wrong, asked
        )
        for field, before, now in zip(state._fields, state, after, strict=True):
            self.must(
                _shape(before) == _shape(now),
                "next_state must keep the length of every tuple, and {!r} had {} and has {}: make it as long as it can get in "
                "initial_state, and count in another field{}",
                field,
                _length(before),
                _length(now),
                asked,
            )
        return after

    def start(self) -> Any:
        """The initial state, which is one."""
        cls = type(self.game)
        if cls.initial_state is Game.initial_state:
            self.fail(
                "initial_state must be there: write def initial_state(self) that gives the first state",
                place_of_class(cls),
            )
        return self.state_of_its_kind(
            "initial_state", self.answer("initial_state", None, self.game.initial_state)
        )

    def state_of_its_kind(self, name: str, state: Any) -> Any:
        """Refuse what is no state, or one with fields that compiled code cannot hold."""
        what = (
            f"a {type(state).__name__}: write class State(NamedTuple)"
            if state is not None
            else "None: end it with return State(...)"
        )
        self.must(
            is_state(state), "{} must give a state, and a state must be a NamedTuple, not {}", name, what
        )
        try:
            state_type(state)
            wrong = misfit_of(state)
        except StateError as error:
            self.fail(
                f"{name} must give a state that compiled code can hold; {error}", place_of_class(type(state))
            )
        except Exception as error:
            wrong = misfit_of(state) or in_words(error).sentence()
        self.must(
            not wrong, "{} must give a state that holds what its fields are annotated with: {}", name, wrong
        )
        return state


def moves_of(
    game: Game, state: Any, actions: Callable[..., list[int]] | None = None
) -> tuple[list[int], list[int], list[float]]:
    """(actions of player 0, actions of player 1, probabilities); outcomes of chance are player 0's actions.

    [NO_ACTION] for a player without a choice; no probabilities where chance does not move.
    """
    node = game.current_player(state)
    if node == CHANCE:
        outcomes = game.chance_outcomes(state)
        return [outcome for outcome, _ in outcomes], [NO_ACTION], [weight for _, weight in outcomes]
    own = [
        (actions or game.choices)(state, player) if node in (player, SIMULTANEOUS) else [NO_ACTION]
        for player in (0, 1)
    ]
    return own[0], own[1], []


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, and no truth value."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def misfit_of(state: Any) -> str:
    """`misfit` in words, with the likely way out."""
    wrong = misfit(state)
    if not wrong:
        return ""
    cls, values = type(state), list(state)
    orders = ((i, j) for i in range(len(values)) for j in range(i))
    if any(not misfit(cls(*(values[{i: j, j: i}.get(k, k)] for k in range(len(values))))) for i, j in orders):
        return f"{wrong}; are its arguments in the order of {cls.__name__}({', '.join(cls._fields)})?"
    return wrong + way_out(wrong)


def _shape(value: Any) -> Any:
    return tuple(map(_shape, value)) if isinstance(value, tuple) else None


def _length(value: Any) -> str:
    return f"{len(value)} items" if isinstance(value, tuple) else "none"  # pyright: ignore[reportUnknownArgumentType]


def _comparable(value: Any) -> Any:
    if is_state(value):
        return as_machine_words(value)
    value = value.item() if isinstance(value, np.generic) else value
    return "nan" if value != value else value
