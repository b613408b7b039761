"""A finished game looked at as a whole: what every position was worth, the verdict, and the moments that mattered.

Every position is searched once, then the few on which the verdict rests again and longer, then the moments that mattered move by move: all
that within the time of one search a turn. Then every other move is held against the others, in what is left of that time and half as much
again (`BESIDES`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...game.base import CHANCE, NO_ACTION, TERMINAL, Game
from ..algorithm import Algorithm
from ..chance import passes_over_chance
from ..limits import Limits, StopToken
from ..result import Strategies, Value
from .fair import fair_searcher
from .review import ReviewedTurn, review
from .verdict import Kind, Verdict, judge, turning_points

CANDIDATES = 6
"""The most positions that are searched again."""
LONGER = 10
"""How much longer that takes than the first search."""
MOMENTS = 3
BESIDES = 0.5
"""Of the time of one search a turn: what the moves that did not matter may take beyond what the verdict left of it."""
_LEAST_BESIDES = 10_000
"""Nodes, a few milliseconds: a share of a review that took less than that would leave out moves that cost nothing to look at."""
_LEAST_CHANGE = 0.05
"""Of the range of results: what changed less was no moment that mattered."""
_NOTHING = 1e-9
"""Of that range: a loss so small is none."""


@dataclass(frozen=True, kw_only=True)
class Standing(Value):
    """The value of a position of a game; its bounds are those of a `MeanValue`."""

    step: int
    ended: bool
    """Whether it rests on ended games alone: no deeper search finds another."""
    best: Strategies
    """The search's strategy of each player; empty for a player without a choice."""


@dataclass(frozen=True)
class Moment:
    """A position that mattered."""

    step: int
    turn: ReviewedTurn | None
    """The better moves there, and the losses of the played ones; None where chance moved."""


@dataclass(frozen=True)
class GameReview:
    """The results of a review."""

    standings: tuple[Standing, ...]
    """Of every position in which somebody moved, in the order of the game."""
    verdict: Verdict
    depth: int | None
    """How deep the searches went on which the verdict rests; None where it rests on none."""
    exact: bool
    """Whether the values that it rests on are proven."""
    moments: tuple[Moment, ...]
    """In the order of the game, at most three; of a game that a fault decided none."""
    turns: tuple[ReviewedTurn, ...] = ()
    """The steps in which somebody had a choice or chance was looked at, move by move, in the order of the game."""
    unjudged: int = 0
    """How many more of them there are, for which no time was left, or that were not reached before a stop."""
    left: float | None = None
    """What the last position was worth, where a fault or a resignation ended the game in it; None also where it was stopped before."""
    without_chance: bool = False
    """Whether another game was searched, in which chance does nothing: then nothing is proven of this one."""

    def turn_at(self, step: int | None) -> ReviewedTurn | None:
        """The moment at that step, looked at move by move; None where there is none."""
        return next((one.turn for one in self.moments if one.step == step), None)


Progress = Callable[[Standing, int, int], None]
"""Told each position that was searched, how many searches are done, and how many there will be at most."""


def review_game(
    game: Game,
    states: Sequence[Any],
    actions: Sequence[tuple[int, int]],
    result: float | None,
    algorithm: Algorithm,
    limits: Limits,
    *,
    faults: tuple[bool, bool] = (False, False),
    slow: bool = False,
    stop: StopToken | None = None,
    on_standing: Progress | None = None,
    besides: float | None = None,
    since: int = 0,
) -> GameReview | None:
    """Review a game whose position before `actions[k]` is `states[k]`; None where it was stopped before the verdict.

    `limits` are those of one search for each turn: the verdict and its moments keep within them, together. The other moves are looked at
    in what that leaves, and `BESIDES` of it; a step that was begun is finished to depth 1, and what there is no time for is left out
    (`unjudged`). Where only the depth is limited, all are looked at to that depth, or, with `besides`, within that share of the nodes
    that the verdict and its moments took, but no less than 10,000. A stop after the verdict leaves out the rest, too.

    `result` is player 0's, None of a game that is not over; one that neither the rules nor a fault made is a resignation. `faults` says
    who lost by a fault of its own, `slow` that what the loser died of takes many moves. The steps before `since` were played by others:
    they are not looked at. A game with a form without chance is better
    reviewed in that form (`searched_form`). Raises as `search`.
    """
    return _Reviewer(
        game,
        states,
        actions,
        result,
        algorithm,
        limits,
        faults,
        slow,
        stop or StopToken(),
        on_standing,
        besides,
        since,
    ).run()


class _Reviewer:
    def __init__(
        self,
        game: Game,
        states: Sequence[Any],
        actions: Sequence[tuple[int, int]],
        result: float | None,
        algorithm: Algorithm,
        limits: Limits,
        faults: tuple[bool, bool],
        slow: bool,
        stop: StopToken,
        on_standing: Progress | None,
        besides: float | None,
        since: int,
    ) -> None:
        self._game, self._states, self._actions, self._result = game, states, actions, result
        self._algorithm, self._faults, self._slow, self._stop, self._on_standing = (
            algorithm,
            faults,
            slow,
            stop,
            on_standing,
        )
        self._searcher = fair_searcher(game, algorithm)
        self._quiet = passes_over_chance(game)
        self._resigned = result is not None and not any(faults) and self._node(len(actions)) != TERMINAL
        # Where the game is over, or chance is passed over, nothing is searched.
        unsearched = (TERMINAL, CHANCE) if self._quiet else (TERMINAL,)
        last = len(actions) + self._resigned
        self._steps = [step for step in range(since, last) if self._node(step) not in unsearched]
        self._chance = frozenset(step for step in range(since, len(actions)) if self._node(step) == CHANCE)
        self._judged = [step for step in self._steps if step < len(actions) and self._is_judged(step)]
        turns = max(1, len(self._steps))  # of a game without a move nothing is searched
        units = turns + LONGER * (CANDIDATES + MOMENTS + 1)  # the last one: past what chance drew
        self._once, self._longer = limits.times(turns / units), limits.times(LONGER * turns / units)
        self._can_look_longer = limits.nodes is not None or limits.seconds is not None
        self._most, self._besides = limits.times((1 + BESIDES) * turns), besides
        self._started = time.perf_counter()
        self._found: dict[int, Standing] = {}
        self._again: set[int] = set()
        self._done, self._expected = 0, len(self._steps) + CANDIDATES + 1 + MOMENTS + len(self._judged)

    def _node(self, step: int) -> int:
        return int(self._game.current_player(self._states[step]))

    def _is_judged(self, step: int) -> bool:
        """Whether there is something to hold against another: somebody had a choice, or chance drew."""
        node, state = self._node(step), self._states[step]
        return node == CHANCE or any(
            len(self._game.legal_actions(state, p)) > 1 for p in self._game.players_to_act(state)
        )

    def run(self) -> GameReview | None:
        for step in reversed(self._steps):  # the end of the game is in the table then
            if not self._search(step, self._once):
                return None
        verdict = self._verdict()
        for _ in range(CANDIDATES if self._can_look_longer else 0):
            step = self._candidate(verdict)
            if step is None:
                break
            self._again.add(step)
            if not self._search(step, self._longer):
                return None
            verdict = self._verdict()
        verdict = self._past_chance(verdict)
        moments = self._moments(verdict)
        self._expected = self._done + len(moments) + len(set(self._judged) - set(moments))
        known = [self._moment(step) for step in moments]
        left = self._left()
        if not self._can_look_longer and self._besides is not None:
            self._most = Limits(
                self._most.depth,
                self._searcher.nodes + max(int(self._searcher.nodes * self._besides), _LEAST_BESIDES),
            )
        turns = self._the_rest(known)
        on = [self._found[step] for step in self._rests(verdict) if step in self._found]
        return GameReview(
            tuple(self._found[step] for step in sorted(self._found)),
            verdict,
            _depth(on),
            bool(on) and all(one.exact for one in on),
            tuple(known),
            turns,
            len(set(self._judged) - {one.step for one in turns}),
            left,
            self._quiet and bool(self._chance),
        )

    def _search(self, step: int, limits: Limits) -> bool:
        """Search the position before a step; whether nothing ended it."""
        found = self._searcher.search(self._states[step], limits, stop=self._stop, deepen=True)
        if self._stop.stopped:
            return False
        best = [{action: share for action, share in mixture.items() if share > 0} for mixture in found.best]
        self._found[step] = Standing(
            found.value,
            found.bounds,
            found.depth,
            found.exact,
            step=step,
            ended=self._searcher.ended,
            best=(best[0], best[1]),
        )
        self._report(step)
        return True

    def _values(self) -> list[float | None]:
        values = [
            self._found[step].value if step in self._found else None for step in range(len(self._states))
        ]
        if self._result is not None and not self._resigned:
            values[-1] = self._result
        return values

    def _verdict(self) -> Verdict:
        game = self._game
        return judge(
            self._values(),
            self._result,
            game.min_utility,
            game.max_utility,
            chance=self._chance,
            faults=self._faults,
            slow=self._slow,
            resigned=self._resigned,
        )

    def _next(self, step: int | None) -> int | None:
        """The next position that was searched."""
        return None if step is None else next((one for one in sorted(self._found) if one > step), None)

    def _rests(self, verdict: Verdict) -> list[int | None]:
        """The positions on which a verdict rests."""
        return [verdict.step, self._next(verdict.step), verdict.last_chance, self._next(verdict.last_chance)]

    def _candidate(self, verdict: Verdict) -> int | None:
        """The position that is to be searched again: one on which the verdict rests, and that was searched but once."""
        if verdict.step is None:
            return None
        wanted = self._rests(verdict)
        if verdict.kind == Kind.NEVER_EVEN:  # perhaps it stood even where it stood best
            sign = -1.0 if verdict.loser else 1.0
            wanted = [max(sorted(self._found), key=lambda step: sign * self._found[step].value), *wanted]
        return next(
            (
                step
                for step in wanted
                if step is not None and step not in self._again and not self._found[step].exact
            ),
            None,
        )

    def _past_chance(self, verdict: Verdict) -> Verdict:
        """Where chance moved right after the last even position and was passed over: whether that is what turned the game."""
        if (
            verdict.kind == Kind.NEVER_EVEN
            or verdict.step is None
            or verdict.step + 1 not in self._chance - set(self._found)
        ):
            return verdict
        step = verdict.step + 1
        if not self._search(step, self._longer if self._can_look_longer else self._once):
            return verdict
        found = self._verdict()
        if found.step != step:  # it was the move
            del self._found[step]
            return verdict
        return found

    def _moments(self, verdict: Verdict) -> list[int]:
        if verdict.kind == Kind.FAULT:
            return []
        chosen = sorted(
            {
                step
                for step in (verdict.step, verdict.last_chance)
                if step is not None and step < len(self._actions)
            }
        )
        points = turning_points(
            self._values(),
            self._game.min_utility,
            self._game.max_utility,
            threshold=_LEAST_CHANGE,
            most=len(self._found),
        )
        places = {step: place for place, step in enumerate(sorted(self._found))}
        for point in points:  # the largest first; two in a row are one moment
            is_apart = all(abs(places[point.step] - places[one]) > 1 for one in chosen)
            if point.step < len(self._actions) and len(chosen) < MOMENTS and is_apart:
                chosen.append(point.step)
        return sorted(chosen)

    def _moment(self, step: int) -> Moment:
        if step in self._chance or self._stop.stopped:
            return Moment(step, None)
        return Moment(step, self._looked_at(step, self._longer if self._can_look_longer else self._once))

    def _the_rest(self, moments: Sequence[Moment]) -> tuple[ReviewedTurn, ...]:
        """Every step in which there was a choice, or chance was looked at: the moments that mattered as they are known already. All
        share the time that is left for it.
        """
        found = {one.step: one.turn for one in moments if one.turn is not None}
        rest = [step for step in reversed(self._judged) if step not in found]
        for place, step in enumerate(rest):
            limits = self._share(len(rest) - place)
            if limits is None:
                break
            turn = self._looked_at(step, limits)
            if turn is None:
                break
            found[step] = turn
        return tuple(found[step] for step in sorted(found))

    def _share(self, among: int) -> Limits | None:
        """The limits of one of `among` searches that are still to be made; None where nothing is left."""
        nodes, seconds = self._most.nodes, self._most.seconds
        nodes = None if nodes is None else nodes - self._searcher.nodes
        seconds = None if seconds is None else seconds - (time.perf_counter() - self._started)
        if self._stop.stopped or (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            return None
        return Limits(self._most.depth, nodes, seconds).times(1 / among)

    def _looked_at(self, step: int, limits: Limits) -> ReviewedTurn | None:
        """A step, move by move; None where a stop came before."""
        steps = review(
            self._game,
            self._states,
            self._actions,
            self._algorithm,
            limits,
            stop=self._stop,
            steps=[step],
            searcher=self._searcher,
        )
        turn = next(steps, None)
        if turn is not None:
            self._report(step)
        return None if turn is None else self._within_proof(turn)

    def _report(self, step: int) -> None:
        self._done += 1
        if self._on_standing is not None:
            self._on_standing(self._found[step], self._done, self._expected)

    def _left(self) -> float | None:
        """The value of the last position of an unfinished game.

        None where the game is over or the search was stopped.
        """
        last = len(self._actions)
        if self._result is None or self._node(last) == TERMINAL:
            return None
        if last in self._found:
            return self._found[last].value
        found = self._searcher.search(self._states[last], self._once, stop=self._stop, deepen=True)
        return None if self._stop.stopped else found.value

    def _within_proof(self, turn: ReviewedTurn) -> ReviewedTurn:
        """The turn with losses limited to what a proven value leaves: the moves were compared by another
        search, which may have proven less.

        Where the values before and after the step are proven, they take the place of that search's; where one player moved, the move gave
        away what is between them.
        """
        standing, played = self._found[turn.step], turn.played
        if not standing.exact:
            return turn
        most = standing.value - self._game.min_utility, self._game.max_utility - standing.value
        a, b = (
            {action: min(loss, most[player]) for action, loss in turn.losses[player].items()}
            for player in (0, 1)
        )
        after, node = self._proven(turn.step + 1), self._node(turn.step)
        if after is not None and node == 0:
            a[played[0]] = max(0.0, standing.value - after)
        elif after is not None and node == 1:
            b[played[1]] = max(0.0, after - standing.value)
        loss = a.get(played[0], 0.0), b.get(played[1], 0.0)
        if after is None:
            return replace(turn, loss=loss, losses=(a, b))
        known = replace(turn, value=standing.value, after=after, loss=loss, losses=(a, b))
        return self._without_played(known, node) if node in (0, 1) and loss[node] > turn.loss[node] else known

    def _without_played(self, turn: ReviewedTurn, player: int) -> ReviewedTurn:
        """The turn without the played action among the best ones, where a proof shows that this action loses
        something.
        """
        played, own = turn.played[player], dict(self._found[turn.step].best[player])
        if (
            turn.loss[player] <= _NOTHING * (self._game.max_utility - self._game.min_utility)
            or played not in turn.mixtures[player]
        ):
            return turn
        own.pop(played, None)
        whole = sum(own.values())
        mixtures, best = list(turn.mixtures), list(turn.best)
        mixtures[player] = {action: share / whole for action, share in own.items()}
        best[player] = max(own, key=lambda action: own[action], default=NO_ACTION)
        return replace(turn, mixtures=(mixtures[0], mixtures[1]), best=(best[0], best[1]))

    def _proven(self, step: int) -> float | None:
        """The value of a position, where it is proven."""
        if self._node(step) == TERMINAL:
            return float(self._game.returns(self._states[step]))
        found = self._found.get(step)
        return found.value if found is not None and found.exact else None


def _depth(on: Sequence[Standing]) -> int | None:
    """The depth of the searches: the least deep of those that a deeper one could correct."""
    open_ = [one.depth for one in on if not one.ended]
    return min(open_) if open_ else max((one.depth for one in on), default=None)
