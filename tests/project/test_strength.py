"""docs/measurements.md has a line for each game, from the rating tables in docs/data/ratings.json, which name the version that played."""

import json
from pathlib import Path

import pytest
import ratings
from ratings import HEAD, MOST, best_is_behind, command, line, page, players_of

from helpers.programs import output_of
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.protocols.lines_bot import game_from_text

BENCHMARKS = Path(ratings.__file__).parent


def row(player, low, high):
    return {
        "player": player,
        "elo": None if low is None else (low + high) // 2,
        "low": low,
        "high": high,
        "score": 50,
        "games": 10,
    }


def table(*rows):
    played = {"version": "abcdef", "played": "2026-01-02", "load": 2.0}
    return {"size": "tron", "games": 10, "seconds": 0.05, "cpu": True, "rows": rows} | played


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_table_of_at_most_eight_players_of_it(name):
    size, others = players_of(name)
    assert 0 < len(others) < MOST and "best" not in others
    game = game_from_text(name + size, make_game)
    for spec in others:
        make_player(spec, game).close()


def test_best_is_behind_where_another_interval_lies_above_its_own():
    assert best_is_behind(table(row("mcts", 60, 90), row("best", -50, 50)))
    assert not best_is_behind(table(row("mcts", 40, 90), row("best", -50, 50)))
    assert not best_is_behind(table(row("best", None, None), row("mcts", 0, 10)))


def test_a_line_tells_who_played_how_much():
    told = line(table(row("best", 100, 200), row("random", -200, -100)))
    assert told == "| `tron` | +150 (+100 to +200) | `random` | -150 (-200 to -100) | 10 | 0.05 s CPU |"
    assert "| `mcts` (ahead) | +75 (+60 to +90) |" in line(table(row("mcts", 60, 90), row("best", -50, 50)))


def test_the_lines_of_the_page_are_replaced():
    one = table(row("best", 100, 200), row("random", -200, -100))
    assert page(f"A\n\n{HEAD}| old |\n| old |\n\nB\n", {"tron": one}) == f"A\n\n{HEAD}{line(one)}\n\nB\n"


def test_the_page_says_what_the_tables_hold():
    tables = json.loads(ratings.FILE.read_text(encoding="utf-8"))
    assert set(tables) <= set(GAMES) and all(one["version"] for one in tables.values())
    text = ratings.PAGE.read_text(encoding="utf-8")
    assert page(text, tables) == text


def test_a_run_that_was_stopped_goes_on(tmp_path):
    ledger = tmp_path / "tron.db"
    assert "--resume" not in command("tron", 10, 0.05, ledger, cpu=False)
    ledger.touch()
    assert "--resume" in command("tron", 10, 0.05, ledger, cpu=False)


# -- the clock -----------------------------------------------------------------------------------------------------------

SLEEPS = """
import time
from cpu_clock import count_cpu_time
from saddlepoint.compiled import jit, monotonic_ns, python_monotonic_ns

count_cpu_time()

@jit
def compiled():
    return monotonic_ns()

clocks = [lambda: compiled() / 1e9, lambda: python_monotonic_ns() / 1e9, time.perf_counter]
before = [clock() for clock in clocks]
time.sleep(1.0)
asleep = [clock() for clock in clocks]
while time.process_time() < asleep[-1] + 0.2:
    pass
for first, second, third in zip(before, asleep, [clock() for clock in clocks]):
    print(second - first < 0.5, 0.2 <= third - second < 0.5)
"""


@pytest.mark.slow
def test_the_clock_of_a_core_stands_still_while_the_process_sleeps():
    assert output_of("-c", SLEEPS, PYTHONPATH=str(BENCHMARKS)).split() == ["True"] * 6
