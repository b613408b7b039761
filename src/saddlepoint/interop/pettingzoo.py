"""PettingZoo environments: both sides of a game, at once (`GameParallelEnv`) or in turn (`GameAECEnv`).

`parallel_env(game)` and `env(game)` make the one or the other of any game, as PettingZoo's own games do.
"""

from typing import Any

import numpy as np

from ..game.base import Game, GameError
from . import library
from .one_game import RENDER_MODES, OneGame, game_of

pettingzoo, conversions = (
    library("pettingzoo", "pettingzoo"),
    library("pettingzoo.utils.conversions", "pettingzoo"),
)
spaces = library("gymnasium.spaces", "gymnasium")
AGENTS: tuple[str, str] = ("player_0", "player_1")


def env(game: Game | str, **options: Any) -> Any:
    """The game as an AECEnv; where both move at once, the agents are asked one after the other before either action is played."""
    made = game_of(game)
    return (
        GameAECEnv(made, **options)
        if made.turn_based
        else conversions.parallel_to_aec(GameParallelEnv(made, **options))
    )


def parallel_env(game: Game | str, **options: Any) -> Any:
    """The game as a ParallelEnv; in a game of turns only the player to move gives an action in each step."""
    made = game_of(game)
    return (
        conversions.turn_based_aec_to_parallel(GameAECEnv(made, **options))
        if made.turn_based
        else GameParallelEnv(made, **options)
    )


class _TwoPlayers:
    """The common part of both kinds of environments."""

    metadata: Any
    possible_agents: Any
    agents: Any

    def _open(self, game: Game | str, observations: str | None, render_mode: str | None) -> None:
        self._one = OneGame(game, observations, render_mode)
        self.game, self.render_mode = self._one.game, render_mode
        self.metadata = {
            **self.metadata,
            "name": f"saddlepoint_{self.game.name or type(self.game).__name__.lower()}_v0",
        }
        self.possible_agents, self.agents = list(AGENTS), []
        observer, actions = self._one.observer, self._one.actions
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, observer.highest, observer.shape, observer.dtype),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._draw = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        """Dict: "observation", a Box as `Observer` says, and "action_mask", int8 (actions,)."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Discrete(game.distinct_actions)."""
        return self._action_spaces[agent]

    def render(self) -> Any:
        """The position, as `render_mode` says: a text, or uint8 (height, width, 3)."""
        return self._one.render()

    def close(self) -> None:
        """Nothing is to be closed."""

    def state(self) -> Any:
        """The position as player 0 sees it: there is no hidden information."""
        return self._one.observer.seen(self._one.state, 0)

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        self._one.begin(self._draw, (options or {}).get("start"))
        self.agents = list(AGENTS)

    def _seen(self, agent: str) -> dict[str, Any]:
        player = AGENTS.index(agent)
        return {
            "observation": self._one.observer.seen(self._one.state, player),
            "action_mask": self._one.mask(player),
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        """Whose action was illegal."""
        return {
            agent: {"illegal": True} if player in self._one.forfeits else {}
            for player, agent in enumerate(AGENTS)
        }

    def _rewards(self) -> dict[str, float]:
        return {
            agent: self._one.result(player) if self._one.is_over else 0.0
            for player, agent in enumerate(AGENTS)
        }


class GameParallelEnv(_TwoPlayers, pettingzoo.ParallelEnv):
    """A game in which both players move at once; the agents are "player_0" and "player_1".

    game: a game, or a text that names one. observations: "planes", "bits" or "words", see `Observer`; None: planes where the game has them,
    else bits. render_mode: "ansi", or "rgb_array" for games that draw a board.

    An agent that has no choice in a position has a mask of zeros, and its action, if any, is not looked at. An illegal action loses: the
    game ends with the worst result for its player, and `infos[agent]["illegal"]` is True; where both are illegal, the result is the middle
    between the game's least and greatest one. What is no whole number raises ValueError. Rewards are 0 until the game is over, then each
    player's result. `reset(options={"start": ...})` begins in a position, or its text. Raises ValueError for a game in turn.
    """

    metadata: Any = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (as PettingZoo has it)

    def __init__(
        self, game: Game | str, observations: str | None = None, render_mode: str | None = None
    ) -> None:
        self._open(game, observations, render_mode)
        if self.game.turn_based:
            raise ValueError(
                f"{type(self.game).__name__} is played in turn: take GameAECEnv, or the function parallel_env"
            )

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; a seed fixes what chance does from here on."""
        self._begin(seed, options)
        return {agent: self._seen(agent) for agent in AGENTS}, self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the actions of both."""
        if not self.agents:
            raise GameError("the game is over: call reset")
        self._one.play({AGENTS.index(agent): action for agent, action in actions.items()}, self._draw)
        is_over = self._one.is_over
        if is_over:
            self.agents = []
        return (
            {agent: self._seen(agent) for agent in AGENTS},
            self._rewards(),
            dict.fromkeys(AGENTS, is_over),
            dict.fromkeys(AGENTS, False),
            self._infos(),
        )


class GameAECEnv(_TwoPlayers, pettingzoo.AECEnv):
    """A game in turn; the agents are "player_0" and "player_1". Parameters, illegal actions and rewards are as of `GameParallelEnv`.

    A player may have several turns in a row. Raises ValueError for a game in which both move at once.
    """

    metadata: Any = {"render_modes": RENDER_MODES, "render_fps": 4, "is_parallelizable": True}  # noqa: RUF012 (as PettingZoo has it)

    def __init__(
        self, game: Game | str, observations: str | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._open(game, observations, render_mode)
        if not self.game.turn_based:
            raise ValueError(
                f"both players move at once in {type(self.game).__name__}: take GameParallelEnv, or the function env"
            )

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; a seed fixes what chance does from here on."""
        self._begin(seed, options)
        self.rewards, self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos = self._infos()
        self.agent_selection = AGENTS[self._one.movers[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's observation and mask, which is all 0 where it is not its turn."""
        return self._seen(agent)

    def step(self, action: Any) -> None:
        """Play the action of the agent whose turn it is."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._one.play({AGENTS.index(self.agent_selection): action}, self._draw)
        self.rewards, self.infos = self._rewards(), self._infos()
        if self._one.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        else:
            self.agent_selection = AGENTS[self._one.movers[0]]
        self._accumulate_rewards()
