"""What a program sees follows from what the person who starts it names, and not from what its author lays down in its folder."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from helpers.programs import answer_of
from saddlepoint.players.programs import view
from saddlepoint.players.programs.isolation import Hidden, Isolation
from saddlepoint.players.programs.named import is_within
from saddlepoint.players.programs.supervision import containment
from saddlepoint.players.programs.view import Sight, view_of

pytestmark = pytest.mark.skipif(
    containment(Isolation()).means == "supervisor", reason=f"{containment(Isolation())}"
)

WALLED = Isolation(mode="namespaces")
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else os.path.realpath(sys.executable)
LOOKS = """#!{python} -IS
import os, sys
sys.stdin.readline()
seen = []
for secret in sys.argv[-1].split(","):
    try: seen.append(open(secret).read())
    except OSError: pass
print(seen, flush=True)
"""


def _bot(file: Path, first_line: str = f"#!{PYTHON} -IS") -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(LOOKS.format(python=PYTHON).replace(f"#!{PYTHON} -IS", first_line, 1))
    file.chmod(0o755)
    return str(file)


def _link(link: Path, leads: "str | Path") -> str:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(leads)
    return str(link)


def _venv(evil: Path, home: Path) -> None:
    (evil / "pyvenv.cfg").write_text(f"home = {home}\n")


@dataclass(frozen=True)
class Laid:
    """What an author lays down in `evil`, and what the person types then; `theirs` has secret.txt, bot.py, bin/python and bin/tool.

    Each line of `files` is a link, PATH -> WHERE, a file with one line, PATH: TEXT, or a program, PATH! TEXT.
    """

    words: str
    files: str = ""
    bot: str = "{evil}/bot.py"
    first_line: str = "#!{python} -IS"
    variables: dict[str, str] = field(default_factory=dict[str, str])
    told: str = ""
    """By what is not followed: of that the person is told."""


BOT = "{python} -IS {evil}/bot.py"
_SHIM = 'shims/python3! exec "{evil}/pyenv" exec python3 "$@"\npyenv! touch {evil}/was-run; echo {theirs}/bin/python'
_PATHS = "".join(
    f"\nlib/python{version}/site-packages/evil.pth: {{theirs}}"
    for version in sorted({"3.11", "3.12", "3.13", ".".join(map(str, sys.version_info[:2]))})
)
LAID = {
    "a link to a file": Laid(f"{BOT} {{evil}}/weights", "weights -> {theirs}/secret.txt", told="weights"),
    "a link to the opponent's source": Laid(f"{BOT} {{evil}}/weights", "weights -> ../theirs/bot.py"),
    "a link to a folder": Laid(f"{BOT} {{evil}}/data", "data -> {theirs}", told="data"),
    "a file by way of a link": Laid(f"{BOT} {{evil}}/data/secret.txt", "data -> {theirs}", told="secret.txt"),
    "a link beside the folders that are named": Laid(
        "{python} -IS {evil}/code/bot.py {evil}/data/secret.txt", "data -> {theirs}", "{evil}/code/bot.py"
    ),
    "an interpreter by way of a link": Laid(
        "{evil}/venv/bin/python -IS {evil}/code/bot.py", "venv -> {theirs}", "{evil}/code/bot.py", told="venv"
    ),
    "a link to a link": Laid(
        f"{BOT} {{evil}}/first/secret.txt", "first -> second\nsecond -> deep/third\ndeep/third -> {theirs}"
    ),
    "a link to the folder above": Laid(f"{BOT} {{evil}}/up/theirs/secret.txt {{evil}}/up", "up -> .."),
    "a link in a word with a name": Laid(f"{BOT} --data={{evil}}/data:{{evil}}", "data -> {theirs}"),
    "a link as an option before the program": Laid(
        "{python} -W {evil}/data -IS {evil}/bot.py", "data -> {theirs}/secret.txt"
    ),
    "links in a circle": Laid(f"{BOT} {{evil}}/two", "one -> two\ntwo -> one"),
    "what looks like a virtual environment": Laid(
        "{evil}/bin/bot", "pyvenv.cfg: home = {theirs}/bin", "{evil}/bin/bot"
    ),
    "an interpreter that is a link": Laid(
        "{evil}/bin/python -IS {evil}/bot.py",
        "bin/python -> {theirs}/bin/python\npyvenv.cfg: home = {theirs}/bin",
    ),
    "the folder of libraries is a link": Laid("{evil}/bin/bot", "lib -> {theirs}", "{evil}/bin/bot"),
    "a first line": Laid("{evil}/bot", bot="{evil}/bot", first_line="#!{theirs}/bin/python"),
    "a first line for env": Laid(
        "{evil}/bot", bot="{evil}/bot", first_line="#!/usr/bin/env -S {theirs}/bin/python"
    ),
    "a first line for a program of others": Laid(
        "{evil}/bot", bot="{evil}/bot", first_line="#!{theirs}/bin/tool", told="bot"
    ),
    "a first line by way of a link": Laid(
        "{evil}/bot", "python -> {theirs}/bin/python", "{evil}/bot", "#!{evil}/python"
    ),
    "a first line for a program of its own that starts it": Laid(
        "{evil}/bot",
        'wrapper! shift; exec {python} -IS "$@"',
        "{evil}/bot",
        "#!{evil}/wrapper {theirs}/secret.txt",
    ),
    "one for what is called env and is not": Laid(
        "{evil}/bot", 'env! shift; exec {python} -IS "$@"', "{evil}/bot", "#!{evil}/env {theirs}/secret.txt"
    ),
    "a folder of the PATH in the bot's folder": Laid(
        "python3 -IS {evil}/bot.py",
        "bin/python3 -> {theirs}/bin/python\npyvenv.cfg: home = {theirs}/bin",
        variables={"PATH": "{evil}/bin:{path}"},
    ),
    "a shim in the bot's folder": Laid(
        "python3 -IS {evil}/bot.py", _SHIM, variables={"PATH": "{evil}/shims:{path}"}
    ),
    "a link on Python's search path": Laid(
        "{python} -S {evil}/bot.py", "modules -> {theirs}", variables={"PYTHONPATH": "{evil}/modules"}
    ),
    "a file of paths": Laid(
        "{evil}/bin/python {evil}/bot.py",
        f"bin/python -> {{python}}\npyvenv.cfg: home = {os.path.dirname(PYTHON)}\nconda-meta/x: {_PATHS}",
    ),
}


def lay(laid: Laid, names: dict[str, str]) -> list[str]:
    """Make what an author lays down; returns what the person types."""
    evil = Path(names["evil"])
    _bot(Path(laid.bot.format(**names)), laid.first_line.format(**names))
    for line in laid.files.format(**names).splitlines():
        path, mark, text = re.split(r"( ->|:|!) ", line, maxsplit=1)
        if mark == " ->":
            _link(evil / path, text)
        else:
            (evil / path).parent.mkdir(parents=True, exist_ok=True)
            (evil / path).write_text(f"{text}\n" if mark == ":" else f"#!/bin/sh\n{text}\n")
            (evil / path).chmod(0o644 if mark == ":" else 0o755)
    return laid.words.format(**names).split()


def look_at(laid: Laid, folder: Path) -> dict[str, Any]:
    """What a bot of this author sees, in this process and with what makes namespaces in it."""
    evil, theirs = folder / "evil", folder / "theirs"
    evil.mkdir(parents=True)
    (theirs / "bin").mkdir(parents=True)
    (theirs / "secret.txt").write_text("a secret")
    (theirs / "bot.py").write_text("a secret")
    (theirs / "bin" / "python").symlink_to(PYTHON)
    (theirs / "bin" / "tool").write_text("#!/bin/sh\ncat $2\n")
    (theirs / "bin" / "tool").chmod(0o755)
    names = {"evil": str(evil), "theirs": str(theirs), "python": PYTHON, "path": os.environ["PATH"]}
    words = lay(laid, names)
    with pytest.MonkeyPatch.context() as patch:
        for name, text in laid.variables.items():
            patch.setenv(name, text.format(**names))
        unseen = Sight(words, os.environ["PATH"]).unseen
        secrets = looks_for(theirs / "secret.txt", theirs / "bot.py", evil / "lib" / "secret.txt")
        try:
            line = answer_of([*words, secrets], WALLED)
        except Exception as error:  # it cannot be started, since it does not see what it needs
            line = str(error)
    ran = (evil / "was-run").exists()
    return {"line": line, "unseen": [os.path.basename(path) for path in unseen], "ran": ran}


_PATH = [
    str(Path(__file__).parent),
    str(Path(__file__).parents[2]),
    *(one for one in sys.path if not is_within(one, sys.base_prefix)),
]
LOOKING = f"""
import json, os, sys
sys.path[:0] = {_PATH}
from pathlib import Path
from saddlepoint.players.programs import supervision
from test_named import LAID, look_at
if sys.argv[2] == "bubblewrap":
    supervision._available = lambda: (sys.argv[2], "")
folders = [Path(sys.argv[1], str(number)) for number in range(len(LAID))]
print(json.dumps({{name: look_at(laid, one) for (name, laid), one in zip(LAID.items(), folders)}}))
"""
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")


@pytest.mark.parametrize("user", ["this user", pytest.param("another", marks=pytest.mark.slow)])
def test_what_an_author_lays_down_shows_nothing(tmp_path: Path, means: str, user: str) -> None:
    python: list[str] = [sys.executable]
    folder = tmp_path / "bots"
    folder.mkdir()
    if user == "another":
        if os.getuid() != 0 or shutil.which("setpriv") is None:
            pytest.skip("only root may be somebody else")
        python = [*NOBODY, PYTHON]  # this one may lie in a folder that nobody else enters
        if subprocess.run(
            [*python, "-c", LOOKING.partition("from pathlib")[0] + "import saddlepoint"], check=False
        ).returncode:
            pytest.skip("nobody else can run this library here")
        folder = Path(f"/tmp/saddlepoint-test-{os.getpid()}")
        folder.mkdir()
        os.chown(folder, 65534, 65534)
    try:
        done = subprocess.run(
            [*python, "-c", LOOKING, folder, means],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            env={**os.environ, "HOME": str(folder / "home")},
        )
    finally:
        if user == "another":
            shutil.rmtree(folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found) == set(LAID)
    for name, one in found.items():
        assert "a secret" not in str(one["line"]), (name, one)
        assert not one["ran"], name  # nothing of the author's runs outside of namespaces
        assert not LAID[name].told or LAID[name].told in one["unseen"], (name, one)
    assert sum(one["line"] == "[]" for one in found.values()) > len(LAID) // 2, found  # they did look


def looks_for(*secrets: Path) -> str:
    return ",".join(map(str, secrets))


@pytest.mark.usefixtures("means")
def test_a_link_that_the_person_names_as_the_program_works(tmp_path: Path) -> None:
    """What it leads to runs, and nothing beside that is seen; nor is it what the other bot may not lose."""
    (tmp_path / "arena").mkdir()
    _bot(tmp_path / "versions" / "v2.py")
    (tmp_path / "versions" / "notes.txt").write_text("a secret")
    link = _link(tmp_path / "arena" / "bot.py", "../versions/v2.py")
    secrets = looks_for(tmp_path / "versions" / "notes.txt", Path(link))
    for words in ([link], ["python3", link], [PYTHON, link]):
        line = answer_of([*words, secrets], WALLED)
        assert "stdin.readline" in line, (words, line)
        assert "a secret" not in line, (words, line)
        assert link in Sight([*words, secrets], os.environ["PATH"]).unseen


@pytest.mark.usefixtures("means")
def test_what_the_person_says_is_shown(tmp_path: Path) -> None:
    bot = _bot(tmp_path / "arena" / "bot.py")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "net.txt").write_text("0.5")
    link = _link(tmp_path / "arena" / "net.txt", tmp_path / "data" / "net.txt")
    for shown, line in (((), "[]"), ((str(tmp_path / "data"),), "['0.5']")):
        assert answer_of([bot, link], replace(WALLED, shown=shown)) == line
    with pytest.raises(ValueError, match="there is no file or folder"):
        Isolation(shown=(str(tmp_path / "nothing"),))


def test_what_a_bots_link_leads_to_is_not_taken_from_its_owner(tmp_path: Path) -> None:
    """A file that a spec names is hidden from the others; a link among them must not name what is another's."""
    bot = _bot(tmp_path / "mine" / "bot.py")
    (tmp_path / "mine" / "net.txt").write_text("0.5")
    evil = [
        PYTHON,
        _bot(tmp_path / "evil" / "bot.py"),
        _link(tmp_path / "evil" / "net", tmp_path / "mine" / "net.txt"),
    ]
    program = _link(tmp_path / "evil" / "program", tmp_path / "mine" / "net.txt")
    hidden = Hidden.of([], [f"cmd:{bot}", f"cmd:{' '.join(evil)}", f"cmd:{program}"])
    words = [bot, str(tmp_path / "mine" / "net.txt")]
    assert answer_of(words, replace(WALLED, hidden=hidden)) == "['0.5']"


def test_a_link_beside_the_opponent_shows_it_no_more_than_its_name_does(tmp_path: Path) -> None:
    """Both bots are in one folder."""
    other = _bot(tmp_path / "other.py")
    words = [PYTHON, _bot(tmp_path / "bot.py"), _link(tmp_path / "weights", other)]
    hidden = Hidden.of([], [f"cmd:{' '.join(words)}", f"cmd:{other}"])
    words = [*words, looks_for(tmp_path / "weights", Path(other))]
    assert answer_of(words, replace(WALLED, hidden=hidden)) == "[]"


ASKS = "import sys; sys.stdin.readline(); print(sys.prefix, flush=True)"


@pytest.mark.usefixtures("means")
@pytest.mark.parametrize("manager", ["pyenv", "asdf"])
def test_a_shim_of_the_persons_path_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manager: str
) -> None:
    """The script of a version manager looks for that, which no program sees: the manager is asked before."""
    root, versions = tmp_path / "root", tmp_path / "root" / "versions" / "3.9" / "bin"
    _link(versions / "python3", PYTHON)
    (root / "shims").mkdir()
    (root / "libexec").mkdir()
    (root / "shims" / "python3").write_text(
        f'#!/bin/sh\nexec "{root}/libexec/{manager}" exec "python3" "$@"\n'
    )
    (root / "libexec" / manager).write_text(f"#!/bin/sh\n[ $1 = which ] && echo {versions}/$2\n")
    for file in (root / "shims" / "python3", root / "libexec" / manager):
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}/shims:{os.environ['PATH']}")
    bot = _bot(tmp_path / "bots" / "bot", "#!/usr/bin/env python3")
    other = _bot(tmp_path / "bots" / "other.py")
    for words in (["python3", "-IS", other], [bot], ["nice", "-n", "1", "python3", "-S", other]):
        secrets = looks_for(root / "libexec" / manager, root / "version")
        assert answer_of([*words, secrets], WALLED) == "[]", words


@pytest.mark.usefixtures("means")
@pytest.mark.slow
def test_a_virtual_environment_is_followed_where_the_path_or_a_word_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its interpreter is a link to one of the person's PATH."""
    made = subprocess.run(
        [PYTHON, "-m", "venv", "--without-pip", tmp_path / "venv"], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("this Python makes no virtual environments")
    bot = tmp_path / "bots" / "bot.py"
    bot.parent.mkdir()
    bot.write_text(ASKS)
    monkeypatch.setenv("PATH", f"{tmp_path / 'venv' / 'bin'}:{os.environ['PATH']}")
    for python in (str(tmp_path / "venv" / "bin" / "python"), "python"):
        assert answer_of([python, str(bot)], WALLED) == str(tmp_path / "venv")


SETUID = """
import ctypes, os, sys
mapped, done = os.pipe(), os.pipe()
if (child := os.fork()) == 0:
    assert ctypes.CDLL(None).unshare(0x10000000) == 0  # a system of its own: what is set there holds nowhere else
    os.write(done[1], b"x")
    os.read(mapped[0], 1)
    with open("/proc/sys/user/max_user_namespaces", "w") as file: file.write("0")
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    os.execvp(sys.argv[1], sys.argv[1:])
os.read(done[0], 1)
for name in ("uid_map", "gid_map"):
    with open(f"/proc/{child}/{name}", "w") as file: file.write("0 0 65534\\n65534 65534 1")
os.write(mapped[1], b"x")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
PLAYS = (
    LOOKING.partition("from pathlib")[0]
    + """
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.process import LineProcess
from saddlepoint.players.programs.supervision import containment
print(containment(Isolation()))
with LineProcess(sys.argv[1:], Isolation()) as process:
    print(process.ask(["?"], 60.0).line, process.error_text)
"""
)


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="only root can install a program setuid")
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
@pytest.mark.parametrize("installed", ["setuid", "not setuid"])
def test_where_only_a_setuid_bubblewrap_may_make_namespaces_it_does(installed: str) -> None:
    """It takes no sizes; without it all reasons are told."""
    folder = Path(f"/tmp/saddlepoint-test-{os.getpid()}")
    folder.mkdir()
    try:
        home = folder / "home"
        for one in (folder, home):
            one.mkdir(exist_ok=True)
            os.chown(one, 65534, 65534)
        (home / "secret.txt").write_text("a secret")
        shutil.copy(str(shutil.which("bwrap")), folder / "bwrap")
        (folder / "bwrap").chmod(0o4755 if installed == "setuid" else 0o755)
        words = [
            PYTHON,
            "-IS",
            _bot(home / "bots" / "bot.py"),
            looks_for(home / "secret.txt", home / "nothing"),
        ]
        done = subprocess.run(
            [sys.executable, "-c", SETUID, PYTHON, "-c", PLAYS, *words],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(home)},
            cwd="/",
        )
    finally:
        shutil.rmtree(folder)
    if "PermissionError" in done.stderr or "ModuleNotFoundError" in done.stderr:
        pytest.skip(f"nobody else can run this library here, or no such system be made: {done.stderr}")
    told, line = done.stdout.splitlines()[:2]
    if installed == "setuid":
        assert told == "programs run in namespaces of their own, made by bubblewrap", done
        assert line.startswith("[]"), done
    else:
        assert told.startswith("programs run under a supervisor only: no namespaces here (namespaces: "), done
        assert "; bubblewrap: bwrap: " in told, done


def test_a_virtual_environment_that_an_author_wrote_shows_no_link_in_another_folder(tmp_path):
    """Not even where that link leads to the person's own Python, which everybody sees."""
    theirs, evil = tmp_path / "theirs", tmp_path / "evil"
    _link(theirs / "bin" / "python", PYTHON)
    _bot(evil / "bin" / "bot")
    _venv(evil, theirs / "bin")
    assert str(theirs) not in view_of(
        Sight([str(evil / "bin" / "bot")], os.environ["PATH"]), dict(os.environ), None
    )


def test_the_folder_around_a_bot_and_this_python_is_no_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both may lie below /srv: a link there, on the way to the bot, is the person's."""
    _bot(tmp_path / "real" / "own" / "bot.py")
    _link(tmp_path / "arena", tmp_path / "real")
    python = _link(tmp_path / "venv" / "bin" / "python", sys.executable)
    words = [python, str(tmp_path / "arena" / "own" / "bot.py")]
    assert str(tmp_path / "real" / "own") not in Sight(words, os.defpath).named.own, (
        "an interpreter that may have come with the bot"
    )
    monkeypatch.setattr(view, "_PYTHON", {*view._PYTHON, str(tmp_path / "venv")})
    assert str(tmp_path / "real" / "own") in Sight(words, os.defpath).named.own
