"""Reports: every figure is the ledger's, the page needs nothing but itself, and no text of a ledger becomes a tag."""

import json
import math
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from helpers.arena_games import NODES, SMALL, plan
from helpers.report_pages import HOSTILE, Page, at_fault, enter, real_games, renamed, report_of, reported
from saddlepoint.arena.conditions import MatchConditions
from saddlepoint.arena.ledger import Entry, Ledger
from saddlepoint.arena.replaying import follow, steps_of
from saddlepoint.arena.report import SHOWN_GAMES, gather
from saddlepoint.arena.report.page import Scale
from saddlepoint.arena.schedule import settings_of
from saddlepoint.arena.statistics.paired import Pentanomial, Score
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.viewer import embedded, packed, pictures
from saddlepoint.system.terminal import how_to_install

OTHER = MatchConditions(LightRiders(6, 6))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of one kind and one of another; a player with a hostile name loses by faults, another by rules."""
    path = tmp_path_factory.mktemp("report") / "games.db"
    real = real_games(24)
    names = [("a", "b"), ("b", "a"), ("a", HOSTILE), (HOSTILE, "a"), ("b", "c d"), ("c d", "b")]
    games = [renamed(game, *names[number % 6], number) for number, game in enumerate(real)]
    games = [
        at_fault(g, g.job.players.index(HOSTILE), f"late: {HOSTILE}") if HOSTILE in g.job.players else g
        for g in games
    ]
    with Ledger(path) as book:
        assert enter(book, games[:12]) == 1
        assert enter(book, games[12:]) == 2
        small = [
            renamed(game, *names[number % 2], number) for number, game in enumerate(real_games(4, OTHER))
        ]
        assert enter(book, small, OTHER) == 3
    return path


@pytest.fixture(scope="module")
def whole(ledger: Path) -> tuple[dict[str, Any], Page]:
    data, text = report_of(ledger)
    return data, Page(text)


# -- figures ----------------------------------------------------------------------------------------------------------


def test_each_game_has_its_own_section_and_ratings(whole: tuple[dict[str, Any], Page]) -> None:
    data, page = whole
    assert [one for one in page.texts["h2"] if "Light Riders" in one] == [
        "Light Riders (height=6, max_rounds=0, width=8)",
        "Light Riders (height=6, max_rounds=0, width=6)",
    ]
    assert [one["parameters"]["width"] for one in data["games"]] == [8, 6]
    assert [[t["id"] for t in one["tournaments"]] for one in data["games"]] == [[1, 2], [3]]
    assert [one["games"] for one in data["games"]] == [24, 4]
    assert [sorted(row["player"] for row in one["ratings"]) for one in data["games"]] == [
        ["a", "b", "c d", HOSTILE],
        ["a", "b"],
    ]


def test_the_figures_are_those_of_the_games(ledger: Path, whole: tuple[dict[str, Any], Page]) -> None:
    first = whole[0]["games"][0]
    with Ledger(ledger) as book:
        games = [entry for entry in book.games() if entry.tournament in (1, 2)]
    ruled = [entry for entry in games if not any(entry.played.faults)]
    steps = sorted(entry.played.steps for entry in ruled)
    assert sum(sum(one["counts"]) for one in first["lengths"]) == len(ruled) == 16
    assert sorted(one["steps"] for one in first["lengths"] for _ in range(sum(one["counts"]))) == steps
    assert [one["steps"] for one in first["longest"]] == steps[: -SHOWN_GAMES - 1 : -1]
    assert [one["steps"] for one in first["shortest"]] == steps[:SHOWN_GAMES]
    assert first["mean_length"] == pytest.approx(sum(steps) / 16)
    assert first["fault_count"] == 8
    assert len(first["faulty"]) == SHOWN_GAMES
    lost = next(one for one in first["players"] if one["player"] == HOSTILE)
    assert (lost["games"], lost["lost_by"]) == (8, {"late": 8})
    points = [entry.played.points for entry in games]
    assert [first["first_player"][key] for key in ("wins", "draws", "losses")] == [
        points.count(p) for p in (1, 0.5, 0)
    ]
    by_opening = {one["opening"]: one for one in first["openings"]}
    assert first["openings_in_all"] == len(by_opening) == len({entry.played.job.opening for entry in games})
    assert [one["games"] for one in first["openings"]] == sorted(
        (one["games"] for one in first["openings"]), reverse=True
    )
    for opening, one in by_opening.items():
        found = [entry.played for entry in games if entry.played.job.opening == opening]
        assert one["games"] == len(found)
        assert one["wins"] + one["draws"] / 2 == sum(game.points for game in found)
        assert one["mean_length"] == pytest.approx(sum(game.steps for game in found) / len(found))


def test_a_title_tells_what_a_bar_shows_and_open_ends_are_told_as_such(tmp_path: Path) -> None:
    game = real_games(1)[0]
    data, text = reported(tmp_path, [renamed(game, "a", "b", number, 1.0) for number in range(4)], swap=False)
    best, worst = data["games"][0]["ratings"]
    assert (best["high"], worst["low"]) == (None, None)
    page = Page(text)
    ends = [said for said in page.texts["title"] if "95 % interval" in said]
    assert [said.endswith("to \u221e") for said in ends] == [True, False]
    assert ["interval \u2212\u221e to" in said for said in ends] == [False, True]
    bars = [
        dict(attributes)
        for attributes in page.elements
        if ("class", "bar") in attributes and ("y1", "50%") in attributes
    ]
    assert [bar["x1"] == "0" for bar in bars] == [False, True]
    assert [bar["x2"] == "100%" for bar in bars] == [True, False]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("tournaments", "expected"),
    [
        ([("ab1 ba0", True), ("ab0 ba1", True)], Pentanomial(1, 0, 0, 0, 1)),
        ([("ab1", True), ("-- ba1", True)], Pentanomial(singles=Score(1, 0, 1))),
        ([("ab1 ba0", True), ("ab1 ab1 ab1", False)], Pentanomial(0, 0, 0, 0, 1, singles=Score(3, 0, 0))),
    ],
    ids=["both games of a pair to the same player", "half a pair in either", "one without pairs"],
)
def test_pairs_of_one_tournament_are_not_taken_for_those_of_another(
    tournaments: list[tuple[str, bool]], expected: Pentanomial, tmp_path: Path
) -> None:
    """A game is told as its two players and the first one's points."""
    game = real_games(1)[0]
    with Ledger(tmp_path / "games.db") as book:
        for told, swap in tournaments:
            games = [(number, one) for number, one in enumerate(told.split()) if one != "--"]
            enter(book, [renamed(game, a, b, n, float(won)) for n, (a, b, won) in games], swap=swap)
    data, _ = report_of(tmp_path / "games.db")
    cell = next(one for one in data["games"][0]["cross_table"] if one["player"] == "a")
    assert (cell["games"], cell["score"]) == (expected.games, expected.mean)
    assert cell["interval95"] == list(expected.interval())


@pytest.mark.parametrize(("meetings", "certain"), [(20, True), (1, False)])
def test_a_cycle_is_shown_openly_if_chance_does_not_explain_it(
    tmp_path: Path, meetings: int, certain: bool
) -> None:
    game = real_games(1)[0]
    wins = [(a, b) for a, b in ("ab", "bc", "ca") for _ in range(meetings)]
    games = [renamed(game, a, b, number, 1.0) for number, (a, b) in enumerate(wins)]
    page = Page(reported(tmp_path, games, swap=False)[1])
    told = [said for said in page.texts["summary"] if said.startswith("Cycles")]
    assert told == [
        "Cycles, each result by more than chance explains: 1"
        if certain
        else "Cycles that chance may have closed: 1"
    ]
    assert [tag for tag, name, _ in page.attributes if name == "open"] == ["details"] * certain
    cells = [
        dict(attributes)
        for attributes in page.elements
        if dict(attributes).get("class", "").endswith("shade10")
    ]
    sure = " sure" if certain else ""
    assert sorted(cell["class"] for cell in cells) == [f"down{sure} shade10"] * 3 + [f"up{sure} shade10"] * 3
    assert page.texts["td"].count("100") == 3


def test_memory_holds_no_more_games_than_are_shown(tmp_path: Path) -> None:
    real = real_games(8)
    with Ledger(tmp_path / "games.db") as book:
        enter(book, [renamed(real[n % 8], *(("a", "b") if n % 2 else ("b", "a")), n) for n in range(400)])
        (figures,) = gather(book)
    assert all(len(shown) <= SHOWN_GAMES for shown in figures.shown.values())
    assert len(figures.lengths) <= len({game.steps for game in real})
    assert not any(pairing.open_pairs for pairing in figures.standings.pairings.values())


def test_a_game_that_is_finished_meanwhile_is_in_all_figures_or_in_none(tmp_path: Path) -> None:
    first, second = real_games(2)
    with Ledger(tmp_path / "games.db") as book:
        number = enter(book, [renamed(first, "a", "b", 0)])
        (figures,) = gather(book)
        assert book.add(number, renamed(second, "b", "a", 1))
        data = figures.summary(book)
    assert (data["games"], data["openings_in_all"]) == (1, 1)
    assert [one["games"] for one in data["openings"]] == [1]


def test_filters_leave_one_tournament_or_one_game(ledger: Path) -> None:
    one, _ = report_of(ledger, tournament=2)
    assert [[t["id"] for t in game["tournaments"]] for game in one["games"]] == [[2]]
    assert one["games"][0]["games"] == 12
    assert one["games"][0]["openings"] != report_of(ledger)[0]["games"][0]["openings"]
    assert len(report_of(ledger, game="light_riders")[0]["games"]) == 2


def test_a_player_that_only_met_itself_has_no_rating(tmp_path: Path) -> None:
    data, text = reported(tmp_path, real_games(2))
    assert data["games"][0]["ratings"] is None
    assert any("no ratings" in said for said in Page(text).texts["p"])


def test_games_that_all_ended_by_faults_have_no_lengths(tmp_path: Path) -> None:
    games = [renamed(game, "a", "b", number) for number, game in enumerate(real_games(2))]
    data, text = reported(tmp_path, [at_fault(game, 1, "exited with code 3") for game in games])
    assert data["games"][0]["mean_length"] is None
    assert "No game ended by the rules." in Page(text).texts["p"]


# -- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_every_link_leads_to_something_in_it(
    whole: tuple[dict[str, Any], Page],
) -> None:
    data, page = whole
    names = page.values("id")
    assert len(names) == len(set(names))
    links = page.values("href")
    assert links
    assert all(link.startswith("#") and link[1:] in names for link in links)
    for one in data["games"]:
        for kind in ("longest", "shortest", "faulty"):
            assert all(f"#game-{game['id']}" in links for game in one[kind])


def test_the_page_asks_nothing_of_a_network(whole: tuple[dict[str, Any], Page]) -> None:
    _, page = whole
    loading = {"src", "srcset", "action", "background", "poster", "ping"}
    assert not loading & {name for _, name, _ in page.attributes}
    assert not set(page.tags) & {"link", "img", "iframe", "object", "embed", "base", "form"}
    style = "".join(page.texts["style"] + page.values("style"))
    assert not re.search(r"@import|url\((?!data:)", style)
    assert not re.search(r"https?:|fetch|XMLHttp|import\(", "".join(page.texts["script"]))
    assert any("default-src 'none'" in value for value in page.values("content"))


def test_all_players_figures_stand_as_text_and_every_plot_has_a_title(
    whole: tuple[dict[str, Any], Page],
) -> None:
    data, page = whole
    assert {"a", "b", "c d", HOSTILE} <= set(page.texts["bdi"])
    for row in data["games"][0]["ratings"]:
        assert f"{row['elo']:+.0f}".replace("-", "\u2212") in page.texts["td"]
    drawings = [value for tag, name, value in page.attributes if tag == "svg" and name == "role"]
    assert len(page.texts["title"]) == len(drawings) + 1
    assert "prefers-color-scheme: dark" in "".join(page.texts["style"])


def test_a_hostile_name_is_text_everywhere(
    ledger: Path, whole: tuple[dict[str, Any], Page], tmp_path: Path
) -> None:
    """With a harmless name in its place the page has the very same tags."""
    _, page = whole
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    scripts = [value for tag, name, value in page.attributes if tag == "script" and name == "type"]
    assert page.tags.count("script") == len(scripts) + 1
    assert set(scripts) == {"application/json"}
    copy = tmp_path / "harmless.db"
    with closing(sqlite3.connect(ledger)) as source, source, closing(sqlite3.connect(copy)) as target, target:
        source.backup(target)
        target.execute("UPDATE players SET spec = ? WHERE spec = ?", ("c" * len(HOSTILE), HOSTILE))
    source.close()
    target.close()
    assert sorted(Page(report_of(copy)[1]).tags) == sorted(page.tags)


def test_a_replay_has_every_position_of_its_game() -> None:
    (game,) = real_games(1)
    replay, steps = follow(SMALL, Entry(1, 1, game, ("", ""))), list(steps_of(SMALL, game))
    assert not replay.problem
    assert replay.data is not None
    assert json.loads(embedded(replay.data)) == replay.data
    states = [SMALL.from_text(game.job.opening), *(step.after for step in steps)]
    moves = [{}, *({"names": list(step.names)} for step in steps)]
    assert replay.data["positions"] == [
        {"picture": picture, **move}
        for picture, move in zip(packed(pictures(SMALL, states)), moves, strict=True)
    ]
    assert replay.last == SMALL.render(states[-1])
    assert replay.data["result"] == game.result


@given(st.lists(st.floats(-3000, 3000), min_size=1), st.booleans())
def test_a_scale_keeps_order_and_has_a_few_round_ticks(values: list[float], logarithmic: bool) -> None:
    values = sorted(abs(value) + 1e-6 for value in values) if logarithmic else sorted(values)
    scale = Scale.around(values, logarithmic)
    places = [float(scale.at(value).rstrip("%")) for value in values]
    assert places == sorted(places)
    assert 0 <= places[0] <= places[-1] <= 100
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 8
    assert all(scale.low <= tick * (1 + 1e-9) or math.isclose(tick, scale.low) for tick in ticks)


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
def test_the_command_writes_the_page_or_prints_the_same_figures(
    ledger: Path, cli: Any, tmp_path: Path
) -> None:
    assert cli("report", str(ledger), "-o", "here.html") == (0, "here.html: 28 games\n", "")
    Page((tmp_path / "here.html").read_text(encoding="utf-8"))
    expected = json.loads(json.dumps(report_of(ledger)[0]["games"]))
    assert cli.data("report", str(ledger))["games"] == expected
    assert [path.name for path in tmp_path.iterdir()] == ["here.html"]


@pytest.mark.usefixtures("here")
def test_without_jinja_there_is_no_page_and_the_figures_are_printed(
    ledger: Path, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        name
        for name in sys.modules
        if name.partition(".")[0] == "jinja2" or name.startswith("saddlepoint.arena.report.")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert f"a page needs jinja2: {how_to_install('report')}" in cli.refused("report", str(ledger))
    assert cli.data("report", str(ledger))["games"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("missing.db", "there is no ledger 'missing.db'"),
        ("text.db", "cannot be used as a ledger"),
        ("empty.db", "has no finished games"),
        ("{ledger} --tournament 9", "has no tournament 9"),
        ("{ledger} --game chess", "has no finished games of chess; there are games of light_riders"),
        ("{ledger} -o no/such/folder.html", "the folder of 'no/such/folder.html' does not exist"),
        ("{ledger} -o .", "'.' is a folder"),
    ],
)
@pytest.mark.usefixtures("here")
def test_errors_are_one_sentence_and_leave_no_file(
    arguments: str, said: str, ledger: Path, cli: Any, tmp_path: Path
) -> None:
    with Ledger("empty.db") as book:
        book.begin("match", ("a", "b"), settings_of(NODES, plan(2)), 2)
    Path("text.db").write_text("no ledger" * 100)
    assert said in cli.refused("report", *arguments.format(ledger=ledger).split())
    assert {path.name for path in tmp_path.iterdir()} - {"empty.db-wal", "empty.db-shm"} == {
        "empty.db",
        "text.db",
    }
