"""What needs nothing of Unix works where its modules and calls are not there, as on Windows, which was not tried."""

import json
from pathlib import Path

import pytest

from programs import output_of

PROGRAM = Path(__file__).with_name("without_unix.py")


@pytest.fixture(params=[
    pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="plain"), pytest.param({}, id="compiled", marks=pytest.mark.slow),
])  # fmt: skip
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def test_the_library_searches_and_has_a_place_for_its_compiled_code(environment: dict[str, str], tmp_path: Path) -> None:
    assert output_of(PROGRAM, cache=tmp_path, **environment).split() == ["2", "True", "False"]


def test_two_built_in_players_play(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("play", "light_riders(width=5, height=4)", "random", "riders_smab", "--nodes", "50", "--seed", "1", "--json")
    told = json.loads(output_of(PROGRAM, *words, cache=tmp_path, **environment))
    assert told["steps"] == len(told["moves"]) > 0


def test_a_position_is_analysed(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("analyze", "moves: prize_2", "--game", "goofspiel(cards=3)", "--algorithm", "saddle", "--depth", "2", "--json")
    assert "value" in json.loads(output_of(PROGRAM, *words, cache=tmp_path, **environment))


def test_a_game_is_solved(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("solve", "tic_tac_toe", "--no-check", "-j", "1", "--json", "-o", str(tmp_path / "t.sol"))
    assert json.loads(output_of(PROGRAM, *words, cache=tmp_path, **environment))["value"] == 0.0
