"""A move for every question, whatever goes wrong, and a fair share of the time for every game."""

import asyncio
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.programs import wait_until
from helpers.snake_requests import asked, duel, snake
from saddlepoint.game.spec import SpecError
from saddlepoint.games.battlesnake import answers as module
from saddlepoint.games.battlesnake.answers import BUSY, WARMED, Answers
from saddlepoint.games.battlesnake.thinking import Compilation, Rules
from saddlepoint.play import pool
from saddlepoint.players.base import Player
from saddlepoint.players.clock import Clock

PATIENCE = 60.0  # seconds


class Thinking(Player):
    """Goes up, when it may; notes what it was asked with."""

    def __init__(self, may_go_on: threading.Event, clocks: list[Clock]) -> None:
        self._may_go_on, self._clocks = may_go_on, clocks

    def warm(self, game: Any, state: Any, seats: Any = (0, 1)) -> None:
        pass

    def choose(self, state: Any, clock: Clock) -> int:
        self._clocks.append(clock)
        assert self._may_go_on.wait(PATIENCE)
        return 0


class Table:
    """Answers whose players wait, or cannot be made, and what is known of them."""

    def __init__(self, player: str = "best", error: Exception | None = None) -> None:
        self.may_go_on = threading.Event()
        self.clocks: list[Clock] = []
        self.told: list[str] = []
        self.made = self.made_before = 0

        def make(spec: str, game: Any) -> Thinking:
            if error is not None:
                raise error
            self.made += 1
            return Thinking(self.may_go_on, self.clocks)

        self.answers = Answers(player, lambda: make, SimpleNamespace(write=self.told.append))  # type: ignore[arg-type]

    def asked(self, told: dict[str, Any]) -> str:
        """The move, when the players may answer."""
        self.may_go_on.set()
        return asyncio.run(self.answers.move(told, time.monotonic()))

    def ended(self, told: dict[str, Any]) -> str:
        """What the log says of the game at its end."""
        self.answers.end(told)
        return self.told[-1]

    def wait_for(self, text: str) -> None:
        wait_until(lambda: any(text in line for line in self.told), PATIENCE, self.told)


@contextmanager
def table(player: str = "best", error: Exception | None = None) -> Iterator[Table]:
    made = Table(player, error)
    try:
        yield made
    finally:
        made.may_go_on.set()
        made.answers.close()
        assert made.answers.ended(time.monotonic() + PATIENCE)


@contextmanager
def ready_table() -> Iterator[Table]:
    """All usual boards are ready."""
    with table() as made:
        made.wait_for("best is ready for standard 11x11 with piled hazards")
        made.made_before = made.made
        yield made


async def searching(one: Table, count: int) -> None:
    """Wait until so many were asked."""
    async with asyncio.timeout(PATIENCE):
        while len(one.clocks) < count:
            await asyncio.sleep(0.01)


def four(game: str, timeout: int = 20_000) -> list[dict[str, Any]]:
    """What the four snakes of a game are asked, as the arena does it: without a map, with a damage that is not the official program's."""
    snakes = [
        snake(f"s{number}", [(x, y)] * 3) for number, (x, y) in enumerate([(1, 1), (9, 1), (1, 9), (9, 9)])
    ]
    requests = [
        asked(you, *(one for one in snakes if one is not you), game=game, timeout=timeout) for you in snakes
    ]
    for one in requests:
        one["game"]["map"] = ""
        one["game"]["ruleset"]["settings"]["hazardDamagePerTurn"] = 15
    return requests


def test_each_of_four_snakes_of_one_server_has_its_player_search_at_the_same_time() -> None:
    async def played() -> list[str]:
        requests = four("four")
        for one in requests:
            here.answers.start(one)
        moves = [asyncio.create_task(here.answers.move(one, time.monotonic())) for one in requests]
        await searching(here, 4)
        here.may_go_on.set()
        return await asyncio.gather(*moves)

    with ready_table() as here:
        assert asyncio.run(played()) == ["up"] * 4
        assert here.made == here.made_before  # hazards that are not there make no other game
        assert all("none by a safe move" in here.ended(one) for one in four("four"))


def test_the_player_may_think_away_all_that_the_server_does_not_hold_back() -> None:
    with ready_table() as here:
        assert here.asked(duel(11, timeout=500)) == "up"
        assert here.clocks[0].is_net and 0.25 <= here.clocks[0].bank <= 0.5


def test_a_burst_of_games_that_nobody_began_takes_nothing_from_one_that_is_thought_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CORES", 2)

    async def played() -> None:
        known = duel(11, game="known", timeout=20_000)
        here.answers.start(known)
        move = asyncio.create_task(here.answers.move(known, time.monotonic()))
        await searching(here, 1)
        for number in range(50):
            here.answers.start(duel(11, game=f"begun {number}"))
            other = duel(11, game=f"burst {number}", timeout=20_000)
            assert await here.answers.move(other, time.monotonic()) in ("up", "right")  # from its corner
        assert len(here.clocks) == 1 and not move.done()
        here.may_go_on.set()
        assert await move == "up"
        assert await here.answers.move(known | {"turn": 1}, time.monotonic()) == "up"
        assert len(here.clocks) == 2  # nobody has taken its player

    with ready_table() as here:
        asyncio.run(played())
        assert f"1 by a safe move ({BUSY}: 1)" in here.ended(duel(11, game="burst 7"))
        assert "none by a safe move" in here.ended(duel(11, game="known"))


def test_while_one_board_is_compiled_players_for_another_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(
        Compilation, "compile", lambda self, rules, *_: rules.width == 11 or compiled.wait(PATIENCE)
    )
    with table() as here:
        here.wait_for("preparing best for standard 7x7")
        for number in range(8):
            told = duel(11, game=f"known {number}", timeout=20_000)
            here.answers.start(told)
            assert here.asked(told) == "up"
            assert "none by a safe move" in here.ended(told)
        small = duel(7, game="small", timeout=20_000)
        assert here.asked(small) in ("up", "right", "down", "left")
        assert "1 by a safe move (not ready yet: 1)" in here.ended(small)
        compiled.set()


def test_the_usual_boards_are_compiled_one_after_the_other_and_one_that_a_game_waits_for_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled, asked_for = threading.Event(), queue.Queue()

    def compile_(compilation: Compilation, rules: Rules, player: str, is_awaited: bool) -> None:
        asked_for.put((rules.width, is_awaited))
        assert compiled.wait(PATIENCE)

    monkeypatch.setattr(Compilation, "compile", compile_)
    with table() as here:
        assert asked_for.get(timeout=PATIENCE) == (11, False)
        here.answers.start(duel(7, game="small", timeout=20_000))
        assert asked_for.get(timeout=PATIENCE) == (7, True)
        assert asked_for.empty()
        compiled.set()


def test_games_that_were_only_begun_take_no_player_from_one_that_asks_for_a_move() -> None:
    with ready_table() as here:
        for number in range(3 * pool.MOST_PLAYERS):
            here.answers.start(duel(11, game=f"begun {number}"))
        games = [
            duel(11, game=f"played {number}", timeout=20_000) for number in range(pool.MOST_PLAYERS // 4)
        ]
        for turn in range(2):
            assert [here.asked(told | {"turn": turn}) for told in games] == ["up"] * len(games)
        assert all("none by a safe move" in here.ended(told) for told in games)


def test_a_game_keeps_its_player_for_a_while_in_which_it_asks_nothing() -> None:
    made = pool.PlayerPool(Idle, lambda: None, lambda line: None, kept=PATIENCE, made_at_once=1)  # type: ignore[arg-type]
    first = object()
    player = made.for_match(first, "a")
    assert player is not None and player.prepared.wait(PATIENCE)
    others = [made.for_match(object(), "a") for _ in range(pool.MOST_PLAYERS * 3)]
    assert made.for_match(first, "a") is player and player not in others
    player.used -= 2 * PATIENCE
    while (
        made.for_match(other := object(), "a") is not player
    ):  # nothing was heard of it for longer than that
        assert len(made._players) <= pool.MOST_PLAYERS
    assert player.match is other
    assert made.close(time.monotonic() + PATIENCE)


class Idle(pool.PooledPlayer[str]):
    """Is there."""

    def made(self) -> Any:
        return lambda question: None, lambda: None

    def failed_to(self, prepare: bool, error: Exception) -> None:
        raise AssertionError


def test_the_boards_that_are_played_are_compiled_before_anybody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(Compilation, "compile", lambda self, rules, *_: compiled.append(str(rules)))
    with ready_table() as here:
        assert compiled == [
            "standard 11x11",
            "standard 7x7",
            "standard 19x19",
            "standard 11x11 with piled hazards",
        ]
        for size in (7, 11, 19):
            for mode in ("standard", "royale", "constrictor", "wrapped"):
                told = duel(size, game=f"{mode} {size}", mode=mode, timeout=20_000)
                assert here.asked(told) == "up"
                assert "none by a safe move" in here.ended(told)
        assert len(compiled) == len(WARMED)  # nothing more
        assert sum("until then a safe move is the answer" in line for line in here.told) == len(WARMED)


CORNERED = asked(snake("me", [(0, 0), (1, 0), (2, 0)]), snake("b", [(5, 5), (5, 6), (5, 7)]), timeout=10_000)


def test_a_defect_costs_a_good_move_but_not_the_move() -> None:
    def defect(*_: Any) -> Any:
        raise RuntimeError("a defect")

    with table(error=ValueError("there is no player")) as here:
        here.answers.machine.deadline = defect  # type: ignore[method-assign]
        assert [here.asked(CORNERED) for _ in range(2)] == ["up"] * 2
    said = [line for line in here.told if "a safe move, not best: " in line]
    assert len(said) == 1 and "RuntimeError('a defect') in defect, line " in said[0]
    assert "2 by a safe move (a defect: 2)" in here.ended(CORNERED)


def test_where_there_is_no_such_player_a_game_that_has_begun_is_played_to_its_end() -> None:
    async def played() -> None:
        here.answers.start(CORNERED)
        watching = asyncio.create_task(here.answers.watch())
        async with asyncio.timeout(60):
            while not here.answers.pool.refusal:
                await asyncio.sleep(0.01)
        assert await here.answers.move(CORNERED, time.monotonic()) == "up"
        await asyncio.sleep(0.3)
        assert not watching.done()
        here.answers.end(CORNERED)
        await asyncio.wait_for(watching, 10)

    with table("nosuch", SpecError("no player is called 'nosuch'")) as here:
        asyncio.run(played())
    assert any("a safe move, not nosuch: no player is called 'nosuch'" in line for line in here.told)
