"""How tournaments look in a terminal: the standings while they run, ratings and the cross table at the end."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .common import WIDE
from .match import print_uncounted

if TYPE_CHECKING:
    from rich.table import Table

    from ..arena.standings import Standings

_WIDEST_CROSS_TABLE = 14  # players; more do not fit beside each other


def standings_table(standings: "Standings", players: Sequence[str]) -> "Table":
    """Who has how many points so far."""
    from rich.table import Table

    from ..arena.standings import PlayerFigures

    table = Table(box=None, pad_edge=False)
    for column in ("player", "games", "won", "drawn", "lost", "score"):
        table.add_column(column, justify="left" if column == "player" else "right", no_wrap=True)
    rows = [(player, standings.players.get(player, PlayerFigures())) for player in players]
    for player, figures in sorted(rows, key=lambda row: -row[1].score.rate):
        score = f"{100 * figures.score.rate:.1f} %" if figures.games else "-"
        table.add_row(player, *map(str, (figures.games, figures.wins, figures.draws, figures.losses)), score)
    return table


def print_tournament(data: dict[str, Any]) -> None:
    """The figures of `tournament_summary`."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else WIDE, highlight=False)
    asked = f" of {data['asked']}" if data["asked"] and data["games"] < data["asked"] else ""
    print(f"{data['games']}{asked} games, {data['games_per_second']:.2f} games/s")
    print_uncounted(data)
    if not data["ratings"]:
        return
    console.print(_ratings_table(data))
    if len(data["ratings"]) <= _WIDEST_CROSS_TABLE:
        print("\nscore of the player on the left, per cent (games):")
        console.print(_cross_table(data))
    for note in data["notes"]:
        print(note)
    for cycle in data["cycles"]:
        sure = "each by more than chance explains" if cycle["certain"] else "not certain"
        print(f"a cycle ({sure}): {' beats '.join([*cycle['players'], cycle['players'][0]])}")
    if data["mixture"] is not None:
        shares = {player: share for player, share in data["mixture"]["shares"].items() if share > 0.0005}
        mixed = ", ".join(f"{player} {100 * share:.1f} %" for player, share in sorted(shares.items(), key=lambda one: -one[1]))
        print(f"mixture that no player beats: {mixed}")
    if set(data["reasons"]) - {"rules"}:
        print("lost by: " + ", ".join(f"{cause} {count}" for cause, count in sorted(data["reasons"].items())))
    for fault in data["faults"][:5]:
        print(f"  {fault}")
    if data["fault_count"] > 5:
        print(f"  ... and {data['fault_count'] - 5} more games decided by a fault")


def _ratings_table(data: dict[str, Any]) -> "Table":
    from rich.table import Table

    figures = {row["player"]: row for row in data["players"]}
    table = Table(box=None, pad_edge=False)
    for column in ("", "player", "Elo", "95 %", "games", "score", "late", "median ms", "99 % ms", "nodes/s"):
        table.add_column(column, justify="left" if column == "player" else "right", no_wrap=True)
    for rank, row in enumerate(data["ratings"], 1):
        one = figures.get(row["player"], {})
        latency = one.get("latency", {})
        table.add_row(
            str(rank), row["player"], f"{row['elo']:+.0f}", _interval(row), str(row["games"]),
            f"{100 * row['points'] / row['games']:.1f} %" if row["games"] else "-", str(one.get("late_moves", "")),
            _ms(latency.get("median")), _ms(latency.get("p99")), _rate(one.get("nodes_per_second")),
        )  # fmt: skip
    return table


def _interval(row: dict[str, Any]) -> str:
    low, high = ("-∞" if row["low"] is None else f"{row['low']:+.0f}", "∞" if row["high"] is None else f"{row['high']:+.0f}")
    return f"{low} to {high}"


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f}"


def _rate(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}"


def _cross_table(data: dict[str, Any]) -> "Table":
    from rich.table import Table

    names = [row["player"] for row in data["ratings"]]
    cells = {(cell["player"], cell["opponent"]): cell for cell in data["cross_table"]}
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("player", no_wrap=True)
    for rank in range(1, len(names) + 1):
        table.add_column(str(rank), justify="right", no_wrap=True)
    for rank, name in enumerate(names, 1):
        row = [cells.get((name, other)) for other in names]
        table.add_row(
            str(rank), name,
            *("." if other == name else "-" if cell is None else f"{100 * cell['score']:.0f} ({cell['games']})"
              for other, cell in zip(names, row, strict=True)),
        )  # fmt: skip
    return table
