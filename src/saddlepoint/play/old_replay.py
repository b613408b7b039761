"""Replays as a line for the game, for each round, for the result: what `show --json` prints, and once `play` and `referee` wrote."""

from dataclasses import asdict
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
                line.take("chance", int, type(None)) if "chance" in line else None,
            )
        )  # fmt: skip
    if last.take("rounds", int) != len(rounds):
        fail(last.where, f"{len(rounds)} rounds are there, not {last.take('rounds', int)}")
    result = last.take("result", float, int, type(None))
    return Replay(
        header.take("game", str), header.take("parameters", dict), header.pair("players", str), header.take("start", str),
        tuple(rounds), None if result is None else float(result), last.take("reason", str), last.pair("faults", str),
        header.take("seed", int, type(None)), header.take("settings", dict),
    )  # fmt: skip


def lines_of(replay: Replay) -> list[dict[str, Any]]:
    """The lines of a replay, as `old_replay` reads them."""
    names = ("game", "parameters", "players", "start", "seed", "settings")
    header = {"type": "game", "format": _FORMAT, "version": _VERSION} | {name: getattr(replay, name) for name in names}
    rounds = [{"type": "round", "round": number, **asdict(played)} for number, played in enumerate(replay.rounds)]
    end = {"type": "result", "result": replay.result, "rounds": len(rounds), "reason": replay.reason, "faults": replay.faults}
    return [header, *rounds, end]
