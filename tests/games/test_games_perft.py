"""How many sequences of moves there are (perft), of all games, by the library's rules and by second programs.

tests/data/perft.json has the numbers for 1, 2, 3 ... plies from some positions of each game, and where they come from. A ply is an action
of the player whose turn it is, an action of each where both move at once, or an outcome of chance; a pass is an action. Counted are
sequences of exactly so many plies: a game that ends before is not.
"""

import json
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from helpers.reference_rules import READERS, OfLibrary, sequences
from saddlepoint.cli.common import read_game

pytestmark = pytest.mark.plain

TABLES = json.loads((Path(__file__).parents[1] / "data" / "perft.json").read_text())["tables"]
FEW = 1_500


def rows() -> Iterator[Any]:
    """Each table with the plies that have few sequences together, and among the slow tests with all plies."""
    for number, table in enumerate(TABLES):
        plies = max(1, sum(total <= FEW for total in accumulate(table["counts"])))
        name = f"{number} {table['game']}"
        yield pytest.param(table, plies, id=f"{name} {plies} plies")
        if plies < len(table["counts"]):
            yield pytest.param(table, len(table["counts"]), id=f"{name} whole", marks=pytest.mark.slow)


@pytest.mark.parametrize(("table", "plies"), list(rows()))
def test_there_are_as_many_sequences_as_the_table_says(table: dict[str, Any], plies: int) -> None:
    position = OfLibrary.read(read_game(table["game"]), table["position"])
    assert sequences(position, plies) == table["counts"][:plies]


@pytest.mark.parametrize(("table", "plies"), list(rows()))
def test_a_second_program_counts_the_same(table: dict[str, Any], plies: int) -> None:
    game = read_game(table["game"])
    position = READERS[game.name](game, table["position"])
    assert sequences(position, plies) == table["counts"][:plies]


def test_every_game_has_tables_and_every_table_says_where_it_comes_from() -> None:
    named = [read_game(table["game"]).name for table in TABLES]
    assert {name: named.count(name) for name in READERS if not 3 <= named.count(name) <= 6} == {}
    assert set(named) == set(READERS)
    assert [table["game"] for table in TABLES if not table["source"]] == []


def test_published_counts_are_among_them() -> None:
    published = {
        "othello": [4, 12, 56, 244, 1396, 8200, 55092],
        "connect_four": [7, 49, 343, 2401, 16807, 117649],
        "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
        "rubiks_flip": [32, 2880, 224000],
    }
    starts = {name: next(table["counts"] for table in TABLES if table["game"] == name) for name in published}
    assert starts == published
