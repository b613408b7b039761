"""Players that are kept from use to use."""

from contextlib import ExitStack
from typing import Any

import pytest

from saddlepoint.play.pool import KeptPlayers
from saddlepoint.players.base import Player
from saddlepoint.players.clock import Clock


class Named(Player):
    """A player that notes when it is closed."""

    def __init__(self, name: str, closed: list["Named"]) -> None:
        self.name, self._closed = name, closed

    def choose(self, state: Any, clock: Clock) -> int:
        return 0

    def close(self) -> None:
        self._closed.append(self)


@pytest.fixture
def closed() -> list[Named]:
    return []


@pytest.fixture
def kept(closed: list[Named]) -> KeptPlayers[str]:
    def make(name: str) -> Player:
        if name == "nobody":
            raise ValueError(f"no player is called {name}")
        return Named(name, closed)

    return KeptPlayers(make, 2)


def used(kept: KeptPlayers[str], *names: str) -> list[Player]:
    """Players that were in use at the same time."""
    with ExitStack() as stack:
        return [stack.enter_context(kept.use(name)) for name in names]


def test_a_player_is_made_once_and_used_by_one_at_a_time(kept: KeptPlayers[str]) -> None:
    one, other = used(kept, "a", "a")
    assert one is not other
    assert used(kept, "a", "a") == [one, other], "each in its place again"


def test_the_one_that_was_unused_longest_is_closed_for_another(
    kept: KeptPlayers[str], closed: list[Named]
) -> None:
    (a,), (b,) = used(kept, "a"), used(kept, "b")
    assert used(kept, "a") == [a]
    used(kept, "c")
    assert closed == [b]
    assert len(kept) == 2


def test_whoever_fails_is_closed_and_the_next_one_is_made(
    kept: KeptPlayers[str], closed: list[Named]
) -> None:
    with pytest.raises(RuntimeError, match="no idea"), kept.use("a") as failed:
        raise RuntimeError("no idea")
    assert closed == [failed]
    assert used(kept, "a") != [failed]


def test_one_that_cannot_be_made_leaves_nothing_behind(kept: KeptPlayers[str], closed: list[Named]) -> None:
    with pytest.raises(ValueError, match="no player"), kept.use("nobody"):
        pytest.fail("there is nobody")
    assert (len(kept), closed) == (0, [])


@pytest.mark.parametrize("at_once", [False, True])
def test_everyone_is_closed_once_whoever_is_in_use_meanwhile(
    kept: KeptPlayers[str], closed: list[Named], at_once: bool
) -> None:
    (idle,) = used(kept, "a")
    with kept.use("b") as busy:
        kept.close(at_once)
        assert closed == ([idle, busy] if at_once else [idle])
    assert closed == [idle, busy]
    (late,) = used(kept, "c")
    assert closed == [idle, busy, late]
