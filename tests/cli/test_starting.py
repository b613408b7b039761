"""Before a game its players are compiled side by side, and a program that cannot start is told, with the way out."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

import pytest

from helpers.cli_runs import Program
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.cli.common import read_game
from saddlepoint.cli.starting import compile_missing, compile_players, try_start
from saddlepoint.compiled import directory as finished
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play import preparation
from saddlepoint.play.preparation import Need, Preparation, Task
from saddlepoint.players.base import MakePlayer, PlayerError
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.supervision import containment

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


# -- a trial start -------------------------------------------------------------------------------------------------------

GOOFSPIEL = "goofspiel(cards=4)"
HONEST = Path(__file__).parents[2] / "examples" / "bots" / "first_legal.py"


@pytest.fixture
def shim(here: Path) -> str:
    """A program that looks for the real one where it is not, as pyenv's shims do in namespaces."""
    (file := here / "shim").write_text("#!/bin/sh\necho 'shim: python: command not found' >&2\nexit 127\n")
    file.chmod(0o755)
    return "cmd:./shim"


COMMANDS = {
    "match": ("match", "{shim}", "random", "-n", "2", "--game", GOOFSPIEL, "--ledger", "games.db"),
    "the contest's protocol": (
        "match",
        "random",
        "{shim}",
        "-n",
        "2",
        "--size",
        "8x6",
        "--ledger",
        "games.db",
    ),
    "tournament": ("tournament", "random", "smab(depth=1)", "{shim}", "-n", "2", "--game", GOOFSPIEL),
    "play": ("play", GOOFSPIEL, "{shim}", "random", "--plain"),
    "referee": ("referee", "./shim", "./shim", "--size", "8x6"),
    "league add": ("league", "add", "games.db", "{shim}", "--game", GOOFSPIEL),
    "without namespaces": ("match", "{shim}", "random", "--game", GOOFSPIEL, "--isolate=supervisor"),
}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("    return [a for a in (b := [])]", r"SyntaxError: .* \(bot.py, line 2\)"),
        ("    x = 1\n     return x", "IndentationError: unexpected indent"),
    ],
)
def test_a_file_that_python_cannot_read_is_told_by_its_problem_alone(
    cli: Program, tmp_path: Path, line: str, problem: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"def choose(game, state, clock, player):\n{line}\n")
    code, _, err = cli("match", str(bot), "random", "--game", GOOFSPIEL, "-n", "2")
    assert code == 2
    assert re.search(f"{problem}; correct the file, which Python cannot read$", err.strip())


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_program_that_cannot_start_is_an_error_of_set_up(
    cli: Program, shim: str, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    code, out, err = cli(*(word.format(shim=shim) for word in arguments))
    assert (code, out) == (2, "")
    assert (
        "./shim cannot be started, and no game was played: the program exited with code 127: shim: python: command not found"
        in err
    )
    if "--isolate=supervisor" in arguments:
        assert "under a supervisor: see that its command works alone" in err
    elif containment(Isolation()).means != "supervisor":
        assert "in namespaces" in err
        assert "--isolate=supervisor" in err
    assert not (tmp_path / "games.db").exists()


ALMOST = "its function choose(game, state) is not called: choose(game, state, clock) would be"
RUN = "mybot.py defines a player and reads no line, so Python ends at once: did you mean ./mybot.py"


@pytest.mark.parametrize(
    ("text", "spec", "game", "said"),
    [
        ("def choose(game, state): return 0\n", "./mybot.py", GOOFSPIEL, ALMOST),
        ("def choose(game, state): return 0\n", "./mybot.py", "light_riders", ALMOST),
        ("def choose(game, state, clock): return 1\n", f"cmd:{sys.executable} mybot.py", GOOFSPIEL, RUN),
    ],
    ids=["almost a player", "almost a player of the contest", "run as a program"],
)
@pytest.mark.usefixtures("here")
def test_a_file_with_a_player_in_it_is_told_what_it_lacks(
    cli: Program, tmp_path: Path, text: str, spec: str, game: str, said: str
) -> None:
    (tmp_path / "mybot.py").write_text(text)
    _, err = cli.ended(2, "match", spec, "random", "--game", game)
    assert said in err and "in namespaces it" not in err


@pytest.mark.skipif(containment(Isolation()).means == "supervisor", reason="all is visible there")
@pytest.mark.usefixtures("here")
def test_what_a_bots_link_leads_to_is_told_and_shown_if_the_person_says_so(
    cli: Program, tmp_path: Path
) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bot.py").write_text(HONEST.read_text())
    (tmp_path / "net.txt").write_text("0.5")
    (tmp_path / "bots" / "net.txt").symlink_to("../net.txt")
    words = (
        "match",
        f"cmd:{sys.executable} -IS bots/bot.py bots/net.txt",
        "random",
        "--game",
        GOOFSPIEL,
        "-n",
        "1",
        "--time",
        "30",
    )
    _, err = cli.ended(0, *words, "-j", "1")
    assert f"bots/net.txt leads to {tmp_path}/net.txt, which it does not see" in err
    assert f"--show {tmp_path}/net.txt shows it" in err
    assert "leads to" not in cli(*words, "-j", "1", "--show", "net.txt")[2]
    assert "there is no file or folder" in cli(*words, "--show", "nothing")[2]


@pytest.mark.parametrize("game", [GOOFSPIEL, pytest.param("light_riders", marks=pytest.mark.slow)])
def test_whoever_waits_for_a_silent_program_is_told(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("saddlepoint.cli.starting._SILENCE", 0.2)
    (bot := tmp_path / "bot.py").write_text("import sys\nfor line in sys.stdin: pass\n")
    rules, isolation = read_game(game), Isolation(patience=1.0)
    player = make_player(str(bot), rules, isolation=isolation)
    with pytest.raises(
        PlayerError, match=f"`saddlepoint check {bot} --game {rules.name}` shows what was said to it"
    ):
        try_start(player, str(bot), rules, isolation)
    assert "bot.py has not answered yet; it is waited for 1 s at most" in capsys.readouterr().err


@pytest.mark.slow
def test_in_a_league_it_is_set_aside_and_the_others_play(cli: Program, shim: str, tmp_path: Path) -> None:
    good = tmp_path / "shim.good"
    good.write_text(HONEST.read_text())
    (tmp_path / "shim").rename(tmp_path / "broken")
    (tmp_path / "shim").write_text(f"#!/bin/sh\nexec {sys.executable} -I -S {good}\n")
    (tmp_path / "shim").chmod(0o755)
    isolate = "--isolate=supervisor"  # there it sees the file that it starts
    for player in (shim, "random", "smab(depth=1)"):
        assert cli("league", "add", "league.db", player, "--game", GOOFSPIEL, isolate, "--time", "20")[0] == 0
    (tmp_path / "broken").replace(tmp_path / "shim")
    code, out, err = cli("league", "run", "league.db", "-n", "2", "-j", "1", "--json")
    assert (code, json.loads(out)["games"]) == (0, 2)
    assert "cmd:./shim is set aside in this run: cmd:./shim cannot be started" in err
    with Ledger(tmp_path / "league.db", create=False) as book:
        assert not any(shim in entry.played.job.players for entry in book.games(Filter()))
