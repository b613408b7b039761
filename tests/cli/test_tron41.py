"""`saddlepoint tron41`: the options of the course's own runner, its editions, and what it says of bots that fail."""

import re

import pytest

from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.tron41 import Tron41
from saddlepoint.games.tron41.asp import EDITIONS

SMALL = ("-map", "small_room")
BOT = """from tronproblem import *

class StudentBot:
    def decide(self, asp):
        state = asp.get_start_state()
        {}
    def cleanup(self): pass
"""
SAFE = "return sorted(TronProblem.get_safe_actions(state.board, state.player_locs[state.ptm]) or 'U')[0]"


@pytest.fixture(autouse=True)
def quiet(monkeypatch, here):
    """In an empty folder; nothing is said of what is compiled."""
    monkeypatch.setenv("SADDLEPOINT_QUIET", "1")


def test_the_runners_options(cli, tmp_path):
    (tmp_path / "bots.py").write_text(BOT.format(SAFE))
    lines = cli.printed(
        "tron41",
        "-bots",
        "student",
        "wall",
        *SMALL,
        "-max_wait",
        "1",
        "-multi_test",
        "4",
        "-no_image",
        "-no_color",
        "--seed",
        "3",
    ).splitlines()
    assert [line.split(" won ")[0] for line in lines] == ["Player 1", "Player 2"]
    assert sum(int(line.split()[3]) for line in lines) == 4
    assert all(line.endswith("out of 4 times") for line in lines)


def boards_of(out):
    """The games of an output: lists of boards, each a list of rows."""
    games = []
    for part in out.split("\n\n"):
        rows = [line for line in part.splitlines() if line.startswith("#")]
        if rows and "x" not in "".join(rows):
            games.append([])
        if rows:
            games[-1].append(rows)
    return games


def test_boards_are_shown_unless_asked_not_to(cli):
    out = cli.printed("tron41", "-bots", "random", "wall", *SMALL, "--start", "map", "-image_delay", "0")
    assert out.startswith("Player 1: ...\nPlayer 2: ...\n#######\n#1    #\n")
    assert len(boards_of(out)[0]) >= 3
    assert out.splitlines()[-1] in ("Player 1 won!", "Player 2 won!")


@pytest.mark.parametrize(("rules", "first"), [("2019", ["1", "1", "1"]), ("2021", ["1", "2", "1"])])
def test_who_begins_each_of_several_games_is_the_editions(cli, rules, first):
    bots = ("--rules", rules, "-bots", "random", "random")
    more = ("--start", "map", "-multi_test", "3", "-image_delay", "0", "--seed", "4")
    moved = []
    for game in boards_of(cli.printed("tron41", *bots, *SMALL, *more)):
        assert game[0][1] == "#1    #" and game[0][5] == "#    2#"
        moved.append("1" if game[1][1][1] == "x" else "2")
    assert moved == first


def test_the_editions_are_the_courses():
    # (map, players' cells, seconds a move, bots, whether who begins alternates)
    told = {year: (e.map, e.start, e.max_wait, e.bots, e.alternates) for year, e in EDITIONS.items()}
    assert told == {
        "2019": ("empty_room", "map", 0.3, ("wall", "random"), False),
        "2021": ("small_room", "random", 1.0, ("random", "random"), True),
    }


@pytest.mark.parametrize(("options", "side"), [(("--rules", "2019"), 17), ((), 7)])
def test_what_is_not_given_is_the_editions(cli, options, side):
    out = cli.printed("tron41", *options, "-image_delay", "0", "-no_color", "--seed", "1")
    assert {len(row) for game in boards_of(out) for board in game for row in board} == {side}


@pytest.mark.parametrize("games", ["0", "-2"])
def test_no_games_print_nothing(cli, games):
    assert cli.printed("tron41", "-multi_test", games, "-no_image") == ""


@pytest.mark.parametrize(("name", "evaluator"), [("ta1", "TronOwnFill"), ("ta2", "TronTwoFills")])
def test_the_stronger_opponents_have_their_names(name, evaluator):
    player = make_player(name, Tron41("small_room"))
    assert type(player.manner.evaluator).__name__ == evaluator
    assert player.depth == 3


def test_a_bot_whose_every_move_raises_is_told_from_one_that_loses(cli, tmp_path):
    (tmp_path / "bots.py").write_text(BOT.format("raise KeyError('oh')"))
    more = ("-multi_test", "3", "-no_image")
    code, out, err = cli("tron41", "-bots", "student", "wall", *SMALL, *more)
    assert (code, out.splitlines()[0]) == (0, "Player 1 won 0 out of 3 times")
    (line,) = (line for line in err.splitlines() if line.startswith("Warning"))
    said = r"player 1: every one of its \d+ moves went wrong; the first time it moves U: KeyError: 'oh'"
    assert re.fullmatch(f"Warning: {said}", line)
    assert "Warning" not in cli("tron41", "-bots", "random", "wall", *SMALL, *more)[2]


def test_a_bot_is_written_for_the_courses_runner(cli, tmp_path, monkeypatch):
    sizes = []

    def write(file, player, make, max_wait, wanted):
        sizes.append((file, player, max_wait, list(wanted)))

    monkeypatch.setattr("saddlepoint.games.tron41.command.write_bot", write)
    _, out, _ = cli(
        "tron41", "-bots", "wall", "wall", "--write-bot", "ours.py", "-map", "joust", "-max_wait", "2"
    )
    assert out == "ours.py: the class StudentBot plays as wall\n"
    cli("tron41", "--write-bot", "ours.py", "--rules", "2019")
    every = [[17, 17], [13, 13], [7, 7]]
    assert sizes == [("ours.py", "wall", 2.0, every), ("ours.py", "best", 0.3, every)]
