"""Fits of the command line, told while they run, and what is no fit."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import program
from helpers.web_client import client
from web.conftest import Visits

GATE = {"wins": 5, "draws": 1, "losses": 2, "ratio": 0.1, "verdict": "H1"}
RECORD = {
    "number": 1,
    "positions": 1000,
    "data": "x",
    "entropy": 0.6,
    "held_out": 0.61,
    "gate": GATE,
    "score": 0.69,
    "kept": True,
    "nash_conv": None,
    "nash_conv_before": None,
}
STEP = {"generation": 2, "what": "games", "done": 300, "total": 1000, "standing": "24 games"}


def written(folder: Path, state: Any, step: Any = None) -> str:
    """The output of a fit whose folder says that."""
    inside = folder / "mine.weights.fit"
    inside.mkdir(exist_ok=True)
    (inside / "state.json").write_text(json.dumps(state))
    if step is not None:
        (inside / "step.json").write_text(json.dumps(step))
    return str(folder / "mine.weights")


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Another process fits there, until it is killed."""
    code = (
        "import fcntl, sys, time; lock = open(sys.argv[1], 'a'); fcntl.flock(lock, fcntl.LOCK_EX); print('held', flush=True); "
        "time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder / "mine.weights.fit" / "lock")],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.kill()


def test_a_fit_is_told_with_its_figures_and_where_it_is_until_it_is_killed(tmp_path):
    output = written(tmp_path, {"game": {"name": "<mine>"}, "generations": [RECORD]}, STEP)
    with client(fits=[output, str(tmp_path / "later.weights")]) as asked:
        names = ("mine.weights", "later.weights")
        assert asked.get("/api/catalogue")["fits"] == [
            {"id": str(number), "name": name} for number, name in enumerate(names, 1)
        ]
        with running(tmp_path):
            told = asked.get("/api/fits/1")
            (one,) = told["generations"]
            assert (told["game"], told["step"]) == ("<mine>", STEP)
            assert (one["number"], one["gate"], one["kept"]) == (1, [5, 1, 2], True)
            assert "<svg" in told["drawn"] and "<mine>" not in told["drawn"]  # names are escaped
            since = {"since": told["changed"]}
            again = asked.http.get("/api/fits/1", params=since)
            assert (again.status_code, again.content) == (304, b"")
        assert asked.get("/api/fits/1", params=since)["step"] is None
        written(tmp_path, {"game": {"name": "mine"}, "generations": [RECORD, RECORD | {"number": 2}]})
        assert len(asked.get("/api/fits/1", params=since)["generations"]) == 2
        not_begun = asked.get("/api/fits/2")
        assert (not_begun["generations"], not_begun["step"]) == ([], None)
        asked.sentence(asked.http.get("/api/fits/3"), 404)


@pytest.mark.parametrize(
    "state",
    [
        [],
        "x",
        {},
        {"generations": [{}], "game": {"name": "x"}},
        {"generations": 3, "game": {"name": "x"}},
        {"generations": [RECORD | {"entropy": "much"}], "game": {"name": "x"}},
        {"generations": [RECORD | {"gate": 1}], "game": {"name": "x"}},
        {"generations": [RECORD | {"number": 10**400}], "game": {"name": "x"}},
        {"generations": [RECORD], "game": None},
        {
            "generations": [RECORD | {"entropy": float("nan"), "held_out": float("nan")}],
            "game": {"name": "x"},
        },
    ],
)
def test_a_folder_that_holds_no_fit_is_a_sentence(tmp_path, state):
    with client(fits=[written(tmp_path, state)]) as asked:
        asked.sentence(asked.http.get("/api/fits/1"), 422)


@pytest.mark.web
def test_a_fit_is_watched_while_it_learns(visit: Visits, start_server: Any, tmp_path: Path) -> None:
    output = tmp_path / "t.weights"
    server = start_server("--fit", str(output))
    page = visit(f"{server.url}/#/fit")
    page.get_by_text("No generation is finished yet.").wait_for()
    tiny = (
        "--positions",
        "1000",
        "--nodes",
        "60",
        "--units",
        "8",
        "--gate-nodes",
        "60",
        "--games",
        "24",
        "--against",
        "none",
    )
    fit = program("fit", "tic_tac_toe", "-o", str(output), *tiny, "--generations", "2")
    try:
        first, second = (page.get_by_text(f"Generation {number}, ", exact=False) for number in (1, 2))
        first.or_(second).first.wait_for(timeout=120_000)
        page.locator("tbody tr").nth(1).wait_for(timeout=120_000)
        assert (
            page.locator("img.fit-figures").evaluate(
                "(image) => image.decode().then(() => image.naturalWidth)"
            )
            > 100
        )
        assert fit.wait(60) == 0
    finally:
        fit.kill()
        fit.communicate()
    page.get_by_role("link", name="Fit", exact=True).wait_for()
