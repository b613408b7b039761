"""`puzzles`: positions with one good move, and which of them players find."""

import sys

import pytest
from battlesnake_puzzles import lines_of

from saddlepoint.games.catalogue.games import read_set

BOT = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "begin":
        print("ready", flush=True)
    if word == "go":
        print("ANSWER", flush=True)
    if word == "quit":
        break
"""


@pytest.fixture
def few(tmp_path):
    """A file with two puzzles of 7x7."""
    chosen = [one for one in read_set("battlesnake") if one.make_game().width == 7]
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(lines_of([chosen[0], chosen[-1]])))
    return str(path), [chosen[0], chosen[-1]]


def test_every_miss_is_drawn_and_the_score_stands_below(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    out = cli.printed("puzzles", "battlesnake", "snake_starter", "snake_space")
    known = read_set("battlesnake")
    for name, line in zip(("snake_starter", "snake_space"), out.splitlines()[-2:], strict=True):
        assert line.startswith(name)
        solved = int(line.split()[1].partition("/")[0])
        assert f"{solved}/{len(known)}" in line
        assert out.count(f"{name} played ") == len(known) - solved
    assert out.count("must play") <= len(known)
    assert "0@" in out
    assert "1@" in out


def test_json_has_every_attempt(cli, few):
    path, chosen = few
    (player,) = cli.data("puzzles", "battlesnake", "snake_space", "--set", path)["players"]
    assert player["of"] == 2
    assert [one["solution"] for one in player["attempts"]] == [one.solution for one in chosen]
    assert [one["solved"] for one in player["attempts"]] == [
        one["played"] == one["solution"] for one in player["attempts"]
    ]
    assert player["solved"] == sum(one["solved"] for one in player["attempts"])


def test_themes_choose_and_brief_only_scores(cli):
    theme = "head-to-head"
    out = cli.printed("puzzles", "battlesnake", "snake_space", "--theme", theme, "--brief")
    assert len(out.splitlines()) == 2
    assert f"/{sum(one.theme == theme for one in read_set('battlesnake'))}" in out


def test_a_set_of_another_game_is_refused(cli, few):
    assert "the file has puzzles of battlesnake" in cli.refused(
        "puzzles", "light_riders", "random", "--set", few[0]
    )


@pytest.mark.parametrize(("answer", "told"), [("move up", "played up"), ("move north", "gave no move: ")])
def test_a_program_is_a_player_too(cli, few, tmp_path, answer, told):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.replace("ANSWER", answer))
    path, chosen = few
    out = cli.printed("puzzles", "battlesnake", f"cmd:{sys.executable} {bot}", "--set", path, "--time", "5")
    right = sum(one.solution == answer.partition(" ")[2] for one in chosen)
    assert out.count(told) == 2 - right
    assert f"{right}/2" in out
