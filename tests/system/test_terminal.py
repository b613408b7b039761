"""What others wrote is shown as text and obeyed by no terminal; what is said of optional packages is a command that works."""

import ast
import io
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import saddlepoint
from saddlepoint.system import terminal, terminal as _extras
from saddlepoint.system.processes import Processes
from saddlepoint.system.terminal import WaitingLine, how_to_install, shell_path
from saddlepoint.system.text import one_line, printable

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
EXAMPLES = [page for page in (ROOT / "examples").rglob("*.*") if "__pycache__" not in page.parts]
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py"), *EXAMPLES]


def test_nothing_is_installed_by_a_name_that_nobody_has_registered() -> None:
    assert not [page for page in PAGES if re.search("pip install ['\"]?saddlepoint", page.read_text())]


PYTHON = shell_path(sys.executable)
RECEIPT = '[tool]\nrequirements = [{ name = "saddlepoint", extras = ["terminal", "web"], directory = "/somewhere" }]\n'


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment, `tools`, that has the library without a checkout around it."""
    monkeypatch.setattr(
        _extras, "__file__", str(tmp_path / "tools/lib/site-packages/saddlepoint/system/terminal.py")
    )
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "tools"))
    monkeypatch.setattr(_extras, "find_spec", lambda name: name)
    noted(monkeypatch, '{"url": "file:///srv/a%20b", "dir_info": {}}')
    (tmp_path / "tools").mkdir()
    return tmp_path / "tools"


def noted(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    """The installer has written this down about where the library came from."""

    class Installed:
        def read_text(self, name: str) -> str | None:
            return text

    monkeypatch.setattr(_extras, "distribution", lambda name: Installed())


def words_of(command: str) -> list[str]:
    """What a shell makes of it."""
    shown = subprocess.run(
        ["sh", "-c", f"printf '%s\n' {command}"], capture_output=True, text=True, check=True
    )
    return shown.stdout.splitlines()


def test_from_a_checkout_the_command_names_the_checkout() -> None:
    installs = [sys.executable, "-m", "pip", "install", "--editable", f"{ROOT}[web]"]
    assert words_of(how_to_install("web")) == installs


def test_every_extra_is_named_where_it_is_told_how_to_install() -> None:
    told = (ROOT / "docs/installing.md").read_text()
    assert all(f"| `{extra}` |" in told for extra in EXTRAS)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"url": "file:///srv/a%20b", "dir_info": {}}', "'/srv/a b[web]'"),
        (
            '{"url": "https://x.example/s.git", "vcs_info": {"vcs": "git"}}',
            "'saddlepoint[web] @ git+https://x.example/s.git'",
        ),
        (
            '{"url": "https://x.example/s.whl", "archive_info": {}}',
            "'saddlepoint[web] @ https://x.example/s.whl'",
        ),
        (None, "'.[web]' in a checkout"),
        ("[1]", "'.[web]' in a checkout"),
        ("{", "'.[web]' in a checkout"),
    ],
)
@pytest.mark.usefixtures("away")
def test_elsewhere_it_names_what_the_library_was_installed_from(
    text: str | None, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted(monkeypatch, text)
    assert how_to_install("web") == f"{PYTHON} -m pip install {named}"


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("pipx_metadata.json", "", "pipx runpip tools install '/srv/a b[web]'"),
        ("uv-receipt.toml", RECEIPT, "uv tool install --force '/srv/a b[terminal,web]'"),
        ("uv-receipt.toml", RECEIPT.replace("name", "other"), "uv tool install --force '/srv/a b[web]'"),
        ("uv-receipt.toml", "tool = 3", "uv tool install --force '/srv/a b[web]'"),
        ("uv-receipt.toml", "[", "uv tool install --force '/srv/a b[web]'"),
    ],
)
def test_who_made_the_environment_installs_into_it_and_keeps_its_extras(
    file: str, text: str, command: str, away: Path
) -> None:
    (away / file).write_text(text)
    assert how_to_install("web") == command


@pytest.mark.usefixtures("away")
def test_an_environment_without_pip_is_one_of_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_extras, "find_spec", lambda name: None)
    assert how_to_install("web") == f"uv pip install --python {PYTHON} '/srv/a b[web]'"


@pytest.mark.usefixtures("away")
def test_a_path_in_the_home_directory_does_not_name_the_user_and_a_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "my venv/bin/python"))
    noted(monkeypatch, f'{{"url": "file://{tmp_path}/it%27s"}}')
    command = how_to_install("web")
    assert str(tmp_path) not in command
    assert words_of(command) == [
        f"{tmp_path}/my venv/bin/python",
        "-m",
        "pip",
        "install",
        f"{tmp_path}/it's[web]",
    ]


def test_an_extra_that_has_no_package_for_this_python_says_so_and_which_python_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    assert how_to_install("open_spiel") == "there is none for Python 3.15 yet; use Python 3.14 for it"
    assert "install" in how_to_install("web")
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    assert "[open_spiel]" in how_to_install("open_spiel")


# -- printable -----------------------------------------------------------------------------------------------------------

SOURCE = Path(saddlepoint.__file__).parent
HOSTILE = "\x1b[31m\x07\r\x9b2J\u202e[/x][bold]\udcff\u2028"
SHOWN = r"\x1b[31m\x07\r\x9b2J\u202e[/x][bold]\udcff\u2028"
STREAMS = {
    "system/terminal.py": "the one place through which commands print",
    "system/text.py": "how wide a character is",
    "players/human.py": "the position and the question, through printable",
    "games/tron41/bot_host.py": "answers go through a pipe, as JSON",
    "games/tron41/course.py": "a bot of the course prints its own board",
    "games/tron41/bot_file.py": "a text that is written into a bot's file",
    "games/simplexity/csl_server.py": "a line of the bot's log, through one_line",
    "games/light_riders/bot.py": "a line of the bot's log, through one_line, and answers to the engine",
}
"""Files outside cli/ that call print, and what for."""


def test_every_character_a_terminal_obeys_is_shown_as_its_code() -> None:
    assert printable(HOSTILE) == SHOWN
    assert printable("a\tb\nc é ∞ 日本 🙂") == "a\tb\nc é ∞ 日本 🙂"
    assert one_line("a\nb\tc") == r"a\nb\tc"


def terminal_at(stream: str, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is shown there, on a wide terminal."""
    shown = io.StringIO()
    shown.isatty = lambda: True  # type: ignore[method-assign]
    for name, value in (("COLUMNS", "200"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, stream, shown)
    return shown


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_what_the_encoding_lacks_is_shown_as_its_code(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    terminal.print(f"∞ {HOSTILE}")
    terminal.print_json({"name": f"\x7f{HOSTILE}"})
    terminal.flush()
    shown = written.getvalue().decode(encoding)
    assert SHOWN in shown
    assert all(one.isprintable() or one == "\n" for one in shown)
    assert ("∞" in shown) == (encoding == "utf-8")


def test_an_error_shows_it_as_text_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.fail(ValueError(f"no {HOSTILE}")) == 2
    assert capsys.readouterr().err == f"saddlepoint: no {SHOWN[:-6]}\n"  # without the separator at the end


def test_bars_and_boards_on_a_terminal_show_it_as_text_too(monkeypatch: pytest.MonkeyPatch) -> None:
    bars, boards = (terminal_at(stream, monkeypatch) for stream in ("stderr", "stdout"))
    with terminal.Progress(10) as bar:
        bar.update(3, HOSTILE)
        bar.line(HOSTILE)
    with terminal.Status("at work") as status:
        status.update(HOSTILE)
        status.line(HOSTILE)
    terminal.print_page(f"{HOSTILE}\n01x")
    with terminal.Screen() as board:
        board.show(HOSTILE, "01x")
    assert bars.getvalue().count(SHOWN) >= 3
    assert "[/x][bold]" in boards.getvalue()
    for screen in (bars, boards):
        assert not set("\x07\x9b\u202e\udcff\u2028") & set(screen.getvalue())
        assert "\x1b[31m\x07" not in screen.getvalue()


def test_an_error_does_not_repeat_a_long_input(capsys: pytest.CaptureFixture[str]) -> None:
    for filling in ("x" * 100_000, "x " * 50_000):
        terminal.fail(ValueError(f"move 1: '{filling}' is no legal move; legal: a1"))
        told = capsys.readouterr().err
        assert len(told) < 2100
        assert told.startswith("saddlepoint: move 1: 'x")
        assert told.endswith("' is no legal move; legal: a1\n")
    path = f"'{'x' * 300}': no such file"
    terminal.fail(ValueError(path))
    assert capsys.readouterr().err == f"saddlepoint: {path}\n"


def test_a_bar_with_patience_shows_itself_only_when_it_takes_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen, now = terminal_at("stderr", monkeypatch), [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    with terminal.Progress(None, patience=2.0) as bar:
        bar.update(256, "games read", total=1000)
        assert not screen.getvalue()
        now[0] = 2.5
        bar.update(512, "games read", total=1000)
    assert "512/1000 games read" in " ".join(
        re.sub(r"\x1b\[[^A-Za-z]*[A-Za-z]", "", screen.getvalue()).split()
    )


WRITES = (
    "sys.stdout.write",
    "sys.stderr.write",
    "typer.echo",
    "typer.secho",
    "click.echo",
    "click.secho",
    "input",
)


def prints_by_itself(path: Path) -> list[str]:
    """The ways in which a file prints without `system/terminal.py`."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imports = [
        (alias.name, f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else f"{alias.name}.")
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    ]
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    found = [f"imports {module[:-1]}" for _, module in imports if module.startswith("rich.")]
    if not any(name == "print" and module.endswith("terminal.") for name, module in imports):
        found += ["the built-in print" for call in calls if call == "print"]
    return found + [call for call in calls if call in WRITES]


def test_commands_print_through_one_module() -> None:
    allowed: dict[str, list[str]] = {
        "cli/bot.py": ["sys.stdout.write"],  # the protocol's answers to another program
    }
    found = {
        path.relative_to(SOURCE).as_posix(): prints_by_itself(path) for path in (SOURCE / "cli").rglob("*.py")
    }
    for name, ways in found.items():
        if name.startswith("cli/screen/"):  # texts and tables for textual, which writes them
            found[name] = [way for way in ways if not way.startswith("imports rich.")]
    assert {name: ways for name, ways in found.items() if ways and allowed.get(name, []) != ways} == {}


@pytest.mark.slow
def test_other_folders_print_only_what_is_listed_here() -> None:
    paths = [path for path in SOURCE.rglob("*.py") if (SOURCE / "cli") not in path.parents]
    found = {path.relative_to(SOURCE).as_posix() for path in paths if prints_by_itself(path)}
    assert found == set(STREAMS)
    tree = ast.parse((SOURCE / "games/light_riders/bot.py").read_text(encoding="utf-8"))
    logged = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    prints = [call for call in logged if call.startswith("print(")]
    assert prints
    assert all("one_line(" in call or "file=answers" in call for call in prints)


@pytest.mark.parametrize(("quiet", "said"), [("workers", "for all"), ("1", ""), ("0", "its own for all")])
def test_a_worker_says_only_what_it_does_for_all(quiet, said, monkeypatch, capsys):
    """Side by side they would each say what they compile; what all wait for would look like a hang."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", quiet)
    for message, for_all in (("its own", False), ("for all", True)):
        line = WaitingLine(message, "done", 0.0, for_all)
        while line._timer.is_alive():  # it has been said then, or never will be
            time.sleep(0.01)
        line.close(finished=True)
    found = capsys.readouterr().err
    assert [one for one in ("its own", "for all") if f"{one} ..." in found] == [
        one for one in ("its own", "for all") if one in said
    ]


def test_processes_side_by_side_are_workers(monkeypatch):
    monkeypatch.delenv("SADDLEPOINT_QUIET", raising=False)
    processes = Processes(1)
    try:
        assert processes.run(os.getenv, "SADDLEPOINT_QUIET").result() == "workers"
    finally:
        processes.close()
