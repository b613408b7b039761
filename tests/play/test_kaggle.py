"""Files that `kaggle_environments` 1.33.2 wrote, read as replays: agents that draw legal moves, illegal ones, and agents that fail."""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.sizes import scaled
from saddlepoint.games.catalogue.games import game_recognised, read_replay
from saddlepoint.play import reading
from saddlepoint.play.kaggle import KaggleGame, format_of
from saddlepoint.play.reading import ReplayError
from saddlepoint.play.replay import Replay
from saddlepoint.players.base import FaultKind

FILES = Path(__file__).parents[1] / "data/kaggle"
WHOLE = {
    "connectx": ("connect_four", {"columns": 7, "rows": 6, "line": 4}, -1.0),
    "connect_four": ("connect_four", {"columns": 7, "rows": 6, "line": 4}, -1.0),
    "tic_tac_toe": ("tic_tac_toe", {}, -1.0),
    "goofspiel_points": ("goofspiel", {"cards": 4, "order": "descending", "utility": "points"}, 1.0),
    "goofspiel_difference": ("goofspiel", {"cards": 4, "order": "ascending", "utility": "points"}, -3.0),
    "goofspiel_random": ("goofspiel", {"cards": 4, "order": "random", "utility": "win"}, 1.0),
    "oshi_zumo": ("oshi_zumo", {"coins": 6, "size": 3, "min_bid": 0, "horizon": 20}, 0.0),
    "soccer": ("soccer", {"width": 5, "height": 4, "draw": 0.0, "max_moves": 6, "ball": "loose"}, 0.0),
    "othello": ("othello", {"size": 8}, -1.0),
}


def content(name: str) -> str:
    return gzip.decompress((FILES / f"{name}.json.gz").read_bytes()).decode()


def replay_of(name: str, folder: Path, change: Callable[[dict[str, Any]], Any] | None = None) -> Replay:
    data = json.loads(content(name))
    if change is not None:
        change(data)
    file = folder / "episode.json"
    file.write_text(json.dumps(data) + "\n")
    return read_replay(file)


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_is_read_with_its_parameters_and_its_end_is_that_of_the_rules(
    name: str, tmp_path: Path
) -> None:
    game, parameters, result = WHOLE[name]
    replay = replay_of(name, tmp_path)
    assert (replay.game, replay.result, replay.faults) == (game, result, (None, None))
    assert parameters.items() <= replay.parameters.items()
    assert replay.players == (
        ("first model", "second model") if name != "connectx" else ("agent 0", "agent 1")
    )
    final = list(replay.states())[-1]
    assert replay.make_game().returns(final) == result


def board_of(observation: str) -> list[list[str]]:
    return json.loads(observation)["board"]


def test_the_positions_are_those_that_the_file_shows(tmp_path: Path) -> None:
    """Othello's squares are numbered alike on both sides, discs and all."""
    replay, data = replay_of("othello", tmp_path), json.loads(content("othello"))
    game = replay.make_game()
    shown = [board_of(one) for one in data["info"]["stateHistory"]]
    for state, board in zip(replay.states(), shown, strict=True):
        pieces = game.picture(state).pieces
        for owner, mark in enumerate("xo"):
            squares = {(x, y) for y, row in enumerate(board) for x, one in enumerate(row) if one == mark}
            assert {(piece.x, piece.y) for piece in pieces if piece.owner == owner} == squares


def test_soccer_is_where_the_file_shows_it(tmp_path: Path) -> None:
    """Steps have other numbers there, and the last round, which decides nothing, is left out."""
    replay, data = replay_of("soccer", tmp_path), json.loads(content("soccer"))
    game = replay.make_game()
    shown = ["/".join("".join(row) for row in board_of(one)) for one in data["info"]["stateHistory"]]
    ours = [game.to_text(state).split()[0].replace("o", "O") for state in replay.states()]
    assert ours == shown[: len(ours)]
    assert len(shown) - len(ours) == 2


def test_what_is_forced_at_the_end_is_played(tmp_path: Path) -> None:
    """The last prize and the last cards, of which nobody has two, are not written down there."""
    replay = replay_of("goofspiel_random", tmp_path)
    assert len(replay.rounds) == 8
    assert [one.chance is not None for one in replay.rounds] == [True, False] * 4


@pytest.mark.parametrize(
    ("name", "at_fault", "kind", "text", "rounds"),
    [
        ("tic_tac_toe_illegal", 1, FaultKind.ILLEGAL, "99 is no legal move", 3),
        ("connectx_illegal", 1, FaultKind.ILLEGAL, "", None),
        ("tic_tac_toe_failed", 0, FaultKind.ERROR, "", None),
    ],
)
def test_an_illegal_move_and_an_agent_that_failed_are_faults(
    name: str, at_fault: int, kind: FaultKind, text: str, rounds: int | None, tmp_path: Path
) -> None:
    replay = replay_of(name, tmp_path)
    fault = replay.faults[at_fault]
    assert fault is not None and replay.faults[1 - at_fault] is None
    assert (replay.result, fault.kind) == (2.0 * at_fault - 1, kind)
    assert fault.text.startswith(text)
    assert rounds is None or len(replay.rounds) == rounds


def test_a_game_that_goes_on_has_no_result(tmp_path: Path) -> None:
    def cut(data: dict[str, Any]) -> None:
        data["info"]["actionHistory"] = data["info"]["actionHistory"][:2]
        data["statuses"], data["rewards"] = ["ACTIVE", "INACTIVE"], [None, None]

    replay = replay_of("tic_tac_toe", tmp_path, cut)
    assert (replay.result, len(replay.rounds), replay.faults) == (None, 2, (None, None))


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "othello",
        "goofspiel_points",
        "goofspiel_difference",
        "goofspiel_random",
    ],
)
def test_a_history_that_was_cut_off_accuses_nobody(name: str, tmp_path: Path) -> None:
    whole = replay_of(name, tmp_path)
    told = json.loads(content(name))["info"]["actionHistory"]
    refused = 0
    for length in range(len(told)):
        try:
            replay = replay_of(name, tmp_path, history(*told[:length]))
        except ReplayError as error:
            refused += 1
            assert str(error) == "line 1: the history ends before the game does, and nobody is at fault"
        else:  # nobody had a choice any more
            assert (replay.faults, replay.result) == ((None, None), whole.result)
    assert refused > len(told) / 2


def last(data: dict[str, Any], player: int = 1) -> dict[str, Any]:
    return data["steps"][-1][player]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: last(data)["action"].update(submission=0),
        lambda data: last(data)["observation"].update(isTerminal=True),
        lambda data: data["steps"].pop(),
        lambda data: data["steps"][-2][1].update(status="INACTIVE"),
        lambda data: data.update(rewards=[-1, 1]),
    ],
)
def test_who_was_not_asked_or_chose_a_legal_move_is_not_at_fault(change: Any, tmp_path: Path) -> None:
    """The first player made the last move by the rules; the second was paid less, and its illegal move is told."""
    with pytest.raises(ReplayError, match="the history ends before the game does, and nobody is at fault"):
        replay_of("tic_tac_toe_illegal", tmp_path, change)


@pytest.mark.parametrize("odd", [None, "4", 4.0, True, [1]])
def test_an_illegal_move_is_told_as_it_was_written(odd: Any, tmp_path: Path) -> None:
    told = replay_of(
        "tic_tac_toe_illegal", tmp_path, lambda data: last(data)["action"].update(submission=odd)
    )
    assert told.faults[1].text == f"{odd} is no legal move"  # type: ignore[union-attr]


def history(*entries: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["info"].update(actionHistory=list(entries))


def game_there(text: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["info"].update(openSpielGameStringResolved=text)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("tic_tac_toe", history("4", "4"), "move 2: "),
        ("tic_tac_toe", history("4", "x"), "'actionHistory', entry 2: expected the number of an action"),
        ("tic_tac_toe", history("[4, 3]"), "move 1: expected one action"),
        ("goofspiel_points", history("3"), "move 1: expected two actions"),
        (
            "tic_tac_toe",
            history("0", "3", "1", "4", "2", "5"),
            "the game is over after 5 moves by the rules, and more follow",
        ),
        (
            "tic_tac_toe",
            lambda data: data.update(rewards=[1, -1]),
            "the rewards 1 and -1 are not the result by the rules, -1",
        ),
        ("tic_tac_toe", lambda data: data.update(rewards=[1]), "'rewards' must be a list of length 2, not 1"),
        ("goofspiel_hidden", None, "this variant is not played here: imp_info=True hides the bids"),
        (
            "goofspiel_points",
            game_there("goofspiel(players=3)"),
            "this variant is not played here: 3 players",
        ),
        (
            "goofspiel_points",
            game_there("goofspiel(returns_type=odd)"),
            "this variant is not played here: 'odd'",
        ),
        (
            "goofspiel_points",
            game_there("goofspiel(num_cards=99)"),
            "this variant is not played here: cards must be 1 to 13",
        ),
        ("goofspiel_points", game_there("("), "no name of a game of OpenSpiel"),
        (
            "oshi_zumo",
            game_there("oshi_zumo(alesia=True)"),
            "this variant is not played here: with alesia=True",
        ),
        (
            "soccer",
            game_there("markov_soccer(grid=A.O.B)"),
            "this variant is not played here: the players, the ball or the goals",
        ),
        (
            "connectx",
            lambda data: data["configuration"].update(columns=99),
            "this variant is not played here: ",
        ),
        (
            "connectx",
            lambda data: data["configuration"].update(columns=7.9),
            "not played here: columns must be a whole number, not '7.9'",
        ),
        (
            "connectx",
            lambda data: data["configuration"].update(rows="6"),
            "not played here: rows must be a whole number, not '6'",
        ),
        (
            "connectx",
            lambda data: data["configuration"].update(inarow=None),
            "not played here: inarow must be a whole number, not 'None'",
        ),
        (
            "oshi_zumo",
            game_there("oshi_zumo(coins=True)"),
            "this variant is not played here: coins must be a whole number, not 'True'",
        ),
        (
            "othello",
            game_there("othello(size=6)"),
            "this variant is not played here: nothing is known here of the parameter 'size'",
        ),
        (
            "tic_tac_toe",
            game_there("tic_tac_toe(misere=True)"),
            "nothing is known here of the parameter 'misere'",
        ),
        (
            "goofspiel_points",
            game_there("goofspiel(num_cards=4,ties=split)"),
            "nothing is known here of the parameter 'ties'",
        ),
        (
            "connectx",
            lambda data: data["steps"][1][0].update(action="left"),
            "'action' must be a whole number",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(name: str, change: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(ReplayError) as told:
        replay_of(name, tmp_path, change)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def spoilt(data: Any, draw: random.Random) -> None:
    """One value somewhere in it, or a whole part, is another one."""
    part: Any = data
    while True:
        place = draw.choice(list(part) if isinstance(part, dict) else list(range(len(part))))
        inner = part[place]
        if not isinstance(inner, dict | list) or not inner or draw.random() < 0.15:
            part[place] = draw.choice(
                [
                    None,
                    -1,
                    10**18,
                    1.5,
                    "",
                    "x",
                    "[1]",
                    "[3, 3]",
                    True,
                    [],
                    {},
                    [1],
                    [[1, 2]],
                    {"a": 1},
                    "TIMEOUT",
                ]
            )
            return
        part = inner


@pytest.mark.parametrize("name", ["connectx", "goofspiel_random", "soccer", "tic_tac_toe_illegal"])
def test_a_spoilt_file_is_read_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    draw, refused = random.Random(name), 0
    whole = json.loads(content(name))
    for part in ("specification", "id", "title", "description"):  # they play no part
        whole[part] = {}
    for _ in range(scaled(400, 60)):
        data = json.loads(json.dumps(whole))
        parts = [one for key in ("info", "configuration", "steps") if (one := data[key])]
        spoilt(data if draw.random() < 0.3 else draw.choice(parts), draw)
        file = tmp_path / "spoilt.json"
        file.write_text(json.dumps(data))
        try:
            read_replay(file)
        except ReplayError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 5


@pytest.mark.parametrize(
    ("text", "game"),
    [
        (content("soccer"), "soccer"),
        (content("connectx"), "connect_four"),
        (content("hex"), None),
        ('{"format": "saddlepoint-game", "name": "connectx"}', None),
    ],
    ids=["soccer", "connectx", "hex", "another format"],
)
def test_only_such_files_of_games_that_are_here_are_taken(text: str, game: str | None) -> None:
    assert game_recognised(text.encode()) == game


def test_a_file_has_one_game_after_the_other(tmp_path: Path) -> None:
    file = tmp_path / "two.json"
    file.write_text(content("connectx").rstrip("\n") + "\n" + content("connectx"))
    assert read_replay(file, 2).rounds == read_replay(file, 1).rounds
    with pytest.raises(ReplayError, match="there are 2 games, not 3"):
        read_replay(file, 3)
    file.write_text(content("connectx").rstrip("\n") + "\nmore\n")
    with pytest.raises(ReplayError, match="line 2: expected a game of kaggle_environments"):
        read_replay(file)


@pytest.mark.parametrize("name", ["connectx", "goofspiel_points"])
def test_a_file_may_be_written_over_many_lines_as_the_official_replays_are(name: str, tmp_path: Path) -> None:
    file = tmp_path / "episode.json"
    file.write_text("\ufeff" + json.dumps(json.loads(content(name)), indent=4))
    assert read_replay(file) == replay_of(name, tmp_path)
    file.write_text(file.read_text()[:-20])
    with pytest.raises(ReplayError, match="line 1: no JSON"):
        read_replay(file)


@pytest.mark.parametrize("rewards", [(0, 1), (1, 0), (0.5, 0.5), (0, 0.5)])
def test_rewards_are_read_on_the_scale_that_the_file_tells(
    rewards: tuple[float, float], tmp_path: Path
) -> None:
    def change(data: dict[str, Any]) -> None:  # as ConnectX 1.0.0 wrote it
        data["specification"]["reward"]["enum"] = [0, 0.5, 1]
        data["rewards"] = list(rewards)

    if rewards == (0, 1):
        assert replay_of("connectx", tmp_path, change).result == -1.0
        return
    with pytest.raises(ReplayError, match="are not the result by the rules, -1 for the first agent"):
        replay_of("connectx", tmp_path, change)


@pytest.mark.parametrize("first", ['{"ruleset": {}}', "of kaggle_environments"])
def test_a_long_file_is_not_read_to_its_end(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines that are each short enough are too long together, and the rest is not asked for."""
    asked: list[int] = []

    def lines(file: Any) -> Iterator[bytes]:
        yield (first if first.startswith("{") else content("connectx")).encode()
        for number in range(100):
            asked.append(number)
            yield b"x" * 9000

    monkeypatch.setattr(reading, "_lines", lines)
    monkeypatch.setattr(reading, "_LONGEST_LINE", 50_000)
    (tmp_path / "long.jsonl").touch()
    with pytest.raises(ReplayError, match="one game in more than 50000 bytes"):
        read_replay(tmp_path / "long.jsonl")
    assert len(asked) < 10


@pytest.mark.parametrize("error", [ValueError(), ValueError("\n")])
def test_an_error_without_text_is_told_by_its_kind(error: Exception) -> None:
    def game_of(environment: str, told: Any) -> Any:
        raise error

    with pytest.raises(ReplayError, match="line 1: this variant is not played here: ValueError"):
        format_of(KaggleGame(("connectx",), game_of)).read([content("connectx").encode()])
