"""What the analysis saw, as JSON."""

from typing import Any

from ..algorithms import Algorithm, SerialisedAlphaBeta
from ..algorithms.analysis import Alternatives, Counters, FoundDepth, Line, StageValues, Standing, as_proven
from ..game import CHANCE, NO_ACTION, Game
from ..play.finished_game import FinishedGame
from ..roster.analysing import described


def counters(found: Counters) -> dict[str, Any]:
    """The counters of a running search."""
    return {
        "depth": found.depth, "nodes": found.nodes, "nodes_per_second": round(found.nodes_per_second), "table_hits": found.table_hits,
        "leaves": found.leaves, "seconds": round(found.seconds, 3),
    }  # fmt: skip


def found_depth(game: Game, state: Any, found: FoundDepth, algorithm: Algorithm, without_chance: bool = False) -> dict[str, Any]:
    """A finished depth; `bound` says whether its value is only a lower or upper bound of the equilibrium's.

    `without_chance`: it is of the form of a game in which chance does nothing, so that nothing is proven of the game.
    """
    names, joints = _line(game, state, found.line)
    return counters(found.counters) | {
        "depth": found.depth, "value": found.value, "bound": _bound(game, algorithm), "bounds": list(found.bounds),
        "without_chance": without_chance,
        "search": described(game, algorithm),
        "exact": found.exact, "plies": found.plies,
        "strategies": [
            [[a, _name(game, state, player, a), p] for a, p in sorted(found.strategies[player].items(), key=lambda one: -one[1])]
            for player in (0, 1)
        ],
        "line": names, "line_actions": joints,
    }  # fmt: skip


def alternatives(
    game: Game, state: Any, found: Alternatives, algorithm: Algorithm, proof: FoundDepth | None = None, prover: Algorithm | None = None,
    without_chance: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """What each alternative is worth; `bound` says whether the values are only lower or upper bounds of the equilibrium's.

    The value, the strategies and the line are those of these values. Where the values are estimates and another search, `prover`,
    has proven the position's value, they are the `proof`'s, and of the values those are left that are proven.
    """
    if proof is not None and prover is not None and not found.is_proven:
        found, algorithm, proven, finished = as_proven(found, proof), prover, True, proof.depth
    else:
        proven, finished = found.is_proven, found.finished
    names, joints = _line(game, state, found.line)
    told = {
        "bound": _bound(game, algorithm), "without_chance": without_chance,
        "algorithm": algorithm.name, "search": described(game, algorithm),
        "depth": found.depth, "finished": finished, "value": found.value, "exact": found.exact,
        "proven": proven and _bound(game, algorithm) is None,
        "line": names, "line_actions": joints, "lines": [_line_json(game, state, one, _bound(game, algorithm)) for one in found.lines],
    }  # fmt: skip
    if isinstance(found, StageValues):
        return told | {
            "rows": [[a, _name(game, state, 0, a)] for a in found.rows],
            "columns": [[a, _name(game, state, 1, a)] for a in found.columns],
            "values": found.values, "mixtures": found.mixtures,
        }  # fmt: skip
    moves = [[a, _name(game, state, found.player, a), v] for a, v in zip(found.actions, found.values, strict=True)]
    return told | {"player": found.player, "moves": moves}


def _line_json(game: Game, state: Any, one: Line, bound: str | None) -> dict[str, Any]:
    """One of the best moves of a player; `bound` says whether its value is only a lower or upper bound."""
    names, joints = _line(game, state, one.joints)
    bound = one.bound or bound
    return {
        "player": one.player, "action": one.action, "value": one.value, "exact": one.exact and bound is None, "bound": bound,
        "line": names, "line_actions": joints,
    }  # fmt: skip


def reviewed_position(played: FinishedGame, one: Standing, done: int, expected: int) -> dict[str, Any]:
    """A position of a game that is reviewed, and how many searches are done, of how many at most."""
    return {
        "step": one.step, "turn": played.turns.number(one.step), "value": one.value, "depth": one.depth, "exact": one.exact,
        "played": [played.move(one.step, p) or None for p in (0, 1)], "done": done, "expected": expected,
    }  # fmt: skip


def _bound(game: Game, algorithm: Algorithm) -> str | None:
    """What a serialised search, in which one player commits first, finds where both move at once."""
    if game.turn_based or not isinstance(algorithm, SerialisedAlphaBeta):
        return None
    return "upper" if algorithm.first else "lower"


def _line(game: Game, state: Any, line: Any) -> tuple[list[Any], list[Any]]:
    names: list[Any] = []
    joints: list[Any] = []
    for joint in line:
        if game.current_player(state) == CHANCE:
            names.append([_name(game, state, CHANCE, joint[0]), None])
        else:
            names.append([_choice(game, state, player, joint[player]) for player in (0, 1)])
        joints.append(list(joint))
        state = game.advance(state, *joint)
    return names, joints


def _choice(game: Game, state: Any, player: int, action: int) -> str | None:
    return None if action == NO_ACTION else _name(game, state, player, action)


def _name(game: Game, state: Any, player: int, action: int) -> str:
    return game.outcome_to_string(state, action) if player == CHANCE else game.action_to_string(state, player, action)
