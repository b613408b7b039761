"""OpenSpiel both ways: its own tests of games on ours, theirs as tables here, equal values where both have a game, players."""

import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.sizes import scaled
from saddlepoint import (
    ConnectFour,
    Game,
    Goofspiel,
    OshiZumo,
    RandomGame,
    Soccer,
    TicTacToe,
    check_game,
    nash_conv,
    solve,
)
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL, GameError
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.policies import SolutionPolicy, UniformPolicy
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import solve_positions

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.interop

from open_spiel.python.algorithms import mcts  # noqa: E402  # pyright: ignore[reportMissingImports]
from open_spiel.python.tests.games_sim_test import GamesSimTest  # noqa: E402  # pyright: ignore[reportMissingImports]

from saddlepoint.interop.open_spiel import (  # noqa: E402
    BotPlayer,
    NotOnePosition,
    OpenSpielRounds,
    OpenSpielTurns,
    as_open_spiel,
    bot_of,
    from_open_spiel,
    walk,
)
from saddlepoint.interop.table_game import MatrixGame, Place, game_of_matrix  # noqa: E402

SHORT = {"battlesnake": "(width=7,height=7,max_rounds=20)", "soccer": "(max_moves=20)"}
OWN = [name for name, entry in GAMES.items() if entry.point is None]
OTHERS = [
    "goofspiel(cards=3,order=3 1 2)",
    "oshi_zumo(coins=4,min_bid=0,horizon=6)",
    "soccer(ball=loose,max_moves=9)",
    "othello(size=4)",
]


def there(name: str) -> Any:
    return pyspiel.load_game(f"saddlepoint_{name}{SHORT.get(name, '')}")


# -- ours there ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*OWN, *OTHERS])
def test_every_game_passes_openspiel_s_tests(name: str) -> None:
    """Theirs of C++ (`random_sim_test`), and those of Python with copies, both ways of writing down, and results."""
    game = there(name)
    np.random.seed(1)  # noqa: NPY002 (theirs draws from it)
    GamesSimTest().sim_game(game)
    pyspiel.random_sim_test(game, num_sims=scaled(3, 1), serialize=True, verbose=False)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        GamesSimTest().sim_game(pyspiel.load_game(f"turn_based_simultaneous_game(game={game})"))


@pytest.mark.parametrize("name", [*OWN, *OTHERS])
def test_a_random_game_is_the_same_there(name: str) -> None:
    game = there(name)
    rules, state, draw = game.rules, game.new_initial_state(), random.Random(5)
    position = rules.initial_state()
    for _ in range(200):
        node = rules.current_player(position)
        assert str(state) == rules.to_text(position)
        assert game.new_initial_state(str(state)).position == position
        assert state.is_terminal() == (node == TERMINAL)
        if node == TERMINAL:
            assert state.returns() == [rules.returns(position), -rules.returns(position)]
            return
        if node == CHANCE:
            outcomes = state.chance_outcomes()
            assert outcomes == sorted(rules.chance_outcomes(position))
            assert max(one for one, _ in outcomes) < game.max_chance_outcomes()
            joint = [draw.choice(outcomes)[0]]
            names = [state.action_to_string(pyspiel.PlayerId.CHANCE, one) for one, _ in outcomes]
            assert len(set(names)) == len(names)
        else:
            own = {player: state.legal_actions(player) for player in rules.players_to_act(position)}
            assert own == {player: sorted(rules.legal_actions(position, player)) for player in own}
            assert all(action < game.num_distinct_actions() for side in own.values() for action in side)
            joint = [draw.choice(side) for side in own.values()]
            for player, side in own.items():
                assert [
                    state.string_to_action(player, state.action_to_string(player, one)) for one in side
                ] == side
        if node == SIMULTANEOUS:
            state.apply_actions(joint)
        else:
            state.apply_action(joint[0])
        position = rules.next_state(position, *joint)


def test_the_kind_of_a_game_is_told() -> None:
    kinds = pyspiel.GameType
    about = {name: there(name).get_type() for name in ("goofspiel", "tic_tac_toe", "tron41")}
    assert {name: one.dynamics for name, one in about.items()} == {
        "goofspiel": kinds.Dynamics.SIMULTANEOUS,
        "tic_tac_toe": kinds.Dynamics.SEQUENTIAL,
        "tron41": kinds.Dynamics.SEQUENTIAL,
    }
    assert about["goofspiel"].chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert about["tic_tac_toe"].chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert {one.information for one in about.values()} == {kinds.Information.PERFECT_INFORMATION}
    assert {one.utility for one in about.values()} == {kinds.Utility.ZERO_SUM}
    game = as_open_spiel(RandomGame())  # results of 0 to 1 here
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)


def test_what_players_see_is_the_position_and_with_perfect_recall_all_moves() -> None:
    state = there("goofspiel(cards=3,order=descending)").new_initial_state()
    state.apply_actions([1, 2])
    assert state.observation_string(0) == state.observation_string(1) == str(state)
    assert state.information_state_string(1) == "1, 2"


def test_joint_actions_have_openspiel_s_numbers() -> None:
    """Checked by its own functions of games in C++, which has them too."""
    ours, theirs = (
        pyspiel.load_game(f"{name}(points_order=descending,num_cards=3)")
        if name == "goofspiel"
        else there("goofspiel(cards=3,order=descending)")
        for name in ("saddlepoint", "goofspiel")
    )
    for number in theirs.new_initial_state().legal_actions():
        states = [game.new_initial_state() for game in (ours, theirs)]
        assert states[0].legal_actions() == states[1].legal_actions()
        for state in states:
            state.apply_action(number)
        assert states[0].legal_actions(0) == states[1].legal_actions(0)
        assert states[0].legal_actions(1) == states[1].legal_actions(1)


@pytest.mark.parametrize(
    "game",
    [Goofspiel(3, "3 1 2"), Goofspiel(1, "1"), make_game("tron", obstacles="1,1 2,2"), Soccer(draw=1.0)],
)
def test_parameters_come_through_as_they_are(game: Game) -> None:
    made = as_open_spiel(game)
    assert made.rules == game
    assert pyspiel.load_game(str(made)).rules == game
    assert pickle.loads(pickle.dumps(made)).rules == game


def test_their_nash_conv_and_cfr_work_on_ours() -> None:
    names = "saddlepoint_goofspiel(cards=3)", "goofspiel(num_cards=3)"
    turns = [pyspiel.convert_to_turn_based(pyspiel.load_game(name)) for name in names]
    values = [pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) for game in turns]
    assert values[0] == pytest.approx(values[1], abs=1e-12)
    assert values[0] == pytest.approx(nash_conv(Goofspiel(3), UniformPolicy(Goofspiel(3))), abs=1e-9)
    solver = pyspiel.CFRPlusSolver(turns[0])
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(turns[0], solver.average_policy(), True) < 0.01


@dataclass(frozen=True)
class Sums(RandomGame):
    """A game with a parameter that is no number and no text."""

    steps: tuple[int, ...] = (1, 2)
    name: ClassVar[str] = "sums"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: pyspiel.load_game("saddlepoint_goofspiel(cards=99)"), "cards must be 1 to 13"),
        (lambda: there("goofspiel").new_initial_state("no position"), "expected 'goofspiel hand0"),
        (lambda: as_open_spiel(Sums()), "OpenSpiel has no parameters such as steps of Sums"),
        (lambda: MatrixGame("1 2; 3"), "matrix takes rows of as many finite numbers"),
        (lambda: game_of_matrix(np.zeros((0, 2))), "matrix takes rows of as many finite numbers"),
        (lambda: game_of_matrix([1.0, 2.0]), "not an array of 1 dimensions"),
        (
            lambda: from_open_spiel("tic_tac_toe", merge="guess"),
            "merge must be text or history",
        ),
        (
            lambda: OpenSpielTurns("matrix_rps"),
            "both players move at once: it is a game of OpenSpielRounds",
        ),
        (lambda: bot_of("best", there("tic_tac_toe"), 2), "player is 0 or 1, not 2"),
        (lambda: bot_of("best", pyspiel.load_game("kuhn_poker"), 0), "hides something"),
    ],
)
def test_what_is_not_there_is_refused(make: Callable[[], object], said: str) -> None:
    with pytest.raises(GameError, match=said):
        make()


def test_a_matrix_game_of_ours_is_one_there() -> None:
    there = as_open_spiel(game_of_matrix([[3.0, 0.1], [1.0, 2.0]]))
    state = there.new_initial_state()
    state.apply_actions([0, 1])
    assert state.returns() == [0.1, -0.1]
    assert (there.min_utility(), there.max_utility()) == (-3.0, 3.0)
    assert MatrixGame("1 2") != MatrixGame("1 3")


# -- theirs here ---------------------------------------------------------------------------------------------------

SAME = {
    "goofspiel(num_cards=4)": Goofspiel(4),
    "goofspiel(num_cards=4,points_order=descending,returns_type=point_difference)": Goofspiel(
        4, "descending", "points"
    ),
    "oshi_zumo(coins=6,min_bid=1)": OshiZumo(6),
    "oshi_zumo(coins=5,horizon=4,size=2)": OshiZumo(5, 2, 0, horizon=4),
    "oshi_zumo(coins=7,horizon=3,min_bid=2,size=1)": OshiZumo(7, 1, 2, horizon=3),
    "tic_tac_toe": TicTacToe(),
    "connect_four(columns=5,rows=3,x_in_row=3)": ConnectFour(5, 3, 3),
    "markov_soccer(horizon=6,grid=...\n.OB\nAO.\n...)": Soccer(3, 4, 0.0, 4, "loose"),
}
UNITS = {"goofspiel(num_cards=4,points_order=descending,returns_type=point_difference)": 2.0}
"""Ours to one of theirs: there each player gets how far its points are above the mean of both."""
STEPS, KICK_OFF = (0, 2, 3, 1, 4), 2
"""Of their soccer: our steps by their numbers, and the first number of an outcome that places the ball."""


def pairs_of(name: str, theirs: OpenSpielTurns | OpenSpielRounds, ours: Game) -> Iterator[tuple[Place, Any]]:
    """Every position of theirs with ours after the same moves, as far as the game goes on in both."""
    is_soccer = name.startswith("markov_soccer")
    known: dict[int, Any] = {0: ours.initial_state()}
    tables = theirs.tables()
    for number in range(len(tables.node)):
        if number > 0:
            before = known.get(int(tables.came_from[number]))
            if before is None or ours.current_player(before) == TERMINAL:
                continue
            joint = [int(one) for one in tables.came_by[number] if one >= 0]
            if is_soccer and ours.current_player(before) == CHANCE:
                joint = [one - KICK_OFF if one >= KICK_OFF else one for one in joint]
            elif is_soccer:
                joint = [STEPS[one] for one in joint]
            known[number] = ours.next_state(before, *joint)
        yield Place(number), known[number]


def test_their_usual_field_of_soccer_is_ours() -> None:
    """Players, ball and steps are in the same places after the same moves."""
    name, ours = "markov_soccer(horizon=5)", Soccer(draw=0.0, max_moves=3, ball="loose")
    theirs = from_open_spiel(name)
    for there, here in list(pairs_of(name, theirs, ours))[::20]:
        assert str(theirs.state_there(there)).replace("O", "o").split("\n")[:4] == ours.rows(here)


@pytest.mark.parametrize("name", SAME)
def test_both_have_the_same_value_in_every_position(name: str) -> None:
    """Not in the start alone, where many games are worth 0: in every position that moves lead to."""
    theirs, ours = from_open_spiel(name), SAME[name]
    solutions = [solve(theirs), Solution.of(solve_positions(ours))]  # `solve` leaves out a limit of moves
    values = np.array(
        [
            [one.value_of(state) for one, state in zip(solutions, pair)]
            for pair in pairs_of(name, theirs, ours)
        ]
    )
    values[:, 0] *= UNITS.get(name, 1.0)
    assert len(values) > 50
    assert np.abs(values[:, 0] - values[:, 1]).max() < 1e-9
    assert np.unique(np.round(values[:, 0], 6)).size > 2
    assert nash_conv(theirs, SolutionPolicy(solutions[0])) < 1e-9


def test_matrix_games_are_games_here() -> None:
    game = from_open_spiel("matrix_rps")
    assert isinstance(game, OpenSpielRounds)
    stage = solve(game).at(game.initial_state())
    assert stage.value == pytest.approx(0.0, abs=1e-12)
    assert stage.strategies[0] == pytest.approx(dict.fromkeys(range(3), 1 / 3))
    assert [game.action_to_string(Place(0), 0, action) for action in range(3)] == [
        "Rock",
        "Paper",
        "Scissors",
    ]


def test_a_game_of_theirs_keeps_what_a_game_promises() -> None:
    for name in (
        "tic_tac_toe",
        "oshi_zumo(coins=5,min_bid=1)",
        "goofspiel(num_cards=3)",
        "pig(horizon=8,winscore=4)",
    ):
        check_game(from_open_spiel(name), playouts=5)
    check_game(game_of_matrix([[1.0, -2.0, 0.5]]), playouts=3)


def test_chance_keeps_its_probabilities() -> None:
    """The value of a small game of dice by a second program, straight from their states."""

    def value(state: Any) -> float:
        if state.is_terminal():
            return state.returns()[0]
        if state.is_chance_node():
            return sum(share * value(state.child(action)) for action, share in state.chance_outcomes())
        after = [value(state.child(action)) for action in state.legal_actions()]
        return max(after) if state.current_player() == 0 else min(after)

    name = "pig(diceoutcomes=3,horizon=8,winscore=4)"
    assert solve(from_open_spiel(name)).value == pytest.approx(
        value(pyspiel.load_game(name).new_initial_state()), abs=1e-12
    )


class Secret(pyspiel.State):
    """A position whose text leaves out the first move, which decides the game."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.moves: tuple[int, ...] = ()

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else len(self.moves) % 2

    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1]

    def _apply_action(self, action: int) -> None:
        self.moves = (*self.moves, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return len(self.moves) == 4

    def returns(self) -> list[float]:
        result = float(2 * self.moves[0] - 1) if self.is_terminal() else 0.0
        return [result, -result]

    def __str__(self) -> str:
        return str(len(self.moves))


class SecretGame(pyspiel.Game):
    def __init__(self, params: Any = None) -> None:
        super().__init__(SECRET, pyspiel.GameInfo(2, 0, 2, -1.0, 1.0, 0.0, 4), params or {})

    def new_initial_state(self) -> Secret:
        return Secret(self)


SECRET = pyspiel.GameType(
    "text_with_a_secret",
    "Text with a secret",
    pyspiel.GameType.Dynamics.SEQUENTIAL,
    pyspiel.GameType.ChanceMode.DETERMINISTIC,
    pyspiel.GameType.Information.PERFECT_INFORMATION,
    pyspiel.GameType.Utility.ZERO_SUM,
    pyspiel.GameType.RewardModel.TERMINAL,
    2,
    2,
    False,
    False,
    False,
    False,
)
pyspiel.register_game(SECRET, SecretGame)


def test_texts_that_leave_something_out_are_noticed() -> None:
    with pytest.raises(NotOnePosition, match="have the same text and play differently, .*merge='history'"):
        from_open_spiel("text_with_a_secret")
    assert solve(from_open_spiel("text_with_a_secret", merge="history")).value == 1.0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("kuhn_poker", "kuhn_poker hides something from a player, and games here hide nothing"),
        ("goofspiel(imp_info=True,num_cards=3)", "hides something from a player, .*: give imp_info=False"),
        ("matrix_pd", "matrix_pd is not zero-sum, and games here are"),
        ("pig(players=3)", "pig has 3 players, and games here have two: give players=2"),
        ("2048", "2048 has 1 players"),
        ("no_game_of_this_name", "OpenSpiel does not load 'no_game_of_this_name'"),
        (
            "connect_four",
            "has more than 500 positions: take a smaller one by its parameters, or allow more with most=",
        ),
    ],
)
def test_a_game_that_is_none_of_ours_is_refused_in_a_sentence(name: str, said: str) -> None:
    with pytest.raises(GameError, match=said) as told:
        from_open_spiel(name, most=500)
    assert "\n" not in str(told.value)


def test_too_many_positions_are_seen_before_any_two_are_played_on_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game of backgammon is hundreds of moves long, each with dozens of answers to 21 throws."""
    tried = list[Any]()
    monkeypatch.setattr(walk, "_try_both", lambda *both: tried.append(both))
    with pytest.raises(GameError, match="backgammon.* has more than 200 positions"):
        from_open_spiel("backgammon", most=200)
    assert not tried


def test_two_positions_are_played_on_without_all_that_chance_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position of chance is known by all that follows from it, which is asked where two are taken for one, and no more on the way."""
    start = pyspiel.load_game("backgammon").new_initial_state()
    asked, following = list[Any](), walk._Met.next
    monkeypatch.setattr(walk._Met, "next", lambda self: asked.append(self) or following(self))
    walk._try_both(walk._Met(start), walk._Met(start), random.Random(1))
    assert len(asked) <= 2


@pytest.mark.parametrize("name", SAME)
def test_its_name_says_all_of_it(name: str) -> None:
    assert str(pyspiel.load_game(from_open_spiel(name).game)) == str(pyspiel.load_game(name))


def test_it_says_how_far_it_is() -> None:
    told: list[int] = []
    from_open_spiel("connect_four(columns=4,rows=3)", on_progress=told.append)
    assert len(told) > 3
    assert told == sorted(told)


def test_its_class_makes_it_anew_from_its_parameters() -> None:
    game = OpenSpielTurns("nim(pile_sizes=1;2)")
    assert game == OpenSpielTurns(game="nim(pile_sizes=1;2)")
    assert game != OpenSpielTurns("nim(pile_sizes=1;3)")
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert solve(again).value == solve(game).value
    with pytest.raises(GameError, match="positions, and '\\(99,\\)' is none of them|has \\d+ positions"):
        game.from_text("(99,)")
    state = game.next_state(game.initial_state(), game.legal_actions(game.initial_state(), 0)[0])
    assert game.from_text(game.to_text(state)) == state
    assert game.render(state) == str(game.state_there(state))


MATRICES = [[[1.0, -1.0], [-1.0, 1.0]], [[3.0, -1.0], [-1.0, 1.0]]]
TREE = 'EFG 2 R "x" {{ "P0" "P1" }} ""\np "" 1 1 "" {{ "a" "b" }} 0\nt "" 1 "o1" {{ {0} -{0} }}\nt "" 2 "o2" {{ -1.0 1.0 }}\n'


def matrix_there(matrix: list[list[float]], name: str = "m") -> Any:
    return pyspiel.create_matrix_game(
        name, "", ["a", "b"], ["c", "d"], matrix, [[-one for one in row] for row in matrix]
    )


def test_games_that_have_the_same_name_there_are_told_apart() -> None:
    """As those are that were loaded from texts; each plays by its own tables, and shows its own states."""
    trees = [from_open_spiel(pyspiel.load_efg_game(TREE.format(worth))) for worth in (2.0, 5.0)]
    assert {game.game for game in trees} == {"efg_game()"}
    assert [solve(game).value for game in trees] == [2.0, 5.0]
    rounds = [
        from_open_spiel(matrix_there(matrix), on_progress=told)
        for matrix in MATRICES
        for told in (None, lambda count: None)
    ]
    assert [game.returns(game.next_state(Place(0), 0, 0)) for game in rounds] == [1.0, 1.0, 3.0, 3.0]
    assert trees[0] != trees[1] and rounds[0] == rounds[1] != rounds[2] == rounds[3]
    for game, worth in zip([*trees, rounds[0], rounds[2]], (2.0, 5.0, 1.0, 3.0), strict=True):
        assert game.state_there(Place(1)).returns()[0] == worth
        assert game.action_to_string(Place(0), 0, 0) == "a"


def test_a_game_is_made_anew_by_its_name_only_where_that_is_the_same_game() -> None:
    usual, other = from_open_spiel("matrix_mp"), from_open_spiel(matrix_there(MATRICES[1], "matrix_mp"))
    assert usual.game == other.game and usual != other
    assert (
        from_open_spiel(pyspiel.load_game("matrix_mp"))
        == usual
        == OpenSpielRounds("matrix_mp()", digest=usual.digest)
    )
    with pytest.raises(
        GameError,
        match=rf"OpenSpiel has another game by the name 'matrix_mp\(\)' than .* digest {other.digest}:",
    ):
        OpenSpielRounds(other.game, digest=other.digest)


def test_an_error_without_a_text_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(name: str) -> Any:
        raise ValueError

    monkeypatch.setattr(pyspiel, "load_game", fails)
    with pytest.raises(GameError, match="OpenSpiel does not load 'nothing_at_all': ValueError"):
        from_open_spiel("nothing_at_all")


# -- players -------------------------------------------------------------------------------------------------------


def their_search(game: Any, player: int) -> Any:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    return mcts.MCTSBot(game, 1.4, 30, evaluator, random_state=np.random.RandomState(player))


@pytest.mark.parametrize("game", [TicTacToe(), pytest.param("nim(pile_sizes=1;2;3)", id="nim")])
def test_a_bot_plays_here(game: Any) -> None:
    rules = from_open_spiel(game) if isinstance(game, str) else game
    for seed in range(3):
        played = play_game(rules, [BotPlayer(their_search), make_player("random", rules)], seed=seed)
        assert played.faults == (None, None)
        assert played.result in (-1.0, 0.0, 1.0)


def test_a_bot_plays_where_both_move_at_once() -> None:
    for rules in (Goofspiel(3), from_open_spiel("goofspiel(num_cards=3)")):
        assert play_game(
            rules,
            [BotPlayer(lambda there, player: pyspiel.make_uniform_random_bot(player, 7)) for _ in range(2)],
            seed=3,
        ).faults == (None, None)


def test_a_bot_of_theirs_gets_the_game_s_seed_where_it_takes_one() -> None:
    told: list[int | None] = []

    def seeded(there: Any, player: int, seed: int | None) -> Any:
        told.append(seed)
        return pyspiel.make_uniform_random_bot(player, (seed or 0) % 2**31)

    for seed in (3, 3, 4):
        game = TicTacToe()
        assert play_game(game, [BotPlayer(seeded), make_player("random", game)], seed=seed).faults == (
            None,
            None,
        )
    assert told[0] is not None and told[0] == told[1] != told[2]


def test_each_game_of_our_bot_has_a_seed_of_its_own() -> None:
    """Two bots with one seed agree, game by game; a restart draws anew."""
    game = as_open_spiel(Goofspiel(8, "descending"))

    def games(seed: int) -> list[list[int]]:
        bot = bot_of("random", game, 0, seed=seed)
        played = []
        for _ in range(4):
            bot.restart()
            played.append([bot.step(game.new_initial_state()) for _ in range(12)])
        bot.close()
        return played

    first = games(5)
    assert first == games(5) != games(6)
    assert len({tuple(actions) for actions in first}) == 4


def test_what_is_wrong_with_a_bot_is_its_fault() -> None:
    class Broken(pyspiel.Bot):
        def restart(self) -> None:
            pass

        def step(self, state: Any) -> int:
            raise ValueError("no idea")

    played = play_game(
        TicTacToe(), [BotPlayer(lambda there, player: Broken()), make_player("random", TicTacToe())], seed=1
    )
    assert played.result == -1.0
    assert "the bot failed: ValueError: no idea" in str(played.faults[0])


def test_their_compiled_search_is_refused_where_it_would_end_the_program() -> None:
    def compiled(there: Any, player: int) -> Any:
        return pyspiel.MCTSBot(there, pyspiel.RandomRolloutEvaluator(1, 0), 1.4, 20, 10, False, 0, False)

    played = play_game(TicTacToe(), [BotPlayer(compiled), make_player("random", TicTacToe())], seed=1)
    assert "ends the program in a game that is written in Python" in str(played.faults[0])
    theirs = from_open_spiel("tic_tac_toe")
    assert play_game(theirs, [BotPlayer(compiled), make_player("random", theirs)], seed=1).faults == (
        None,
        None,
    )


@pytest.mark.parametrize(
    "name",
    [
        "saddlepoint_tic_tac_toe",
        "saddlepoint_oshi_zumo(coins=5)",
        "tic_tac_toe",
        "goofspiel(num_cards=3)",
        "nim(pile_sizes=1;2)",
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_of_ours_is_a_bot_there(seat: int, name: str) -> None:
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 5) for player in (0, 1)]
    bots[seat] = bot_of("best", game, seat, seconds=0.5, seed=1)
    results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[seat] for seed in range(6)]
    assert bots[seat].player_id() == seat
    bots[seat].close()
    if "tic_tac_toe" in name:
        assert min(results) >= 0.0
