"""`saddlepoint literature`: the table, JSON, the list, and what is refused."""

import re

import pytest

from helpers.cli_runs import Program


def test_rows_as_a_table_and_as_json(cli: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    head, *rows, foot = cli.printed("literature", "goofspiel4", "oshi-zumo10").splitlines()
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
    # 340 positions, 175 when the players' places do not matter, 149 not decided.
    (row,) = cli.data("literature", "oshi-zumo10")["rows"]
    assert (row["name"], row["positions"], row["stages"], row["value"]) == (
        "oshi-zumo10/solve",
        149,
        149,
        0.0,
    )
    assert row["ratio"] == pytest.approx(11.7 / row["seconds"])


def test_the_list_has_slow_rows_too(cli: Program) -> None:
    told = {row["name"]: row for row in cli.data("literature", "--list")}
    assert told["tron9x9/do_alphabeta"]["slow"] and not told["tron6x6/solve"]["slow"]
    assert "tron9x9/do_alphabeta" in cli.printed("literature", "--list", "tron9")
