"""`saddlepoint literature`: the table, JSON, the list, and what is refused."""

import json
import re
from typing import Any

import pytest

from helpers.cli_runs import cli

__all__ = ["cli"]  # a fixture


def test_rows_as_a_table_and_as_json(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = cli("literature", "goofspiel4", "oshi-zumo10")
    assert code == 0
    head, *rows, foot = out.splitlines()
    assert re.split("  +", head.strip()) == [
        "row",
        "source",
        "published",
        "here",
        "times as fast",
        "nodes published",
        "stages here",
        "positions here",
        "value",
    ]
    assert [row.split()[:4] for row in rows] == [
        ["goofspiel4-stochastic/solve", "sequence_form_lp", "14.3", "s"],
        ["oshi-zumo10/solve", "value_iteration", "11.7", "s"],
    ]
    assert foot.startswith("CPU times of one core")
    code, out, _ = cli(
        "literature", "oshi-zumo10", "--json"
    )  # 340 positions, 175 when the players' places do not matter, 149 not decided
    (row,) = json.loads(out)["rows"]
    assert (row["name"], row["positions"], row["stages"], row["value"]) == (
        "oshi-zumo10/solve",
        149,
        149,
        0.0,
    )
    assert row["ratio"] == pytest.approx(11.7 / row["seconds"])


def test_the_list_has_slow_rows_too(cli: Any) -> None:
    code, out, _ = cli("literature", "--list", "--json")
    told = {row["name"]: row for row in json.loads(out)}
    assert code == 0 and told["tron9x9/do_alphabeta"]["slow"] and not told["tron6x6/solve"]["slow"]
    assert "tron9x9/do_alphabeta" in cli("literature", "--list", "tron9")[1]


def test_a_row_that_there_is_not_is_refused(cli: Any) -> None:
    code, _, err = cli("literature", "chess")
    assert code == 2 and "no row is called 'chess'" in err
