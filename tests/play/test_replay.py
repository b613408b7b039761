"""Replays: written and read back, and files from elsewhere refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play import replay
from saddlepoint.play.replay import Replay, ReplayError, Round

GAME = LightRiders(8, 6)


def a_replay() -> Replay:
    """Both ride straight into each other's trails: heads at x = 2 and 5, dead in the second round."""
    start = GAME.initial_state(2, 2)
    rounds = (
        Round(("right", None), ("right", "left"), (1.5, 20.0), (10000.0, 9980.0)),
        Round(("PASS", "x\u00e9\n"), ("right", "left"), (1.5, 0.1), (10000.0, 10000.0), ("", "Move isn't valid")),
    )
    parameters = {"width": 8, "height": 6, "max_rounds": 0}
    return Replay("light_riders", parameters, ("a", "b"), GAME.to_text(start), rounds, 0.0, "a draw", seed=4)


def test_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(line + "\n" for line in replay.to_lines(a_replay())))
    assert replay.read(path) == a_replay()
    assert [state.round for state in a_replay().states()] == [0, 1, 2]


def change(lines: list[dict[str, Any]], line: int, name: str, value: Any) -> list[dict[str, Any]]:
    lines[line][name] = value
    return lines


DAMAGE: list[tuple[int, str, Any, str]] = [
    (0, "format", "pgn", "line 1: expected the game, with the format 'saddlepoint-replay'"),
    (0, "version", 9, "line 1: version 9 is not known here: expected 1"),
    (0, "game", "chess", "line 1: no game is called 'chess'"),
    (0, "game", 3, "line 1: 'game' must be a string, not 3"),
    (0, "parameters", {"width": 99}, "line 1: the field must be 4 to 32 cells wide"),
    (0, "parameters", {"width": "8"}, "line 1: light_riders: width must be of the kind of 16"),
    (0, "parameters", {"depth": 8}, "line 1: light_riders has no parameter 'depth'"),
    (0, "players", ["a"], "line 1: 'players' must have one entry for each player"),
    (0, "start", "x", "line 1: expected 6 rows of 8 cells"),
    (0, "seed", True, "line 1: 'seed' must be a whole number or null, not true"),
    (1, "round", 1, "line 2: expected round 0"),
    (1, "moves", ["right", "sideways"], "line 2: 'sideways' is not a legal action of player 1 here"),
    (1, "moves", ["right", None], "line 2: player 1 has a move here"),
    (1, "moves", ["up", "left"], "line 3: the game is over"),
    (1, "ms", [1, 1e300], "line 2: 'ms' is too large"),
    (1, "ms", [1, "2"], "line 2: 'ms' must be a number or a whole number, not \"2\""),
    (3, "result", 1.0, "line 4: the result is 0 by the rules, not 1"),
    (3, "rounds", 7, "line 4: 2 rounds are there, not 7"),
    (3, "type", "end", "line 4: expected the result as the last line; the file is incomplete"),
]


@pytest.mark.parametrize(("line", "name", "value", "message"), DAMAGE)
def test_a_damaged_line_is_named(line: int, name: str, value: Any, message: str, tmp_path: Path) -> None:
    lines = change(a_replay().to_json(), line, name, value)
    if message == "line 3: the game is over":
        # Up and into the wall: player 0 is dead before the second round.
        lines[0]["start"] = GAME.to_text(GAME.initial_state(2, 0))
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(data) + "\n" for data in lines))
    with pytest.raises(ReplayError) as caught:
        replay.read(path)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe\n", "line 1: no JSON"),
        (b"{\n", "line 1: no JSON"),
        (b"[]\n", "line 1: expected a JSON object"),
        (b'{"type": NaN}\n', "line 1: no JSON: NaN is no number"),
        (b"[" * 100_000 + b"\n", "line 1: no JSON"),
        (b'{"a": ' + b"1" * 5000 + b"}\n", "line 1:"),
        (b"x" * 300_000, "line 1: longer than 200000 bytes"),
    ],
)
def test_files_that_are_no_replays(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ReplayError) as caught:
        replay.read(path)
    assert str(caught.value).startswith(message)


def test_a_game_that_breaks_off_needs_somebody_at_fault(tmp_path: Path) -> None:
    lines = a_replay().to_json()
    del lines[2]
    lines[-1].update(rounds=1, result=-1.0)
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(data) + "\n" for data in lines))
    with pytest.raises(ReplayError, match="the game is not over, and nobody is at fault"):
        replay.read(path)
    lines[-1]["faults"] = ["late", ""]
    path.write_text("".join(json.dumps(data) + "\n" for data in lines))
    assert replay.read(path).result == -1.0
