"""Games in turn, searched to the end: the value and the best moves are those of minimax and of backward induction."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from helpers.random_trees import SureTree, TurnTree, best_moves, minimax
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import (
    TERMINAL,
    ConnectFour,
    Game,
    Goofspiel,
    Othello,
    Simplexity,
    StopToken,
    TicTacToe,
    UnsupportedGameError,
)
from saddlepoint.solvers import turns as searching
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import solve_positions
from saddlepoint.solvers.turns import METHODS, TurnSearch


def interrupted_executor(searches: int) -> type[ThreadPoolExecutor]:
    """So many searches are handed over; of the last one the interruption comes before that is known."""
    rest = [searches]

    class InterruptedExecutor(ThreadPoolExecutor):
        def submit(self, *args: Any, **named: Any) -> Future[Any]:
            rest[0] -= 1
            running = super().submit(*args, **named)
            if rest[0] == 0:
                raise KeyboardInterrupt
            return running

    return InterruptedExecutor


def goes_through(ask: Callable[[], object], end: Callable[[], object]) -> bool:
    """Whether the interruption ends `ask` within a minute; `end` ends it otherwise."""
    interrupted: list[bool] = []

    def asking() -> None:
        with pytest.raises(KeyboardInterrupt):
            ask()
        interrupted.append(True)

    thread = threading.Thread(target=asking)
    thread.start()
    thread.join(60)
    in_time = not thread.is_alive()
    end()
    thread.join()
    return in_time and bool(interrupted)


pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
TREE = SureTree()


def trees(levels: int) -> Any:
    """Random trees that do not end at once."""
    for seed in range(scaled(200, 10)):
        state = TREE.initial_state(seed, depth=2 + seed % 4, branching=3, levels=levels, merging=seed % 2)
        if TREE.current_player(state) != TERMINAL:
            yield state


def near_the_end(game: Game, count: int) -> Any:
    """Positions some moves before the end of random games."""
    draw = np.random.default_rng(3)
    for _ in range(count):
        states = [game.initial_state()]
        while game.current_player(states[-1]) != TERMINAL:
            actions = game.legal_actions(states[-1], game.current_player(states[-1]))
            states.append(game.next_state(states[-1], int(draw.choice(actions))))
        yield states[-1 - min(int(draw.integers(2, 5)), len(states) - 1)]


@pytest.mark.parametrize(
    ("method", "levels"),
    [*(("alpha_beta", levels) for levels in (0, 2, 3, 5)), ("proof_number", 2), ("proof_number", 3)],
)
def test_the_value_and_all_best_moves_are_proven(method: str, levels: int) -> None:
    search = TurnSearch(TREE, method, 1)
    for state in trees(levels):
        found = search.solve(state, all_moves=True)
        assert (found.low, found.high, found.all_moves) == (*[minimax(TREE, state)] * 2, True)
        assert set(found.moves) == best_moves(TREE, state, lambda after: minimax(TREE, after))
        some = search.solve(state).moves
        assert some and set(some) <= set(found.moves)


def test_proof_numbers_say_no_more_than_they_prove_where_there_are_more_than_three_results() -> None:
    search, open_ = TurnSearch(TREE, "proof_number", 1), 0
    for state in trees(5):
        found, value = search.solve(state), minimax(TREE, state)
        assert found.low <= value <= found.high
        assert found.exact or not found.moves
        open_ += not found.exact
    assert open_


BOARDS = [
    TicTacToe(),
    ConnectFour(columns=4, rows=3, line=3),
    Othello(size=4),
    Othello(size=4, utility="discs"),
    pytest.param(Simplexity(3, 3, 3, 2, 3), marks=COMPILED_ONLY),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_games_have_the_values_and_moves_of_backward_induction(game: Game, method: str) -> None:
    search = TurnSearch(game, method, 4)
    for state in near_the_end(game, scaled(20, 2)):
        solution = Solution.of(solve_positions(game, state))
        found = search.solve(state, all_moves=True)
        assert found.low <= solution.value <= found.high
        assert found.exact or (method, search.game) == ("proof_number", Othello(size=4, utility="discs"))
        if found.exact:
            assert set(found.moves) == best_moves(game, state, solution.value_of)


@pytest.mark.parametrize("method", METHODS)
def test_without_time_or_interrupted_nothing_more_is_claimed_than_is_proven(method: str) -> None:
    def interrupt(nodes: int) -> None:
        raise KeyboardInterrupt

    search, start = TurnSearch(ConnectFour(), method, 1), ConnectFour().initial_state()
    found = search.solve(start, seconds=0.05)
    assert (found.low, found.high, found.exact, found.moves) == (-1.0, 1.0, False, ())
    with pytest.raises(KeyboardInterrupt):
        search.solve(start, on_wait=interrupt)
    assert (search.low, search.high) == (-1.0, 1.0)


def test_an_interruption_goes_through_while_the_search_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stops: list[StopToken] = []

    def noted() -> StopToken:
        stops.append(StopToken())
        return stops[-1]

    monkeypatch.setattr(searching, "StopToken", noted)
    monkeypatch.setattr(
        "saddlepoint.algorithms.limits.ThreadPoolExecutor", interrupted_executor(2)
    )  # the first one compiles
    search = TurnSearch(ConnectFour(), METHODS[0], 1)
    assert goes_through(
        lambda: search.solve(ConnectFour().initial_state()), lambda: [stop.stop() for stop in stops]
    )


def test_a_game_that_is_over_has_its_result() -> None:
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 3, 1, 4, 2):
        state = game.next_state(state, action)
    for method in METHODS:
        found = TurnSearch(game, method, 1).solve(state)
        assert (found.low, found.high, found.moves) == (1.0, 1.0, ())


@pytest.mark.parametrize(
    ("game", "method", "said"),
    [
        *((Goofspiel(3), method, f"^{method} searches turn-based games") for method in METHODS),
        *((TurnTree(), method, f"^{method} .* without chance") for method in METHODS),
        (TicTacToe(), "guess", "^method must be alpha_beta or proof_number, not 'guess'"),
    ],
)
def test_other_games_and_methods_are_refused(game: Game, method: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        TurnSearch(game, method)
    assert isinstance(refused.value, UnsupportedGameError) == (method in METHODS)
