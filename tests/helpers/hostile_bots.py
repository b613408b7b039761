"""Bots that misbehave, as programs that speak the line protocol and as Python files with a `choose` function."""

import sys
from dataclasses import dataclass
from pathlib import Path

from saddlepoint.players.base import FaultKind

_PROGRAM = """
import os, signal, subprocess, sys, threading, time
NOTES = {notes!r}
def say(text): os.write(1, text.encode() + b"\\n")
def note(pid):
    try: open(NOTES, "a").write(f"{{pid}}\\n")
    except OSError: pass  # in namespaces it can write to a scratch file system only
def sleep(): time.sleep(1000)
moves, rows = [], 0
def questions(ready="ready"):
    global moves, rows
    number = 0
    for line in sys.stdin:
        verb, _, rest = line.strip().partition(" ")
        if rows: rows -= 1
        elif verb == "begin": say(ready)
        elif verb == "position": rows = int(rest)
        elif verb == "legal": moves = rest.split()
        elif verb == "go":
            yield number
            number += 1
        elif verb == "quit": break
def from_the(start):
    for number in questions():
        if number == start: return
        say(f"move {{moves[0]}}")
note(os.getpid())
"""

_FILE = """
import os, signal, subprocess, sys, threading, time
NOTES = {notes!r}
def note(pid):
    try: open(NOTES, "a").write(f"{{pid}}\\n")
    except OSError: pass  # in namespaces it can write to a scratch file system only
def sleep(): time.sleep(1000)
note(os.getpid())
asked = 0
def choose(game, state, clock, player):
    global asked
    asked += 1
    legal = game.legal_actions(state, player)
    return legal[0] if asked <= {start} else misbehave(game, state, legal)
"""


@dataclass(frozen=True)
class Hostile:
    """What a bot does, and what is said of it. It plays well until its third move unless `start` says otherwise."""

    body: str
    reason: str
    """A regular expression."""
    kind: FaultKind | None
    """What kind of fault it is; None where it depends on how late it is."""
    start: int = 2
    hurry: bool = False
    """Whether it is found out by the clock: then it has a short one."""


_ORPHAN = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note(os.getpid())
        sleep()
    os._exit(0)
time.sleep(0.2)
"""
_CHILD = "child = os.fork()\nif child == 0: sleep()\nnote(child)\n"
_IGNORING = (
    "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)\n"
)
_THREADS = "for _ in range(3): threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n"
_MORE = "kept = []\nwhile True: kept.append(bytearray(10_000_000))\n"
_LEAVING = "import tempfile\nos.chdir(tempfile.mkdtemp())\nos.rmdir(os.getcwd())\n"
LATE, ILLEGAL, MEMORY, FLOOD = FaultKind.LATE, FaultKind.ILLEGAL, FaultKind.MEMORY, FaultKind.FLOOD
CRASH, ESCAPE, ERROR = FaultKind.CRASH, FaultKind.ESCAPE, FaultKind.ERROR
_NO_ANSWER = "no answer within"
_TOO_MUCH = "more than 1000000 characters of output"

PROGRAMS = {
    "crashes at the start": Hostile("sys.exit(3)", "exited with code 3", CRASH, 0),
    "never says that it is ready": Hostile("for _ in sys.stdin: pass", _NO_ANSWER, LATE, 0),
    "never reads": Hostile("sleep()", _NO_ANSWER, LATE, 0),
    "crashes": Hostile("from_the(2)\nos.abort()", "ended by signal SIGABRT", CRASH),
    "raises an exception": Hostile(
        "from_the(2)\nraise ValueError('no idea')", "exited with code 1: ValueError: no idea", CRASH
    ),
    "leaves": Hostile("from_the(2)\nsys.exit()", "exited with code 0", CRASH),
    "gives up": Hostile("from_the(2)\nsay('error I give up')\nsleep()", "I give up", ERROR),
    "hangs": Hostile("from_the(0)\nsleep()", _NO_ANSWER, LATE, 0, True),
    "is busy": Hostile("from_the(0)\nwhile True: pass", _NO_ANSWER, LATE, 0, True),
    "stops itself": Hostile("from_the(0)\nos.kill(os.getpid(), signal.SIGSTOP)", _NO_ANSWER, LATE, 0, True),
    "ignores signals": Hostile(
        _IGNORING + "from_the(0)\nwhile True: time.sleep(1)", _NO_ANSWER, LATE, 0, True
    ),
    "is late": Hostile(
        "from_the(0)\ntime.sleep(0.3)\nsay(f'move {moves[0]}')\nsleep()", f"late|{_NO_ANSWER}", None, 0, True
    ),
    "has an illegal move": Hostile(
        "from_the(2)\nsay('move 99')\nsleep()", "'99' is not a legal move", ILLEGAL
    ),
    "plays another game": Hostile(
        "from_the(2)\nsay('move e2e4')\nsleep()", "'e2e4' is not a legal move", ILLEGAL
    ),
    "moves nothing": Hostile("from_the(2)\nsay('move')\nsleep()", "'' is not a legal move", ILLEGAL),
    "cannot be understood": Hostile(
        "from_the(0)\nsay('bananas, please')\nsleep()", _NO_ANSWER, LATE, 0, True
    ),
    "ends no line": Hostile("from_the(0)\nos.write(1, b'move 1')\nsleep()", _NO_ANSWER, LATE, 0, True),
    "writes bad UTF-8": Hostile(
        "from_the(0)\nos.write(1, b'\\xff\\xc3(\\n')\nsleep()", _NO_ANSWER, LATE, 0, True
    ),
    "writes NUL": Hostile(
        "from_the(2)\nos.write(1, b'move \\0\\n')\nsleep()", "is not a legal move", ILLEGAL
    ),
    "floods without a line": Hostile("from_the(2)\nwhile True: os.write(1, b'x' * 65536)", _TOO_MUCH, FLOOD),
    "floods with lines": Hostile(
        "from_the(2)\nwhile True: os.write(1, b'info depth 1\\n' * 5000)", _TOO_MUCH, FLOOD
    ),
    "floods its errors": Hostile(
        "from_the(0)\nwhile True: os.write(2, b'e' * 65536)", _NO_ANSWER, LATE, 0, True
    ),
    "closes its output": Hostile("from_the(2)\nos.close(1)\nsleep()", "the output was closed", CRASH),
    "closes its input": Hostile("from_the(0)\nos.close(0)\nsleep()", _NO_ANSWER, LATE, 0, True),
    "answers before it is asked": Hostile(
        "for _ in questions('ready\\nmove 1'): pass", "it moved before it was asked", ERROR, 0
    ),
    "answers twice": Hostile(
        "for _ in questions(): say(f'move {moves[0]}\\nmove {moves[0]}')", "it moved before", ERROR, 1
    ),
    "leaves a child": Hostile("from_the(2)\n" + _CHILD + "os._exit(0)", "exited with code 0", CRASH),
    "leaves an orphan in a session of its own": Hostile(
        "from_the(2)\n" + _ORPHAN + "sys.exit(7)", "exited with code 7", CRASH
    ),
    "leaves orphans without its environment": Hostile(
        "from_the(2)\nnote(subprocess.Popen(['sleep', '1000'], env={}, start_new_session=True).pid)\nos._exit(5)",
        "exited with code 5",
        CRASH,
    ),
    "has a child that hangs with it": Hostile(
        "from_the(0)\n" + _CHILD + "sleep()", _NO_ANSWER, LATE, 0, True
    ),
    "has many children in sessions of their own": Hostile(
        "from_the(2)\nfor _ in range(20):\n    if os.fork() == 0:\n        os.setsid()\n        note(os.getpid())\n        sleep()\n"
        "time.sleep(0.2)\nos._exit(0)",
        "exited with code 0",
        CRASH,
    ),
    "takes more memory than it may": Hostile(
        "from_the(2)\n" + _MORE, "MB of memory used, more than 400 MB", MEMORY
    ),
    "takes all memory at once": Hostile(
        "from_the(2)\nkept = bytearray(10**10)\nsleep()", "code 1: MemoryError", CRASH
    ),
    "takes memory in many children": Hostile(
        "from_the(2)\nfor _ in range(5):\n    if os.fork() == 0:\n        kept = bytearray(100_000_000)\n        sleep()\nsleep()",
        "MB of memory used, more than 400 MB",
        MEMORY,
    ),
    "kills its group": Hostile("from_the(2)\nos.kill(0, signal.SIGKILL)", "ended by signal SIGKILL", CRASH),
    "says that it was late": Hostile(
        "from_the(2)\nsay('error no answer within 1 s: signal late memory')\nsleep()", "signal", ERROR
    ),
    "says that it is illegal": Hostile(
        "from_the(0)\nsay('illegal move')\nsleep()", _NO_ANSWER, LATE, 0, True
    ),
    "has threads at work": Hostile(
        "from_the(2)\n" + _THREADS + "say('move none')", "'none' is not a legal move", ILLEGAL
    ),
    "deletes the directory it is in": Hostile(
        "from_the(2)\n" + _LEAVING + "os.abort()", "ended by signal SIGABRT", CRASH
    ),
}


_WIPED = """
killer = "import os, signal, time; os.kill(%d, signal.SIGKILL); time.sleep(3)" % os.getppid()
subprocess.Popen([sys.executable, "-I", "-S", "-c", killer], env={}, start_new_session=True)
"""
_STOP = "os.kill(os.getppid(), signal.SIGSTOP)\n"
_GRAB = "kept = bytearray(700_000_000)\nfor page in range(0, len(kept), 4096): kept[page] = 1\n"
_MOVE = "say(f'move {moves[0]}')\nfor _ in questions(): say(f'move {moves[0]}')"
_STOPPED, _ENDED = "supervisor was stopped", "supervisor was ended"

ESCAPES = {
    "kills its supervisor": Hostile(
        "from_the(0)\n"
        + _ORPHAN
        + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.kill(os.getppid(), signal.SIGKILL)\nsleep()",
        _ENDED,
        ESCAPE,
        0,
        True,
    ),
    "kills its supervisor from a wiped environment": Hostile(
        "from_the(0)\n" + _WIPED + "sleep()", _ENDED, ESCAPE, 0, True
    ),
    "stops its supervisor": Hostile("from_the(0)\n" + _STOP + "sleep()", _STOPPED, ESCAPE, 0, True),
    "stops its supervisor and takes memory": Hostile(
        "from_the(2)\n" + _STOP + _GRAB + _MOVE, _STOPPED, ESCAPE
    ),
    "stops its supervisor for a moment": Hostile(
        "from_the(2)\n" + _STOP + "time.sleep(0.3)\nos.kill(os.getppid(), signal.SIGCONT)\n" + _MOVE,
        _STOPPED,
        ESCAPE,
    ),
}
"""What a supervisor of the same user cannot prevent: it costs the game. In namespaces nothing comes of it."""

HARMLESS = {
    "kills its supervisor": (_NO_ANSWER, LATE),
    "kills its supervisor from a wiped environment": (_NO_ANSWER, LATE),
    "stops its supervisor": (_NO_ANSWER, LATE),
    "stops its supervisor and takes memory": ("MB of memory used, more than 400 MB", MEMORY),
    "stops its supervisor for a moment": ("", None),
}
"""What becomes of them there: the reason and the kind of the fault, none where the bot plays on."""

_NO_MOVE = "which is not the number or the name of a legal move"

FILES = {
    "raises when it is imported": Hostile("1 / 0", "ZeroDivisionError: division by zero", ERROR, -1),
    "leaves when it is imported": Hostile("sys.exit('not today')", "SystemExit: not today", ERROR, -1),
    "cannot be parsed any more": Hostile("exec('x = = 1')", "SyntaxError", ERROR, -1),
    "raises an exception": Hostile("raise ValueError('no idea')", "ValueError: no idea", ERROR),
    "raises what is no error": Hostile(
        "raise BaseException('odd')", "exited with code 1: BaseException: odd", CRASH
    ),
    "recurses without end": Hostile("return misbehave(game, state, legal)", "RecursionError", ERROR),
    "returns None": Hostile("return None", f"choose returned None, {_NO_MOVE}", ILLEGAL),
    "returns a huge number": Hostile(
        "return 10**5000", f"choose returned a value of type int, {_NO_MOVE}", ILLEGAL
    ),
    "calls sys.exit": Hostile("sys.exit(4)", "SystemExit: 4", ERROR),
    "calls os._exit": Hostile("os._exit(0)", "exited with code 0", CRASH),
    "crashes": Hostile("os.abort()", "ended by signal SIGABRT", CRASH),
    "hangs": Hostile("sleep()", _NO_ANSWER, LATE, 0, True),
    "is busy": Hostile("while True: pass", _NO_ANSWER, LATE, 0, True),
    "stops itself": Hostile("os.kill(os.getpid(), signal.SIGSTOP)", _NO_ANSWER, LATE, 0, True),
    "closes everything": Hostile("os.closerange(0, 100)\nsleep()", "the output was closed", CRASH),
    "writes into everything": Hostile(
        "for number in range(3, 20):\n    try: os.write(number, b'move 1\\nmove 2\\n')\n    except OSError: pass\nreturn legal[0]",
        "'1' is not a legal move",
        ILLEGAL,
    ),
    "leaves an orphan in a session of its own": Hostile(_ORPHAN + "os._exit(7)", "exited with code 7", CRASH),
    "takes more memory than it may": Hostile(_MORE, "MB of memory used, more than 400 MB", MEMORY),
    "takes all memory at once": Hostile("return bytearray(10**10)", "MemoryError", ERROR),
    "has threads at work": Hostile(_THREADS + "return None", f"choose returned None, {_NO_MOVE}", ILLEGAL),
    "deletes the directory it is in": Hostile(
        _LEAVING + "return None", f"choose returned None, {_NO_MOVE}", ILLEGAL
    ),
}


def program(directory: Path, hostile: Hostile) -> str:
    """The command that starts the program; it notes the process ids of itself and its children in `notes`."""
    file = directory / "program.py"
    file.write_text(_PROGRAM.format(notes=str(directory / "notes")) + hostile.body + "\n")
    # As quick to start as an interpreter can be.
    return f"{sys.executable} -I -S {file}"


def python_file(directory: Path, hostile: Hostile) -> str:
    """The file; it notes the process ids of itself and its children in `notes`."""
    file = directory / "bot.py"
    body = "".join(f"    {line}\n" for line in hostile.body.splitlines())
    text = _FILE.format(notes=str(directory / "notes"), start=hostile.start)
    file.write_text(
        text + (f"def misbehave(game, state, legal):\n{body}" if hostile.start >= 0 else hostile.body + "\n")
    )
    return str(file)
