"""Small bots for the tests, well behaved and hostile, as programs of their own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_PROLOGUE = """
import os, signal, sys, time
moves, answered = {moves!r}.split(), 0
def questions():
    for line in sys.stdin:
        if line.startswith("action"):
            yield line
def say(text):
    print(text, flush=True)
def next_move():
    global answered
    answered += 1
    return moves[min(answered, len(moves)) - 1]
"""

BODIES = {
    "good": "for _ in questions(): say(next_move())",
    "shouting": "for _ in questions(): say('  ' + next_move().upper() + '  ')",
    "crash_at_once": "sys.exit(3)",
    "crash_after_a_move": "for n, _ in enumerate(questions()):\n    if n == 1: sys.exit(3)\n    say(next_move())",
    "crash_later": "for n, _ in enumerate(questions()):\n    if n == 3: os.abort()\n    say(next_move())",
    "answer_and_leave": "for n, _ in enumerate(questions()):\n    say(next_move())\n    if n == 3: sys.exit()",
    "silent": "for _ in questions(): pass",
    "deaf": "time.sleep(1000)",
    "busy": "for _ in questions():\n    while True: pass",
    "garbage": "for _ in questions(): say('sideways, please')",
    "empty_lines": "for _ in questions(): say('')",
    "no_newline": "for _ in questions(): sys.stdout.write(next_move()); sys.stdout.flush()",
    "bad_utf8": "for _ in questions(): os.write(1, b'\\xff\\xfe\\x00\\xc3(\\n')",
    "flood": "for _ in questions():\n    while True: os.write(1, b'x' * 65536)",
    "flood_of_lines": "while True: os.write(1, b'right\\n' * 20000)",
    "flood_of_errors": "for _ in questions():\n    say(next_move())\n    os.set_blocking(2, False)\n"
    "    for _ in range(100):\n        try: os.write(2, b'e' * 65536)\n        except BlockingIOError: break",
    "closes_output": "for n, _ in enumerate(questions()):\n    if n == 2:\n        os.close(1)\n        time.sleep(1000)\n"
    "    say(next_move())",
    "closes_input": "os.close(0)\ntime.sleep(1000)",
    "late_once": "for n, _ in enumerate(questions()):\n    if n == 1: time.sleep(0.6)\n    say(next_move())",
    "answers_before_asked": "for _ in questions():\n    say(next_move())\n    sys.stdout.write('up\\nup\\nle')\n    sys.stdout.flush()",
    "stops_itself": "for n, _ in enumerate(questions()):\n    if n == 2: os.kill(os.getpid(), signal.SIGSTOP)\n    say(next_move())",
    "ignores_the_end": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor _ in questions(): say(next_move())\ntime.sleep(1000)",
    "leaves_a_child": "child = os.fork()\nif child == 0:\n    time.sleep(1000)\n"
    "open({notes!r}, 'w').write(str(child))\nfor n, _ in enumerate(questions()):\n    if n == 2: os._exit(0)\n    say(next_move())",
    "notes": "with open({notes!r}, 'a') as notes:\n    for line in sys.stdin:\n        notes.write(line); notes.flush()\n"
    "        if line.startswith('action'): say(next_move())",
}


def command(directory: Path, body: str, moves: str = "pass", name: str = "bot") -> str:
    """The command that starts a bot; it answers with `moves` in turn, the last one over and over."""
    path = directory / f"{name}.py"
    notes = str(directory / f"{name}.notes")
    path.write_text(_PROLOGUE.format(moves=moves) + BODIES[body].replace("{notes!r}", repr(notes)))
    return f"{sys.executable} {path}"


def example_command(example: Path, folder: Path) -> str:
    """What starts an example bot, built if need be."""
    if example.suffix != ".c":
        return str(example.resolve())
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    subprocess.run([compiler, "-Wall", "-Werror", "-o", folder / "bot", example], check=True)
    return str(folder / "bot")
