"""One game between players that are not trusted: whoever is at fault loses; games of turns and chance, step by step; what is taken back."""

import math
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.small_games import Guess, State, Turns
from saddlepoint import Goofspiel, LightRiders
from saddlepoint.play.game import FaultPolicy, play_game
from saddlepoint.players.base import (
    Answer,
    Fault,
    FaultKind,
    MoveStatistics,
    Player,
    PlayerError,
    RandomPlayer,
    TakeBack,
)
from saddlepoint.players.clock import Clock

GAME = LightRiders(8, 6)


class Straight(Player):
    """Goes straight on."""

    def choose(self, state: Any, clock: Clock) -> int:
        return int(state.direction1 if self.player else state.direction0)


class Doing(Straight):
    """Does something with the move straight on, in place of making it."""

    def __init__(self, do: Callable[[int], Any]) -> None:
        self.do = do

    def choose(self, state: Any, clock: Clock) -> Any:
        return self.do(super().choose(state, clock))


def raising(error: Exception) -> Doing:
    def fail(straight: int) -> None:
        raise error

    return Doing(fail)


def late(straight: int) -> int:
    time.sleep(0.2)
    return straight


LATE = Doing(late)
FAILING = raising(RuntimeError("no idea\nat all"))
LEAVING = raising(PlayerError("it was late, an illegal move, out of memory", FaultKind.CRASH))
"""Its words do not decide what it lost by."""
RESIGNED = raising(PlayerError("no answer in time", FaultKind.LATE))


class Stillborn(Straight):
    """Half of a player, which is asked nothing more."""

    follows = True

    def begin(self, game: Any, player: int, seed: int | None = None) -> None:
        raise OSError("not today")

    def follow(self, state: Any, clock: Clock, seconds: tuple[float, float]) -> None:
        raise AttributeError("it never began")


def test_a_game_by_the_rules() -> None:
    seen: list[Any] = []
    record = play_game(
        GAME, (Straight(), Straight()), GAME.initial_state(2, 2), on_step=lambda s, a: seen.append((s, a))
    )
    assert (record.result, record.reason, record.actions) == (0.0, "a draw after 2 rounds", ((1, 3), (1, 3)))
    assert record.faults == (None, None)
    assert [len(times) for times in record.times] == [2, 2]
    assert [joint for _, joint in seen] == [(1, 3), (1, 3)]


@pytest.mark.parametrize(
    ("player", "kind", "reason"),
    [
        (FAILING, FaultKind.ERROR, "RuntimeError: no idea, in round 0"),
        (Doing(lambda straight: 7), FaultKind.ILLEGAL, "illegal action 7, in round 0"),
        (Doing(lambda straight: None), FaultKind.ERROR, "TypeError: int() argument"),
        (LATE, FaultKind.LATE, "late: 0."),
        (RESIGNED, FaultKind.LATE, "no answer in time, in round 0"),
        (Stillborn(), FaultKind.ERROR, "OSError: not today, before the game"),
        (LEAVING, FaultKind.CRASH, "it was late, an illegal move, out of memory, in round 0"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_at_fault_loses_and_the_kind_is_the_one_it_happened_as(
    seat: int, player: Player, kind: FaultKind, reason: str
) -> None:
    clock = Clock(0.04, 0.04)
    easy = Clock(math.inf, 0.0)
    players, clocks = [Straight(), Straight()], [easy, easy]
    players[seat], clocks[seat] = player, clock  # type: ignore[call-overload]
    record = play_game(GAME, players, clocks=(clocks[0], clocks[1]))
    assert record.result == (1.0 if seat else -1.0)
    fault = record.faults[seat]
    assert (fault.kind, fault.player) == (kind, seat)
    assert record.reason.startswith(f"player {seat} at fault: {reason}")
    assert record.faults[1 - seat] is None
    assert record.actions == ()
    assert record.late[seat] == (kind is FaultKind.LATE)


def test_what_a_player_raised_is_the_reason_however_late() -> None:
    def both(straight: int) -> None:
        late(straight)
        raise RuntimeError("out of ideas")

    record = play_game(GAME, (Doing(both), Straight()), clocks=(Clock(0.04, 0.04), Clock()))
    assert record.faults[0] == Fault(FaultKind.ERROR, 0, 0, "RuntimeError: out of ideas")
    assert record.late == (True, False)


class Telling(Straight):
    """Tells of a search behind every other move, and hears of the end."""

    def __init__(self) -> None:
        self.heard: list[float] = []
        self.moves = 0

    def choose(self, state: Any, clock: Clock) -> Answer | int:
        self.moves += 1
        action = super().choose(state, clock)
        return (
            Answer(action, MoveStatistics(0.25, self.moves, 10 * self.moves, -0.5))
            if self.moves % 2
            else action
        )

    def end(self, result: float) -> None:
        self.heard.append(result)
        raise RuntimeError("too late to matter")


def test_the_record_has_what_each_search_found_and_the_players_hear_the_result() -> None:
    telling = Telling()
    record = play_game(GAME, (Straight(), telling), GAME.initial_state(2, 2))
    assert record.searches == ((None, None), (MoveStatistics(0.25, 1, 10, -0.5), None))
    assert [len(times) for times in record.times] == [2, 2]
    assert telling.heard == [record.result] == [0.0]
    record = play_game(GAME, (FAILING, telling), GAME.initial_state(2, 2))
    assert record.searches[0] == (None,)
    assert telling.heard == [0.0, -1.0]


def test_two_players_at_fault_at_once_draw() -> None:
    record = play_game(GAME, (FAILING, Doing(lambda straight: 7)))
    assert record.result == 0.0
    assert record.reason.startswith("both players at fault: RuntimeError")


def slow(monkeypatch: pytest.MonkeyPatch, used: float, waited: float = 0.0) -> Player:
    """A player that takes so many seconds of its own by the clock of games, after it waited for a core, and no time."""
    now = [0.0, 0.0]

    class Watch:
        def __init__(self, threads: int) -> None:
            self.began = tuple(now)

        def read(self, elsewhere: float | None) -> tuple[float, float]:
            return now[0] - self.began[0], now[1] - self.began[1]

    class Slow(Straight):
        def choose(self, state: Any, clock: Clock) -> int:
            now[0] += used
            now[1] += used + waited
            return super().choose(state, clock)

    monkeypatch.setattr("saddlepoint.play.game.Stopwatch", Watch)
    return Slow()


@pytest.mark.parametrize(
    ("used", "waited", "tolerance", "is_late"),
    [
        (1.0, 0.0, 0.25, False),
        (1.2, 0.0, 0.25, False),
        (1.24, 0.0, 0.25, False),
        (1.26, 0.0, 0.25, True),
        (1.5, 0.0, 0.25, True),
        (0.9, 15.0, 0.0, False),
        (1.1, 15.0, 0.0, True),
        (0.9, 19.2, 0.0, True),  # twenty times the clock: 20 s on the wall for a move of 1 s
        (0.9, 19.2, 0.25, False),
        (0.9, 19.4, 0.25, True),
    ],
)
def test_late_is_more_of_ones_own_time_than_the_clock_and_its_tolerance_or_more_than_the_wall_limit(
    monkeypatch: pytest.MonkeyPatch, used: float, waited: float, tolerance: float, is_late: bool
) -> None:
    players, clocks = (slow(monkeypatch, used, waited), Straight()), (Clock(1.0, 1.0), Clock(1.0, 1.0))
    record = play_game(GAME, players, GAME.initial_state(2, 2), clocks, tolerance=tolerance)
    assert record.late == (is_late, False)
    assert record.times[0][0] == pytest.approx(used)
    assert record.result == (-1.0 if is_late else 0.0)
    if is_late:
        assert record.faults[0] is not None and ("passed" in record.faults[0].text) == (used < 1.0)


def test_what_is_taken_off_a_bank_is_the_players_own_time_until_it_is_used_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players, clocks = (slow(monkeypatch, 0.2, 1.0), Straight()), (Clock(0.5, 0.0), Clock(5.0, 0.0))
    record = play_game(GAME, players, GAME.initial_state(heads=((0, 0), (7, 4))), clocks)
    assert [choice.bank for choice in record.choices[0]][:2] == pytest.approx([0.3, 0.1])
    assert record.late == (True, False)
    assert (record.result, len(record.actions)) == (-1.0, 2)


class Person(Straight):
    is_person = True


@pytest.mark.parametrize("waited", [0.0, 30.0])
def test_a_late_answer_in_a_game_with_a_person_is_taken(
    monkeypatch: pytest.MonkeyPatch, waited: float
) -> None:
    """Whether the machine was busy or the computer's player slow: the game goes on to its end by the rules."""
    start, clocks = GAME.initial_state(2, 2), (Clock(1.0, 1.0), Clock(1.0, 1.0))
    record = play_game(GAME, (slow(monkeypatch, 1.25, waited), Person()), start, clocks, tolerance=0.1)
    straight = play_game(GAME, (Straight(), Straight()), start)
    assert record.late[0] == len(record.actions) > 1
    assert (record.faults, record.actions, record.reason) == ((None, None), straight.actions, straight.reason)


def test_a_quick_move_stands_for_an_answer_that_does_not_come_in_a_game_with_a_person() -> None:
    begun: list[int] = []

    class Silent(Doing):
        def begin(self, game: Any, player: int, seed: int | None = None) -> None:
            super().begin(game, player, seed)
            begun.append(player)

    players, clocks = (Silent(RESIGNED.do), Person()), (Clock(1.0, 1.0), Clock(1.0, 1.0))
    record = play_game(GAME, players, GAME.initial_state(2, 2), clocks, seed=1)
    assert record.faults == (None, None)
    assert len(begun) == 1 + len(record.actions)  # it is asked again, as at the beginning
    answers = [choice.answer for choice in record.choices[0]]
    assert all(answer is not None and "no answer in time" in answer.warning for answer in answers)


def test_an_illegal_move_ends_a_game_with_a_person_too() -> None:
    wrong = Doing(lambda straight: 77)
    assert play_game(GAME, (wrong, Person()), clocks=(Clock(), Clock())).faults[0] is not None


class Substitute(FaultPolicy):
    """Player 0 is not asked."""

    def stand_in(self, game: Any, state: Any, player: int) -> Answer | None:
        return Answer(int(state.direction0)) if player == 0 else None


def test_what_is_played_for_a_player_that_is_not_asked_takes_no_time() -> None:
    clocks = (Clock(5.0, 1.0, 9.0), Clock(5.0, 1.0, 9.0))
    record = play_game(GAME, (FAILING, Straight()), GAME.initial_state(2, 2), clocks, policy=Substitute())
    assert (record.result, record.actions, record.faults) == (0.0, ((1, 3), (1, 3)), (None, None))
    assert record.times[0] == (0.0, 0.0)
    assert [choice.bank for choice in record.choices[0]] == [5.0, 5.0]


def test_the_same_seed_gives_the_same_game_with_chance_too() -> None:
    game = Goofspiel(cards=4)
    records = [play_game(game, (RandomPlayer(), RandomPlayer()), seed=seed) for seed in (3, 3, 4, 5, 6)]
    assert records[0].actions == records[1].actions
    assert len({record.actions for record in records}) > 1
    state = records[0].start
    for joint in records[0].actions:
        state = game.next_state(state, *joint)
    assert game.returns(state) == records[0].result


# -- turns and chance ----------------------------------------------------------------------------------------------------

TURNS = Turns()


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


@pytest.mark.plain
def test_each_player_is_asked_at_its_turn_and_chance_comes_first_in_the_record() -> None:
    one, two = Scripted(1, 0, 1), Scripted(0, 1, 1)
    steps: list[tuple[Any, tuple[int, int]]] = []
    clocks = (Clock(9.0, 1.0), Clock(7.0, 1.0))
    record = play_game(
        TURNS, (one, two), clocks=clocks, on_step=lambda state, joint: steps.append((state, joint))
    )
    chance, *moves = record.actions
    assert chance[0] in (0, 1)
    assert chance[1] == -1
    movers: list[int] = []
    state = record.start
    expected: dict[int, list[Any]] = {0: [], 1: []}
    for number, joint in enumerate(record.actions):
        player = TURNS.current_player(state)
        if player in (0, 1):
            expected[player].append(state)
            assert joint[1 - player] == -1
            movers.append(player)
        state = TURNS.next_state(state, joint[0] if player != 1 else joint[1])
        assert steps[number] == (state, joint)
    assert (one.asked, two.asked) == (expected[0], expected[1])
    assert len(moves) == len(movers) >= 3
    assert movers[:2] in ([0, 1], [1, 0])
    assert record.result == TURNS.returns(state)
    assert record.reason == f"player {0 if record.result > 0 else 1} won after {len(moves)} moves"
    assert [len(times) for times in record.times] == [movers.count(0), movers.count(1)]
    assert [len(found) for found in record.searches] == [movers.count(0), movers.count(1)]
    assert (one.clocks[0].bank, two.clocks[0].bank) == (9.0, 7.0)


@pytest.mark.plain
@pytest.mark.compiles_long
@COMPILED_ONLY
def test_chance_draws_by_its_probabilities() -> None:
    seen = Counter(
        play_game(TURNS, (Scripted(1, 1, 1), Scripted(1, 1, 1)), seed=seed).actions[0][0]
        for seed in range(600)
    )
    for outcome, probability in dict(TURNS.chance_outcomes(TURNS.initial_state())).items():
        assert seen[outcome] / 600 == pytest.approx(probability, abs=0.08)


@pytest.mark.plain
def test_a_seed_draws_what_it_always_drew() -> None:
    """A recorded game can be played again move for move, also by a later version."""
    drawn = [
        play_game(TURNS, (Scripted(1, 1, 1), Scripted(1, 1, 1)), seed=seed).actions[0][0]
        for seed in range(24)
    ]
    assert "".join(map(str, drawn)) == "000010111101001111011110"


@pytest.mark.plain
def test_players_have_seeds_of_their_own_or_none() -> None:
    def seeds(seed: int | None) -> list[int | None]:
        players = (Scripted(1, 1, 1), Scripted(1, 1, 1))
        play_game(TURNS, players, seed=seed)
        assert [player.begun[0][0] for player in players] == [0, 1]
        return [player.begun[0][1] for player in players]

    assert seeds(None) == [None, None]
    assert seeds(3) == seeds(3)
    assert len({*seeds(3), *seeds(4)}) == 4


@pytest.mark.plain
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


@pytest.mark.plain
def test_who_has_not_moved_yet_takes_back_nothing() -> None:
    """The other side's move stands, in a turn of its own."""
    undone: list[tuple[Any, int]] = []
    back = Scripted("back", 1, 1, 1)
    record = play_game(
        TURNS, (Scripted(1, 1, 1), back), on_undo=lambda state, steps: undone.append((state, steps))
    )
    assert undone == [(back.asked[0], 2)]
    assert back.asked[1] == back.asked[0]
    state = record.start
    for joint in record.actions:
        state = TURNS.advance(state, *joint)
    assert TURNS.returns(state) == record.result


@pytest.mark.plain
def test_what_a_player_told_of_the_move_that_lost_is_kept() -> None:
    found = MoveStatistics(0.5, 7, 1000, 0.25)
    record = play_game(Guess(size=3, rounds=1), (Scripted(Answer(99, found)), Scripted(1)))
    assert str(record.faults[0]).startswith("illegal action 99")
    assert record.searches[0] == (found,)


@pytest.mark.plain
def test_where_moves_stand_taking_back_is_a_fault() -> None:
    record = play_game(Guess(size=3, rounds=1), (Scripted("back", 2), Scripted(1)))
    assert record.result == -1.0
    assert record.reason.startswith("player 0 at fault: ")
    assert "may not be taken back" in str(record.faults[0])
    assert record.late == (False, False)


@pytest.mark.plain
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
