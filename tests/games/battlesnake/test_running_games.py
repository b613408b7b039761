"""What is remembered of games: bounded, dropped at the end or when old."""

from types import SimpleNamespace

import pytest

from helpers.snake_requests import asked, duel, snake
from saddlepoint.games.battlesnake import running as module
from saddlepoint.games.battlesnake.requests import read_request
from saddlepoint.games.battlesnake.running import Machine, RunningGames
from saddlepoint.games.battlesnake.thinking import Rules, Setting

SETTING = Setting(Rules(7, 7), "best")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def games(told: list[str]) -> RunningGames:
    return RunningGames(
        SimpleNamespace(release=lambda game: told.append(f"released {game.key}")), Machine(), told.append
    )  # type: ignore[arg-type]


def test_a_game_is_known_by_its_id_and_our_snakes(games: RunningGames) -> None:
    first, other = (games.under(("g", snake), SETTING) for snake in "ab")
    assert other is not first and games.under(("g", "a"), SETTING) is first
    assert [games.end(("g", "a")) for _ in range(2)] == [first, None]
    assert games.known(("g", "a")) is None and len(games) == 1


def test_other_rules_need_another_player(games: RunningGames, told: list[str]) -> None:
    game = games.under(("g", "a"), SETTING)
    piled = Setting(Rules(7, 7, hazard_stack=4), "best")
    assert games.under(("g", "a"), piled) is game and game.setting == piled
    assert told == ["released ('g', 'a')"]


def test_too_many_and_old_ones_are_dropped(
    games: RunningGames, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(module._MOST_GAMES + 3):
        games.under((str(number), "a"), SETTING)
    assert len(games) == module._MOST_GAMES and games.known(("0", "a")) is None
    assert sum("given up" in line for line in told) == 3
    monkeypatch.setattr(module, "_OLD", 0.0)
    games.under(("new", "a"), SETTING)
    assert len(games) == 1


def test_the_line_in_the_log() -> None:
    game = module.SnakeGame(SETTING, ("a-long-id", "me"), Machine())
    game.see(read_request(duel(7)), 0.5)
    assert (
        game.summary("won")
        == "game a-long-i standard 7x7 against YOU: won, turn 0; no move; none by a safe move"
    )
    game.see(read_request(asked(snake("me", [(1, 1)]), size=7, turn=9)), 0.5)
    game.answers, game.slowest = 3, 0.1
    game.fallbacks.update(["not ready yet", "not ready yet", "asked again"])
    assert game.summary("lost") == (
        "game a-long-i standard 7x7 against YOU: lost, turn 9; slowest of 3 answers 100 ms of 500; "
        "3 by a safe move (not ready yet: 2, asked again: 1)"
    )
