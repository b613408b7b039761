"""What is printed at the end of a tournament."""

import pytest

from saddlepoint.cli.arena_runs import print_faults
from saddlepoint.cli.tournament_tables import _print_cycles


def cycle(*players, certain):
    return {"players": list(players), "certain": certain}


def test_cycles_beyond_chance_are_named_and_the_others_counted(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles([cycle("a", "b", "c", certain=False), cycle("x", "y", "z", certain=True), cycle("a", "c", "d", certain=False)])
    assert capsys.readouterr().out.splitlines() == [
        "a cycle (each by more than chance explains): x beats y beats z beats x",
        "cycles that may be chance: 2 (--json lists them)",
    ]


def test_without_cycles_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _print_cycles([])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("figures", "told"), [
    ({"reasons": {"late": 2, "rules": 9}, "busy": "the load is 8"}, "2 games lost by late answers, on a busy machine"),
    ({"late": {"a": 1, "b": 0}, "busy": "the load is 8"}, "1 game lost by late answers, on a busy machine"),
    ({"reasons": {"late": 2}, "busy": ""}, ""),
    ({"reasons": {"rules": 9}, "busy": "the load is 8"}, ""),
])  # fmt: skip
def test_late_answers_on_a_busy_machine_are_told_with_the_way_out(
    capsys: pytest.CaptureFixture[str], figures: dict[str, object], told: str
) -> None:
    print_faults({"faults": [], "fault_count": 0, **figures})
    said = capsys.readouterr().out
    assert said.startswith(told)
    assert ("--nodes" in said) == bool(told)
