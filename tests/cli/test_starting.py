"""Before a game its players are compiled side by side, where that is worth a process."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from saddlepoint.cli.starting import compile_missing, compile_players
from saddlepoint.compiled import directory as finished
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play import preparation
from saddlepoint.play.preparation import Need, Preparation, Task
from saddlepoint.players.base import MakePlayer

GAME = LightRiders(8, 6)
NAME = "light_riders(width=8, height=6)"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The players that were compiled; all are missing but "done"."""
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
    monkeypatch.setattr(preparation, "PLAIN_PYTHON", False)
    monkeypatch.setattr(finished, "is_compiled", lambda task: task.endswith(" done"))
    monkeypatch.delenv("SADDLEPOINT_QUIET", raising=False)
    return found


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (("one", "two"), ["one", "two"]),
        (("one", "done", "two", "one"), ["one", "two"]),
        (("one", "one"), []),  # one is compiled when it is made
        (("one", "done"), []),
        (("one", "human"), []),  # a person
        (("one", "./bot.py:Bot"), []),  # what others wrote is started where it plays
        (("one", "cmd:./bot"), []),
    ],
)
def test_players_that_are_missing_are_compiled_side_by_side_if_there_are_several(
    compiled: list[str], players: tuple[str, ...], expected: list[str]
) -> None:
    compile_missing(GAME, players)
    assert compiled == expected


def test_a_line_says_which_of_how_many_is_ready_and_what_is_being_compiled(
    compiled: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    compile_players([Need(GAME, name) for name in ("one", "two", "three")])
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "3 of 3 players are to be compiled"
    assert lines[0].startswith(f"[1/3] {NAME} one ready after ")
    assert lines[0].endswith(f"; compiling {NAME} two and 1 more")
    assert lines[1].endswith(f"; compiling {NAME} three")
    assert "; compiling" not in lines[2]


def test_who_wants_quiet_hears_nothing(
    compiled: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")
    compile_missing(GAME, ("one", "two"))
    assert (compiled, capsys.readouterr().err) == (["one", "two"], "")


def test_what_goes_wrong_goes_wrong_where_the_player_plays(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Preparation, tasks: Sequence[Task]) -> list[Task]:
        raise RuntimeError("no idea")

    monkeypatch.setattr(preparation.Preparation, "wait", fails)
    compile_missing(GAME, ("one", "two"))
