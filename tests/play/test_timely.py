"""What must answer in time does, whatever its player does: each promise, with players that break it."""

import gc
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from saddlepoint import Limits, PrincipalVariation, Simplexity, StopToken
from saddlepoint.play.timely import PlayerThread, Question, Timekeeper
from saddlepoint.players.clock import Clock, Deadline
from saddlepoint.players.searching import SearchPlayer

LONG = 600.0  # seconds that no test waits


class Asked(Question):
    """A question that keeps what it was answered, and when."""

    def __init__(self, seconds: float = LONG, reserve: float = 0.1, patience: float = LONG) -> None:
        super().__init__(Deadline(seconds - reserve, answer=seconds, ready=patience))
        self.answers: list[Any] = []
        self.came = threading.Event()

    def deliver(self, answer: Any) -> None:
        self.answers.append(answer)
        self.came.set()


def thinker(think: Callable[[Asked], Any], told: list[tuple[bool, str]] | None = None) -> PlayerThread:
    heard = [] if told is None else told
    return PlayerThread(
        lambda: (think, lambda: None), lambda preparing, error: heard.append((preparing, str(error)))
    )


def answers(one: PlayerThread, *questions: Asked) -> None:
    """Ask these, wait for the last one's answer, and end it."""
    for question in questions:
        one.ask(question)
    assert questions[-1].came.wait(60)
    assert ended(one)


def ended(one: PlayerThread) -> bool:
    one.close()
    return one.ended(time.monotonic() + 60)


def test_who_has_an_answer_may_ask_again_at_once() -> None:
    """The player is free before the answer goes out."""

    class Next(Asked):
        def deliver(self, answer: Any) -> None:
            self.answers.append(one.waiting)
            self.came.set()

    one, asked = thinker(lambda question: 7), Next()
    answers(one, asked)
    assert asked.answers == [0]


def test_what_is_there_when_a_player_is_ready_is_not_searched_for_garbage_in_its_time() -> None:
    gc.unfreeze()
    one = thinker(lambda question: 7)
    assert one.prepared.wait(60)
    assert gc.get_freeze_count() > 0
    assert ended(one)


def test_an_answer_is_the_players() -> None:
    asked = Asked()
    answers(thinker(lambda question: 7), asked)
    asked.fall_back()
    asked.stop()
    assert (asked.answers, asked.void) == ([7], False)


def test_a_late_search_falls_back_and_what_it_finds_later_is_not_said() -> None:
    go_on, asked, keeper = threading.Event(), Asked(0.3), Timekeeper()
    one = thinker(lambda question: go_on.wait(60) and 7)
    one.ask(asked)
    keeper.watch(asked, lambda: True)
    assert asked.came.wait(60)
    assert 0.3 <= time.monotonic() - asked.asked < 10
    go_on.set()
    assert ended(one)
    assert asked.answers == [None]


@pytest.mark.compiles_long
def test_a_search_is_stopped_in_time_and_the_next_question_is_not_held_up() -> None:
    game = Simplexity()
    player = SearchPlayer(PrincipalVariation(), limits=Limits(seconds=LONG))
    player.begin(game, 0)
    state, keeper = game.initial_state(), Timekeeper()
    SearchPlayer(PrincipalVariation(), limits=Limits(depth=1)).warm(game, state, (0,))
    one = thinker(lambda question: question.answer_of(player, state, Clock(LONG)).action)
    first, second = Asked(3.0, 2.9), Asked(4.0, 3.7)
    for question in (first, second):
        one.ask(question)
        keeper.watch(question, lambda: True)
    assert first.came.wait(60)
    assert second.came.wait(60)
    assert all(question.answers[0] in game.legal_actions(state, 0) for question in (first, second))
    assert ended(one)


def test_a_keeper_of_time_that_is_closed_ends_every_search_there_is_and_those_that_come() -> None:
    keeper, before, after = Timekeeper(), Question(Deadline(LONG)), Question(Deadline(LONG))
    searching, later = StopToken(), StopToken()
    before.cancels(searching)
    keeper.watch(before)
    keeper.close()
    keeper.watch(after)
    assert searching.stopped
    after.cancels(later)
    assert later.stopped


@pytest.mark.parametrize("end", [Question.stop, Question.fall_back, Question.cancel])
def test_a_search_that_begins_after_the_end_is_stopped_too(end: Callable[[Question], None]) -> None:
    asked = Asked()
    end(asked)
    token = StopToken()
    asked.cancels(token)
    assert token.stopped


def test_an_exception_falls_back_and_is_told_and_the_thinker_goes_on() -> None:
    def think(question: Asked) -> int:
        if question is first:
            raise RuntimeError("no idea")
        return 7

    told: list[tuple[bool, str]] = []
    first, second = Asked(), Asked()
    answers(thinker(think, told), first, second)
    assert (first.answers, second.answers, told) == ([None], [7], [(False, "no idea")])


def test_a_player_that_cannot_be_made_is_told_and_the_timekeeper_answers_in_its_place() -> None:
    def prepare() -> Any:
        raise ValueError("no such player")

    told: list[tuple[bool, str]] = []
    one = PlayerThread(prepare, lambda preparing, error: told.append((preparing, str(error))))
    assert one.prepared.wait(60)
    assert (one.ready, one.failed, told) == (False, True, [(True, "no such player")])
    asked, keeper = Asked(patience=0.1), Timekeeper()
    one.ask(asked)
    keeper.watch(asked, lambda: one.ready)
    assert asked.came.wait(60)
    assert asked.answers == [None]


def test_a_question_that_is_void_or_too_late_is_not_put_to_the_player() -> None:
    put: list[Asked] = []
    void, late, last = Asked(), Asked(0.0, 0.0), Asked()
    void.stop()
    answers(thinker(lambda question: put.append(question) or 7), void, late, last)
    assert (put, void.answers, late.answers) == ([last], [], [None])


def test_no_more_thinkers_search_at_a_time_than_there_are_places() -> None:
    places, inside, most, lock = threading.Semaphore(2), [0], [0], threading.Lock()

    def think(question: Asked) -> int:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
        time.sleep(0.05)
        with lock:
            inside[0] -= 1
        return 7

    several = [PlayerThread(lambda: (think, lambda: None), lambda *_: None, places) for _ in range(5)]
    questions = [Asked() for _ in several]
    for one, question in zip(several, questions, strict=True):
        one.ask(question)
    assert all(question.came.wait(60) for question in questions)
    assert most[0] <= 2
    assert all(ended(one) for one in several)
