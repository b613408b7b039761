"""Players both ways: a player of this library as a bot of OpenSpiel, and a bot as a player here."""

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

from ...game.base import SIMULTANEOUS, Game, GameError
from ...games.catalogue.make import make_player
from ...players.base import PLAYER_SEED_BITS, Answer, Player, PlayerError, derived_seed
from ...players.clock import ENDLESS, Clock
from .ours import SaddlepointGame, as_open_spiel
from .theirs import OpenSpielRounds, OpenSpielTurns, from_open_spiel
from .walk import pyspiel


class SaddlepointBot(pyspiel.Bot):
    """A player of this library in a game of OpenSpiel; `bot_of` makes it. Each `restart` draws anew from its seed."""

    def __init__(self, thinks: Player, rules: Game, player: int, clock: Clock, seed: int | None) -> None:
        super().__init__()
        self._thinks, self._rules, self._player, self._clock, self._seed = thinks, rules, player, clock, seed
        self._games = 0
        self.restart()

    def player_id(self) -> int:
        """Which player it is, 0 or 1."""
        return self._player

    def restart(self) -> None:
        """A new game begins, with a seed of its own."""
        seed = (
            None
            if self._seed is None
            else derived_seed(self._seed, "game", self._games, bits=PLAYER_SEED_BITS)
        )
        self._games += 1
        self._thinks.begin(self._rules, self._player, seed)

    def restart_at(self, state: Any) -> None:
        """A new game begins in this state."""
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Ignore another player's action: the next state contains it."""

    def inform_actions(self, state: Any, actions: Any) -> None:
        """Ignore both players' actions: the next state contains them."""

    def provides_policy(self) -> bool:
        """False: it chooses an action, without a mixture."""
        return False

    def step(self, state: Any) -> int:
        """The action in this state; raises PlayerError where the player has none."""
        position = position_of(self._rules, state)
        return (
            pyspiel.INVALID_ACTION
            if self._player not in self._rules.players_to_act(position)
            else int(Answer.of(self._thinks.choose(position, self._clock)).action)
        )

    def close(self) -> None:
        """Give back what the player uses: processes, memory."""
        self._thinks.close()


def position_of(rules: Game, state: Any) -> Any:
    """The position of this library that a state of OpenSpiel is."""
    position = getattr(state, "position", None)
    if position is not None:
        return position
    position, waiting = rules.initial_state(), list[int]()
    for one in state.full_history():
        waiting.append(int(one.action))
        if rules.current_player(position) != SIMULTANEOUS or len(waiting) == 2:
            position, waiting = rules.next_state(position, *waiting), []
    if waiting:
        raise GameError(
            f"in {state.get_game()} the players move one after the other where they move at once here: take the game as it is"
        )
    return position


def bot_of(
    spec: str, game: Any, player: int, *, seconds: float | None = None, seed: int | None = None
) -> SaddlepointBot:
    """The player of a spec, like `best` or `alphabeta(depth=4)`, as a bot in a game of OpenSpiel.

    `game` is one of this library there (`as_open_spiel`), or any other that can be walked (`from_open_spiel`): then the bot plays it
    from its tables. `player` is 0 or 1. `seconds` bounds each move; without it the spec's own limits do, and a search without
    any takes 10 s. `seed` fixes what it draws, in each game anew. Raises SpecError or GameError in one sentence.
    """
    if player not in (0, 1):
        raise GameError(f"player is 0 or 1, not {player}")
    rules: Game = game.rules if isinstance(game, SaddlepointGame) else from_open_spiel(game)
    clock = ENDLESS if seconds is None else Clock(seconds, seconds, is_net=True)
    return SaddlepointBot(make_player(spec, rules), rules, player, clock, seed)


_CRASHES = (pyspiel.MCTSBot, pyspiel.ISMCTSBot)
"""Release 2.0.2 ends with a segmentation fault where one of these looks at its own `python_tic_tac_toe`, too."""

MakeBot = Callable[..., Any]
"""From a game of OpenSpiel and a player, 0 or 1, to a bot of it; it may take the game's seed by the name `seed`, too."""


class BotPlayer(Player):
    """A bot of OpenSpiel as a player here, in games of this library and in those that `from_open_spiel` made.

    It is asked about each position anew: a bot that goes by the moves before sees none, of a game of this library. A bot for
    games in turn, such as MCTSBot, plays no others. What it draws is fixed by the game's seed only if `make` takes a `seed`, a number or
    None. OpenSpiel tells its bots no clock: how long one thinks is settled where it is made.
    """

    def __init__(self, make: MakeBot) -> None:
        self._make = make

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self._there: Any = (
            None if isinstance(game, (OpenSpielTurns, OpenSpielRounds)) else as_open_spiel(game)
        )
        there = self.game.there() if self._there is None else self._there  # type: ignore[attr-defined]
        self._bot = (
            self._make(there, player, seed=seed) if _takes_seed(self._make) else self._make(there, player)
        )
        if self._there is not None and isinstance(self._bot, _CRASHES):
            raise PlayerError(
                f"OpenSpiel's compiled {type(self._bot).__name__} ends the program in a game that is written in Python, as those of this "
                "library are there: take that of open_spiel.python.algorithms.mcts"
            )
        with contextlib.suppress(RuntimeError):  # some have nothing to begin anew, and say so by an error
            self._bot.restart()

    def choose(self, state: Any, clock: Clock) -> Answer:
        there = self.game.state_there(state) if self._there is None else self._there.state_of(state)  # type: ignore[attr-defined]
        try:
            action = int(self._bot.step(there))
        except Exception as error:
            raise PlayerError(
                f"the bot failed: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"
            ) from error
        if action == pyspiel.INVALID_ACTION:
            raise PlayerError("the bot has no move to offer")
        return Answer(action)


def _takes_seed(make: MakeBot) -> bool:
    try:
        return "seed" in inspect.signature(make).parameters
    except (TypeError, ValueError):  # compiled functions may tell nothing of what they take
        return False
