"""Checks of a game's claims on equivalent positions and bounds, against its rules, images and small trees.

A check takes a probe of the game, the state and the node kind, and raises BrokenPromise.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..compiled import run
from ..compiled.states import as_machine_words
from ..matrix import solve_matrix
from .base import CHANCE, TERMINAL, Game
from .probe import NEAR, Probe, moves_of

_TREE = 2_500  # steps that one position may take
_ALL = 8_000
_DEEPEST = 100
"""Plies of a tree: in compiled code that is called near Python's limit of recursion the process ends."""
_ROUNDED = 1e-7  # of the range of results
_PAIRS = 200  # positions compared with each other, to tell two with one hash apart


# -- images and scores ---------------------------------------------------------------------------------------------------


def canonical_is_an_image(probe: Probe, state: Any, node: int) -> None:
    """`canonical` gives one and the same image for all images of a position."""
    kept = _canonical(probe, state)
    for symmetry in probe.game.symmetries(state):
        probe.must(
            _canonical(probe, symmetry.state) == kept,
            "canonical must give the same for {!r}, which is an image",
            symmetry.state,
        )
    probe.must(
        _canonical(probe, kept) == kept,
        "canonical must give {!r}, which stands for this position, for itself",
        kept,
    )


def _canonical(probe: Probe, state: Any) -> Any:
    kept, exchanged = probe.both("canonical", state)
    images = [(symmetry.state, symmetry.swap) for symmetry in probe.game.symmetries(state)]
    players = "with" if exchanged else "without"
    probe.must(
        (kept, bool(exchanged)) in [(state, False), *images],
        "canonical must give the position or one of its symmetries, not {!r} {} an exchange of players",
        kept,
        players,
    )
    return kept


def score_is_apart(probe: Probe, state: Any, node: int) -> None:
    """Without its score a position plays the same, and its results differ by the score."""
    game = probe.game
    bare, score = probe.both("without_score", state)
    probe.must(
        game.current_player(bare) == node, "who moves must be the same without the score, in {!r}", bare
    )
    if node == TERMINAL:
        probe.must(
            abs(score + game.returns(bare) - game.returns(state)) <= NEAR,
            "the result must be the score {} and that of {!r}",
            score,
            bare,
        )
        return
    if game.has_canonical:
        _canonical(probe, bare)
    moves = moves_of(game, state)
    probe.must(moves == moves_of(game, bare), "the moves must be the same without the score, in {!r}", bare)
    for pair in itertools.product(*moves[:2]):
        after, beyond = game.advance(state, *pair), game.advance(bare, *pair)
        rule = "the moves {}, {} must lead to the same without the score"
        if (
            game.current_player(after) == game.current_player(beyond) == TERMINAL
        ):  # only results are asked of ended positions
            probe.must(
                abs(score + game.returns(beyond) - game.returns(after)) <= NEAR,
                f"{rule}, also at the end",
                *pair,
            )
        else:
            (there, total), (beside, part) = (probe.both("without_score", one) for one in (after, beyond))
            probe.must(
                there == beside and abs(score + part - total) <= NEAR,
                f"{rule}: {{!r}} and {{!r}}",
                *pair,
                there,
                beside,
            )


def relabelled_plays_the_same(probe: Probe, state: Any, node: int) -> None:
    """Under the other numbers of its actions a position plays the same."""
    game = probe.game
    plain = probe.both("relabelled", state)
    again = probe.both("relabelled", plain)
    probe.must(again == plain, "relabelled must give {!r}, which stands for this position, for itself", plain)
    probe.must(game.current_player(plain) == node, "who moves must be the same relabelled, in {!r}", plain)
    here, there = moves_of(game, state), moves_of(game, plain)
    probe.must(
        list(map(len, here[:2])) == list(map(len, there[:2])) and here[2] == there[2],
        "relabelled must give a position with as many moves, as likely where chance draws, not {!r}",
        plain,
    )
    if game.has_canonical:
        kept = _canonical(probe, plain)
        probe.must(
            probe.both("relabelled", kept) == kept,
            "canonical must leave a relabelled position relabelled, {!r}",
            plain,
        )
    for mine, other in zip(itertools.product(*here[:2]), itertools.product(*there[:2]), strict=True):
        after, beyond = game.advance(state, *mine), game.advance(plain, *other)
        is_over = game.current_player(after) == TERMINAL
        rule = "the moves {}, and {} relabelled, must "
        is_same = game.current_player(after) == game.current_player(beyond)
        probe.must(is_same, f"{rule}leave the same player to move", mine, other)
        if is_over:
            probe.must(
                abs(game.returns(after) - game.returns(beyond)) <= NEAR,
                f"{rule}end with the same result",
                mine,
                other,
            )
        else:
            is_same = probe.both("relabelled", after) == probe.both("relabelled", beyond)
            probe.must(is_same, f"{rule}lead to positions that are the same relabelled", mine, other)


# -- what learners see ---------------------------------------------------------------------------------------------------


def features_suit_images(probe: Probe, state: Any, node: int) -> None:
    """Features are equally many finite numbers, the same in images; of a set, as many bits."""
    _must_suit_images(probe, state, _features, "features must be {} in the image {!r}: {} and {}")


def _features(probe: Probe, state: Any, player: int) -> list[Any]:
    plain = probe.plain("features", as_machine_words(state), player)
    found = probe.same("features", plain, state, player)
    probe.must(
        isinstance(found, tuple) and all(math.isfinite(number) for number in found),
        "features must give a tuple of finite numbers, not {!r}",
        found,
    )
    count = probe.first("features", "count", len(found))
    probe.must(
        len(found) == count,
        "features must give equally many numbers in each state: {} and {}",
        count,
        len(found),
    )
    sets = probe.first("features", "sets", [type(number) is np.uint64 for number in plain])
    return [int(number).bit_count() if is_set else number for number, is_set in zip(found, sets, strict=True)]


def planes_suit_images(probe: Probe, state: Any, node: int) -> None:
    """Planes have the shape of `plane_shape`, and in images the same numbers in other places."""
    shape = probe.game.plane_shape
    probe.must(
        isinstance(shape, tuple)
        and len(shape) == 3
        and all(isinstance(size, (int, np.integer)) and size > 0 for size in shape),
        "plane_shape must be (planes, rows, columns), three whole numbers from 1, not {!r}",
        shape,
    )
    _must_suit_images(
        probe, state, _plane_sums, "planes must be {}, but for places, in the image {!r}: {} and {} in all"
    )


def _plane_sums(probe: Probe, state: Any, player: int) -> list[int]:
    plain, compiled = (np.zeros(probe.game.plane_shape, np.uint8) for _ in range(2))
    probe.plain("planes", as_machine_words(state), player, plain)
    probe.compiled("planes", state, player, compiled)
    probe.must(
        (plain == compiled).all(), "planes(state, {}, out) must write the same compiled and plain", player
    )
    return plain.sum(axis=(1, 2)).tolist()


def _must_suit_images(probe: Probe, state: Any, numbers: Callable[..., list[Any]], rule: str) -> None:
    """The numbers of a position must be those of its images, the other player's where the players are exchanged."""
    found = [numbers(probe, state, player) for player in (0, 1)]
    for symmetry in probe.game.symmetries(state):
        image = [numbers(probe, symmetry.state, player) for player in (0, 1)]
        probe.must(
            np.allclose(found[::-1] if symmetry.swap else found, image, rtol=NEAR, atol=NEAR),
            rule,
            "the other player's" if symmetry.swap else "the same",
            symmetry.state,
            found,
            image,
        )


# -- hashes --------------------------------------------------------------------------------------------------------------


def hash_tells_apart(probe: Probe, state: Any, node: int) -> None:
    """Equal positions have equal hashes, and positions with one hash play the same."""
    key = int(probe.both("hash", state))
    if key == 0:
        return
    again = int(probe.compiled("hash", probe.game.from_text(probe.game.to_text(state))))
    is_new = ("hash", state) not in probe.memory
    probe.must(key == again == probe.first("hash", state, key), "equal positions must have equal hashes")
    if is_new:
        other = probe.first("by hash", key, state)
        probe.must(
            other == state or not _play_differently(probe.game, state, other),
            "hash must tell positions apart: {!r} has the same one and plays differently; mix all into it that matters",
            other,
        )
        if probe.game.has_canonical_hash:
            _check_canonical_hash(probe, state, node)


def _check_canonical_hash(probe: Probe, state: Any, node: int) -> None:
    """Positions with the same canonical hash are images, and `image_action` maps their actions."""
    game = probe.game
    key, is_image = probe.both("canonical_hash", state)
    symmetries = [symmetry for symmetry in game.symmetries(state) if not symmetry.swap]
    other = probe.first("canonical hash", int(key), state)
    probe.must(
        other in [state, *(symmetry.state for symmetry in symmetries)],
        "canonical_hash must tell positions apart: {!r} has the same one and is no image",
        other,
    )
    for symmetry in symmetries:
        image_key, too = probe.compiled("canonical_hash", symmetry.state)
        if symmetry.state == state or int(image_key) != int(key):
            continue
        probe.must(
            bool(too) != bool(is_image), "one of the two must be the image, this or {!r}", symmetry.state
        )
        renamed = symmetry.actions1 if node == 1 else symmetry.actions0
        for action in game.legal_actions(state, node):
            there = int(run(game.kernels["image_action"], game, action))
            probe.must(
                there == renamed[action] and int(run(game.kernels["image_action"], game, there)) == action,
                "image_action must give {} for {}, and that again {}",
                renamed[action],
                action,
                action,
            )


def _play_differently(game: Game, one: Any, other: Any) -> bool:
    """Whether two positions are seen to differ in what a search looks at, now or some steps later.

    A hash may leave out what does not matter.
    """
    waiting, seen = [(one, other)], {(one, other)}
    while waiting and len(seen) < _PAIRS:
        a, b = waiting.pop(0)
        if _searched(game, a) != _searched(game, b):
            return True
        if game.current_player(a) == TERMINAL:
            continue
        for pair in itertools.product(*moves_of(game, a, game.search_actions)[:2]):
            after = game.advance(a, *pair), game.advance(b, *pair)
            if after[0] != after[1] and after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _searched(game: Game, state: Any) -> tuple[Any, ...]:
    """The facts that a search reads of a position: the node kind, and the result or the moves."""
    node = game.current_player(state)
    return (
        (node, game.returns(state))
        if node == TERMINAL
        else (node, *moves_of(game, state, game.search_actions))
    )


# -- bounds and values ---------------------------------------------------------------------------------------------------


def bounds_are_a_range(probe: Probe, state: Any, node: int) -> None:
    """Bounds lie within the range of results."""
    low, high = probe.both("bounds", state)
    probe.must(
        probe.game.min_utility - NEAR <= low <= high <= probe.game.max_utility + NEAR,
        "bounds must be a range within min_utility and max_utility, not {} and {}",
        low,
        high,
    )


def bounds_tighten(probe: Probe, path: Sequence[Any]) -> None:
    """Bounds hold whatever is played: they may only tighten, and where they are equal nothing that follows is worth anything else."""
    least, most = -math.inf, math.inf
    for state in path:
        probe.state = state
        low, high = probe.compiled("bounds", state)
        probe.must(
            low >= least - NEAR and high <= most + NEAR,
            "bounds may only tighten along the play, and were {:g} and {:g} before: not {:g} and {:g}",
            least,
            most,
            low,
            high,
        )
        least, most = low, high


def small_trees_agree(probe: Probe, path: Sequence[Any]) -> None:
    """Positions near the end, solved by their legal actions alone: search_actions, hashes and bounds agree with their values."""
    trees = probe.first("trees", "", _SmallTrees(probe))
    for state in reversed(path):
        if not trees.solve(state):
            return


class _TooLarge(Exception):
    """A tree takes more steps than are worth it."""


class _SmallTrees:
    """Exact values of the positions of small trees, each compared with the game's claims about it."""

    def __init__(self, probe: Probe) -> None:
        self._probe, self._game = probe, probe.game
        self._values: dict[Any, float] = {}
        self._left, self._spent, self._depth = _ALL, 0, 0
        self._near = _ROUNDED * max(1.0, probe.game.max_utility - probe.game.min_utility)

    def solve(self, state: Any) -> bool:
        """Whether the tree of a position is small; it is solved then."""
        self._spent = self._depth = 0
        try:
            self._value(state)
        except _TooLarge:
            return False
        return self._left > 0

    def _value(self, state: Any) -> float:
        """Player 0's value."""
        if state in self._values:
            return self._values[state]
        game, node = self._game, self._game.current_player(state)
        if node == TERMINAL:
            value = float(game.returns(state))
        else:
            *actions, weights = moves_of(game, state)
            cells = np.empty((len(actions[0]), len(actions[1])))
            for i, j in np.ndindex(cells.shape):
                cells[i, j] = self._after(state, actions[0][i], actions[1][j])
            value = float(np.dot(weights, cells[:, 0])) if node == CHANCE else _stage_value(cells)
            if node != CHANCE:
                self._check_searched(state, actions, cells, value)
        self._probe.state = state
        if game.has_bounds:
            low, high = run(game.kernels["bounds"], game, state)
            self._probe.must(
                low - self._near <= value <= high + self._near,
                "bounds must hold the value, which is {:g} here, and are {:g} and {:g}",
                value,
                low,
                high,
            )
        if node != TERMINAL:
            self._check_hashes(state, value)
        self._values[state] = value
        return value

    def _after(self, state: Any, action0: int, action1: int) -> float:
        self._spent += 1
        self._left -= 1
        if self._spent > _TREE or self._left <= 0 or self._depth == _DEEPEST:
            raise _TooLarge
        self._depth += 1
        found = self._value(self._game.advance(state, action0, action1))
        self._depth -= 1
        return found

    def _check_searched(self, state: Any, actions: list[list[int]], cells: Any, value: float) -> None:
        self._probe.state = state
        searched = moves_of(self._game, state, self._game.search_actions)[:2]
        rows, columns = (
            [own.index(action) for action in some] for own, some in zip(actions, searched, strict=True)
        )
        # Of one player at a time: what both lose together may cancel out, and each must still have a best mixture.
        for kept in (cells[rows], cells[:, columns]):
            found = _stage_value(kept)
            self._probe.must(
                abs(found - value) <= self._near,
                "search_actions must keep what is needed: with all legal actions this is worth {:g}, with those it gives one of "
                "the players, of {}, {:g}",
                value,
                list(searched),
                found,
            )

    def _check_hashes(self, state: Any, value: float) -> None:
        game = self._game
        for name in ("hash", "canonical_hash") if game.has_canonical_hash else ("hash",):
            key = run(game.kernels[name], game, state)
            other = self._probe.first(
                f"worth by {name}", int(key[0] if name == "canonical_hash" else key), state
            )
            known = self._values.get(other, value)
            self._probe.must(
                abs(known - value) <= self._near,
                "hash must tell positions apart: this one is worth {:g} and {!r}, with the same {}, {:g}",
                value,
                other,
                name,
                known,
            )


def _stage_value(cells: Any) -> float:
    lower, upper = cells.min(axis=1).max(), cells.max(axis=0).min()
    return float(lower) if lower == upper else float(solve_matrix(cells).value)
