"""What every game promises, asked of the positions of random games."""

import dataclasses
import math
import os
import pickle
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from ..compiled import Component, KernelError, is_state, run
from ..compiled.errors import KernelRunError
from ..compiled.patience import Patience
from ..compiled.rules import in_package
from ..compiled.states import as_machine_words
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Ending, Game, IllegalActionError, Symmetry
from .features import Features
from .first_look import FirstLook, arrays_for, reason_of
from .folding import FoldedPositions
from .pictures import broken_promise
from .planes import Planes
from .small_trees import SmallTrees, play_differently
from .words import place_of_class, place_of_method, told

_TOLERANCE = 1e-9


def check_game(
    game: Game, *, playouts: int = 50, seed: int | None = None, states: Iterable[Any] | None = None,
    evaluators: Iterable[Component] = (),
) -> None:  # fmt: skip
    """Play random games and hold every position to what a game promises; silent when all is well.

    Games start from `states` in turn, the initial state by default. Without a seed each call draws other games; the
    message of a failure gives the seed. The first games are played in plain Python alone, where a rule that does not come to
    an end is stopped. Each of `evaluators` must give every position that is not over the same value, a finite number, compiled and as
    plain Python.

    Raises AssertionError with a sentence that names the rule, the line, and the position where it is broken
    (SADDLEPOINT_TRACE=1 adds the trace).
    """
    given: Any = game
    if not isinstance(given, Game):
        raise AssertionError(_no_game(given))
    drawn = int(np.random.default_rng().integers(2**32)) if seed is None else seed
    with Patience() as patience:
        conformance = _Conformance(game, drawn, patience, tuple(evaluators))
        try:
            conformance.check(playouts, None if states is None else list(states))
            return
        except _BrokenPromise as broken:
            message, cause = str(broken), broken.__cause__
        except Exception as error:
            message, cause = conformance.sentence_of(error), error
    raise AssertionError(message) from (cause if os.environ.get("SADDLEPOINT_TRACE") else None)


def _no_game(given: Any) -> str:
    if isinstance(given, type):
        if issubclass(given, Game):
            return f"{given.__name__} is a class: check_game takes a game, {given.__name__}(){place_of_class(given)}"
        given = object.__new__(given)
    cls = type(given)
    return f"{cls.__name__} must be made of saddlepoint.Game: write class {cls.__name__}(Game){place_of_class(cls)}"


class _BrokenPromise(Exception):
    """A promise that the game does not keep, in words."""


class _Conformance:
    def __init__(self, game: Game, seed: int, patience: Patience, evaluators: tuple[Component, ...]) -> None:
        self.game, self.seed, self.evaluators = game, seed, evaluators
        self.plain: Any = game.plain
        self.rng = np.random.default_rng(seed)
        self.hashes: dict[Any, int] = {}
        self.by_hash: dict[int, Any] = {}
        self.by_canonical_hash: dict[int, Any] = {}
        self.trees = SmallTrees(game, self.fail)
        self.folded = FoldedPositions(game, self.same_in_both, self.fail)
        self.features = Features(game, self.same_in_both, self.fail)
        self.planes = Planes(game, self.plain_call, self.compiled_call, self.fail)
        self.look = FirstLook(game, lambda rule, state, place: self.fail(rule, state, place=place), patience, seed)

    def check(self, playouts: int, starts: list[Any] | None) -> None:
        self.look.at_class()
        if starts is None:
            starts = [self.look.start()]
        for start in starts:
            self.check_start(start)
        if not in_package(type(self.game)):
            self.look.at_games(starts[0])
        self.check_parameters()
        for number in range(playouts):
            self.check_playout(starts[number % len(starts)])

    def fail(self, rule: str, state: Any = None, cause: BaseException | None = None, place: str | None = None) -> NoReturn:
        """Say which promise is broken: the rule's first word is the method that is to be mended."""
        line = place_of_method(self.game, rule.split(maxsplit=1)[0]) if place is None else place
        raise _BrokenPromise(self.message(rule, state, line)) from cause

    def message(self, rule: str, state: Any, place: str) -> str:
        where = "" if state is None else f"\nin the position {self.describe(state)}"
        repeat = f"\n(check_game(..., seed={self.seed}) plays the same games)"
        game = repr(self.game) if dataclasses.is_dataclass(self.game) else f"{type(self.game).__name__}()"
        return f"{game}: {rule}{place}{where}{repeat}"

    def sentence_of(self, error: Exception) -> str:
        """What to say of an exception that a method of the game raised where nothing of that kind was expected."""
        if isinstance(error, KernelError):
            first, *rest = str(error).splitlines()
            return self.message(first, None, "".join(f"\n{line}" for line in rest))
        found = told(error)
        if not found.method:
            raise error
        name = found.method.removeprefix(f"{type(self.game).__qualname__}.")
        return self.message(f"{name} must not raise: {found.sentence()}", None, found.place)

    def describe(self, state: Any) -> str:
        try:
            return self.game.to_text(state)
        except Exception:
            return repr(state)

    # -- the game itself -----------------------------------------------------------------------------------------

    def check_parameters(self) -> None:
        game = self.game
        if pickle.loads(pickle.dumps(game)) != game:
            self.fail("a game that was pickled must come back equal (is it a frozen dataclass?)")

    def check_start(self, start: Any) -> None:
        self.look.is_state_of_its_kind("initial_state", start)

    def check_playout(self, start: Any) -> None:
        path = [start]
        while self.check_position(path[-1]) != TERMINAL:
            if len(path) > self.game.max_depth:
                self.fail(f"a game must end within max_depth = {self.game.max_depth} steps", path[-1])
            path.append(self.check_steps(path[-1]))
        if self.game.has_bounds:
            self.check_bounds_along(path)
        self.check_words_of_end(path)
        self.trees.check(path)

    def check_bounds_along(self, path: list[Any]) -> None:
        """Bounds hold whatever is played: they may only tighten, and where they are equal nothing that follows is worth anything else."""
        least, most = -math.inf, math.inf
        for state in path:
            low, high = self.compiled_call("bounds", state)
            if low < least - _TOLERANCE or high > most + _TOLERANCE:
                before = f"{least:g} and {most:g} before"
                self.fail(f"bounds may only tighten along the play, and were {before}: not {low:g} and {high:g}", state)
            least, most = low, high

    def check_position(self, state: Any) -> int:
        node = self.look.node_of(as_machine_words(state))
        self.compare("current_player", node, state)
        self.check_position_text(state)
        self.check_picture(state)
        if node == TERMINAL:
            self.check_end(state)
        elif node == CHANCE:
            self.check_chance(state)
        else:
            for player in self.game.players_to_act(state):
                self.check_actions(state, player)
        if node not in (TERMINAL, CHANCE):
            for evaluator in self.evaluators:
                self.check_evaluator(evaluator, state)
        self.folded.check(state)
        self.features.check(state)
        self.planes.check(state)
        if node != TERMINAL:
            self.check_hash(state)
        if self.game.has_bounds:
            low, high = self.same_in_both("bounds", state)
            if not self.game.min_utility - _TOLERANCE <= low <= high <= self.game.max_utility + _TOLERANCE:
                self.fail(f"bounds must be a range within min_utility and max_utility, not {low} and {high}", state)
        return node

    # -- compiled = plain Python ---------------------------------------------------------------------------------

    def check_evaluator(self, evaluator: Any, state: Any) -> None:
        """An estimate is one number, whoever computes it; sums may be rounded in another order."""
        name = type(evaluator).__name__
        compiled = run(evaluator.kernels["evaluate"], evaluator, self.game, state)
        plain = evaluator.plain.evaluate(self.plain, as_machine_words(state))
        if not math.isfinite(compiled):
            self.fail(f"{name}.evaluate must give a finite number, and gives {compiled!r}", state)
        if not math.isclose(compiled, plain, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            self.fail(f"{name}.evaluate must be the same compiled and plain: {compiled!r} and {plain!r}", state)

    def plain_call(self, name: str, state: Any, *args: Any, as_it_is: bool = False) -> Any:
        return self.look.rule(name, state if as_it_is else as_machine_words(state), *args)

    def compiled_call(self, name: str, state: Any, *args: Any) -> Any:
        try:
            return run(self.game.kernels[name], self.game, state, *args)
        except KernelError as error:
            self.fail_of_kernel(name, state, error)

    def fail_of_kernel(self, name: str, state: Any, error: KernelError) -> NoReturn:
        rest = str(error).splitlines()[1:]
        wish = "must not raise" if isinstance(error, KernelRunError) else "must compile"
        self.fail(f"{name} {wish}: {reason_of(error, self.game, name)}", state, error, "".join(f"\n{line}" for line in rest[:1]))

    def same_in_both(self, name: str, state: Any, *args: Any) -> Any:
        """The kernel's answer, which must be the same compiled and as plain Python."""
        return self.compare(name, self.plain_call(name, state, *args), state, *args)

    def compare(self, name: str, plain: Any, state: Any, *args: Any) -> Any:
        """The compiled kernel's answer, which must be that of plain Python."""
        compiled = self.compiled_call(name, state, *args)
        if _comparable(plain) != _comparable(compiled):
            called = f"{name}({', '.join(['state', *map(str, args)])})"
            self.fail(f"{called} must be the same compiled and plain: {compiled!r} and {plain!r}", state)
        return compiled

    def filled(self, name: str, state: Any, *player: int) -> tuple[list[int], list[float]]:
        """What a kernel wrote into its output arrays, which must be the same compiled and as plain Python."""
        plain = self.look.filled(name, as_machine_words(state), *player)
        out, weights = arrays_for(self.game, player)
        count = int(self.compiled_call(name, state, *player, out, *(() if player else (weights,))))
        compiled = out[:count].tolist(), [] if player else weights[:count].tolist()
        if compiled != plain:
            self.fail(f"{name} must be the same compiled and plain: {compiled} and {plain}", state)
        return plain

    # -- one position --------------------------------------------------------------------------------------------

    def check_end(self, state: Any) -> None:
        value = self.compare("returns", self.look.result_of(as_machine_words(state)), state)
        for symmetry in self.game.symmetries(state):
            expected, found = -value if symmetry.swap else value, self.game.returns(symmetry.state)
            if abs(found - expected) > _TOLERANCE:
                self.fail(f"the image {symmetry.state!r} of the end must be worth {expected}, not {found}", state)
        for player in (0, 1):
            if self.game.legal_actions(state, player):
                self.fail("nobody may have a legal action when the game is over", state)
        self.check_rejected(state, 0, 0)

    def check_chance(self, state: Any) -> None:
        outcomes, weights = self.filled("chance_outcomes", state)
        if self.game.chance_outcomes(state) != list(zip(outcomes, weights, strict=True)):
            self.fail("chance_outcomes must pair every outcome with its probability", state)
        self.check_rejected(state, max(outcomes) + 1)
        names = [self.game.outcome_to_string(state, outcome) for outcome in outcomes]
        if not all(type(name) is str and name.strip() for name in names) or len(set(names)) < len(names):
            self.fail(f"outcome_to_string must give every outcome a name that no other one has, not {names}", state)

    def check_actions(self, state: Any, player: int) -> None:
        legal, _ = self.filled("legal_actions", state, player)
        if self.game.legal_actions(state, player) != legal:
            self.fail("the legal actions seen from Python must be those of the kernel", state)
        if not 0 <= min(legal) <= max(legal) < self.game.distinct_actions:
            rule = f"actions must be 0 or more, and below distinct_actions, {self.game.distinct_actions}, not {min(legal)} to {max(legal)}"
            self.fail(f"{rule}: set distinct_actions to the greatest action of the game and 1", state)
        searched, _ = self.filled("search_actions", state, player)
        if not set(searched) <= set(legal):
            self.fail(f"search_actions must be some of the legal actions {legal}, not {searched}", state)
        if self.game.has_winning_actions:
            self.check_told_wins(state, player, legal)
        self.check_action_text(state, player, legal)
        others = [action for action in range(-3, self.game.max_actions + 3) if action not in legal]
        for action in [*others, 10**6]:
            if action != NO_ACTION:
                self.check_rejected(state, *self.joint(state, player, action))

    def check_told_wins(self, state: Any, player: int, legal: list[int]) -> None:
        told, _ = self.filled("winning_actions", state, player)
        best = self.game.max_utility if player == 0 else self.game.min_utility
        for action in told:
            after = self.accepted(state, action) if action in legal else state
            if self.game.current_player(after) != TERMINAL or self.game.returns(after) != best:
                self.fail(f"winning_actions must end the game at once with {best}, not be {told}", state)

    def joint(self, state: Any, player: int, action: int) -> tuple[int, ...]:
        """That action, with any legal one of the other player where both choose."""
        if self.game.current_player(state) != SIMULTANEOUS:
            return (action,)
        other = int(self.rng.choice(self.game.legal_actions(state, 1 - player)))
        return (action, other) if player == 0 else (other, action)

    def check_rejected(self, state: Any, *actions: int) -> None:
        try:
            self.game.next_state(state, *actions)
        except IllegalActionError as error:
            if self.game.current_player(state) != CHANCE and self.game.render(state) not in str(error):
                self.fail(f"the error for the illegal {actions} must show the position, not say {str(error)!r}", state)
            return
        except Exception as error:
            self.fail(f"the illegal {actions} must raise IllegalActionError, not {error!r}", state, error)
        self.fail(f"the illegal {actions} must raise IllegalActionError", state)

    # -- text ----------------------------------------------------------------------------------------------------

    def check_words_of_end(self, path: list[Any]) -> None:
        end = path[-1]
        self.look.is_text("why_over", end, self.game.why_over, end)
        told = self.game.ending(path)
        is_pair = isinstance(told, tuple) and len(told) == 2  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
        if not is_pair or not all(one is None or isinstance(one, Ending) for one in told):  # pyright: ignore[reportUnnecessaryIsInstance]
            self.fail(f"ending must give a pair, for each player an Ending or None, not {told!r}", end)

    def check_position_text(self, state: Any) -> None:
        text = self.look.is_text("to_text", state, self.game.to_text, state)
        self.look.is_text("render", state, self.game.render, state)
        try:
            again = self.game.from_text(text)
        except Exception as error:
            found = told(error)
            self.fail(f"from_text must read what to_text wrote: {found.sentence()}", state, error, found.place or None)
        if again != state:
            self.fail(f"from_text must be the inverse of to_text, but gave {again!r} for {state!r}", state)

    def check_picture(self, state: Any) -> None:
        if type(self.game).picture is not Game.picture:
            if broken := broken_promise(self.game, state, self.game.picture(state)):
                self.fail(broken, state)

    def check_action_text(self, state: Any, player: int, legal: list[int]) -> None:
        for action in legal:
            word = self.look.is_text("action_to_string", state, self.game.action_to_string, state, player, action)
            try:
                again = self.game.string_to_action(state, player, word)
            except Exception as error:
                found = told(error)
                rule = f"string_to_action must read {word!r}, the name of action {action}: {found.sentence()}"
                self.fail(rule, state, error, found.place or None)
            if again != action:
                rule = f"string_to_action must be the inverse of action_to_string: {action} became {again}"
                self.fail(f"{rule}; give every action a name of its own", state)
        try:
            self.game.string_to_action(state, player, "no such action")
        except IllegalActionError:
            return
        except Exception as error:
            found = told(error)
            rule = f"string_to_action must raise IllegalActionError for what names no action, not {found.sentence()}"
            self.fail(f"{rule}; write raise self.illegal(state, player, text)", state, error, found.place or None)
        self.fail("string_to_action must raise IllegalActionError for what names no action", state)

    # -- hash ----------------------------------------------------------------------------------------------------

    def check_hash(self, state: Any) -> None:
        key = int(self.same_in_both("hash", state))
        if key == 0:
            return
        again = int(self.compiled_call("hash", self.game.from_text(self.game.to_text(state))))
        if key != again or self.hashes.get(state, key) != key:
            self.fail("equal positions must have equal hashes", state)
        if state in self.hashes:
            return
        self.hashes[state] = key
        other = self.by_hash.setdefault(key, state)
        if other != state and play_differently(self.game, state, other):
            rule = f"hash must tell positions apart: {other!r} has the same one and plays differently"
            self.fail(f"{rule}; mix all into it that matters", state)
        if self.game.has_canonical_hash:
            self.check_canonical_hash(state)

    def check_canonical_hash(self, state: Any) -> None:
        """Who shares the canonical hash is an image, and `image_action` tells its actions."""
        key, is_image = self.same_in_both("canonical_hash", state)
        symmetries = [symmetry for symmetry in self.game.symmetries(state) if not symmetry.swap]
        other = self.by_canonical_hash.setdefault(int(key), state)
        if other != state and other not in [symmetry.state for symmetry in symmetries]:
            self.fail(f"canonical_hash must tell positions apart: {other!r} has the same one and is no image", state)
        player = self.game.current_player(state)
        for symmetry in symmetries:
            image_key, too = self.compiled_call("canonical_hash", symmetry.state)
            if symmetry.state == state or int(image_key) != int(key):
                continue
            if bool(too) == bool(is_image):
                self.fail(f"one of the two must be the image, this or {symmetry.state!r}", state)
            renamed = symmetry.actions1 if player == 1 else symmetry.actions0
            for action in self.game.legal_actions(state, player):
                there = int(run(self.game.kernels["image_action"], self.game, action))
                if there != renamed[action] or int(run(self.game.kernels["image_action"], self.game, there)) != action:
                    self.fail(f"image_action must give {renamed[action]} for {action}, and that again {action}", state)

    # -- steps and symmetries ------------------------------------------------------------------------------------

    def check_steps(self, state: Any) -> Any:
        """Every legal action is accepted; the state after one of them, drawn at random."""
        followers: dict[tuple[int, ...], Any] = {}
        if self.game.current_player(state) == CHANCE:
            for outcome, _ in self.game.chance_outcomes(state):
                followers[(outcome,)] = self.accepted(state, outcome)
        else:
            for player in self.game.players_to_act(state):
                for action in self.game.legal_actions(state, player):
                    joint = self.joint(state, player, action)
                    followers[joint] = self.accepted(state, *joint)
        chosen = list(followers)[int(self.rng.integers(len(followers)))]
        symmetries = self.game.symmetries(state)
        images = [(s.state, s.swap) for s in self.game.symmetries(followers[chosen])] if symmetries else []
        for symmetry in symmetries:
            self.check_symmetry(state, chosen, followers[chosen], symmetry, images)
        return followers[chosen]

    def accepted(self, state: Any, *actions: int) -> Any:
        try:
            follower = self.game.next_state(state, *actions)
        except IllegalActionError as error:
            self.fail(f"the legal {actions} must be accepted", state, error)
        except KernelError as error:
            self.fail_of_kernel("next_state", state, error)
        joint = (*actions, NO_ACTION) if len(actions) == 1 else actions
        if self.game.current_player(state) == 1:
            joint = joint[::-1]
        # A search takes its actions from NumPy arrays, and goes on from whatever numbers the rules made of them.
        plain = self.plain_call("successor", state, *map(np.int64, joint))
        self.look.is_successor(state, actions, plain)
        if as_machine_words(plain) != as_machine_words(follower):
            self.fail(f"next_state after {actions} must be the same compiled and plain: {follower} and {plain}", state)
        if self.plain_call("current_player", plain, as_it_is=True) == TERMINAL:
            self.plain_call("returns", plain, as_it_is=True)
        return follower

    def check_symmetry(
        self, state: Any, actions: tuple[int, ...], follower: Any, symmetry: Symmetry, images: list[Any]
    ) -> None:
        game, image, maps = self.game, symmetry.state, (symmetry.actions0, symmetry.actions1)
        node, image_node = game.current_player(state), game.current_player(image)
        if image_node != (1 - node if symmetry.swap and node in (0, 1) else node):
            self.fail(f"the same player (or, swapped, the other) must move in the image {image!r}", state)
        for player in game.players_to_act(state):
            there = 1 - player if symmetry.swap else player
            renamed = sorted(maps[player][action] for action in game.legal_actions(state, player))
            if renamed != sorted(game.legal_actions(image, there)):
                self.fail(f"legal actions must become legal actions of the image {image!r}", state)
        if node == SIMULTANEOUS:
            moved = (maps[0][actions[0]], maps[1][actions[1]])
            moved = moved[::-1] if symmetry.swap else moved
        else:
            moved = (maps[1 if node == 1 else 0][actions[0]],)
        after = game.next_state(image, *moved)
        if (after, symmetry.swap) not in [(follower, False), *images]:
            self.fail(f"symmetries must commute with next_state: {actions} in it, {moved} in {image!r}", state)


def _comparable(value: Any) -> Any:
    if is_state(value):
        return as_machine_words(value)
    value = value.item() if isinstance(value, np.generic) else value
    return "nan" if value != value else value
