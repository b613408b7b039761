"""A ledger for the page in a test, made by the program as a user makes one: a search that looks ahead against random moves."""

import subprocess
from pathlib import Path

from helpers.cli_runs import program
from helpers.programs import output_of

PLAYERS = ("riders_nash", "random")
_ABOUT = ("--game", "light_riders", "--size", "5x5", "--nodes", "40", "--seed", "1", "--swap", "-j", "1")


def match(ledger: Path, games: int) -> subprocess.Popen[str]:
    """The match under way, as plain Python."""
    played = ("-n", str(games), "--ledger", str(ledger))
    return program("match", *PLAYERS, *_ABOUT, *played, plain=True, stderr=subprocess.STDOUT)


def played(ledger: Path, games: int) -> Path:
    """The ledger after a match."""
    process = match(ledger, games)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return ledger


def exported(ledger: Path) -> str:
    """Its games as the lines of a replay file."""
    return output_of("-m", "saddlepoint", "ledger", "export", ledger, NUMBA_DISABLE_JIT="1")
