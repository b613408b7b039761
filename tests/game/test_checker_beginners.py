"""What a beginner is told, by `check_game` and on the command line: one sentence with the method, the line and the way out."""

import re
import signal
import time
from pathlib import Path

import psutil
import pytest

from compiled.test_errors import EXPECTED
from helpers import mistakes
from helpers.beginners_games import BEFORE, LAST, NEW, Mistake, method
from helpers.cli_runs import program
from helpers.programs import wait_until
from helpers.telling import loaded, mine, said_by_check_game
from saddlepoint import BackwardInduction, GameError, KernelError, check_game, search
from saddlepoint.compiled import PLAIN_PYTHON, endless_loops as patience

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="some are found when they are compiled")
MISTAKES = [*NEW, *BEFORE]
LONGEST = 320
"""Characters of a sentence, without the line that it shows."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.3)


def slow_but_every_third(mistakes: list[Mistake]) -> list:
    quick = [m for m in mistakes if not m.compiles]
    return [
        pytest.param(m, id=m.name, marks=pytest.mark.slow if m.compiles or quick.index(m) % 3 else ())
        for m in mistakes
    ]


@pytest.mark.parametrize("mistake", slow_but_every_third([m for m in MISTAKES if not m.only_command]))
def test_check_game_says_it_in_one_sentence(mistake, tmp_path):
    path = mine(mistake, tmp_path)
    first, *rest = said_by_check_game(mistake, path)
    assert mistake.says in first
    assert mistake.way in first
    assert mistake.method in first
    assert len(first) <= LONGEST
    assert "Traceback" not in "".join(rest)
    assert len(rest) <= 3, "the line, the position, and how to play the same games again"
    if mistake.line:
        assert_shows_line(rest[0].strip(), path, mistake.line)


@pytest.mark.parametrize("mistake", slow_but_every_third([m for m in MISTAKES if not m.only_checked]))
def test_the_command_line_says_it_in_one_line_and_ends_with_2(mistake, tmp_path, cli):
    path = mine(mistake, tmp_path)
    game = ("--game", f"{path}:{mistake.spec}")
    _, err = cli.ended(2, "match", "random", "random", *game, "-n", "2", "--seed", "1")
    lines = [line for line in err.splitlines() if "the machine is busy" not in line]
    assert len(lines) == 1, err
    sentence = lines[0].removeprefix("saddlepoint: ")
    assert sentence != lines[0]
    assert mistake.says in sentence
    assert mistake.way in sentence
    assert mistake.method in sentence
    told, _, where = sentence.partition(" (mine.py, line ")
    assert len(told) <= LONGEST
    if mistake.line:
        assert_shows_line(f"mine.py, line {where}", path, mistake.line)


FOUND_BY_PYTHON = ("Undefined", "WrongField", "Index", "GivesList")
LAST_NAMES = [
    name if name in FOUND_BY_PYTHON else pytest.param(name, marks=pytest.mark.slow) for name in LAST
]


@pytest.fixture(autouse=True)
def _no_word_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a compilation takes long enough to be told, in a line of its own."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")


@pytest.mark.parametrize("name", LAST_NAMES)
def test_mistakes_in_a_kernels_body_are_told_by_check_game(name):
    with pytest.raises(AssertionError) as caught:
        check_game(getattr(mistakes, name)(), playouts=5, seed=1)
    first, second, *rest = str(caught.value).splitlines()
    assert EXPECTED[name][0] in first
    assert LAST[name][1] in first
    assert len(first) <= LONGEST
    assert len(rest) <= 2
    assert_shows_line_of_mistakes(name, second.strip())


def assert_shows_line_of_mistakes(name: str, shown: str) -> None:
    """The line of the mistake, or the first one of its method where only the result is wrong."""
    method, wanted = EXPECTED[name][0], "raise ValueError(" if name == "Raises" else EXPECTED[name][2]
    assert_shows_line(shown, Path(str(mistakes.__file__)), wanted, f"def {method}(")


def assert_shows_line(shown: str, path: Path, *wanted: str) -> None:
    """A line of that file, in which one of the pieces is."""
    match = re.match(rf"{path.name}, line (\d+): (.*)", shown)
    assert match, shown
    line = path.read_text().splitlines()[int(match[1]) - 1].strip()
    assert match[2].startswith(line)
    assert any(piece in line for piece in wanted)


@pytest.mark.parametrize(
    "name", ["one_action", "growing_tuple", pytest.param("tuple_of_list", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "command", [["solve"], ["play", "GAME", "random", "random"]], ids=lambda command: command[0]
)
def test_every_command_that_takes_a_game_says_it(name, command, tmp_path, cli):
    mistake = next(mistake for mistake in MISTAKES if mistake.name == name)
    path = f"{mine(mistake, tmp_path)}:Mine"
    arguments = (
        [path if word == "GAME" else word for word in command] if "GAME" in command else [*command, path]
    )
    _, err = cli.ended(2, *arguments)
    assert mistake.says in err
    assert len(err.splitlines()) == 1


def test_what_only_a_later_position_shows_is_said_in_one_line_too(tmp_path, cli):
    late = method("render(self, state)", "return 'start' if state.round == 0 else str(state.cells[5])")
    path = mine(Mistake("late", "", late, "", ""), tmp_path)
    _, err = cli.ended(2, "play", f"{path}:Mine", "random", "random", "--seed", "1")
    assert (
        "Mine.render failed: IndexError: tuple index out of range; look at the index before you use it (mine.py, line 4"
        in err
    )
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_search_says_that_a_rule_does_not_come_to_an_end(tmp_path):
    game = loaded(mine(next(mistake for mistake in NEW if mistake.name == "endless_helper"), tmp_path)).Mine()
    with pytest.raises(KernelError) as caught:
        search(game, game.initial_state(), BackwardInduction())
    first, line, position = str(caught.value).splitlines()
    assert first == "Mine.sum failed: it did not come to an end in 0.3 s; does its loop ever end?"
    assert line.startswith("  mine.py, line 4")
    assert position == "  in the position (0, 0, (0, 0))"


def test_python_and_a_search_say_that_an_action_would_be_dropped(tmp_path):
    game = loaded(
        mine(next(mistake for mistake in NEW if mistake.name == "one_action_number"), tmp_path)
    ).Mine()
    with pytest.raises(
        GameError, match=r"Mine.next_state takes one action, and both players move here: write def next_state"
    ):
        game.next_state(game.initial_state(), 0, 1)
    with pytest.raises(
        GameError,
        match=r"Mine.next_state must take both actions where current_player says SIMULTANEOUS: write",
    ):
        search(game, game.initial_state(), BackwardInduction())


@pytest.mark.slow
def test_ctrl_c_ends_a_rule_that_does_not_come_to_an_end(tmp_path):
    mistake = next(mistake for mistake in NEW if mistake.name == "endless_loop")
    path = mine(mistake, tmp_path)
    path.write_text("print('loaded', flush=True)\n" + path.read_text())
    process = program("match", "random", "random", "--game", f"{path}:Mine", "-n", "2")
    assert process.stdout.readline() == "loaded\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err


@pytest.mark.slow
def test_ctrl_c_twice_ends_a_search_in_a_loop_that_no_random_game_met(tmp_path):
    edits = [
        (
            "        lead = state.lead + action0 - action1\n",
            "        lead = state.lead + action0 - action1\n"
            "        while action0 == 97 and action1 == 95:\n            lead = lead * 3 + 1\n",
        ),
        ("max_actions = 3", "max_actions = 100"),
        ("range(3)", "range(100)"),
        ("return 3", "return 100"),
    ]
    path = mine(Mistake("rare", "", edits, "", ""), tmp_path)
    process = program("match", "smab", "random", "--game", f"{path}:Mine", "-n", "2")
    children = psutil.Process(process.pid).children
    # compiling takes less, and the loop all that there is
    wait_until(
        lambda: max((one.cpu_times().user for one in children(recursive=True)), default=0.0) >= 8.0, 600
    )
    assert process.poll() is None
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_the_good_game_is_good(tmp_path, cli):
    path = mine(Mistake("good", "", [], "", ""), tmp_path)
    assert said_by_check_game(Mistake("good", "", [], "", ""), path) == []


def test_the_docs_have_a_row_for_each_and_none_is_silent():
    page = (Path(__file__).resolve().parents[2] / "docs" / "mistakes.md").read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in page.splitlines() if line.startswith("| ")]
    told = {
        wrote: (sentence, how)
        for wrote, sentence, how in ([cell.replace("\\|", "|").strip() for cell in row] for row in rows)
    }
    for mistake in MISTAKES:
        sentence, how = told[mistake.wrote]
        assert mistake.says in sentence
        assert mistake.way in sentence
        assert how == "clear"
    assert LAST.keys() == EXPECTED.keys()
    for wrote, way in LAST.values():
        sentence, how = told[wrote]
        assert way in sentence
        assert how == "clear"
