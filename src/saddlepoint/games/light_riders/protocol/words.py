"""The engine's side of riddles.io's Light Riders: the lines a bot is sent, and what its answers mean."""

import math

from ...._text import words_in
from ....players.clock import Clock
from ..game import DIRECTIONS, LightRiders, State

NO_MOVE = ("pass", "no_moves", "")
MOVES = (*DIRECTIONS, "pass", "no_moves")
"""The words that are a move, in small letters."""
OPPOSITE = "Can't move opposite of current direction"
INVALID = "Move isn't valid"
_ENDLESS = Clock(10.0, 0.2)  # what a bot is told where its moves have no limit


def told_clock(clock: Clock) -> Clock:
    """The clock a bot is told: the contest's where there is no limit."""
    return clock if math.isfinite(clock.bank) else _ENDLESS


def settings_lines(game: LightRiders, player: int, clock: Clock) -> list[str]:
    """What a bot is told before the game."""
    clock = told_clock(clock)
    assert clock.cap is not None
    lines = [
        "settings player_names player0,player1",
        f"settings your_bot player{player}",
        f"settings timebank {round(clock.cap * 1000)}",
        f"settings time_per_move {round(clock.increment * 1000)}",
        f"settings your_botid {player}",
        f"settings field_width {game.width}",
        f"settings field_height {game.height}",
    ]
    return [*lines, f"settings max_rounds {game.max_rounds}"] if game.max_rounds else lines


def round_lines(game: LightRiders, state: State, clock: Clock) -> list[str]:
    """What a bot is told and asked in a round."""
    cells = ",".join(",".join(row) for row in game.field(state))
    return [
        f"update game round {state.round}",
        f"update game field {cells}",
        f"action move {int(told_clock(clock).bank * 1000)}",
    ]


def direction_taken(answer: str | None, direction: int, round_: int) -> tuple[int, str]:
    """The direction a rider takes after an answer (None: no answer), and the engine's warning or an empty string."""
    word = " ".join(words_in(answer or "")).lower()
    if word in NO_MOVE:
        return direction, ""
    if word not in DIRECTIONS:
        return direction, INVALID
    wanted = DIRECTIONS.index(word)
    if round_ > 0 and wanted == direction ^ 2:
        return direction, OPPOSITE
    return wanted, ""
