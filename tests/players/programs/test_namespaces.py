"""In namespaces of its own a program sees its own folder and its runtime, and nothing of the arena; it plays as everywhere."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import saddlepoint
from helpers.programs import answer_of
from saddlepoint import Game, Goofspiel
from saddlepoint.arena.ledger import Ledger
from saddlepoint.compiled import cache_directory
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.base import FaultKind, PlayerError, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs import supervision, view
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.process import LineProcess
from saddlepoint.players.programs.supervision import BUBBLEWRAP, containment
from saddlepoint.players.programs.view import Sight, view_of

needs_namespaces = pytest.mark.skipif(
    containment(Isolation()).means != "namespaces", reason=f"{containment(Isolation())}"
)
both_means = pytest.mark.usefixtures("means")
WALLED = Isolation(mode="namespaces")
LOOK = """
import json, os, socket, sys
def tried(call, *arguments):
    try: return call(*arguments) or "done"
    except OSError as error: return type(error).__name__
def connects():
    with socket.socket() as far:
        far.settimeout(5)
        far.connect(("192.0.2.1", 80))
def loopback():
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
def write(path):
    with open(path, "w") as file: file.write("x")
def begin_to_write(path):  # if it succeeded the machine would be another one
    with open(path, "r+"): pass
sys.stdin.readline()
print(json.dumps({
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    "parent": os.getppid(), "kill": tried(os.kill, 1, 9), "stop": tried(os.kill, 1, 19),
    "environment": dict(os.environ), "beside": sorted(os.listdir(sys.path[0] or ".")), "above": os.listdir(os.path.dirname(sys.argv[1])),
    "ledger": open(os.path.join(sys.argv[1], "games.db"), "rb").read().decode(),
    "own": tried(write, os.path.join(sys.argv[1], "planted")), "kernel": tried(begin_to_write, "/proc/sys/kernel/core_pattern"),
    "scratch": tried(write, "/tmp/x"), "shared": tried(write, "/dev/shm/x"), "system": tried(write, "/usr/x"),
    "home": os.path.expanduser("~"), "network": tried(connects), "loopback": tried(loopback),
    "devices": tried(write, "/dev/x"), "more files": tried(os.fstat, 3),
    "files": [os.readlink(f"/proc/self/fd/{n}")[:4] for n in (0, 1, 2)],
    "rights": [line.split()[1] for line in open("/proc/self/status") if line.startswith(("CapEff", "CapPrm", "CapBnd"))],
    "cores": os.cpu_count(), "memory of 1": tried(os.listdir, "/proc/1/map_files"),
}), flush=True)
"""


@needs_namespaces
@both_means
def test_a_link_on_the_way_to_all_that_is_named_is_followed(tmp_path: Path) -> None:
    """It lies in no folder of the bot's: its author did not make it."""
    (real := tmp_path / "real").mkdir()
    (tmp_path / "arena").symlink_to(real)
    bot = "import sys\nsys.stdin.readline()\nprint(open(sys.argv[1]).read(), flush=True)\n"
    for name, text in (("own/bot.py", bot), ("books/e.txt", "e4")):
        (real / name).parent.mkdir()
        (real / name).write_text(text)
    arena = tmp_path / "arena"
    words = [sys.executable, "-S", str(arena / "own" / "bot.py"), str(arena / "books" / "e.txt")]
    assert answer_of(words, WALLED) == "e4"


@needs_namespaces
def test_of_what_lies_beside_the_library_nothing_is_shown() -> None:
    library = Path(saddlepoint.__file__).parent
    shown = [
        line.split("\t")[1] for line in view_of(Sight([sys.executable], os.defpath), {}, None).splitlines()
    ]
    assert any(library.is_relative_to(path) for path in shown)
    assert str(library.parent) not in shown


@needs_namespaces
@both_means
def test_a_script_of_the_path_whose_interpreter_is_a_script_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system goes on to the fourth interpreter, each in a folder of its own; the first is the person's, and so are the others."""
    interpreter = "/bin/sh"
    for name in ("fourth", "third", "second", "first"):
        (tmp_path / name).mkdir()
        (script := tmp_path / name / "script").write_text(
            f"#!{interpreter}\nread any\necho by $(basename $(dirname $0))\n"
        )
        script.chmod(0o755)
        interpreter = str(script)
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:{os.environ['PATH']}")
    assert answer_of(["script"], WALLED) == "by fourth"


@needs_namespaces
@both_means
def test_a_first_line_with_options_and_variables_for_env_names_its_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("own", f"#!/usr/bin/env -S LEVEL=3 {tmp_path}/far/interpreter"),
        ("far", "#!/bin/sh\nread any\necho $LEVEL"),
    ):
        (tmp_path / name).mkdir()
        (script := tmp_path / name / ("bot" if name == "own" else "interpreter")).write_text(text + "\n")
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'own'}:{os.environ['PATH']}")
    assert answer_of(["bot"], WALLED) == "3"


@needs_namespaces
@both_means
def test_a_command_begins_where_the_arena_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its words say of files holds there, although it sees nothing of that folder."""
    (here := tmp_path / "here").mkdir()
    (here / "notes.txt").write_text("the arena's")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "bot.py").write_text(
        "import os\ninput()\nprint(os.getcwd(), os.listdir('.'), flush=True)\n"
    )
    monkeypatch.chdir(here)
    assert answer_of([sys.executable, "-I", "-S", "../bots/bot.py"], WALLED) == f"{here} []"


@needs_namespaces
def test_a_program_sees_its_folder_and_its_runtime_only(
    tmp_path: Path, means: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    own = tmp_path / "own"
    own.mkdir()
    (tmp_path / "other").mkdir()
    (own / "bot.py").write_text(LOOK)
    (own / "book.txt").write_text("e4")
    Ledger(own / "games.db").close()
    words = [sys.executable, "-S", str(own / "bot.py"), str(own)]
    with LineProcess([sys.executable, "-I", "-S", "-c", "input()"], WALLED):
        seen: dict[str, Any] = json.loads(answer_of(words, WALLED))
    assert seen["parent"] == 1
    assert len(seen["processes"]) == 2  # process 1 and itself, and not the other program
    assert seen["kill"] == seen["stop"] == "done"  # the kernel takes note, and does nothing
    assert "SOME_TOKEN" not in seen["environment"]
    assert "book.txt" in seen["beside"]
    assert seen["above"] == ["own"]
    assert seen["ledger"] == ""
    assert seen["system"] == seen["kernel"] == "OSError"  # a file system that can only be read
    assert seen["own"] == seen["scratch"] == seen["shared"] == seen["loopback"] == "done"
    assert seen["home"] == "/tmp"
    assert seen["network"] == "OSError"  # unreachable
    assert seen["devices"] == "OSError"
    assert seen["files"] == ["pipe"] * 3
    assert seen["more files"] == "OSError"
    assert {int(rights, 16) for rights in seen["rights"]} == {0}  # also as root
    assert seen["cores"] == os.cpu_count()
    assert (
        seen["memory of 1"] == "PermissionError" or means == BUBBLEWRAP
    )  # whose process 1 has nothing of the arena
    assert not (own / "planted").exists()
    assert (own / "games.db").stat().st_size


@needs_namespaces
@both_means
def test_what_is_written_to_the_scratch_directory_counts_as_memory(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "input()\nwith open('/tmp/x', 'wb') as file:\n    for _ in range(90): file.write(bytes(10**6))\ninput()\n"
    )
    with LineProcess(
        [sys.executable, "-I", "-S", str(bot)], Isolation(60_000_000, mode="namespaces")
    ) as process:
        reply = process.ask(["?"], 30.0)
    # Either it is found out, or it finds the file system full.
    assert (reply.error and reply.error.kind is FaultKind.MEMORY) or "No space left" in process.error_text, (
        reply,
        process.error_text,
    )


@needs_namespaces
@both_means
def test_a_virtual_environment_is_seen_whole() -> None:
    code = "import numpy, sys; input(); print(sys.prefix, numpy.ones(3).sum())"
    assert answer_of([sys.executable, "-c", code], WALLED) == f"{sys.prefix} 3.0"


LANGUAGES = {
    "Java": (
        "Bot.java",
        "public class Bot { public static void main(String[] a) throws Exception {\n"
        "  var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));\n"
        '  in.readLine(); System.out.println("Java " + java.time.ZoneId.systemDefault().getId().length()); } }\n',
        "javac Bot.java && echo Main-Class: Bot > manifest && jar cfm bot.jar manifest Bot.class",
        "java -jar ./bot.jar",
    ),
    "C": (
        "bot.c",
        '#include <stdio.h>\nint main(void) { getchar(); printf("C\\n"); return 0; }\n',
        "cc -o bot bot.c",
        "./bot",
    ),
}


@needs_namespaces
@pytest.mark.parametrize("language", [pytest.param("Java", marks=pytest.mark.slow), "C"])
@pytest.mark.usefixtures("here")
def test_a_program_in_another_language_plays(language: str) -> None:
    name, text, making, command = LANGUAGES[language]
    if shutil.which(making.split()[0]) is None:
        pytest.skip(f"there is no {making.split()[0]}")
    Path(name).write_text(text)
    subprocess.run(["sh", "-c", making], check=True)
    assert answer_of(command, Isolation(10**9, mode="namespaces")).startswith(language)


def plays(spec: str, game: Game) -> bool:
    """Whether a player in namespaces is never at fault."""
    player = make_player(spec, game, isolation=WALLED)
    try:
        clocks = (Clock(60.0, 1.0), Clock(60.0, 1.0))
        return not any(play_game(game, (player, RandomPlayer()), clocks=clocks, seed=1).faults)
    finally:
        player.close()


@needs_namespaces
@pytest.mark.slow
def test_the_librarys_own_bot_plays() -> None:
    bot = f"cmd:{sys.executable} -m saddlepoint bot goofspiel --player random"
    assert plays(bot, Goofspiel(4, "descending"))


@needs_namespaces
@both_means
def test_a_file_brings_its_modules_and_may_write_beside_itself_and_nothing_of_it_stays(
    tmp_path: Path,
) -> None:
    (tmp_path / "helper.py").write_text("INDEX = 0\n")
    (tmp_path / "bot.py").write_text(
        "from pathlib import Path\nfrom helper import INDEX\ndef choose(game, state, clock, player):\n"
        "    Path(__file__).with_name('notes.txt').write_text('x')\n    return game.legal_actions(state, player)[INDEX]\n"
    )
    assert plays(str(tmp_path / "bot.py"), Goofspiel(3))
    assert {file.name for file in tmp_path.iterdir()} == {"bot.py", "helper.py"}


def test_where_namespaces_are_refused_a_supervisor_does_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "_available", lambda: ("supervisor", "unshare: Operation not permitted"))
    assert containment(Isolation()).means == "supervisor"
    assert "Operation not permitted" in str(containment(Isolation()))
    with pytest.raises(
        PlayerError, match="this system refuses namespaces .*--isolate=supervisor does without them"
    ):
        containment(WALLED)
    assert answer_of(f"{sys.executable} -I -S -c 'input(); print(1)'") == "1"


@needs_namespaces
@pytest.mark.skipif(shutil.which("unshare") is None, reason="util-linux is not there")
def test_a_kernel_that_refuses_them_is_noticed(tmp_path: Path) -> None:
    asked = "from saddlepoint.players.programs.supervision import containment\n"
    asked += "from saddlepoint.players.programs.isolation import Isolation\nprint(containment(Isolation()))"
    unshare, shell = str(shutil.which("unshare")), str(shutil.which("sh"))
    script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" -c "$1"'
    done = subprocess.run(
        [unshare, "--user", "--map-root-user", shell, "-c", script, sys.executable, asked],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PATH": str(tmp_path),
        },  # where bubblewrap is not found
    )
    assert done.stdout.startswith("programs run under a supervisor only: no namespaces here ("), done


def test_an_organisers_sandbox_is_put_before_the_program(tmp_path: Path) -> None:
    sandbox = tmp_path / "sandbox.sh"
    sandbox.write_text(f'#!/bin/sh\necho "$@" > {tmp_path / "words"}\nexec "$@"\n')
    sandbox.chmod(0o755)
    words = [sys.executable, "-I", "-S", "-c", "input(); print(1)"]
    assert answer_of(words, Isolation(sandbox=f"{sandbox}")) == "1"
    assert (tmp_path / "words").read_text().startswith(f"{sys.executable} -I -S -c")
    with pytest.raises(ValueError, match="is no command"):
        Isolation(sandbox="'")


@needs_namespaces
@both_means
def test_compiled_code_is_found_where_it_is_and_can_only_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "saddlepoint" / cache_directory().name
    folder.mkdir(parents=True, mode=0o700)
    (folder / "rules.nbc").write_bytes(b"code")
    code = "from saddlepoint.compiled import cache_directory\nfolder = cache_directory()\ninput()\n"
    code += "try: (folder / 'rules.nbc').write_bytes(b'other')\nexcept OSError as error: print(error.strerror, folder, flush=True)\n"
    monkeypatch.setattr(
        view, "_cache", lambda variables: [(str(tmp_path / "saddlepoint"), str(tmp_path / "saddlepoint"))]
    )
    assert answer_of([sys.executable, "-c", code], WALLED) == f"Read-only file system {folder}"
    assert (folder / "rules.nbc").read_bytes() == b"code"


def test_an_isolation_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="isolation is auto, namespaces"):
        Isolation(mode="tight")
