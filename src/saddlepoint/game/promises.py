"""The promises of every game: about its class, its start, each of its positions, and its ends.

A check takes a probe of the game, the state and the node kind, and raises BrokenPromise.
"""

import dataclasses
import functools
import json
import math
import pickle
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..compiled import KernelError, run
from ..compiled.errors import place_of_class
from ..compiled.states import as_machine_words
from ..system.text import count_of
from .base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Ending, Game, IllegalActionError, Symmetry
from .class_checks import missing_rule
from .picture import Picture
from .probe import NEAR, Probe, is_whole

_NUMBERS = ("max_actions", "max_depth", "max_outcomes", "min_utility", "max_utility")
_ENOUGH = 5  # positions with a choice, after which it is no accident that none mattered
_TRIED = 8  # actions of a player, to see whether his choice matters
_MOST = 32  # of the actions of a position, legal and illegal ones, that are tried there
_BOARDS = ("cells", "checkered", "frame", "table")
_SHAPES = ("disc", "square", "ring", "cross", "diamond", "card", "none")
_ARROWS = ("", "up", "right", "down", "left")
_MOST_CHARACTERS = 3


# -- the class -----------------------------------------------------------------------------------------------------------


def is_frozen_dataclass(probe: Probe) -> None:
    """A game's parameters are the fields of a frozen dataclass."""
    cls = type(probe.game)
    params: Any = getattr(cls, "__dataclass_params__", None)
    if not dataclasses.is_dataclass(cls) or not params.frozen:
        probe.fail(
            "__init__ must be that of a frozen dataclass: put @dataclass(frozen=True) above the class",
            place=place_of_class(cls),
        )


def has_all_rules(probe: Probe) -> None:
    """No rule is missing."""
    cls = type(probe.game)
    missing, way = missing_rule(cls.kernels)
    if missing:
        probe.fail(f"{missing} must be there: {way}", place=place_of_class(cls))


def has_limits(probe: Probe) -> None:
    """The numbers by which searches size their memory."""
    game = probe.game
    for name in _NUMBERS:
        value = probe.answer(name, None, getattr, game, name)
        is_number = isinstance(value, (float, np.number)) and name.endswith("utility")
        kind = "number" if name.endswith("utility") else "whole number"
        probe.must(is_whole(value) or is_number, "{} must be a {}, not {!r}", name, kind, value)
    probe.must(game.max_actions >= 1, "max_actions must be set to the most actions any position has")
    probe.must(game.max_depth >= 1, "max_depth must be set to the most steps a game can last")
    low, high = game.min_utility, game.max_utility
    probe.must(low <= high, "min_utility {} must not exceed max_utility {}", low, high)


def is_equal_when_pickled(probe: Probe) -> None:
    """A game goes to other processes and is the same there."""
    again = pickle.loads(pickle.dumps(probe.game))
    probe.must(
        again == probe.game, "a game that was pickled must come back equal (is it a frozen dataclass?)"
    )


# -- in plain Python -----------------------------------------------------------------------------------------------------


def takes_both_actions(probe: Probe, state: Any, node: int) -> None:
    """Where both players move, no action is dropped."""
    probe.must(
        node != SIMULTANEOUS or not probe.game.turn_based,
        "next_state must take both actions where current_player says SIMULTANEOUS: write def next_state(self, state, action0, action1)",
    )


def result_is_in_range(probe: Probe, state: Any, node: int) -> None:
    """An end is worth one number within the range of results."""
    probe.result(state)


def random_step(probe: Probe, state: Any, node: int) -> Any:
    """The state after random actions: there are legal ones, chance's probabilities sum to 1, and what follows is a state."""
    own = probe.actions(state, node)
    for player in (0, 1):
        if node in (player, SIMULTANEOUS) and len(own[player]) > 1:
            _try_choices(probe, state, player, own)
    action0, action1 = (int(probe.rng.choice(actions)) for actions in own)
    return as_machine_words(probe.successor(state, action0, action1))


def _try_choices(probe: Probe, state: Any, player: int, own: Sequence[list[int]]) -> None:
    """Note whether a player's choice changes what comes next, until one did."""
    idle = probe.first("idle", player, set())
    if idle is None or state in idle:
        return
    for other in _spread(own[1 - player]):
        pairs = [(one, other) if player == 0 else (other, one) for one in _spread(own[player])]
        if len({as_machine_words(probe.successor(state, *pair)) for pair in pairs}) > 1:
            probe.memory["idle", player] = None
            return
    idle.add(state)


def _spread(actions: list[int]) -> list[int]:
    """A few actions of all, the first and the last one too: neighbours often come to the same."""
    places = np.linspace(0, len(actions) - 1, min(len(actions), _TRIED))
    return [actions[int(place)] for place in places]


def choices_matter(probe: Probe) -> None:
    """Each player's choices change the game somewhere: a rule that drops an action raises no error by itself."""
    for player in (0, 1):
        idle = probe.first("idle", player, set())
        if idle is not None and len(idle) >= _ENOUGH:
            what = f"it gives the same whatever player {player} chooses, in {count_of(len(idle), 'position')}"
            probe.fail(f"next_state must make use of player {player}'s action: {what}; use action{player}")


def shown_start_is_text(probe: Probe, state: Any) -> None:
    """The game's own text and drawing of its start are texts."""
    for name in ("render", "to_text"):
        if getattr(type(probe.game), name) is not getattr(Game, name):
            probe.text(name, state)


# -- one position ----------------------------------------------------------------------------------------------------------


def current_player_is_the_same_compiled(probe: Probe, state: Any, node: int) -> None:
    """Compiled code and plain Python agree on the player to move."""
    probe.same("current_player", node, state)


def text_is_read_again(probe: Probe, state: Any, node: int) -> None:
    """`from_text` is the inverse of `to_text`."""
    text = probe.text("to_text", state)
    probe.text("render", state)
    again = probe.answer("from_text", state, probe.game.from_text, text, wish="must read what to_text wrote:")
    probe.must(
        again == state, "from_text must be the inverse of to_text, but gave {!r} for {!r}", again, state
    )


def end_is_an_end(probe: Probe, state: Any, node: int) -> None:
    """An end is worth the same compiled, its images as much, and nobody moves there."""
    game = probe.game
    value = probe.same("returns", probe.result(as_machine_words(state)), state)
    for symmetry in game.symmetries(state):
        expected, found = -value if symmetry.swap else value, game.returns(symmetry.state)
        probe.must(
            abs(found - expected) <= NEAR,
            "the image {!r} of the end must be worth {}, not {}",
            symmetry.state,
            expected,
            found,
        )
    probe.must(
        not any(game.legal_actions(state, player) for player in (0, 1)),
        "nobody may have a legal action when the game is over",
    )
    _must_refuse(probe, state, 0, 0)


def outcomes_are_named(probe: Probe, state: Any, node: int) -> None:
    """Chance's outcomes are the same compiled, and each has a name of its own."""
    if node != CHANCE:
        return
    outcomes, weights = probe.filled_in_both("chance_outcomes", state)
    pairs = list(zip(outcomes, weights, strict=True))
    probe.must(
        probe.game.chance_outcomes(state) == pairs,
        "chance_outcomes must pair every outcome with its probability",
    )
    _must_refuse(probe, state, max(outcomes) + 1)
    names = [probe.game.outcome_to_string(state, outcome) for outcome in outcomes]
    probe.must(
        all(type(name) is str and name.strip() for name in names) and len(set(names)) == len(names),
        "outcome_to_string must give every outcome a name that no other one has, not {}",
        names,
    )


def actions_are_legal(probe: Probe, state: Any, node: int) -> None:
    """The players to act have legal actions, the same compiled, which are named and alone searched."""
    game = probe.game
    for player in game.players_to_act(state):
        legal, _ = probe.filled_in_both("legal_actions", state, player)
        probe.must(
            game.legal_actions(state, player) == legal,
            "the legal actions seen from Python must be those of the kernel",
        )
        probe.must(
            0 <= min(legal) <= max(legal) < game.distinct_actions,
            "actions must be 0 or more, and below distinct_actions, {}, not {} to {}: set distinct_actions to the greatest action of the "
            "game and 1",
            game.distinct_actions,
            min(legal),
            max(legal),
        )
        searched, _ = probe.filled_in_both("search_actions", state, player)
        probe.must(
            set(searched) <= set(legal),
            "search_actions must be some of the legal actions {}, not {}",
            legal,
            searched,
        )
        if game.has_winning_actions:
            _must_win(probe, state, player, legal)
        _must_be_named(probe, state, player, legal)
        most = max(game.max_actions, game.distinct_actions)
        within = range(most) if most <= _MOST else probe.rng.integers(0, most, _MOST)
        illegal = sorted({int(one) for one in within} - {*legal})
        for action in (-3, -2, *illegal, most, most + 1, most + 2, 10**6):
            _must_refuse(probe, state, *_joint(probe, state, player, action))


def _must_win(probe: Probe, state: Any, player: int, legal: list[int]) -> None:
    winning, _ = probe.filled_in_both("winning_actions", state, player)
    best = probe.game.max_utility if player == 0 else probe.game.min_utility
    for action in winning:
        after = _accepted(probe, state, action) if action in legal else state
        probe.must(
            probe.game.current_player(after) == TERMINAL and probe.game.returns(after) == best,
            "winning_actions must end the game at once with {}, not be {}",
            best,
            winning,
        )


def _must_be_named(probe: Probe, state: Any, player: int, legal: list[int]) -> None:
    """`string_to_action` is the inverse of `action_to_string`, and refuses all else."""
    read = probe.game.string_to_action
    tried = legal
    if len(legal) > _MOST:  # reading a name may look at all actions
        tried = _spread(legal)
        names = [probe.text("action_to_string", state, player, action) for action in legal]
        twice = [name for name, times in Counter(names).items() if times > 1]
        probe.must(not twice, "action_to_string must give every action a name of its own, not {}", twice)
    for action in tried:
        word = probe.text("action_to_string", state, player, action)
        wish = f"must read {word!r}, the name of action {action}:"
        again = probe.answer("string_to_action", state, read, state, player, word, wish=wish)
        probe.must(
            again == action,
            "string_to_action must be the inverse of action_to_string: {} became {}; give every action a name of its own",
            action,
            again,
        )
    wish, way = (
        "must raise IllegalActionError for what names no action",
        "; write raise self.illegal(state, player, text)",
    )
    probe.must(
        probe.answer(
            "string_to_action",
            state,
            _refusal,
            read,
            state,
            player,
            "no such action",
            wish=f"{wish}, not",
            way=way,
        ),
        f"string_to_action {wish}",
    )


def _must_refuse(probe: Probe, state: Any, *actions: int) -> None:
    try:
        refusal = _refusal(probe.game.next_state, state, *actions)
    except Exception as error:
        probe.fail(f"the illegal {actions} must raise IllegalActionError, not {error!r}")
    probe.must(refusal, "the illegal {} must raise IllegalActionError", actions)
    probe.must(
        probe.game.current_player(state) == CHANCE or probe.game.render(state) in str(refusal),
        "the error for the illegal {} must show the position, not say {!r}",
        actions,
        str(refusal),
    )


def _refusal(method: Any, *args: Any) -> IllegalActionError | None:
    try:
        method(*args)
    except IllegalActionError as error:
        return error
    return None


def evaluators_are_the_same_compiled(probe: Probe, state: Any, node: int) -> None:
    """An estimate is one number, whoever computes it."""
    game: Any = probe.game
    for evaluator in probe.evaluators if node != CHANCE else ():
        one: Any = evaluator
        compiled = run(one.kernels["evaluate"], one, game, state)
        plain = one.plain.evaluate(game.plain, as_machine_words(state))
        name = type(one).__name__
        probe.must(
            math.isfinite(compiled), "{}.evaluate must give a finite number, and gives {!r}", name, compiled
        )
        probe.must(
            math.isclose(compiled, plain, rel_tol=NEAR, abs_tol=NEAR),
            "{}.evaluate must be the same compiled and plain: {!r} and {!r}",
            name,
            compiled,
            plain,
        )


# -- steps -----------------------------------------------------------------------------------------------------------------


def every_step(probe: Probe, state: Any, node: int) -> Any:
    """The state after one of the legal actions, drawn at random: every one, or `_MOST` of them, is accepted, and images follow images."""
    game = probe.game
    if node == CHANCE:
        steps = [(outcome,) for outcome, _ in game.chance_outcomes(state)]
    else:
        own = [
            (player, action)
            for player in game.players_to_act(state)
            for action in game.legal_actions(state, player)
        ]
        steps = list(dict.fromkeys(_joint(probe, state, player, action) for player, action in own))
    if len(steps) > _MOST:  # others in other positions
        steps = [steps[int(place)] for place in probe.rng.choice(len(steps), _MOST, replace=False)]
    followers = [_accepted(probe, state, *step) for step in steps]
    chosen = int(probe.rng.integers(len(steps)))
    symmetries = game.symmetries(state)
    images = [(one.state, one.swap) for one in game.symmetries(followers[chosen])] if symmetries else []
    for symmetry in symmetries:
        _must_commute(probe, state, node, steps[chosen], [(followers[chosen], False), *images], symmetry)
    return followers[chosen]


def _joint(probe: Probe, state: Any, player: int, action: int) -> tuple[int, ...]:
    """That action, with any legal one of the other player where both choose."""
    if probe.game.current_player(state) != SIMULTANEOUS:
        return (action,)
    other = int(probe.rng.choice(probe.game.legal_actions(state, 1 - player)))
    return (action, other) if player == 0 else (other, action)


def _accepted(probe: Probe, state: Any, *actions: int) -> Any:
    """The state after legal actions, the same compiled and plain; a terminal one has a result."""
    try:
        follower = probe.game.next_state(state, *actions)
    except IllegalActionError:
        probe.fail(f"the legal {actions} must be accepted")
    except KernelError as error:
        probe.fail_of_kernel("next_state", state, error)
    joint = (*actions, NO_ACTION) if len(actions) == 1 else actions
    if probe.game.current_player(state) == 1:
        joint = joint[::-1]
    # A search takes its actions from NumPy arrays, and goes on from whatever numbers the rules made of them.
    plain = probe.successor(as_machine_words(state), *map(np.int64, joint))
    probe.must(
        as_machine_words(plain) == as_machine_words(follower),
        "next_state after {} must be the same compiled and plain: {} and {}",
        actions,
        follower,
        plain,
    )
    if probe.plain("current_player", plain) == TERMINAL:
        probe.plain("returns", plain)
    return follower


def _must_commute(
    probe: Probe, state: Any, node: int, actions: tuple[int, ...], after: list[Any], symmetry: Symmetry
) -> None:
    """The actions' images lead to images of the successors in `after`, pairs with whether players are
    exchanged.
    """
    game, image, maps = probe.game, symmetry.state, (symmetry.actions0, symmetry.actions1)
    mover = 1 - node if symmetry.swap and node in (0, 1) else node
    probe.must(
        game.current_player(image) == mover,
        "the same player (or, swapped, the other) must move in the image {!r}",
        image,
    )
    for player in game.players_to_act(state):
        renamed = sorted(maps[player][action] for action in game.legal_actions(state, player))
        there = sorted(game.legal_actions(image, 1 - player if symmetry.swap else player))
        probe.must(renamed == there, "legal actions must become legal actions of the image {!r}", image)
    moved = (
        (maps[0][actions[0]], maps[1][actions[1]])[:: -1 if symmetry.swap else 1]
        if node == SIMULTANEOUS
        else (maps[1 if node == 1 else 0][actions[0]],)
    )
    probe.must(
        (game.next_state(image, *moved), symmetry.swap) in after,
        "symmetries must commute with next_state: {} in it, {} in {!r}",
        actions,
        moved,
        image,
    )


def end_is_told(probe: Probe, path: Sequence[Any]) -> None:
    """`why_over` is a text, and `ending` gives an `Ending`, or None, for each player."""
    probe.text("why_over", path[-1])
    said: Any = probe.game.ending(path)
    probe.must(
        isinstance(said, tuple)
        and len(said) == 2
        and all(one is None or isinstance(one, Ending) for one in said),
        "ending must give a pair, for each player an Ending or None, not {!r}",
        said,
    )


# -- pictures --------------------------------------------------------------------------------------------------------------


def own_picture_is_sound(probe: Probe, state: Any, node: int) -> None:
    """The picture that a game itself makes can be drawn."""
    if type(probe.game).picture is not Game.picture:
        check_picture(probe, state, probe.game.picture(state))


def check_picture(probe: Probe, state: Any, picture: Any) -> None:
    """A picture has every legal action once, all of it on its board, and nothing that the page cannot draw."""
    if not isinstance(picture, Picture):
        probe.fail(f"picture must give a Picture, not {type(picture).__name__}")
    _check_moves(probe, state, picture)
    _check_board(probe, state, picture)
    for piece in picture.pieces:
        shapes = ", ".join(_SHAPES)
        probe.must(piece.shape in _SHAPES, "a piece's shape must be one of {}, not {!r}", shapes, piece.shape)
        probe.must(
            len(piece.label) <= _MOST_CHARACTERS,
            "a piece's label must have at most {} characters, not be {!r}",
            _MOST_CHARACTERS,
            piece.label,
        )
    for one in (*picture.pieces, *picture.trails, *picture.marks, *picture.numbers):
        probe.must(one.owner in (0, 1, None), "an owner must be 0, 1 or None, not {!r}", one.owner)
    written = functools.partial(json.dumps, picture.to_json(), allow_nan=False)
    probe.answer("picture", state, written, wish="must hold plain numbers and texts:")


def _check_moves(probe: Probe, state: Any, picture: Picture) -> None:
    game = probe.game
    legal = Counter(
        (player, action)
        for player in game.players_to_act(state)
        for action in game.legal_actions(state, player)
    )
    drawn = Counter((move.player, move.action) for move in picture.moves)
    if drawn != legal:
        (player, action), count = next(iter(((drawn - legal) or (legal - drawn)).items()))
        what = "more" if (player, action) in drawn - legal else "less"
        probe.fail(
            f"picture must have every legal action once as a move: action {action} of player {player} is there {count} time {what}"
        )
    for move in picture.moves:
        probe.must(
            move.name == game.action_to_string(state, move.player, move.action),
            "a move's name must be what action_to_string gives, not {!r}",
            move.name,
        )
        probe.must(
            move.arrow in _ARROWS, "a move's arrow must be up, right, down or left, not {!r}", move.arrow
        )
        probe.must(
            move.to is not None or move.start is move.via is None,
            "the move {} has a start, so it must have the cell it goes to",
            move.name,
        )
    for (player, arrow), n in Counter(
        (move.player, move.arrow) for move in picture.moves if move.arrow
    ).items():
        probe.must(n == 1, "the arrow {} must be one move of player {}", arrow, player)


def _check_board(probe: Probe, state: Any, picture: Picture) -> None:
    probe.must(
        picture.board in _BOARDS, "board must be one of {}, not {!r}", ", ".join(_BOARDS), picture.board
    )
    cells = [(cell, "a wall") for cell in picture.walls]
    cells += [((one.x, one.y), "a piece or mark") for one in (*picture.pieces, *picture.marks)]
    cells += [(cell, "a trail") for trail in picture.trails for cell in trail.cells]
    cells += [
        (cell, f"the move {move.name}")
        for move in picture.moves
        for cell in (move.start, move.via, move.to)
        if cell is not None
    ]
    width, height = picture.width, picture.height
    for cell, what in cells:
        probe.must(
            0 <= cell[0] < width and 0 <= cell[1] < height,
            "{} must lie on the board of {} x {} cells, not at {}",
            what,
            width,
            height,
            cell,
        )
    probe.must(all(trail.cells for trail in picture.trails), "a trail must have a cell at least")
    for kind, names, size in (("column", picture.column_names, width), ("row", picture.row_names, height)):
        probe.must(not names or len(names) == size, "{0}_names must name all {1} {0}s or none", kind, size)
