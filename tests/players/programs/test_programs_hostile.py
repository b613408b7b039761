"""Players that misbehave lose that game, for a reason that says why; nothing of them is left, and others play on."""

import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from helpers.hostile_bots import ESCAPES, FILES, HARMLESS, PROGRAMS, Hostile, program, python_file
from helpers.programs import is_alive, wait_until
from saddlepoint import Goofspiel, LightRiders
from saddlepoint.games.catalogue.isolated import IsolatedFile
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import GameRecord, play_game
from saddlepoint.players.base import MachineFault, Player, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.supervision import containment

GAME = Goofspiel(5, "descending")
AMPLE, SHORT = Clock(30.0, 1.0), Clock(0.2, 0.2)
MEMORY = 400_000_000


needs_namespaces = pytest.mark.skipif(
    containment(Isolation()).means != "namespaces", reason=f"{containment(Isolation())}"
)
QUICK = ("crashes",)
QUICK_PROGRAMS = (*QUICK, "has an illegal move", "cannot be understood", "floods with lines", "answers twice")


def modes_of(bots: Iterable[str], quick: Iterable[str]) -> list[Any]:
    """Every bot under a supervisor and in namespaces; most of them in the slow tests only."""

    def unless(soon: bool) -> list[Any]:
        return [] if soon else [pytest.mark.slow]

    return [pytest.param(name, "supervisor", id=name, marks=unless(name in quick)) for name in bots] + [
        pytest.param(
            name, "namespaces", id=f"{name} in namespaces", marks=[needs_namespaces, *unless(name in QUICK)]
        )
        for name in bots
    ]


def check_that_none_is_left(directory: Path) -> None:
    """Of the processes that a bot noted: being killed takes its time."""
    notes = directory / "notes"
    noted = [int(word) for word in notes.read_text().split()] if notes.exists() else []
    wait_until(lambda: not any(map(is_alive, noted)), 10, noted)


def play(player: Player, seat: int, hurry: bool = False) -> GameRecord:
    players, clocks = [RandomPlayer(), RandomPlayer()], [AMPLE, AMPLE]
    players[seat], clocks[seat] = player, SHORT if hurry else AMPLE  # type: ignore[call-overload]
    for _ in range(4):  # as the arena, which plays a game again in which the machine stood still
        try:
            return play_game(GAME, players, clocks=(clocks[0], clocks[1]), seed=1)
        except MachineFault:
            continue
    return play_game(GAME, players, clocks=(clocks[0], clocks[1]), seed=1)


def check_that_it_loses(player: Player, hostile: Hostile, directory: Path, seat: int) -> None:
    before = psutil.Process().children(recursive=True)
    record = play(player, seat, hostile.hurry)
    fault = record.faults[seat]
    assert fault is not None
    assert re.search(hostile.reason, str(fault)), fault
    assert record.faults[1 - seat] is None
    assert record.result == (1.0 if seat else -1.0)
    assert record.reason.startswith(f"player {seat} at fault: ")
    assert len(record.actions) == max(hostile.start, 0)
    if "late:" not in record.reason:  # who is only late goes on, and may be forgiven
        assert hostile.kind is None or fault.kind is hostile.kind
        check_that_none_is_left(directory)
        assert psutil.Process().children(recursive=True) == before
    ordinary = play(RandomPlayer(), 0)
    assert ordinary.faults == (None, None)
    assert len(ordinary.actions) == GAME.cards
    player.close()
    check_that_none_is_left(directory)
    assert psutil.Process().children(recursive=True) == before


def isolation_of(name: str, mode: str) -> Isolation:
    # One that never gets ready is given up after the time that no clock measures.
    return Isolation(memory=MEMORY, patience=1.0 if name.startswith("never") else 60.0, mode=mode)


@pytest.mark.parametrize(("name", "mode"), modes_of(PROGRAMS, QUICK_PROGRAMS))
def test_a_hostile_program_loses_its_game_and_nothing_else(name: str, mode: str, tmp_path: Path) -> None:
    hostile = PROGRAMS[name]
    player = make_player(f"cmd:{program(tmp_path, hostile)}", GAME, isolation=isolation_of(name, mode))
    check_that_it_loses(player, hostile, tmp_path, seat=len(name) % 2)


@pytest.mark.parametrize(("name", "mode"), modes_of(FILES, QUICK))
def test_a_hostile_file_loses_its_game_and_nothing_else(name: str, mode: str, tmp_path: Path) -> None:
    hostile = FILES[name]
    player = make_player(python_file(tmp_path, hostile), GAME, isolation=isolation_of(name, mode))
    assert isinstance(player, IsolatedFile)
    check_that_it_loses(player, hostile, tmp_path, seat=len(name) % 2)


@pytest.mark.parametrize("name", ESCAPES)
def test_who_stops_or_kills_its_supervisor_loses(name: str, tmp_path: Path) -> None:
    hostile = ESCAPES[name]
    player = make_player(
        f"cmd:{program(tmp_path, hostile)}", GAME, isolation=isolation_of(name, "supervisor")
    )
    check_that_it_loses(player, hostile, tmp_path, seat=0)


@needs_namespaces
@pytest.mark.parametrize("name", ESCAPES)
def test_in_namespaces_there_is_no_supervisor_to_stop_or_kill(name: str, tmp_path: Path) -> None:
    reason, kind = HARMLESS[name]
    hostile = replace(ESCAPES[name], reason=reason, kind=kind)
    player = make_player(
        f"cmd:{program(tmp_path, hostile)}", GAME, isolation=isolation_of(name, "namespaces")
    )
    if kind is not None:
        check_that_it_loses(player, hostile, tmp_path, seat=0)
        return
    record = play(player, 0)
    player.close()
    assert not any(record.faults)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hostile", "make"), [(PROGRAMS["crashes"], program), (FILES["crashes"], python_file)]
)
def test_one_that_failed_plays_its_next_game(hostile: Any, make: Any, tmp_path: Path) -> None:
    player = make_player(make(tmp_path, hostile), GAME)
    for _ in range(2):
        assert "SIGABRT, in round 3" in play(player, 0).reason
    player.close()


@pytest.mark.slow
def test_memory_is_limited_in_every_protocol(tmp_path: Path) -> None:
    riddles = tmp_path / "riddles.py"
    riddles.write_text(
        "import sys\nfor line in sys.stdin:\n    kept = []\n    while line[:6] == 'action': kept.append(bytearray(10**7))\n"
    )
    game = LightRiders(6, 5)
    before = psutil.Process().children(recursive=True)
    player = make_player(f"cmd:{sys.executable} {riddles}", game, isolation=Isolation(memory=MEMORY))
    record = play_game(game, (player, RandomPlayer()), clocks=(AMPLE, AMPLE))
    assert "of memory used, more than 400 MB" in str(record.faults[0])
    assert psutil.Process().children(recursive=True) == before
