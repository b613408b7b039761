"""The Gymnasium environments: its own checks, and that what they play are the game's own moves."""

import warnings
from typing import Any, ClassVar

import numpy as np
import pytest

from helpers.small_games import Guess
from saddlepoint.compiled import kernel
from saddlepoint.compiled.states import state_from_values
from saddlepoint.compiled.words import words_of_state
from saddlepoint.game.base import TERMINAL, GameError
from saddlepoint.games import ConnectFour, Goofspiel, LightRiders, OshiZumo, Othello, TicTacToe
from saddlepoint.players.base import Player

gymnasium = pytest.importorskip(
    "gymnasium", reason="Gymnasium is not installed: make test-interop installs it and tries this"
)

from gymnasium.utils.env_checker import check_env  # noqa: E402

from saddlepoint.interop.gymnasium import GameEnv  # noqa: E402
from saddlepoint.interop.gymnasium_vector import GameVectorEnv  # noqa: E402

pytestmark = pytest.mark.interop

CROSSES = TicTacToe()

GAMES = [LightRiders(6, 5), Goofspiel(4), OshiZumo(), TicTacToe(), ConnectFour(), Othello(4), Guess()]


def checked(environment: Any) -> None:
    """Gymnasium's check without the hint to take a registered environment."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Not able to test alternative render modes.*")
        check_env(environment)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_gymnasiums_check_is_passed(game: Any, side: int) -> None:
    checked(GameEnv(game, side=side))


@pytest.mark.parametrize("observations", ["planes", "bits", "words"])
def test_every_kind_of_observation_is_passed(observations: str) -> None:
    checked(GameEnv(TicTacToe(), observations=observations))


@pytest.mark.parametrize(
    "game", ["light_riders(width=6, height=5)", LightRiders(6, 5)], ids=["name", "object"]
)
def test_it_is_made_by_its_name_and_renders_in_every_mode(game: Any) -> None:
    made = gymnasium.make(
        "saddlepoint.interop.gymnasium:saddlepoint/Game-v0",
        game=game,
        opponent="random",
        render_mode="rgb_array",
    )
    assert made.unwrapped.game == LightRiders(6, 5)
    checked(made.unwrapped)
    made.reset(seed=1)
    pixels = made.render()
    assert (pixels.shape, pixels.dtype) == ((5 * 24, 6 * 24, 3), np.uint8)
    made.close()


def test_a_search_as_the_opponent_of_a_random_agent_wins() -> None:
    played = GameEnv("tic_tac_toe", opponent="best", side=1)
    rewards = []
    for seed in range(5):
        _, info = played.reset(seed=seed)
        played.action_space.seed(seed)
        over = False
        while not over:
            _, reward, over, _, info = played.step(played.action_space.sample(info["action_mask"]))
        rewards.append(reward)
    played.close()
    assert sum(rewards) <= -3 and 1 not in rewards


def test_the_other_side_moves_by_the_rules_until_the_agent_has_a_choice() -> None:
    played = GameEnv(CROSSES, side=1)
    _, info = played.reset(seed=3)
    while True:
        before = played.state
        assert CROSSES.current_player(before) == 1
        assert np.nonzero(info["action_mask"])[0].tolist() == CROSSES.legal_actions(before, 1)
        action = int(np.nonzero(info["action_mask"])[0][0])
        _, reward, over, truncated, info = played.step(action)
        after = CROSSES.next_state(before, action)
        possible = (
            [after]
            if CROSSES.current_player(after) == TERMINAL
            else [CROSSES.next_state(after, a) for a in CROSSES.legal_actions(after, 0)]
        )
        assert played.state in possible and not truncated
        if over:
            assert reward == -CROSSES.returns(played.state)
            break
        assert reward == 0.0


def test_an_illegal_action_loses_and_a_finished_game_is_not_played_on() -> None:
    played = GameEnv(TicTacToe(), side=1)
    _, info = played.reset(seed=1)
    taken = int(np.nonzero(info["action_mask"] == 0)[0][0])
    _, reward, over, _, info = played.step(taken)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert not played.action_masks().any()
    with pytest.raises(GameError, match="the game is over: call reset"):
        played.step(0)


@pytest.mark.parametrize("written", [False, True], ids=["a position", "its text"])
def test_it_begins_where_it_is_told_to(written: bool) -> None:
    start = CROSSES.next_state(CROSSES.initial_state(), 4)
    played = GameEnv(CROSSES, side=1)
    played.reset(options={"start": CROSSES.to_text(start) if written else start})
    assert played.state == start


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"side": 2}, "side is 0 or 1, not 2"),
        ({"observations": "pixels"}, "observations are planes, bits or words, not 'pixels'"),
        ({"render_mode": "human"}, "render_mode is ansi or rgb_array, not 'human'"),
        ({"opponent": "nobody"}, "no player is called 'nobody'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        GameEnv(TicTacToe(), **options)


@pytest.mark.parametrize("action", [4.0, 3.7, True, "4", np.zeros(2, np.int64)])
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    played = GameEnv(TicTacToe())
    played.reset(seed=1)
    with pytest.raises(ValueError, match="an action is a whole number, not"):
        played.step(action)
    assert played.step(np.int64(4))[2] is False


class Watched(Player):
    """Notes when its games begin and end."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def begin(self, game: Any, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self.told.append("begins")

    def choose(self, state: Any, clock: Any) -> Any:
        return self.game.legal_actions(state, self.player)[0]

    def end(self, result: float) -> None:
        self.told.append(result)


def test_the_opponent_s_games_end_before_others_begin() -> None:
    opponent = Watched()
    played = GameEnv(TicTacToe(), opponent)
    played.reset(seed=1)
    played.step(8)
    played.reset()
    for cell in (3, 4, 5):
        played.step(cell)
    assert opponent.told == ["begins", 0.0, "begins", 1.0]
    played.reset()
    played.close()
    played.close()
    assert opponent.told == ["begins", 0.0, "begins", 1.0, "begins", 0.0]


class OneSided(Guess):
    """Player 1 never has a choice."""

    name: ClassVar[str] = "one_sided"

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else 0


def test_a_side_that_never_has_a_choice_is_told() -> None:
    opponent = Watched()
    said = "OneSided: player 1 never has a choice in the game that begins here"
    with pytest.raises(GameError, match=said):
        GameEnv(OneSided(), opponent, side=1).reset(seed=1)
    assert opponent.told[::2] == ["begins"] * 1000 and len(opponent.told) == 2000
    with pytest.raises(GameError, match=said):
        GameVectorEnv(OneSided(), 3, side=1).reset(seed=1)


# -- many games at once -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_vector_of_games_keeps_to_gymnasiums_interface(game: Any, side: int) -> None:
    envs = GameVectorEnv(game, 20, side=side)
    seen, infos = envs.reset(seed=2)
    envs.action_space.seed(1)
    ends, draw = 0, np.random.default_rng(1)
    for _ in range(40):
        assert seen in envs.observation_space
        assert infos["action_mask"].any(axis=1).all()
        actions = np.array([draw.choice(np.nonzero(mask)[0]) for mask in infos["action_mask"]])
        before = seen.copy()
        now, rewards, ended, truncated, infos = envs.step(actions)
        assert (seen == before).all(), "what was returned is not written over"
        assert not truncated.any() and not infos["illegal"].any()
        assert (rewards[~ended] == 0.0).all() and (
            abs(rewards) <= max(abs(game.min_utility), game.max_utility)
        ).all()
        if ended.any():
            assert (infos["_final_obs"] == ended).all()
            for number in np.nonzero(ended)[0]:
                assert infos["final_obs"][number] in envs.single_observation_space
        ends, seen = ends + int(ended.sum()), now
    assert ends > 0
    envs.close()


@pytest.mark.parametrize("side", [0, 1])
def test_a_vector_plays_by_the_rules(side: int) -> None:
    """Each step is the agent's move and, unless that ended the game, one of the other side's; an ended game begins again."""

    def answered(state: Any) -> list[Any]:
        is_over = CROSSES.current_player(state) == TERMINAL
        return (
            [state]
            if is_over
            else [CROSSES.next_state(state, a) for a in CROSSES.legal_actions(state, 1 - side)]
        )

    def words(states: list[Any]) -> list[list[int]]:
        return [words_of_state(state) for state in states]

    starts = words([CROSSES.initial_state()] if side == 0 else answered(CROSSES.initial_state()))
    envs = GameVectorEnv(CROSSES, 30, side=side, observations="words")
    seen, infos = envs.reset(seed=4)
    results = set()
    for _ in range(15):
        states = [
            state_from_values(type(CROSSES.initial_state()), tuple(np.uint64(word) for word in row))
            for row in seen
        ]
        actions = np.array([CROSSES.legal_actions(state, side)[-1] for state in states])
        assert all(
            np.nonzero(mask)[0].tolist() == CROSSES.legal_actions(state, side)
            for mask, state in zip(infos["action_mask"], states)
        )
        seen, rewards, ended, _, infos = envs.step(actions)
        for number, state in enumerate(states):
            possible = answered(CROSSES.next_state(state, int(actions[number])))
            now = infos["final_obs"][number] if ended[number] else seen[number]
            found = possible[words(possible).index(now.tolist())]
            assert bool(ended[number]) == (CROSSES.current_player(found) == TERMINAL)
            if ended[number]:
                assert rewards[number] == CROSSES.returns(found) * (1 - 2 * side)
                assert seen[number].tolist() in starts
                results.add(float(rewards[number]))
    assert {1.0, -1.0} <= results


def test_the_same_seed_is_the_same_again() -> None:
    found = []
    for _ in range(2):
        envs = GameVectorEnv(Goofspiel(4), 10)
        _, infos = envs.reset(seed=5)
        steps = []
        for _ in range(10):
            seen, rewards, _, _, infos = envs.step(np.argmax(infos["action_mask"], axis=1))
            steps.append((seen, rewards))
        found.append([np.stack(part) for part in zip(*steps, strict=True)])
    assert all((one == other).all() for one, other in zip(*found, strict=True))


def test_in_a_vector_an_illegal_action_loses_that_game_alone() -> None:
    envs = GameVectorEnv(TicTacToe(), 4, side=1)
    seen, infos = envs.reset(seed=1)
    actions = np.argmax(infos["action_mask"], axis=1)
    actions[2] = int(np.nonzero(infos["action_mask"][2] == 0)[0][0])
    actions[3] = 99
    _, rewards, ended, _, infos = envs.step(actions)
    assert infos["illegal"].tolist() == [False, False, True, True]
    assert rewards.tolist() == [0.0, 0.0, -1.0, -1.0] and ended.tolist() == [False, False, True, True]
    assert (infos["final_obs"][2] == seen[2]).all()
    assert infos["action_mask"].any(axis=1).all()


def test_a_function_plays_the_other_side() -> None:
    masks_seen = []

    def first_legal(seen: Any, masks: Any) -> Any:
        masks_seen.append(masks)
        return np.argmax(masks, axis=1)

    envs = GameVectorEnv(TicTacToe(), 3, opponent=first_legal, side=1)
    seen, _ = envs.reset(seed=1)
    assert (seen[:, 1].reshape(3, 9) == [1] + [0] * 8).all()
    assert masks_seen


@pytest.mark.parametrize(
    "actions",
    [np.array([0.0, 1.0]), np.array([True, False]), np.zeros(3, np.int64)],
    ids=["reals", "bools", "three"],
)
def test_a_vectors_actions_are_a_whole_number_a_game(actions: Any) -> None:
    envs = GameVectorEnv(TicTacToe(), 2)
    envs.reset(seed=1, options={})
    with pytest.raises(ValueError, match="actions are 2 whole numbers, not"):
        envs.step(actions)
    assert not envs.step([0, 1])[2].any()


def reals(seen: Any, masks: Any) -> Any:
    """An opponent whose actions are no whole numbers."""
    return masks.argmax(axis=1) * 1.0


@pytest.mark.parametrize(
    ("given", "reset", "said"),
    [
        (
            {"render_mode": "rgb_array"},
            {},
            "rendered as texts, with render_mode 'ansi', not 'rgb_array'",
        ),
        (
            {},
            {"options": {"start": TicTacToe().initial_state()}},
            "GameVectorEnv.reset has no options, such as 'start'",
        ),
        ({"opponent": reals, "side": 1}, {"seed": 1}, "actions are 2 whole numbers, not float64"),
        (
            {"opponent": "best"},
            {},
            "the opponent of many games at once is random or a function, not 'best'",
        ),
    ],
)
def test_a_vector_refuses_what_it_does_not_know(
    given: dict[str, Any], reset: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        GameVectorEnv(TicTacToe(), 2, **given).reset(**reset)


def test_a_vector_is_made_by_its_name() -> None:
    envs = gymnasium.make_vec(
        "saddlepoint.interop.gymnasium:saddlepoint/Game-v0",
        num_envs=5,
        vectorization_mode="vector_entry_point",
        game="tic_tac_toe",
    )
    assert envs.reset(seed=1)[0].shape == (5, 2, 3, 3)
