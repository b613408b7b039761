"""Batches of games: the games' own transitions, the same games from the same seed, nothing half done; the examples of the page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.page_examples import block_after, run_examples
from helpers.programs import output_of
from helpers.random_trees import MIXED, RandomGame
from helpers.sizes import scaled
from helpers.small_games import Guess
from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError, IllegalActionError, kernel
from saddlepoint.compiled.words import words_of_state
from saddlepoint.games import Goofspiel, LightRiders, TicTacToe
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.interop import BatchEnv
from saddlepoint.system.terminal import how_to_install

UNDERCUT = Path(__file__).parents[2] / "examples" / "undercut.py"


def after_chance(game: Game, state: Any) -> dict[tuple[int, ...], Any]:
    """The positions in which somebody moves, or the game is over, that chance may make of one."""
    found, waiting = {}, [state]
    while waiting:
        one = waiting.pop()
        if game.current_player(one) == CHANCE:
            waiting += [
                game.next_state(one, outcome) for outcome, share in game.chance_outcomes(one) if share > 0.0
            ]
        else:
            found[tuple(words_of_state(one))] = one
    return found


def check_transitions(
    game: Game, steps: int, count: int = 3, observations: str = "words", starts: Sequence[Any] = ()
) -> None:
    """Random games of a batch beside the game's own methods: positions, who moves, legal actions, results, and the planes."""
    batch = BatchEnv(game, count, seed=3, auto_reset=False, observations=observations, starts=starts)
    over = 0
    for _ in range(steps):
        before = [batch.state(number) for number in range(count)]
        movers, masks = batch.movers.copy(), batch.masks.copy()
        for number, state in enumerate(before):
            assert movers[number] == game.current_player(state)
            for side, row in enumerate(masks[number] if batch.sides == 2 else masks[number][None]):
                assert np.nonzero(row)[0].tolist() == sorted(
                    game.legal_actions(state, side if batch.sides == 2 else int(movers[number]))
                )
            if batch.planes is not None:
                for player in (0, 1):
                    board = np.zeros(game.plane_shape, np.uint8)
                    game.plain.planes(state, player, board)
                    assert (batch.planes[number, player] == board).all()
        actions = batch.random_actions().copy()
        step = batch.step(actions)
        for number, state in enumerate(before):
            if movers[number] == TERMINAL:
                assert words_of_state(batch.state(number)) == words_of_state(state)
                continue
            given = [int(one) for one in np.atleast_1d(actions[number]) if one >= 0]
            possible = after_chance(game, game.next_state(state, *given))
            now = possible[
                tuple(
                    words_of_state(
                        batch.state(number) if not step.ended[number] else batch.last_state(number)
                    )
                )
            ]
            assert bool(step.ended[number]) == (game.current_player(now) == TERMINAL)
            assert step.rewards[number] == (game.returns(now) if step.ended[number] else 0.0)
        over += int(step.ended.sum())
        again = step.movers == TERMINAL
        if again.any():
            batch.reset(where=again)
    assert over or steps < game.max_depth


@pytest.mark.plain
@pytest.mark.parametrize(
    "game",
    [TicTacToe(), pytest.param(Guess(), marks=pytest.mark.compiles_long), Goofspiel(3)],
    ids=lambda game: type(game).__name__,
)
def test_a_batch_plays_by_the_games_rules(game: Game) -> None:
    check_transitions(game, 12)


@pytest.mark.plain
def test_positions_of_every_kind_in_one_game() -> None:
    """Both move, one of them, or chance, several times in a row too."""
    game = RandomGame()
    check_transitions(
        game, 40, 8, starts=[game.initial_state(seed=seed, depth=6, kinds=MIXED) for seed in range(20)]
    )


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("entry", GAMES.values(), ids=lambda entry: entry.name)
def test_every_game_of_the_library_in_a_batch(entry: Any) -> None:
    game = entry.game_class()
    check_transitions(game, scaled(60, 12), observations="planes" if game.has_planes else "words")


@pytest.mark.compiles_long
@pytest.mark.plain
def test_a_game_in_a_file_of_ones_own() -> None:
    batch = BatchEnv(f"{UNDERCUT}:Undercut", 4, seed=1)
    assert batch.masks.shape == (4, 2, batch.actions)
    assert batch.states.tolist() == [words_of_state(batch.game.initial_state())] * 4
    check_transitions(batch.game, 6)


def played(batch: BatchEnv, steps: int) -> list[Any]:
    """What is seen in so many random steps."""
    found = []
    for _ in range(steps):
        step = batch.step(batch.random_actions())
        found.append((step.observations.copy(), step.rewards.copy(), step.ended.copy()))
    return [np.stack(part) for part in zip(*found, strict=True)]


@pytest.mark.plain
def test_the_same_seed_plays_the_same_games_whatever_the_batch_is_split_into() -> None:
    game = Goofspiel(3)
    whole = played(BatchEnv(game, 10, seed=5), 9)
    one, two = played(BatchEnv(game, 4, seed=5), 9), played(BatchEnv(game, 6, seed=5, first=4), 9)
    for all_, left, right in zip(whole, one, two, strict=True):
        assert (all_ == np.concatenate([left, right], axis=1)).all()
    assert (played(BatchEnv(game, 10, seed=6), 9)[0] != whole[0]).any()
    again = BatchEnv(game, 10, seed=6)
    again.reset(seed=5)
    assert (played(again, 9)[0] == whole[0]).all()


@pytest.mark.plain
def test_a_game_that_ends_begins_again_in_the_same_step_and_its_last_position_is_kept() -> None:
    game = LightRiders(6, 5)
    batch = BatchEnv(game, 50, seed=1, observations="planes", starts=game.starts())
    starts = {tuple(words_of_state(state)) for state in game.starts()}
    ends = 0
    for _ in range(20):
        step = batch.step(batch.random_actions())
        for number in np.nonzero(step.ended)[0]:
            assert tuple(words_of_state(batch.state(number))) in starts
            last = batch.last_state(number)
            assert game.current_player(last) == TERMINAL and game.returns(last) == step.rewards[number]
            board = np.zeros(game.plane_shape, np.uint8)
            game.plain.planes(last, 1, board)
            assert (batch.last_observations[number, 1] == board).all()
            ends += 1
        assert (step.movers == SIMULTANEOUS).all()
    assert ends > 20
    assert len({tuple(row) for row in batch.reset().reshape(50, -1).tolist()}) > 1


@pytest.mark.plain
def test_an_illegal_action_is_refused_before_anything_changes() -> None:
    batch = BatchEnv(TicTacToe(), 5, seed=1)
    batch.step(np.full(5, 4))
    before = batch.states.copy()
    for action in (4, 9, -1, 10**15):
        with pytest.raises(IllegalActionError) as caught:
            batch.step(np.array([0, 1, action, action, 2]))
        assert str(caught.value) == (
            f"game 2 of the batch: {action} is not a legal action of player 1; legal: 0, 1, 2, 3, 5, 6, 7, 8"
        )
        assert (batch.states == before).all()
    batch.step(np.array([0, 1, 4, 4, 2]), where=np.array([True, True, False, False, True]))
    assert (batch.states[2:4] == before[2:4]).all() and (batch.states[:2] != before[:2]).any(axis=1).all()


@pytest.mark.plain
def test_what_ended_may_be_handed_back_as_what_is_wanted() -> None:
    batch = BatchEnv(Guess(), 3, seed=1, auto_reset=False)
    batch.step(np.zeros((3, 2), np.int64))
    step = batch.step(np.array([[0, 2], [2, 0], [1, 1]]))
    assert step.ended.all() and step.rewards.tolist() == [-1.0, 1.0, 0.0]
    last = batch.last_states.copy()
    batch.reset(where=step.ended)
    assert (
        batch.rewards.tolist() == [-1.0, 1.0, 0.0] and batch.ended.all() and (batch.last_states == last).all()
    )
    batch.step(np.zeros((3, 2), np.int64), where=batch.ended)
    assert batch.states[:, 0].tolist() == [1, 1, 1] and not batch.ended.any()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("actions", "said"),
    [
        (
            np.zeros(4, np.int64),
            r"actions are whole numbers of the shape \(4, 2\), not int64 of the shape \(4,\)",
        ),
        (np.zeros((4, 2)), r"not float64 of the shape"),
        (np.zeros((4, 2), bool), r"not bool of the shape"),
    ],
)
def test_actions_of_the_wrong_kind_are_refused(actions: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        BatchEnv(Guess(), 4).step(actions)


def over() -> Any:
    """A game of Tic-tac-toe that player 0 has won."""
    state = TicTacToe().initial_state()
    for cell in (0, 3, 1, 4, 2):
        state = TicTacToe().next_state(state, cell)
    return state


RIDERS = LightRiders(6, 5)
NO_START = "a start is a position of TicTacToe, not "


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "count", "options", "said"),
    [
        (TicTacToe(), 0, {}, "1 game or more"),
        (TicTacToe(), 1, {"observations": "pixels"}, "words or planes, not 'pixels'"),
        (Guess(), 1, {"observations": "planes"}, "Guess has no planes: take other observations"),
        (TicTacToe(), 1, {"starts": [3]}, f"{NO_START}3"),
        (TicTacToe(), 1, {"starts": [over()._replace(crosses=np.uint64(1 << 40))]}, f"{NO_START}State"),
        (TicTacToe(), 1, {"starts": [over()._replace(noughts=np.uint64(7))]}, f"{NO_START}State"),
        (TicTacToe(), 1, {"starts": [LightRiders(4, 4).initial_state()]}, f"{NO_START}State"),
        (
            RIDERS,
            1,
            {"starts": [RIDERS.initial_state()._replace(head0=500)]},
            "a start is a position of LightRiders, not State",
        ),
        (TicTacToe(), 1, {"starts": [over()]}, "a batch cannot start where the game is over"),
        ("nothing", 1, {}, "no game is called 'nothing'"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_in_a_sentence(
    game: Any, count: int, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        BatchEnv(game, count, **options)


@pytest.mark.plain
def test_which_games_begin_again_is_told_by_a_mask() -> None:
    with pytest.raises(ValueError, match=r"where is an array of bool of the shape \(2,\)"):
        BatchEnv(TicTacToe(), 2).reset(where=[True])


class Beyond(Guess):
    """Its actions are larger than it says."""

    name: ClassVar[str] = "beyond"

    @kernel
    def legal_actions(self, state, player, out):
        out[0] = 7
        return 1


class Spread(Guess):
    """Its planes are larger than it says."""

    name: ClassVar[str] = "spread"
    plane_shape: ClassVar[Any] = (1, 1, 1)

    @kernel
    def planes(self, state, player, out):
        out[0, 0, 1] = 1


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "observations", "said"),
    [
        (
            Beyond(),
            "words",
            "Beyond has legal actions beyond 2: set distinct_actions to the greatest one and 1",
        ),
        (
            Spread(),
            "planes",
            r"Spread.planes does not fit plane_shape, \(1, 1, 1\): index 1 is out of bounds",
        ),
    ],
)
def test_what_is_larger_than_the_game_says_is_told(game: Game, observations: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        BatchEnv(game, 2, observations=observations)


@pytest.mark.slow
def test_importing_the_library_loads_none_of_the_others() -> None:
    code = "import sys, saddlepoint.interop.batch, saddlepoint.interop.nashpy\n"
    code += "print({'gymnasium', 'pettingzoo', 'pyspiel', 'nashpy'} & set(sys.modules))"
    assert output_of("-c", code) == "set()\n"


ASKED_LATER = """\
    from saddlepoint import OshiZumo, solve
    game = OshiZumo(2, 1)
    saddlepoint.interop.nashpy.of_solution(solve(game), game.initial_state())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "package", "more"),
    [
        ("gymnasium", "gymnasium", ""),
        ("pettingzoo", "pettingzoo", ""),
        ("open_spiel", "pyspiel", ""),
        ("nashpy", "nashpy", ASKED_LATER),
    ],
)
def test_what_needs_a_library_that_is_missing_says_how_to_install_it(
    name: str, package: str, more: str
) -> None:
    """In a process in which there is no such library."""
    code = f"import sys\nsys.modules[{package!r}] = None\ntry:\n    import saddlepoint.interop.{name}\n{more}"
    code += "except ImportError as error:\n    print(error)\n"
    said = f"saddlepoint.interop.{name} needs the package {name}: {how_to_install(name)}\n"
    assert output_of("-c", code) == said


# -- the page ------------------------------------------------------------------------------------------------------------


@pytest.mark.compiles_long
def test_the_examples_of_batches_run() -> None:
    run_examples("interop.md", "Many games at once")


@pytest.mark.compiles_long
def test_the_planes_of_a_game_of_ones_own_are_those_that_it_shows(tmp_path: Path) -> None:
    """The page's lines in a class of a file of one's own, whose positions are those of Tic-tac-toe."""
    lines = block_after("interop.md", "A game of your own gets them by a shape and a kernel")
    imports = "from dataclasses import dataclass\n\nimport numpy as np\n\nfrom saddlepoint import TicTacToe, kernel\n"
    file = tmp_path / "mine.py"
    file.write_text(f"{imports}\n\n@dataclass(frozen=True)\nclass Mine(TicTacToe):\n{lines}")
    assert "def planes(" in file.read_text()
    ours, own = (BatchEnv(game, 20, seed=1, observations="planes") for game in (TicTacToe(), f"{file}:Mine"))
    assert type(own.game).kernels["planes"] is not TicTacToe.kernels["planes"]
    for _ in range(6):
        actions = ours.random_actions()
        assert (ours.step(actions).observations == own.step(actions).observations).all()
    assert np.unique(own.observations).tolist() == [0, 1]
