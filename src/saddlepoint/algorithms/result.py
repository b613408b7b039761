"""The result of a search: value, bounds, principal variation, strategies and statistics, also as HTML."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from html import escape
from typing import Any

from ..compiled import jit_inline
from ..game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..game.steps import drawn_by, names_of, step_in_words
from ..system.text import count_of
from .table import DEEPEST

Joint = tuple[int, int]
"""Both players' actions; -1 for a player without a choice, an outcome of chance in the first place."""
Strategies = tuple[dict[int, float], dict[int, float]]
"""Each player's probability of each action; empty for a player without a choice."""


@dataclass(frozen=True, order=True)
class Value:
    """The value of a position for player 0, in the game's units; player 1's is its negative. Ordered by `value`, then by `bounds`."""

    value: float
    bounds: tuple[float, float]
    """The lower and the upper bound; in a search's result the proven ones: the game's range where nothing is proven."""
    depth: int = 0
    """The deepest finished depth of the search."""
    exact: bool = False
    """Whether the value is proven."""
    plies: int | None = field(default=None, compare=False)
    """Distance to the end in plies (chess: DTM), if the value is a forced result and the search discounts results; else None."""

    def __str__(self) -> str:
        """As `0.5 [-1.0, 1.0] depth 3`, followed by ` exact` and ` plies 7`, if it is and has."""
        (low, high), known = self.bounds, " exact" if self.exact else ""
        end = "" if self.plies is None else f" plies {self.plies}"
        return f"{self.value!r} [{low!r}, {high!r}] depth {self.depth}{known}{end}"

    def to_json(self) -> dict[str, Any]:
        """The value as plain data: the fields of `Value` by name."""
        return {one.name: getattr(self, one.name) for one in fields(Value)}


class Line(tuple[Joint, ...]):
    """The moves expected from a position on, as joint actions."""

    def steps(self, game: Game, state: Any) -> Iterator[tuple[Any, Joint]]:
        """Each position from `state` on with the joint action there, as far as it is legal in this game.

        A line that was found in a game's form without chance ends, in the game itself, where chance is to move.
        """
        for joint in self:
            if not _fits(game, state, joint):
                return
            yield state, joint
            state = game.advance(state, *joint)

    def in_words(self, game: Game, state: Any, most: int | None = None) -> list[str]:
        """The first `most` steps from `state` for people: `left right`, `d4`, `chance: food 5,5`."""
        return [step_in_words(game, *step) for step in itertools.islice(self.steps(game, state), most)]

    def names(self, game: Game, state: Any) -> list[list[str | None]]:
        """The steps from `state` as [player 0's move, player 1's move], or [what chance does, None]."""
        found: list[list[str | None]] = []
        for position, joint in self.steps(game, state):
            first, second = names_of(game, position, joint)
            found.append([drawn_by(game, position, joint) or first, second])
        return found


def _fits(game: Game, state: Any, joint: Joint) -> bool:
    """Whether a joint action is legal; the action of a player may be unknown (-1)."""
    if game.current_player(state) == CHANCE:
        return joint[1] == NO_ACTION and joint[0] in dict(game.chance_outcomes(state))
    act = game.players_to_act(state)
    return bool(act) and all(
        joint[player] in (NO_ACTION, *game.legal_actions(state, player)) for player in act
    )


@dataclass(frozen=True)
class Statistics:
    """Statistics of a search. Counts are totals over all iterations.

    >>> from saddlepoint import BackwardInduction, Goofspiel, search
    >>> game = Goofspiel(cards=3, order="descending")
    >>> found = search(game, game.initial_state(), BackwardInduction()).statistics
    >>> found.nodes, found.leaves
    (77, 31)
    """

    nodes: int = 0
    """Positions visited, leaves included."""
    leaves: int = 0
    """Positions whose value was not searched for: terminal and evaluated ones."""
    evaluations: int = 0
    """Calls of the evaluator."""
    cells: int = 0
    """Joint actions searched at stages, where both players choose."""
    table_hits: int = 0
    cutoffs: int = 0
    saddle_stages: int = 0
    """Stage matrices solved by a pure saddle point."""
    closed_form_stages: int = 0
    lp_stages: int = 0

    @property
    def stages(self) -> int:
        """Stage matrices solved; double oracle solves several at one position."""
        return self.saddle_stages + self.closed_form_stages + self.lp_stages


@dataclass(frozen=True)
class Iteration:
    """One finished depth of iterative deepening (or the only one).

    >>> from saddlepoint import Limits, PrincipalVariation, TicTacToe, search
    >>> game = TicTacToe()
    >>> result = search(game, game.initial_state(), PrincipalVariation(), Limits(depth=3), deepen=True)
    >>> [one.depth for one in result.iterations]
    [1, 2, 3]
    """

    depth: int
    value: float
    nodes: int
    leaves: int
    seconds: float
    """Since the search began."""
    strategies: Strategies
    plies: int | None = None
    """As of a `Value`."""


@dataclass(frozen=True)
class Partial:
    """The part of an iteration that was finished before the search was stopped.

    >>> from saddlepoint import BackwardInduction, Goofspiel, Limits, search
    >>> game = Goofspiel(cards=4, order="descending")
    >>> result = search(game, game.initial_state(), BackwardInduction(), Limits(nodes=30))
    >>> result.depth, result.partial.depth
    (1, 2)
    """

    depth: int
    cells: dict[tuple[int, int], tuple[float, float]]
    """Bounds at that depth of the values of finished joint root actions; equal where the value is known."""
    best: tuple[int, int] | None = None
    """Serialised and turn-based searches: the best root actions so far, once the first of them was finished."""


@dataclass(frozen=True, kw_only=True)
class SearchResult(Value):
    """The result of a search. The bounds are proven, and equal to the value where it is exact.

    A serialised search of a game in which both players move at once proves one bound: the other is an end of the range.

    >>> from saddlepoint import BackwardInduction, BiasedRPS, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), BackwardInduction())
    >>> {action: round(share, 4) for action, share in result.strategy(0).items()}
    {0: 0.0625, 1: 0.625, 2: 0.3125}
    >>> result.bounds[0] <= result.value <= result.bounds[1]
    True
    """

    strategies: Strategies
    complete: bool
    """False where a limit or a stop ended the search before the depth that was asked for."""
    seconds: float
    principal_variation: Line = Line()
    """From the root on."""
    statistics: Statistics = Statistics()
    iterations: tuple[Iteration, ...] = ()
    partial: Partial | None = None
    """The finished part of the next depth, if the search was stopped in it."""
    root: tuple[Any, Any] | None = field(default=None, repr=False, compare=False)
    """The game and the position that were searched, so that a notebook can show the result; no part of `to_json`."""

    def strategy(self, player: int) -> dict[int, float]:
        """The player's mixed strategy at the root."""
        return self.strategies[player]

    def best_action(self, player: int) -> int:
        """The player's most probable action (the first of equals)."""
        mixture = self.strategies[player]
        if not mixture:
            raise ValueError(f"player {player} has no choice in this position")
        return max(mixture, key=lambda action: mixture[action])

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        data = asdict(replace(self, root=None))
        del data["root"]
        if self.partial is not None:
            data["partial"]["cells"] = [[*joint, *bounds] for joint, bounds in self.partial.cells.items()]
        return data

    def _repr_html_(self) -> str | None:
        return None if self.root is None else result_html(self, *self.root)


# The principal variation: the line that a search noted, continued by the most probable joint actions.


def most_probable(strategies: Strategies) -> Joint:
    """Each player's most probable action, the first of equals; -1 for a player without one."""
    first, second = (
        max(mixture, key=lambda action: mixture[action]) if mixture else NO_ACTION for mixture in strategies
    )
    return first, second


def continued(
    game: Game,
    state: Any,
    line: tuple[Joint, ...],
    strategies: Strategies,
    depth: int,
    look: Callable[[Any, int], Strategies | None],
    longest: int | None = None,
) -> Line:
    """A line from `state`, where these are the strategies, as joint actions until it is `depth` deep or the game is over.

    `look(state, depth)` gives the strategies of a later position, and how deep the line still is to go from there; None, or
    strategies without an action, end it.
    Chance's likeliest outcome is followed, and counts as no depth, as in every search.
    """
    found = list(line)
    for joint in line:
        depth -= game.current_player(state) != CHANCE
        state = game.next_state(state, *joint)
    while depth > 0 and (longest is None or len(found) < longest):
        node = game.current_player(state)
        if node == TERMINAL:
            break
        if node == CHANCE:
            joint = max(game.chance_outcomes(state), key=lambda pair: pair[1])[0], NO_ACTION
        else:
            known = look(state, depth) if found else strategies
            if known is None:
                break
            joint = most_probable(known)
            if joint == (NO_ACTION, NO_ACTION):  # a value came from the table, and no action with it
                break
            depth -= 1
        found.append(joint)
        state = game.next_state(state, *joint)
    return Line(found)


# Discounted results: back to the game's units, and what they prove.
#
# A search that discounts later results finds the value of another game. Only discounted results enter that value,
# so the value of the game itself is bounded by the results that it can stem from.

_NEARLY_WHOLE = 1e-5
"""How far a number of steps may be from a whole one, for rounding."""
_ROUNDING = 1e-12
_CLOSE = 1e-3
"""How much of a result may be lost where an evaluator's estimate could be mistaken for one."""


@jit_inline
def note_result(result, ws):
    """Remember whether a result was met that is neither 0 nor at an end of the range."""
    if result != 0.0 and result != ws.worst and result != ws.best:
        ws.others = 1


def in_game_units(
    value: float, steps_of: Callable[[float], float], evaluator: Any, solved: bool, ws: Any
) -> tuple[float, int | None]:
    """(the best or worst result without its discount, its distance in plies), or (any other value as it is, None).

    `steps_of` gives the distance of a result by the share that is left of it. Unless solved, a value within the
    evaluator's `bound` may be an estimate: then it counts as a result only where it is very near to one.
    """
    result = float(ws["best"] if value > 0.0 else ws["worst"])
    # What is left of a zero by rounding is no result that has lost nearly all.
    if value * result <= 0.0 or abs(value) <= _ROUNDING * abs(result):
        return value, None
    estimate = abs(value) <= getattr(evaluator, "bound", 0.0) and abs(1.0 - value / result) > _CLOSE
    steps = steps_of(value / result)
    whole = round(steps) if math.isfinite(steps) else 0
    if (estimate and not solved) or not 1 <= whole <= DEEPEST or abs(steps - whole) > _NEARLY_WHOLE:
        return value, None
    return result, whole


def origin(game: Game, value: float, share: float, ws: Any) -> tuple[float, float]:
    """The range of the game's value, by a solved one that is made of results of which at least that share was left.

    Where no result was met but the worst, 0 and the best (the workspace's `others`), it is the one in the range.
    """
    if share == 1.0:
        return value, value
    if share <= 0.0:
        return game.min_utility, game.max_utility
    if game.has_chance:  # what each result may have lost, whatever its sign
        lost = (1.0 - share) * max(abs(game.min_utility), abs(game.max_utility))
        return value - lost, value + lost
    slack = _ROUNDING * abs(value)
    low, high = min(value / share, value) - slack, max(value / share, value) + slack
    inside = {result for result in (float(ws["worst"]), 0.0, float(ws["best"])) if low <= result <= high}
    if len(inside) == 1 and not ws["others"]:
        result = inside.pop()
        return result, result
    return low, high


# What a notebook shows of a result: the value, the board, both mixtures, the stage's matrix, the principal variation; in HTML.
#
# Names come from the game, which may be anybody's: every text is escaped.

_LINE_STEPS = 12
_COLOURS = ("#2f6fb7", "#d0711c")
_SIDE_BY_SIDE = "display:flex;gap:1.5em;align-items:flex-start;flex-wrap:wrap"


def result_html(result: Any, game: Game, state: Any) -> str:
    """A search's result (`SearchResult`) for the position that was searched."""
    low, high = result.bounds
    proven = "proven" if result.exact else f"an estimate; proven: {low:.4g} to {high:.4g}"
    spent = f"depth {result.depth}, {count_of(result.statistics.nodes, 'node')} in {result.seconds:.2f} s"
    line = " | ".join(map(escape, result.principal_variation.in_words(game, state, _LINE_STEPS)))
    line += " ..." if len(result.principal_variation) > _LINE_STEPS else ""
    return (
        f"<div><p><b>Value {result.value:.4g}</b> for player 0 ({proven}), {spent}</p>"
        f'<div style="{_SIDE_BY_SIDE}">{game.picture(state).to_svg()}'
        f"{_mixtures(game, state, result.strategies)}</div>{f'<p>Principal variation: {line}</p>' if line else ''}</div>"
    )


def stage_html(
    value: float, strategies: Strategies, matrix: Sequence[Sequence[float]], root: tuple[Game, Any] | None
) -> str:
    """A solved position: the values after each joint action, with each action's probability at the edges, and the board.

    matrix: shape (actions of player 0, actions of player 1), in the order of the strategies; in a position of chance its outcomes.
    """
    names = [[_name(root, player, action) for action in mixture] for player, mixture in enumerate(strategies)]
    rows, columns = ([*mixture.values()] for mixture in strategies)
    outcomes = [] if root is None else root[0].chance_outcomes(root[1])
    caption = "Rows: player 0, columns: player 1"
    if root is not None and outcomes:
        names = [[escape(root[0].outcome_to_string(root[1], outcome)) for outcome, _ in outcomes], [""]]
        rows, caption = [share for _, share in outcomes], "Rows: what chance does"
    # A row or a column that nobody chooses has no name.
    width = max(map(len, matrix), default=0)
    head = "".join(f"<th>{name}</th>" for name in [*names[1], *[""] * (width - len(names[1]))])
    body = ""
    for row, numbers in enumerate(matrix):
        values = "".join(f"<td>{number:.4g}</td>" for number in numbers)
        body += f"<tr><th>{names[0][row] if names[0] else ''}</th>{values}{_share(rows, row, 0)}</tr>"
    foot = "".join(_share(columns, column, 1) for column in range(width))
    board = "" if root is None else root[0].picture(root[1]).to_svg()
    return (
        f'<div><p><b>Value {value:.4g}</b> for player 0</p><div style="{_SIDE_BY_SIDE}">{board}'
        f'<table style="font-variant-numeric:tabular-nums"><caption>{caption}</caption>'
        f"<tr><th></th>{head}<th></th></tr>{body}<tr><th></th>{foot}<td></td></tr></table></div></div>"
    )


def _name(root: tuple[Game, Any] | None, player: int, action: int) -> str:
    return str(action) if root is None else escape(root[0].action_to_string(root[1], player, action))


def _share(mixture: list[float], place: int, player: int) -> str:
    if place >= len(mixture):
        return "<td></td>"
    return f'<td style="color:{_COLOURS[player]}"><b>{mixture[place]:.1%}</b></td>'


def _mixtures(game: Game, state: Any, strategies: Strategies) -> str:
    tables = ""
    for player, mixture in enumerate(strategies):
        if not mixture:
            continue
        rows = "".join(
            f"<tr><td>{escape(game.action_to_string(state, player, action))}</td><td>{share:.1%}</td>"
            f'<td style="min-width:8em"><div style="height:.8em;width:{share:.1%};background:{_COLOURS[player]}"></div></td></tr>'
            for action, share in sorted(mixture.items(), key=lambda item: -item[1])
        )
        tables += f"<table><tr><th colspan=3>Player {player}</th></tr>{rows}</table>"
    return tables
