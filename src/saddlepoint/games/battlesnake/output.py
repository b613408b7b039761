"""Games of Battlesnake as the official program's `--output` writes them: the game, a request for each position, the result.

A file may have several games, one after the other. One that was cut off ends with a game that goes on, and perhaps in the middle of a line.
Such a file has no moves: they follow from the positions by the rules. Of the dead it shows at most one, where that is the `you` of the
last position; the last move of another is the likeliest of those that lead there.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import msgspec

from ..interface import (
    CHANCE,
    TERMINAL,
    GameError,
    Replay,
    ReplayError,
    ReplayFormat,
    Round,
    distinct_names,
    in_form,
    json_object,
    one_line,
)
from . import Battlesnake, Snake, State
from .board import cells_in
from .requests import (
    Seen,
    SeenSnake,
    checked,
    position,
    position_of,
    read_request,
    snake_of,
)
from .state import food_due

_USUAL_ROUNDS = 2000


def is_output(first: bytes) -> bool:
    """Whether this is the first line of a game in the rules program's output."""
    fields = _object(first) if b'"ruleset"' in first else None
    return fields is not None and "ruleset" in fields and "format" not in fields


def read_output(raw: Sequence[bytes]) -> Replay:
    """The game of these lines, its player 0 the `you` of the first position; raises ReplayError in one sentence."""
    whole = raw if raw[-1].endswith(b"\n") or _object(raw[-1]) is not None else raw[:-1]
    at, lines = 0, list[Mapping[str, Any]]()
    rounds: list[Round] = []
    ends: list[State] = []
    try:
        for at, line in enumerate(whole, 1):  # noqa: B007 - it is what is refused
            lines.append(json_object(line))
        shown = [(number, line) for number, line in enumerate(lines, 1) if "board" in line]
        if len(shown) < 2:
            raise GameError("expected the positions of a game, at least two")
        at = shown[0][0]
        first = read_request(shown[0][1])
        parameters: dict[str, Any] = {**first.parameters, "max_rounds": max(_USUAL_ROUNDS, len(lines))}
        game = Battlesnake(**parameters)
        state = position_of(game, first)
        mine, other = first.you, first.others[0]
        names, ids = (mine.name or mine.id, other.name or other.id), (mine.id, other.id)
        start = game.to_text(state)
        for at, line in shown[1:]:  # noqa: B007 - it is what is refused
            if game.current_player(state) == TERMINAL:
                raise GameError("the game was over in the position before")
            steps, ends = _followed(game, state, checked(game, read_request(line)), ids)
            rounds, state = rounds + steps, ends[0]
    except ValueError as error:
        raise ReplayError(f"line {at}: {one_line(error)}") from None
    is_over = game.current_player(state) == TERMINAL
    result = float(game.returns(state)) if is_over else None
    _check_winner(lines[-1], len(lines), result, names, ids)
    reason = _reason(game, ends, names) if is_over else "the file ends before the game is over"
    return Replay("battlesnake", parameters, names, start, tuple(rounds), result, reason, find=_found)


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        return json_object(line)
    except ValueError:
        return None


class _End(msgspec.Struct):
    """The last line, where the game came to its end."""

    winner: str | None = msgspec.field(name="winnerId")
    drawn: bool = msgspec.field(default=False, name="isDraw")


def _check_winner(
    last: Mapping[str, Any], number: int, result: float | None, names: Sequence[str], ids: Sequence[str]
) -> None:
    """Refuse a file whose last line has another result than the rules; one that was cut off has none."""
    if "winnerId" not in last:
        return
    end = in_form(last, _End, f"line {number}")
    if result is None:
        raise ReplayError(f"line {number}: it tells a winner, and the game is not over in the last position")
    wanted = "" if result == 0 else ids[0 if result > 0 else 1]
    if end.drawn != (result == 0) or (not end.drawn and end.winner != wanted):
        by_rules = "the game is drawn" if result == 0 else f"{names[ids.index(wanted)]} wins"
        by_file = "a draw" if end.drawn else f"{str(last.get('winnerName') or end.winner)[:60]} as the winner"
        raise ReplayError(f"line {number}: it tells {by_file}, and by the rules {by_rules}")


def _found(name: str, **parameters: Any) -> Battlesnake:
    return Battlesnake(**parameters)


OUTPUT = ReplayFormat(is_output, read_output)


def _followed(
    game: Battlesnake, state: State, seen: Seen, ids: Sequence[str]
) -> tuple[list[Round], list[State]]:
    """The steps from a position to the next one that is shown, and that; raises GameError where none lead there.

    Where a snake died unseen, more than one end may be as likely: the steps lead to the first of them.
    """
    living = {one.id: one for one in seen.others} | ({seen.you.id: seen.you} if seen.is_there else {})
    shown = living | {seen.you.id: seen.you}
    found: list[tuple[tuple[int, ...], State]] = []
    for actions in product(range(4), repeat=2):
        after = game.next_state(state, *actions)
        if all(
            _agrees(game, game.snake(after, player), living.get(ids[player]), shown.get(ids[player]))
            for player in (0, 1)
        ):
            found.append((actions, after))
    if not found:
        raise GameError("no moves lead from the position before to this one")
    if len(found) > 1:
        doubts = [_doubt(game, state, after, seen) for _, after in found]
        found = [one for one, doubt in zip(found, doubts, strict=True) if doubt == min(doubts)]
    actions, after = found[0]
    moves = game.action_to_string(state, 0, actions[0]), game.action_to_string(state, 1, actions[1])
    first, second = (shown[one].latency if one in shown else 0.0 for one in ids)
    chance, after = _chance(game, after, seen)
    return [Round(moves, moves, (first, second), (None, None)), *chance], [
        after,
        *(end for _, end in found[1:]),
    ]


def _doubt(game: Battlesnake, state: State, after: State, seen: Seen) -> tuple[int, int]:
    """How unlikely a round is: food that it left and is shown no more; then food that it ate and is shown, and moves into the own neck."""
    snakes = [game.snake(after, player) for player in (0, 1)]
    shown = set(cells_in(game.grid, position(game, seen, snakes, seen.turn).food))
    before, left = set(cells_in(game.grid, state.food)), set(cells_in(game.grid, after.food))
    backwards = sum(len(snake.cells) > 2 and snake.cells[0] == snake.cells[2] for snake in snakes)
    return len(left - shown), len(shown & (before - left)) + backwards


def _reason(game: Battlesnake, ends: Sequence[State], names: Sequence[str]) -> str:
    causes = [dict.fromkeys(game.snake(end, player).cause_name for end in ends) for player in (0, 1)]
    named = zip(distinct_names(names), causes, strict=True)
    return "; ".join(f"{name} died: {' or '.join(found)}" for name, found in named if any(found))


def _agrees(game: Battlesnake, snake: Snake, living: SeenSnake | None, shown: SeenSnake | None) -> bool:
    if (living is None) != bool(snake.cause):
        return False
    return shown is None or snake_of(game, shown, snake.cause) == snake


def _chance(game: Battlesnake, state: State, seen: Seen) -> tuple[list[Round], State]:
    """(the rounds of chance, the state) from a position to the one shown."""
    if game.current_player(state) != CHANCE:
        return [], state
    wanted = position(game, seen, [game.snake(state, player) for player in (0, 1)], seen.turn)
    new = [
        game.position(cell)
        for cell in cells_in(game.grid, wanted.food)
        if cell not in cells_in(game.grid, state.food)
    ]
    rounds: list[Round] = []
    while game.current_player(state) == CHANCE:
        outcome = 0
        if food_due(state.due) != 0:
            if new:
                x, y = new.pop()
                outcome = 1 + y * game.width + x
        else:
            after = {side: game.next_state(state, side) for side, _ in game.chance_outcomes(state)}
            outcome = next((side for side, one in after.items() if one.hazards == wanted.hazards), 1)
        rounds.append(Round((None, None), (None, None), (0.0, 0.0), (None, None), chance=outcome))
        state = game.next_state(state, outcome)
    if (state.food, state.hazards) != (wanted.food, wanted.hazards):
        raise GameError("food or hazards are not what they can be after the position before")
    return rounds, state
