"""Games of turns and chance, step by step: who is asked, what is recorded, what is taken back."""

from collections import Counter
from typing import Any

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.small_games import Guess, State, Turns
from saddlepoint.play.game import play_game
from saddlepoint.players.base import Answer, MoveStatistics, Player, TakeBack
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.plain

GAME = Turns()


class Scripted(Player):
    """Plays what it was given, and keeps what it was asked; "back" takes a move back."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []
        self.clocks: list[Clock] = []
        self.begun: list[tuple[int, int | None]] = []

    def begin(self, game: Any, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        self.begun.append((player, seed))

    def choose(self, state: Any, clock: Clock) -> Any:
        self.asked.append(state)
        self.clocks.append(clock)
        answer = self.answers.pop(0)
        if answer == "back":
            raise TakeBack
        return answer


def test_each_player_is_asked_at_its_turn_and_chance_comes_first_in_the_record() -> None:
    one, two = Scripted(1, 0, 1), Scripted(0, 1, 1)
    steps: list[tuple[Any, tuple[int, int]]] = []
    clocks = (Clock(9.0, 1.0), Clock(7.0, 1.0))
    record = play_game(
        GAME, (one, two), clocks=clocks, on_step=lambda state, joint: steps.append((state, joint))
    )
    chance, *moves = record.actions
    assert chance[0] in (0, 1)
    assert chance[1] == -1
    movers: list[int] = []
    state = record.start
    expected: dict[int, list[Any]] = {0: [], 1: []}
    for number, joint in enumerate(record.actions):
        player = GAME.current_player(state)
        if player in (0, 1):
            expected[player].append(state)
            assert joint[1 - player] == -1
            movers.append(player)
        state = GAME.next_state(state, joint[0] if player != 1 else joint[1])
        assert steps[number] == (state, joint)
    assert (one.asked, two.asked) == (expected[0], expected[1])
    assert len(moves) == len(movers) >= 3
    assert movers[:2] in ([0, 1], [1, 0])
    assert record.result == GAME.returns(state)
    assert record.reason == f"player {0 if record.result > 0 else 1} won after {len(moves)} moves"
    assert [len(times) for times in record.times] == [movers.count(0), movers.count(1)]
    assert [len(found) for found in record.searches] == [movers.count(0), movers.count(1)]
    assert (one.clocks[0].bank, two.clocks[0].bank) == (9.0, 7.0)


@pytest.mark.compiles_long
@COMPILED_ONLY
def test_chance_draws_by_its_probabilities() -> None:
    seen = Counter(
        play_game(GAME, (Scripted(1, 1, 1), Scripted(1, 1, 1)), seed=seed).actions[0][0]
        for seed in range(600)
    )
    expected = dict(GAME.chance_outcomes(GAME.initial_state()))
    for outcome, probability in expected.items():
        assert seen[outcome] / 600 == pytest.approx(probability, abs=0.08)


def test_a_seed_draws_what_it_always_drew() -> None:
    """A recorded game can be played again move for move, also by a later version."""
    drawn = [
        play_game(GAME, (Scripted(1, 1, 1), Scripted(1, 1, 1)), seed=seed).actions[0][0] for seed in range(24)
    ]
    assert "".join(map(str, drawn)) == "000010111101001111011110"


def test_players_have_seeds_of_their_own_or_none() -> None:
    def seeds(seed: int | None) -> list[int | None]:
        players = (Scripted(1, 1, 1), Scripted(1, 1, 1))
        play_game(GAME, players, seed=seed)
        assert [player.begun[0][0] for player in players] == [0, 1]
        return [player.begun[0][1] for player in players]

    assert seeds(None) == [None, None]
    assert seeds(3) == seeds(3)
    assert len({*seeds(3), *seeds(4)}) == 4


@pytest.mark.parametrize(
    ("rounds", "one", "two", "undone", "actions"),
    [
        (3, (0, 1, "back", 2, 0), (1, 1, 2, 2), (State(1, -1), 1), ((0, 1), (2, 2), (0, 2))),
        (4, (0, 1, 2, "back", 0, 2), (1, 1, 1, 2, 1), (State(2, -1), 2), ((0, 1), (1, 1), (0, 2), (2, 1))),
        (1, ("back", 2), (1,), (State(0, 0), 0), ((2, 1),)),
        (1, (0, 2), ("back", 1), (State(0, 0), 0), ((2, 1),)),
    ],
    ids=[
        "to before the player's last move",
        "after many moves only the last one",
        "a first move no further than the start",
        "the other's move in the same round is asked for again",
    ],
)
def test_moves_are_taken_back(
    rounds: int, one: Any, two: Any, undone: tuple[State, int], actions: Any
) -> None:
    game, players, told = Guess(size=3, rounds=rounds), (Scripted(*one), Scripted(*two)), list[Any]()
    record = play_game(game, players, on_undo=lambda state, steps: told.append((state, steps)))
    assert told == [undone]
    assert record.actions == actions
    assert [len(player.begun) for player in players] == [2, 2], "they begin anew"
    assert max(player.asked.count(undone[0]) for player in players) == 2, "and are asked again from there"
    assert [len(times) for times in record.times] == [rounds, rounds]


def test_who_has_not_moved_yet_takes_back_nothing() -> None:
    """The other side's move stands, in a turn of its own."""
    undone: list[tuple[Any, int]] = []
    back = Scripted("back", 1, 1, 1)
    record = play_game(
        GAME, (Scripted(1, 1, 1), back), on_undo=lambda state, steps: undone.append((state, steps))
    )
    assert undone == [(back.asked[0], 2)]
    assert back.asked[1] == back.asked[0]
    state = record.start
    for joint in record.actions:
        state = GAME.advance(state, *joint)
    assert GAME.returns(state) == record.result


def test_what_a_player_told_of_the_move_that_lost_is_kept() -> None:
    found = MoveStatistics(0.5, 7, 1000, 0.25)
    record = play_game(Guess(size=3, rounds=1), (Scripted(Answer(99, found)), Scripted(1)))
    assert str(record.faults[0]).startswith("illegal action 99")
    assert record.searches[0] == (found,)


def test_where_moves_stand_taking_back_is_a_fault() -> None:
    record = play_game(Guess(size=3, rounds=1), (Scripted("back", 2), Scripted(1)))
    assert record.result == -1.0
    assert record.reason.startswith("player 0 at fault: ")
    assert "may not be taken back" in str(record.faults[0])
    assert record.late == (False, False)


@pytest.mark.parametrize(
    ("answers", "result", "reason"),
    [
        ((2, 1), 1.0, "player 0 won after 1 round"),
        ((1, 2), -1.0, "player 1 won after 1 round"),
        ((1, 1), 0.0, "a draw after 1 round"),
    ],
)
def test_the_reason_says_who_won(answers: tuple[int, int], result: float, reason: str) -> None:
    record = play_game(Guess(size=3, rounds=1), (Scripted(answers[0]), Scripted(answers[1])))
    assert (record.result, record.reason) == (result, reason)
