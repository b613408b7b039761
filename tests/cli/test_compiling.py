"""Before a game its players are compiled side by side, where that is worth a process."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from saddlepoint.cli.compiling import compile_missing, compile_players
from saddlepoint.compiled import forecast
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play import preparation
from saddlepoint.play.preparation import Preparation, Task
from saddlepoint.players import needs
from saddlepoint.players.base import MakePlayer
from saddlepoint.players.needs import Need

GAME = LightRiders(8, 6)
SECONDS = {"slow": 20.0, "slower": 30.0, "quick": 1.0, "done": 25.0}
NAME = "light_riders(width=8, height=6)"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The players that were compiled; what they take is known, but of "unknown"."""
    found: list[str] = []

    class Quick(Preparation):
        """One process, in which everything takes no time."""

        def __init__(self, load: Callable[[], MakePlayer], processes: int) -> None:
            super().__init__(load, 1)

        def _sent(self, make: MakePlayer, need: Need, niceness: int) -> "Future[None]":
            return Future()

        def wait(self, tasks: Sequence[Task]) -> list[Task]:
            found.append(tasks[0].need.player)
            tasks[0].future.set_result(None)
            return [tasks[0]]

    monkeypatch.setattr(preparation, "Preparation", Quick)
    monkeypatch.setattr(needs, "PLAIN_PYTHON", False)
    monkeypatch.setattr(forecast, "expected", lambda task: SECONDS.get(task.split()[-1]))
    monkeypatch.setattr(forecast, "is_compiled", lambda task: task.endswith(" done"))
    monkeypatch.delenv("SADDLEPOINT_QUIET", raising=False)
    return found


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (("slow", "slower"), ["slower", "slow"]),
        (("slow", "quick", "slower", "slow"), ["slower", "slow"]),
        (("slow", "slow"), []),  # one is compiled when it is made
        (("slow", "quick"), []),
        (("slow", "done"), []),
        (("slow", "unknown"), []),
    ],
)
def test_players_that_are_known_to_take_long_are_compiled_if_there_are_several(
    compiled: list[str], players: tuple[str, ...], expected: list[str]
) -> None:
    compile_missing(GAME, players)
    assert compiled == expected


def test_a_line_says_before_and_after_each_what_is_left(compiled: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    compile_players([Need(GAME, name) for name in ("slower", "slow", "quick")])
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "3 of 3 players are to be compiled: about 51 s"
    assert lines[0].startswith(f"[1/3] {NAME} slower ready after ")
    assert lines[0].endswith(f"; about 21 s left: {NAME} slow and 1 more")
    assert lines[1].endswith(f"; about 1 s left: {NAME} quick")
    assert "left" not in lines[2]


def test_who_wants_quiet_hears_nothing(
    compiled: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    compile_missing(GAME, ("slow", "slower"))
    assert (compiled, capsys.readouterr().err) == (["slower", "slow"], "")


def test_what_goes_wrong_goes_wrong_where_the_player_plays(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Preparation, tasks: Sequence[Task]) -> list[Task]:
        raise RuntimeError("no idea")

    monkeypatch.setattr(preparation.Preparation, "wait", fails)
    compile_missing(GAME, ("slow", "slower"))
