"""A Gymnasium vector environment on a batch of games: one side of thousands of games at once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..game.base import NO_ACTION, SIMULTANEOUS, Game, GameError
from . import library
from .batch import BatchEnv
from .batch_kernels import TRIES
from .one_game import Observer, game_of

spaces, vector = library("gymnasium.spaces", "gymnasium"), library("gymnasium.vector", "gymnasium")
Opponent = Callable[[Any, Any], Any]
"""From what the other side sees, and its masks, int8 (games, actions), to its actions, (games,); what it answers for a game in which it
has no choice, whose mask is all 0, does not matter."""


class GameVectorEnv(vector.VectorEnv):
    """One side of `num_envs` games; the other side draws from its legal actions, or is a function.

    game, side, observations: as of `GameEnv`. opponent: "random", which draws from all legal actions (the player `random` leaves out those
    that lose at once), or a function, see `Opponent`: a network, for one.

    Observations, masks and rewards are as of `GameEnv`, with a row a game. A game that ends begins again in the same step:
    `infos["final_obs"]` has the last observation of those that ended, None for others, and `infos["_final_obs"]` which these are.
    `infos["action_mask"]` is int8 (num_envs, actions). An illegal action loses, as in `GameEnv`; `infos["illegal"]` is bool (num_envs,).
    What are no whole numbers, and what the opponent may not play, raise ValueError. `render_mode` is "ansi" or None; `reset` knows no
    options. Raises GameError for a game in which the side never has a choice.
    """

    metadata = {"autoreset_mode": vector.AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponent: str | Opponent = "random",
        side: int = 0,
        observations: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if side not in (0, 1):
            raise ValueError(f"side is 0 or 1, not {side!r}")
        if render_mode not in (None, "ansi"):
            raise ValueError(
                f"many games at once are rendered as texts, with render_mode 'ansi', not {render_mode!r}"
            )
        if isinstance(opponent, str) and opponent != "random":
            raise ValueError(
                f"the opponent of many games at once is random or a function, not {opponent!r}; GameEnv takes any player"
            )
        self.game, self.num_envs, self.side, self.render_mode = game_of(game), num_envs, side, render_mode
        self._observer = Observer(self.game, observations)
        self._batch = BatchEnv(
            self.game, num_envs, observations="planes" if self._observer.kind == "planes" else "words"
        )
        self._opponent = None if isinstance(opponent, str) else opponent
        self.single_observation_space = spaces.Box(
            0, self._observer.highest, self._observer.shape, self._observer.dtype
        )
        self.single_action_space = spaces.Discrete(self._batch.actions)
        self.observation_space = vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games; raises ValueError for options, of which there are none."""
        if options:
            raise ValueError(
                f"GameVectorEnv.reset has no options, such as {next(iter(options))!r}: its games begin at the start"
            )
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(2**63)))
        self._wait_for_agent(np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_))
        return self._seen(self.side), {"action_mask": self._mask(self.side)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the agent's actions, (num_envs,), and all that follows until it has to choose again in every game."""
        batch, given = self._batch, self._whole(actions)
        beyond = (given < 0) | (given >= batch.actions)
        rows = np.arange(self.num_envs)
        illegal = beyond | (self._mask(self.side)[rows, np.where(beyond, 0, given)] == 0)
        rewards, ended = np.zeros(self.num_envs), illegal.copy()
        final = self._seen(self.side) if illegal.any() else None
        rewards[illegal] = self.game.min_utility if self.side == 0 else -self.game.max_utility
        self._step(given, ~illegal, rewards, ended)
        if illegal.any():
            batch.reset(where=illegal)
        self._wait_for_agent(rewards, ended)
        infos: dict[str, Any] = {"action_mask": self._mask(self.side), "illegal": illegal}
        if ended.any():
            last = np.full(self.num_envs, None, object)
            for number in np.nonzero(ended)[0]:
                last[number] = (
                    final[number].copy() if illegal[number] and final is not None else self._last(int(number))
                )
            infos |= {"final_obs": last, "_final_obs": ended.copy()}
        return self._seen(self.side), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def render(self) -> Any:
        """The positions as texts, with the render mode `ansi`."""
        return (
            None
            if self.render_mode is None
            else tuple(self.game.render(self._batch.state(at)) for at in range(self.num_envs))
        )

    def _step(self, own: Any, where: Any, rewards: Any, ended: Any) -> None:
        """Play one step where it is wanted; what ends is noted, where nothing has ended in this step yet."""
        batch = self._batch
        other = self._answers()
        joint = (
            np.stack([own, other] if self.side == 0 else [other, own], axis=1)
            if batch.sides == 2
            else np.where(batch.movers == self.side, own, other)
        )
        done = batch.step(joint, where)
        new = done.ended & ~ended
        rewards[new] = done.rewards[new] * (1.0 if self.side == 0 else -1.0)
        ended |= done.ended

    def _wait_for_agent(self, rewards: Any, ended: Any) -> None:
        own = np.full(self.num_envs, NO_ACTION)
        ends = np.zeros(self.num_envs, np.int64)
        while True:
            waiting = (self._batch.movers != self.side) & (self._batch.movers != SIMULTANEOUS)
            if not waiting.any():
                return
            self._step(own, waiting, rewards, ended)
            ends += self._batch.ended
            if ends.max() >= TRIES:
                raise GameError(
                    f"{type(self.game).__name__}: player {self.side} never has a choice in the game that begins here"
                )

    def _answers(self) -> Any:
        """The other side's actions, wherever it has a choice."""
        if self._opponent is not None:
            return self._whole(self._opponent(self._seen(1 - self.side), self._mask(1 - self.side)))
        drawn = self._batch.random_actions()
        return drawn[:, 1 - self.side] if self._batch.sides == 2 else drawn

    def _whole(self, actions: Any) -> Any:
        """Actions as int64 (num_envs,); fractions would be cut to whole numbers."""
        given = np.asarray(actions)
        if given.size != self.num_envs or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {self.num_envs} whole numbers, not {given.dtype} of the shape {given.shape}"
            )
        return given.astype(np.int64).reshape(self.num_envs)

    def _mask(self, player: int) -> Any:
        batch = self._batch
        return (
            batch.masks[:, player].copy()
            if batch.sides == 2
            else batch.masks * (batch.movers == player)[:, None].astype(np.int8)
        )

    def _seen(self, player: int) -> Any:
        planes = self._batch.planes
        return self._observer.of_words(self._batch.states) if planes is None else planes[:, player].copy()

    def _last(self, number: int) -> Any:
        planes = self._batch.last_planes
        return (
            planes[number, self.side].copy()
            if planes is not None
            else self._observer.of_words(self._batch.last_states[number][None])[0]
        )
