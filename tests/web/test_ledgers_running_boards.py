"""The answer that tells of a ledger's running games: what it holds, what it costs, and whom it lets wait."""

import random
import sqlite3
import time
import weakref
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import NODES, SMALL, plan
from helpers.web_client import Client, client
from saddlepoint.arena.conditions import Job, MatchConditions
from saddlepoint.arena.ledger import Ledger, Tournament, running
from saddlepoint.arena.ledger.running import Process, RunningGame, RunningGames
from saddlepoint.arena.schedule import settings_of
from saddlepoint.game import picture
from saddlepoint.game.base import CHANCE, Game
from saddlepoint.game.picture import Picture, continued
from saddlepoint.games.connect_four import ConnectFour
from saddlepoint.games.soccer import Soccer
from saddlepoint.play.record import Turns
from saddlepoint.web import limits
from saddlepoint.web.ledgers import LedgerView, RunningBoards

SOCCER = Soccer(draw=0.001)
"""Long games, with chance."""
ALL = "/api/ledgers/1/running"
Line = tuple[list[Any], list[tuple[int, int]]]


def line(game: Game, most: int) -> Line:
    """The positions and moves of a game that is played at random, but for soccer's players, who stand."""
    draw, states, actions = random.Random(3), [game.initial_state()], list[tuple[int, int]]()
    while len(actions) < most:
        state = states[-1]
        if game.current_player(state) == CHANCE:
            joint = [max(game.chance_outcomes(state), key=lambda outcome: outcome[1])[0]]
        elif to_act := game.players_to_act(state):
            joint = [
                draw.choice(game.legal_actions(state, player)[-1 if game is SOCCER else 0 :])
                for player in to_act
            ]
        else:
            break
        acted = game.players_to_act(state)
        actions.append(
            (joint[0], joint[1]) if len(joint) == 2 else (-1, joint[0]) if acted == (1,) else (joint[0], -1)
        )
        states.append(game.next_state(state, *joint))
    return states, actions


def tournament_about(game: Game, folder: Path) -> Tournament:
    """A match under way."""
    with Ledger(folder / "games.db") as book:
        book.begin(
            "match", ("random", "best"), settings_of(MatchConditions(game, limits=NODES.limits), plan(4)), 4
        )
        return book.tournaments()[-1]


def under_way(game: Game, states: list[Any], actions: list[tuple[int, int]], **other: Any) -> RunningGame:
    """A game that goes on, as far as these moves."""
    given: dict[str, Any] = {
        "players": ("random", "best"),
        "opening": game.to_text(states[0]),
        "began": 1.0,
        "written": 1.0,
    }
    return RunningGame(1, 0, actions=tuple(actions), process=Process.this(), **given | other)


@pytest.mark.parametrize("game", [SMALL, ConnectFour(), SOCCER], ids=lambda game: type(game).__name__)
def test_the_last_positions_are_told_with_turns_and_pictures_as_of_the_whole_game(
    game: Game, tmp_path: Path
) -> None:
    tournament, kept = tournament_about(game, tmp_path), RunningBoards()
    states, actions = line(game, 40)
    turns, pictures = Turns(game, states), [game.picture(states[0])]
    for state in states[1:]:
        pictures.append(continued(pictures[-1], game.picture(state)))
    for count in sorted({0, 3, 4, len(actions)}):
        told = kept.to_json(under_way(game, states, actions[:count]), tournament, True)
        assert told["turn_word"] == turns.word
        shown = range(max(0, count - 7), count + 1)
        assert [one["number"] for one in told["positions"]] == [*shown]
        assert [one["turn"] for one in told["positions"]] == [turns.done(at) for at in shown]
        assert [one["picture"] for one in told["positions"]] == [
            pictures[at].to_json() | {"moves": []} for at in shown
        ]


def test_a_move_more_costs_a_move_and_few_pictures_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, asked = SOCCER, [0]
    made: list[weakref.ref[Picture]] = []
    current_player = Soccer.current_player

    def counted(self: Game, state: Any) -> int:
        asked[0] += 1
        return current_player(self, state)

    def noted(before: Picture, now: Picture) -> Picture:
        made.append(weakref.ref(shown := continued(before, now)))
        return shown

    monkeypatch.setattr(Soccer, "current_player", counted)
    monkeypatch.setattr(picture, "continued", noted)
    tournament, kept = tournament_about(game, tmp_path), RunningBoards()
    states, actions = line(game, 60)
    assert len(actions) == 60
    kept.to_json(under_way(game, states, actions[:-2]), tournament, True)
    costs: list[int] = []
    for moves in (actions[:-1], actions):
        asked[0] = 0
        kept.to_json(under_way(game, states, moves), tournament, True)
        costs.append(asked[0])
    assert max(costs) < 16, "of 60 moves"
    assert len(made) <= 8 + 2, "of those that are shown, not of all"
    assert made[-1]() is not None and sum(one() is not None for one in made) <= 8


def test_what_cannot_be_put_into_words_hides_no_board(tmp_path: Path) -> None:
    states, actions = line(SMALL, 2)
    tournament = tournament_about(SMALL, tmp_path)
    odd: Any = (7, None)
    told = RunningBoards().to_json(under_way(SMALL, states, actions, players=odd), tournament, True)
    assert told["titles"] == [7, None] and len(told["positions"]) == len(actions) + 1


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunningGames:
    """A ledger with a tournament under way, in which every step is written."""
    monkeypatch.setattr(running, "EVERY", 0.0)
    return RunningGames(str(tmp_path / "games.db"), tournament_about(SMALL, tmp_path).id)


def writer_of(place: RunningGames, number: int = 0) -> running.Writer:
    """Writes a game."""
    return running.Writer(place, Job(number, 0, ("random", "best"), SMALL.to_text(SMALL.initial_state()), 1))


def drawn(asked: Client) -> dict[str, Any]:
    """The answer, when its rules are compiled."""
    for _ in range(600):
        told = asked.get(ALL)
        if all(one["positions"] for one in told["games"]):
            return told
        time.sleep(0.1)
    raise AssertionError("the rules were never compiled")


@pytest.mark.parametrize(
    "bad",
    [
        {"actions": "no JSON"},
        {"host": "elsewhere", "written": "text"},
        {"pid": "self/../1"},
        {"player0": b"a"},
        {"tournament": 99},
    ],
    ids=str,
)
def test_a_row_that_is_no_game_hides_no_other(place: RunningGames, bad: dict[str, Any]) -> None:
    states, actions = line(SMALL, 2)
    writers = [writer_of(place, number) for number in range(2)]
    for one in writers:
        for after, joint in zip(states[1:], actions, strict=True):
            one.step(after, joint)
    with closing(sqlite3.connect(place.path)) as connection, connection:
        connection.execute(
            f"UPDATE running_games SET {', '.join(f'{name} = ?' for name in bad)} WHERE number = 1",
            tuple(bad.values()),
        )
    with client(ledgers=[place.path]) as asked:
        told = drawn(asked)
        assert told["running"] == 1 and [one["number"] for one in told["games"]] == [0]
        assert [one["number"] for one in told["games"][0]["positions"]] == list(range(len(actions) + 1))
    for one in writers:
        one.close()


def test_beyond_the_last_move_that_is_shown_nothing_changes(
    place: RunningGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOVES", 2)
    states, actions = line(SMALL, 4)
    writer = writer_of(place)
    view = LedgerView(1, place.path)
    stamps: list[str] = []
    for after, joint in zip(states[1:], actions, strict=True):
        writer.step(after, joint)
        told = view.running(None, [], lambda game: True)
        assert told is not None
        stamps.append(told["changed"])
    writer.close()
    assert len(actions) == 4 and len(set(stamps)) == 2 and len(set(stamps[1:])) == 1


def test_nobody_waits_for_rules_to_be_compiled_and_the_board_comes_when_they_are(place: RunningGames) -> None:
    writer = writer_of(place)
    states, actions = line(SMALL, 1)
    writer.step(states[1], actions[0])
    view, compiled = LedgerView(1, place.path), False

    def is_compiled(game: Game) -> bool:
        return compiled

    told = view.running(None, [], is_compiled)
    assert told is not None and told["running"] == 1
    assert (
        told["games"][0]["positions"] == []
        and told["games"][0]["title"]
        and told["games"][0]["titles"][0] == "Random"
    )
    assert view.running(told["changed"], [], is_compiled) is None
    compiled = True
    later = view.running(told["changed"], [], is_compiled)
    assert later is not None and len(later["games"][0]["positions"]) == 2
    writer.close()


def test_the_server_compiles_rules_elsewhere(place: RunningGames, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = writer_of(place)
    states, actions = line(SMALL, 1)
    writer.step(states[1], actions[0])
    with client(ledgers=[place.path]) as asked:
        needed: list[str] = []

        def missing(need: Any) -> None:
            needed.append(need.player)
            raise ValueError("it cannot be compiled")

        with monkeypatch.context() as patch:
            patch.setattr(asked.service.preparation, "missing", missing)
            assert asked.get(ALL)["games"][0]["positions"] == [] and needed == ["random"]
        assert len(drawn(asked)["games"][0]["positions"]) == 2
    writer.close()
