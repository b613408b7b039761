"""`review`: who lost a finished game, where and of what."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.snake_requests import battlesnake_lines
from saddlepoint import BackwardInduction, Battlesnake, Goofspiel, search
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.play.replay import Replay, Round
from saddlepoint.system import foreign

SEARCHED = ("--algorithm", "do_alphabeta", "--depth", "3")
pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

START = "battlesnake 7x7 round 9\nsnake 0 health 90: 1,0 1,1 1,2 0,2 0,1 0,1 0,1\nsnake 1 health 90: 5,5 5,4 5,3\nfood: 3,3"
MOVES = [("left", "up"), ("up", "left")]


@pytest.fixture(autouse=True)
def wide(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on which nothing is wrapped, in an empty folder."""
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A game as the official program writes it: player 0 goes into a pocket and dies."""
    rounds = [Round(moves, moves, (0.0, 0.0), (None, None)) for moves in MOVES]
    # Nothing appears after the first round.
    rounds.insert(1, Round((None, None), (None, None), (0.0, 0.0), (None, None), chance=0))
    replay = Replay(
        "battlesnake",
        {"width": 7, "height": 7},
        ("mine", "theirs"),
        START,
        tuple(rounds),
        -1.0,
        "",
        find=make_game,
    )
    path = tmp_path / "lost.jsonl"
    path.write_text(
        "".join(
            f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in battlesnake_lines(replay)
        )
    )
    return path


def test_the_move_that_lost_a_game_of_the_official_program_is_named(cli, lost):
    out = cli.printed("review", str(lost), *SEARCHED)
    lines = out.splitlines()
    # The official numbers: it began at turn 9.
    assert lines[0] == "mine (0) against theirs (1): theirs won after 11 turns"
    assert lines[1].startswith(
        "mine was shut in: no way on was left. mine lost the game in turn 9 with left: it stood at 0.00 before"
    )
    said = " ".join(out.split())
    assert "left gave away 1.00; better was right." in said
    assert "searches to depth 3" in said
    assert "Turn 9: mine left, theirs up" in out
    assert Battlesnake(7, 7).render(Battlesnake(7, 7).from_text(START)) in out  # the moment, drawn
    table = [line.split() for line in lines if line.endswith(("last time", "as good as lost"))]
    # Chance's step is no turn.
    assert [row[:3] for row in table] == [["9", "left", "up"], ["10", "up", "left"]]


def test_a_depth_alone_bounds_the_numbers_by_the_verdicts_nodes(cli, lost, monkeypatch):
    from saddlepoint.play import review as reviewing

    asked, review_finished = [], reviewing.review_finished
    monkeypatch.setattr(
        reviewing,
        "review_finished",
        lambda *args, **more: asked.append(more["besides"]) or review_finished(*args, **more),
    )
    assert cli("review", str(lost), *SEARCHED)[0] == 0
    assert asked == [0.5]
    assert "half as many nodes more at most" in " ".join(cli("review", "--help")[1].replace("│", " ").split())


def test_the_same_as_json_with_steps_and_turns(cli, lost):
    data = cli.data("review", str(lost), *SEARCHED)
    assert data["losing_move"] == {
        "step": 0,
        "turn": 9,
        "player": 0,
        "move": "left",
        "loss": pytest.approx(1.0),
    }
    assert (data["verdict"]["kind"], data["verdict"]["until"]) == ("move", {"step": 2, "turn": 10})
    assert [(turn["step"], turn["turn"], turn["moves"]) for turn in data["turns"]] == [
        (0, 9, list(MOVES[0])),
        (2, 10, list(MOVES[1])),
    ]
    assert [turn["value"] for turn in data["turns"]] == [0.0, -1.0]
    assert data["turn_word"] == "turn"
    assert data["endings"] == ["was shut in: no way on was left", None]
    assert data["turns"][0]["strategies"][0] == {"right": 1.0} | (
        {} if len(data["turns"][0]["strategies"][0]) == 1 else {"left": 0.0}
    )


@COMPILED_ONLY
def test_all_turns_are_shown_if_wanted(cli):
    cli.printed("play", "tic_tac_toe", "random", "random", "--seed", "3", "-o", "long.jsonl", "--nodes", "5")
    moves = len(cli.data("show", "long.jsonl")["moves"])
    some, every = (
        [line.split()[0] for line in cli.printed("review", "long.jsonl", *more).splitlines() if line.split()]
        for more in ([], ["--all"])
    )
    numbers = {str(number) for number in range(1, moves + 1)}
    assert numbers & set(some) <= numbers <= set(every)


def test_games_of_a_ledger_are_reviewed_by_their_ids_and_listed_with_their_turns(cli):
    cli.printed(
        "match",
        "random",
        "best",
        "--game",
        "goofspiel(cards=3)",
        "-n",
        "2",
        "--nodes",
        "50",
        "--seed",
        "1",
        "--ledger",
        "g.db",
        "-j",
        "1",
    )
    for row in cli.data("ledger", "list", "g.db"):
        assert (row["turns"], row["steps"] > row["turns"]) == (3, True)
    assert "after 1 of 3 rounds: " in cli.printed("ledger", "show", "g.db", "1", "--step", "2")
    assert "--number takes the id of one of its games" in cli.refused("review", "g.db")
    data = cli.data("review", "g.db", "--number", "2", "--algorithm", "bi", "--depth", "9")
    assert all(turn["exact"] for turn in data["turns"])
    game = Goofspiel(cards=3)
    assert data["turns"][0]["value"] == pytest.approx(
        search(game, game.initial_state(), BackwardInduction()).value
    )


def test_the_numbers_of_either_player_and_what_the_result_was_made_of_are_printed(cli, lost):
    options = ("review", str(lost), *SEARCHED)
    out = cli.printed(*options)
    rows = {
        line.rsplit(maxsplit=2)[0]: line.split()[-2:] for line in out.splitlines() if len(line.split()) > 2
    }
    data = cli.data(*options)
    mine = data["numbers"]["players"][0]
    assert (mine["judged"], mine["mistakes"]["large"]) == (1, 1)
    assert [rows[name][0] for name in ("moves judged", "large mistakes", "mean loss of a move")] == [
        "1",
        "1",
        "1.00",
    ]
    assert rows["what mine gave away"] == rows["the result"] == ["-1.00", "+1.00"]
    assert sum(data["balance"]["parts"].values()) == pytest.approx(data["result"])
    assert not data["balance"]["exact"], "chance is left out: nothing is proven of the game itself"
    assert "What the result was made of (about, as far as these searches saw):" in out
    assert "The choices of mine cost about 1.00." in " ".join(out.split())


def test_a_player_that_does_not_search_is_refused(cli, lost):
    assert "does not search" in cli.refused("review", str(lost), "--algorithm", "snake_space")


def test_show_counts_the_turns_of_the_official_program_and_names_the_players(cli, lost):
    """Its second position is chance's: after it the snakes move in turn 10."""
    for words, shown in (
        (("--step", "2"), "after 10 of 11 turns: chance: nothing"),
        (("--turn", "11"), "after 11 of 11 turns: mine up (0 ms), theirs left (0 ms)"),
    ):
        assert cli.printed("show", str(lost), *words).startswith(shown)
    assert (
        cli.refused("show", str(lost), "--turn", "12")
        == f"saddlepoint: {lost}: there are 9 to 11 turns, not 12\n"
    )


@pytest.fixture
def episodes(tmp_path: Path) -> Path:
    """Files of kaggle_environments as it writes them, one of a game that is not here, and one that is no game."""
    folder = tmp_path / "episodes"
    folder.mkdir()
    for name in ("tic_tac_toe", "tic_tac_toe_illegal", "goofspiel_points", "hex"):
        (folder / f"{name}.json").write_bytes(
            gzip.decompress((Path(__file__).parents[1] / "data" / "kaggle" / f"{name}.json.gz").read_bytes())
        )
    (folder / "notes.json").write_text("none")
    (folder / "notes.txt").write_text("none")
    return folder


@COMPILED_ONLY
def test_a_folder_is_reviewed_game_by_game_and_player_by_player(cli, episodes):
    out, err = cli.ended(0, "review", str(episodes), "--depth", "9")
    rows = [line.split() for line in out.splitlines()]
    assert [row[0] for row in rows[1:4]] == [
        "goofspiel_points.json",
        "tic_tac_toe.json",
        "tic_tac_toe_illegal.json",
    ]
    assert all(row[-1] == "yes" for row in rows[1:3])  # proven
    assert [line.split(": ")[1].rpartition("/")[2] for line in err.splitlines() if "left out" in line] == [
        "hex.json",
        "notes.json",
    ]
    told = cli.data("review", str(episodes), "--depth", "9")
    assert [one["result"] for one in told["games"]] == [1.0, -1.0, 1.0]
    second = next(
        one for one in told["players"] if (one["game"], one["player"]) == ("tic_tac_toe", "second model")
    )
    assert (second["games"], second["points"], second["faults"]) == (2, 1.0, 1)
    numbers = [one["numbers"][1] for one in told["games"] if one["game"] == "tic_tac_toe"]
    assert second["mean_loss"] == pytest.approx(
        sum((one["mean_loss"] or 0) * one["judged"] for one in numbers)
        / sum(one["judged"] for one in numbers)
    )


@COMPILED_ONLY
def test_a_search_that_does_not_fit_a_game_and_a_file_that_cannot_be_read_cost_only_that_file(
    cli, episodes, monkeypatch
):
    (episodes / "away.json").symlink_to(episodes / "nowhere.json")
    (episodes / "zzz_locked.json").write_bytes((episodes / "tic_tac_toe.json").read_bytes())
    monkeypatch.setattr(
        foreign, "open", unreadable, raising=False
    )  # who runs the tests may be allowed to read every file
    out, err = cli.ended(0, "review", str(episodes), "--algorithm", "pvs", "--depth", "9")
    assert [line.split()[0] for line in out.splitlines()[1:3]] == [
        "tic_tac_toe.json",
        "tic_tac_toe_illegal.json",
    ]
    left = {
        Path(line.split(": ")[1]).name: line for line in err.splitlines() if line.endswith("; it is left out")
    }
    assert set(left) == {"away.json", "goofspiel_points.json", "hex.json", "notes.json", "zzz_locked.json"}
    assert left["away.json"].endswith("No such file or directory; it is left out")
    assert left["zzz_locked.json"].endswith("Permission denied; it is left out")
    assert "pvs" in left["goofspiel_points.json"]


def unreadable(file, *mode):
    if Path(file).name == "zzz_locked.json":
        raise PermissionError(13, "Permission denied", str(file))
    return open(file, *mode)


def changed(episodes: Path, name: str, change: Callable[[dict[str, Any]], Any], to: str = "") -> None:
    data = json.loads((episodes / f"{name}.json").read_text())
    change(data)
    (episodes / f"{to or name}.json").write_text(json.dumps(data))


def agents(*names: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data["info"].update(TeamNames=names)


def cut_short(data: dict[str, Any]) -> None:
    """Of the game three moves were played."""
    data["info"].update(actionHistory=data["info"]["actionHistory"][:3])
    data.update(statuses=["INACTIVE", "ACTIVE"], rewards=[None, None])


@COMPILED_ONLY
def test_points_are_of_finished_games_and_two_players_of_one_name_are_two(cli, episodes):
    changed(episodes, "tic_tac_toe", cut_short, "tic_tac_toe_cut")
    changed(episodes, "goofspiel_points", agents("twin", "twin"))
    players = cli.data("review", str(episodes), "--depth", "9")["players"]
    rows = {one["player"]: (one["games"], one["finished"], one["points"]) for one in players}
    assert set(rows) == {"twin (0)", "twin (1)", "first model", "second model"}
    assert {rows["twin (0)"], rows["twin (1)"]} == {(1, 1, 1.0), (1, 1, 0.0)}
    assert rows["first model"] == rows["second model"] == (3, 2, 1.0)
    out = cli.printed("review", str(episodes), "--depth", "9")
    assert "1 of 2" in next(line for line in out.splitlines() if "first model" in line and " of " in line)


@COMPILED_ONLY
def test_what_is_proven_is_told_of_the_losses_that_are_counted(cli, episodes):
    """Of a game that is not over, or ended by a fault, there is no balance; its losses are proven all the same, or not."""
    changed(episodes, "tic_tac_toe", cut_short)
    for depth, proven in (("9", True), ("1", False)):
        told = cli.data("review", str(episodes), "--depth", depth, "--algorithm", "pvs")
        assert {one["file"]: one["exact"] for one in told["games"]} == {
            "tic_tac_toe.json": proven,
            "tic_tac_toe_illegal.json": proven,
        }
        assert {one["exact"] for one in told["players"]} == {proven}


@COMPILED_ONLY
def test_aliases_in_json_are_beside_the_players_as_for_one_file(cli, episodes):
    for name in ("tic_tac_toe", "tic_tac_toe_illegal"):
        changed(episodes, name, agents("pvs(depth=3)", "second model"))
    (episodes / "goofspiel_points.json").unlink()
    options = ("--depth", "2", "--alias", "deep=pvs(depth=3)")
    one = cli.data("review", str(episodes / "tic_tac_toe.json"), *options)
    told = cli.data("review", str(episodes), *options)
    assert one["names"] == told["names"] == {"pvs(depth=3)": "deep"}
    assert (
        [game["players"] for game in told["games"]]
        == [one["players"]] * 2
        == [["pvs(depth=3)", "second model"]] * 2
    )
    assert {(row["player"], row.get("name")) for row in told["players"]} == {
        ("pvs(depth=3)", "deep"),
        ("second model", None),
    }
    out = cli("review", str(episodes), *options)[1]
    assert "pvs(depth=3)" not in out
    assert sum("deep" in line for line in out.splitlines()) == 3


def test_a_folder_without_games_is_refused(cli, episodes):
    assert "is a folder, of whose files the first game is taken" in cli.refused(
        "review", str(episodes), "--number", "2"
    )
    for file in episodes.glob("*.json"):
        file.write_text("none")
    out, err = cli.ended(2, "review", str(episodes))
    assert not out
    assert "has no game that could be reviewed" in err.splitlines()[-1]  # after a line for each file
