"""Games of Battlesnake written as the official program's `--output` writes them: what its reader has to read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from saddlepoint import CHANCE
from saddlepoint.games.battlesnake import Battlesnake, State
from saddlepoint.games.battlesnake.requests import REQUEST_PARAMETERS, game_object, request
from saddlepoint.play.replay import Replay, actions_of


def battlesnake_lines(replay: Replay, timeout: int = 500) -> Iterator[dict[str, Any]]:
    """The lines of such a file for a game of Battlesnake, with the ids `snake-0` and `snake-1`.

    Raises ValueError for another game.
    """
    game = replay.make_game()
    if not isinstance(game, Battlesnake):
        raise ValueError(f"{replay.game} is not played on a board of Battlesnake")
    if replay.result is None:
        raise ValueError("the game is not over, and such a file ends with the winner")
    about = game_object(
        {name: getattr(game, name) for name in REQUEST_PARAMETERS}, f"saddlepoint-{replay.seed or 0}", timeout
    )
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
        "winnerId": "" if drawn else f"snake-{winner}",
        "winnerName": "" if drawn else replay.players[winner],
        "isDraw": drawn,
    }


def _line(
    game: Battlesnake, state: State, about: Mapping[str, Any], names: Sequence[str], latencies: Sequence[str]
) -> dict[str, Any]:
    """A position of the file. Other than in a request, `you` has its latency too."""
    line = request(game, state, 0, about, names, latencies)
    line["you"]["latency"] = latencies[0]
    return line
