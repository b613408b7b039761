"""The players of a match."""

import gc
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SMALL
from helpers.cli_runs import cli
from saddlepoint.arena.conditions import Job, PlayedGame
from saddlepoint.arena.workers import MatchPlayers
from saddlepoint.players.base import RandomPlayer

__all__ = ["cli"]  # a fixture


@pytest.mark.parametrize(
    ("command", "games_at_once", "players"),
    [("match", "1", 2), pytest.param("match", "2", 1, marks=pytest.mark.slow)],
)
def test_a_match_makes_each_player_once(
    command: str, games_at_once: str, players: int, cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checked, counted and played is the same one, and its copy where it plays itself; processes that play make their own."""
    made: list[RandomPlayer] = []

    def make(player: RandomPlayer) -> None:
        made.append(player)

    monkeypatch.setattr(RandomPlayer, "__init__", make)
    arguments = ("random", "random", "--game", "tic_tac_toe", "-n", "4", "--nodes", "1", "--seed", "1")
    code, _, err = cli(command, *arguments, "-j", games_at_once)
    assert code == 0, err
    assert len(made) == players


@pytest.mark.slow
def test_an_evaluator_that_cannot_be_compiled_ends_the_run_at_once(cli: Any, tmp_path: Path) -> None:
    """It fails each time: no game of it is void and played again as if the machine had failed."""
    file = tmp_path / "mine.py"
    file.write_text(_UNKNOWN_FIELD)
    spec = f"saddle(evaluator={file}:Mine, depth=1)"
    code, out, err = cli(
        "match", spec, "random", "--game", "biased_rps", "-n", "2", "--nodes", "10", "--seed", "1", "-j", "1"
    )
    assert code == 2
    assert "Mine.evaluate cannot be compiled: State has no attribute 'coins'" in err
    assert "void" not in out + err


_UNKNOWN_FIELD = """
from dataclasses import dataclass

from saddlepoint.compiled import Component, kernel


@dataclass(frozen=True)
class Mine(Component):
    @kernel
    def evaluate(self, game, state):
        return float(state.coins)
"""


def test_a_move_is_not_charged_for_collecting_what_was_there_before_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(gc, "freeze", lambda: told.append("freeze"))
    monkeypatch.setattr(gc, "unfreeze", lambda: told.append("unfreeze"))
    players = MatchPlayers()
    job = Job(0, 0, ("random", "random"), SMALL.to_text(SMALL.initial_state()), 1)
    try:
        for _ in range(2):
            assert isinstance(
                players.play(NODES, job, lambda state, actions: told.append("step")), PlayedGame
            )
    finally:
        players.close()
    first = told.index("unfreeze") + 1
    assert told[:first] == ["freeze", *["step"] * (first - 2), "unfreeze"] and first > 3
    assert told[first:] == told[:first]  # the same game
