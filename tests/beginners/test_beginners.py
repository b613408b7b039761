"""What a beginner is told, by `check_game` and on the command line: one sentence with the method, the line and the way out."""

import importlib.util
import re
import signal
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from beginners.games import BEFORE, NEW, Mistake, method, source
from cli_runs import cli as cli, program  # noqa: PLC0414 (a fixture)
from compiled.test_errors import EXPECTED
from saddlepoint import KernelError
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.testing import check_game, patience

pytestmark = pytest.mark.skipif(PLAIN_PYTHON, reason="some are found when they are compiled")
MISTAKES = [*NEW, *BEFORE]
LONGEST = 320
"""Characters of a sentence, without the line that it shows."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.3)


def mine(mistake: Mistake, folder: Path) -> Path:
    path = folder / "mine.py"
    path.write_text(source(mistake))
    return path


def loaded(path: Path) -> ModuleType:
    """The file, imported as a user's test would."""
    name = f"mine_{path.parent.name}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def said_by_check_game(mistake: Mistake, path: Path) -> list[str]:
    """The lines of the error; empty where nothing was said."""
    try:
        cls = loaded(path).Mine
        check_game(cls if mistake.name == "class_given" else cls(), playouts=10, seed=1)
    except (AssertionError, KernelError) as error:
        assert error.__cause__ is None, "no trace of what is below is printed"
        assert error.__suppress_context__ or error.__context__ is None
        return str(error).splitlines()
    return []


def slow_but_every_third(mistakes: list[Mistake]) -> list:
    quick = [m for m in mistakes if not m.compiles]
    return [
        pytest.param(m, id=m.name, marks=pytest.mark.slow if m.compiles or quick.index(m) % 3 else ()) for m in mistakes
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
        assert_shows_line(mistake, rest[0].strip(), path)


@pytest.mark.parametrize("mistake", slow_but_every_third([m for m in MISTAKES if not m.only_checked]))
def test_the_command_line_says_it_in_one_line_and_ends_with_2(mistake, tmp_path, cli):
    path = mine(mistake, tmp_path)
    code, _, err = cli("match", "random", "random", "--game", f"{path}:{mistake.spec}", "-n", "2", "--seed", "1")
    assert code == 2, err
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
        assert_shows_line(mistake, f"mine.py, line {where}", path)


@pytest.mark.parametrize("name", ["one_action", "growing_tuple", pytest.param("tuple_of_list", marks=pytest.mark.slow)])
@pytest.mark.parametrize("command", [["solve"], ["play", "GAME", "random", "random"]], ids=lambda command: command[0])
def test_every_command_that_takes_a_game_says_it(name, command, tmp_path, cli):
    mistake = next(mistake for mistake in MISTAKES if mistake.name == name)
    path = f"{mine(mistake, tmp_path)}:Mine"
    arguments = [path if word == "GAME" else word for word in command] if "GAME" in command else [*command, path]
    code, _, err = cli(*arguments)
    assert code == 2
    assert mistake.says in err
    assert len(err.splitlines()) == 1


def test_what_only_a_later_position_shows_is_said_in_one_line_too(tmp_path, cli):
    late = method("render(self, state)", "return 'start' if state.round == 0 else str(state.cells[5])")
    path = mine(Mistake("late", "", late, "", ""), tmp_path)
    code, _, err = cli("play", f"{path}:Mine", "random", "random", "--seed", "1")
    assert code == 2
    assert "Mine.render failed: IndexError: tuple index out of range; look at the index before you use it (mine.py, line 4" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_ctrl_c_ends_a_rule_that_does_not_come_to_an_end(tmp_path):
    mistake = next(mistake for mistake in NEW if mistake.name == "endless_loop")
    path = mine(mistake, tmp_path)
    path.write_text("print('loaded', flush=True)\n" + path.read_text())
    process = program("match", "random", "random", "--game", f"{path}:Mine", "-n", "2")
    assert process.stdout is not None
    assert process.stdout.readline() == "loaded\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err


def assert_shows_line(mistake: Mistake, shown: str, path: Path) -> None:
    match = re.match(r"mine\.py, line (\d+): (.*)", shown)
    assert match, shown
    line = path.read_text().splitlines()[int(match[1]) - 1].strip()
    assert mistake.line in line
    assert match[2].startswith(line)


def test_the_good_game_is_good(tmp_path, cli):
    path = mine(Mistake("good", "", [], "", ""), tmp_path)
    assert said_by_check_game(Mistake("good", "", [], "", ""), path) == []


def test_there_are_forty_new_ones_and_fifty_two_of_before():
    names = [mistake.name for mistake in MISTAKES]
    assert len(set(names)) == len(names)
    assert len(NEW) >= 40
    assert len(BEFORE) + len(EXPECTED) >= 52
