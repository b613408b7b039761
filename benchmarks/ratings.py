"""How strong the players of each game are: one rating table a game, at most eight players, as `saddlepoint tournament` makes it.

    python benchmarks/ratings.py                              # all games: a night on two cores
    python benchmarks/ratings.py othello tron --games 10      # some games, fewer games of each pairing
    python benchmarks/ratings.py --cpu                        # on a busy machine: seconds that the games had a core
    python benchmarks/ratings.py --write                      # docs/measurements.md from the tables that there are

The tables are kept in docs/data/ratings.json, each with the version that played. The games go into build/ratings/GAME.db until
a game's table is there, so that a run that was stopped goes on where it was.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from saddlepoint.arena.ledger.versions import sources_digest
from saddlepoint.games.catalogue.games import GAMES, make_game

ROOT = Path(__file__).resolve().parents[1]
FILE, PAGE = ROOT / "docs" / "data" / "ratings.json", ROOT / "docs" / "measurements.md"
HEAD = "| game | `best`: Elo | strongest other player | its Elo | games | a move |\n|---|---|---|---|---:|---:|\n"
"""Of the table in the page, which has a line for each game."""
MOST = 8
SECONDS = 0.05
ROUNDS = 40
"""Games of each pairing: 28 pairings of eight players."""
_EQUILIBRIA = ("saddle", "smab(choice=mixture)", "duct", "oos")
PLAYERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "light_riders": (
        "",
        ("riders_smab", "riders_killer", "riders_nash", "saddle(evaluator=prospects)", "duct", "random"),
    ),
    "battlesnake": (
        "",
        (
            "snake_voronoi",
            "snake_space",
            "snake_starter",
            "smab(evaluator=snake_prospects)",
            "duct",
            "random",
        ),
    ),
    "tron": (
        "(width=13,height=13)",
        ("smab(evaluator=prospects)", "saddle(evaluator=prospects)", "smab", "duct", "random"),
    ),
    "tron41": ("", ("tron_two_fills", "tron_own_fill", "tron_freespace", "ta2", "safe", "wall", "random")),
    "goofspiel": ("(cards=8)", ("saddle(evaluator=hands)", *_EQUILIBRIA, "random")),
    "oshi_zumo": ("(coins=50)", (*_EQUILIBRIA, "random")),
    "soccer": ("", (*_EQUILIBRIA, "random")),
    "pursuit_evasion": ("(width=6,height=6,depth=10)", (*_EQUILIBRIA, "random")),
    "random_game": ("", (*_EQUILIBRIA, "random")),
    "biased_rps": ("", (*_EQUILIBRIA, "random")),
    "connect_four": (
        "",
        (
            "pvs(evaluator=connect_four_network)",
            "mcts",
            "puct(evaluator=connect_four_network)",
            "alphabeta",
            "random",
        ),
    ),
    "othello": (
        "",
        (
            "pvs(evaluator=othello_network)",
            "mcts",
            "puct(evaluator=othello_network)",
            "alphabeta(evaluator=mobility)",
            "random",
        ),
    ),
    "simplexity": ("", ("aiden", "minimax", "pvs(evaluator=lines)", "mcts", "random")),
    "rubiks_flip": ("", ("ace", "bob", "pvs", "mcts", "random")),
    "tic_tac_toe": ("", ("pvs", "mcts", "random")),
}
"""By the game's name: its size, and who plays besides `best`."""
OPENINGS = {
    "othello": "random:6",
    "connect_four": "random:3",
    "tic_tac_toe": "random:1",
    "simplexity": "random:3",
    "rubiks_flip": "random:2",
    "tron": "random:2",
    "light_riders": "random:3",
}
"""Random moves first, where nobody may draw an action: all games would be the same."""
_COUNTING_CPU = (
    "from cpu_clock import count_cpu_time; count_cpu_time(); from saddlepoint.cli import main; main()"
)


def players_of(name: str) -> tuple[str, tuple[str, ...]]:
    """The size of a game's table, and who plays besides `best`; of a game without an entry the searches that need nothing."""
    return PLAYERS.get(name) or (
        "",
        ("pvs", "mcts", "random") if make_game(name).turn_based else (*_EQUILIBRIA, "random"),
    )


def command(name: str, games: int, seconds: float, ledger: Path, *, cpu: bool) -> list[str]:
    """The command line of a game's tournament."""
    size, others = players_of(name)
    program = ["-c", _COUNTING_CPU] if cpu else ["-m", "saddlepoint"]
    found = [
        sys.executable,
        *program,
        "tournament",
        "best",
        *others,
        "--game",
        name + size,
        "-n",
        str(games),
        "--time",
        str(seconds),
    ]
    found += ["--seed", "1", "--tolerance", "2", "-j", "1" if cpu else "0", "--json", "--ledger", str(ledger)]
    if name in OPENINGS:
        found += ["--openings", OPENINGS[name]]
    return [*found, "--resume"] if ledger.exists() else found


def table_of(name: str, games: int, seconds: float, *, cpu: bool) -> dict[str, Any]:
    """Play a game's tournament; its table, with what was played and by which version."""
    ledger = ROOT / "build" / "ratings" / f"{name}.db"
    ledger.parent.mkdir(parents=True, exist_ok=True)
    called = command(name, games, seconds, ledger, cpu=cpu)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    told = json.loads(subprocess.run(called, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    ledger.unlink()  # one that is there belongs to a run that was stopped
    return {
        "size": name + players_of(name)[0],
        "games": games,
        "seconds": seconds,
        "cpu": cpu,
        "load": round(os.getloadavg()[0], 1),
        "version": sources_digest()[:6],
        "played": f"{datetime.now(UTC):%Y-%m-%d}",
        "faults": told["fault_count"],
        "rows": [
            {
                "player": one["player"],
                **{key: None if one[key] is None else round(one[key]) for key in ("elo", "low", "high")},
            }
            | {"score": round(100 * one["points"] / one["games"]), "games": one["games"]}
            for one in told["ratings"]
        ],
    }


def best_is_behind(table: dict[str, Any]) -> bool:
    """Whether another player is certainly ahead of `best`: its interval lies above that of `best`."""
    best = next(row for row in table["rows"] if row["player"] == "best")
    return any(None not in (row["low"], best["high"]) and row["low"] > best["high"] for row in table["rows"])


def page(text: str, tables: dict[str, dict[str, Any]]) -> str:
    """docs/measurements.md with a line for each game in the place of those that there are."""
    before, head, rest = text.partition(HEAD)
    if not head:
        raise ValueError(f"{PAGE} has no table that begins with {HEAD.splitlines()[0]}")
    behind = rest[re.match(r"(?:\|.*\n)*", rest).end() :]  # type: ignore[union-attr]
    return before + head + "".join(f"{line(table)}\n" for table in tables.values()) + behind


def line(table: dict[str, Any]) -> str:
    """A game's line: `best` and the strongest other player, with intervals, and which of them is certainly ahead."""
    best = next(row for row in table["rows"] if row["player"] == "best")
    other = max((row for row in table["rows"] if row is not best), key=lambda row: row["score"])
    behind = " (ahead)" if best_is_behind(table) else ""
    seconds = f"{table['seconds']:g} s{' CPU' if table['cpu'] else ''}"
    shown = (f"`{table['size']}`", _interval(best), f"`{other['player']}`{behind}", _interval(other))
    return f"| {' | '.join(shown)} | {table['games']} | {seconds} |"


def _interval(row: dict[str, Any]) -> str:
    return f"{_elo(row['elo'])} ({_elo(row['low'])} to {_elo(row['high'])})"


def _elo(points: int | None) -> str:
    """Signed; a player that won or lost all its games has no bound on one side."""
    return "?" if points is None else f"{points:+d}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[*GAMES, []], metavar="GAME", help="all by default")
    parser.add_argument("--games", type=int, default=ROUNDS, help=f"of each pairing ({ROUNDS})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"of each move ({SECONDS})")
    parser.add_argument("--cpu", action="store_true", help="count seconds of a core")
    parser.add_argument("--write", action="store_true", help="play nothing")
    asked = parser.parse_args()
    tables = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in [] if asked.write else asked.names or GAMES:
        tables[name] = table_of(name, asked.games, asked.seconds, cpu=asked.cpu)
        ordered = {one: tables[one] for one in GAMES if one in tables}
        FILE.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
        print(
            f"{name}:", *(f"{row['player']} {_elo(row['elo'])}" for row in tables[name]["rows"]), flush=True
        )
    ordered = {one: tables[one] for one in GAMES if one in tables}
    PAGE.write_text(page(PAGE.read_text("utf-8"), ordered), "utf-8")


if __name__ == "__main__":
    main()
