"""Reports of ledgers that somebody else wrote: texts stay texts, nonsense is named in one sentence."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from helpers.arena_games import NODES, plan
from helpers.report_pages import HOSTILE, Page, real_games, renamed, report_of, reported
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.report import clean
from saddlepoint.arena.report.page import templates
from saddlepoint.arena.schedule import settings_of
from saddlepoint.play.viewer import embedded


@pytest.mark.plain
@given(st.text(min_size=1))
@example(HOSTILE)
@example('"><!-- ]]> &lt;')
@example("\ud800\u202e\x00\x1b[31m")
def test_any_text_comes_out_of_a_template_as_it_was_but_for_characters_that_cannot_be_shown(
    text: str,
) -> None:
    made = templates().from_string('<b title="{{ text }}">{{ text }}</b>').render(text=text)
    made.encode("utf-8")
    page = Page(made)
    assert "".join(page.texts.get("b", [])) == clean(text)
    assert page.values("title") == [clean(text)]
    if text.isprintable():
        assert clean(text) == text


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@example({"</script>": ["<!--<script>", "&"]})
def test_embedded_data_cannot_end_its_element_and_reads_back(data: Any) -> None:
    text = embedded(data)
    assert not set("<>&") & set(text)
    assert json.loads(text) == data


def spoil(path: Path, sentence: str, *values: object) -> None:
    """Change something in a ledger, as another program would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sentence, values)


def test_moves_that_break_the_rules_end_the_replay_and_not_the_report(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    reported(tmp_path, [renamed(game, "a", "b", number) for number, game in enumerate(real_games(2))])
    spoil(path, "UPDATE games SET actions = '[[99,99]]' WHERE id = 1")
    spoil(path, "UPDATE games SET opening = 'no position <b>' WHERE id = 2")
    page = Page(report_of(path)[1])
    assert sum("Replay: " in said for said in page.texts["p"]) == 2


def test_a_game_that_this_library_does_not_have_has_figures_and_no_replays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    settings = settings_of(NODES, plan(2))
    settings["terms"]["game"] = {"name": "<i>chess", "parameters": {"<u>": "</table>"}}
    with Ledger(path) as book:
        number = book.begin("match", ("a", "b"), settings, 2)
        for game in real_games(2):
            book.add(number, renamed(game, "a", "b", game.job.number))
    data, text = report_of(path)
    page = Page(text)
    assert data["games"][0]["games"] == 2
    assert "<i>chess (<u>=</table>)" in page.texts["h2"]
    assert not {"i", "u"} & set(page.tags)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("game points", 0.3),
        ("game points", "much"),
        ("game times", "[[NaN],[]]"),
        ("game times", "[[1e999],[]]"),
        ("game times", "[]"),
        ("game pair", "x"),
        ("game actions", "[[Infinity,0]]"),
        ("game actions", "{"),
        ("game searches", '[[["deep",1,1]],[]]'),
        ("game opening", b"\xff"),
        ("game result", "none"),
        ("game started", "yesterday"),
        ("game reason", b"because"),
        ("tournament settings", "[]"),
        ("tournament settings", "{}"),
        ("tournament settings", "no JSON"),
        ("tournament settings", '{"terms": [], "plan": {"swap": true}}'),
        ("tournament players", "{"),
    ],
)
def test_a_figure_that_nothing_can_have_is_named_in_one_sentence(
    tmp_path: Path, place: str, value: object
) -> None:
    path = tmp_path / "games.db"
    reported(tmp_path, [renamed(game, "a", "b", number) for number, game in enumerate(real_games(1))])
    what, column = place.split()
    spoil(path, f"UPDATE {what}s SET {column} = ?", value)
    with pytest.raises(LedgerError, match=f"^{what} 1 of the ledger cannot be read: [^\n]+$"):
        report_of(path)
