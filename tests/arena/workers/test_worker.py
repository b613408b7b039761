"""The players of a match."""

from typing import Any

import pytest

from cli_runs import cli
from saddlepoint.players.random_player import RandomPlayer

__all__ = ["cli"]  # a fixture


@pytest.mark.parametrize(("command", "games_at_once", "players"), [("match", "1", 2), ("tournament", "1", 2), ("match", "2", 1)])
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
