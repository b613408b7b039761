"""Recorded games of all games, replayed beside second programs (tools/record_games.py made them); counts of sequences of moves (perft).

tests/data/perft.json has the numbers for 1, 2, 3 ... plies from some positions of each game, and where they come from. A ply is an action
of the player whose turn it is, an action of each where both move at once, or an outcome of chance; a pass is an action. Counted are
sequences of exactly so many plies: a game that ends before is not.
"""

import gzip
import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from helpers.reference_battlesnake import STEPS, Snakes
from helpers.reference_rules import READERS, OfLibrary, sequences
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake, Snake
from saddlepoint.games.catalogue.games import GAMES

DATA = Path(__file__).parents[1] / "data"
TOOL = Path(__file__).parents[2] / "tools" / "record_games.py"
pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]  # of the rules as plain Python alone
MOVERS = {"a": 0, "b": 1, "c": CHANCE}


def records_of(name: str) -> list[dict[str, Any]]:
    text = lzma.decompress((DATA / "games" / f"{name}.jsonl.xz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def ply_of(written: str) -> tuple[int, list[int]]:
    """Who moves, and what is done: `a3`, `b3`, `c3` or `1,2`."""
    if written[0] in MOVERS:
        return MOVERS[written[0]], [int(written[1:])]
    return SIMULTANEOUS, [int(number) for number in written.split(",")]


def replay(record: dict[str, Any]) -> None:
    """Both programs tell the same mover, the same legal actions, the same positions and the recorded result."""
    game = read_game(record["game"])
    read = READERS[game.name]
    position, second = OfLibrary.read(game, record["start"]), read(game, record["start"])
    for written in record["plies"].split():
        mover, actions = ply_of(written)
        assert position.mover() == second.mover() == mover
        assert read(game, position.text()) == second
        for player, action in zip((0, 1) if mover == SIMULTANEOUS else (mover,), actions, strict=True):
            assert position.moves(player) == second.moves(player)
            assert action in position.moves(player)
        position, second = position.after(*actions), second.after(*actions)
    assert position.mover() == second.mover() == TERMINAL
    assert position.result() == second.result() == record["result"]


@pytest.mark.parametrize("games", [16, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", READERS)
def test_recorded_games_come_out_as_recorded(name: str, games: int) -> None:
    records = records_of(name)
    for number in range(games):
        replay(records[37 * number % len(records)])  # of all sizes and players


@pytest.mark.parametrize("name", READERS)
def test_there_are_200_games_in_which_more_than_one_result_is_met(name: str) -> None:
    records = records_of(name)
    assert len(records) == 200
    assert len({record["result"] for record in records}) > 1
    assert {"best", "random", "any"} == {player for record in records for player in record["players"]}


def test_every_game_of_the_library_is_recorded() -> None:
    assert set(READERS) == {path.name.partition(".")[0] for path in (DATA / "games").iterdir()}
    assert set(READERS) == {entry.name for entry in GAMES.values() if entry.point is None}


@pytest.mark.slow
def test_the_program_that_recorded_them_makes_the_same_again(tmp_path: Path) -> None:
    """All but those of `best`, which is to play better from time to time."""
    subprocess.run(
        [sys.executable, str(TOOL), "--into", str(tmp_path), "biased_rps", "random_game"], check=True
    )
    for made in tmp_path.iterdir():
        lines = zip(
            *(lzma.decompress(file.read_bytes()).splitlines() for file in (made, DATA / "games" / made.name)),
            strict=True,
        )
        pairs = [(one, other) for one, other in lines if b'"best"' not in other]
        assert len(pairs) == 140
        assert all(one == other for one, other in pairs)


OFFICIAL_RESULTS = {"0": 1, "1": -1, "draw": 0}


def official_games() -> list[dict[str, Any]]:
    with gzip.open(DATA / "battlesnake_traces.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def parameters_of(record: dict[str, Any]) -> Any:
    told = record["set"]
    settings = {
        "food_spawn_chance": told["foodSpawnChance"],
        "minimum_food": told["minimumFood"],
        "hazard_damage": told["damagePerTurn"],
        "shrink_every": told["shrinkEveryNTurns"],
        "hazard_stack": 4 if "z" in record["start"] else 1,
    }
    return Battlesnake(record["w"], record["h"], record["mode"], record["map"], **settings)


def straight_on(game: Any, body: Any) -> int:
    """The action of a snake that is given none: away from its neck; up where it is coiled on one cell."""
    sides = (game.width, game.height)
    step = tuple((head - neck + 1) % side - 1 for head, neck, side in zip(*body[:2], sides, strict=True))
    return STEPS.index(step) if step in STEPS else 0


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_both_programs_of_battlesnake_play_the_official_games(step: int) -> None:
    """To the last cell: bodies, health, food, hazards, and what a snake died of."""
    for record in official_games()[::step]:
        game, width, letters = parameters_of(record), record["w"], "urdl"

        def cells(numbers: list[int], width: int = width) -> tuple[tuple[int, int], ...]:
            return tuple((number % width, number // width) for number in numbers)

        start = record["start"]
        hazards = tuple(sorted(cells(start.get("z", []))))
        bodies, health = tuple(cells(one["b"]) for one in start["s"]), tuple(one["h"] for one in start["s"])
        snakes = Snakes(game, bodies, health, frozenset(cells(start["f"])), hazards, 0)
        ours = OfLibrary.read(game, start_of(game, snakes))
        for turn in record["turns"]:
            told = [
                letters.index(m) if m in letters else straight_on(game, b)
                for m, b in zip(turn["m"], snakes.bodies, strict=True)
            ]
            snakes, ours = snakes.after(*told), ours.after(*told)
            assert snakes.alive == tuple("x" not in one for one in turn["s"])
            causes = [game.snake(ours.state, player).cause_name for player in (0, 1)]
            assert causes == [one.get("x", "") for one in turn["s"]]
            if snakes.mover() != TERMINAL:
                hazards = tuple(sorted(cells(turn["z"]))) if "z" in turn else hazards
                snakes, ours = after_official_chance(
                    snakes, ours, [1 + piece for piece in turn.get("n", [])], hazards
                )
                assert snakes.bodies == tuple(cells(one["b"]) for one in turn["s"])
                assert snakes.health == tuple(one["h"] for one in turn["s"])
                assert (snakes.food, snakes.hazards) == (frozenset(cells(turn["f"])), hazards)
            assert Snakes.read(game, ours.text()) == snakes
        assert ours.mover() == snakes.mover()
        if record["result"] == "limit":
            assert snakes.mover() == SIMULTANEOUS
        else:
            assert snakes.mover() == TERMINAL
            assert ours.result() == snakes.result() == OFFICIAL_RESULTS[record["result"]]


def start_of(game: Battlesnake, start: Snakes) -> str:
    """The library's text of the position."""

    def cells(places: Any) -> tuple[int, ...]:
        return tuple(game.cell(x, y) for x, y in places)

    snakes = [Snake(cells(body), health) for body, health in zip(start.bodies, start.health, strict=True)]
    return game.to_text(game.state_of(snakes, cells(start.food), cells(start.hazards)))


def after_official_chance(
    snakes: Snakes, ours: OfLibrary, pieces: list[int], hazards: Any
) -> tuple[Snakes, OfLibrary]:
    """Both after the recorded food, and the sides that lead to the recorded hazards; each could do what was recorded."""
    for piece in pieces:
        assert piece in snakes.moves(CHANCE) and piece in ours.moves(CHANCE)
        snakes, ours = snakes.after(piece), ours.after(piece)
    while snakes.pieces:
        snakes, ours = snakes.after(0), ours.after(0)
    while snakes.sides:
        side = next(one for one in (1, 2, 3, 4) if snakes.after(one).hazards == hazards)
        snakes, ours = snakes.after(side), ours.after(side)
    return snakes, ours


# -- counts of sequences of moves ----------------------------------------------------------------------------------------

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
    assert sequences(READERS[game.name](game, table["position"]), plies) == table["counts"][:plies]


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
