"""Games of Battlesnake as the official program's `--output` writes them: the game, a request for each position, the result.

A file may have several games, one after the other. One that was cut off ends with a game that goes on, and perhaps in the middle of a line.
Such a file has no moves: they follow from the positions by the rules. Of the dead it shows at most one, where that is the `you` of the
last position; the last move of another is the likeliest of those that lead there.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from ..._text import error_line
from ...game import CHANCE, TERMINAL, GameError
from ...play.endings import told_apart
from ...play.fields import ReplayError, ReplayFields, fail
from ...play.formats import ReplayFormat
from ...play.reading import object_in
from ...play.replay import Replay, Round, actions_of
from . import Battlesnake, Snake, State
from .body import cells_in
from .requests import TOLD, game_object, parameters_of, position, request, snake_of
from .state import food_due

_USUAL_ROUNDS = 2000


def is_output(first: bytes) -> bool:
    """Whether a game of such a file begins with this line."""
    if b'"ruleset"' not in first:
        return False
    try:
        told = object_in(first, 1)
    except ReplayError:
        return False
    return "ruleset" in told and "format" not in told


def read_output(raw: Sequence[bytes]) -> Replay:
    """The game of these lines, its player 0 the `you` of the first position; raises ReplayError in one sentence."""
    whole = raw if raw[-1].endswith(b"\n") or _is_json(raw[-1]) else raw[:-1]
    lines = [object_in(line, number) for number, line in enumerate(whole, 1)]
    shown = [(number, line) for number, line in enumerate(lines, 1) if "board" in line]
    if len(shown) < 2:
        fail(f"line {len(lines)}", "expected the positions of a game, at least two")
    try:
        parameters = parameters_of(shown[0][1])
        parameters |= {"max_rounds": max(_USUAL_ROUNDS, len(lines))}
        game = Battlesnake(**parameters)
    except GameError as error:
        fail("line 2", str(error))
    names, ids = _players(shown[0][1])
    rounds: list[Round] = []
    state = _start(game, shown[0][1], ids)
    start = game.to_text(state)
    ends: list[State] = []
    for (_, _), (number, line) in pairwise(shown):
        if game.current_player(state) == TERMINAL:
            fail(f"line {number}", "the game was over in the position before")
        try:
            steps, ends = _followed(game, state, line, ids)
        except GameError as error:
            fail(f"line {number}", error_line(error))
        rounds, state = rounds + steps, ends[0]
    is_over = game.current_player(state) == TERMINAL
    result = float(game.returns(state)) if is_over else None
    _check_winner(lines[-1], len(lines), result, names, ids)
    reason = _reason(game, ends, names) if is_over else "the file ends before the game is over"
    return Replay("battlesnake", parameters, names, start, tuple(rounds), result, reason, find=_found)


def _is_json(line: bytes) -> bool:
    try:
        object_in(line, 1)
    except ReplayError:
        return False
    return True


def _check_winner(last: Mapping[str, Any], number: int, result: float | None, names: Sequence[str], ids: Sequence[str]) -> None:
    """Refuse a file whose last line tells another result than the rules; one that was cut off tells none."""
    if "winnerId" not in last:
        return
    told = ReplayFields(dict(last), f"line {number}")
    if result is None:
        told.refuse("it tells a winner, and the game is not over in the last position")
    drawn = told.flag("isDraw")
    wanted = "" if result == 0 else ids[0 if result > 0 else 1]
    if drawn != (result == 0) or (not drawn and told.take("winnerId", str) != wanted):
        by_rules = "the game is drawn" if result == 0 else f"{names[ids.index(wanted)]} wins"
        by_file = "a draw" if drawn else f"{str(last.get('winnerName') or last['winnerId'])[:60]} as the winner"
        told.refuse(f"it tells {by_file}, and by the rules {by_rules}")


def _found(name: str, **parameters: Any) -> Battlesnake:
    return Battlesnake(**parameters)


OUTPUT = ReplayFormat(is_output, read_output)


def _players(line: Mapping[str, Any]) -> tuple[tuple[str, str], tuple[str, str]]:
    """The names and the ids of players 0 and 1."""
    first = ReplayFields(dict(line), "line 2")
    you = ReplayFields(first.take("you", dict), "line 2").take("id", str)
    names: dict[str, str] = {}
    for snake in ReplayFields(first.take("board", dict), "line 2").take("snakes", list):
        one = ReplayFields(snake if isinstance(snake, dict) else {}, "line 2")
        names[one.take("id", str)] = one.take("name", str) if "name" in one else one.take("id", str)
    if len(names) != 2 or you not in names:
        fail("line 2", f"expected two snakes, `you` among them, not {len(names)}")
    other = next(one for one in names if one != you)
    return (names[you], names[other]), (you, other)


def _start(game: Battlesnake, line: Mapping[str, Any], ids: Sequence[str]) -> State:
    try:
        found = {one.get("id"): one for one in line["board"]["snakes"]}
        return position(game.board, game.royale, line, [snake_of(game.board, found[one]) for one in ids])
    except GameError as error:
        fail("line 2", error_line(error))


def _followed(
    game: Battlesnake, state: State, line: Mapping[str, Any], ids: Sequence[str]
) -> tuple[list[Round], list[State]]:
    """The steps from a position to the next one that is shown, and that; raises GameError where none lead there.

    Where a snake died unseen, more than one end may be as likely: the steps lead to the first of them.
    """
    board = line.get("board")
    living: dict[Any, Any] = {}
    for one in board.get("snakes") or [] if isinstance(board, dict) else []:
        if isinstance(one, dict):
            living[one.get("id")] = one
    you = line.get("you")
    found: list[tuple[tuple[int, ...], State]] = []
    for actions in product(range(4), repeat=2):
        after = game.next_state(state, *actions)
        if all(_agrees(game, game.snake(after, player), living.get(ids[player]), you, ids[player]) for player in (0, 1)):
            found.append((actions, after))
    if not found:
        raise GameError("no moves lead from the position before to this one")
    if len(found) > 1:
        doubts = [_doubt(game, state, after, line) for _, after in found]
        found = [one for one, doubt in zip(found, doubts, strict=True) if doubt == min(doubts)]
    actions, after = found[0]
    moves = game.action_to_string(state, 0, actions[0]), game.action_to_string(state, 1, actions[1])
    told = ({you.get("id"): you} if isinstance(you, dict) else {}) | living
    ms = _latency(told.get(ids[0])), _latency(told.get(ids[1]))
    chance, after = _chance(game, after, line)
    return [Round(moves, moves, ms, (None, None)), *chance], [after, *(end for _, end in found[1:])]


def _doubt(game: Battlesnake, state: State, after: State, line: Mapping[str, Any]) -> tuple[int, int]:
    """How unlikely a round is: food that it left and is shown no more; then food that it ate and is shown, and moves into the own neck."""
    snakes = [game.snake(after, player) for player in (0, 1)]
    shown = set(cells_in(game.grid, position(game.board, game.royale, line, snakes).food))
    before, left = set(cells_in(game.grid, state.food)), set(cells_in(game.grid, after.food))
    backwards = sum(len(snake.cells) > 2 and snake.cells[0] == snake.cells[2] for snake in snakes)
    return len(left - shown), len(shown & (before - left)) + backwards


def _reason(game: Battlesnake, ends: Sequence[State], names: Sequence[str]) -> str:
    """Who died of what, or of what else as likely."""
    causes = [dict.fromkeys(game.snake(end, player).cause_name for end in ends) for player in (0, 1)]
    told = zip(told_apart(names), causes, strict=True)
    return "; ".join(f"{name} died: {' or '.join(found)}" for name, found in told if any(found))


def _agrees(game: Battlesnake, snake: Snake, living: Any, you: Any, own_id: str) -> bool:
    """Whether a snake is what is shown of it, as far as it is."""
    if (living is None) != bool(snake.cause):
        return False
    shown = living if living is not None else you if isinstance(you, dict) and you.get("id") == own_id else None
    if shown is None:
        return True
    told = snake_of(game.board, shown, snake.cause)
    return (told.cells, told.health) == (snake.cells, snake.health)


def _latency(snake: Any) -> float:
    text = snake.get("latency") if isinstance(snake, dict) else None
    return float(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 9 else 0.0


def _chance(game: Battlesnake, state: State, line: Mapping[str, Any]) -> tuple[list[Round], State]:
    """What chance did until the position is the one that is shown."""
    if game.current_player(state) != CHANCE:
        return [], state
    snakes = [game.snake(state, player) for player in (0, 1)]
    wanted = position(game.board, game.royale, line, snakes)
    new = [game.position(cell) for cell in cells_in(game.grid, wanted.food) if cell not in cells_in(game.grid, state.food)]
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


def battlesnake_lines(replay: Replay, timeout: int = 500) -> Iterator[dict[str, Any]]:
    """The lines of such a file for a game of Battlesnake, with the ids `snake-0` and `snake-1`; raises ValueError for another game."""
    game = replay.make_game()
    if not isinstance(game, Battlesnake):
        raise ValueError(f"{replay.game} is not played on a board of Battlesnake")
    if replay.result is None:
        raise ValueError("the game is not over, and such a file ends with the winner")
    about = game_object({name: getattr(game, name) for name in TOLD}, f"saddlepoint-{replay.seed or 0}", timeout)
    yield about
    state = game.from_text(replay.start)
    latencies = ("0", "0")
    yield _line(game, state, about, replay.players, latencies)
    for played in replay.rounds:
        if played.chance is None:
            latencies = f"{played.ms[0]:.0f}", f"{played.ms[1]:.0f}"
        state = game.next_state(state, *actions_of(game, state, played))
        if game.current_player(state) != CHANCE:
            yield _line(game, state, about, replay.players, latencies)
    winner = 0 if replay.result > 0 else 1
    drawn = replay.result == 0
    yield {
        "winnerId": "" if drawn else f"snake-{winner}", "winnerName": "" if drawn else replay.players[winner], "isDraw": drawn,
    }  # fmt: skip


def _line(
    game: Battlesnake, state: State, about: Mapping[str, Any], names: Sequence[str], latencies: Sequence[str]
) -> dict[str, Any]:
    """A position of the file. Other than in a request, `you` tells its latency too."""
    line = request(game.board, state, 0, about, names, latencies)
    line["you"]["latency"] = latencies[0]
    return line
