"""A ledger as the first version wrote it."""

import json
import sqlite3
from pathlib import Path

from saddlepoint.arena.ledger.schema import APPLICATION_ID, MIGRATIONS

OPENING = "light_riders 8x6 round 0 facing right left alive 01\n........\n........\n..0..1..\n........\n........\n........"
SETTINGS = {
    "terms": {
        "game": {"name": "light_riders", "parameters": {"width": 8, "height": 6, "max_rounds": 200}},
        "clock": {"bank": None, "increment": 0.0, "cap": None}, "limits": None, "tolerance": 0.0, "isolate": False, "memory": None,
    },
    "plan": {"games": 4, "openings": [OPENING], "swap": True, "seed": 1},
}  # fmt: skip
FAULTS = [
    ("rules", "player 0 won after 1 steps", "", "", 0, 0),
    ("late", "player 1 at fault", "", "late: 0.400 s used of 0.300 s, at step 0", 0, 1),
    ("flood", "player 0 at fault", "PlayerError: more than 9 of output, before the game", "", 0, 0),
    ("crash", "both at fault", "PlayerError: the program was ended by signal 9, at step 1", "late: 1 s, at step 1", 0, 1),
]  # fmt: skip


def write_old_ledger(path: Path) -> None:
    """A match of four games between `a` and `b`, three of them decided by faults; its first game goes up and down."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    first = MIGRATIONS[0]
    assert isinstance(first, str)
    connection.executescript(first)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.execute("INSERT INTO players VALUES (1, 'a', '0.1.0+11223344'), (2, 'b', '')")
    connection.execute(
        "INSERT INTO tournaments VALUES (1, 'round-robin', '[\"a\",\"b\"]', ?, 4, 0, '2030-01-01T00:00:00.000001+00:00', NULL)",
        (json.dumps(SETTINGS, separators=(",", ":"), sort_keys=True),),
    )
    for number, (cause, reason, fault0, fault1, late0, late1) in enumerate(FAULTS):
        points = {"rules": 1.0, "late": 1.0, "flood": 0.0, "crash": 0.5}[cause]
        row = (
            None, 1, number, number // 2 * 2, 1 + number % 2, 2 - number % 2, OPENING, 4_000_000_000 + number, 2 * points - 1, points,
            1, cause, reason, fault0, fault1, late0, late1, "[[0,2]]", "[[0.5],[0.25]]", "[[null],[[0.25,3,100,0.5]]]",
            "2030-01-01T00:00:00.000+00:00", 1.5,
        )  # fmt: skip
        connection.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    connection.commit()
    connection.close()
