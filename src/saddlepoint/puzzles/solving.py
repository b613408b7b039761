"""Players at puzzles."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..game import Game
from ..players.base import Answer, Player, PlayerError
from ..players.clock import Clock
from .puzzle import Puzzle


@dataclass(frozen=True)
class Attempt:
    """What a player did in a puzzle."""

    puzzle: Puzzle
    move: str | None
    """By name; None where it gave none that counts."""
    seconds: float
    problem: str = ""
    """Why it gave none."""

    @property
    def solved(self) -> bool:
        """Whether the move is the solution."""
        return self.move == self.puzzle.solution


def attempts(
    make: Callable[[Game], Player], puzzles: Sequence[Puzzle], clock: Clock, seed: int | None = None
) -> Iterator[Attempt]:
    """The player's attempts, in the order of the puzzles; one player is made for each game with its parameters, and warmed.

    Every puzzle is a game of its own to it, which ends drawn. An answer that is late counts; the player's own error is an attempt
    without a move.
    """
    players: dict[Game, Player] = {}
    try:
        for puzzle in puzzles:
            game = puzzle.make_game()
            state = puzzle.state(game)
            if game not in players:
                players[game] = make(game)
                players[game].warm(game, state, (0, 1))
            yield _attempt(players[game], game, state, puzzle, clock, seed)
            with suppress(Exception):  # it may be gone; its answer is known
                players[game].end((game.min_utility + game.max_utility) / 2)
    finally:
        for player in players.values():
            player.close()


def _attempt(player: Player, game: Game, state: Any, puzzle: Puzzle, clock: Clock, seed: int | None) -> Attempt:
    started = time.perf_counter()
    try:
        player.begin(game, puzzle.player, seed)
        started = time.perf_counter()
        answer = Answer.of(player.choose(state, clock))
    except PlayerError as error:
        return Attempt(puzzle, None, time.perf_counter() - started, str(error).partition("\n")[0] or "no answer")
    seconds = time.perf_counter() - started
    if answer.action not in game.choices(state, puzzle.player):
        return Attempt(puzzle, None, seconds, answer.warning or f"illegal action {answer.action}")
    return Attempt(puzzle, game.action_to_string(state, puzzle.player, answer.action), seconds)


@dataclass(frozen=True)
class PuzzleScore:
    """How many puzzles of a theme, or of all, a player solved."""

    solved: int
    of: int

    def __str__(self) -> str:
        return f"{self.solved}/{self.of}"


def scores(made: Sequence[Attempt]) -> dict[str, PuzzleScore]:
    """The score of each theme, in the order of the puzzles."""
    themes = dict.fromkeys(one.puzzle.theme for one in made)
    return {
        theme: PuzzleScore(sum(one.solved for one in made if one.puzzle.theme == theme), sum(one.puzzle.theme == theme for one in made))
        for theme in themes
    }
