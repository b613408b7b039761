"""Thousands of games at once: one compiled call plays a step in all of them, with NumPy arrays in and out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..compiled import put_words, run, state_from_words, word_count
from ..compiled.states import as_machine_words
from ..game.base import TERMINAL, Game, GameError, IllegalActionError
from .batch_kernels import (
    ACTION_BEYOND,
    DONE,
    ENDLESS_CHANCE,
    OVER_AT_THE_START,
    draw_actions,
    find_illegal,
    reset_games,
    seed_streams,
    show_games,
    step_games,
)
from .one_game import checked_plane_shape, game_of

OBSERVATIONS = ("words", "planes")


class BatchStep(NamedTuple):
    """The arrays of a batch after a step.

    The next step or reset writes over them, so copy those that you keep.

    >>> from saddlepoint.interop import BatchEnv
    >>> environment = BatchEnv("goofspiel", 4, seed=1)
    >>> first = environment.reset()
    >>> step = environment.step(environment.random_actions())
    >>> step.rewards.tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    observations: Any
    """As of `BatchEnv.observations`: of the present positions; of a game that began again, its first one."""
    rewards: Any
    """float64 (count,): player 0's result where the game ended in this step, in the game's units; 0 else. Player 1's is the negative."""
    ended: Any
    """bool (count,): whether the game ended in this step."""
    masks: Any
    """As of `BatchEnv.masks`."""
    movers: Any
    """As of `BatchEnv.movers`."""


class BatchEnv:
    """A batch of `count` games of one kind, played side by side: a game of the library or your own.

    - `game`: a game, or a text that names one: "name(width=8)", "./FILE.py:CLASS" (the file is run).
    - `count`: how many games, 1 or more.
    - `seed`: fixes chance, each game's start, and `random_actions`; None: another one each time. Each game has a stream of
      random numbers of its own, which depends on the seed and the game's number alone: a batch of 100 games plays the same ones as two
      batches of 50, the second with `first=50`.
    - `first`: the number of the first game.
    - `observations`: "words", which every game has, or "planes", for games with `planes`.
    - `starts`: the positions from which games begin, one drawn each time; none: `game.initial_state()`.
    - `auto_reset`: whether a game that ends begins again in the same step. Otherwise it stays as it is, and steps leave it out, until
      `reset`.

    Chance's moves belong to the step before them: chance never moves in a position that you see.

    Attributes, all written in place: by `step`, and by `reset` what a game has at its start (`states`, `planes`, `masks`, `movers`):

    - `states`: uint64 (count, words), each position as the numbers of its state, in the order of its fields, 64 bits each. Whole numbers
      are extended with their sign; a float is its bits.
    - `planes`: uint8 (count, 2, *game.plane_shape), each position as either player sees it; None unless asked for.
    - `masks`: int8, 1 for a legal action, 0 else. (count, 2, actions) where both players move at once; a player without a choice has
      none. (count, actions) in a game of turns, for the player whose turn it is.
    - `movers`: int8 (count,), 0 or 1; -2 (`saddlepoint.SIMULTANEOUS`): both; -4 (`saddlepoint.TERMINAL`): the game is over.
    - `rewards`, `ended`: see `BatchStep`. They are those of the last step, also after a `reset`.
    - `last_states`, `last_planes`: the positions in which games ended, in the rows of those that ended in the last step, also after a
      `reset`.
    - `actions`: how many numbers an action may have (`game.distinct_actions`): 0 to `actions` - 1.

    Raises ValueError, in one sentence, for arguments that make no sense, GameError for a start that is over or none of the game's. Of a
    game that writes no text of its own only the kind of a start is checked: where a number in it is none that the rules can meet, compiled
    code reads and writes beyond its arrays.

    >>> from saddlepoint.interop import BatchEnv
    >>> environment = BatchEnv("goofspiel", 4, seed=1)
    >>> environment.reset().shape
    (4, 5)
    """

    def __init__(
        self,
        game: Game | str,
        count: int,
        *,
        seed: int | None = None,
        first: int = 0,
        observations: str = "words",
        starts: Sequence[Any] = (),
        auto_reset: bool = True,
    ) -> None:
        self.game = game = game_of(game)
        if count < 1 or first < 0:
            raise ValueError(f"a batch has 1 game or more, numbered from 0 or more, not {count} from {first}")
        if observations not in OBSERVATIONS:
            raise ValueError(f"observations are words or planes, not {observations!r}")
        self.count, self.first, self.auto_reset = count, first, auto_reset
        self.actions, self.sides = int(game.distinct_actions), 1 if game.turn_based else 2
        self._like = as_machine_words(game.initial_state())
        self._starts = self._words_of_starts(starts)
        words = self._starts.shape[1]
        self.states, self.last_states = (
            np.zeros((count, words), np.uint64),
            np.zeros((count, words), np.uint64),
        )
        self.movers, self._masks = (
            np.full(count, TERMINAL, np.int8),
            np.zeros((count, self.sides, self.actions), np.int8),
        )
        self.rewards, self.ended = np.zeros(count), np.zeros(count, np.bool_)
        self.planes: Any = None
        self.last_planes: Any = None
        if observations == "planes":
            shape = checked_plane_shape(game)
            self.planes, self.last_planes = (
                np.zeros((count, 2, *shape), np.uint8),
                np.zeros((count, 2, *shape), np.uint8),
            )
        self._all, self._streams, self._choices = (
            np.ones(count, np.bool_),
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
        )
        self._given, self._random = (
            np.zeros((count, self.sides), np.int64),
            np.zeros((count, self.sides), np.int64),
        )
        outcomes = int(game.max_outcomes) if game.has_chance else 1
        self._memory = (
            np.zeros(int(game.max_actions), np.int64),
            np.zeros(outcomes, np.int64),
            np.zeros(outcomes),
            int(game.max_depth),
        )
        self._seed(seed)
        self.reset()

    # -- what is seen ----------------------------------------------------------------------------------------------

    @property
    def observations(self) -> Any:
        """`planes` where they were asked for, else `states`."""
        return self.states if self.planes is None else self.planes

    @property
    def last_observations(self) -> Any:
        """The observations of the positions in which games ended, in the rows of those that ended in the last step."""
        return self.last_states if self.last_planes is None else self.last_planes

    @property
    def masks(self) -> Any:
        """The legal actions: int8 (count, 2, actions), in a game of turns (count, actions)."""
        return self._masks if self.sides == 2 else self._masks[:, 0]

    def state(self, number: int) -> Any:
        """The position of a game of the batch, as the game's own Python methods take it; `number` counts from 0 in this batch."""
        return state_from_words(self.states[number], self._like)

    def last_state(self, number: int) -> Any:
        """The position in which that game ended, where it ended in the last step."""
        return state_from_words(self.last_states[number], self._like)

    def random_actions(self) -> Any:
        """A uniformly random legal action for every player that has one, else -1: int64 (count, 2), for turns
        (count,).

        The next call writes over it. It does not change what chance draws.
        """
        run(draw_actions, self._masks, self._choices, self._random)
        return self._random if self.sides == 2 else self._random[:, 0]

    # -- what is done ----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, where: Any = None) -> Any:
        """Begin all games, or those with True in `where`, bool (count,); the observations are returned.

        With a seed the random numbers of all games begin anew; without one they go on.
        """
        wanted = self._all if where is None else self._flags(where)
        if seed is not None:
            self._seed(seed)
        self._check(
            run(
                reset_games,
                self.game,
                self._like,
                self.states,
                self.movers,
                self._masks,
                wanted,
                self._starts,
                self._streams,
                *self._memory,
            )
        )
        self._show(self.states, wanted, self.planes)
        return self.observations

    def step(self, actions: Any, where: Any = None) -> BatchStep:
        """Play the actions of all players that move, in all games or in those with True in `where`, bool
        (count,).

        actions: whole numbers, (count, 2), player 0's and player 1's; in a game of turns (count,). The entry
        of a player who does not move, or for a game that is over or left out, does not matter. An int64 array
        is not copied.

        Raises IllegalActionError, a ValueError, before anything is changed, where an action is not legal; it names the first such game.
        """
        wanted = self._all if where is None else self._flags(where)
        chosen = self._chosen(actions)
        wrong = int(run(find_illegal, self.movers, self._masks, chosen, wanted))
        if wrong >= 0:
            raise self._illegal(wrong, chosen)
        self._check(
            run(
                step_games,
                self.game,
                self._like,
                self.states,
                self.movers,
                self._masks,
                chosen,
                wanted,
                self.auto_reset,
                self.rewards,
                self.ended,
                self.last_states,
                self._starts,
                self._streams,
                *self._memory,
            )
        )
        self._show(self.states, wanted, self.planes)
        self._show(self.last_states, self.ended, self.last_planes)
        return BatchStep(self.observations, self.rewards, self.ended, self.masks, self.movers)

    # ---------------------------------------------------------------------------------------------------------------

    def _seed(self, seed: int | None) -> None:
        chance, choices = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        run(seed_streams, self._streams, chance, self.first)
        run(seed_streams, self._choices, choices, self.first)

    def _show(self, states: Any, wanted: Any, planes: Any) -> None:
        if planes is not None:
            # The planes twice: the second time as the same memory, a row a game.
            run(show_games, self.game, self._like, states, wanted, planes, planes.reshape(len(planes), -1))

    def _chosen(self, actions: Any) -> Any:
        """The actions as int64 (count, sides): as they are where they are that already."""
        given: Any = np.asarray(actions)
        shape = (self.count, 2) if self.sides == 2 else (self.count,)
        if given.shape != shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions are whole numbers of the shape {shape}, not {given.dtype} of the shape {given.shape}"
            )
        given = given.reshape(self.count, self.sides)
        if given.dtype == np.int64 and given.flags.c_contiguous:
            return given
        self._given[...] = given
        return self._given

    def _flags(self, where: Any) -> Any:
        given: Any = np.asarray(where)
        if given.shape != (self.count,) or given.dtype != np.bool_:
            raise ValueError(
                f"where is an array of bool of the shape ({self.count},), not {given.dtype} of the shape {given.shape}"
            )
        return np.array(given)  # a copy: it may be `ended`, which a step writes over

    def _illegal(self, wrong: int, chosen: Any) -> IllegalActionError:
        number, side = divmod(wrong, self.sides)
        player = side if self.sides == 2 else int(self.movers[number])
        legal = ", ".join(map(str, np.nonzero(self._masks[number, side])[0]))
        action = chosen[number, side]
        return IllegalActionError(
            f"game {number} of the batch: {action} is not a legal action of player {player}; legal: {legal}"
        )

    def _words_of_starts(self, starts: Sequence[Any]) -> Any:
        given = [
            as_machine_words(state) if type(state) is type(self._like) else state for state in starts
        ] or [self._like]
        found = np.zeros((len(given), int(word_count(self._like))), np.uint64)
        for row, state in zip(found, given):
            if type(state) is not type(self._like) or int(word_count(state)) != len(row):
                raise GameError(f"a start is a position of {type(self.game).__name__}, not {state!r}")
            self._check_start(state)
            if self.game.current_player(state) == TERMINAL:
                raise GameError(f"a batch cannot start where the game is over:\n{self.game.render(state)}")
            put_words(state, row)
        return found

    def _check_start(self, state: Any) -> None:
        """Raise GameError for a start that the game's text does not reproduce: compiled code reads positions
        unchecked.
        """
        if type(self.game).from_text is Game.from_text or state is self._like:
            return
        try:
            is_one = self.game.from_text(self.game.to_text(state)) == state
        except Exception:  # a text is made of what is there; what may go wrong where that is none of the game's is up to the game
            is_one = False
        if not is_one:
            raise GameError(f"a start is a position of {type(self.game).__name__}, not {state!r}")

    def _check(self, done: tuple[int, int]) -> None:
        number, why = done
        if number == DONE:
            return
        problems = {
            ACTION_BEYOND: f" has legal actions beyond {self.actions - 1}: set distinct_actions to the greatest one and 1",
            ENDLESS_CHANCE: f": in game {number} of the batch chance moves more often in a row than max_depth, {self._memory[-1]}",
            OVER_AT_THE_START: f": game {number} of the batch is over before anybody moves, however often it begins",
        }
        raise GameError(type(self.game).__name__ + problems[why])
