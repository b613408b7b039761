"""A game as one file: its own script alone runs, nothing is asked of a network, no text of a game becomes a tag."""

import base64
import hashlib
import html
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import saddlepoint.cli
from helpers.recorded_games import line_of
from saddlepoint import LightRiders
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.play.replay import to_line
from saddlepoint.play.viewer import game_data, page

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    return line_of(LightRiders(6, 6))


def test_its_own_script_runs_and_no_other(line: dict[str, Any]) -> None:
    text = page(
        game_data(LightRiders(6, 6), replay_of(line | {"players": [HOSTILE, "b"], "reason": HOSTILE}))
    )
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
    assert [attributes for attributes, _ in scripts] == [' type="application/json" id="data"', ""]
    digest = base64.b64encode(hashlib.sha256(scripts[1][1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in text
    assert json.loads(scripts[0][1])["players"] == [HOSTILE, "b"]
    assert "<img" not in text
    assert html.escape(HOSTILE) in text
    assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|@import|url\((?!#)", text)


def test_its_heading_is_the_games_title_and_it_says_why_the_game_is_over(line: dict[str, Any]) -> None:
    data = game_data(LightRiders(6, 6), replay_of(line | {"players": ["Ann", "Ann"]}))
    text = page(data)
    assert "<h1>Light Riders (width=6, height=6)</h1>" in text
    assert "<title>Ann against Ann: Light Riders (width=6, height=6)</title>" in text
    assert data["why"]
    assert all(re.match(r"Ann \([01]\) .*\.$", sentence) for sentence in data["why"])


def test_a_page_is_small(line: dict[str, Any]) -> None:
    assert len(page(game_data(LightRiders(6, 6), replay_of(line)))) < 80_000


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["saddlepoint", "show", *arguments])
        with pytest.raises(SystemExit) as stopped:
            saddlepoint.cli.main()
        return int(stopped.value.code or 0), *capsys.readouterr()

    return run


def test_show_writes_the_page(line: dict[str, Any], command: Any, tmp_path: Path) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    expected = page(game_data(LightRiders(6, 6), replay_of(line)))
    assert command("game.jsonl", "-o", "game.html") == (0, f"game.html: {len(line['moves'])} rounds\n", "")
    assert Path("game.html").read_text(encoding="utf-8") == expected
    assert command("game.jsonl", "-o", "-") == (0, expected, "")
    code, out, _ = command("game.jsonl", "-o", "game.html", "--json")
    assert (code, json.loads(out)["game"]) == (0, "light_riders")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "."], "is a folder"),
        (["-o", "nowhere/game.html"], "does not exist"),
        (["-o", "game.html", "--step", "0"], "leave --step and --turn out"),
        (["-o", "-", "--json"], "both --json and -o -"),
    ],
)
def test_show_says_what_it_cannot_write(
    line: dict[str, Any], command: Any, arguments: list[str], problem: str
) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    code, out, err = command("game.jsonl", *arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert not Path("game.html").exists()
