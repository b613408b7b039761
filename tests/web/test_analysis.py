"""The analysis over a real socket: what a search sees arrives while it runs, and a client can break nothing."""

import time
from collections.abc import Iterator

import pytest

from helpers.analysis_client import Client, client_of, running_server
from helpers.sizes import COMPILED_ONLY
from saddlepoint import BackwardInduction, Goofspiel, search
from saddlepoint.algorithms.analysis import judge
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.web import limits
from saddlepoint.web.analysis import AnalysisJob

pytestmark = [pytest.mark.compiles_long, pytest.mark.plain]

GOOFSPIEL = {"game": "goofspiel(cards=3)", "start": None, "moves": [[0, -1]]}
RIDERS = {"game": "light_riders(width=6, height=6)", "start": None, "moves": []}
LONG = {"game": "light_riders(width=16, height=16)", "algorithm": "bi", "seconds": 60}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_server() as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[Client]:
    with client_of(address) as one:
        yield one


def test_a_position_is_searched_to_its_end_with_the_matrix_of_its_stage(client):
    """The value is the exact game's, and the last matrix is complete and exact."""
    client.end_of(**GOOFSPIEL, seconds=60, alternatives=True)
    game = Goofspiel(cards=3)
    state = game.next_state(game.initial_state(), 0)
    value = search(game, state, BackwardInduction()).value
    last, stage = (client.of(kind)[-1] for kind in ("search", "alternatives"))
    assert last["exact"]
    assert [last["value"], *last["bounds"], stage["value"]] == pytest.approx([value] * 4)
    depths = [one["depth"] for one in client.of("search")]
    assert depths == sorted(depths)
    assert [name for _, name in stage["rows"]] == ["1", "2", "3"]
    assert all(all(row) for row in stage["exact"])
    assert all(sum(mixture) == pytest.approx(1) for mixture in stage["mixtures"])
    names, actions = last["line"], last["line_actions"]
    for joint, named in zip(actions, names, strict=True):
        assert [name is None for name in named] == [a == -1 for a in joint]
        state = game.next_state(state, *(joint if len(game.players_to_act(state)) == 2 else joint[:1]))


def test_where_chance_is_to_move_its_outcomes_are_analysed(client):
    """Goofspiel's own start: each of the three prizes may come, and the game is fair whichever does."""
    client.end_of(**GOOFSPIEL | {"moves": []}, seconds=60, alternatives=True)
    assert client.of("search")[-1]["value"] == pytest.approx(0.0, abs=1e-9)
    found = client.of("alternatives")[-1]
    assert found["player"] == -1
    assert [action for action, _, _ in found["moves"]] == [0, 1, 2]
    assert [value for _, _, value in found["moves"]] == pytest.approx([0.0] * 3, abs=1e-9)


SERIALISED = (
    "Serialised alpha-beta, {} (alphabeta, player 0 commits first: "
    "the value is a lower bound of the equilibrium's at the same depth by the same evaluator)"
)
ORACLE = "Double oracle with serialised bounds, evaluator Prospects (do_alphabeta, Nash equilibrium search)"


@pytest.mark.parametrize(
    ("more", "evaluator", "table", "bounds"),
    [
        ({}, "evaluator Prospects", ORACLE, {None}),
        ({"algorithm": "alphabeta"}, "no evaluator", SERIALISED, {"lower"}),
    ],
)
def test_every_value_says_which_search_and_evaluator_it_is_of_and_whether_it_is_a_bound(
    client, more, evaluator, table, bounds
):
    client.end_of(**RIDERS, **more, seconds=0.3, alternatives=True)
    assert client.of("search")[-1]["search"] == SERIALISED.format(evaluator)
    assert client.of("alternatives")[-1]["search"] == table.format(evaluator)
    assert {one["bound"] for one in client.of("alternatives")} == bounds


def test_counters_come_while_a_depth_runs_and_a_stop_ends_it(client):
    client.send(id=7, do="analyse", **LONG)
    first = client.until("counters", number=7)
    while (later := client.until("counters", number=7))["nodes"] <= first["nodes"]:
        pass
    assert later["seconds"] > first["seconds"]
    assert later["depth"] >= 1
    assert client.end_of("stop", number=7)["reason"] == "stopped"


def test_two_analyses_run_side_by_side_and_a_third_is_refused(client):
    client.send(id=1, do="analyse", **LONG)
    client.send(id=2, do="analyse", **LONG)
    client.until("counters", number=1)
    client.until("counters", "search", number=2)
    assert "2 analyses" in client.refused(number=3, **RIDERS)
    review = {"game": "goofspiel", "start": None, "moves": [[0, -1], [0, 0]], "seconds_per_turn": 5}
    client.send(id=4, do="review", **review)
    assert "1 review" in client.refused("review", number=5, **review)
    client.end_of("stop", number=4)
    # Of the same number: in the place of the other.
    assert client.end_of(number=1, **GOOFSPIEL, seconds=60)["reason"] == "exact"
    assert client.end_of("stop", number=2)["reason"] == "stopped"


@pytest.mark.parametrize("sent", [1, 60])
def test_whoever_changes_its_mind_gets_the_last_answer_and_never_the_end_of_the_one_before(client, sent):
    """The new one, of three cards, ends sooner than the old one has noticed that it is stopped."""
    for _ in range(3 if PLAIN_PYTHON or sent > 1 else 10):
        for _ in range(sent):
            client.send(id=1, do="analyse", **LONG)
        if sent == 1:
            client.until("counters", "search", number=1)
        assert client.end_of(**GOOFSPIEL, seconds=60)["reason"] == "exact"


def test_a_whole_game_is_reviewed_step_by_step(client, monkeypatch):
    """The verdict is that of the values that were told; player 0 took the second prize, and player 1 the first."""
    # A search ends when it has proven its value, but on a busy machine not within the 18th part of 5 s, the share of the first one.
    monkeypatch.setattr(limits, "REVIEW_SECONDS", 600.0)
    moves = [[0, -1], [0, 1], [1, -1], [1, 0], [2, -1], [2, 2]]
    end = client.end_of("review", **GOOFSPIEL | {"moves": moves}, nodes_per_turn=1_000_000)
    turns = {one["step"]: one for one in client.of("review")}
    assert sorted(turns) == list(range(len(moves)))
    assert all(turn["exact"] for turn in turns.values())
    assert turns[1]["played"] == ["1", "2"]
    # A prize, and the bids for it.
    assert [turns[step]["turn"] for step in range(len(moves))] == [1, 1, 2, 2, 3, 3]
    found = judge(
        [*(turns[step]["value"] for step in range(len(moves))), 1.0],
        1.0,
        -1.0,
        1.0,
        chance=frozenset({0, 2, 4}),
    )
    assert end["verdict"] | {"kind": found.kind, "step": found.step, "loser": found.loser} == end["verdict"]
    assert found.step in [moment["step"] for moment in end["moments"]]
    assert "These values are proven." in end["says"]


def test_a_fault_that_ended_a_game_is_the_verdict_and_names_are_those_of_the_record(client):
    about = {"game": "goofspiel(cards=3)", "start": None, "moves": [[0, -1], [0, 1]], "seconds_per_turn": 1}
    end = client.end_of(
        "review",
        **about,
        players=["ann", "bob"],
        result=-1.0,
        faults=["no answer in time, at step 2", ""],
    )
    assert end["verdict"]["kind"] == "fault"
    assert end["says"] == ["ann lost by a fault: no answer in time, at step 2. Its moves are not to blame."]
    assert client.end_of("review", **about)["says"] == ["The game is not over."]


SNAKES = "battlesnake 7x7 round 9\nsnake 0 health 90: 0,0 1,0 1,1 0,1 0,2 0,3 0,4\nsnake 1 health 90: 5,5 5,4 5,3\nfood: 3,3"


def test_battlesnake_is_analysed_and_reviewed_without_chance(client):
    """What chance did is no turn; the snake that is shut in has lost, whatever food may come."""
    place = {"game": "battlesnake(width=7, height=7)", "start": SNAKES, "algorithm": "bi"}
    client.end_of(**place, moves=[], seconds=1, alternatives=True)
    last, stage = (client.of(kind)[-1] for kind in ("search", "alternatives"))
    assert (last["value"], last["exact"]) == (-1.0, True)
    assert (len(stage["rows"]), len(stage["columns"])) == (1, 3)
    client.end_of(
        "review",
        **place | {"start": SNAKES.replace("0,0 1,0 1,1 0,1 0,2 0,3 0,4", "1,1 1,2 1,3")},
        moves=[[1, 0], [0, -1], [1, 0]],
        nodes_per_turn=50,
    )
    # A step comes again when more is known of it.
    assert {one["step"]: one["played"] for one in client.of("review")} == {
        0: ["right", "up"],
        2: ["right", "up"],
    }


def test_overlays_are_drawn_of_a_finished_game_too(client):
    moves = [[0, 0], [0, 0], [0, 0]]
    client.end_of(**RIDERS, seconds=0.1, overlays=["territory", "chambers"])
    assert [one["name"] for one in client.of("overlays")[-1]["overlays"]] == ["territory", "chambers"]
    assert "over" in client.refused(number=2, **RIDERS | {"moves": moves}, overlays=["territory"])
    assert client.of("overlays", 2)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("no json", "no JSON"),
        ("[" * 5000, "no JSON"),
        ("[1]", "object"),
        ('{"do": "analyse"}', "'id' is missing"),
        ('{"id": "x", "do": "analyse"}', "'id' must be"),
        ('{"id": 1, "do": "solve"}', "'do' must be analyse, review or stop"),
        ('{"id": 1, "do": "analyse"}', "'game' is missing"),
        ('{"id": 1, "do": "analyse", "game": "chess"}', "no game"),
        (
            '{"id": 1, "do": "analyse", "game": "goofspiel", "moves": [[0]]}',
            "'moves[0]' must be a list of length 2",
        ),
        ('{"id": 1, "do": "analyse", "game": "goofspiel(cards=3)", "moves": [[9, -1]]}', "move 1"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel(cards=3)", "start": "x"}', "no position"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "algorithm": "cmd:true"}', "no program"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "algorithm": "pvs"}', "pvs"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "algorithm": "random"}', "does not search"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "evaluator": "voronoi"}', "voronoi"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "seconds": 1e9}', "'seconds' must be"),
        ('{"id": 1, "do": "analyse", "game": "goofspiel", "overlays": ["x"]}', "no overlay"),
        ('{"id": 1, "do": "review", "game": "goofspiel", "nodes_per_turn": 0}', "'nodes_per_turn' must be"),
        (b"\x00\x01", "text"),
    ],
)
def test_a_strange_message_gets_one_sentence_and_the_next_is_answered(client, message, told):
    client.send_text(message)
    error = client.receive()
    assert error["kind"] == "error"
    assert told in error["error"]
    assert "\n" not in error["error"]
    client.end_of(number=2, **GOOFSPIEL, seconds=10)


def test_a_mistake_in_the_analysis_is_told_in_a_sentence_and_logged_with_its_trace(
    client, monkeypatch, caplog
):
    def failing(*arguments):
        raise RuntimeError("no such luck")

    monkeypatch.setattr(AnalysisJob, "_draw_overlays", failing)
    assert client.refused(**GOOFSPIEL, seconds=20) == "this failed: no such luck"
    assert "in failing" in caplog.text


@COMPILED_ONLY
def test_a_search_ends_with_its_socket(address):
    """The places are soon free again: four more analyses than there are places come one after the other."""
    for _ in range(8):
        with client_of(address) as one:
            one.send(id=1, do="analyse", **LONG)
            one.until("counters")
    with client_of(address) as one:
        one.end_of(**GOOFSPIEL, seconds=20)


@COMPILED_ONLY
def test_a_server_that_is_busy_says_so_and_serves_the_next(address):
    with client_of(address) as first, client_of(address) as second, client_of(address) as third:
        for one in (first, second):
            for number in (1, 2):
                one.send(id=number, do="analyse", **LONG)
                one.until("counters", number=number)
        assert "4 analyses" in third.refused(**GOOFSPIEL)
        first.end_of("stop")
        third.end_of(number=2, **GOOFSPIEL, seconds=20)


@COMPILED_ONLY
def test_a_client_that_does_not_read_gets_the_newest_state_and_no_queue(client):
    """While it sleeps, messages of one kind replace each other."""
    client.send(id=1, do="analyse", **LONG | {"seconds": 2.0})
    time.sleep(2.5)
    client.until("done")
    assert len(client.of("counters")) <= 2.0 / 0.05 + 2
