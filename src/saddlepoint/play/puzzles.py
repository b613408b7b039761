"""Puzzles: positions with one good move, proven by an exact search; their files, and how players try them.

`benchmarks/battlesnake_puzzles.py` makes and proves them.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

import msgspec

from ..game.base import Game
from ..game.own_games import Finder
from ..players.base import Answer, Player, PlayerError
from ..players.clock import Clock
from ..system.foreign import ForeignFileError, Number, converted, json_object, read_text
from ..system.text import error_line
from .position_text import position_of_text, taken_apart
from .replay import unknown_game

_LONGEST = 20_000_000
_DEEPEST = 64


class PuzzleError(ValueError):
    """A file that is no set of puzzles; the message says where, and what was expected."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one player has one good move.

    It is the only move that this player makes in any equilibrium of the game without chance that is called a draw after `depth`
    steps. `loss` is what every other move gives away there at least, in units of the game: 1 from a win to a draw, or from a
    draw to a loss. Some moves that are none of a stage's (they lose at once) are not even looked at.
    """

    game: str
    parameters: dict[str, Any]
    position: str
    """The position as the game's text."""
    player: int
    """Who is to find the move."""
    solution: str
    """The move, by name."""
    depth: Annotated[int, msgspec.Meta(ge=1, le=_DEEPEST)]
    shown: int
    """The least depth from which on the move is the only good one."""
    loss: Number
    theme: str
    find: Any = field(default=unknown_game, compare=False, repr=False)
    """Finds the game by its name, a Finder; not in a file."""

    def make_game(self) -> Game:
        """The game that it is a position of; raises GameError."""
        game: Game = self.find(self.game, **self.parameters)
        return game.fitted_to(taken_apart(self.position).own)

    def to_json(self) -> dict[str, Any]:
        """The line of a file."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "find"}

    def state(self, game: Game) -> Any:
        """The position, in the game that `make_game` gives; raises GameError."""
        return position_of_text(game, self.position)


def read_puzzles(path: str | Path, find: Finder) -> list[Puzzle]:
    """The puzzles in a file, each checked against the rules; `find` finds games by name. Raises PuzzleError in one sentence."""
    try:
        content = read_text(path, _LONGEST)
    except ForeignFileError as error:
        raise PuzzleError(str(error)) from None
    found: list[Puzzle] = []
    for number, line in enumerate(content.removesuffix("\n").split("\n") if content else (), 1):
        where = f"{path}: line {number}"
        try:
            found.append(_read(json_object(line), where, find))
        except PuzzleError:
            raise
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"{where}: {error_line(error)}") from None
    if not found:
        raise PuzzleError(f"{path}: the file is empty: expected puzzles, JSON lines")
    return found


def _read(data: dict[str, Any], where: str, find: Finder) -> Puzzle:
    told = {key: value for key, value in data.items() if value is not None}
    usual = {"parameters": {}, "shown": told.get("depth", 1), "loss": 0.0, "theme": ""}
    puzzle = converted(
        told | {key: usual[key] for key in usual.keys() - told} | {"find": find}, Puzzle, where, PuzzleError
    )
    game = puzzle.make_game()
    state = puzzle.state(game)
    if puzzle.player not in game.players_to_act(state):
        raise PuzzleError(f"{where}: player {puzzle.player} has no move in this position")
    game.string_to_action(state, puzzle.player, puzzle.solution)
    return puzzle


# Players at puzzles.


@dataclass(frozen=True)
class Attempt:
    """A player's attempt at a puzzle."""

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


def _attempt(
    player: Player, game: Game, state: Any, puzzle: Puzzle, clock: Clock, seed: int | None
) -> Attempt:
    started = time.perf_counter()
    try:
        player.begin(game, puzzle.player, seed)
        started = time.perf_counter()
        answer = Answer.of(player.choose(state, clock))
    except PlayerError as error:
        return Attempt(
            puzzle, None, time.perf_counter() - started, str(error).partition("\n")[0] or "no answer"
        )
    seconds = time.perf_counter() - started
    if answer.action not in game.choices(state, puzzle.player):
        return Attempt(puzzle, None, seconds, answer.warning or f"illegal action {answer.action}")
    return Attempt(puzzle, game.action_to_string(state, puzzle.player, answer.action), seconds)


def scores(made: Sequence[Attempt]) -> dict[str, tuple[int, int]]:
    """(puzzles solved, puzzles) of each theme, in the order of the puzzles."""
    themes: dict[str, list[bool]] = {}
    for one in made:
        themes.setdefault(one.puzzle.theme, []).append(one.solved)
    return {theme: (sum(solved), len(solved)) for theme, solved in themes.items()}
