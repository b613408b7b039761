"""What needs nothing of Unix works where its modules and calls are not there, as on Windows, which was not tried."""

import json
from pathlib import Path

import pytest

from helpers.programs import output_of, run_python

PROGRAM = Path(__file__).parents[1] / "helpers" / "without_unix.py"
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(
    params=[
        pytest.param({"NUMBA_DISABLE_JIT": "1"}, id="plain"),
        pytest.param({}, id="compiled", marks=pytest.mark.slow),
    ]
)
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


def test_the_library_searches_and_has_a_place_for_its_compiled_code(
    environment: dict[str, str], tmp_path: Path
) -> None:
    assert output_of(PROGRAM, cache=tmp_path, **environment).split() == ["2", "True", "True", "True"]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("play light_riders(width=5,height=4) random riders_smab --nodes 50 --seed 1", "moves"),
        ("analyze moves:prize_2 --game goofspiel(cards=3) --algorithm saddle --depth 2", "value"),
        ("solve tic_tac_toe --no-check -j 1 -o t.sol", "value"),
        ("match random pvs(depth=2) --game tic_tac_toe --games 2 --seed 1 -j 1", "games"),
    ],
    ids=lambda text: text.partition(" ")[0],
)
@pytest.mark.usefixtures("here")
def test_a_command_that_needs_nothing_of_unix_works(
    environment: dict[str, str], words: str, key: str, tmp_path: Path
) -> None:
    told = json.loads(output_of(PROGRAM, *words.split(), "--json", cache=tmp_path, **environment))
    assert key in told
    assert told.get("steps", 1) > 0


def test_a_game_of_ones_own_is_checked(environment: dict[str, str], tmp_path: Path) -> None:
    told = output_of(PROGRAM, "check", f"{EXAMPLES / 'undercut.py'}:Undercut", cache=tmp_path, **environment)
    assert "the rules keep what every game promises" in told


@pytest.mark.parametrize(
    "words",
    [
        ("play", "tic_tac_toe", "BOT", "random"),
        ("match", "BOT", "random", "--game", "tic_tac_toe", "--games", "2", "-j", "1"),
        ("check", "BOT", "--game", "tic_tac_toe"),
    ],
    ids=lambda words: words[0],
)
def test_a_program_as_player_is_refused_in_a_sentence(words: tuple[str, ...], tmp_path: Path) -> None:
    bot = str(EXAMPLES / "bots" / "first_legal.py")
    done = run_python(
        PROGRAM, *(bot if word == "BOT" else word for word in words), cache=tmp_path, NUMBA_DISABLE_JIT="1"
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith(
        "is a program, and only Linux and macOS have what keeps a program that plays in check"
    )


def test_only_what_isolates_programs_needs_unix_to_be_loaded(tmp_path: Path) -> None:
    """Both are loaded only in a process of their own, which nothing starts there."""
    told = output_of(PROGRAM, "modules", cache=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    assert told == [
        "saddlepoint.players.programs.namespaces fcntl",
        "saddlepoint.players.programs.supervisor resource",
    ]


def test_the_help_is_printed(tmp_path: Path) -> None:
    assert "doctor" in output_of(PROGRAM, "--help", cache=tmp_path, NUMBA_DISABLE_JIT="1")
