"""Where games begin: the game's own starts, positions after random moves, positions from a file."""

import random
from pathlib import Path
from typing import Any

from .._text import error_line
from ..foreign_files import ForeignFileError, read_text
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game, GameError
from ..play.position_text import position_of_text
from ..spec import name_of

_MOST_POSITIONS = 100_000
_TRIES = 50


def own_starts(game: Game) -> list[str]:
    """All that the game's contest draws from, or its one start."""
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


def random_step(game: Game, state: Any, draw: random.Random) -> Any:
    """The next position, by `random_joint`."""
    return game.next_state(state, *(action for action in random_joint(game, state, draw) if action != NO_ACTION))


def random_joint(game: Game, state: Any, draw: random.Random) -> tuple[int, int]:
    """What players choose among the actions that are worth searching, and chance by its probabilities; NO_ACTION of who does not act."""
    if game.current_player(state) == CHANCE:
        outcomes = game.chance_outcomes(state)
        return int(draw.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]), NO_ACTION
    to_act = game.players_to_act(state)
    one, two = (
        int(draw.choice(game.search_actions(state, player) or game.legal_actions(state, player))) if player in to_act else NO_ACTION
        for player in (0, 1)
    )  # fmt: skip
    return one, two


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
    blocks = [block.strip("\n") for block in text.split("\n\n")]
    positions: list[str] = []
    for number, block in enumerate((block for block in blocks if block.strip()), 1):
        if number > _MOST_POSITIONS:
            raise GameError(f"{path}: more than {_MOST_POSITIONS} positions")
        positions.append(_opening(game, block, f"{path}, position {number}"))
    if not positions:
        raise GameError(f"{path} has no position; expected positions of {name_of(game)} with an empty line between two")
    return positions


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
    kind, _, plies = text.partition(":")
    if text == "starts":
        positions = own_starts(game)
    elif kind == "random":
        if not (plies.isdigit() and 0 < int(plies) <= 1000):
            raise GameError(f"openings are random:PLIES, such as random:4, not {text!r}")
        return random_openings(game, int(plies), count, seed)
    elif kind == "moves":
        positions = [_opening(game, text, "--openings")]
    elif Path(text).is_file():
        positions = openings_from(game, text)
    else:
        raise GameError(f"openings are start, starts, random:PLIES, 'moves: ...' or a file of positions; there is no {text!r}")
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
