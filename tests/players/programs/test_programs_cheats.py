"""Bots that look for their opponent's answer and for the seed, in all that they can read, while they play."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import saddlepoint
from helpers.programs import answer_of
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.league import open_league, run_league
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.compiled import cache_directory
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.clock import Clock
from saddlepoint.players.programs import isolation as folders, namespaces
from saddlepoint.players.programs.isolation import Hidden, Isolation
from saddlepoint.players.programs.process import LineProcess
from saddlepoint.players.programs.supervision import containment

pytestmark = [
    pytest.mark.skipif(containment(Isolation()).means == "supervisor", reason=f"{containment(Isolation())}"),
    pytest.mark.usefixtures("means"),
]

GAME = Goofspiel(4, "descending")
SEED = 918273645
WALLED = Isolation(mode="namespaces")
MATCHED = replace(WALLED, programs_only=True)
PROMISED = ("namespaces", pytest.param("auto", marks=pytest.mark.slow))
"""The levels of isolation that keep a bot from seeing what the arena writes."""
HONEST = """
import sys
moves, rows = [], 0
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if rows: rows -= 1
    elif verb == "begin": print("ready", flush=True)
    elif verb == "position": rows = int(rest)
    elif verb == "legal": moves = rest.split()
    elif verb == "go":
        {before}
        print("move", moves[0], flush=True)
    elif verb == "quit": break
"""
SYSTEM = {
    "/proc",
    "/sys",
    "/usr",
    "/lib",
    "/lib64",
    "/etc",
    "/dev",
    "/opt",
    sys.prefix,
    os.path.realpath(sys.prefix),
    sys.base_prefix,
    str(Path(saddlepoint.__file__).parents[1]),
    str(cache_directory().parent),
    "/tmp/.cache",
}
"""What everybody may read: no game writes there."""
LOOKING = """
import os, re, sys, time
DIALOGUE = re.compile(rb"^ *[0-9]+\\.[0-9]{3} [<>!#] ", re.M)
def secrets():
    for root in (*sys.argv[1:], "/"):
        for folder, names, files in os.walk(root):
            names[:] = [name for name in names if os.path.join(folder, name) not in SYSTEM]
            for name in files:
                path = os.path.join(folder, name)
                try:
                    with open(path, "rb") as file: text = file.read(10**7)
                except OSError: continue
                if DIALOGUE.search(text): yield "dialogue " + path
                if text.startswith(b"SQLite") or name.endswith("-wal") and text: yield "ledger " + path
                if str(918273644 + 1).encode() in text: yield "seed " + path
                if path.endswith("opponent.py") and text: yield "opponent " + path
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for name in ("cmdline", "environ"):
            try:
                with open(f"/proc/{pid}/{name}", "rb") as file: text = file.read()
            except OSError: continue
            if str(918273644 + 1).encode() in text: yield f"seed in {name} of {pid}"
SYSTEM = SYSTEM_FOLDERS
def look():
    for _ in range(4):  # the opponent answers meanwhile
        for secret in secrets():
            print("error I know", secret, flush=True)
            sys.exit(9)
        time.sleep(0.03)
"""


def match(bots: tuple[str, str], logs: Path, ledger: Path, isolation: Isolation) -> list[str]:
    """Why each game ended, with the logs and the ledger in these places."""
    conditions = MatchConditions(GAME, Clock(20.0, 1.0), isolation=isolation, logs=str(logs))
    plan = Plan(2, (GAME.to_text(GAME.initial_state()),), False, SEED)
    with Ledger(ledger) as book:
        run_tournament(RoundRobin(bots), plan, conditions, ledger=book)
        return [entry.played.reason for entry in book.games(Filter())]


def bots_in(own: Path, theirs: Path, *words: object) -> tuple[str, str]:
    """The commands of a bot that looks for secrets, and of an honest one."""
    own.mkdir(parents=True, exist_ok=True)
    theirs.mkdir(parents=True, exist_ok=True)
    (own / "cheat.py").write_text(
        LOOKING.replace("SYSTEM_FOLDERS", repr(SYSTEM)) + HONEST.format(before="look()")
    )
    (own / "helper.txt").write_text("mine")
    (theirs / "opponent.py").write_text(HONEST.format(before=""))
    command = f"cmd:{sys.executable} -I -S"
    return " ".join(map(str, (command, own / "cheat.py", *words))), f"{command} {theirs / 'opponent.py'}"


def none_at_fault(reasons: list[str]) -> bool:
    return len(reasons) == 2 and all("fault" not in reason for reason in reasons)


QUICK = (
    "in the bot's own folder",
    "in a folder above that is named, and on the search path",
    "by another name of the ledger",
)


def unless_quick(name: str) -> list[pytest.MarkDecorator]:
    """A match takes a second: of those that are alike `make test` plays one."""
    return [] if name in QUICK else [pytest.mark.slow]


@dataclass
class Places:
    """Where everything lies that a bot looks for, and what is shown to it."""

    logs: str
    ledger: str
    own: str = "own"
    theirs: str = "theirs"
    shown: str = ""
    """Named by the command and by PYTHONPATH, if it is not the bot's own folder."""
    other_name: str = ""
    """Of the ledger, in the bot's folder."""
    entries: int | None = None
    """How many files of a folder are copied at most."""


PLACES = {
    "in folders of the bot's": Places("own/logs", "own/data/games.db"),
    "in the bot's own folder": Places("own", "own/games.db"),
    "in a folder that a link of the bot's leads to": Places("own/link/logs", "own/link/games.db"),
    "deep in the bot's folder": Places("own/a/b/logs", "own/a/b/c/games.db"),
    "above the bot's folder": Places(".", "games.db"),
    "in a folder above that is named, and on the search path": Places(
        "project/out/logs", "project/out/games.db", "project/bots/one", "project/bots/two", "project"
    ),
    "by another name of the ledger": Places("logs", "games.db", other_name="deep/deeper/notes.txt"),
    "by that name in a folder that is shown as it stands": Places(
        "logs", "games.db", other_name="deep/deeper/notes.txt", entries=0
    ),
    "in the folder of both bots": Places("logs", "games.db", theirs="own"),
    "in a folder with very many files": Places(
        "own/logs", "own/theirs/games.db", theirs="own/theirs", entries=2
    ),
}


@pytest.mark.parametrize("mode", PROMISED)
@pytest.mark.parametrize(
    "places", [pytest.param(places, id=name, marks=unless_quick(name)) for name, places in PLACES.items()]
)
def test_neither_the_dialogue_nor_the_ledger_is_found(
    tmp_path: Path, places: Places, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, ledger, own = (tmp_path / place for place in (places.logs, places.ledger, places.own))
    (own / "deep" / "deeper").mkdir(parents=True)
    (own / "deep" / "deeper" / "another.txt").write_text("mine")
    (tmp_path / "elsewhere").mkdir()
    (own / "link").symlink_to(tmp_path / "elsewhere")
    for folder in (logs, ledger.parent):
        folder.mkdir(parents=True, exist_ok=True)
    if places.shown:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / places.shown))
    if places.entries is not None:
        monkeypatch.setattr(folders, "_MOST_ENTRIES", places.entries)
        monkeypatch.setattr(folders, "_MOST_BYTES", 10)
    if places.other_name:
        Ledger(ledger).close()
        os.link(ledger, own / places.other_name)
    bots = bots_in(own, tmp_path / places.theirs, tmp_path / (places.shown or places.own))
    assert none_at_fault(match(bots, logs, ledger, Isolation(mode=mode, programs_only=True)))
    assert len(list(logs.glob("game*.log"))) == 4  # they were written
    if places.other_name:
        with Ledger(own / places.other_name, create=False) as book:
            assert book.count() == 2  # it is the ledger


def test_the_cheats_know_what_they_look_for(tmp_path: Path) -> None:
    """Under a supervisor alone, which promises nothing of this, both are found."""
    bots = bots_in(tmp_path / "own", tmp_path / "theirs", tmp_path / "own")
    logs, ledger = tmp_path / "own" / "logs", tmp_path / "games.db"
    reasons = match(bots, logs, ledger, Isolation(mode="supervisor", programs_only=True))
    assert all("I know dialogue" in reason for reason in reasons), reasons
    bots = bots_in(tmp_path / "own", tmp_path / "theirs", tmp_path / "book")
    (tmp_path / "book").mkdir()
    reasons = match(
        bots,
        tmp_path / "far",
        tmp_path / "book" / "games.db",
        Isolation(mode="supervisor", programs_only=True),
    )
    assert all("I know" in reason for reason in reasons), reasons


MOUNTS = {
    "the logs are mounted in the bot's folder": ("own", "logs", "own/inside"),
    "the ledger is mounted in the bot's folder": ("own", "games.db", "own/notes.txt"),
    "the bot's folder is mounted from where both are": ("project", "project", "own"),
}
MOUNTING = [
    *["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"],
    'mount --bind "$0" "$1" && shift && exec "$@"',
]
MATCH_OF_ITS_OWN = f"""
import sys
sys.path[:] = {[str(Path(__file__).parent), *sys.path]}  # not by the environment, which lets bots see it
from pathlib import Path
from saddlepoint.players.programs import supervision
from test_programs_cheats import Isolation, match

means, logs, ledger, *bots = sys.argv[1:]
if means == "bubblewrap":
    supervision._available = lambda: (means, "")
print(*match(tuple(bots), Path(logs), Path(ledger), Isolation(mode="namespaces", programs_only=True)), sep="\\n")
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="util-linux is not there")
@pytest.mark.parametrize(
    "places", [pytest.param(places, id=name, marks=pytest.mark.slow) for name, places in MOUNTS.items()]
)
def test_a_mount_leads_to_neither(tmp_path: Path, places: tuple[str, str, str], means: str) -> None:
    base, source, target = (tmp_path / place for place in places)
    at = base if places[0] == "project" else tmp_path
    own = tmp_path / "own"
    bots = bots_in(base, tmp_path / "theirs", own)
    for folder in (at / "logs", own / "inside"):
        folder.mkdir(parents=True, exist_ok=True)
    Ledger(at / "games.db").close()
    (own / "notes.txt").touch()
    words = [
        means,
        at / "logs",
        at / "games.db",
        bots[0].replace(f"{base}/cheat.py", f"{own}/cheat.py"),
        bots[1],
    ]
    done = subprocess.run(
        [*MOUNTING, source, target, sys.executable, "-c", MATCH_OF_ITS_OWN, *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert none_at_fault(done.stdout.splitlines()), done.stdout
    assert len(list((at / "logs").glob("game*.log"))) == 4


def test_a_log_that_was_there_and_has_another_name_does_not_show_the_next_game(tmp_path: Path) -> None:
    bots = bots_in(own := tmp_path / "own", tmp_path / "theirs", own)
    honest = (bots[1], bots[1].replace("opponent.py", "other.py"))
    (tmp_path / "theirs" / "other.py").write_text((tmp_path / "theirs" / "opponent.py").read_text())
    logs = tmp_path / "logs"
    assert none_at_fault(match(honest, logs, tmp_path / "first.db", MATCHED))
    for number, log in enumerate(logs.iterdir()):
        os.link(log, tmp_path / f"earlier{number}")
    before = [file.read_text() for file in sorted(tmp_path.glob("earlier*"))]
    assert none_at_fault(match(honest, logs, tmp_path / "second.db", MATCHED))
    assert [file.read_text() for file in sorted(tmp_path.glob("earlier*"))] == before


@pytest.mark.slow
def test_a_league_shows_neither(tmp_path: Path) -> None:
    bots = bots_in(own := tmp_path / "own", own / "theirs", own)
    conditions = MatchConditions(
        GAME,
        Clock(20.0, 1.0),
        isolation=MATCHED,
        logs=str(own / "logs"),
    )
    plan = Plan(2, (GAME.to_text(GAME.initial_state()),), True, SEED)
    with Ledger(own / "games.db") as book:
        league = open_league(book, conditions, plan)
        for bot in bots:
            league.add(bot)
        run_league(league, conditions, plan, 2)
        assert none_at_fault([entry.played.reason for entry in book.games(Filter())])


def test_a_trial_start_shows_no_more_than_a_game(cli: Any, tmp_path: Path) -> None:
    look = f"import os, sys\nif os.path.exists({str(tmp_path / 'opponent.py')!r}): sys.exit('I see it')\n"
    (tmp_path / "cheat.py").write_text(look + HONEST.format(before=""))
    (tmp_path / "opponent.py").write_text(HONEST.format(before=""))
    bots = [f"cmd:{sys.executable} -I -S {tmp_path / name}" for name in ("cheat.py", "opponent.py")]
    settings = "--game goofspiel(cards=4) -n 1 -j 1 --time 30 --isolate=namespaces"
    code, out, errors = cli("match", *bots, *settings.split())
    assert code == 0, (out, errors)


READING = """#!{python} -IS
import sys
sys.stdin.readline()
try: print("sees", open({other!r}).read(), flush=True)
except OSError as error: print("nothing", flush=True)
"""
BESIDE = {
    "two programs in a folder called bin": ("bin/cheat", "bin/opponent", "{cheat}"),
    "a program in a folder called bin, and a file beside that": ("bin/cheat", "bots/opponent.py", "{cheat}"),
    "both in the folder of a virtual environment": (
        "bots/cheat.py",
        "bots/other/opponent.py",
        "{venv}/bin/python -IS {cheat}",
    ),
}


@pytest.mark.parametrize(("cheat", "opponent", "command"), BESIDE.values(), ids=BESIDE)
def test_what_others_specs_name_is_not_seen_where_an_installation_is(
    tmp_path: Path, cheat: str, opponent: str, command: str
) -> None:
    python = os.path.realpath(sys.executable)
    for file, text in (
        (cheat, READING.format(python=python, other=f"{tmp_path}/{opponent}")),
        (opponent, "#!/bin/sh\n# a secret\n"),
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
        (tmp_path / file).chmod(0o755)
    (tmp_path / "pyvenv.cfg").write_text(f"home = {os.path.dirname(python)}\n")
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin" / "python").symlink_to(python)
    words = command.format(cheat=tmp_path / cheat, venv=tmp_path)
    hidden = Hidden.of([], [f"cmd:{words}", f"cmd:{tmp_path / opponent}"])
    assert answer_of(words, replace(WALLED, hidden=hidden)) == "nothing"
    assert answer_of(words, WALLED) == "sees #!/bin/sh"  # it knows where to look


@pytest.mark.usefixtures("here")
def test_of_two_modules_in_one_folder_neither_sees_the_other(tmp_path: Path) -> None:
    (bots := tmp_path / "bots").mkdir()
    (bots / "cheat.py").write_text(READING.format(python="", other="bots/opponent.py"))
    (bots / "opponent.py").write_text("a secret")
    (bots / "common.py").write_text("for both")
    cheat, opponent = (f"{sys.executable} -S -m bots.{name}" for name in ("cheat", "opponent"))
    walled = replace(WALLED, hidden=Hidden.of([], [f"cmd:{cheat}", f"cmd:{opponent}"]))
    assert answer_of(cheat, walled) == "nothing"
    (bots / "cheat.py").write_text(READING.format(python="", other="bots/common.py"))
    assert answer_of(cheat, walled) == "sees for both"


KEYS = """
import ctypes, platform
CALLS = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (-1, -1))
def call(which, *words):
    return ctypes.CDLL(None).syscall(CALLS[which], *words)
def find(name):
    return call(1, 10, -3, b"user", name, 0)
def leave(name):
    return call(0, b"user", name, b"secret", 6, -3)
"""
BOT_WITH_KEYS = KEYS + "input()\nprint(find(b'arena'), find(b'bot'), leave(b'bot') > 0, flush=True)\n"
ARENA_WITH_KEYS = f"""{KEYS}
import sys
from saddlepoint.players.programs import supervision
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.process import LineProcess
means, bot = sys.argv[1:]
if means == "bubblewrap":
    supervision._available = lambda: (means, "")
if call(1, 1, None) < 0 or leave(b"arena") < 0 or find(b"arena") < 0:
    sys.exit(77)
for _ in range(2):
    with LineProcess([sys.executable, "-I", "-S", bot], Isolation(mode="namespaces")) as process:
        print(process.ask(["?"], 60.0).line)
"""


def test_the_arenas_keys_are_not_the_bots_and_its_own_are_gone_with_it(tmp_path: Path, means: str) -> None:
    """A session's keyring of the kernel knows no namespaces: all processes of the session share it."""
    (tmp_path / "bot.py").write_text(BOT_WITH_KEYS)
    done = subprocess.run(
        [sys.executable, "-c", ARENA_WITH_KEYS, means, tmp_path / "bot.py"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("there are no keyrings here")
    assert done.stdout.splitlines() == ["-1 -1 True"] * 2, done


@pytest.mark.parametrize("system", ["/opt", "/usr/local"])
def test_what_others_specs_name_is_not_seen_in_a_system_folder(
    tmp_path: Path, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of these is shown to everybody, for there are runtimes in them; some keep their bots there."""
    made = Path(system, f"saddlepoint-test-{os.getpid()}")
    try:
        (made / "a").mkdir(parents=True)
    except OSError as error:
        pytest.skip(f"{system} cannot be written: {error.strerror}")
    try:
        (made / "b").mkdir()
        (made / "b" / "opponent.py").write_text("a secret")
        (made / "b" / "common.txt").write_text("for everybody")
        bot = made / "a" / "cheat.py"
        bot.write_text(READING.format(python=sys.executable, other=str(made / "b" / "opponent.py")))
        hidden = Hidden.of(
            [], [f"cmd:{sys.executable} {bot}", f"cmd:{sys.executable} {made / 'b' / 'opponent.py'}"]
        )
        words = [sys.executable, "-I", "-S", str(bot)]
        assert answer_of(words, replace(WALLED, hidden=hidden)) == "nothing"
        bot.write_text(bot.read_text().replace("opponent.py", "common.txt"))
        assert answer_of(words, replace(WALLED, hidden=hidden)) == "sees for everybody"
    finally:
        shutil.rmtree(made)


def test_a_folder_with_very_many_files_is_all_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is beyond the number of files that are copied is shown as it stands."""
    monkeypatch.setattr(folders, "_MOST_ENTRIES", 3)
    own = tmp_path / "own"
    for name in ("a", "b", "c"):
        (own / name).mkdir(parents=True)
        (own / name / "net.txt").write_text(name)
    (own / "bot.py").write_text(SHOW)
    words = [sys.executable, "-I", "-S", str(own / "bot.py"), str(own)]
    assert answer_of(words, WALLED) == "[('a/net.txt', 'a'), ('b/net.txt', 'b'), ('c/net.txt', 'c')]"


def test_a_file_that_became_a_link_before_it_was_copied_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "ledger").write_text("the seed")
    (tmp_path / "notes.txt").symlink_to(tmp_path / "ledger")
    namespaces._copy(str(tmp_path / "notes.txt"), str(tmp_path / "copy.txt"))
    assert not (tmp_path / "copy.txt").exists()


MOUNTED = """
import os
import sys
from saddlepoint.players.programs.isolation import Hidden
from saddlepoint.players.programs.view import Sight, view_of
print(view_of(Sight([sys.executable, "-S", sys.argv[1]], os.defpath), {}, None, Hidden.of([sys.argv[2]])))
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="util-linux is not there")
def test_a_mount_of_the_logs_deep_in_a_shown_folder_is_known(tmp_path: Path) -> None:
    logs, inside = tmp_path / "logs", tmp_path / "own" / "sub" / "inside"
    for folder in (logs, inside):
        folder.mkdir(parents=True)
    (logs / "game.log").write_text("their move")
    (tmp_path / "own" / "sub" / "net.txt").write_text("mine")
    (tmp_path / "own" / "bot.py").touch()
    code = (
        f"from saddlepoint.players.programs import isolation as folders\nfolders._MOST_ENTRIES = 0\n{MOUNTED}"
    )
    done = subprocess.run(
        [*MOUNTING, logs, inside, sys.executable, "-c", code, tmp_path / "own" / "bot.py", logs],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert any(str(tmp_path / "own" / "sub" / "net.txt") in line for line in lines), done.stdout
    for line in lines:  # neither itself, nor with a folder around it
        assert not any(
            str(inside / "game.log").startswith(word + "/")
            for word in line[1:]
            if line[0] in ("read", "layer")
        ), line
        assert "game.log" not in str(line)


SHOW = """
import json, os, sys
for line in sys.stdin:
    seen = {}
    for folder, _, files in os.walk(sys.argv[1]):
        for name in files:
            with open(os.path.join(folder, name)) as file: seen[os.path.relpath(os.path.join(folder, name), sys.argv[1])] = file.read()
    print(sorted((name, text) for name, text in seen.items() if name != "bot.py"), flush=True)
"""


def test_a_bot_sees_its_folder_as_it_was_when_it_began(tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "sub").mkdir(parents=True)
    (own / "bot.py").write_text(SHOW)
    (own / "book.txt").write_text("e4")
    (own / "sub" / "net.txt").write_text("0.5")
    with LineProcess(
        [sys.executable, "-I", "-S", str(own / "bot.py"), str(own)], Isolation(mode="namespaces")
    ) as process:
        before = process.ask(["?"], 60.0).line
        (own / "new.txt").write_text("later")
        (own / "sub" / "new.txt").write_text("later")
        (own / "book.txt").write_text("d4")
        assert process.ask(["?"], 60.0).line == before == "[('book.txt', 'e4'), ('sub/net.txt', '0.5')]"


def test_a_bot_may_change_the_files_of_its_folder_and_nothing_of_it_stays(tmp_path: Path) -> None:
    own = tmp_path / "own"
    (own / "sub").mkdir(parents=True)
    (own / "bot.py").write_text(
        "import os, sys\nhere = sys.argv[1]\ninput()\nopen(here + '/log.txt', 'a').write('x')\nos.remove(here + '/sub/old.txt')\n"
        "os.rename(here + '/log.txt', here + '/sub/log.txt')\nprint(open(here + '/sub/log.txt').read(), flush=True)\n"
    )
    (own / "log.txt").write_text("a")
    (own / "sub" / "old.txt").write_text("b")
    assert answer_of([sys.executable, "-I", "-S", str(own / "bot.py"), str(own)], WALLED) == "ax"
    assert ((own / "log.txt").read_text(), (own / "sub" / "old.txt").read_text()) == ("a", "b")


def test_what_the_copy_of_a_folder_takes_is_not_the_bots_memory(tmp_path: Path) -> None:
    (tmp_path / "net.bin").write_bytes(bytes(15_000_000))
    (tmp_path / "more.bin").write_bytes(bytes(15_000_000))
    bot = tmp_path / "bot.py"
    bot.write_text("import time\ninput()\ntime.sleep(0.2)\nprint(1, flush=True)\n")
    assert answer_of([sys.executable, "-I", "-S", str(bot)], replace(WALLED, memory=25_000_000)) == "1"


def test_an_interpreter_that_another_spec_names_is_not_hidden(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("input()\nprint(1, flush=True)\n")
    hidden = Hidden.of([], [f"cmd:{sys.executable} {bot}", f"cmd:{sys.prefix}/bin/python x"])
    assert answer_of([sys.executable, "-I", "-S", str(bot)], replace(WALLED, hidden=hidden)) == "1"
