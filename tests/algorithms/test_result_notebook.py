"""What a notebook shows of results: value, board, mixtures and line by name, in well-formed HTML."""

import json
from xml.etree import ElementTree

import pytest

from saddlepoint.algorithms import DoubleOracle, Limits, PrincipalVariation, SearchResult, search
from saddlepoint.game.base import TERMINAL
from saddlepoint.games import BiasedRPS, Goofspiel, TicTacToe
from saddlepoint.solvers.whole_game import solve

pytestmark = pytest.mark.compiles_long


def words(html: str) -> str:
    """The text of HTML that is well-formed XML too."""
    return " ".join(ElementTree.fromstring(html.replace("colspan=3", 'colspan="3"')).itertext())


def test_a_search_of_a_game_in_turn_shows_its_value_its_board_and_its_line() -> None:
    game = TicTacToe()
    found = search(game, game.initial_state(), PrincipalVariation(), Limits(depth=3))
    html = str(found._repr_html_())
    first = game.action_to_string(game.initial_state(), 0, found.best_action(0))
    assert "Value 0 for player 0 (an estimate; proven: -1 to 1), depth 3" in " ".join(words(html).split())
    assert f"Principal variation: {first} |" in words(html)
    assert "<svg" in html
    assert "Player 1" not in html


def test_a_search_of_a_stage_shows_both_mixtures() -> None:
    game = BiasedRPS()
    found = search(game, game.initial_state(), DoubleOracle())
    told = words(str(found._repr_html_()))
    assert "(proven)" in told
    for player in (0, 1):
        for action, share in found.strategies[player].items():
            assert game.action_to_string(game.initial_state(), player, action) in told
            assert f"{share:.1%}" in told


@pytest.mark.slow
def test_the_line_of_a_game_with_chance_names_what_chance_did() -> None:
    game = Goofspiel(3)
    state = game.next_state(game.initial_state(), 2)
    found = search(game, state, DoubleOracle())
    assert "chance: " in words(str(found._repr_html_()))


def test_a_solved_position_shows_its_matrix_with_the_probabilities_at_its_edges() -> None:
    game = BiasedRPS()
    stage = solve(game).at(game.initial_state())
    told = words(stage._repr_html_())
    for number in (number for row in stage.matrix for number in row):
        assert f"{number:.4g}" in told
    for mixture in stage.strategies:
        assert all(f"{share:.1%}" in told for share in mixture.values())


@pytest.mark.slow
def test_every_position_of_a_solution_can_be_shown() -> None:
    game = Goofspiel(2)
    solution = solve(game)
    positions = [game.initial_state()]
    for state in positions:
        assert words(solution.at(state)._repr_html_())
        if game.current_player(state) != TERMINAL:
            positions += [game.advance(state, *joint) for joint in _joints(game, state)]


@pytest.mark.slow
def test_a_position_of_chance_shows_its_outcomes_by_name_and_every_row_has_as_many_cells() -> None:
    game = Goofspiel(2)
    solution = solve(game)
    told = words(html := solution.at(game.initial_state())._repr_html_())
    outcomes = game.chance_outcomes(game.initial_state())
    assert len(outcomes) == 2
    for outcome, share in outcomes:
        assert game.outcome_to_string(game.initial_state(), outcome) in told and f"{share:.1%}" in told
    table = html[html.index("<table") : html.index("</table>")]
    assert {row.count("</th>") + row.count("</td>") for row in table.split("<tr>")[1:]} == {3}


def _joints(game: Goofspiel, state: object) -> list[tuple[int, int]]:
    outcomes = game.chance_outcomes(state)
    if len(outcomes):
        return [(outcome, -1) for outcome, _ in outcomes]
    return [(a, b) for a in game.legal_actions(state, 0) for b in game.legal_actions(state, 1)]


def test_names_of_a_game_are_text_and_never_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    game = BiasedRPS()
    monkeypatch.setattr(
        BiasedRPS, "action_to_string", lambda self, state, player, action: f"<b>{action}</b>&"
    )
    found = search(game, game.initial_state(), DoubleOracle())
    assert "<b>0</b>&" in words(str(found._repr_html_()))
    assert "<b>0</b>&" in words(solve(game).at(game.initial_state())._repr_html_())


def test_what_is_shown_is_no_part_of_the_result_as_data() -> None:
    game = TicTacToe()
    found = search(game, game.initial_state(), PrincipalVariation(), Limits(depth=1))
    assert "root" not in json.loads(json.dumps(found.to_json()))
    bare = SearchResult(0.0, (0.0, 0.0), exact=True, strategies=({}, {}), complete=True, seconds=0.0)
    assert bare._repr_html_() is None
