"""The time that a request of `csl 1` leaves for a search, and the moment its answer goes out at the latest."""

from types import SimpleNamespace

import pytest

from helpers.csl_positions import start
from saddlepoint.games.simplexity.csl_players import Parameters, ThinkRequest

pytestmark = pytest.mark.plain


def request(budget: float, reserve: float = 0.0) -> ThinkRequest:
    """A request asked at the moment 100, with a budget in seconds."""
    position = start(Parameters())
    return ThinkRequest("g", "r", position, position.text(), budget, 100.0, lambda text: None, reserve)


@pytest.mark.parametrize(
    ("budget", "reserve", "search", "answer"),
    [
        (0.2, 0.0, 0.155, 0.16),  # the reserves for a search and for an answer are 45 ms and 40 ms
        (1.0, 0.0, 0.955, 0.96),
        (1.0, 0.1, 0.855, 0.86),  # what a busy engine holds back comes on top
        (0.05, 0.0, 0.03, 0.03),  # a short budget keeps six tenths of itself
        (0.1, 0.1, 0.06, 0.06),
        (0.0, 0.0, 0.0, 0.0),
    ],
)
def test_a_search_and_an_answer_leave_a_reserve_and_short_budgets_keep_more_than_half(
    budget: float, reserve: float, search: float, answer: float
) -> None:
    asked = request(budget, reserve)
    assert asked.search_until == pytest.approx(100 + search)
    assert asked.answer_until == pytest.approx(100 + answer)
    assert asked.ready_until == pytest.approx(100 + budget / 2)


def test_a_request_is_answered_once_or_void() -> None:
    said: list[str] = []
    position = start(Parameters())
    asked = ThinkRequest("g", "r", position, position.text(), 1.0, 100.0, said.append)
    asked.answer(((3, 1), SimpleNamespace(depth=7, value=0.5)))
    asked.answer(((2, 0), None))
    asked.fall_back()
    asked.stop()
    asked.report_stopped()
    assert said == ["info g r depth 7 value +0.500\nmove g r 3 s"]
    void = ThinkRequest("g", "r", position, position.text(), 1.0, 100.0, said.append)
    void.stop()
    void.fall_back()
    assert void.done
    void.report_stopped()
    assert said[1:] == ["info g r stopped"]


def test_an_answer_and_a_stop_end_the_search_also_one_that_begins_later() -> None:
    for end in (ThinkRequest.stop, ThinkRequest.fall_back, ThinkRequest.cancel):
        asked, stopped = request(1.0), list[str]()
        asked.cancels(SimpleNamespace(stop=lambda stopped=stopped: stopped.append("first")))  # type: ignore[arg-type]
        assert stopped == []
        end(asked)
        asked.cancels(SimpleNamespace(stop=lambda stopped=stopped: stopped.append("second")))  # type: ignore[arg-type]
        assert stopped == ["first", "second"]
