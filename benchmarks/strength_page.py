"""docs/strength.md: what the rows of `best_of_all.py` say, short enough to be read."""

from collections.abc import Iterable, Sequence

from strength_record import Pairing, Row

_PAGE = """# Whether `best` is best

**You get** whether `best` of a game is behind any other player here. **Time:** three minutes, and the table.

`python benchmarks/best_of_all.py` plays `best` of each game against:

- every other player of this library that plays the game;
- every search, with the evaluator of `best` too;
- bots of a few lines (`benchmarks/plain_bots.py`).

**How it decides.** Both players have the same number of seconds a move. Each opening is played twice, so that each player has each
side. A sequential test ends the games when it shows that `best` is behind by 100 points of Elo, or that it is not. A pairing is
*undecided* if {most} games do not show it, and *under way* if the program was stopped before that. Intervals are 95 %, computed from
pairs of games. One pairing in a hundred is called behind by chance alone.

| pairings | |
|---|---:|
| in all | {all} |
| played | {played} |
| played with the newest version here, {version} | {newest} |
| played with older versions | {older} |
| answered by the games at {short} seconds | {answered} |
| with a core for less than half of the time | {starved} |
| the share of a core was not measured | {unmeasured} |

What was not played is not known. Pairings of older versions are played again after all that were never played.

**Solved games.** Some games are solved before their clock runs. `best` plays them the same with any time. If the other player does not
search either, the games at {short} seconds answer for those at {long}. The program plays {checked} openings at both times, and
copies the row if all moves are the same.

**The load of the machine.** One game is played at a time, so a busy machine slows both players alike. *Core* is the share of the time
in which the games had a core. With a seventh of a core, a player had a seventh of {short} seconds to think about a move. With `--cpu` the
seconds are seconds of a core (100 %), and the load does not matter. *Load* is the mean of the last minute. *Version* is the digest of
the library's sources that players depend on.

This page is written from `benchmarks/best_of_all.jsonl`, which has a row for each pairing that was played:

    python benchmarks/best_of_all.py --show --write docs/strength.md

## Behind

{behind}

## Undecided

{undecided}

## Each game

The worst result of `best` in each game, by its points.

{games}
"""
_HEAD = (
    "| game | seconds | against | won-drawn-lost | points, 95 % | | version | load | core | day |\n"
    "|---|---:|---|---|---|---|---|---:|---:|---|\n"
)
_GAMES = (
    "| game | seconds | played | behind | undecided | older | worst against | won-drawn-lost | points, 95 % |\n"
    "|---|---:|---:|---:|---:|---:|---|---|---|\n"
)
OPEN = ("undecided", "under way")
ENOUGH = 0.5
"""The share of the time in which games should have had a core."""


def newest_version(rows: Iterable[Row]) -> str:
    """That of the row which was played last; empty without rows."""
    return max(((row.played, row.version) for row in rows), default=("", ""))[1]


def _score(row: Row) -> tuple[str, str]:
    mean, low, high = (f"{100 * one:.0f}" for one in row.points)
    return f"{row.won}-{row.drawn}-{row.lost}", f"{mean} % ({low}-{high})"


def table_of(rows: Sequence[Row], newest: str) -> str:
    """Whole rows, as a table; a word where there are none."""
    lines = []
    for row in rows:
        cells = (
            f"`{row.game}`", f"{row.seconds:g}", row.against, *_score(row), row.verdict,
            row.version if row.version == newest else f"{row.version} (older)", f"{row.load:.0f}",
            "" if row.core is None else f"{100 * row.core:.0f} %", row.played[:10],
        )  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return _HEAD + "\n".join(lines) if lines else "None."


def games_of(rows: Iterable[Row], pairings: Sequence[Pairing], newest: str) -> str:
    """A line for each game and time: how many of its pairings were played, and the worst result."""
    found: dict[tuple[str, float], list[Row]] = {(one.game, one.seconds): [] for one in sorted(pairings)}
    for row in rows:
        found[row.game, row.seconds].append(row)
    lines = []
    for (game, seconds), played in found.items():
        total = sum((one.game, one.seconds) == (game, seconds) for one in pairings)
        counts = (
            sum(row.verdict == "behind" for row in played), sum(row.verdict in OPEN for row in played),
            sum(row.version != newest for row in played),
        )  # fmt: skip
        worst = min(played, key=lambda row: (row.points[0], row.against), default=None)
        told = ("", "", "") if worst is None else (worst.against, *_score(worst))
        cells = (f"`{game}`", f"{seconds:g}", f"{len(played)} of {total}", *(str(one or "") for one in counts), *told)
        lines.append(f"| {' | '.join(cells)} |")
    return _GAMES + "\n".join(lines)


def page_of(rows: Iterable[Row], pairings: Sequence[Pairing], *, most: int, clocks: Sequence[float], checked: int) -> str:
    """The page; of rows whose pairing is none any more nothing is told."""
    known = set(pairings)
    rows = [row for row in rows if row.pairing in known]
    newest = newest_version(rows)
    of_newest = sum(row.version == newest for row in rows)
    return _PAGE.format(
        most=most, short=f"{min(clocks):g}", long=f"{max(clocks):g}", checked=checked,
        starved=sum(row.core is not None and row.core < ENOUGH for row in rows), unmeasured=sum(row.core is None for row in rows),
        answered=sum(row.as_at is not None for row in rows), played=len(rows), all=len(pairings), newest=of_newest, version=newest,
        older=len(rows) - of_newest, behind=table_of([row for row in rows if row.verdict == "behind"], newest),
        undecided=table_of([row for row in rows if row.verdict in OPEN], newest), games=games_of(rows, pairings, newest),
    )  # fmt: skip
