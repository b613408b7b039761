"""The exported parts of a game and its players: rules, searches with all settings, data for the host and the
page.
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numba import types

from ..algorithms.algorithm import SAMPLE, Algorithm, Memory, commits_first
from ..algorithms.chance import leaves_out_chance, searched_form
from ..algorithms.limits import Limits
from ..algorithms.searcher import Searcher
from ..algorithms.simultaneous.serialised_alpha_beta import SerialisedAlphaBeta
from ..algorithms.simultaneous.solver_address import SOLVERS
from ..algorithms.simultaneous.stage import StageAlgorithm
from ..algorithms.turns.principal_variation import PrincipalVariation
from ..compiled import jit
from ..compiled.words import words_of_state
from ..game.base import Game, _legal_actions, _next_state
from ..game.checked_rules import _chance_outcomes, _search_actions
from ..game.spec import Spec
from ..games.catalogue.make import (
    described,
    levels_of,
    make_player,
    review_search_of,
    search_of,
    stage_search_of,
)
from ..players.base import Player, RandomPlayer
from ..players.clock import Adaptive, Uniform
from ..players.named import Level
from ..players.searching import SearchPlayer, turned_to
from .lowering import Address, ExportError, Items, Number, Record, Unit, Words


def add_rules(unit: Unit, game: Game) -> dict[str, Any]:
    """Add the rules to what is exported; what a host must know of them."""
    start = game.initial_state()
    position, number = Words(start), Number(types.int64)
    room, outcomes = int(game.max_actions), int(game.max_outcomes) if game.has_chance else 1
    actions = Items(np.zeros(room, np.int64), room)
    unit.add("current_player", game.kernels["current_player"], game, position)
    unit.add("legal_actions", _legal_actions, game, position, number, actions)
    unit.add("search_actions", _search_actions, game, position, number, actions)
    unit.add("successor", _next_state, game, position, number, number)
    unit.add("returns", game.kernels["returns"], game, position)
    unit.add("hash", game.kernels["hash"], game, position)
    if game.has_chance:
        drawn, odds = Items(np.zeros(outcomes, np.int64), outcomes), Items(np.zeros(outcomes), outcomes)
        unit.add("chance_outcomes", _chance_outcomes, game, position, drawn, odds)
    if "quiet_outcome" in type(game).kernels:
        unit.add("quiet_outcome", game.kernels["quiet_outcome"], game, position)
    words = words_of_state(start)
    return {
        "words": len(words),
        "start": [f"{word:x}" for word in words],
        "max_actions": room,
        "max_outcomes": outcomes,
        "max_depth": int(game.max_depth),
        "turn_based": game.turn_based,
        "has_chance": game.has_chance,
        "utilities": [float(game.min_utility), float(game.max_utility)],
        "first_turn": game.first_turn,
    }


# What of a player is exported: its search with all settings, and what a host needs to know to run it.

_FIELDS = (
    "stop", "node_limit", "deadline", "estimates", "low", "high", "worst", "best", "age", "root_step", "preferred", "seed",
    "nodes", "leaves", "evaluations", "cells", "table_hits", "cutoffs", "saddle_stages", "closed_form_stages", "lp_stages",
    "joint", "others", "horizon", "solver", "window_solver", "sizes", "actions", "x", "y", "known",
    "root_player", "root_count", "root_known", "expected", "noise", "proven", "line", "line_length",
)  # fmt: skip
"""Of a workspace: what a host reads and writes."""
_LOW, _HIGH = -1.25e300, 1.25e300
"""Stand for the edges of a window."""


@dataclass(frozen=True)
class Plan:
    """A player that can be exported."""

    game: Game
    player: SearchPlayer
    seats: tuple[Algorithm, Algorithm]
    """The search of either player."""
    replaced: str = ""
    """The name of the search in whose place another one is exported."""

    @property
    def left_out(self) -> str:
        """One sentence or two on what of the player is not exported; empty where nothing is left out."""
        names = ", ".join(type(plan).__name__ for plan in self.player.plans)
        found = self.player.algorithm.name
        said = (
            f"the export always searches: what plays in the search's place where it knows better ({names}) is left out"
            if names
            else "",
            f"{found} is exported in the place of {self.replaced}, which is driven by Python"
            if self.replaced
            else "",
        )
        return "; ".join(filter(None, said))


def planned(game: Game, player: Player, name: str) -> Plan:
    """The plan of a player's export; raises ExportError, in one sentence, where it cannot be exported."""
    why = _refused(game, player)
    if why and isinstance(player, SearchPlayer) and player.search_of is not None and game.turn_based:
        usual = SearchPlayer(
            PrincipalVariation(),
            limits=player.limits,
            policy=player.policy,
            choice="best",
            plans=player.plans,
        )
        return Plan(game, usual, _seats(usual.algorithm), player.algorithm.name)
    if why:
        search = "pvs" if game.turn_based else "smab"
        raise ExportError(f"{name} cannot be exported: {why}; --player {search} can be")
    assert isinstance(player, SearchPlayer)
    return Plan(game, player, (turned_to(player.algorithm, 0), turned_to(player.algorithm, 1)))


def _refused(game: Game, player: Player) -> str:
    """The reason why a player cannot be exported; empty where it can."""
    if type(player) is not SearchPlayer:
        return f"it is a {type(player).__name__}, which does not search"
    algorithm = player.algorithm
    is_stages = isinstance(algorithm, StageAlgorithm) and type(algorithm).iterate is StageAlgorithm.iterate
    is_turns = (
        isinstance(algorithm, PrincipalVariation) and type(algorithm).iterate is PrincipalVariation.iterate
    )
    if not is_stages and not is_turns:
        return f"its search, {algorithm.name}, is driven by Python from one iteration to the next"
    for setting in ("first_of_equals", "threads"):
        if getattr(algorithm, setting, 0) > (setting == "threads"):
            return f"its search has {setting}={getattr(algorithm, setting)}"
    if algorithm.evaluator is not None and "evaluate_for" in algorithm.evaluator.kernels and is_turns:
        return "its evaluator judges a position for the player at the root"
    if algorithm.chance == SAMPLE and game.has_chance:
        return f"its search has chance={algorithm.chance}"
    if type(player.policy) not in (Uniform, Adaptive):
        return f"its time policy is {type(player.policy).__name__}, not Uniform or Adaptive"
    if player._depth_rule:
        return "its depth follows the clock by a program's own rule"
    return ""


class Searches:
    """The searches of an export, each of them once: players and an analysis that use the same one share its code."""

    def __init__(self, unit: Unit, game: Game) -> None:
        self._unit, self._game = unit, game
        self._known: list[tuple[Game, tuple[Algorithm, Algorithm]]] = []
        self._has_solvers = False
        self.about: list[dict[str, Any]] = []
        """The data of each for a host."""

    def number(self, seats: tuple[Algorithm, Algorithm], form: Game | None = None) -> int:
        """The number of a search, given as what either player searches with; it is added where it is a new one.

        `form` is searched in the game's place: the same positions, without chance.
        """
        game = form or self._game
        if (game, seats) not in self._known:
            self._known.append((game, seats))
            self.about.append(self._added(game, seats))
        return self._known.index((game, seats))

    def _added(self, game: Game, seats: tuple[Algorithm, Algorithm]) -> dict[str, Any]:
        images: list[Any] = []
        first_entry = 2 * len(self.about)
        entries = [first_entry, first_entry]
        table: Any = None
        searchers = [Searcher(game, algorithm, memory=Memory()) for algorithm in seats]
        state = game.initial_state()
        for seat, searcher in enumerate(searchers):
            algorithm: Any = searcher.algorithm
            ws = searcher._workspace
            if isinstance(algorithm, PrincipalVariation):
                algorithm.set_up(searcher._searched, state, ws)
            table = algorithm.table_in(searcher.memory)
            images.append(_runs(ws.tobytes()))
            if seat == 0 or algorithm != seats[0]:
                entries[seat] = first_entry + seat
                self._unit.add(
                    f"search{entries[seat]}", *_call(algorithm, searcher._searched, state, ws, table)
                )
        first: Any = searchers[0]
        algorithm, ws = first.algorithm, first._workspace
        solves = "solver" in ws.dtype.names and int(ws["solver"]) != 0
        if solves and not self._has_solvers:
            self._has_solvers = True
            _add_solvers(self._unit)
        is_turns = isinstance(algorithm, PrincipalVariation)
        return {
            "family": "turns" if is_turns else "stages",
            "serialised": isinstance(algorithm, SerialisedAlphaBeta),
            "bytes": int(ws.nbytes),
            "fields": {name: _field(ws.dtype, name) for name in _FIELDS if name in ws.dtype.names},
            "seats": images,
            "entries": entries,
            "reset": _written(ws, algorithm.reset),
            "begin": _written(ws, algorithm.begin),
            "solves": solves,
            "table": {"items": len(table), "bytes": table.itemsize},
            "keeps": algorithm.uses_table,
            "grain": 1 if is_turns else int(ws["grain"]) if "grain" in ws.dtype.names else 1,
            "deepest": algorithm.deepest(first._searched),
            "aspiration": float(algorithm.aspiration) if is_turns and algorithm.alpha_beta else 0.0,
            "discount": float(getattr(algorithm, "discount", 0.0)),
            "bound": float(getattr(algorithm.leaf, "bound", 0.0)),
            "proof": _proof(first.game, algorithm),
        }


def _proof(game: Game, algorithm: Any) -> dict[str, Any]:
    """The data by which a host computes proven `bounds` of the game's value, as the algorithms do, from root
    step 0.

    `share`: the share that the discount leaves of the farthest result. `never`: nothing is proven.
    """
    never, one_sided, flip, share = leaves_out_chance(game, algorithm), False, False, 1.0
    if isinstance(algorithm, SerialisedAlphaBeta):
        never, flip = never or algorithm.contempt > 0.0, algorithm.flip
        one_sided = algorithm.sort_rounds > 0 and algorithm.prune_margin < math.inf
        share = 1.0 - algorithm.discount * 2 * game.max_depth
    elif isinstance(algorithm, PrincipalVariation):
        share = max((1.0 - algorithm.discount) ** game.max_depth, 1e-300)
    return {
        "never": never,
        "one_sided": one_sided,
        "flip": flip,
        "share": share,
        "has_chance": game.has_chance,
    }


def player_of(plan: Plan, search: int, name: str) -> dict[str, Any]:
    """The data of a player for a host; `search` is the number of its search."""
    player = plan.player
    return {
        "spec": name,
        "search": search,
        "choice": player.choice,
        "limits": {name: value for name, value in asdict(player.limits).items() if value is not None},
        "policy": {"name": type(player.policy).__name__.lower(), "shares": 1.0, **asdict(player.policy)},  # pyright: ignore[reportArgumentType]
    }


def _call(algorithm: Any, game: Game, state: Any, ws: Any, table: Any) -> Iterable[Any]:
    """The compiled function of an iteration, and its arguments as an export takes them."""

    def asked(depth: int) -> tuple[Any, ...]:
        if isinstance(algorithm, PrincipalVariation):
            return algorithm.compiled_search(game, state, depth, _LOW, _HIGH, ws, table)
        return algorithm.compiled_search(game, state, depth, ws, table)

    function, *arguments = asked(7)
    _, *deeper = asked(8)
    yield function
    for one, other in zip(arguments, deeper, strict=True):
        if one is state:
            yield Words(state)
        elif one is ws:
            yield Record(ws)
        elif one is table:
            yield Items(table)
        elif isinstance(one, int) and one != other:
            yield Number(types.int64)
        elif isinstance(one, float) and one in (_LOW, _HIGH):
            yield Number(types.float64)
        else:
            yield one


def _add_solvers(unit: Unit) -> None:
    """The solvers of stages, which a search reaches by their address."""
    for field, (function, signature) in SOLVERS.items():
        arguments = [
            Address(kind) if isinstance(kind, types.CPointer) else Number(kind) for kind in signature.args
        ]
        unit.add(f"stage_{field}", jit(function), *arguments)
        unit.address_of(f"{'stage_' if field == 'solver' else ''}{field}_address", f"stage_{field}")


# -- bytes of a record ------------------------------------------------------------------------------------------------------


def _field(kind: Any, name: str) -> list[Any]:
    """The place of a field, the type of its numbers, and its shape."""
    inner, offset = kind.fields[name]
    base, shape = inner.subdtype or (inner, ())
    return [int(offset), base.str[1:], *map(int, shape)]


def _written(ws: Any, write: Any) -> list[list[Any]]:
    """The runs of bytes that a function writes into a workspace, where it writes the same every time."""
    shape, seen = ws.dtype, []
    for pattern in (0x5A, 0xA5):
        memory = np.full(shape.itemsize, pattern, np.uint8)
        write(memory.view(shape)[0])
        seen.append(memory)
    return _runs(seen[0].tobytes(), seen[0] == seen[1])


def _runs(image: bytes, wanted: Any = None) -> list[list[Any]]:
    """[offset, bytes in hexadecimal, how often] of the bytes that are wanted; by default those that are not zero."""
    padded = np.frombuffer(image + bytes(-len(image) % 8), np.uint8).reshape(-1, 8)
    asked = np.ones(len(image), bool) if wanted is None else wanted
    marks = np.concatenate([asked, np.zeros(-len(image) % 8, bool)]).reshape(-1, 8)
    used = marks.any(axis=1) & ((padded != 0).any(axis=1) if wanted is None else True)
    runs: list[list[Any]] = []
    for word in np.flatnonzero(used).tolist():
        whole = bool(marks[word].all())
        text = padded[word].tobytes().hex()
        if whole and runs and runs[-1][0] + 8 * runs[-1][2] == 8 * word and runs[-1][1] == text:
            runs[-1][2] += 1
        elif whole:
            runs.append([8 * word, text, 1])
        else:
            runs += [[8 * word + int(k), text[2 * k : 2 * k + 2], 1] for k in np.flatnonzero(marks[word])]
    return runs


# What the page needs of a game when there is no server: the players of its levels, and the searches of the analysis.

_MOST_SECONDS = 10.0
"""The seconds of a level whose limit is a number of nodes."""


def add_page(unit: Unit, game: Game) -> dict[str, Any]:
    """Add what the page needs; returns it: `searches`, `players`, `levels` (each with the number of its player, none for one that
    plays at random), `analyses` (what searches a position, and what searches its alternatives) and `review` (what searches a whole game).
    """
    searches, players, levels = Searches(unit, game), list[dict[str, Any]](), list[dict[str, Any]]()
    whole, stages = search_of(game).algorithm, stage_search_of(game).algorithm
    form = searched_form(game, whole)
    analyses = [_analysis(game, searches, one, form) for one in (whole, stages)]
    for place, level in enumerate(levels_of(game)):
        # A level of seconds has a clock.
        limits = None if level.nodes is None else Limits(nodes=level.nodes, seconds=_MOST_SECONDS)
        made = make_player(level.spec, game, limits)
        plan = None if isinstance(made, RandomPlayer) else _plan(game, made, level, place, (whole, stages))
        row: dict[str, Any] = {**level.to_json(), "player": None}
        if plan is not None:
            row["player"] = len(players)
            players.append(player_of(plan, searches.number(plan.seats, form), level.spec))
            if plan.left_out:
                row["left_out"] = plan.left_out
            if plan.player is not made:
                depth = plan.player.limits.depth
                row["instead"] = str(
                    Spec(plan.player.algorithm.name, {} if depth is None else {"depth": depth})
                )
        levels.append(row)
    return {
        "searches": searches.about,
        "players": players,
        "levels": levels,
        "analyses": analyses,
        "review": _review(game, searches),
    }


def _plan(game: Game, made: Player, level: Level, place: int, known: tuple[Algorithm, Algorithm]) -> Plan:
    """The player of a level.

    One that cannot be exported, or needs a further search, is replaced by one of the searches here.

    Every search is tens of thousands of bytes of code. It looks as deep as the player whose place it takes; where that knows no depth the
    lower levels, `place` 0 and 1, look one and two moves ahead, so that each looks further than the one before.
    """
    try:
        plan = planned(game, made, level.spec)
        if any(_seats(one) == plan.seats for one in known):
            return plan
    except ExportError:
        plan = None
    whole, stages = known
    mixes = not game.turn_based and (plan is None or plan.player.choice == "mixture")
    algorithm = stages if mixes else whole
    depth = made.limits.depth if isinstance(made, SearchPlayer) else getattr(made, "depth", None)
    goes_by_depth = isinstance(made, SearchPlayer) and made.algorithm.goes_by_depth
    if depth is None and level.nodes is not None and not goes_by_depth:
        depth = (1, 2, None)[min(place, 2)]
    limits = Limits(depth, level.nodes, None if level.nodes is None else _MOST_SECONDS)
    return Plan(
        game, SearchPlayer(algorithm, limits=limits, choice="mixture" if mixes else "best"), _seats(algorithm)
    )


def _seats(algorithm: Algorithm) -> tuple[Algorithm, Algorithm]:
    return turned_to(algorithm, 0), turned_to(algorithm, 1)


def _analysis(game: Game, searches: Searches, algorithm: Algorithm, form: Game) -> dict[str, Any]:
    """Which search it is, from which player's side, and what is said of its values; `form` is what is searched in the game's place."""
    seats = _seats(algorithm)
    first = commits_first(game, algorithm)
    return {
        "search": searches.number(seats, form),
        "seat": seats.index(algorithm) if algorithm in seats else 0,
        "name": algorithm.name,
        "said": described(game, algorithm),
        "bound": None if first is None else "upper" if first else "lower",
        "quiet": form is not game,
    }


def _review(game: Game, searches: Searches) -> dict[str, Any]:
    """Which search reviews a whole game, and what of the game's chance it looks at: in the game, and in the form that it searches."""
    algorithm = review_search_of(game).algorithm
    form = searched_form(game, algorithm)
    return {
        "search": searches.number(_seats(algorithm), form),
        "quiet": form is not game,
        "max_depth": form.max_depth,
        "chance": [[one.has_chance, int(one.max_chance_plies)] for one in (game, form)],
    }
