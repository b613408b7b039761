"""A Gymnasium environment: one side of a game, against a player of the library.

`gymnasium.make("saddlepoint.interop.gymnasium:saddlepoint/Game-v0", game=..., opponent=...)` makes it, too.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from ..algorithms.limits import Limits
from ..game.base import Game, GameError
from ..games.catalogue.make import make_player
from ..players.base import PLAYER_SEED_BITS, Answer, Player, PlayerError
from ..players.clock import ENDLESS
from . import library
from .one_game import RENDER_MODES, TRIES, OneGame

gymnasium = library("gymnasium", "gymnasium")
spaces = gymnasium.spaces


class GameEnv(gymnasium.Env):
    """One side of a game; the other one is played by a player of the library.

    game: a game, or a text that names one: "name(width=8)", "./FILE.py:CLASS" (the file is run).
    opponent: the spec of a player, like "random" or "best", or a Player.
    side: the player that the agent is, 0 or 1.
    observations: "planes", "bits" or "words", see `Observer`; None: planes where the game has them, else bits.
    seconds: how long an opponent that searches may think about a move. For games that are the same again give it a number of positions
    instead, in its spec: "smab(nodes=1000)".
    render_mode: "ansi", the position as text, or "rgb_array", for games that draw a board.

    Observations: Box, uint8 or uint64, of the shape that `Observer` says; the position as the agent sees it when it has to choose, or when
    the game is over. Actions: Discrete(game.distinct_actions). `info["action_mask"]`, int8 (actions,), has a 1 for each legal action;
    `action_masks()` gives the same as bool. An illegal action loses: the episode ends with the agent's worst result, and
    `info["illegal"]` is True; where the opponent's at the same time is illegal, too, the result is the middle between the game's least and
    greatest one. What is no whole number raises ValueError. The reward is 0 until the game is over, then the agent's result in the game's
    units.

    `reset(options={"start": ...})` begins in a position, or its text (`game.to_text`). The opponent and chance draw from the environment's
    seed. Raises ValueError, in one sentence, for a game, a player or an option that there is not; an opponent that cannot go on raises
    PlayerError.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        game: Game | str,
        opponent: str | Player = "random",
        side: int = 0,
        observations: str | None = None,
        seconds: float = 0.1,
        render_mode: str | None = None,
    ) -> None:
        if side not in (0, 1):
            raise ValueError(f"side is 0 or 1, not {side!r}")
        self._one = OneGame(game, observations, render_mode)
        self.game, self.side, self.render_mode = self._one.game, side, render_mode
        self._is_ours, self._is_open = isinstance(opponent, str), False
        self._opponent = (
            make_player(opponent, self.game, Limits(seconds=seconds))
            if isinstance(opponent, str)
            else opponent
        )
        observer = self._one.observer
        self.observation_space = spaces.Box(0, observer.highest, observer.shape, observer.dtype)
        self.action_space = spaces.Discrete(self._one.actions)

    @property
    def state(self) -> Any:
        """The position, as the game's own methods take it."""
        return self._one.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game: the first position in which the agent chooses. A game under way is broken off."""
        super().reset(seed=seed)
        self._close_game()
        start = (options or {}).get("start")
        for _ in range(TRIES):
            self._one.begin(self.np_random, start)
            self._is_open = True
            self._opponent.begin(self.game, 1 - self.side, int(self.np_random.integers(2**PLAYER_SEED_BITS)))
            self._follow()
            self._wait_for_agent()
            if not self._one.is_over:
                return self._seen()
            self._close_game()
        raise GameError(
            f"{type(self.game).__name__}: player {self.side} never has a choice in the game that begins here"
        )

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the agent's action, and all that follows until it has to choose again."""
        if self._one.is_over:
            raise GameError("the game is over: call reset")
        self._play({self.side: action})
        self._wait_for_agent()
        seen, info = self._seen()
        is_over = self._one.is_over
        if is_over:
            self._close_game()
        return seen, self._one.result(self.side) if is_over else 0.0, is_over, False, info

    def action_masks(self) -> Any:
        """bool (actions,): which actions are legal; the name is the one that maskable learners ask for."""
        return self._one.mask(self.side).astype(np.bool_)

    def render(self) -> Any:
        """The position, as `render_mode` says: a text, or uint8 (height, width, 3)."""
        return self._one.render()

    def close(self) -> None:
        """End the game under way, and close the opponent, where it was made here."""
        self._close_game()
        if self._is_ours:
            self._is_ours = False
            self._opponent.close()

    def _play(self, actions: dict[int, Any]) -> None:
        other = 1 - self.side
        if other in self._one.movers:
            actions[other] = Answer.of(self._opponent.choose(self._one.state, ENDLESS)).action
        self._one.play(actions, self.np_random)
        self._follow()

    def _wait_for_agent(self) -> None:
        while not self._one.is_over and self.side not in self._one.movers:
            self._play({})

    def _close_game(self) -> None:
        """Tell the opponent that its game is over, once; one that is broken off has the result in the middle."""
        if self._is_open:
            self._is_open = False
            middle = (self.game.min_utility + self.game.max_utility) / 2
            with suppress(PlayerError):  # a program that is gone need not hear of it
                self._opponent.end(self._one.result(0) if self._one.is_over else middle)

    def _follow(self) -> None:
        if self._opponent.follows:
            self._opponent.follow(self._one.state, ENDLESS, (0.0, 0.0))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        info: dict[str, Any] = {"action_mask": self._one.mask(self.side)}
        if self._one.forfeits:
            info["illegal"] = self.side in self._one.forfeits
        return self._one.observer.seen(self._one.state, self.side), info


gymnasium.register(
    id="saddlepoint/Game-v0",
    entry_point="saddlepoint.interop.gymnasium:GameEnv",
    vector_entry_point="saddlepoint.interop.gymnasium_vector:GameVectorEnv",
)
