"""Replays: written and read back, and files from elsewhere refused in one sentence."""

import json
import re
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from saddlepoint import Goofspiel, LightRiders
from saddlepoint.game import own_games
from saddlepoint.games.catalogue.games import read_replay, replay_of
from saddlepoint.play.game import play_game
from saddlepoint.play.ledger_file import APPLICATION_ID
from saddlepoint.play.reading import ReplayError
from saddlepoint.play.replay import Replay, Round, finished, game_json, replay_json, to_line
from saddlepoint.players.base import Answer, Fault, FaultKind, Player, RandomPlayer
from saddlepoint.players.clock import Clock

GAME = LightRiders(8, 6)


class Straight(Player):
    """Rides straight on, and says so."""

    def choose(self, state: Any, clock: Clock) -> Answer:
        return Answer(int(state.direction1 if self.player else state.direction0), None, "PASS", "x\u00e9")


def game_data() -> dict[str, Any]:
    """Both ride straight into each other's trails: heads at x = 2 and 5, dead in the second round."""
    start = GAME.initial_state(2, 2)
    record = play_game(GAME, (Straight(), Straight()), start, (Clock(10.0), Clock(10.0)))
    return game_json(GAME, record, ("a", "b"), GAME.to_text(start), 4)


def written(tmp_path: Path, *lines: dict[str, Any]) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(to_line(line) + "\n" for line in lines))
    return path


def test_written_and_read_back(tmp_path: Path) -> None:
    data = game_data()
    found = read_replay(written(tmp_path, data))
    ms = [[round(one * 1000, 1) for one in side] for side in data["seconds"]]
    assert found == Replay(
        "light_riders",
        {"width": 8, "height": 6, "max_rounds": 0},
        ("a", "b"),
        data["opening"],
        tuple(
            Round(
                ("PASS", "PASS"),
                ("right", "left"),
                (ms[0][k], ms[1][k]),
                (10000.0, 10000.0),
                ("x\u00e9", "x\u00e9"),
            )
            for k in (0, 1)
        ),
        0.0,
        "a draw after 2 rounds",
        seed=4,
    )
    assert [state.round for state in found.states()] == [0, 1, 2]


def test_the_game_of_a_users_file_is_read_back_once_that_file_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    shutil.copy(Path(__file__).parents[2] / "examples" / "undercut.py", file)
    monkeypatch.setattr(own_games, "_loaded", {})
    game = own_games.load_game(file, "Undercut", {"rounds": 2})
    record = play_game(game, (RandomPlayer(), RandomPlayer()), seed=1)
    path = written(tmp_path, game_json(game, record, ("a", "b"), game.to_text(game.initial_state()), 1))
    assert read_replay(path).make_game() == game
    monkeypatch.setattr(own_games, "_loaded", {})
    with pytest.raises(
        ReplayError, match=r"in the file mine\.py, .* give --game \./mine\.py:Undercut to run it"
    ):
        read_replay(path)


def test_what_chance_drew_and_what_a_player_lost_by_are_read_back(tmp_path: Path) -> None:
    class Lazy(RandomPlayer):
        def choose(self, state: Any, clock: Clock) -> int:
            return 99 if state.deck.bit_count() == 1 else super().choose(state, clock)

    game = Goofspiel(4)
    record = play_game(game, (Lazy(), RandomPlayer()), seed=3)
    data = game_json(game, record, ("a", "b"), game.to_text(record.start), 1 << 127)
    replay = read_replay(written(tmp_path, data))
    assert [one.chance for one in replay.rounds] == [
        joint[0] if k % 2 == 0 else None for k, joint in enumerate(record.actions)
    ]
    *_, last = replay.states()
    assert replay.seed == 1 << 127
    assert last.deck.bit_count() == 1
    assert replay.faults == (Fault(FaultKind.ILLEGAL, 0, 5, "illegal action 99"), None)
    assert finished(replay).faults == ("illegal action 99, in round 3", "")
    assert replay_of(replay_json(replay)) == replay


@pytest.mark.parametrize("number", [1, 2])
def test_one_of_several_games_of_a_file_is_read(number: int, tmp_path: Path) -> None:
    game = Goofspiel(4)
    records = [play_game(game, (RandomPlayer(), RandomPlayer()), seed=seed) for seed in (1, 2)]
    path = written(
        tmp_path, *(game_json(game, one, ("a", "b"), game.to_text(one.start), 1) for one in records)
    )
    replay = read_replay(path, number)
    assert [one.chance for one in replay.rounds[::2]] == [
        joint[0] for joint in records[number - 1].actions[::2]
    ]
    assert replay.result == records[number - 1].result
    with pytest.raises(ReplayError, match="there are 2 games, not 3"):
        read_replay(path, 3)


def test_a_replay_as_plain_data_is_the_line_that_it_was_read_from(tmp_path: Path) -> None:
    data = game_data() | {"settings": {"timebank": 10.0}}
    replay = read_replay(written(tmp_path, data))
    again = replay_json(replay)
    assert replay_of(again) == replay
    assert replay_of(again).searches == replay.searches
    told = ("seconds", "banks")  # a tenth of a millisecond is kept of these
    assert {key: one for key, one in again.items() if key not in told} == {
        key: one for key, one in data.items() if key not in told
    }
    assert again["seconds"] == [pytest.approx(side, abs=5e-5) for side in data["seconds"]]


def test_whose_the_first_moves_are_is_read_back_and_told(tmp_path: Path) -> None:
    data = game_data() | {"since": 1, "former": ["one", "two"]}
    replay = read_replay(written(tmp_path, data))
    assert (replay.since, replay.former) == (1, ("one", "two"))
    assert replay_of(replay_json(replay)) == replay
    played = finished(replay)
    assert (played.since, played.former) == (1, ("one", "two"))
    assert played.headline().endswith("; one and two played before round 1")
    nameless = finished(read_replay(written(tmp_path, game_data() | {"since": 2})))
    assert nameless.headline().endswith("; others played before round 2")
    assert "since" not in replay_json(read_replay(written(tmp_path, game_data())))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"since": 3}, "line 1: others played the first 3 moves, and there are only 2"),
        ({"since": -1}, "line 1: 'since' must be a whole number >= 0"),
        ({"since": "1"}, "line 1: 'since' must be a whole number"),
        ({"since": 1, "former": ["one"]}, "line 1: 'former' must be a list of length 2, not 1"),
        ({"since": 1, "former": ["one", 2]}, "line 1: 'former"),
    ],
)
def test_whose_the_first_moves_are_is_not_believed(fields: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=re.escape(said)):
        read_replay(written(tmp_path, game_data() | fields))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_of_another_program_is_read_in_its_form(
    encoding: str, indent: int | None, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    data = game_data()
    path.write_text(json.dumps(data, indent=indent), encoding=encoding)
    assert read_replay(path) == replay_of(data)
    path.write_bytes(b"\xff")
    with pytest.raises(ReplayError, match="^it is no text: expected UTF-8$"):
        read_replay(path)


def test_a_ledger_is_no_replay_and_is_shown_by_another_command(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"SQLite format 3\0".ljust(68, b"\0") + APPLICATION_ID.to_bytes(4, "big") + bytes(28))
    with pytest.raises(ReplayError, match="it is a ledger: `saddlepoint ledger list`"):
        read_replay(path)


DAMAGE: list[tuple[str, Any, str]] = [
    ("format", "pgn", "line 1: expected the game, with the format 'saddlepoint-game'"),
    (
        "version",
        9,
        "line 1: version 9 of the format is not read here: export or play the game with this version",
    ),
    (
        "version",
        2,
        "line 1: version 2 of the format is not read here: export or play the game with this version",
    ),
    ("game", "chess", "line 1: no game is called 'chess'"),
    ("game", 3, "line 1: 'game' must be a string, not a whole number"),
    ("parameters", {"width": 99}, "line 1: the field must be 4 to 32 cells wide"),
    ("parameters", {"name": 3}, "line 1: light_riders has no parameter 'name'"),
    ("rules", {"class": "A"}, "line 1: 'file' is missing in 'rules'"),
    ("players", ["a"], "line 1: 'players' must be a list of length 2, not 1"),
    ("opening", "x", "line 1: expected 6 rows of 8 cells"),
    ("seed", 4, "line 1: 'seed' must be a string or null, not a whole number"),
    ("seed", "-4", "line 1: 'seed' must be a string matching regex"),
    ("moves", [["right", "sideways"]], "line 1, move 0: 'sideways' is not a legal action of player 1 here"),
    ("moves", [["right", None]], "line 1, move 0: player 1 has a move here"),
    ("moves", [[3]], "line 1, move 0: player 0 has a move here"),
    ("moves", [["up"]], "line 1: a move has one entry for each player, or the outcome of chance"),
    ("moves", [["up", "up", "up"]], "line 1: a move has one entry for each player, or the outcome of chance"),
    ("moves", [["right", "left"]] * 3, "line 1, move 2: the game is over"),
    ("moves", [["right", "left"]], "line 1: the game is not over, and nobody is at fault"),
    ("seconds", [[1, 1], [1, 1e300]], "line 1: 'seconds[1][1]' must be a number <= 1000000000000000.0"),
    ("seconds", [[1, 1], 2], "line 1: 'seconds[1]' must be a list, not a whole number"),
    ("said", [[1], [2]], "line 1: 'said[0][0]' must be a string or null, not a whole number"),
    ("faults", [3, None], "line 1: 'faults[0]' must be an object or null, not a whole number"),
    ("faults", ["late", None], "line 1: 'faults[0]' must be an object or null, not a string"),
    ("faults", [{"kind": "late", "step": 3}, None], "line 1: 'text' is missing in 'faults[0]'"),
    (
        "faults",
        [{"kind": "cold", "step": 3, "text": ""}, None],
        "line 1: 'faults[0].kind' has an invalid enum value 'cold'",
    ),
    ("result", 1.0, "line 1: the result is 0 by the rules, not 1"),
    ("result", None, "line 1: the result is 0 by the rules, not none"),
]


@pytest.mark.parametrize(("name", "value", "message"), DAMAGE)
def test_a_damaged_field_is_named(name: str, value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError) as caught:
        read_replay(written(tmp_path, game_data() | {name: value}))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"{\n", "line 1: no JSON"),
        (b"[]\n", "line 1: expected a JSON object"),
        (b"{}\n", "line 1: expected the game, with the format 'saddlepoint-game'"),
        (b'{"type": NaN}\n', "line 1: no JSON: NaN is no number"),
        (b"[" * 100_000 + b"\n", "line 1: no JSON"),
        (b'{"a": ' + b"1" * 5000 + b"}\n", "line 1:"),
        (b"x" * 32_300_000, "line 1: longer than 32000000 characters"),
        (
            b'{"type": "game", "format": "saddlepoint-replay", "version": 1}\n{"type": "result"}\n',  # a line a round
            "line 1: expected the game, with the format 'saddlepoint-game', as `play -o`, `referee -o` and `ledger export`",
        ),
    ],
)
def test_files_that_are_no_replays(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ReplayError) as caught:
        read_replay(path)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "opening", [f"({'-' * 15_000}1, 1, 0)", f"({'1+' * 9_000}1, 1, 0)", f"({'-' * 2_000_000}1, 1, 0)"]
)
def test_an_opening_that_no_reader_gets_to_the_end_of_is_refused_in_a_short_sentence(
    opening: str, tmp_path: Path
) -> None:
    data = game_data() | {"game": "oshi_zumo", "parameters": {}, "opening": opening}
    with pytest.raises(
        ReplayError, match=r"^line 1: expected a position of OshiZumo as \(coins0, coins1, field\), not"
    ) as caught:
        read_replay(written(tmp_path, data))
    assert len(str(caught.value)) < 1100


LATE = {"kind": "late", "step": 1, "text": "late"}


@pytest.mark.parametrize(
    ("fault", "result", "said"),
    [
        (None, -1.0, "the game is not over, and nobody is at fault"),
        (LATE, None, "somebody is at fault, and there is no result"),
        (LATE, -1.0, ""),
    ],
)
def test_a_game_that_breaks_off_needs_somebody_at_fault(
    fault: Any, result: float | None, said: str, tmp_path: Path
) -> None:
    data = game_data()
    data |= {"moves": data["moves"][:1], "result": result, "faults": [fault, None]}
    path = written(tmp_path, data)
    with pytest.raises(ReplayError, match=said) if said else nullcontext():
        assert read_replay(path).result == -1.0
