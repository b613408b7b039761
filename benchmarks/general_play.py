"""How well `best` plays games that the library has never seen: the sixteen of examples/games/, against searches and simple bots.

    python benchmarks/general_play.py                                 # all: three hours on two idle cores, by short runs
    python benchmarks/general_play.py --games hex kalah --pairs 5     # some games, fewer matches
    python benchmarks/general_play.py --against bots mcts             # of the opponents only these, or any spec

In each game `best` plays the library's searches that take it, and the three bots of benchmarks/general_bots.py. Each row is a run of
`saddlepoint match`. The figures go into --out and, as JSON, into a file beside it after each match; what is there already, by the same
version with the same settings, is not played again. So a run that was stopped with Ctrl-C goes on where it was.
"""

import argparse
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean

from general_bots import bots_of

import saddlepoint
from saddlepoint.arena.ledger.versions import sources_digest
from saddlepoint.game.base import Game
from saddlepoint.game.own_games import load_class
from saddlepoint.system.files import whole_file

ROOT = Path(__file__).resolve().parents[1]
GAMES = sorted(file.stem for file in (ROOT / "examples" / "games").glob("*.py"))
IN_TURN, AT_ONCE = ("mcts", "pvs", "puct", "duct"), ("rm", "duct", "puct", "exp3", "smab", "saddle")
BOTS = ROOT / "build" / "general_bots"
"""Where the bots are copied to, each to a file of its own name."""
SECONDS, PAIRS = 0.05, 20
QUIET = {"SADDLEPOINT_QUIET": "1"}
"""No lines on what is compiled."""
PATIENCE = 60
"""Seconds for a match to end after Ctrl-C."""
OPENING = "random:2"
"""Of games in turn: from the start, two players who draw nothing would play the same game again and again."""


def class_of(game: str) -> str:
    """The name of a game's class, by that of its file."""
    return game.title().replace("_", "")


def spec_of(game: str) -> str:
    return f"./examples/games/{game}.py:{class_of(game)}"


@functools.cache
def is_in_turn(game: str) -> bool:
    return load_class(str(ROOT / "examples" / "games" / f"{game}.py"), class_of(game), Game)().turn_based


def opponents(game: str, wanted: list[str]) -> list[str]:
    """The searches and the bots of a game; of these the wanted ones, where any are named, and all other specs."""
    searches, bots = IN_TURN if is_in_turn(game) else AT_ONCE, bots_of(class_of(game))
    kept = {*(wanted or ("searches", "bots"))}
    kept |= {*(searches if "searches" in kept else ()), *(bots if "bots" in kept else ())}
    names = {
        "searches",
        "bots",
        *IN_TURN,
        *AT_ONCE,
        *(bot for one in GAMES for bot in bots_of(class_of(one))),
    }
    return [one for one in (*searches, *bots) if one in kept] + [one for one in wanted if one not in names]


def player_of(game: str, other: str) -> str:
    """The spec of an opponent."""
    if other not in bots_of(class_of(game)):
        return other
    BOTS.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(__file__).with_name("general_bots.py"), BOTS / f"{other}.py")
    return f"./{(BOTS / other).relative_to(ROOT)}.py"


def settings_of(asked: argparse.Namespace) -> dict[str, object]:
    """What a row that is there must have been played with, so that it need not be played again."""
    version = f"{saddlepoint.__version__} ({sources_digest()[:6]})"
    return {"seconds": asked.time, "games": 2 * asked.pairs, "seed": asked.seed, "version": version}


def command(game: str, other: str, asked: argparse.Namespace) -> list[str]:
    """The command line of a match."""
    words = ["match", "best", player_of(game, other), "--game", spec_of(game), "--time", str(asked.time)]
    words += ["--swap", "-n", str(2 * asked.pairs), "--seed", str(asked.seed), "--json"]
    if is_in_turn(game):
        words += ["--openings", OPENING]
    return [sys.executable, "-m", "saddlepoint", *words]


def output_of(words: list[str]) -> tuple[str, str]:
    """What a program printed, and the last line of what it said where it failed; after Ctrl-C it is waited for."""
    options = {"cwd": ROOT, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # In a group of its own it gets no Ctrl-C from the terminal: a second one would end it at once.
    with subprocess.Popen(words, env=os.environ | QUIET, process_group=0, **options) as process:
        try:
            printed, told = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            try:
                process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    lines = [line for line in told.splitlines() if line.strip()] or [f"it ended with {process.returncode}"]
    return printed, lines[-1][:150] if process.returncode or not printed.strip() else ""


def row_of(game: str, other: str, asked: argparse.Namespace) -> dict:
    """Play a match: its figures, or its error."""
    row = {"game": game, "other": other, **settings_of(asked)}
    started = time.monotonic()
    printed, error = output_of(command(game, other, asked))
    row |= {"load": round(os.getloadavg()[0], 1), "took": round(time.monotonic() - started, 1)}
    if error:
        return row | {"error": error}
    told = json.loads(printed)
    if told["interrupted"]:
        raise KeyboardInterrupt
    if not told["games"]:
        return row | {"error": told["problem"] or (told["void_reasons"] or ["no game counts"])[0]}
    names = ("wins", "draws", "losses", "late", "fault_count", "alike")
    low, high = told["interval95"]
    return row | {name: told[name] for name in names} | {"score": told["score"], "low": low, "high": high}


def shown(row: dict) -> str:
    """A row's score in words, or its error."""
    if "error" in row:
        return f"failed: {row['error']}"
    verdict = " (behind)" if row["high"] < 0.5 else " (ahead)" if row["low"] > 0.5 else ""
    return f"{100 * row['score']:.1f} % ({100 * row['low']:.0f} to {100 * row['high']:.0f}){verdict}"


def line(row: dict) -> str:
    """A row's line of the table."""
    cells = [row["game"], f"`{row['other']}`", shown(row).replace("|", "/")]
    cells += (
        ["", ""] if "error" in row else [f"{row['wins']} - {row['draws']} - {row['losses']}", faults(row)]
    )
    return f"| {' | '.join(cells)} | {row['load']} |"


def faults(row: dict) -> str:
    """How many games a fault decided, and how many of these were late answers of each side."""
    late = row["late"]
    return f"{row['fault_count']} (late {late['a']} + {late['b']})" if row["fault_count"] else ""


def page(rows: list[dict]) -> str:
    """The table, with the mean score of each game and of all, and what it was played with."""
    text = [
        "| game | `best` against | score (95 %) | won - drawn - lost | faults | load |",
        "|---|---|---|---|---|---:|",
    ]
    means = {}
    for game in dict.fromkeys(row["game"] for row in rows):
        of_game = [row for row in rows if row["game"] == game]
        text += map(line, of_game)
        if scores := [row["score"] for row in of_game if "error" not in row]:
            means[game] = mean(scores)
            text.append(f"| **{game}** | mean of {len(scores)} | **{100 * means[game]:.1f} %** | | | |")
    if means:
        text.append(
            f"| **all** | mean of games: {len(means)} | **{100 * mean(means.values()):.1f} %** | | | |"
        )
    played = [row for row in rows if "error" not in row]
    behind = [f"{row['other']} in {row['game']}" for row in played if row["high"] < 0.5]
    loads, versions = [row["load"] for row in rows], sorted({row["version"] for row in rows})
    budgets = sorted({f"{row['games']} games of {row['seconds']:g} s a move" for row in rows})
    text += ["", f"`best` is certainly behind: {', '.join(behind) or 'nobody'}.", ""]
    text.append(
        f"Matches of {' or '.join(budgets)}; load {min(loads)} to {max(loads)} on {os.cpu_count()} cores; "
        f"version {', '.join(versions)}."
    )
    return "\n".join(text) + "\n"


def keep(rows: list[dict], file: Path) -> None:
    """Write the table, and its figures beside it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    for path, text in ((file.with_suffix(".json"), json.dumps(rows, indent=1) + "\n"), (file, page(rows))):
        with whole_file(path) as out:
            out.write(text.encode())


def play(asked: argparse.Namespace) -> None:
    """Play what is missing, match by match."""
    figures, settings = asked.out.with_suffix(".json"), settings_of(asked)
    rows = (
        {(row["game"], row["other"]): row for row in json.loads(figures.read_text("utf-8"))}
        if figures.exists()
        else {}
    )
    pairs = [(game, other) for game in asked.games for other in opponents(game, asked.against)]
    for number, pair in enumerate(pairs, 1):
        found = rows.get(pair)
        if found and "error" not in found and settings.items() <= found.items():
            continue
        print(f"[{number}/{len(pairs)}] {pair[0]}: best against {pair[1]}: ", end="", flush=True)
        rows[pair] = row_of(*pair, asked)
        print(f"{shown(rows[pair])}, {rows[pair]['took']:.0f} s", flush=True)
        rows = dict(
            sorted(rows.items(), key=lambda item: item[0][0])
        )  # stable: a game's opponents stay in order
        keep([*rows.values()], asked.out)
    if rows:
        print(f"\n{page([*rows.values()])}\nin {asked.out} and {figures}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", nargs="+", choices=GAMES, default=GAMES, metavar="GAME", help="all by default"
    )
    parser.add_argument("--time", type=float, default=SECONDS, help=f"seconds of each move ({SECONDS})")
    parser.add_argument(
        "-n", "--pairs", type=int, default=PAIRS, help=f"of games, with sides swapped ({PAIRS})"
    )
    parser.add_argument(
        "--against", nargs="+", default=[], metavar="OTHER", help="names, `searches` or `bots`; all"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "general_play.md", metavar="FILE", help="the table"
    )
    try:
        play(parser.parse_args())
    except KeyboardInterrupt:
        print("\nstopped: the same command goes on here")
        sys.exit(130)


if __name__ == "__main__":
    main()
