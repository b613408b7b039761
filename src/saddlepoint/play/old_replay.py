"""Replays as `play` and `referee` wrote them before all games had one format: a line for the game, for each round, for the result."""

from typing import Any

from .fields import Fields, fail
from .replay import Replay, Round

_FORMAT, _VERSION = "saddlepoint-replay", 1


def is_old_replay(first: dict[str, Any]) -> bool:
    """Whether a file with this first line is one of them."""
    return first.get("format") == _FORMAT or first.get("type") == "game"


def old_replay(lines: list[dict[str, Any]]) -> Replay:
    """The game of a file's lines; raises ReplayError in one sentence."""
    header, last = Fields(lines[0], "line 1"), Fields(lines[-1], f"line {len(lines)}")
    if lines[0].get("type") != "game" or lines[0].get("format") != _FORMAT:
        fail(header.where, f"expected the game, with the format {_FORMAT!r}")
    if lines[0].get("version") != _VERSION:
        fail(header.where, f"version {lines[0].get('version')!r} is not known here: expected {_VERSION}")
    if len(lines) < 2 or lines[-1].get("type") != "result":
        fail(last.where, "expected the result as the last line; the file is incomplete")
    rounds: list[Round] = []
    for number, data in enumerate(lines[1:-1]):
        line = Fields(data, f"line {number + 2}")
        if data.get("type") != "round" or data.get("round") != number:
            fail(line.where, f"expected round {number}")
        rounds.append(
            Round(
                line.pair("answers", str, type(None)), line.pair("moves", str, type(None)), line.pair("ms", float, int),
                line.pair("bank", float, int, type(None)), line.pair("warnings", str),
            )
        )  # fmt: skip
    if last.take("rounds", int) != len(rounds):
        fail(last.where, f"{len(rounds)} rounds are there, not {last.take('rounds', int)}")
    return Replay(
        header.take("game", str), header.take("parameters", dict), header.pair("players", str), header.take("start", str),
        tuple(rounds), float(last.take("result", float, int)), last.take("reason", str), last.pair("faults", str),
        header.take("seed", int, type(None)), header.take("settings", dict),
    )  # fmt: skip
