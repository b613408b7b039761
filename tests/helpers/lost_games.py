"""A ledger for the page in a test, made by the program as a user makes one: a search that looks ahead against random moves."""

import os
import subprocess
import sys
from pathlib import Path

PLAYERS = ("riders_nash", "random")
SIZE = "light_riders(width=5, height=5)"


def match(ledger: Path, games: int, *more: str) -> subprocess.Popen[str]:
    """The match under way, as plain Python."""
    command = [
        sys.executable,
        "-m",
        "saddlepoint",
        "match",
        *PLAYERS,
        "--game",
        "light_riders",
        "--size",
        "5x5",
        "-n",
        str(games),
        "--nodes",
        "40",
        "--ledger",
        str(ledger),
        "--seed",
        "1",
        "--swap",
        "-j",
        "1",
        *more,
    ]
    return subprocess.Popen(
        command,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def played(ledger: Path, games: int, *more: str) -> Path:
    """The ledger after a match."""
    process = match(ledger, games, *more)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return ledger


def exported(ledger: Path) -> str:
    """Its games as the lines of a replay file."""
    command = [sys.executable, "-m", "saddlepoint", "ledger", "export", str(ledger)]
    return subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    ).stdout
