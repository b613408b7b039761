"""What a search found: values as text and data, lines of play, and what a notebook shows."""

import json
import math
from xml.etree import ElementTree

import pytest

from helpers.small_games import Guess
from saddlepoint import (
    CHANCE,
    BackwardInduction,
    BiasedRPS,
    DoubleOracle,
    Goofspiel,
    Limits,
    PrincipalVariation,
    SearchResult,
    TicTacToe,
    search,
    solve,
)
from saddlepoint.algorithms.result import Line, Value, continued

pytestmark = pytest.mark.plain

PAPER, CROSSES, CARDS = BiasedRPS(), TicTacToe(), Goofspiel(3)


def test_a_value_as_text() -> None:
    assert str(Value(0.5, (-1.0, 1.0), 3)) == "0.5 [-1.0, 1.0] depth 3"
    assert str(Value(1.0, (1.0, 1.0), 3, exact=True, plies=7)) == "1.0 [1.0, 1.0] depth 3 exact plies 7"


def test_values_are_ordered_by_what_they_are_for_player_0() -> None:
    values = [Value(value, (-1.0, 1.0)) for value in (0.5, -1.0, 0.0, math.inf)]
    assert [one.value for one in sorted(values)] == [-1.0, 0.0, 0.5, math.inf]


def test_a_searchs_result_is_a_value_and_what_it_cost() -> None:
    found = search(CARDS, CARDS.initial_state(), BackwardInduction(), Limits())
    assert isinstance(found, Value)
    assert str(found) == str(Value(found.value, found.bounds, found.depth, exact=True))
    assert Value.to_json(found).items() <= found.to_json().items()


def test_a_line_is_named_for_each_player_and_in_words() -> None:
    game = Guess(rounds=2)
    line, state = Line([(0, 1), (1, 1)]), game.initial_state()
    names = [[game.action_to_string(state, 0, a), game.action_to_string(state, 1, b)] for a, b in line]
    assert line.names(game, state) == names
    assert line.in_words(game, state) == [" ".join(step) for step in names]
    assert line.in_words(game, state, 1) == [" ".join(names[0])]


@pytest.mark.parametrize("depth", [1, 2])
def test_what_chance_draws_is_in_the_line_and_counts_as_no_depth(depth):
    state = CARDS.initial_state()
    result = search(CARDS, state, BackwardInduction(), Limits(depth=depth))
    assert result.depth == depth
    chose = []
    for joint in result.principal_variation:
        chose.append(CARDS.current_player(state) != CHANCE)
        state = CARDS.next_state(state, *joint)
    assert (sum(chose), all(chose)) == (depth, False)


@pytest.mark.parametrize("told", [None, ({}, {})])
def test_where_a_search_tells_no_action_the_line_ends(told):
    """A value may come from the table, and no action with it."""
    state = CROSSES.initial_state()
    assert continued(CROSSES, state, (), ({4: 1.0}, {}), 3, lambda state, depth: told) == ((4, -1),)
    assert continued(CROSSES, state, (), ({}, {}), 3, lambda state, depth: told) == ()


def words(html: str) -> str:
    """The text of HTML that is well-formed XML too."""
    return " ".join(ElementTree.fromstring(html.replace("colspan=3", 'colspan="3"')).itertext())


@pytest.mark.compiles_long
def test_a_search_of_a_game_in_turn_shows_its_value_its_board_and_its_line() -> None:
    found = search(CROSSES, CROSSES.initial_state(), PrincipalVariation(), Limits(depth=3))
    html = str(found._repr_html_())
    first = CROSSES.action_to_string(CROSSES.initial_state(), 0, found.best_action(0))
    assert "Value 0 for player 0 (an estimate; proven: -1 to 1), depth 3" in " ".join(words(html).split())
    assert f"Principal variation: {first} |" in words(html)
    assert "<svg" in html
    assert "Player 1" not in html


@pytest.mark.compiles_long
def test_a_search_of_a_stage_shows_both_mixtures() -> None:
    found = search(PAPER, PAPER.initial_state(), DoubleOracle())
    told = words(str(found._repr_html_()))
    assert "(proven)" in told
    for player in (0, 1):
        for action, share in found.strategies[player].items():
            assert PAPER.action_to_string(PAPER.initial_state(), player, action) in told
            assert f"{share:.1%}" in told


@pytest.mark.compiles_long
@pytest.mark.slow
def test_the_line_of_a_game_with_chance_names_what_chance_did() -> None:
    found = search(CARDS, CARDS.next_state(CARDS.initial_state(), 2), DoubleOracle())
    assert "chance: " in words(str(found._repr_html_()))


@pytest.mark.compiles_long
def test_a_solved_position_shows_its_matrix_with_the_probabilities_at_its_edges() -> None:
    stage = solve(PAPER).at(PAPER.initial_state())
    told = words(stage._repr_html_())
    for number in (number for row in stage.matrix for number in row):
        assert f"{number:.4g}" in told
    for mixture in stage.strategies:
        assert all(f"{share:.1%}" in told for share in mixture.values())


@pytest.mark.compiles_long
@pytest.mark.slow
def test_every_position_of_a_solution_can_be_shown_and_one_of_chance_by_its_outcomes_names() -> None:
    game = Goofspiel(2)
    solution, start = solve(game), game.initial_state()
    shown = {state: solution.at(state)._repr_html_() for state in solution.states()}
    assert all(words(html) for html in shown.values())
    outcomes = game.chance_outcomes(start)
    assert len(outcomes) == 2
    for outcome, share in outcomes:
        assert game.outcome_to_string(start, outcome) in words(shown[start])
        assert f"{share:.1%}" in words(shown[start])
    table = shown[start][shown[start].index("<table") : shown[start].index("</table>")]
    assert {row.count("</th>") + row.count("</td>") for row in table.split("<tr>")[1:]} == {3}


@pytest.mark.compiles_long
def test_names_of_a_game_are_text_and_never_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BiasedRPS()
    monkeypatch.setattr(BiasedRPS, "action_to_string", lambda game, state, player, one: f"<b>{one}</b>&")
    for shown in (search(game, game.initial_state(), DoubleOracle()), solve(game).at(game.initial_state())):
        assert "<b>0</b>&" in words(str(shown._repr_html_()))


@pytest.mark.compiles_long
def test_what_is_shown_is_no_part_of_the_result_as_data() -> None:
    found = search(CROSSES, CROSSES.initial_state(), PrincipalVariation(), Limits(depth=1))
    assert "root" not in json.loads(json.dumps(found.to_json()))
    bare = SearchResult(0.0, (0.0, 0.0), exact=True, strategies=({}, {}), complete=True, seconds=0.0)
    assert bare._repr_html_() is None
