"""Every setting of the search for turn-based games finds plain minimax's value, whoever moves how often in a row; several threads too."""

import functools
import itertools
import secrets
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from helpers.random_trees import (
    Noise,
    RootNoise,
    SureTree,
    TurnTree,
    best_moves,
    is_proven,
    minimax,
    random_positions,
    restated,
    urgent_positions,
)
from saddlepoint import ConnectFour, Limits, PrincipalVariation, Searcher, Simplexity, StopToken, search
from saddlepoint.algorithms.turns.chance_nodes import BUCKET, ENTRY, facts_of, keep, look_up, proven_in
from saddlepoint.compiled import jit, mix, run
from saddlepoint.compiled.bits import empty_table
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.compiles_long
TREE, SURE = TurnTree(), SureTree()
PLAIN = PrincipalVariation(
    Noise(),
    alpha_beta=False,
    null_windows=False,
    aspiration=0.0,
    table=False,
    killers=False,
    history=False,
    countermoves=False,
    static_order=False,
    winning_actions=False,
    star1=False,
    star2=False,
    megabytes=0.1,
)
FULL = PrincipalVariation(Noise(), killers=True, countermoves=True, megabytes=0.1)
SETTINGS = [
    PLAIN,
    replace(PLAIN, alpha_beta=True),
    replace(PLAIN, alpha_beta=True, null_windows=True),
    replace(PLAIN, alpha_beta=True, table=True),
    replace(PLAIN, table=True),
    replace(PLAIN, alpha_beta=True, star1=True),
    replace(PLAIN, alpha_beta=True, star1=True, star2=True),
    FULL,
    *(
        replace(FULL, **{part: False})
        for part in (
            "null_windows",
            "table",
            "killers",
            "history",
            "countermoves",
            "static_order",
            "winning_actions",
            "star1",
        )
    ),
    replace(FULL, star2=True),
    replace(FULL, aspiration=0.0),
    replace(FULL, aspiration=0.001),
    replace(FULL, deeper_entries=False),
    replace(FULL, megabytes=0.0002),
    replace(FULL, discount=0.0),
]
FRESH = secrets.randbits(30)


def trees(count, start=0, depth=5, lucks=(0, 3, 8), levels=(0, 2, 3, 5)):
    """Random trees of all kinds; those with 5 levels of results tell bounds."""
    kinds = itertools.cycle(itertools.product(lucks, levels, (0, 1)))
    for seed, (luck, levels, merging) in zip(range(start, start + count), kinds, strict=False):
        yield TREE.initial_state(seed, depth, 2 + seed % 5, luck, levels, merging)


def unfinished(states):
    return (state for state in states if TREE.current_player(state) >= -1)


def met_at_one_depth(states):
    """Without those where ways of different depth meet: what is proven by the deeper look is then known to the other."""
    return (state for state in unfinished(states) if not (state.luck and state.merging))


def assert_is_minimax(game, state, setting, result):
    assert is_proven(result, setting.discount)
    expected = minimax(game, state, distance=setting.discount)
    assert restated(result, setting.discount) == pytest.approx(expected, abs=1e-9), (setting, state)


@pytest.mark.parametrize(
    ("start", "count", "depth", "kept"),
    [
        pytest.param(0, 300, 5, False, marks=pytest.mark.slow, id="fixed seed"),
        pytest.param(FRESH, 300, 5, False, id="fresh seed"),
        pytest.param(5000, 150, 6, True, id="deepening, with a table kept between searches"),
    ],
)
def test_every_setting_finds_the_value_of_plain_minimax(start, count, depth, kept):
    searchers = [Searcher(TREE, setting) for setting in SETTINGS]
    for state in unfinished(trees(count, start, depth)):
        for searcher in searchers:
            if not kept:
                searcher.memory.clear()
            result = searcher.search(state, Limits(), deepen=kept, variation=False)
            assert_is_minimax(TREE, state, searcher.algorithm, result)


SWITCHES = (
    "alpha_beta",
    "null_windows",
    "table",
    "deeper_entries",
    "killers",
    "history",
    "countermoves",
    "static_order",
    "star1",
    "star2",
    "first_of_equals",
)


@given(
    seed=st.integers(0, 2**40),
    depth=st.integers(1, 7),
    branching=st.integers(1, 6),
    luck=st.sampled_from([0, 2, 5, 9]),
    levels=st.sampled_from([0, 2, 3, 5]),
    merging=st.integers(0, 1),
    deepen=st.booleans(),
    switches=st.fixed_dictionaries({name: st.booleans() for name in SWITCHES}),
    aspiration=st.sampled_from([0.0, 1e-7, 0.01, 0.4]),
    distance=st.sampled_from([0.0, 1e-6, 0.01]),
)
def test_every_combination_of_settings_finds_the_value_of_plain_minimax(
    seed, depth, branching, luck, levels, merging, deepen, switches, aspiration, distance
):
    state = TREE.initial_state(seed, depth, branching, luck, levels, merging)
    assume(TREE.current_player(state) >= -1)
    setting = replace(FULL, **switches, aspiration=aspiration, discount=distance)
    result = Searcher(TREE, setting).search(state, Limits(), deepen=deepen)
    assert_is_minimax(TREE, state, setting, result)
    for joint in result.principal_variation:
        state = TREE.next_state(state, *joint)
    assert TREE.current_player(state) < -1 or luck or levels == 5  # the line may end at a bound


def test_a_near_end_mixed_by_chance_with_unknown_ones_proves_nothing():
    """Here a proven action seemed out of reach for the others, which chance could bring nearer ends at once."""
    state = TREE.initial_state(1000119, 8, 6, 8, 2, 1)
    setting = replace(PLAIN, alpha_beta=True, table=True)
    assert_is_minimax(TREE, state, setting, Searcher(TREE, setting).search(state, Limits(), deepen=True))


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_depth_limited_search_finds_the_value_of_plain_minimax_with_the_same_estimates(depth):
    searchers = [
        Searcher(TREE, replace(setting, deeper_entries=False))
        for setting in SETTINGS
        if setting.deeper_entries or not setting.table
    ]
    for state in met_at_one_depth(trees(200, 9000 * depth, depth=7, levels=(0, 2, 3))):
        for searcher in searchers:
            searcher.memory.clear()
            expected = minimax(TREE, state, depth, searcher.algorithm.discount)
            result = searcher.search(state, Limits(depth=depth), variation=False)
            assert restated(result, searcher.algorithm.discount) == pytest.approx(expected, abs=1e-9), (
                searcher.algorithm,
                state,
            )


@pytest.mark.parametrize("depth", [1, 2, 4, 9])
def test_what_the_players_think_differently_is_searched_in_minimax_form(depth):
    """The root's player maximises its own view, which is not the negative of the other's, also of finished games."""
    searchers = [
        Searcher(SURE, replace(setting, evaluator=RootNoise(), deeper_entries=False)) for setting in SETTINGS
    ]
    unequal = 0
    for state in unfinished(trees(180, 70 + depth, lucks=(0,))):
        root = SURE.current_player(state)
        for searcher in searchers:
            searcher.memory.clear()
            expected = minimax(SURE, state, depth, searcher.algorithm.discount, root)
            unequal += abs(expected - minimax(SURE, state, depth, 0.0, 1 - root)) > 0.5
            result = searcher.search(state, Limits(depth=depth), variation=False)
            assert result.value == pytest.approx(expected, abs=1e-9), (searcher.algorithm, state)
    assert unequal > 20


SMALL = ConnectFour(4, 4, 3)


def on_board(setting):
    return replace(setting, evaluator=None)


@pytest.mark.slow
def test_on_small_boards_every_setting_plays_a_shortest_win_or_a_longest_loss():
    searchers = [Searcher(SMALL, on_board(setting)) for setting in SETTINGS if setting.discount > 0]
    for state in random_positions(SMALL, 150, 3, least=3):
        player = SMALL.current_player(state)
        expected = best_moves(SMALL, state, lambda after: minimax(SMALL, after, distance=1e-6))
        for searcher in searchers:
            result = searcher.search(state, Limits(), deepen=True)
            assert result.best_action(player) in expected, (searcher.algorithm, SMALL.to_text(state))


def test_a_value_is_the_games_the_plies_stand_beside_it_and_the_principal_variation_leads_to_that_end():
    searcher = Searcher(SMALL, on_board(FULL))
    decided = 0
    for state in random_positions(SMALL, 200, 4):
        result = searcher.search(state, Limits(), deepen=True)
        end = state
        for joint in result.principal_variation:
            end = SMALL.next_state(end, *joint)
        assert SMALL.current_player(end) < -1  # the game is over there
        assert result.exact
        assert result.value == SMALL.returns(end) == result.iterations[-1].value == minimax(SMALL, state)
        decided += SMALL.returns(end) != 0
        assert result.plies == (len(result.principal_variation) if SMALL.returns(end) != 0 else None)
    assert decided > 50


NEAREST = [
    *(setting for setting in SETTINGS if setting.discount > 0),
    replace(FULL, late_reduction=1, late_moves=2),
    replace(FULL, null_move=1),
]


@functools.cache
def urgent():
    return urgent_positions(SMALL, 400, 11)


@pytest.mark.parametrize("setting", NEAREST, ids=range(len(NEAREST)))
def test_a_win_in_one_is_played_and_a_loss_in_one_prevented_by_both_players(setting):
    searcher = Searcher(SMALL, on_board(setting))
    for state, player, winning, holding in urgent():
        for depth in (1, 2, 3) if winning else (2, 3):
            result = searcher.search(state, Limits(depth=depth), variation=False)
            assert result.best_action(player) in (winning or holding)
            if winning:
                assert (result.value, result.plies, result.exact) == (1 - 2 * player, 1, True)


def test_quiescence_follows_noisy_moves_and_may_always_be_content_with_the_estimate():
    setting = PrincipalVariation(Noise(), quiescence_plies=3, megabytes=0.1, discount=0.0)

    def quiet(state, plies):
        node = SURE.current_player(state)
        if node < -1:
            return SURE.returns(state)
        value = Noise().evaluate(SURE, state)
        if plies == 0 or node == -1:
            return value
        for action in SURE.legal_actions(state, node):
            if action % 2 == 1:
                reached = quiet(SURE.next_state(state, action), plies - 1)
                value = max(value, reached) if node == 0 else min(value, reached)
        return value

    searcher = Searcher(SURE, setting)
    for state in unfinished(trees(150, 40, lucks=(0,), levels=(0, 2, 3))):
        player = SURE.current_player(state)
        followers = [quiet(SURE.next_state(state, a), 3) for a in SURE.legal_actions(state, player)]
        result = searcher.search(state, Limits(depth=1), variation=False)
        assert result.value == pytest.approx(max(followers) if player == 0 else min(followers), abs=1e-9)


def test_pruning_and_ordering_save_most_of_the_work():
    nodes = {}
    for name, setting in {"plain": PLAIN, "alpha-beta": replace(PLAIN, alpha_beta=True), "all": FULL}.items():
        nodes[name] = search(
            SMALL, SMALL.initial_state(), on_board(setting), Limits(depth=8), deepen=True
        ).statistics.nodes
    assert nodes["all"] < nodes["alpha-beta"] / 2 < nodes["plain"] / 20


@pytest.mark.parametrize(
    "risky", [{"late_reduction": 2, "late_moves": 2}, {"null_move": 2}], ids=["late", "null"]
)
def test_reductions_save_work_and_what_they_leave_out_is_not_called_proven(risky):
    sound, quick = (
        PrincipalVariation(winning_actions=False),
        PrincipalVariation(winning_actions=False, **risky),
    )
    full, less = (
        search(SMALL, SMALL.initial_state(), s, Limits(depth=7), deepen=True) for s in (sound, quick)
    )
    assert less.statistics.nodes < full.statistics.nodes
    assert not less.exact
    searcher, exact = Searcher(SMALL, quick), 0
    for state in random_positions(SMALL, 150, 31):
        result = searcher.search(state, Limits(depth=6), deepen=True, variation=False)
        if result.exact:
            exact += 1
            assert result.value == minimax(SMALL, state)
    assert exact > 50


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "setting", "positions"),
    [
        (SMALL, on_board(FULL), random_positions(SMALL, 3, 1, least=9)),
        (TREE, replace(FULL, star2=True), unfinished(trees(8, 3, depth=3))),
        (SURE, replace(FULL, quiescence_plies=3), unfinished(trees(4, 3, depth=4, lucks=(0,)))),
    ],
    ids=["board", "chance", "quiescence"],
)
def test_the_search_is_the_same_as_plain_python(game, setting, positions):
    searcher = Searcher(game, setting)
    for state in positions:
        assert_is_minimax(game, state, setting, searcher.search(state, Limits(), deepen=True))


FOLDED = PrincipalVariation(megabytes=1.0)
FOLDINGS = [
    FOLDED,
    replace(FOLDED, symmetry=False),
    replace(FOLDED, megabytes=0.001),
    replace(FOLDED, winning_actions=False),
]
BOARD = Simplexity(3, 4, 3, 3, 3)


def test_mirror_images_share_what_is_known_of_them_and_have_the_value_of_plain_minimax():
    searchers = [Searcher(BOARD, setting) for setting in FOLDINGS]
    for state in random_positions(BOARD, 40, 2, least=5):
        expected = minimax(BOARD, state, distance=FOLDED.discount)
        value = minimax(BOARD, state)
        (image,) = BOARD.symmetries(state)
        for searcher in searchers:
            for position in (state, image.state):  # the second one finds what the first one left
                result = searcher.search(position, Limits(), deepen=True, variation=False)
                assert (result.value, result.exact) == (value, True)
                shown = searcher.algorithm, BOARD.to_text(state)
                assert restated(result, FOLDED.discount) == pytest.approx(expected, abs=1e-9), shown


def test_what_was_found_of_a_position_is_known_of_its_image():
    again = dict.fromkeys(FOLDINGS[:2], 0)
    for setting in again:
        searcher = Searcher(BOARD, setting)
        for state in random_positions(BOARD, 60, 3, least=3, most=5):
            (image,) = BOARD.symmetries(state)
            if image.state != state:
                searcher.memory.clear()
                searcher.search(state, Limits(), variation=False)
                again[setting] += searcher.search(image.state, Limits(), variation=False).statistics.nodes
    folded, unfolded = again.values()
    assert folded < unfolded / 2


def test_a_game_against_itself_goes_on_with_what_the_last_search_knew():
    game = ConnectFour()
    player = make_player("pvs", game, Limits(nodes=30_000))
    player.begin(game, 0, 1)
    before, after = (
        player.choose(game.initial_state(moves), Clock(float("inf"), 0.0)).findings.depth
        for moves in ("", "34")
    )
    assert after > before - 2


# -- several threads -----------------------------------------------------------------------------------------------------

GAME = ConnectFour(4, 4, 3)
ONE = PrincipalVariation(megabytes=0.1, first_of_equals=True)


def test_two_threads_play_the_same_move_as_one_where_the_position_is_solved():
    alone, together = Searcher(GAME, ONE), Searcher(GAME, replace(ONE, threads=2))
    for state in random_positions(GAME, 150, 8):
        player = GAME.current_player(state)
        one, two = (
            searcher.search(state, Limits(), deepen=True, variation=False) for searcher in (alone, together)
        )
        assert one.exact
        assert two.exact
        assert two.value == pytest.approx(one.value, abs=1e-12)
        assert two.best_action(player) == one.best_action(player)


def test_the_second_thread_searches_too():
    game, plain = ConnectFour(), PrincipalVariation(table=False)
    alone, together = (
        Searcher(game, algorithm)
        .search(game.initial_state(), Limits(depth=12), variation=False)
        .statistics.nodes
        for algorithm in (plain, replace(plain, threads=2))
    )
    assert together > alone + 1000  # without a table the first thread visits the same positions as alone


def test_three_threads_end_with_the_deadline_and_the_token():
    game = ConnectFour()
    searcher = Searcher(game, PrincipalVariation(threads=3))
    searcher.search(game.initial_state(), Limits(depth=4))
    threads = threading.active_count()
    begun = time.perf_counter()
    result = searcher.search(game.initial_state(), Limits(seconds=0.3), variation=False)
    assert 0.2 < time.perf_counter() - begun < 5
    assert result.depth >= 4
    token = StopToken()
    threading.Timer(0.2, token.stop).start()
    searcher.search(game.initial_state(), Limits(seconds=60), stop=token, variation=False)
    assert time.perf_counter() - begun < 30
    assert threading.active_count() <= threads + 1  # the timer's thread may still be ending


@jit
def hammer(table, seed, rounds):
    """Write entries whose every word follows from the key, read back what others wrote; returns how much was wrong."""
    wrong, found_some = 0, 0
    for k in range(rounds):
        number = np.int64(mix(np.uint64(k) ^ seed) % np.uint64(64))
        key, lower = mix(np.uint64(number + 1)), (number + 1) / 3.0
        found, low, high, facts = look_up(table, key)
        if found:
            found_some += 1
            if (
                low != lower
                or high != 2.0 * lower
                or proven_in(facts) != 1
                or facts != facts_of(number, 5, 1, 1)
            ):
                wrong += 1
        keep(table, key, lower, 2.0 * lower, number, 5, 1, 1)
    return wrong, found_some


def test_threads_that_write_the_same_entries_never_read_a_mixture():
    table = empty_table(ENTRY, BUCKET, 0.0005)  # few buckets: everybody writes everywhere
    run(hammer, table, np.uint64(1), 10)
    answers = []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(run(hammer, table, np.uint64(n), 1_000_000)))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [wrong for wrong, _ in answers] == [0, 0, 0, 0]
    assert min(found for _, found in answers) > 10_000


@jit
def read(table, key):
    return look_up(table, key)


@jit
def write(table, key, lower, upper, action, depth, age, proven):
    keep(table, key, lower, upper, action, depth, age, proven)


@pytest.mark.plain
def test_a_bucket_keeps_the_deeper_entry_of_this_search_and_what_is_proven():
    table = empty_table(ENTRY, BUCKET, 0.00001)  # one bucket
    assert len(table) == 2
    a, b, c = np.uint64(3), np.uint64(5), np.uint64(7)
    run(write, table, a, -0.5, 0.5, 1, 9, 1, 0)
    run(write, table, b, -0.5, 0.5, 2, 3, 1, 0)
    run(write, table, c, -0.5, 0.5, 3, 2, 1, 0)
    assert run(read, table, a)[0]
    assert not run(read, table, b)[0]  # the other place is anybody's
    assert run(read, table, c)[0]
    run(write, table, b, -0.5, 0.5, 2, 1, 2, 0)  # a new search: old entries give way however deep
    assert not run(read, table, a)[0]
    run(write, table, c, 0.0, 0.0, 3, 2, 2, 1)
    run(write, table, c, -1.0, 1.0, 4, 8, 2, 0)  # not proven: only its action counts
    assert run(read, table, c)[:3] == (True, 0.0, 0.0)
    run(write, table, b, -0.25, np.inf, 2, 1, 2, 0)  # bounds of the same depth are joined
    assert run(read, table, b)[:3] == (True, -0.25, 0.5)
