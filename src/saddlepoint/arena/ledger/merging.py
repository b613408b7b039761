"""Putting the games of one ledger into another, as often as one likes: what is there already is not entered again."""

import sqlite3
from collections import defaultdict
from contextlib import suppress
from typing import Any

from ...play.ledger_file import LedgerError
from . import Ledger
from .rows import insert, json_text, player_id

_TOURNAMENT = ("kind", "players", "settings", "planned", "next_number", "created", "finished", "uid")


def merge_ledger(source: Ledger, target: Ledger) -> tuple[int, int]:
    """Enter all that `source` has; (games added, games that were there already). All of it is entered, or nothing.

    Tournaments are recognised by a mark they get when they begin, games by their tournament, players, seed, date and moves. Two
    copies of a tournament that went on apart may have used a number twice: then the second game gets another one.
    """
    with source.reading() as reading, target.writing() as writing:
        players = _players(reading, writing)
        added = there = 0
        for row in reading.execute(
            f"SELECT id, {', '.join(_TOURNAMENT)} FROM tournaments ORDER BY id"
        ).fetchall():
            number = _tournament(writing, row[1:])
            some, others = _games(reading, writing, row[0], number, players)
            added, there = added + some, there + others
            _voids(reading, writing, row[0], number)
            members = "SELECT spec, added, removed FROM league_players WHERE tournament = ? ORDER BY added"
            for member in reading.execute(members, (row[0],)):
                writing.execute("INSERT OR IGNORE INTO league_players VALUES (?, ?, ?, ?)", (number, *member))
    return added, there


def games_under_several_conditions(ledger: Ledger) -> list[str]:
    """The names of games that tournaments of a ledger have played under different conditions."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one in ledger.tournaments():
        with suppress(LedgerError):  # its game is unknown here
            found[one.described_game[0]].add(json_text(one.conditions))
    return sorted(name for name, several in found.items() if len(several) > 1)


def _players(reading: sqlite3.Connection, writing: sqlite3.Connection) -> dict[int, int]:
    """The target's number of each player of the source."""
    rows = reading.execute("SELECT id, spec, version, same_as FROM players ORDER BY id").fetchall()
    found = {number: player_id(writing, spec, version) for number, spec, version, _ in rows}
    for number, _, _, same_as in rows:
        if same_as in found:
            sql = "UPDATE players SET same_as = ? WHERE id = ? AND same_as IS NULL"
            writing.execute(sql, (found[same_as], found[number]))
    return found


def _tournament(writing: sqlite3.Connection, row: tuple[Any, ...]) -> int:
    """The target's number of a tournament; one that went on elsewhere is what it became there."""
    known = writing.execute("SELECT id FROM tournaments WHERE uid = ?", (row[-1],)).fetchone()
    if known is None:
        number = insert(writing, "tournaments", dict(zip(_TOURNAMENT, row, strict=True))).lastrowid
        assert number is not None
        return number
    sql = "UPDATE tournaments SET next_number = max(next_number, ?), finished = coalesce(finished, ?) WHERE id = ?"
    writing.execute(sql, (row[4], row[6], known[0]))
    return known[0]


def _games(
    reading: sqlite3.Connection, writing: sqlite3.Connection, old: int, new: int, players: dict[int, int]
) -> tuple[int, int]:
    cursor = reading.execute("SELECT * FROM games WHERE tournament = ? ORDER BY number", (old,))
    names = [column[0] for column in cursor.description]
    added = there = 0
    moved: dict[int, int] = {}  # pairs that got another number
    for values in cursor:
        row = dict(zip(names, values, strict=True))
        del row["id"]
        if not {row["player0"], row["player1"]} <= players.keys():
            raise LedgerError(
                f"game {row['number']} of tournament {old} has a player that the ledger does not name: it is damaged"
            )
        row |= {"tournament": new, "player0": players[row["player0"]], "player1": players[row["player1"]]}
        known = (new, row["player0"], row["player1"], row["seed"], row["started"], row["actions"])
        sql = "SELECT 1 FROM games WHERE tournament = ? AND player0 = ? AND player1 = ? AND seed = ? AND started = ? AND actions = ?"
        if writing.execute(sql, known).fetchone() is not None:
            there += 1
            continue
        taken = writing.execute(
            "SELECT 1 FROM games WHERE tournament = ? AND number = ?", (new, row["number"])
        ).fetchone()
        if row["pair"] in moved or taken is not None:
            if row["pair"] not in moved:
                highest = "SELECT max(next_number, coalesce((SELECT max(number) + 1 FROM games WHERE tournament = id), 0))"
                free = writing.execute(f"{highest} FROM tournaments WHERE id = ?", (new,)).fetchone()[0]
                moved[row["pair"]] = free + free % 2
                writing.execute(
                    "UPDATE tournaments SET next_number = ? WHERE id = ?", (free + free % 2 + 2, new)
                )
            row["number"] = moved[row["pair"]] + row["number"] - row["pair"]
            row["pair"] = moved[row["pair"]]
        insert(writing, "games", row)
        added += 1
    return added, there


def _voids(reading: sqlite3.Connection, writing: sqlite3.Connection, old: int, new: int) -> None:
    names = "number, player0, player1, opening, seed, reason, started, seconds, load"
    for row in reading.execute(f"SELECT {names} FROM void_games WHERE tournament = ? ORDER BY id", (old,)):
        sql = "SELECT 1 FROM void_games WHERE tournament = ? AND number = ? AND started = ? AND seed = ?"
        if writing.execute(sql, (new, row[0], row[6], row[4])).fetchone() is None:
            writing.execute(
                f"INSERT INTO void_games (tournament, {names}) VALUES (?{', ?' * 9})", (new, *row)
            )
