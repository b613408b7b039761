"""`review`: where a finished game turned, and which move lost it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from .aliases import Alias, read_aliases
from .arena_options import AsJson
from .common import read_game_name, read_limits
from .tables import Column
from .terminal import Progress, print, print_json, print_records, print_wrapped

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits
    from ..algorithms.analysis import LosingMove, ReviewedTurn, TurningPoint
    from ..game import Game

_SECONDS = 0.3
_SHOWN = 0.05
"""Losses below this share of the range of results are not shown."""
_LEDGER = b"SQLite format 3\0"


def review(
    file: Annotated[str, typer.Argument(help="A replay, a file of the official Battlesnake program's --output, or a ledger.")],
    number: Annotated[
        int | None, typer.Option("--number", min=1, help="Which game: its place in a file with several (1); in a ledger its id.")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="A named player that searches, or a search, with options; as for `analyze`.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--time", help="Seconds for each turn (0.3, if nothing else is limited).")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Depth limit of each turn, in plies.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Node limit of each turn.")] = None,
    game: Annotated[
        str | None, typer.Option("--game", help="The rules of your own game in a ledger, ./mygame.py:MyGame; that file is run.")
    ] = None,
    alias: Alias = None,
    as_json: AsJson = False,
) -> None:
    """Look at every turn of a finished game again: its value, what each move gave away, what was better, and which move lost.

    Example: saddlepoint review lost.jsonl --time 0.5
    """
    from ..algorithms import search
    from ..algorithms.analysis import losing_move, searched_form, turning_points
    from ..algorithms.limits import Limits
    from ..roster.analysing import stage_search_of

    aliases = read_aliases(alias or ())
    read_game_name(game)
    played = _from_ledger(file, number) if _is_ledger(file) else _from_replay(file, number or 1)
    if not played.actions:
        raise ValueError(f"{file}: nobody made a move in this game")
    rules = played.game
    chosen = stage_search_of(rules, None if algorithm is None else aliases.spec(algorithm)).algorithm
    limits = read_limits(nodes, depth, _SECONDS if depth is nodes is seconds is None else seconds)
    assert limits is not None
    searched = searched_form(rules, chosen)
    search(searched, played.states[0], chosen, Limits(depth=1, nodes=1000), variation=False)  # compiled before any clock runs
    turns = _reviewed(searched, played, chosen, limits)
    values = played.values_of(turns)
    points = turning_points(values, rules.min_utility, rules.max_utility)
    lost_by = losing_move(turns, played.result, rules.min_utility, rules.max_utility)
    said = _said(played, turns, lost_by, points)
    if as_json:
        data = [_as_json(rules, played, turn) for turn in turns]
        print_json(aliases.beside({
            "game": rules.name, "players": list(played.players), "result": played.result, "reason": played.reason,
            "algorithm": chosen.name, "turns": data, "turning_points": [list(point) for point in points],
            "losing_move": None if lost_by is None else {"step": lost_by.turn.step, "player": lost_by.player, "loss": lost_by.loss},
            "says": said,
        }))  # fmt: skip
        return
    names = [aliases.name(one) for one in played.players]
    print_wrapped(f"{names[0]} (0) against {names[1]} (1): result {played.result:g} for player 0, {played.reason}")
    print()
    _print_turns(rules, played, turns, points, lost_by)
    print()
    print_wrapped(said)


class _Played(NamedTuple):
    """A finished game."""

    game: "Game"
    players: tuple[str, str]
    states: list[Any]
    actions: list[tuple[int, int]]
    result: float
    reason: str

    def values_of(self, turns: "list[ReviewedTurn]") -> list[float | None]:
        """The value of each position, as far as it is known; the last one's is the result."""
        values: list[float | None] = [None] * len(self.states)
        for turn in turns:
            values[turn.step] = turn.value
        values[-1] = self.result
        return values


def _is_ledger(file: str) -> bool:
    with Path(file).open("rb") as opened:
        return opened.read(len(_LEDGER)) == _LEDGER


def _from_replay(file: str, number: int) -> _Played:
    from ..play.fields import ReplayError
    from ..play.reading import read
    from ..play.replay import actions_of

    try:
        replay = read(file, number)
    except ReplayError as error:
        raise ValueError(f"{file}: {error}") from None
    game, states = replay.make_game(), list(replay.states())
    joints = [actions_of(game, state, one) for state, one in zip(states, replay.rounds, strict=False)]
    return _Played(game, replay.players, states, [_joint(joint) for joint in joints], replay.result, replay.reason)


def _from_ledger(file: str, number: int | None) -> _Played:
    from ..arena.ledger import Ledger
    from ..arena.replaying import steps_of
    from ..arena.settings import game_of

    if number is None:
        raise ValueError(f"{file} is a ledger; --number takes the id of one of its games, as `saddlepoint games list` prints it")
    with Ledger(file, create=False) as book:
        entry = book.game(number)
        game, played = game_of(book.tournament(entry.tournament)), entry.played
        states = [game.from_text(played.job.opening), *(step.after for step in steps_of(game, played))]
    a, b = played.job.players
    return _Played(game, (a, b), states, [_joint(joint) for joint in played.actions], played.result, played.reason)


def _joint(actions: Any) -> tuple[int, int]:
    from ..game import NO_ACTION

    return (int(actions[0]), int(actions[1]) if len(actions) > 1 else NO_ACTION)


def _reviewed(searched: "Game", played: _Played, algorithm: "Algorithm", limits: "Limits") -> "list[ReviewedTurn]":
    """The turns, in the order of the game."""
    from ..algorithms.analysis import review as turns_of
    from ..game import CHANCE

    steps = [step for step in reversed(range(len(played.actions))) if played.game.current_player(played.states[step]) != CHANCE]
    found: list[ReviewedTurn] = []
    with Progress(len(steps)) as bar:
        for turn in turns_of(searched, played.states, played.actions, algorithm, limits, steps=steps):
            found.append(turn)
            bar.update(len(found), f"step {turn.step}: {turn.value:+.2f}, depth {turn.depth}")
    return found[::-1]


def _print_turns(
    game: "Game", played: _Played, turns: "list[ReviewedTurn]", points: "list[TurningPoint]", lost_by: "LosingMove | None"
) -> None:
    marks = {point.step: f"turned by {point.change:+.2f}" for point in points}
    noise = _SHOWN * (game.max_utility - game.min_utility)
    rows: list[dict[str, Any]] = []
    for turn in turns:
        said = [marks[turn.step]] if turn.step in marks else []
        said += [f"player {lost_by.player} lost here"] if lost_by is not None and lost_by.turn.step == turn.step else []
        rows.append({
            "step": turn.step, "player 0": _moved(game, played, turn, 0), "player 1": _moved(game, played, turn, 1),
            "value": f"{turn.value + 0.0:+.2f}", "loss 0": _lost(turn.loss[0], noise), "loss 1": _lost(turn.loss[1], noise),
            "better": "; ".join(_better(game, played, turn, p) for p in (0, 1) if turn.loss[p] >= noise),
            "depth": f"{turn.depth}{'!' if turn.exact else ''}", "": ", ".join(said),
        })  # fmt: skip
    print_records(_COLUMNS, rows)
    print_wrapped(
        "value: of the position before the step, for player 0; loss: what each move gave away; depth: in plies, ! is proven; "
        "saddlepoint show FILE --step N shows a position"
    )


_COLUMNS = (
    Column("step"), Column("player 0", text=True), Column("player 1", text=True), Column("value"), Column("loss 0"), Column("loss 1"),
    Column("better", wraps=True), Column("depth", weight=1), Column("", text=True),
)  # fmt: skip


def _moved(game: "Game", played: _Played, turn: "ReviewedTurn", player: int) -> str:
    action = turn.played[player]
    if player not in game.players_to_act(played.states[turn.step]):
        return ""
    return game.action_to_string(played.states[turn.step], player, action)


def _lost(loss: float, noise: float) -> str:
    return f"{loss:.2f}" if loss >= noise else ""


def _better(game: "Game", played: _Played, turn: "ReviewedTurn", player: int) -> str:
    """A player's equilibrium strategy, the likeliest move first."""
    state = played.states[turn.step]
    mixture = sorted(turn.mixtures[player].items(), key=lambda item: -item[1])
    shown = [(game.action_to_string(state, player, action), share) for action, share in mixture if share >= 0.005]
    if len(shown) == 1:
        return f"{player}: {shown[0][0]}"
    return f"{player}: " + ", ".join(f"{name} {100 * share:.0f} %" for name, share in shown)


def _said(played: _Played, turns: "list[ReviewedTurn]", lost_by: "LosingMove | None", points: "list[TurningPoint]") -> str:
    """A sentence or two on the move that lost."""
    game = played.game
    middle = (game.min_utility + game.max_utility) / 2
    if played.result == middle:
        return "The game was drawn; no move lost it."
    if lost_by is None:
        loser = 0 if played.result < middle else 1
        against = [point for point in points if (point.change > 0) == (loser == 1)]
        turned = f" It turned at step {against[0].step}: by chance, or beyond what the search saw." if against else ""
        return f"No move of player {loser} lost the game, as deep as this search looked; give it more time a turn.{turned}"
    turn, player = lost_by.turn, lost_by.player
    better = _better(game, played, turn, player).partition(": ")[2]
    known = "proven" if turn.exact else f"at depth {turn.depth}"
    after = next((one.value for one in turns if one.step > turn.step), played.result)
    move = _moved(game, played, turn, player)
    return (
        f"Player {player} lost at step {turn.step} with {move}, which gave away {lost_by.loss:.2f} ({known}); "
        f"better was {better}. For player 0 the position was worth {turn.value + 0.0:+.2f} before and {after + 0.0:+.2f} after it."
    )


def _as_json(game: "Game", played: _Played, turn: "ReviewedTurn") -> dict[str, Any]:
    state = played.states[turn.step]
    return {
        "step": turn.step, "moves": [_moved(game, played, turn, p) or None for p in (0, 1)], "value": turn.value,
        "loss": list(turn.loss), "depth": turn.depth, "exact": turn.exact,
        "strategies": [{game.action_to_string(state, p, a): share for a, share in turn.mixtures[p].items()} for p in (0, 1)],
    }  # fmt: skip
