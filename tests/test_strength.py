"""The standing check keeps what it found: a row a pairing, from which docs/strength.md is written and a later run goes on."""

import argparse
import dataclasses
import re
from pathlib import Path

import best_of_all
import pytest
from best_of_all import (
    CHECKED,
    CLOCKS,
    EVALUATORS,
    KINDS,
    LONG,
    SHORT,
    SIZES,
    SOLVED,
    Session,
    all_pairings,
    run,
    to_play,
)
from strength_page import page_of
from strength_record import FILE, Counted, Pairing, Record, Row

from programs import output_of
from saddlepoint.protocols.lines.words import game_from_text
from saddlepoint.roster.games import GAMES, make_game
from saddlepoint.roster.make import make_player
from saddlepoint.solvers.beforehand import solve_beforehand
from saddlepoint.spec import SpecError

PAGE = Path(__file__).parents[1] / "docs" / "strength.md"
WON, DRAWN, SPLIT, LOST = (1.0, 1.0), (0.5, 0.5), (1.0, 0.0), (0.0, 0.0)
OTHELLO, GOOFSPIEL = Pairing("othello", SHORT, "mcts"), Pairing("goofspiel(cards=4)", SHORT, "random")


def games_of(*pairs):
    """Pairs of games, all of them different."""
    return [(*pair, number) for number, pair in enumerate(pairs)]


def row_of(pairing, games=None, *, version="new", played="2026-01-02T00:00", most=200, verdict=None):
    games = games_of(*[WON] * 10) if games is None else games
    counted = Counted.of(games, once=True)
    told = {"faults": 0, "version": version, "load": 1.0, "core": 0.9, "played": played}
    return Row.of(pairing, games, counted, verdict or counted.verdict(most), **told)


@pytest.fixture
def record(tmp_path):
    return Record(tmp_path / "rows.jsonl")


def asked(*sizes, **options):
    """What the command line asks for: these games, against everybody."""
    games = sorted({spec.partition("(")[0] for spec in sizes}) or list(GAMES)
    given = {"games": games, "sizes": sizes, "seconds": CLOCKS, "kinds": KINDS, "against": None}
    return argparse.Namespace(**given | options)


# -- what games say ------------------------------------------------------------------------------------------------------


def test_a_pair_of_games_that_was_played_before_counts_once_where_nobody_draws():
    games = [(*WON, 1), (*SPLIT, 2), (*WON, 1), (*WON, 1)]
    assert Counted.of(games, once=True) == Counted((WON, SPLIT), 2)
    assert Counted.of(games, once=False) == Counted((WON, SPLIT, WON, WON), 0)


def test_pairs_are_counted_by_their_points():
    counted = Counted.of(games_of(LOST, (0.5, 0.0), SPLIT, DRAWN, (0.5, 1.0), WON, WON), once=True)
    assert counted.cells == (1, 1, 2, 1, 2)
    assert (counted.score.wins, counted.score.draws, counted.score.losses) == (6, 4, 4)


def test_results_that_are_worth_more_or_less_than_a_win_are_in_no_such_count():
    assert Counted.of(games_of((0.7, 0.3)), once=False).cells is None


@pytest.mark.parametrize(("pairs", "verdict"), [
    ([WON] * 10, "not behind"), ([SPLIT] * 40, "not behind"), ([LOST] * 20, "behind"), ([SPLIT, LOST], "under way"),
])  # fmt: skip
def test_the_verdict_follows_the_games(pairs, verdict):
    assert Counted.of(games_of(*pairs), once=True).verdict(200) == verdict


# -- the file ------------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_found_again(record):
    rows = [row_of(OTHELLO), row_of(GOOFSPIEL, games_of(SPLIT, LOST)), row_of(GOOFSPIEL).at(LONG)]
    for row in rows:
        record.enter(row)
    assert set(Record(record.path)) == set(rows)
    assert [row.games for row in Record(record.path)] == [tuple(games_of(SPLIT, LOST)), (), ()]


def test_the_file_is_the_same_in_whatever_order_it_was_filled(record, tmp_path):
    rows = [row_of(OTHELLO), row_of(GOOFSPIEL), row_of(GOOFSPIEL).at(LONG)]
    other = Record(tmp_path / "other.jsonl")
    for row, last in zip(rows, reversed(rows)):
        record.enter(row)
        other.enter(last)
    assert record.path.read_text() == other.path.read_text()


def test_what_was_broken_off_does_not_replace_what_is_clear(record):
    record.enter(row_of(OTHELLO, version="old"))
    record.enter(row_of(OTHELLO, games_of(LOST)))
    assert record.get(OTHELLO).version == "old"
    record.enter(row_of(OTHELLO, games_of(*[LOST] * 20)))
    assert record.get(OTHELLO).verdict == "behind"


@pytest.mark.parametrize(("old", "new"), [
    ('"not behind"', '"ahead"'), ('"won": 20', '"won": 22'), ('"seconds": 0.02, ', ""), ("1.0]", "0.2]"), ("{", "{,"), ('"load"', '"lode"'),
])  # fmt: skip
def test_a_line_that_is_wrong_is_named(record, old, new):
    record.enter(row_of(GOOFSPIEL))
    record.enter(row_of(OTHELLO))
    lines = record.path.read_text().splitlines()
    assert old in lines[1]
    record.path.write_text(f"{lines[0]}\n{lines[1].replace(old, new, 1)}\n")
    with pytest.raises(ValueError, match=r"rows\.jsonl, line 2: "):
        Record(record.path)


def test_the_record_is_as_the_program_writes_it():
    rows = list(Record(FILE))
    assert len(rows) >= 245
    assert FILE.read_text(encoding="utf-8") == "".join(f"{row.to_json()}\n" for row in rows)


# -- what is played, and in which order ------------------------------------------------------------------------------------


def test_what_is_done_is_not_played_again_and_what_older_sources_played_comes_last(record):
    session, wanted = Session(record, "new", 200), asked("othello")
    everything = to_play(wanted, session)
    done, older, broken_off, undecided = everything[0], everything[1], everything[-1], everything[-2]
    record.enter(row_of(done))
    record.enter(row_of(older, version="old"))
    record.enter(row_of(broken_off, games_of(SPLIT)))
    record.enter(row_of(undecided, games_of(*[SPLIT, LOST, WON] * 3), most=10))
    assert to_play(wanted, session) == [*everything[2:], older]


def test_undecided_games_go_on_only_where_more_are_allowed(record):
    record.enter(row_of(OTHELLO, verdict="undecided"))
    assert Session(record, "new", 20).stands(OTHELLO) == "done"
    assert Session(record, "new", 30).stands(OTHELLO) == "open"


def test_what_takes_no_time_comes_first_then_searches_against_a_best_that_searches_and_then_solved_games(record):
    found = to_play(asked("othello", "othello(size=4)"), Session(record, "new", 200))
    no_time = [one for one in found if one.game in SOLVED and (one.against == "random" or one.against.startswith("bot: "))]
    assert no_time and found[: len(no_time)] == no_time
    found = found[len(no_time) :]
    searched, solved = found[: len(found) // 2], [one for one in found if one.game in SOLVED]
    assert {one.seconds for one in searched if not one.against.startswith("bot: ")} == set(CLOCKS)
    first = [one for one in found if one.game == "othello" and one.seconds == SHORT and not one.against.startswith("bot: ")]
    assert found[: len(first)] == first
    assert {"mcts", "pvs", "pvs(evaluator=othello_network)"} <= {one.against for one in first}
    assert found[-len(solved) :] == solved
    assert [one.seconds for one in solved] == sorted(one.seconds for one in solved)


def test_one_opponent_after_the_other_is_played_in_all_games(record):
    found = to_play(asked("othello", "connect_four"), Session(record, "new", 200))
    assert [one.game for one in found[:4]] == ["connect_four", "othello", "connect_four", "othello"]


def test_simultaneous_games_are_played_against_mixtures_too():
    against = {one.against for one in all_pairings(["light_riders"], [SHORT])}
    assert {"smab", "smab(choice=mixture)", "smab(evaluator=prospects,choice=mixture)", "riders_smab"} <= against
    assert "best" not in against


def test_other_searches_are_given_the_evaluator_of_best():
    for game in GAMES:
        algorithm = make_player("best", game_from_text(game, make_game)).algorithm if game in EVALUATORS else None
        assert algorithm is None or type(algorithm.evaluator).__name__.lower() == EVALUATORS[game].replace("_", ""), game


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for name in GAMES for text in SIZES.get(name, (name,))])
def test_the_games_that_are_said_to_be_solved_beforehand_are(text):
    game = game_from_text(text, make_game)
    try:
        solves = make_player("best(solve=false)", game) is not None
    except SpecError:  # it has no such setting
        solves = False
    assert (solves and solve_beforehand(game) is not None) == (text in SOLVED)


# -- playing -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def plays(monkeypatch):
    """Each pair of games is won, and told here, by its number and time."""
    told = []

    def play(pairing, pair, opening, seed):
        told.append((pair, pairing.seconds))
        return *WON, pair, 0

    monkeypatch.setattr(best_of_all, "play_pair", play)
    monkeypatch.setattr(best_of_all, "warmed", lambda spec, text: None)
    return told


def test_a_pairing_is_played_until_it_is_clear_and_kept(record, plays):
    row = run(OTHELLO, Session(record, "new", 200))
    assert row.verdict == "not behind"
    assert row.pairs == (0, 0, 0, 0, len(plays))
    assert Record(record.path).get(OTHELLO) == row
    assert row.games == ()


def test_a_later_run_goes_on_where_one_was_broken_off(record, plays):
    record.enter(row_of(OTHELLO, games_of(SPLIT, LOST)))
    row = run(OTHELLO, Session(record, "new", 200))
    assert plays[0] == (2, SHORT)
    assert row.pairs == (1, 0, 1, 0, len(plays))


def test_games_of_older_sources_are_not_mixed_with_new_ones(record, plays):
    record.enter(row_of(OTHELLO, games_of(LOST), version="old"))
    row = run(OTHELLO, Session(record, "new", 200))
    assert plays[0] == (0, SHORT)
    assert (row.lost, row.version) == (0, "new")


def test_a_run_whose_time_is_up_keeps_what_it_has(record, monkeypatch, plays):
    now = iter(range(100))
    monkeypatch.setattr(best_of_all.time, "monotonic", lambda: next(now))
    row = run(OTHELLO, Session(record, "new", 200, until=3))
    assert row.verdict == "under way"
    assert row.games == tuple(games_of(WON, WON, WON))
    assert run(OTHELLO, Session(record, "new", 200, until=0)) is None
    assert Record(record.path).get(OTHELLO) == row


def test_where_neither_side_depends_on_time_the_short_games_answer_for_the_long_ones(record, plays):
    short, longer = row_of(GOOFSPIEL), dataclasses.replace(GOOFSPIEL, seconds=LONG)
    record.enter(short)
    assert run(longer, Session(record, "new", 200)) == short.at(LONG)
    assert sorted(plays) == [(number, seconds) for number in range(CHECKED) for seconds in CLOCKS]
    assert Record(record.path).get(longer).as_at == SHORT


@pytest.mark.parametrize("against", ["saddle", "mcts"])
def test_somebody_who_searches_is_played_at_both_times(record, plays, against):
    pairing = dataclasses.replace(GOOFSPIEL, against=against)
    record.enter(row_of(pairing))
    row = run(dataclasses.replace(pairing, seconds=LONG), Session(record, "new", 200))
    assert row.as_at is None
    assert {seconds for _, seconds in plays} == {LONG}


def test_a_game_that_is_not_solved_is_played_at_both_times(record, plays):
    pairing = Pairing("othello", SHORT, "bot: take the corner")
    record.enter(row_of(pairing))
    assert run(dataclasses.replace(pairing, seconds=LONG), Session(record, "new", 200)).as_at is None


def test_other_moves_with_more_time_are_games_of_their_own(record, monkeypatch, plays):
    monkeypatch.setattr(best_of_all, "play_pair", lambda pairing, pair, opening, seed: (*WON, hash((pair, pairing.seconds)), 0))
    record.enter(row_of(GOOFSPIEL))
    assert run(dataclasses.replace(GOOFSPIEL, seconds=LONG), Session(record, "new", 200)).as_at is None


@pytest.mark.compiles_long
@pytest.mark.parametrize("against", ["random", "bot: bid the prize"])
def test_a_solved_game_is_played_the_same_with_any_time(against, record):
    pairing = dataclasses.replace(GOOFSPIEL, against=against)
    record.enter(row_of(pairing))
    row = run(dataclasses.replace(pairing, seconds=LONG), Session(record, "new", 200))
    assert row.as_at == SHORT


# -- the page ------------------------------------------------------------------------------------------------------------


def test_the_page_tells_what_is_behind_what_is_undecided_and_the_worst_of_each_game():
    mcts, pvs, bot = (Pairing("othello", SHORT, name) for name in ("mcts", "pvs", "bot: most discs"))
    rows = [
        row_of(mcts, games_of(*[LOST] * 20), played="2026-01-03"), row_of(pvs, games_of(SPLIT)),
        dataclasses.replace(row_of(bot, version="old", played="2025-12-31"), core=0.1),
    ]  # fmt: skip
    page = page_of(rows, [mcts, pvs, bot, Pairing("othello", LONG, "mcts")], most=200, clocks=CLOCKS, checked=CHECKED)
    behind, undecided, games = re.split(r"^## .+$", page, flags=re.MULTILINE)[1:]
    assert "| mcts | 0-0-40 | 0 % (0-16) | behind | new | 1 | 90 % |" in behind and "pvs" not in behind
    assert "| pvs | 1-0-1 | 50 % " in undecided and "mcts" not in undecided
    assert "| in all | 4 |\n| played | 3 |" in page and "| played with older versions | 1 |" in page
    assert "| with a core for less than half of the time | 1 |" in page
    lines = [line for line in games.splitlines() if line.startswith("| `")]
    assert lines == [
        "| `othello` | 0.02 | 3 of 3 | 1 | 1 | 1 | mcts | 0-0-40 | 0 % (0-16) |", "| `othello` | 0.2 | 0 of 1 |  |  |  |  |  |  |",
    ]  # fmt: skip


def test_docs_strength_says_what_the_record_holds():
    pairings = list(all_pairings(GAMES, CLOCKS))
    assert PAGE.read_text(encoding="utf-8") == page_of(Record(FILE), pairings, most=200, clocks=CLOCKS, checked=CHECKED)


# -- the clock -----------------------------------------------------------------------------------------------------------

SLEEPS = """
import time
from cpu_clock import count_cpu_time
from saddlepoint.compiled import jit, monotonic_ns, python_monotonic_ns

count_cpu_time()

@jit
def compiled():
    return monotonic_ns()

clocks = [lambda: compiled() / 1e9, lambda: python_monotonic_ns() / 1e9, time.perf_counter]
before = [clock() for clock in clocks]
time.sleep(1.0)
asleep = [clock() for clock in clocks]
while time.process_time() < asleep[-1] + 0.2:
    pass
for first, second, third in zip(before, asleep, [clock() for clock in clocks]):
    print(second - first < 0.5, 0.2 <= third - second < 0.5)
"""


@pytest.mark.slow
def test_the_clock_of_a_core_stands_still_while_the_process_sleeps():
    assert output_of("-c", SLEEPS, PYTHONPATH=str(FILE.parent)).split() == ["True"] * 6
