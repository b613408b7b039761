"""Connect Four's evaluators: threats against their definition over lists of cells; the network of the usual board."""

import shutil

import pytest

from helpers.random_trees import random_positions
from helpers.reference_lines import lines_of, threats_told
from helpers.sizes import scaled
from saddlepoint.algorithms import Limits
from saddlepoint.arena.ledger import versions
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.compiled import component
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.connect_four import ConnectFour, Threats
from saddlepoint.play.game import play_game

pytestmark = pytest.mark.plain
GAME = ConnectFour()
SIZES = [(7, 6, 4), (6, 5, 4), (9, 6, 4), (5, 7, 3), (3, 6, 4)]


def lines(game, state):
    """For either player: how many lines are open, how many of them lack two discs, and the empty cells that complete one."""
    rows = game.to_text(state).split()[::-1]
    cells = {(x, y): rows[y][x] for x in range(game.columns) for y in range(game.rows)}
    open_, pairs, wins = [0, 0], [0, 0], [set(), set()]
    for line in lines_of(game.columns, game.rows, game.line):
        marks = [cells[cell] for cell in line]
        for player, (own, other) in enumerate(("xo", "ox")):
            if other not in marks:
                open_[player] += 1
                pairs[player] += marks.count(own) == game.line - 2
                if marks.count(own) == game.line - 1:
                    wins[player].add(line[marks.index(".")])
    return open_, pairs, wins


def expected_counts(game, state):
    open_, pairs, wins = lines(game, state)
    cells = {
        (x, y): mark for y, row in enumerate(game.to_text(state).split()[::-1]) for x, mark in enumerate(row)
    }
    places = {
        (x, min(y for y in range(game.rows) if cells[x, y] == "."))
        for x in range(game.columns)
        if cells[x, game.rows - 1] == "."
    }
    return (
        open_[0] - open_[1],
        pairs[0] - pairs[1],
        *threats_told(wins, places, state.turn),
    )


@pytest.mark.compiles_long
@pytest.mark.parametrize(("columns", "rows", "line"), SIZES)
def test_counts(columns, rows, line):
    game = ConnectFour(columns, rows, line)
    for state in random_positions(game, scaled(60), columns):
        assert Threats().counts(game, state) == expected_counts(game, state)


@pytest.mark.compiles_long
@pytest.mark.parametrize(("columns", "rows", "line"), SIZES)
def test_features_are_the_counts_of_either_player(columns, rows, line):
    game = ConnectFour(columns, rows, line)
    for state in random_positions(game, scaled(40, 10), seed=3):
        own, other = (game.features(state, player) for player in (0, 1))
        found = own[0] - other[0], own[1] - other[1], own[3] - other[4], own[4] - other[3], own[5] - other[5]
        assert found == Threats().counts(game, state)[:5]
        after = [game.next_state(state, column) for column in game.legal_actions(state, state.turn)]
        assert game.features(state, state.turn)[2] == len([one for one in after if one.winner >= 0])
        _, _, wins = lines(game, state)
        for player, cells in enumerate(wins):
            assert int(game.features(state, player)[6]) == sum(1 << x * (game.rows + 1) + y for x, y in cells)


@pytest.mark.compiles_long
def test_mirrored_positions_are_worth_the_same_and_exchanged_discs_the_negative():
    game, evaluator = ConnectFour(), Threats()
    for state in random_positions(game, scaled(40), 8):
        value = evaluator.evaluate(game, state)
        assert abs(value) <= evaluator.bound
        assert evaluator.evaluate(game, game.symmetries(state)[0].state) == pytest.approx(value, abs=1e-12)
        *levels, good, bad, stacked, wins, lost = evaluator.counts(game, state)
        exchanged = evaluator.counts(
            game, type(state)(state.discs1, state.discs0, 1 - state.turn, state.winner)
        )
        assert exchanged[:2] == tuple(-level for level in levels)
        # The rows that are good for one player are the other's bad ones.
        assert (exchanged[2] + exchanged[3], *exchanged[4:]) == (-good - bad, -stacked, wins, lost)


@pytest.mark.compiles_long
def test_what_is_decided():
    assert (
        Threats().evaluate(GAME, GAME.initial_state("112233")) == Threats().forced_win_value
    )  # 4 completes the row
    # The second player cannot stop both ends of the row.
    assert Threats().evaluate(GAME, GAME.initial_state("37475")) == Threats().forced_win_value


@pytest.mark.compiles_long
def test_where_no_line_fits_best_searches_without_threats():
    """They have nothing to count there, and every game is drawn."""
    assert Threats.is_made_for(ConnectFour())
    game = ConnectFour(line=12)
    assert not Threats.is_made_for(game)
    limits = Limits(nodes=50)
    record = play_game(
        game, (make_player("best(solve=false)", game, limits), make_player("random", game)), seed=1
    )
    assert record.result == 0


# -- `best` --------------------------------------------------------------------------------------------------------------


def test_a_player_is_made_without_compiling_anything(monkeypatch):
    monkeypatch.setattr(component, "run", None)  # what calls a compiled kernel
    make_player("best", ConnectFour()).close()
    make_player("pvs(evaluator=connect_four_network)", ConnectFour()).close()


def test_other_weights_are_another_version_of_its_players(monkeypatch, tmp_path):
    before = player_version("best")
    copied = tmp_path / "saddlepoint"
    shutil.copytree(versions.PACKAGE / "games" / "connect_four", copied / "games" / "connect_four")
    monkeypatch.setattr(versions, "PACKAGE", copied)
    monkeypatch.setattr(versions, "source_files", list)
    versions.sources_digest.cache_clear()
    try:
        known = player_version("best")
        (copied / "games" / "connect_four" / "usual_board.weights").write_bytes(b"other")
        versions.sources_digest.cache_clear()
        assert len({before, known, player_version("best")}) == 3
    finally:
        versions.sources_digest.cache_clear()
