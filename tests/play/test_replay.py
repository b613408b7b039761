"""Replays: written and read back, old ones too, and files from elsewhere refused in one sentence."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from saddlepoint import own_games
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.fields import ReplayError
from saddlepoint.play.game import play_game
from saddlepoint.play.replay import Replay, Round, game_json, to_line
from saddlepoint.players.base import Answer, Player
from saddlepoint.players.clock import Clock
from saddlepoint.players.random_player import RandomPlayer
from saddlepoint.roster.replays import read_replay

GAME = LightRiders(8, 6)
DATA = Path(__file__).parents[1] / "data" / "replays"


class Straight(Player):
    """Rides straight on, and says so."""

    def choose(self, state: Any, clock: Clock) -> Answer:
        return Answer(int(state.direction1 if self.player else state.direction0), None, "PASS", "x\u00e9")


def game_data() -> dict[str, Any]:
    """Both ride straight into each other's trails: heads at x = 2 and 5, dead in the second round."""
    start = GAME.initial_state(2, 2)
    record = play_game(GAME, (Straight(), Straight()), start, (Clock(10.0), Clock(10.0)))
    return game_json(GAME, record, ("a", "b"), GAME.to_text(start), 4)


def old_lines() -> list[dict[str, Any]]:
    """The same game as `play` wrote it before."""
    start = GAME.to_text(GAME.initial_state(2, 2))
    header = {"type": "game", "format": "saddlepoint-replay", "version": 1, "game": "light_riders", "players": ["a", "b"], "start": start}
    rounds = [
        {"answers": ["right", None], "ms": [1.5, 20.0], "bank": [10000.0, 9980.0], "warnings": ["", ""]},
        {"answers": ["PASS", "x\u00e9\n"], "ms": [1.5, 0.1], "bank": [10000.0, 10000.0], "warnings": ["", "Move isn't valid"]},
    ]
    return [
        header | {"parameters": {"width": 8, "height": 6, "max_rounds": 0}, "seed": 4, "settings": {}},
        *({"type": "round", "round": number, "moves": ["right", "left"], **one} for number, one in enumerate(rounds)),
        {"type": "result", "result": 0.0, "rounds": 2, "reason": "a draw", "faults": ["", ""]},
    ]


def written(tmp_path: Path, *lines: dict[str, Any]) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(to_line(line) + "\n" for line in lines))
    return path


def test_written_and_read_back(tmp_path: Path) -> None:
    data = game_data()
    found = read_replay(written(tmp_path, data))
    ms = [[round(one * 1000, 1) for one in side] for side in data["seconds"]]
    assert found == Replay(
        "light_riders", {"width": 8, "height": 6, "max_rounds": 0}, ("a", "b"), data["opening"],
        tuple(Round(("PASS", "PASS"), ("right", "left"), (ms[0][k], ms[1][k]), (10000.0, 10000.0), ("x\u00e9", "x\u00e9")) for k in (0, 1)),
        0.0, "a draw after 2 rounds", seed=4,
    )  # fmt: skip
    assert [state.round for state in found.states()] == [0, 1, 2]


def test_the_game_of_a_users_file_is_read_back_once_that_file_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    shutil.copy(Path(__file__).parents[2] / "examples" / "undercut.py", file)
    monkeypatch.setattr(own_games, "_loaded", {})
    game = own_games.load_game(file, "Undercut", {"rounds": 2})
    record = play_game(game, (RandomPlayer(), RandomPlayer()), seed=1)
    path = written(tmp_path, game_json(game, record, ("a", "b"), game.to_text(game.initial_state()), 1))
    assert read_replay(path).make_game() == game
    monkeypatch.setattr(own_games, "_loaded", {})
    with pytest.raises(ReplayError, match=r"in the file mine\.py, .* give --game \./mine\.py:Undercut to run it"):
        read_replay(path)


def test_what_chance_drew_and_what_a_player_lost_by_are_read_back(tmp_path: Path) -> None:
    class Lazy(RandomPlayer):
        def choose(self, state: Any, clock: Clock) -> int:
            return 99 if state.deck.bit_count() == 1 else super().choose(state, clock)

    game = Goofspiel(4)
    record = play_game(game, (Lazy(), RandomPlayer()), seed=3)
    data = game_json(game, record, ("a", "b"), game.to_text(record.start), 1 << 127)
    replay = read_replay(written(tmp_path, data))
    assert [one.chance for one in replay.rounds] == [joint[0] if k % 2 == 0 else None for k, joint in enumerate(record.actions)]
    *_, last = replay.states()
    assert replay.seed == 1 << 127
    assert last.deck.bit_count() == 1
    assert replay.faults == ("illegal action 99, in round 3", "")


@pytest.mark.parametrize(("number", "prize"), [(1, 0), (2, 0)])
def test_one_of_several_games_of_a_file_is_read_also_of_an_older_version(number: int, prize: int) -> None:
    replay = read_replay(DATA / "export_version_2.jsonl", number)
    assert (replay.game, replay.result, len(replay.rounds), replay.rounds[0].chance) == ("goofspiel", (1.0, -1.0)[number - 1], 8, prize)
    assert len(list(replay.states())) == 9
    with pytest.raises(ReplayError, match="there are 2 games, not 3"):
        read_replay(DATA / "export_version_2.jsonl", 3)


def test_files_of_the_referee_and_of_play_from_before_are_read() -> None:
    refereed = read_replay(DATA / "referee_version_1.jsonl")
    assert refereed.faults == ("", "the program exited with code 3, in round 2")
    assert refereed.rounds[2].warnings == ("Can't move opposite of current direction", "")
    assert (refereed.rounds[2].answers, refereed.rounds[2].moves, refereed.seed) == (("down", None), ("up", "left"), 7)
    assert refereed.settings == {"timebank": 10.0, "time_per_move": 0.2, "max_timeouts": 0}
    played = read_replay(DATA / "play_version_1.jsonl")
    assert (played.game, played.players, len(played.rounds), played.result) == ("simplexity", ("random", "random"), 19, -1.0)
    assert len(list(played.states())) == 20


DAMAGE: list[tuple[str, Any, str]] = [
    ("format", "pgn", "line 1: expected the game, with the format 'saddlepoint-game'"),
    ("version", 9, "line 1: version 9 is not known here: expected 3"),
    ("game", "chess", "line 1: no game is called 'chess'"),
    ("game", 3, "line 1: 'game' must be a string, not 3"),
    ("parameters", {"width": 99}, "line 1: the field must be 4 to 32 cells wide"),
    ("parameters", {"name": 3}, "line 1: light_riders has no parameter 'name'"),
    ("rules", {"class": "A"}, "line 1: 'file' is missing"),
    ("players", ["a"], "line 1: 'players' must have one entry for each player"),
    ("opening", "x", "line 1: expected 6 rows of 8 cells"),
    ("seed", 4, "line 1: 'seed' must be a string or null, not 4"),
    ("seed", "-4", "line 1: 'seed' must be a whole number in a string, not '-4'"),
    ("moves", [["right", "sideways"]], "line 1, move 0: 'sideways' is not a legal action of player 1 here"),
    ("moves", [["right", None]], "line 1, move 0: player 1 has a move here"),
    ("moves", [[3]], "line 1, move 0: player 0 has a move here"),
    ("moves", [["up"]], "line 1: 'moves' must be a whole number, not \"up\""),
    ("moves", [["up", "up", "up"]], "line 1: a move has one entry for each player, or one for chance"),
    ("moves", [["right", "left"]] * 3, "line 1, move 2: the game is over"),
    ("moves", [["right", "left"]], "line 1: the game is not over, and nobody is at fault"),
    ("seconds", [[1, 1], [1, 1e300]], "line 1: 'seconds' is too large"),
    ("seconds", [[1, 1], 2], "line 1: 'seconds' must be a list, not 2"),
    ("said", [[1], [2]], "line 1: 'said' must be a string or null, not 1"),
    ("faults", [3, None], "line 1: 'faults' must be an object or a string or null, not 3"),
    ("faults", [{"step": 3}, None], "line 1: 'text' is missing"),
    ("result", 1.0, "line 1: the result is 0 by the rules, not 1"),
    ("result", None, "line 1: the result is 0 by the rules, not none"),
]


@pytest.mark.parametrize(("name", "value", "message"), DAMAGE)
def test_a_damaged_field_is_named(name: str, value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError) as caught:
        read_replay(written(tmp_path, game_data() | {name: value}))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


OLD_DAMAGE: list[tuple[int, str, Any, str]] = [
    (0, "format", "pgn", "line 1: expected the game, with the format 'saddlepoint-replay'"),
    (0, "version", 9, "line 1: version 9 is not known here: expected 1"),
    (0, "game", "chess", "line 1: no game is called 'chess'"),
    (0, "game", 3, "line 1: 'game' must be a string, not 3"),
    (0, "parameters", {"width": 99}, "line 1: the field must be 4 to 32 cells wide"),
    (0, "parameters", {"width": "8"}, "line 1: light_riders: width must be of the kind of 16"),
    (0, "parameters", {"depth": 8}, "line 1: light_riders has no parameter 'depth'"),
    (0, "players", ["a"], "line 1: 'players' must have one entry for each player"),
    (0, "start", "x", "line 1: expected 6 rows of 8 cells"),
    (0, "seed", True, "line 1: 'seed' must be a whole number or null, not true"),
    (1, "round", 1, "line 2: expected round 0"),
    (1, "moves", ["right", "sideways"], "line 2: 'sideways' is not a legal action of player 1 here"),
    (1, "moves", ["right", None], "line 2: player 1 has a move here"),
    (1, "moves", ["up", "left"], "line 3: the game is over"),
    (1, "ms", [1, 1e300], "line 2: 'ms' is too large"),
    (1, "ms", [1, "2"], "line 2: 'ms' must be a number or a whole number, not \"2\""),
    (3, "result", 1.0, "line 4: the result is 0 by the rules, not 1"),
    (3, "rounds", 7, "line 4: 2 rounds are there, not 7"),
    (3, "type", "end", "line 4: expected the result as the last line; the file is incomplete"),
]


@pytest.mark.parametrize(("line", "name", "value", "message"), OLD_DAMAGE)
def test_a_damaged_line_is_named(line: int, name: str, value: Any, message: str, tmp_path: Path) -> None:
    lines = old_lines()
    lines[line][name] = value
    if message == "line 3: the game is over":
        # Up and into the wall: player 0 is dead before the second round.
        lines[0]["start"] = GAME.to_text(GAME.initial_state(2, 0))
    with pytest.raises(ReplayError) as caught:
        read_replay(written(tmp_path, *lines))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe\n", "line 1: no JSON"),
        (b"{\n", "line 1: no JSON"),
        (b"[]\n", "line 1: expected a JSON object"),
        (b"{}\n", "line 1: expected the game, with the format 'saddlepoint-game'"),
        (b'{"type": NaN}\n', "line 1: no JSON: NaN is no number"),
        (b"[" * 100_000 + b"\n", "line 1: no JSON"),
        (b'{"a": ' + b"1" * 5000 + b"}\n", "line 1:"),
        (b"x" * 4_300_000, "line 1: longer than 4000000 bytes"),
    ],
)
def test_files_that_are_no_replays(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ReplayError) as caught:
        read_replay(path)
    assert str(caught.value).startswith(message)


def test_a_game_that_breaks_off_needs_somebody_at_fault(tmp_path: Path) -> None:
    lines = old_lines()
    del lines[2]
    lines[-1].update(rounds=1, result=-1.0)
    with pytest.raises(ReplayError, match="the game is not over, and nobody is at fault"):
        read_replay(written(tmp_path, *lines))
    lines[-1]["faults"] = ["late", ""]
    assert read_replay(written(tmp_path, *lines)).result == -1.0
