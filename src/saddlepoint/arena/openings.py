"""The openings of games: the game's own starts, positions after random moves, positions from a file or of
random games.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError
from ..game.spec import name_of
from ..game.steps import random_step
from ..play.position_text import position_of_text
from ..play.record import Turns
from ..system.foreign import ForeignFileError, read_text
from ..system.text import error_line

_LONGEST_GAME = 5000  # steps
_OF_A_GAME, _MOST_GAMES = 12, 200  # positions of one random game; games, where they are short


@dataclass(frozen=True)
class RandomPosition:
    """A position in which a player has to move."""

    state: Any
    player: int
    where: str
    """In words, for a report."""


def positions_of(game: Game, count: int, seed: int) -> list[RandomPosition]:
    """`count` positions of random games, fewer where there are no more: from their beginnings to their ends, of both players."""
    draw = random.Random(seed)
    chosen: list[RandomPosition] = []
    for number in range(1, _MOST_GAMES + 1):
        steps = _random_game(game, draw)
        wanted = min(_OF_A_GAME, count - len(chosen))
        found: dict[tuple[str, int], Any] = {}
        for k in range(wanted if steps else 0):
            at = k * (len(steps) - 1) / max(1, wanted - 1)
            # In a game in turn it is the nearest position in which that player moves.
            place = min(
                range(len(steps)), key=lambda n: (k % 2 not in game.players_to_act(steps[n][1]), abs(n - at))
            )
            label, state = steps[place]
            to_act = game.players_to_act(state)
            found[label, k % 2 if k % 2 in to_act else to_act[0]] = state
        for (label, player), state in found.items():
            where = f"position {len(chosen) + 1} (random game {number}, {label}, player {player})"
            chosen.append(RandomPosition(state, player, where))
        if len(chosen) >= count:
            break
    return chosen


def _random_game(game: Game, draw: random.Random) -> list[tuple[str, Any]]:
    """The positions of a game between random players in which somebody moves, each with its turn."""
    state = game.from_text(draw.choice(own_starts(game)))
    states = [state]
    for _ in range(_LONGEST_GAME):
        to_act = game.players_to_act(state)
        if to_act:
            state = game.advance(
                state,
                *(draw.choice(game.legal_actions(state, p)) if p in to_act else NO_ACTION for p in (0, 1)),
            )
        elif game.current_player(state) == CHANCE:
            state = random_step(game, state, draw)
        else:
            break
        states.append(state)
    turns = Turns(game, states)
    return [(turns.label(step), one) for step, one in enumerate(states) if game.players_to_act(one)]


# Where games begin: the game's own starts, positions after random moves, positions from a file.

_MOST_POSITIONS = 100_000
_TRIES = 50


def own_starts(game: Game) -> list[str]:
    """The starts that the game's contest draws from, or the game's one start."""
    starts = getattr(game, "starts", None)
    return [game.to_text(state) for state in (starts() if starts is not None else [game.initial_state()])]


def random_openings(game: Game, plies: int, count: int, seed: int) -> list[str]:
    """`count` positions after `plies` random legal steps from the game's own starts; none is over, few are alike.

    Raises GameError where a game does not last that long.
    """
    draw = random.Random(f"openings {seed}")
    starts = [game.from_text(text) for text in own_starts(game)]
    found: dict[str, None] = {}
    for _ in range(count):
        for _ in range(_TRIES):
            text = _walk(game, draw.choice(starts), plies, draw)
            if text is not None and text not in found:
                found[text] = None
                break
    if not found:
        raise GameError(
            f"{name_of(game)} has no position {plies} random moves from its start: its games are shorter; give fewer, as in random:1"
        )
    return list(found)


def _walk(game: Game, state: Any, plies: int, draw: random.Random) -> str | None:
    while plies > 0 or game.current_player(state) == CHANCE:
        node = game.current_player(state)
        if node == TERMINAL:
            return None
        state = random_step(game, state, draw)
        plies -= node != CHANCE
    return game.to_text(state) if game.current_player(state) in (0, 1, SIMULTANEOUS) else None


def openings_from(game: Game, path: str | Path) -> list[str]:
    """The positions of a file, in the game's text form or by moves, with an empty line between two; raises GameError."""
    try:
        text = read_text(path)
    except ForeignFileError as error:
        raise GameError(f"{error}; positions of {name_of(game)} have an empty line between two") from error
    blocks = [block.strip("\n") for block in text.split("\n\n") if block.strip()]
    if len(blocks) > _MOST_POSITIONS:
        raise GameError(f"{path}: more than {_MOST_POSITIONS} positions")
    if not blocks:
        raise GameError(
            f"{path} has no position; expected positions of {name_of(game)} with an empty line between two"
        )
    return [_opening(game, block, f"{path}, position {number}") for number, block in enumerate(blocks, 1)]


def _opening(game: Game, text: str, where: str) -> str:
    """The position that a text describes, in the game's own form; raises GameError that says where the text is."""
    try:
        state = position_of_text(game, text)
    except ValueError as error:
        raise GameError(f"{where}: {error_line(error)}") from error
    if game.current_player(state) == TERMINAL:
        raise GameError(f"{where}: the game is over there")
    return game.to_text(state)


def make_openings(game: Game, text: str, count: int, seed: int) -> list[str]:
    """Openings as an option names them: `start`, `starts`, `random:PLIES`, `moves: ...` or a file; in an order drawn from `seed`."""
    if text == "start":
        return [game.to_text(game.initial_state())]
    match text.split(":", 1):
        case ["starts"]:
            positions = own_starts(game)
        case ["random", *plies]:
            if not (plies and plies[0].isdigit() and 0 < int(plies[0]) <= 1000):
                raise GameError(f"openings are random:PLIES, such as random:4, not {text!r}")
            return random_openings(game, int(plies[0]), count, seed)
        case ["moves", *_]:
            positions = [_opening(game, text, "--openings")]
        case _ if Path(text).is_file():
            positions = openings_from(game, text)
        case _:
            raise GameError(
                f"openings are start, starts, random:PLIES, 'moves: ...' or a file of positions; there is no {text!r}"
            )
    draw = random.Random(seed)
    if text == "starts" and getattr(game, "starts_are_paired", False):
        return _one_of_each_first(positions, draw)
    draw.shuffle(positions)
    return positions


def _one_of_each_first(positions: list[str], draw: random.Random) -> list[str]:
    """Pairs of positions that differ in the players' sides, shuffled: one of each pair, then the other ones in the same order.

    So a match that plays each opening with both sides goes through all of them before it plays one again.
    """
    pairs = [positions[at : at + 2] for at in range(0, len(positions), 2)]
    draw.shuffle(pairs)
    for pair in pairs:
        draw.shuffle(pair)
    return [pair[which] for which in (0, 1) for pair in pairs]
