"""What is printed at the end of a tournament."""

import pytest

from saddlepoint.cli.tournament import _print_cycles


def cycle(*players, certain):
    return {"players": list(players), "certain": certain}


def test_cycles_beyond_chance_are_named_and_the_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles(
        [
            cycle("a", "b", "c", certain=False),
            cycle("x", "y", "z", certain=True),
            cycle("a", "c", "d", certain=False),
        ]
    )
    assert capsys.readouterr().out.splitlines() == [
        "a cycle (each by more than chance explains): x beats y beats z beats x",
        "cycles that may be chance: 2 (--json lists them)",
    ]


def test_without_cycles_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles([])
    assert capsys.readouterr().out == ""
