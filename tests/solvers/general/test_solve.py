"""The solver of whole games: every position once, with its value; of fewer positions, folded, every one still has value and strategies."""

import itertools
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as some

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame, State as Node, ToldGame
from helpers.sizes import COMPILED_ONLY, scaled
from helpers.small_games import Guess, State
from helpers.walks import after_one_step, reachable
from saddlepoint import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    BackwardInduction,
    ConnectFour,
    Game,
    GameError,
    OshiZumo,
    PursuitEvasion,
    Tron,
    UnsupportedGameError,
    check_game,
    search,
)
from saddlepoint.compiled import kernel, mix
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.goofspiel import Goofspiel, State as Cards
from saddlepoint.policies import SolutionPolicy, nash_conv
from saddlepoint.solvers.general import (
    Solution,
    certificate_of,
    check_solution,
    exact_value,
    load_solution,
    save_solution,
)
from saddlepoint.solvers.general.packing import can_fold, first_packing, folded
from saddlepoint.solvers.general.solve import Induction, solve_positions

CARDS = Goofspiel(3)

TREE = RandomGame()


class Endless(Guess):
    """It never ends, whatever max_depth says."""

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS

    @kernel
    def next_state(self, state, action0, action1):
        return State(0, self.gain(action0, action1))


class Leads(NamedTuple):
    round: int
    lead: int
    five: tuple[int, int, int, int, int]


class Spread(Guess):
    """Who leads is told five times more, two hundred times as large: 62 bits in all."""

    def initial_state(self) -> Any:
        return Leads(0, 0, (0, 0, 0, 0, 0))

    @kernel
    def next_state(self, state, action0, action1) -> Any:
        lead = state.lead + self.gain(action0, action1)
        far = 200 * lead
        return Leads(state.round + 1, lead, (far, far, far, far, far))

    @kernel
    def hash(self, state):
        return mix(np.uint64(state.round * 1000 + state.lead + 100))


@pytest.mark.parametrize("kinds", [ONLY_SIMULTANEOUS, ONLY_TURNS, MIXED])
def test_random_games_have_the_value_of_backward_induction_and_each_position_is_solved_once(kinds):
    for seed in range(scaled(60, 3)):
        for levels in (0, 1, 3):
            state = TREE.initial_state(seed, depth=3, branching=3, kinds=kinds, levels=levels)
            found = solve_positions(TREE, state)
            assert found.value == pytest.approx(
                search(TREE, state, BackwardInduction(table=False)).value, abs=1e-9
            )
            counts = found.counts()
            assert counts.positions == len(reachable(TREE, state)) == counts.stages + counts.chance_positions


@pytest.mark.compiles_long
def test_positions_that_meet_again_are_solved_once_and_in_the_order_of_the_longest_way_to_an_end():
    game = Guess(rounds=6)
    found = solve_positions(game)
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.counts().positions == sum(2 * n + 1 for n in range(6)) == len(reachable(game, State(0, 0)))
    solution = Solution.of(found)
    rounds = {int(solution.order[solution.place_of(state)]): state.round for state in solution.states()}
    assert [rounds[place] for place in range(len(rounds))] == sorted(rounds.values(), reverse=True)


def file_of(work: Induction, path: Path) -> bytes:
    save_solution(path, Solution.of(work))
    return path.read_bytes()


@pytest.mark.parametrize("fold", [False, True])
def test_threads_find_the_same_in_the_same_file(tmp_path: Path, fold: bool):
    one = solve_positions(CARDS, fold=fold)
    for threads in (2, 3, 5):
        several = Induction(CARDS, threads=threads, fold=fold)
        while not several.go_on(40):
            assert 0 <= several.share_done() <= 1
        assert several.counted() == one.counted()
        assert several.value == one.value
        assert file_of(several, tmp_path / "several.sol") == file_of(one, tmp_path / "one.sol")


def test_the_share_of_branches_grows_to_all():
    work, shares = Induction(Goofspiel(3)), [0.0]
    while not work.go_on(20):
        shares.append(work.counts().share_done)
    assert shares == sorted(shares)
    assert 0 < shares[1] < shares[-1] <= 1 == work.share_done()


def test_beyond_the_memory_the_table_is_in_a_file_with_the_same_content(tmp_path):
    game, told = Goofspiel(3), []
    state = game.initial_state()
    usual, small = (
        solve_positions(game),
        solve_positions(game, state, memory=1000, folder=tmp_path, on_disk=told.append),
    )
    assert small.positions.in_file
    assert told
    assert not list(tmp_path.iterdir())
    assert np.array_equal(usual.positions.words(), small.positions.words())
    assert np.array_equal(Solution.of(usual).rows, Solution.of(small).rows)


@pytest.mark.compiles_long
@pytest.mark.parametrize("threads", [1, 3])
def test_a_game_without_an_end_is_refused_in_one_sentence(threads):
    with pytest.raises(
        UnsupportedGameError,
        match=r"^Endless\(size=3, rounds=6\) does not end within max_depth = 6 moves from here",
    ):
        solve_positions(Endless(rounds=6), threads=threads)


def test_a_packing_has_room_for_whatever_came_and_keeps_words_apart():
    rng = np.random.default_rng(5)
    rows = [[7, 2**64 - 3, 0, 2**63]]
    packing = first_packing(rows[0])
    for _ in range(200):
        small, negative, bit, even = (int(rng.integers(most)) for most in (2**40, 1000, 2, 2**63))
        rows.append([small, -negative % 2**64, bit, 2 * even])
        for k, word in enumerate(rows[-1]):
            packing = packing if packing.fits(k, word) else packing.widened(k, word)
        assert all(packing.unpacked(packing.packed(row)).tolist() == row for row in rows)
    assert packing.width > 1


@pytest.mark.compiles_long
@pytest.mark.parametrize("threads", [1, 3])
def test_positions_that_fit_into_one_word_get_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
):
    """A number that leaves its range gets twice the room, on one side; before all of these take a word more they are packed closely."""
    files = []
    for often, width in ((32, 1), (0, 2)):
        monkeypatch.setattr("saddlepoint.solvers.general.solve._CLOSER", often)
        work = Induction(Spread(rounds=6), threads=threads)
        while not work.go_on(10):
            pass
        assert work.positions.packing.width == width
        files.append(file_of(work, tmp_path / "a.sol"))
        assert work.positions.packing.width == 1
        assert sum(int(mask).bit_length() for mask in work.positions.packing.mask) == 62
    assert files[0] == files[1]


# -- folding -------------------------------------------------------------------------------------------------------------

_NEAR_THE_END = 100
"""Positions: more are not solved."""


@cache
def solved(game: Game, fold: bool) -> Solution:
    return Solution.of(solve_positions(game, fold=fold))


def late_positions(game: Game, rng: np.random.Generator) -> Iterator[Any]:
    """The earliest position of a game played at random from which at most so many can come about."""
    state, path = game.initial_state(), []
    while game.current_player(state) != TERMINAL:
        path.append(state)
        after = after_one_step(game, state)
        state = after[int(rng.integers(len(after)))]
    found = None
    for state in reversed(path):
        if len(reachable(game, state, _NEAR_THE_END)) > _NEAR_THE_END:
            break
        found = state
    if found is not None:
        yield found


@pytest.mark.plain
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == "goofspiel" else pytest.mark.compiles_long)
        for name, entry in GAMES.items()
        if can_fold(entry.game_class())
    ],
)
def test_late_positions_of_every_game_that_folds_have_the_values_that_they_have_unfolded(name: str) -> None:
    game, rng = GAMES[name].game_class(), np.random.default_rng(len(name))
    for _ in range(scaled(10, 2)):
        for start in late_positions(game, rng):
            kept, whole = (Solution.of(solve_positions(game, start, fold=fold)) for fold in (True, False))
            assert len(kept) <= len(whole)
            for state in whole.states():
                assert kept.value_of(state) == pytest.approx(whole.value_of(state), abs=1e-9)
            assert set(kept.states()) == set(whole.states())
            assert certificate_of(kept).worst_gap < 1e-9


SMALL = [
    Goofspiel(3),
    Goofspiel(3, utility="points"),
    Goofspiel(4, "descending"),
    Goofspiel(4, "ascending", "points", 0),
    *(
        pytest.param(game, marks=pytest.mark.compiles_long)
        for game in (OshiZumo(6, 2), OshiZumo(6, 2, 1, "field"), Tron(4, 4))
    ),
]
NOT_EVEN = [
    pytest.param(game, marks=pytest.mark.compiles_long)
    for game in (Tron(4, 4, obstacles="1,1"), ConnectFour(3, 3, 3), PursuitEvasion(3, 3, 4))
]
"""The start is not worth 0."""


@pytest.mark.parametrize("game", [*SMALL, *NOT_EVEN], ids=repr)
def test_every_position_of_small_games_has_its_value_and_an_equilibrium(game: Game) -> None:
    kept, whole = solved(game, True), solved(game, False)
    assert len(kept) < 0.62 * len(whole)
    for state in whole.states():
        mine, other = kept.at(state), whole.at(state)
        assert mine.value == pytest.approx(other.value, abs=1e-9)
        assert [m.keys() for m in mine.strategies] == [m.keys() for m in other.strategies]
        assert np.array(mine.matrix) == pytest.approx(np.array(other.matrix), abs=1e-9)
        if game.current_player(state) == CHANCE:
            continue
        x, y = (np.array([*mixture.values()] or [1.0]) for mixture in mine.strategies)
        assert (x @ np.array(mine.matrix)).min() == pytest.approx(mine.value, abs=1e-9)
        assert (np.array(mine.matrix) @ y).max() == pytest.approx(mine.value, abs=1e-9)


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_fractions_agree_on_all_positions_without_folding(game: Game) -> None:
    exact = exact_value(solved(game, True))
    assert exact.value == 0
    assert exact.largest_error < 1e-12
    assert exact.positions == len(solved(game, False))


def test_an_image_is_worth_what_is_kept_with_the_other_sign_and_the_score() -> None:
    game = Goofspiel(3, utility="points")
    state = game.initial_state()._replace(hand0=0b110, hand1=0b011, deck=0b011, points=3)
    kept = folded(game, state)
    assert kept.state == state._replace(hand0=0b011, hand1=0b110, points=0)
    assert (kept.exchanged, kept.score) == (True, 3.0)
    assert kept.worth(-2.0) == 5.0


@pytest.mark.plain
@pytest.mark.compiles_long
def test_who_starts_in_an_image_is_answered_as_such() -> None:
    game = OshiZumo(6, 2)
    start = game.initial_state()._replace(coins0=6, coins1=4, field=0)
    kept, whole = (Solution.of(solve_positions(game, start, fold=fold)) for fold in (True, False))
    assert kept.value == pytest.approx(whole.value, abs=1e-12)
    assert kept.value > 0
    certificate = certificate_of(kept)
    assert certificate.lower - 1e-12 <= whole.value <= certificate.upper + 1e-12
    assert certificate.gap < 1e-9
    assert set(kept.states()) == set(whole.states())


@pytest.mark.parametrize("fold", [True, False])
def test_a_file_says_whether_it_is_folded(fold: bool, tmp_path: Path) -> None:
    save_solution(tmp_path / "a.sol", solved(Goofspiel(3), fold))
    again, _ = load_solution(tmp_path / "a.sol", find=make_game)
    assert again.is_folded is fold
    with np.load(tmp_path / "a.sol") as file:
        header = json.loads(bytes(file["header"]))
    told = header["format"], header["folded"], header["discount"]
    assert told == ("saddlepoint solution 5", fold, None)
    for state in solved(Goofspiel(3), False).states():
        assert again.value_of(state) == solved(Goofspiel(3), fold).value_of(state)


class Margin(Guess):
    """The lead is the result, which no position needs to know."""

    @property
    def max_utility(self) -> float:
        return float(self.rounds)

    @property
    def min_utility(self) -> float:
        return -self.max_utility

    @kernel
    def returns(self, state):
        return float(state.lead)

    @kernel
    def without_score(self, state):
        return State(state.round, 0), state.lead


@pytest.mark.compiles_long
def test_a_game_of_ones_own_needs_one_position_a_round_without_its_score() -> None:
    game = Margin(3, 4)
    check_game(game, playouts=5, seed=1)
    kept, whole = solved(game, True), solved(game, False)
    assert (len(kept), len(whole)) == (4, 1 + 3 + 5 + 7)
    for state in whole.states():
        assert kept.at(state).value == pytest.approx(whole.at(state).value, abs=1e-12)
    assert certificate_of(kept).gap < 1e-12


class Unlisted(Guess):
    """It folds what its symmetries do not list."""

    def symmetries(self, state: Any) -> list[Any]:
        return []

    @kernel
    def canonical(self, state):
        return (State(state.round, -state.lead), True) if state.lead > 0 else (state, False)


@pytest.mark.compiles_long
def test_folding_that_no_symmetry_explains_is_refused_where_actions_would_have_to_be_renamed() -> None:
    solution = Solution.of(solve_positions(Unlisted(), fold=True))
    with pytest.raises(GameError, match=r"^Unlisted\(.* folds .* which its symmetries do not list"):
        for state in solution.states():
            solution.at(state)


TOLD, PLAIN = ToldGame(), RandomGame()


@COMPILED_ONLY
@pytest.mark.compiles_long
@given(
    seed=some.integers(0, 2**32),
    depth=some.integers(1, 5),
    branching=some.integers(1, 4),
    threads=some.integers(1, 2),
)
def test_chance_after_chance_and_any_choice_are_worth_what_they_are_where_all_is_kept(
    seed: int, depth: int, branching: int, threads: int
) -> None:
    start = TOLD.initial_state(seed=seed, depth=depth, branching=branching, kinds=MIXED)
    work = solve_positions(TOLD, start, fold=True, threads=threads)
    kept, whole = Solution.of(work), Solution.of(solve_positions(PLAIN, start))
    states = list(whole.states())
    within = {state for state in after_chance(states) if TOLD.current_player(state) != CHANCE}
    assert len(kept) == len(whole) - len(within.intersection(states) - {start})
    counts, all_of_them = work.counts(), solve_positions(PLAIN, start).counts()
    assert (counts.stages, counts.chance_positions, counts.ends, counts.edges) == (
        all_of_them.stages,
        all_of_them.chance_positions,
        all_of_them.ends,
        all_of_them.edges,
    )
    for state in states:
        assert kept.value_of(state) == pytest.approx(whole.value_of(state), abs=1e-12)
    if TOLD.current_player(start) != TERMINAL:
        certificate = check_solution(kept)
        assert certificate.lower - 1e-9 <= whole.value <= certificate.upper + 1e-9
        assert certificate.gap < 1e-9
        assert nash_conv(TOLD, SolutionPolicy(kept), start) == pytest.approx(0.0, abs=1e-9)


def after_chance(states: list[Node]) -> set[Node]:
    """The positions before which chance moves."""
    drawn = (after_one_step(TOLD, one) for one in states if TOLD.current_player(one) == CHANCE)
    return set(itertools.chain.from_iterable(drawn))


@COMPILED_ONLY
@pytest.mark.compiles_long
def test_a_choice_that_cannot_come_about_is_not_answered() -> None:
    """With another deck: none of what follows was solved."""
    start = Cards(0b110, 0b101, 0b100, 1, 0)
    solution = Solution.of(solve_positions(CARDS, start, fold=True))
    other = Cards(0b110, 0b101, 0b010, 2, 0)
    assert solution.has(start)
    assert not solution.has(other)
    with pytest.raises(GameError, match="cannot come about"):
        solution.value_of(other)


@COMPILED_ONLY
@pytest.mark.compiles_long
def test_only_positions_of_chance_are_in_the_file_and_the_start() -> None:
    for start in (CARDS.initial_state(), CARDS.next_state(CARDS.initial_state(), 1)):
        solution = Solution.of(solve_positions(CARDS, start, fold=True))
        choices = [state for state in solution.kept_states() if CARDS.current_player(state) != CHANCE]
        assert len(choices) == (start.prize >= 0)
        assert np.isfinite(solution.values).all()
