"""Games of Battlesnake in the official program's format: what is written is read as what it was."""

import json

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.snake_requests import battlesnake_lines
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.games import make_game, read_replay, replay_of
from saddlepoint.play.game import play_game
from saddlepoint.play.reading import ReplayError
from saddlepoint.play.replay import Replay, Round, game_json, replay_json
from saddlepoint.players.base import RandomPlayer
from saddlepoint.players.clock import Clock

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAMES = [
    {"width": 7, "height": 7},
    {"width": 7, "height": 7, "mode": "wrapped"},
    {"width": 7, "height": 7, "mode": "constrictor", "map": "empty"},
    {"width": 7, "height": 7, "mode": "royale", "shrink_every": 2, "minimum_food": 2},
]


LOSER = "snake-0"
"""Of the game of seed 1."""


def random_replay(parameters, seed):
    game = Battlesnake(**parameters)
    start, players = game.initial_state(seed), (RandomPlayer(), RandomPlayer())
    record = play_game(game, players, start, (Clock(60.0), Clock(60.0)), seed=seed)
    return replay_of(game_json(game, record, ("one", "two"), game.to_text(start), seed))


def written(tmp_path, lines):
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("parameters", GAMES, ids=str)
@pytest.mark.parametrize("seed", range(1 if PLAIN_PYTHON else 3))
def test_a_written_game_is_read_as_what_it_was(tmp_path, parameters, seed):
    replay = random_replay(parameters, seed)
    lines = list(battlesnake_lines(replay))
    again = read_replay(written(tmp_path, lines))
    ends = [list(one.states())[-1] for one in (replay, again)]
    assert again.start == replay.start
    assert again.players == replay.players
    assert again.result == replay.result
    assert ends[0].body0 == ends[1].body0
    # The last move of one that is not shown any more may have been another with the same end.
    assert len(again.rounds) == len(replay.rounds)
    assert [one.moves for one in again.rounds[:-1]] == [one.moves for one in replay.rounds[:-1]]
    # The file's name is not kept, nor is the name of the game in it.
    assert [line | {"game": 0} for line in list(battlesnake_lines(again))[1:-1]] == [
        line | {"game": 0} for line in lines[1:-1]
    ]
    assert lines[-1]["isDraw"] == (replay.result == 0)
    assert replay_of(replay_json(again)) == again  # what `show --json` prints
    assert lines[1]["turn"] == 0
    assert len(lines) == 3 + sum(one.chance is None for one in replay.rounds)


@pytest.mark.parametrize(
    ("snake", "move", "food", "reason"),
    [
        ("0,3 1,3 2,3", "left", "6,6", "two died: wall-collision"),
        ("0,3 1,3 1,4 0,4 0,5", "left", "6,6", "two died: snake-self-collision or wall-collision"),
        ("3,3 3,4 4,4 5,4 5,3 4,3", "left", "2,3", "two died: head-collision"),
    ],
)
def test_who_died_unseen_died_of_the_likeliest(tmp_path, snake, move, food, reason):
    start = f"battlesnake 7x7 round 7\nsnake 0 health 90: 2,2 1,2 1,1 0,1 0,0 1,0 2,0\nsnake 1 health 90: {snake}\nfood: {food}\n"
    moves = ("up", move)
    played = Round(moves, moves, (1.0, 1.0), (None, None))
    lines = list(
        battlesnake_lines(
            Replay("battlesnake", GAMES[0], ("one", "two"), start, (played,), 1.0, "", find=make_game)
        )
    )
    assert [one["name"] for one in lines[-2]["board"]["snakes"]] == ["one"]
    again = read_replay(written(tmp_path, lines))
    assert again.reason == reason
    assert again.result == 1.0


@COMPILED_ONLY
def test_the_snake_whose_request_is_shown_may_change(tmp_path):
    replay = random_replay(GAMES[1], 1)
    lines = list(battlesnake_lines(replay))
    for line in lines[2:-1:2]:
        line["you"] = next((one for one in line["board"]["snakes"] if one["id"] == "snake-1"), line["you"])
    again = read_replay(written(tmp_path, lines))
    assert again.start == replay.start
    assert [one.moves for one in again.rounds[:-1]] == [one.moves for one in replay.rounds[:-1]]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda lines: lines[:1], "at least two"),
        (lambda lines: [lines[0], {"board": 3}, *lines[2:]], "line 2: 'board' must be an object"),
        (lambda lines: [*lines[:2], lines[1], *lines[3:]], "line 3: no moves lead"),
        (
            lambda lines: [*lines[:-1], lines[-1] | {"winnerId": LOSER, "winnerName": "the other"}],
            "line {last}: it tells the other as the winner, and by the rules {winner} wins",
        ),
        (
            lambda lines: [*lines[:-1], lines[-1] | {"isDraw": True}],
            "line {last}: it tells a draw, and by the rules {winner} wins",
        ),
        (
            lambda lines: [*lines[:-1], lines[-1] | {"winnerId": 7}],
            "line {last}: 'winnerId' must be a string",
        ),
        (
            lambda lines: [*lines[:-2], lines[-1]],
            "line {before}: it tells a winner, and the game is not over",
        ),
        (
            lambda lines: [*lines[:-1], lines[-2]],
            "line {last}: the game was over in the position before",
        ),
    ],
)
def test_what_is_no_game_by_the_rules_is_refused_with_its_line(tmp_path, changed, message):
    lines = list(battlesnake_lines(random_replay(GAMES[0], 1)))
    assert lines[-1]["winnerId"] not in ("", LOSER)
    told = message.format(last=len(lines), before=len(lines) - 1, winner=lines[-1]["winnerName"])
    with pytest.raises(ReplayError, match=told):
        read_replay(written(tmp_path, changed(lines)))


def test_each_game_of_a_file_is_read(tmp_path):
    games = [random_replay(GAMES[0], seed) for seed in (1, 2)]
    lines = [line for one in games for line in battlesnake_lines(one)]
    for number, replay in enumerate(games, 1):
        again = read_replay(written(tmp_path, lines), number)
        assert [one.moves for one in again.rounds[:-1]] == [one.moves for one in replay.rounds[:-1]]
    with pytest.raises(ReplayError, match="there are 2 games, not 3"):
        read_replay(written(tmp_path, lines), 3)
    lines[-1] |= {"isDraw": not lines[-1]["isDraw"]}
    with pytest.raises(ReplayError, match=r"game 2, its line \d+: it tells .*, and by the rules "):
        read_replay(written(tmp_path, lines), 2)
    with pytest.raises(ReplayError, match="there is 1 game, not 2"):
        read_replay(written(tmp_path, list(battlesnake_lines(games[0]))), 2)


def test_a_game_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path):
    lines = list(battlesnake_lines(random_replay(GAMES[0], 1)))
    path = written(tmp_path, lines[:4])
    whole = read_replay(path)
    assert (whole.result, whole.reason) == (None, "the file ends before the game is over")
    assert len(whole.rounds) >= 2
    path.write_text("\ufeff" + path.read_text() + json.dumps(lines[4])[:50])
    assert read_replay(path) == whole
